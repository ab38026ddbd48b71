/* Shared by the tests of every strategy: open a generator, check a model, sum the hashes of some. */
#ifndef MODELS_H
#define MODELS_H

#include "gen.h"

static inline rs_gen *open_models(const rs_table *table, rs_gen_options options)
{
	char message[256] = "";
	rs_gen *gen = rs_gen_new(table, &options, message, sizeof message);
	if (!gen)
		fail_msg("%s", message);
	return gen;
}

static inline void check_model(const graph *g)
{
	diag d = {""};
	if (!graph_check(g, &d))
		fail_msg("model %u: %s", (unsigned)g->index, d.text);
}

static inline uint64_t digest_models(
    rs_gen *gen, rs_graph *g, uint64_t seed, uint64_t first, uint64_t count)
{
	uint64_t sum = 0;
	for (uint64_t i = first; i < first + count; i++) {
		assert_true(rs_gen_model(gen, seed, i, g));
		sum += rs_graph_hash(g);
	}
	return sum;
}

#endif
