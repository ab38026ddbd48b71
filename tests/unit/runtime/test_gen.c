#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "gen.h"
#include "toy_table.h"

static rs_gen *new_gen(rs_gen_options options)
{
	char message[256] = "";
	rs_gen *gen = rs_gen_new(&TOY_TABLE, &options, message, sizeof message);
	if (!gen)
		fail_msg("%s", message);
	return gen;
}

static void check(const graph *g)
{
	diag d = {""};
	if (!graph_check(g, &d))
		fail_msg("model %u: %s", (unsigned)g->index, d.text);
}

static uint64_t digest(rs_gen *gen, rs_graph *g, uint64_t seed, uint64_t first, uint64_t count)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < count; i++) {
		assert_true(rs_gen_model(gen, seed, first + i, g));
		sum += rs_graph_hash(g);
	}
	return sum;
}

static void same_seed_same_bytes(void **state)
{
	(void)state;
	rs_gen *one = new_gen((rs_gen_options){0}), *two = new_gen((rs_gen_options){0});
	rs_graph *g = rs_graph_new();
	uint64_t whole = digest(one, g, 7, 0, 1000);
	assert_true(digest(one, g, 7, 0, 1000) == whole);
	assert_true(digest(two, g, 7, 0, 500) + digest(two, g, 7, 500, 500) == whole);
	assert_true(digest(two, g, 8, 0, 1000) != whole);
	assert_true(rs_gen_model(one, 7, 123, g));
	char *a = rs_graph_json(g), *p = rs_graph_python(g);
	assert_true(rs_gen_model(two, 7, 123, g));
	char *b = rs_graph_json(g), *q = rs_graph_python(g);
	assert_string_equal(a, b);
	assert_string_equal(p, q);
	free(a), free(b), free(p), free(q);
	rs_graph_free(g);
	rs_gen_free(one);
	rs_gen_free(two);
}

/* A fixed number, so that another machine, compiler or option of it is seen to agree. */
static void known_digest(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){0});
	rs_graph *g = rs_graph_new();
	char text[32];
	snprintf(text, sizeof text, "%016llx", (unsigned long long)digest(gen, g, 1, 0, 100));
	assert_string_equal(text, "d5e3da9f12b80325");
	rs_graph_free(g);
	rs_gen_free(gen);
}

static void every_model_is_valid(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){.max_numel = 200});
	rs_graph *g = rs_graph_new();
	uint32_t seen[sizeof TOY_OPS / sizeof *TOY_OPS] = {0};
	for (uint64_t seed = 0; seed < 100000; seed++) {
		assert_true(rs_gen_model(gen, seed, seed, g));
		assert_int_equal(rs_graph_nodes(g), 5);
		check(g);
		for (uint32_t i = 0; i < g->ntensors; i++)
			assert_true(!g->tensors[i].live || g->tensors[i].numel <= 200);
		for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
			seen[g->nodes[i].op - TOY_OPS]++;
	}
	gen_stats s = gen_get_stats(gen);
	assert_true(s.models == 100000 && s.nodes == 500000);
	assert_true(s.forward > 100000 && s.backward > 50000);
	assert_int_equal(s.forward + s.backward + s.fresh, s.nodes);
	assert_int_equal(s.symbolic + s.concrete, s.nodes);
	for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++)
		if (i == TOY_HOSTILE || i == TOY_TEXT)
			assert_int_equal(seen[i], 0);
		else
			assert_true(
			    seen[i] > s.nodes / 8 / 4); /* no API dominates, none is missing */
	rs_graph_free(g);
	rs_gen_free(gen);
}

static void scope_says_who_is_left_out(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){0});
	gen_scope c = gen_get_scope(gen);
	assert_int_equal(c.apis, 8);
	assert_int_equal(c.operators, 8);
	assert_int_equal(c.symbolic, 6);
	assert_int_equal(c.unsafe, 1);
	assert_int_equal(c.dtypes, 1);
	rs_gen_free(gen);
}

static void counts_nodes_exactly(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){.nodes_low = 1, .nodes_high = 40});
	rs_graph *g = rs_graph_new();
	uint32_t low = 99, high = 0;
	for (uint64_t i = 0; i < 2000; i++) {
		assert_true(rs_gen_model(gen, 3, i, g));
		uint32_t n = rs_graph_nodes(g);
		low = n < low ? n : low;
		high = n > high ? n : high;
		check(g);
	}
	assert_int_equal(low, 1);
	assert_int_equal(high, 40);
	rs_graph_free(g);
	rs_gen_free(gen);
}

static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* The cost of a node does not grow with the model. */
static void large_models(void **state)
{
	(void)state;
	rs_gen *large = new_gen((rs_gen_options){.nodes_low = 10000, .nodes_high = 10000});
	rs_gen *small = new_gen((rs_gen_options){.nodes_low = 10, .nodes_high = 10});
	rs_graph *g = rs_graph_new();
	assert_true(rs_gen_model(large, 1, 1, g));
	check(g);
	assert_int_equal(rs_graph_nodes(g), 10000);
	double start = seconds();
	for (uint64_t i = 0; i < 5; i++)
		assert_true(rs_gen_model(large, 1, i, g));
	double middle = seconds();
	digest(small, g, 1, 0, 5000);
	double end = seconds();
	assert_true(middle - start < 5 * (end - middle) + 0.1);
	rs_graph_free(g);
	rs_gen_free(large);
	rs_gen_free(small);
}

/* Only an operator without a rule: recorded calls, chained where their shapes meet. */
static void concrete_only(void **state)
{
	(void)state;
	rs_gen *gen = new_gen((rs_gen_options){.api = "torch.c?t"});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < 1000; i++) {
		assert_true(rs_gen_model(gen, 1, i, g));
		check(g);
	}
	gen_stats s = gen_get_stats(gen);
	assert_int_equal(s.concrete, 5000);
	assert_int_equal(s.symbolic, 0);
	assert_true(s.forward > 0);
	rs_graph_free(g);
	rs_gen_free(gen);
}

static void refuse(rs_gen_options options, const char *why)
{
	char message[256] = "";
	assert_null(rs_gen_new(&TOY_TABLE, &options, message, sizeof message));
	if (!strstr(message, why))
		fail_msg("'%s' does not say '%s'", message, why);
}

static void refusals(void **state)
{
	(void)state;
	refuse((rs_gen_options){.strategy = RS_GRAPH}, "not built yet");
	refuse((rs_gen_options){.nodes_low = 3, .nodes_high = 2}, "more nodes");
	refuse((rs_gen_options){.api = "tf.*"}, "no operator of torch that matches tf.*");
	refuse((rs_gen_options){.api = "torch.add", .max_numel = 2}, "record that fits");
	rs_gen_free(NULL);
	rs_graph_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(same_seed_same_bytes),
	    cmocka_unit_test(known_digest), cmocka_unit_test(every_model_is_valid),
	    cmocka_unit_test(scope_says_who_is_left_out), cmocka_unit_test(counts_nodes_exactly),
	    cmocka_unit_test(large_models), cmocka_unit_test(concrete_only),
	    cmocka_unit_test(refusals)};
	return cmocka_run_group_tests_name("gen", tests, NULL, NULL);
}
