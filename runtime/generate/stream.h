/* Random streams of generated models. Each part of a model draws from its own stream, so that a feature can be switched off
 * without changing the rest of the model. */
#ifndef STREAM_H
#define STREAM_H

#include "modelfeatures.h"
#include "rng.h"

/* Streams besides those of features, which modelfeatures.h numbers: STREAM_layouts and so on. */
#define GEN_STREAMS(STREAM)                                                                                                        \
	STREAM(INVALID, 7)                                                                                                         \
	STREAM(OPSET, 8)                                                                                                           \
	STREAM(SETTINGS, 9) /* of the target, drawn by a run */                                                                    \
	STREAM(SIZES, 11)                                                                                                          \
	STREAM(THEME, 14)                                                                                                          \
	STREAM(FLAGS, 17)

/* clang-format off */
enum gen_stream {
	STREAM_CALLS, /* the calls themselves */
#define STREAM(name, number) STREAM_##name = number,
#define FEATURE(field, option, needs, run, stage, stream, function, help) STREAM_##field = stream,
	GEN_STREAMS(STREAM) RS_FEATURES(FEATURE)
#undef STREAM
#undef FEATURE
#define STREAM(name, number) +1
#define FEATURE(field, option, needs, run, stage, stream, function, help) +(stream > 0)
	STREAM_COUNT = 1 GEN_STREAMS(STREAM) RS_FEATURES(FEATURE)
#undef STREAM
#undef FEATURE
};

#define STREAM(name, number) | 1ull << number
#define FEATURE(field, option, needs, run, stage, stream, function, help) | 1ull << stream
_Static_assert((0 GEN_STREAMS(STREAM) RS_FEATURES(FEATURE)) == (1ull << STREAM_COUNT) - 1,
    "modelfeatures.h: two features have one stream, or a number between them has none");
#undef STREAM
#undef FEATURE
/* clang-format on */

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
