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
	assert_string_equal(text, "56999d61520442a3");
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

/* Every strategy, every framework's table: each model is one, by the rules that are linked in. */
static void real_tables(void **state)
{
	static const char *const FRAMEWORKS[] = {"torch", "tensorflow", "onnx"};
	(void)state;
	rs_graph *g = rs_graph_new();
	for (int i = 0; i < 6; i++) {
		char message[256] = "";
		rs_gen_options options = {.strategy = i / 3 ? RS_ISRA : RS_NEURI,
		    .nodes_low = 1, .nodes_high = 40};
		const rs_table *t = rs_library_table(&rs_rules, FRAMEWORKS[i % 3]);
		rs_gen *gen = rs_gen_new(t, &options, message, sizeof message);
		assert_non_null(gen);
		for (uint64_t k = 0; k < 2000; k++) {
			assert_true(rs_gen_model(gen, 5, k, g));
			check(g);
		}
		rs_gen_free(gen);
	}
	rs_graph_free(g);
}

static uint32_t uses_of_outputs(const graph *g)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].producer != GRAPH_NONE)
			n += g->tensors[i].nuses;
	return n;
}

/* Isra, table 2: the higher the picking rate, the more edges join two operations. */
static void picking_rate_joins(void **state)
{
	(void)state;
	uint32_t edges[3] = {0}, nodes = 0;
	rs_graph *g = rs_graph_new();
	for (int i = 0; i < 3; i++) {
		rs_gen *gen = new_gen((rs_gen_options){.strategy = RS_ISRA,
		    .picking = (uint32_t[]){1, 500, 1000}[i], .nodes_low = 50, .nodes_high = 50});
		for (uint64_t k = 0; k < 200; k++) {
			assert_true(rs_gen_model(gen, 1, k, g));
			check(g);
			edges[i] += uses_of_outputs(g);
			nodes += i == 0 ? rs_graph_nodes(g) : 0;
		}
		rs_gen_free(gen);
	}
	assert_true(edges[0] < nodes / 50);
	assert_true(edges[1] > nodes / 5 && edges[1] < edges[2] && edges[2] > nodes / 2);
	rs_graph_free(g);
}

/* Operators are drawn uniformly, and nearly all that are drawn go in. */
static void isra_draws_apis_alike(void **state)
{
	(void)state;
	uint32_t seen[sizeof TOY_OPS / sizeof *TOY_OPS] = {0}, nodes = 0;
	rs_graph *g = rs_graph_new();
	rs_gen *gen = new_gen((rs_gen_options){.strategy = RS_ISRA, .nodes_low = 20, .nodes_high = 20});
	for (uint64_t k = 0; k < 5000; k++) {
		assert_true(rs_gen_model(gen, 2, k, g));
		nodes += rs_graph_nodes(g);
		for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
			seen[g->nodes[i].op - TOY_OPS]++;
	}
	for (unsigned i = 0; i < sizeof seen / sizeof *seen; i++)
		if (i != TOY_HOSTILE && i != TOY_TEXT)
			assert_true(seen[i] > nodes / 8 * 9 / 10 && seen[i] < nodes / 8 * 11 / 10);
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
	refuse((rs_gen_options){.strategy = (enum rs_strategy)99}, "no strategy");
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
	    cmocka_unit_test(real_tables), cmocka_unit_test(picking_rate_joins),
	    cmocka_unit_test(isra_draws_apis_alike),
	    cmocka_unit_test(refusals)};
	return cmocka_run_group_tests_name("gen", tests, NULL, NULL);
}
