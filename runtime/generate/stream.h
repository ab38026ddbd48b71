/* Random streams of generated models. Each part of a model draws from its own stream, so that a feature can be switched off
 * without changing the rest of the model. */
#ifndef STREAM_H
#define STREAM_H

#include "rng.h"

enum gen_stream {
	STREAM_CALLS, /* the calls themselves */
	STREAM_REPEATS,
	STREAM_LAYOUTS,
	STREAM_GRADIENTS,
	STREAM_MODULES,
	STREAM_FUNCTIONS,
	STREAM_SUBGRAPHS,
	STREAM_INVALID,
	STREAM_OPSET,
	STREAM_SETTINGS, /* of the target, drawn by a run */
	STREAM_QUANTIZED,
	STREAM_SIZES,
	STREAM_SHAPES,
	STREAM_MUTATION,
	STREAM_THEME,
	STREAM_SESSIONS,
	STREAM_REGIONS,
	STREAM_FLAGS,
	STREAM_COUNT
};

/* The generator for one stream of model `index` of run `seed`. Users pick neighbouring seeds, so the seed is mixed before
 * the stream number joins it: with `seed ^ stream`, stream 2 of seed 1 is stream 1 of seed 2. */
static inline rng stream_rng(uint64_t seed, uint64_t index, enum gen_stream stream)
{
	uint64_t state = seed;
	if (stream != STREAM_CALLS) {
		state = rng_mix(&state) ^ (uint64_t)stream;
		state = rng_mix(&state);
	}
	state = rng_mix(&state) ^ index * 0xd1342543de82ef95u;
	return rng_seed(rng_mix(&state));
}

#endif
