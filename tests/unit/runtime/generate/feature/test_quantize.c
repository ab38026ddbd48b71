/* Quantized models: where calls are inserted, with which numbers, and that all elements keep their class. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "elements.h"
#include "model_read.h"
#include "models.h"
#include "quantizer.h"
#include "rulesmith.h"

enum { MODELS = 1500, SEED = 3 };

static rs_gen *open_onnx(rs_features f, uint32_t symbolic)
{
	return open_models(rs_library_table(&rs_rules, "onnx"), (rs_gen_options){.features = f, .symbolic = symbolic});
}

static bool is(const graph_node *n, bool quantize)
{
	return strcmp(n->op->api, quantize ? "onnx.QuantizeLinear" : "onnx.DequantizeLinear") == 0;
}

/* Whether the call was inserted, rather than recorded or part of a chain. */
static bool inserted(const graph_node *n)
{
	return n->op->why && strcmp(n->op->why, "made for a quantized tensor") == 0;
}

static const graph_tensor *operand(const graph *g, const graph_node *n, unsigned i)
{
	return &g->tensors[graph_node_input(g, n, i)];
}

/* Whether two constants hold the same elements, as far as bounds tell. */
static bool equal(const graph_tensor *a, const graph_tensor *b)
{
	return a->low == b->low && a->high == b->high && a->divisor == b->divisor && a->rank == b->rank;
}

typedef struct counts {
	unsigned calls, pairs, shared, equal, mismatched, twice, constants, inputs, results, channel, block, without_zero, biases;
	unsigned dtypes[RS_DTYPE_COUNT], odd, power;
} counts;

static void count_scale(counts *c, const graph *g, const graph_node *n)
{
	const graph_tensor *s = operand(g, n, 1);
	assert_true(s->producer == GRAPH_NONE && s->constant && s->low > 0 && s->divisor < INT32_MAX);
	assert_true(s->rank ? s->high > s->low + 1 : s->high == s->low + 1);
	c->channel += s->rank == 1 && n->op->values[n->op->nvalues - 1].kind == RS_CONST;
	c->block += n->nsym && n->op->values[n->op->nvalues - 1].kind == RS_INT;
	uint64_t both = (uint64_t)s->low * (s->divisor ? s->divisor : 1);
	*((both & (both - 1)) ? &c->odd : &c->power) += 1;
	if (n->nin < 3) {
		c->without_zero++;
		return;
	}
	const graph_tensor *z = operand(g, n, 2);
	uint8_t whole = is(n, true) ? g->tensors[n->outputs].dtype : operand(g, n, 0)->dtype;
	assert_true(z->constant && z->rank == s->rank && z->dtype == whole && memcmp(z->shape, s->shape, s->rank * sizeof *s->shape) == 0);
	assert_true(z->high == z->low + 1 && (whole != RS_INT32 || z->low == 0));
}

/* A dequantization, by what it takes. */
static void count_dequantization(counts *c, const graph *g, const graph_node *n)
{
	const graph_tensor *x = operand(g, n, 0);
	c->dtypes[x->dtype]++;
	c->biases += x->dtype == RS_INT32 && x->constant;
	if (x->producer == GRAPH_NONE) {
		*(x->constant ? &c->constants : &c->inputs) += 1;
		assert_true(x->low < x->high);
		return;
	}
	const graph_node *maker = &g->nodes[x->producer];
	if (!is(maker, true))
		return;
	c->pairs++;
	bool same = graph_node_input(g, maker, 1) == graph_node_input(g, n, 1), alike = equal(operand(g, maker, 1), operand(g, n, 1));
	c->shared += same;
	c->equal += !same && alike;
	c->mismatched += !alike;
	const graph_tensor *before = operand(g, maker, 0);
	c->twice += before->producer != GRAPH_NONE && is(&g->nodes[before->producer], false);
}

