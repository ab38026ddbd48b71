/* Models of integers and of calls that keep elements; wide ranges; lists as people write them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "elements.h"
#include "lists.h"
#include "models.h"
#include "theme.h"
#include "wide.h"

enum { MODELS = 600, RANGES = 4000 };

static const rs_table *onnx(void)
{
	return rs_library_table(&rs_rules, "onnx");
}

static rs_gen *open_mixed(rs_features features)
{
	return open_models(onnx(), (rs_gen_options){.sizes = RS_SIZES_MIXED, .no_chains = true, .features = features});
}

/* ---- themes */

typedef struct share {
	uint32_t of, all;
} share;

static bool is_long(const graph_tensor *t)
{
	return t->dtype == RS_INT32 || t->dtype == RS_INT64 || t->dtype == RS_UINT32 || t->dtype == RS_UINT64;
}

/* Counts the models with a theme, and among their calls those with results of 32 or 64 bits. */
static share count_integers(rs_gen *gen, uint32_t *models)
{
	share s = {0, 0};
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 5, i, g));
		check_model(g);
		*models += gen->theme == GEN_INTEGERS;
		for (uint32_t k = g->first; k != GRAPH_NONE && gen->theme == GEN_INTEGERS; k = g->nodes[k].next, s.all++)
			s.of += g->nodes[k].nout && is_long(&g->tensors[g->nodes[k].outputs]);
	}
	rs_graph_free(g);
	return s;
}

static void models_of_integers(void **state)
{
	(void)state;
	uint32_t none = 0, some = 0;
	rs_gen *without = open_mixed((rs_features){0}), *with = open_mixed((rs_features){.wide_integers = 200});
	count_integers(without, &none);
	share s = count_integers(with, &some);
	print_message("# %u models, %u of %u calls\n", some, s.of, s.all);
	assert_int_equal(none, 0);
	assert_true(some > MODELS / 10 && some < MODELS * 3 / 10);
	assert_true(s.of * 3 > s.all);
	rs_gen_free(without), rs_gen_free(with);
}

/* The theme is that of a model which gen_quantize quantizes. */
static void models_that_keep_elements(void **state)
{
	(void)state;
	uint32_t kept = 0, quantized = 0;
	rs_gen *gen = open_mixed((rs_features){.quantized = 300});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 6, i, g));
		check_model(g);
		bool has = false;
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next)
			has |= strstr(g->nodes[k].op->name, "QuantizeLinear") == g->nodes[k].op->name + strlen("onnx.") || strstr(g->nodes[k].op->api, "DequantizeLinear");
		quantized += has;
		kept += gen->theme == GEN_KEEPING;
	}
	print_message("# %u models, %u of them quantized or with such calls\n", kept, quantized);
	assert_true(kept > MODELS / 10 && kept < MODELS / 5 && quantized > kept);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* The operand of a product that is a matrix, as weights are. */
static bool multiplies_matrix(const graph *g, const graph_node *n)
{
	return strcmp(n->op->api, "onnx.MatMul") == 0 && g->tensors[graph_node_input(g, n, 1)].rank == 2;
}

/* Calls with weights are more frequent in models of that theme, and their weights have few dimensions. */
static void models_with_weights(void **state)
{
	(void)state;
	uint32_t models[2] = {0}, products[2] = {0};
	rs_gen *gen = open_mixed((rs_features){.quantized = 500});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 7, i, g));
		check_model(g);
		bool weighted = gen->theme == GEN_WEIGHTED;
		models[weighted]++;
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next)
			products[weighted] += multiplies_matrix(g, &g->nodes[k]);
	}
	print_message("# %u products in %u models with weights, %u in %u others\n", products[1], models[1], products[0], models[0]);
	assert_true(models[1] > MODELS / 8 && models[1] < MODELS / 3);
	assert_true(products[1] * models[0] > 5 * products[0] * models[1]);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* ---- string attributes */

static bool has_string(const graph_node *n, const char *text)
{
	bool any = false;
	for (unsigned i = 0; i < n->op->nvalues; i++)
		any |= n->op->values[i].kind == RS_CONST && strcmp(n->op->values[i].text, text) == 0;
	return any;
}

/* The per mille of calls of BitShift to the right, as in a minority of its signatures. */
static uint32_t share_of_rare(rs_gen_options options)
{
	uint32_t rare = 0, all = 0;
	options.api = "onnx.BitShift";
	options.no_chains = true;
	rs_gen *gen = open_models(onnx(), options);
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 8, i, g));
		check_model(g);
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next, all++)
			rare += has_string(&g->nodes[k], "'RIGHT'");
	}
	rs_graph_free(g);
	rs_gen_free(gen);
	return rare * 1000 / all;
}

static void rare_strings_are_drawn(void **state)
{
	(void)state;
	uint32_t plain = share_of_rare((rs_gen_options){0}), mixed = share_of_rare((rs_gen_options){.sizes = RS_SIZES_MIXED});
	print_message("# per mille with the rare direction: %u, in models of mixed sizes %u\n", plain, mixed);
	assert_true(plain < 300 && mixed > 350 && mixed < 650);
}

