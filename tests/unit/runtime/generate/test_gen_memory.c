/* Generators without memory: each strategy gives the same models as with memory, or reports that memory ran
 * out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gen.h"
#include "metrics.h"
#include "models.h"
#include "no_memory.h"
#include "toy_table.h"

typedef struct wanted {
	const rs_table *table;
	rs_gen_options options;
	uint64_t models, digest;
} wanted;

static bool generates(void *context)
{
	const wanted *w = context;
	char message[256] = "";
	rs_gen *gen = rs_gen_new(w->table, &w->options, message, sizeof message);
	if (!gen && !strstr(message, "memory"))
		fail_msg("no generator: %s", message);
	rs_graph *g = gen ? rs_graph_new() : NULL;
	uint64_t made = 0, digest = 0;
	for (; g && made < w->models && rs_gen_model(gen, 7, made, g); made++)
		digest += rs_graph_hash(g);
	if (made == w->models)
		assert_true(digest == w->digest);
	rs_graph_free(g);
	rs_gen_free(gen);
	return made == w->models;
}

static void try_strategy(const rs_table *table, rs_gen_options options)
{
	wanted w = {.table = table, .options = options, .models = 4};
	rs_gen *gen = open_models(table, options);
	rs_graph *g = rs_graph_new();
	w.digest = digest_models(gen, g, 7, 0, w.models);
	rs_graph_free(g);
	rs_gen_free(gen);
	lack_memory(generates, &w);
}

static void of_a_small_table(void **state)
{
	(void)state;
	try_strategy(&TOY_TABLE, (rs_gen_options){.strategy = RS_NEURI});
	try_strategy(&TOY_TABLE, (rs_gen_options){.strategy = RS_ISRA, .symbolic = 1000});
	try_strategy(&TOY_TABLE, (rs_gen_options){.strategy = RS_GRAPH});
	try_strategy(&TOY_TABLE, (rs_gen_options){.strategy = RS_CALLS, .near_misses = 500});
}

/* Real rules have samplers, constants, chains and bodies. */
static void of_some_apis(void **state)
{
	(void)state;
	static const char *const TORCH[] = {"torch.Tensor.add", "torch.add", "torch.bmm", "torch.nn.functional.conv1d", "torch.nn.functional.linear"};
	static const char *const ONNX[] = {"onnx.Add", "onnx.Concat", "onnx.Conv", "onnx.Gather", "onnx.MatMul", "onnx.Relu"};
	rs_gen_options torch = {.apis = TORCH, .napis = 5, .symbolic = 1000, .near_misses = 300, .initializers = 500,
	    .features = {.layouts = 1000, .gradients = 500, .modules = 500, .repeats = 500}};
	rs_gen_options onnx = {.apis = ONNX, .napis = 6, .symbolic = 500, .initializers = 500, .no_chains = true,
	    .features = {.repeats = 500, .functions = 1000, .subgraphs = 1000}};
	static const char *const SHAPES[] = {"onnx.Abs", "onnx.Add", "onnx.Concat", "onnx.Gather", "onnx.Mul", "onnx.Reshape", "onnx.Shape", "onnx.Sub",
	    "onnx.Unsqueeze"};
	static const char *const WRITES[] = {"torch.Tensor.add_", "torch.Tensor.neg_", "torch.Tensor.unfold", "torch.cos", "torch.transpose"};
	try_strategy(rs_library_table(&rs_rules, "torch"), (rs_gen_options){.apis = WRITES, .napis = 5, .features = {.layouts = 300, .mutation = 1000}});
	try_strategy(rs_library_table(&rs_rules, "onnx"), (rs_gen_options){.apis = SHAPES, .napis = 9, .symbolic = 500, .no_chains = true,
		.sizes = RS_SIZES_MIXED, .features = {.shape_arithmetic = 1000}});
	for (enum rs_strategy s = RS_NEURI; s <= RS_CALLS; s++) {
		torch.strategy = onnx.strategy = s;
		try_strategy(rs_library_table(&rs_rules, "torch"), torch);
		try_strategy(rs_library_table(&rs_rules, "onnx"), onnx);
	}
	try_strategy(rs_library_table(&rs_rules, "onnx"), (rs_gen_options){.apis = ONNX, .napis = 6, .chains = 1000});
}

/* The figures of a generator's models. */
static bool measures(void *context)
{
	const rs_graph *const *models = context;
	metrics *m = metrics_new(&(metrics_options){.maxspc = 5});
	bool done = m && metrics_corpus(m, "torch.add") && metrics_corpus(m, "torch.split") && metrics_corpus_in(m, "torch.add", 2)
		    && metrics_corpus_out(m, "torch.add", 3);
	for (; done && *models; models++)
		done = metrics_add(m, *models);
	if (done) {
		uint32_t n;
		metrics_types(m, &n);
		assert_int_equal(metrics_get_sums(m)->models, 20);
		assert_int_equal(metrics_corpus_size(m), 2);
		assert_true(metrics_get_sums(m)->outside > 0 && n > 2 && metrics_get_isra(m).odc > 0);
	}
	metrics_free(m);
	return done;
}

static void of_figures(void **state)
{
	(void)state;
	rs_gen *gen = open_models(&TOY_TABLE, (rs_gen_options){.nodes_low = 5, .nodes_high = 20});
	rs_graph *models[21] = {NULL};
	for (uint64_t i = 0; i < 20; i++) {
		models[i] = rs_graph_new();
		assert_true(rs_gen_model(gen, 3, i, models[i]));
	}
	lack_memory(measures, models);
	for (int i = 0; i < 20; i++)
		rs_graph_free(models[i]);
	rs_gen_free(gen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(of_a_small_table), cmocka_unit_test(of_some_apis), cmocka_unit_test(of_figures)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
