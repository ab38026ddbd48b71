#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "corpus.h"
#include "gen_graph.h"
#include "metrics.h"
#include "gen_sets.h"
#include "models.h"
#include "opset.h"
#include "toy_table.h"

static rs_gen *open_gen(const rs_table *table, rs_gen_options options)
{
	options.strategy = RS_GRAPH;
	return open_models(table, options);
}

static const rs_table *real(const char *framework)
{
	const rs_table *t = rs_library_table(&rs_rules, framework);
	assert_non_null(t);
	return t;
}

static void same_seed_same_bytes(void **state)
{
	(void)state;
	rs_gen_options options = {.set = "graph50", .nodes_low = 3, .nodes_high = 12};
	rs_gen *one = open_gen(real("tensorflow"), options),
	       *two = open_gen(real("tensorflow"), options);
	rs_graph *g = rs_graph_new();
	uint64_t whole = digest_models(one, g, 7, 0, 200);
	assert_true(digest_models(two, g, 7, 0, 200) == whole);
	assert_true(digest_models(one, g, 7, 0, 200) == whole); /* begun anew */
	assert_true(digest_models(one, g, 8, 0, 200) != whole);
	options.nodes_high = 13;
	rs_gen *other = open_gen(real("tensorflow"), options);
	assert_true(digest_models(other, g, 7, 0, 200) != whole);
	rs_graph_free(g);
	rs_gen_free(one);
	rs_gen_free(two);
	rs_gen_free(other);
}

/* A model depends on earlier ones, whoever made them: if requested alone, they are regenerated. */
static void a_model_alone(void **state)
{
	(void)state;
	rs_gen_options options = {.nodes_low = 4, .nodes_high = 4};
	rs_gen *run = open_gen(&TOY_TABLE, options), *alone = open_gen(&TOY_TABLE, options);
	rs_graph *g = rs_graph_new();
	static uint64_t hashes[60];
	for (uint64_t i = 0; i < 60; i++)
		hashes[i] = digest_models(run, g, 3, i, 1);
	gen_stats whole = gen_get_stats(run);
	static const uint64_t order[] = {59, 0, 30, 31, 29, 30, 45, 59, 58, 1};
	uint64_t nodes = 0;
	for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
		assert_true(digest_models(alone, g, 3, order[i], 1) == hashes[order[i]]);
		assert_true(g->index == order[i] && g->seed == 3);
		nodes += rs_graph_nodes(g);
		if (i == 4)
			digest_models(alone, g, 4, 10, 2), nodes += 2 * 0;
	}
	gen_stats some = gen_get_stats(alone);
	assert_int_equal(whole.models, 60);
	assert_int_equal(some.models, sizeof order / sizeof *order + 2); /* without the repeated ones */
	assert_true(some.nodes > nodes && some.nodes < nodes * 2);
	rs_graph_free(g);
	rs_gen_free(run);
	rs_gen_free(alone);
}

/* Coverage and tree start anew after 4,096 models, which limits the dependence on earlier models. */
static void runs(void **state)
{
	(void)state;
	rs_gen_options options = {.nodes_low = 1, .nodes_high = 2};
	rs_gen *run = open_gen(&TOY_TABLE, options), *alone = open_gen(&TOY_TABLE, options);
	rs_graph *g = rs_graph_new();
	olc_report before, after;
	digest_models(run, g, 5, 0, 4096);
	assert_true(gen_graph_coverage(run, &before));
	uint64_t first = digest_models(run, g, 5, 4096, 1), sixth;
	assert_true(gen_graph_coverage(run, &after));
	assert_true(after.all < before.all);
	digest_models(run, g, 5, 4097, 4);
	sixth = digest_models(run, g, 5, 4101, 1);
	assert_true(digest_models(alone, g, 5, 4101, 1) == sixth);
	assert_true(digest_models(alone, g, 5, 4096, 1) == first);
	rs_gen_free(run);
	rs_gen_free(alone);
	/* fewer large models: here 6 */
	run = open_gen(&TOY_TABLE, (rs_gen_options){.nodes_low = 1, .nodes_high = 10000});
	digest_models(run, g, 5, 0, 6);
	assert_true(gen_graph_coverage(run, &before));
	digest_models(run, g, 5, 6, 1);
	assert_true(gen_graph_coverage(run, &after));
	assert_true(after.all < before.all);
	rs_graph_free(g);
	rs_gen_free(run);
}