/* ---- wide ranges */

/* A range lies in its dtype; narrow dtypes use all of theirs, and each end of each dtype occurs. */
static void ranges_of(uint8_t dtype)
{
	rng r = rng_seed(dtype);
	bool low = false, high = false, whole = false;
	int64_t least = elements_low(dtype), most = elements_high(dtype);
	for (int i = 0; i < RANGES; i++) {
		graph_tensor t = {.dtype = dtype};
		assert_true(wide_make(&t, false, &r));
		assert_true(t.low < t.high && t.low >= least && (t.high <= most || t.high - 1 == most));
		assert_true((uint64_t)t.high - (uint64_t)t.low <= INT64_MAX);
		low |= t.low == least && t.high - t.low < 16;
		high |= t.high >= most && t.high - t.low < 16;
		whole |= most == INT64_MAX || (t.low == least && t.high - 1 == most);
		assert_int_equal(t.values, RS_VALUES_FINITE);
	}
	assert_true(low || !least);
	assert_true(high && whole);
}

static void ranges_reach_the_ends(void **state)
{
	(void)state;
	static const uint8_t DTYPES[] = {RS_UINT8, RS_UINT16, RS_UINT32, RS_UINT64, RS_INT8, RS_INT16, RS_INT32, RS_INT64};
	for (size_t i = 0; i < sizeof DTYPES; i++)
		ranges_of(DTYPES[i]);
	rng r = rng_seed(1);
	graph_tensor real = {.dtype = RS_FLOAT32}, truth = {.dtype = RS_BOOL};
	assert_false(wide_make(&real, false, &r));
	assert_true(wide_make(&real, true, &r) && real.high > INT64_C(1) << 40);
	assert_false(wide_make(&truth, false, &r));
}

/* ---- lists */

static void lists_become_simple(void **state)
{
	(void)state;
	rng r = rng_seed(3);
	uint32_t equal = 0, kept = 0;
	const int64_t zeros[9] = {0}, others[3] = {1, 2, 3};
	const index_op o = {.records = zeros, .width = 9, .nrecords = 1, .nfull = 1};
	const index_op positive = {.records = others, .width = 3, .nrecords = 1, .nfull = 1};
	for (int i = 0; i < RANGES; i++) {
		int64_t v[9] = {1, 9, -8, 7, -6, 8, 9, -6, 7}, *pads = v + 1;
		lists_simplify(&o, v, 1, 8, &r);
		assert_int_equal(v[0], 1);
		assert_true(!pads[0] && !pads[4]);
		assert_true(pads[3] > 0 && pads[7] > 0);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(pads[k] == 0, pads[k + 4] == 0);
		equal += pads[3] == pads[7];
		kept += pads[3] == 6 && pads[7] == 7;
	}
	assert_true(equal > RANGES / 3 && kept > RANGES / 3);
	for (int i = 0; i < RANGES; i++) {
		int64_t three[3] = {-2, -2, -2}, four[3] = {-2, -2, -2};
		lists_simplify(&o, three, 0, 3, &r);
		lists_simplify(&positive, four, 0, 3, &r);
		assert_true(three[0] == 0 && three[2] > 0);
		assert_true(four[0] == -2 && four[2] > 0);
	}
}

/* Only models of mixed sizes have simple lists: paddings of the last dimensions, the same on all sides. */
static share count_padded(enum rs_sizes sizes)
{
	share s = {0, 0};
	rs_gen *gen = open_models(onnx(), (rs_gen_options){.sizes = sizes, .api = "onnx.Pad"});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, 7, i, g));
		check_model(g);
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next) {
			const graph_node *n = &g->nodes[k];
			const rs_op *op = n->op;
			unsigned count = op->nsym - op->values[0].count, zeros = 0;
			for (unsigned z = 0; z < count; z++)
				zeros += n->symbols[op->values[0].count + z] == 0;
			if (op->values[0].kind != RS_TENSOR || count < 6)
				continue;
			s.all++;
			s.of += zeros * 2 >= count && zeros < count;
		}
	}
	rs_graph_free(g);
	rs_gen_free(gen);
	return s;
}

static void paddings_are_sparse(void **state)
{
	(void)state;
	share small = count_padded(RS_SIZES_SMALL), mixed = count_padded(RS_SIZES_MIXED);
	print_message("# %u of %u paddings, with mixed sizes %u of %u\n", small.of, small.all, mixed.of, mixed.all);
	assert_true(mixed.of * small.all > small.of * mixed.all * 4 / 3);
	assert_true(mixed.of * 4 > mixed.all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(models_of_integers), cmocka_unit_test(models_that_keep_elements), cmocka_unit_test(models_with_weights),
	    cmocka_unit_test(rare_strings_are_drawn), cmocka_unit_test(ranges_reach_the_ends), cmocka_unit_test(lists_become_simple), cmocka_unit_test(paddings_are_sparse)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
