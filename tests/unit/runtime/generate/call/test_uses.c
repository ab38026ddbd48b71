/* APIs drawn as often as real models call them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "models.h"
#include "uses.h"

enum { MODELS = 300, DRAWS = 20000 };

static rs_gen *open_torch(uint32_t weights)
{
	return open_models(rs_library_table(&rs_rules, "torch"), (rs_gen_options){.no_chains = true, .features = {.weights = weights}});
}

/* Calls of APIs that real models call, in per cent. */
static uint32_t count_used(rs_gen *gen)
{
	uint32_t used = 0, all = 0;
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 3, i, g));
		check_model(g);
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next, all++)
			used += weights_calls(&gen->weights, g->nodes[k].op) > 0;
	}
	rs_graph_free(g);
	return 100 * used / all;
}

static void the_share_decides(void **state)
{
	(void)state;
	static const uint32_t SHARES[] = {0, 500, 1000}, LOW[] = {0, 35, 90}, HIGH[] = {15, 75, 100};
	for (int i = 0; i < 3; i++) {
		rs_gen *gen = open_torch(SHARES[i]);
		uint32_t used = count_used(gen);
		assert_in_range(used, LOW[i], HIGH[i]);
		rs_gen_free(gen);
	}
}

/* Each API is drawn about as often as it is called. */
static void draws_are_proportional(void **state)
{
	(void)state;
	rs_gen *gen = open_torch(1000);
	const uses *u = &gen->uses;
	uint32_t drawn[1024] = {0};
	rng r = rng_seed(1);
	assert_in_range(u->n, 20, 1024);
	for (int i = 0; i < DRAWS; i++) {
		uint32_t api = uses_draw_api(u, &r), k = 0;
		while (k < u->n && u->apis[k] != api)
			k++;
		assert_true(k < u->n);
		drawn[k]++;
	}
	for (uint32_t k = 0; k < u->n; k++) {
		uint64_t calls = u->until[k] - (k ? u->until[k - 1] : 0), wanted = DRAWS * calls / u->until[u->n - 1];
		assert_in_range(drawn[k] + 40, wanted * 8 / 10, wanted * 12 / 10 + 80);
		assert_int_equal(calls, weights_calls(&gen->weights, gen->index.ops[gen->index.apis[u->apis[k]].first].op));
	}
	rs_gen_free(gen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_share_decides), cmocka_unit_test(draws_are_proportional)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