static void options_matter(void **state)
{
	(void)state;
	const rs_table *t = real("tensorflow");
	rs_gen_options options[] = {{0}, {.chooser = RS_CHOOSER_RANDOM}, {.no_mutations = true},
	    {.topology = RS_TOPOLOGY_WS}, {.topology = RS_TOPOLOGY_RN}, {.max_numel = 500}};
	enum { COUNT = sizeof options / sizeof *options };
	uint64_t sums[COUNT];
	rs_graph *g = rs_graph_new();
	for (unsigned i = 0; i < COUNT; i++) {
		options[i].set = "graph50";
		options[i].nodes_low = options[i].nodes_high = 10;
		rs_gen *gen = open_gen(t, options[i]);
		sums[i] = digest_models(gen, g, 1, 0, 50);
		for (unsigned k = 0; k < i; k++)
			assert_true(sums[i] != sums[k]);
		rs_gen_free(gen);
	}
	rs_graph_free(g);
}

/* A call that fails on zeros, ones or equal elements gets new model inputs only, unless its classes are
 * known. */
static void check_delicate(const graph *g, unsigned *seen)
{
	for (uint32_t i = 0; i < g->nnodes; i++) {
		const graph_node *n = &g->nodes[i];
		if (!(n->op->flags & RS_DELICATE) || n->op->classes)
			continue;
		(*seen)++;
		for (unsigned k = 0; k < n->op->nin; k++)
			if (g->tensors[graph_node_input(g, n, k)].producer != GRAPH_NONE)
				fail_msg("model %u: %s takes what a call returned", (unsigned)g->index, n->op->name);
	}
}

/* For every table: valid models with at least an operator per block and tensors within bounds. */
static void every_model_is_valid(void **state)
{
	(void)state;
	static const char *const FRAMEWORKS[] = {"torch", "tensorflow", "onnx"};
	rs_graph *g = rs_graph_new();
	unsigned delicate = 0;
	for (unsigned f = 0; f < 3; f++)
		for (int random = 0; random < 2; random++) {
			rs_gen *gen = open_gen(real(FRAMEWORKS[f]),
			    (rs_gen_options){.nodes_low = 1,
				.nodes_high = 20,
				.max_numel = 5000,
				.chooser = random ? RS_CHOOSER_RANDOM : RS_CHOOSER_MCTS});
			uint64_t blocks = 0;
			for (uint64_t i = 0; i < 300; i++) {
				assert_true(rs_gen_model(gen, 9, i, g));
				check_model(g);
				check_delicate(g, &delicate);
				blocks += rs_graph_nodes(g);
				for (uint32_t k = 0; k < g->ntensors; k++)
					assert_true(
					    !g->tensors[k].live || g->tensors[k].numel <= 5000);
			}
			assert_true(
			    blocks > 300 * 10); /* subgraphs and converters have more than one */
			gen_stats s = gen_get_stats(gen);
			assert_int_equal(s.symbolic + s.concrete, blocks);
			assert_int_equal(s.nodes, blocks);
			rs_gen_free(gen);
		}
	if (delicate < 20)
		fail_msg("%u delicate calls only", delicate);
	rs_graph_free(g);
}

static void many_blocks(void **state)
{
	(void)state;
	rs_gen *gen =
	    open_gen(real("onnx"), (rs_gen_options){.nodes_low = 3000, .nodes_high = 3000});
	rs_graph *g = rs_graph_new();
	assert_true(rs_gen_model(gen, 1, 0, g));
	assert_true(rs_graph_nodes(g) >= 3000);
	check_model(g);
	rs_graph_free(g);
	rs_gen_free(gen);
}