static void placed_everywhere(void **state)
{
	(void)state;
	rs_gen *gen = open_onnx((rs_features){.quantized = 1000}, 0);
	rs_graph *g = rs_graph_new();
	counts c = {0};
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, SEED, i, g));
		check_model(g);
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next) {
			const graph_node *n = &g->nodes[k];
			if (!inserted(n))
				continue;
			c.calls++;
			count_scale(&c, g, n);
			c.results += is(n, true) && g->tensors[n->outputs].kept;
			if (is(n, false))
				count_dequantization(&c, g, n);
		}
	}
	print_message("# %u calls, %u pairs: %u shared, %u equal, %u mismatched, %u in a row; of %u constants, %u inputs; %u results\n", c.calls,
	    c.pairs, c.shared, c.equal, c.mismatched, c.twice, c.constants, c.inputs, c.results);
	print_message("# %u per channel, %u per block, %u without zero point, %u powers of two, %u others, %u int32\n", c.channel, c.block,
	    c.without_zero, c.power, c.odd, c.dtypes[RS_INT32]);
	assert_true(c.shared > c.pairs / 2 && c.equal > c.pairs / 10 && c.mismatched > c.pairs / 20 && c.twice > c.pairs / 20);
	assert_true(c.constants > 300 && c.inputs > 300 && c.results > 100 && c.biases > 20);
	assert_true(c.channel > c.calls / 20 && c.block > c.calls / 20 && c.without_zero > c.calls / 20 && c.odd > c.calls / 5 && c.power > c.calls / 5);
	const uint8_t dtypes[] = {RS_INT4, RS_UINT4, RS_INT8, RS_UINT8, RS_INT16, RS_UINT16, RS_INT32};
	for (size_t i = 0; i < sizeof dtypes; i++)
		assert_true(c.dtypes[dtypes[i]] > 100);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* Whether a constant of 4 bits is dequantized by the block along its first axis, the second operand of the call. */
static bool in_blocks(const graph *g, const graph_node *n)
{
	const graph_tensor *t = n->nin > 1 ? operand(g, n, 1) : NULL;
	if (!t || t->producer == GRAPH_NONE || !is(&g->nodes[t->producer], false))
		return false;
	const graph_node *by = &g->nodes[t->producer];
	const graph_tensor *x = operand(g, by, 0);
	const rs_value *last = &by->op->values[by->op->nvalues - 1];
	return inserted(by) && x->constant && x->rank == 2 && (x->dtype == RS_INT4 || x->dtype == RS_UINT4) && last->kind == RS_INT
	       && strcmp(by->op->values[by->op->nin].text, "0") == 0 && by->symbols[last->first] >= 16;
}

static bool has_four_bits(const graph *g)
{
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].live && (g->tensors[i].dtype == RS_INT4 || g->tensors[i].dtype == RS_UINT4))
			return true;
	return false;
}

/* 4-bit weights in blocks, with and without zero points, multiply activations; other calls take 4-bit integers, too. */
static void weights_of_four_bits(void **state)
{
	(void)state;
	rs_gen *gen = open_models(rs_library_table(&rs_rules, "onnx"), (rs_gen_options){.features = {.quantized = 1000}, .sizes = RS_SIZES_MIXED, .chains = 500});
	rs_graph *g = rs_graph_new();
	unsigned products = 0, zeros = 0, calls = 0, activations = 0, blocks = 0;
	for (uint64_t i = 0; i < 16000; i++) {
		assert_true(rs_gen_model(gen, SEED, i, g));
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next) {
			const graph_node *n = &g->nodes[k];
			uint8_t first = n->nin ? operand(g, n, 0)->dtype : RS_BOOL;
			if (strcmp(n->op->api, "onnx.MatMul") == 0 && in_blocks(g, n)) {
				products++;
				zeros += g->nodes[operand(g, n, 1)->producer].nin > 2;
			}
			calls += !inserted(n) && (first == RS_INT4 || first == RS_UINT4);
			activations += inserted(n) && is(n, true) && g->tensors[n->outputs].dtype == RS_INT4;
			blocks += inserted(n) && is(n, true) && g->tensors[n->outputs].dtype == RS_INT4 && n->op->values[n->op->nvalues - 1].kind == RS_INT;
		}
	}
	print_message("# %u products with 4-bit weights in blocks, %u with zero points; %u other calls of 4-bit integers\n", products, zeros, calls);
	assert_true(products > 5 && zeros > 1 && zeros < products && calls > 20 && activations > 1000 && blocks > activations / 2);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* 4-bit integers exist from operator set 21 on, and only in models that may be quantized. */