static void the_corpus(void **state)
{
	(void)state;
	size_t count;
	rs_gen *gen = open_gen(real("tensorflow"), (rs_gen_options){.set = "graph50"});
	corpus c;
	assert_non_null(opset_list("graph50", "tensorflow", &count));
	assert_int_equal(count, 50);
	assert_true(corpus_build(&c, &gen->index));
	assert_int_equal(c.napis, 50);
	assert_int_equal(c.nblocks, 53);
	for (uint32_t i = 50; i < 53; i++) {
		const block *b = &c.blocks[i];
		assert_true(b->nnodes > 4 && strchr(b->name, '+'));
		assert_true(b->in_high >= 1);
		for (unsigned e = 0; e < b->nedges; e++)
			assert_true(
			    b->edges[e].from < b->edges[e].to && b->edges[e].to < b->nnodes);
		for (unsigned k = 0; k + 1 < b->nnodes; k++) { /* all but the last have consumers */
			bool leads = false;
			for (unsigned e = 0; e < b->nedges; e++)
				leads |= b->edges[e].from == k;
			assert_true(leads);
		}
	}
	assert_string_equal(c.blocks[52].name,
	    "raw_ops.Conv2D+raw_ops.BiasAdd+raw_ops.Relu+raw_ops.DepthwiseConv2dNative"
	    "+raw_ops.BiasAdd+raw_ops.Relu6");
	corpus_free(&c);
	rs_gen_free(gen);
	gen = open_gen(&TOY_TABLE, (rs_gen_options){0}); /* a table without the operators of any subgraph */
	assert_true(corpus_build(&c, &gen->index));
	assert_int_equal(c.nblocks, c.napis);
	corpus_free(&c);
	rs_gen_free(gen);
}

/* The operator-level coverage of 400 models, counted by metrics.c, which shares only the definitions with
 * the generator's own count. */
static double coverage(rs_gen_options options, uint32_t blocks)
{
	size_t count;
	options.set = "graph50";
	options.nodes_low = options.nodes_high = blocks;
	rs_gen *gen = open_gen(real("tensorflow"), options);
	rs_graph *g = rs_graph_new();
	metrics *m = metrics_new(&(metrics_options){0});
	const char *const *names = opset_list("graph50", "tensorflow", &count);
	char api[128];
	const rs_table *t = real("tensorflow");
	for (size_t i = 0; i < count; i++) {
		snprintf(api, sizeof api, "tf.%s", names[i]);
		for (uint32_t k = 0; k < t->nops; k++)
			if (strcmp(t->ops[k].api, api) == 0)
				assert_true(metrics_corpus_in(m, api, t->ops[k].nin));
	}
	for (uint64_t i = 0; i < 400; i++) {
		assert_true(rs_gen_model(gen, 1, i, g));
		assert_true(metrics_add(m, g));
	}
	metrics_coverage c = metrics_get_coverage(m);
	olc_report own;
	assert_true(gen_graph_coverage(gen, &own));
	assert_true(fabs(c.part[METRICS_OTC] - own.otc) < 1e-9);
	assert_true(fabs(c.part[METRICS_ODC] - own.odc) < 1e-9);
	assert_true(fabs(c.part[METRICS_SEC] - own.sec) < 1e-9);
	assert_true(fabs(c.part[METRICS_SPC] - own.spc) < 0.01);
	assert_true(fabs(c.part[METRICS_IDC] - own.idc) < 0.02);
	metrics_free(m);
	rs_graph_free(g);
	rs_gen_free(gen);
	return c.olc;
}

/* The paper's Table III: with MCTS and mutations 61.5, 76.4, 81.7 %, random 60.2, 69.9, 71.8 %. */
static void coverage_beyond_the_paper(void **state)
{
	(void)state;
	rs_gen_options random = {.chooser = RS_CHOOSER_RANDOM};
	double five = coverage((rs_gen_options){0}, 5), ten = coverage((rs_gen_options){0}, 10),
	       fifteen = coverage((rs_gen_options){0}, 15);
	print_message("400 models of 5, 10, 15 blocks: %.1f, %.1f, %.1f %%\n", five * 100,
	    ten * 100, fifteen * 100);
	assert_true(five >= 0.70);
	assert_true(ten >= 0.85);
	assert_true(fifteen >= 0.90);
	assert_true(coverage(random, 5) < five - 0.05);
	assert_true(coverage(random, 15) < fifteen - 0.05);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(same_seed_same_bytes),
	    cmocka_unit_test(a_model_alone), cmocka_unit_test(runs),
	    cmocka_unit_test(options_matter), cmocka_unit_test(every_model_is_valid),
	    cmocka_unit_test(many_blocks), cmocka_unit_test(the_corpus),
	    cmocka_unit_test(coverage_beyond_the_paper)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