static void four_bits_by_set(void **state)
{
	(void)state;
	const unsigned sets[] = {20, 21, 0}, shares[] = {1000, 1000, 0};
	for (int k = 0; k < 3; k++) {
		rs_gen *gen = open_models(rs_library_table(&rs_rules, "onnx"),
		    (rs_gen_options){.features = {.quantized = shares[k]}, .opset_low = sets[k], .opset_high = sets[k]});
		rs_graph *g = rs_graph_new();
		unsigned has = 0;
		for (uint64_t i = 0; i < 400; i++) {
			assert_true(rs_gen_model(gen, SEED, i, g));
			has += has_four_bits(g);
		}
		assert_true(sets[k] == 21 ? has > 40 : has == 0);
		rs_graph_free(g);
		rs_gen_free(gen);
	}
}

/* (clamp(round(x / s) + z) - z) * s for the largest scale and, with several, the smallest. */
static double quantized(const quantizer *q, double x, double scale)
{
	unsigned bits = elements_packed(q->dtype) ? 4 : 8 * rs_dtype_size((rs_dtype)q->dtype);
	bool is_signed = q->dtype >= RS_INT4;
	double most = (double)((INT64_C(1) << (bits - is_signed)) - 1), least = is_signed ? -most - 1 : 0;
	double whole = (double)(int64_t)(x / scale + (x < 0 ? -0.5 : 0.5)) + (double)q->zero;
	whole = whole < least ? least : whole > most ? most : whole;
	return (whole - (double)q->zero) * scale;
}

/* No quantization makes positive elements 0, or elements of a class much larger. */
static void elements_keep_their_class(void **state)
{
	(void)state;
	rs_gen *gen = open_onnx((rs_features){.quantized = 1000}, 0);
	rng r = rng_seed(1);
	const int64_t shape[] = {3, 4};
	unsigned distinct = 0, all = 0;
	assert_non_null(quantizers_of(gen));
	for (int i = 0; i < 4000; i++) {
		graph_tensor t = {.shape = shape, .rank = 2, .numel = 12, .dtype = RS_FLOAT32, .values = (uint8_t)(i % (RS_VALUES_LARGE + 1))};
		quantizer_bounds b = quantizer_limits(&t);
		quantizer q = quantizer_draw(gen, &t, b, quantizer_sources(gen, RS_FLOAT32), (quantizer_style){.dtype = RS_INT8, .odd = i & 1}, &r);
		double scale = (double)q.number / (double)q.divisor, low = (double)b.low / 1000, high = (double)b.high / 1000;
		double small = quantized(&q, low, scale), large = quantized(&q, high, scale), least = quantized(&q, low, scale / 2);
		if (b.low > 0)
			assert_true(small > 0 && least > 0);
		assert_true(large <= high + scale / 2 + 1e-9 && small >= low - scale / 2 - 1e-9);
		assert_true(t.values != RS_VALUES_UNIT || large < 1);
		int64_t first, last;
		assert_true(quantizer_range(&q, b, &first, &last));
		assert_true(first < last && (double)(last - 1 - q.zero) * scale <= high + scale);
		distinct += small != large;
		all++;
	}
	print_message("# %u of %u quantizations tell the ends apart\n", distinct, all);
	assert_true(distinct > all * 9 / 10);
	rs_gen_free(gen);
}

/* The float model is the same in all that is not quantized: with a share of 0 nothing changes, and half of the models do with
 * a share of one half. */
static void a_share_of_models(void **state)
{
	(void)state;
	rs_gen *half = open_onnx((rs_features){.quantized = 500}, 0), *none = open_onnx((rs_features){0}, 0);
	rs_graph *g = rs_graph_new(), *plain = rs_graph_new();
	unsigned same = 0;
	for (uint64_t i = 0; i < 400; i++) {
		assert_true(rs_gen_model(half, SEED, i, g) && rs_gen_model(none, SEED, i, plain));
		same += rs_graph_hash(g) == rs_graph_hash(plain);
	}
	assert_in_range(same, 160, 280);
	rs_graph_free(g), rs_graph_free(plain);
	rs_gen_free(half), rs_gen_free(none);
}

/* Models with dynamic shapes: the inserted calls have the shapes of their operand in each instance. */
static void with_dynamic_shapes(void **state)
{
	(void)state;
	rs_gen *gen = open_onnx((rs_features){.quantized = 1000}, 1000);
	rs_graph *g = rs_graph_new();
	unsigned varying = 0, channels = 0;
	for (uint64_t i = 0; i < 400; i++) {
		assert_true(rs_gen_model(gen, SEED, i, g));
		check_model(g);
		for (uint32_t k = g->first; g->assignments && k != GRAPH_NONE; k = g->nodes[k].next) {
			const graph_node *n = &g->nodes[k];
			if (!inserted(n) || !operand(g, n, 0)->also)
				continue;
			const graph_tensor *x = operand(g, n, 0), *y = &g->tensors[n->outputs], *scale = operand(g, n, 1);
			bool channel = scale->rank == 1 && n->op->values[n->op->nvalues - 1].kind == RS_CONST;
			int axis = channel ? atoi(n->op->values[n->op->nvalues - 1].text) : 0;
			for (unsigned i = 0; channel && i < g->assignments; i++)
				assert_int_equal(graph_shape_in(x, i)[axis], scale->shape[0]);
			channels += channel;
			assert_true(y->also && memcmp(x->also, y->also, (g->assignments - 1) * x->rank * sizeof *x->also) == 0);
			varying++;
		}
	}
	print_message("# %u calls of varying shape, %u with a scale for each channel\n", varying, channels);
	assert_true(varying > 100 && channels > varying / 20);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* The elements are quotients. */
static void fractions(void **state)
{
	(void)state;
	graph g;
	float elements[3];
	assert_true(graph_init(&g));
	g.framework = "onnx";
	uint32_t id = graph_input(&g, 1, (const int64_t[]){3}, RS_FLOAT32);
	g.tensors[id].low = 3, g.tensors[id].high = 4, g.tensors[id].divisor = 16;
	elements_fill(&g.tensors[id], 1, elements);
	for (int i = 0; i < 3; i++)
		assert_true(elements[i] == 0.1875f);
	assert_false(elements_are_whole(&g.tensors[id]));
	graph_destroy(&g);
}

/* Reads a model whose input has this dtype and range. */
static bool reads(graph *g, const char *dtype, const char *range)
{
	char text[600];
	diag d = {""};
	snprintf(text, sizeof text,
	    "{\"model\":1,\"framework\":\"onnx\",\"seed\":1,\"index\":0,\"values\":7,\"inputs\":[{\"id\":0,\"shape\":[3],\"dtype\":\"%s\",\"range\":%s}],"
	    "\"nodes\":[{\"op\":\"onnx.Abs-0\",\"api\":\"onnx.Abs\",\"args\":[{\"name\":\"X\",\"pos\":true,\"value\":{\"ref\":0}}],"
	    "\"outputs\":[{\"id\":1,\"shape\":[3],\"dtype\":\"%s\"}]}],\"outputs\":[1]}", dtype, range, dtype);
	return graph_read_json(g, text, "model", 1, NULL, &d);
}

static void fractions_in_files(void **state)
{
	(void)state;
	graph g, again;
	diag d = {""};
	assert_true(graph_init(&g) && graph_init(&again));
	assert_true(reads(&g, "float32", "[3,4,16]"));
	assert_int_equal(g.tensors[0].divisor, 16);
	char *text = rs_graph_json(&g);
	assert_true(graph_read_json(&again, text, "model", 1, NULL, &d) && graph_hash(&again) == graph_hash(&g));
	again.tensors[0].divisor = 8;
	assert_true(graph_hash(&again) != graph_hash(&g));
	free(text);
	const char *bad[][2] = {{"int32", "[3,4,16]"}, {"float32", "[3,4,0]"}, {"float32", "[3,4,-1]"}, {"float32", "[3,4,16,1]"},
	    {"float32", "[3,4,4294967296]"}, {"float32", "[3,4,0.5]"}, {"float32", "[3]"}};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(reads(&g, bad[i][0], bad[i][1]));
	graph_destroy(&g), graph_destroy(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(placed_everywhere), cmocka_unit_test(weights_of_four_bits), cmocka_unit_test(four_bits_by_set), cmocka_unit_test(elements_keep_their_class),
	    cmocka_unit_test(a_share_of_models), cmocka_unit_test(with_dynamic_shapes), cmocka_unit_test(fractions), cmocka_unit_test(fractions_in_files)};
	return cmocka_run_group_tests_name("quantize", tests, NULL, NULL);
}
