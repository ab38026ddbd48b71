#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "rng.h"
#include "gen_graph.h"
#include "metrics.h"

/* ---- graph-fuzz, Table I: Conv2d and Relu have one tensor input, Add two; NHWC */

#define IMAGE(from) {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 4, .first = from}
#define ONE_IMAGE (const uint8_t[]){4}

static const rs_op CONV2D = {.name = "x.Conv2d-0", .api = "x.Conv2d",
    .args = (const rs_arg[]){{"input", 0, 1}, {"kernel", 1, 0}, {"padding", 2, 0}},
    .values = (const rs_value[]){IMAGE(0), {.kind = RS_INT, .first = 4},
	{.kind = RS_CONST, .text = "'same'"}},
    .out_ranks = ONE_IMAGE, .nargs = 3, .nvalues = 3, .nsym = 5, .nin = 1, .nout = 1, .nodim = 4};
static const rs_op RELU = {.name = "x.Relu-0", .api = "x.Relu",
    .args = (const rs_arg[]){{"input", 0, 1}}, .values = (const rs_value[]){IMAGE(0)},
    .out_ranks = ONE_IMAGE, .nargs = 1, .nvalues = 1, .nsym = 4, .nin = 1, .nout = 1, .nodim = 4};
static const rs_op NEG = {.name = "x.Neg-0", .api = "x.Neg",
    .args = (const rs_arg[]){{"input", 0, 1}}, .values = (const rs_value[]){IMAGE(0)},
    .out_ranks = ONE_IMAGE, .nargs = 1, .nvalues = 1, .nsym = 4, .nin = 1, .nout = 1, .nodim = 4};
static const rs_op ADD = {.name = "x.Add-0", .api = "x.Add",
    .args = (const rs_arg[]){{"a", 0, 1}, {"b", 1, 1}},
    .values = (const rs_value[]){IMAGE(0), IMAGE(4)}, .out_ranks = ONE_IMAGE, .nargs = 2,
    .nvalues = 2, .nsym = 8, .nin = 2, .nout = 1, .nodim = 4, .sampler = RS_SAMPLER_DIRECT};

static const int64_t LARGE[] = {1, 8, 8, 3}, SMALL[] = {1, 4, 4, 3}, SCALAR[] = {1, 1, 1, 1};

/* A call whose symbols are the shapes of its inputs, then attributes; its output has the first shape. */
static uint32_t call(graph *g, const rs_op *op, const uint32_t *inputs, int64_t attribute)
{
	int64_t symbols[16];
	unsigned n = 0;
	for (unsigned i = 0; i < op->nin; i++)
		for (unsigned k = 0; k < g->tensors[inputs[i]].rank; k++)
			symbols[n++] = g->tensors[inputs[i]].shape[k];
	symbols[n] = attribute;
	graph_call c = {.op = op, .symbols = symbols, .inputs = inputs, .out = symbols,
	    .out_dtypes = (const uint8_t[]){RS_FLOAT32}};
	uint32_t node = graph_insert(g, &c, GRAPH_NONE);
	assert_int_not_equal(node, GRAPH_NONE);
	return g->nodes[node].outputs;
}

static uint32_t input(graph *g, const int64_t *shape)
{
	return graph_input(g, 4, shape, RS_FLOAT32);
}

static uint32_t conv(graph *g, uint32_t a)
{
	return call(g, &CONV2D, &a, 3);
}

static uint32_t relu(graph *g, uint32_t a)
{
	return call(g, &RELU, &a, 0);
}

static uint32_t add(graph *g, uint32_t a, uint32_t b)
{
	return call(g, &ADD, (const uint32_t[]){a, b}, 0);
}

/* Three networks with the coverage of those in Figure 3; the figure itself is a picture. */
static void network(graph *g, unsigned number)
{
	graph_reset(g);
	if (number == 0)
		add(g, relu(g, conv(g, input(g, LARGE))), input(g, LARGE));
	else if (number == 1)
		conv(g, add(g, input(g, SMALL), input(g, SMALL)));
	else
		add(g, relu(g, conv(g, input(g, LARGE))), input(g, SCALAR));
}

static metrics *table_one(void)
{
	metrics *m = metrics_new(&(metrics_options){.maxspc = 10, .out_low = 0, .out_high = 2});
	assert_non_null(m);
	assert_true(metrics_corpus_in(m, "x.Conv2d", 1));
	assert_true(metrics_corpus_in(m, "x.Relu", 1));
	assert_true(metrics_corpus_in(m, "x.Add", 2));
	return m;
}

static void add_networks(metrics *m)
{
	graph g;
	assert_true(graph_init(&g));
	for (unsigned i = 0; i < 3; i++) {
		network(&g, i);
		assert_true(metrics_add(m, &g));
	}
	graph_destroy(&g);
}

static void equals_row(metrics_coverage c, const double *percent)
{
	for (unsigned i = 0; i <= METRICS_OLC_PARTS; i++) {
		double share = i < METRICS_OLC_PARTS ? c.part[i] : c.olc;
		char got[32], want[32]; /* as the paper rounds */
		snprintf(got, sizeof got, "%.1f", 100 * share);
		snprintf(want, sizeof want, "%.1f", percent[i]);
		assert_string_equal(got, want);
	}
}

static void table_two_of_graph_fuzz(void **state)
{
	(void)state;
	static const double ROWS[][METRICS_OLC_PARTS + 1] = {{100, 100, 66.7, 33.3, 20, 64},
	    {100, 100, 33.3, 33.3, 10, 55.3}, {100, 100, 66.7, 33.3, 30, 66}};
	static const double ALL[] = {100, 100, 55.6, 33.3, 20, 61.8};
	metrics *m = table_one();
	add_networks(m);
	uint32_t n;
	const metrics_type *types = metrics_types(m, &n);
	assert_int_equal(n, 3);
	for (uint32_t i = 0; i < n; i++)
		equals_row(metrics_type_coverage(m, &types[i]), ROWS[i]);
	equals_row(metrics_get_coverage(m), ALL);
	metrics_free(m);
}

static void weighs(void **state)
{
	(void)state;
	metrics *m = metrics_new(&(metrics_options){.maxspc = 10, .weights = {0, 0, 1, 0, 3}});
	add_networks(m);
	uint32_t n;
	const metrics_type *types = metrics_types(m, &n);
	metrics_coverage c = metrics_type_coverage(m, &types[0]); /* Conv2d: 0 and 1 of 0 … 5 */
	assert_true(fabs(c.olc - (2.0 / 6 + 3 * 0.2) / 4) < 1e-12);
	metrics_free(m);
}

static void out_degrees_of_one_type(void **state)
{
	(void)state;
	metrics *m = table_one();
	assert_true(metrics_corpus_out(m, "x.Add", 1) && metrics_corpus_out(m, "x.Add", 1));
	add_networks(m);
	uint32_t n;
	const metrics_type *types = metrics_types(m, &n);
	assert_int_equal(types[2].out_possible, 1);
	assert_int_equal(types[2].out_seen, 1);
	assert_int_equal(types[2].out_all, 2);
	assert_int_equal(types[0].out_possible, 3);
	metrics_free(m);
}

static void outside_the_corpus(void **state)
{
	(void)state;
	metrics *m = metrics_new(NULL);
	assert_true(metrics_corpus(m, "x.Conv2d") && metrics_corpus(m, "x.Sub"));
	add_networks(m);
	assert_int_equal(metrics_corpus_size(m), 2);
	assert_int_equal(metrics_get_sums(m)->outside, 5);
	metrics_isra r = metrics_get_isra(m);
	assert_true(r.otc == 50 && r.sec == 0 && r.idc == 50);
	metrics_free(m);
}

/* ---- Isra's, compared with a count by hand and with a naive one */

static void isra_by_hand(void **state)
{
	(void)state;
	metrics *m = table_one();
	add_networks(m);
	const metrics_sums *s = metrics_get_sums(m);
	metrics_isra r = metrics_get_isra(m);
	assert_int_equal(s->models, 3);
	assert_int_equal(s->nodes, 8);
	assert_int_equal(s->edges, 5);		/* 2, 1, 2 */
	assert_int_equal(s->pairs, 5);
	assert_int_equal(s->triples, 2);	/* Conv2d → Relu → Add, twice */
	assert_int_equal(s->types, 8);
	assert_int_equal(s->vectors, 8);
	assert_true(r.otc == 100 && r.idc == 100);
	assert_true(fabs(r.odc - 5.0 / 3) < 1e-12);  /* {0,1}, {1}, {0,1} */
	assert_true(fabs(r.sec - 100.0 / 3) < 1e-9);
	assert_true(fabs(r.dec - 100.0 / 27) < 1e-9); /* of 3 * 3 * 3 */
	assert_true(fabs(r.spc - 2) < 1e-12);	     /* 2, 1, 3 */
	metrics_free(m);
}

/* Distinct texts, found by linear search. */
typedef struct texts {
	char **text;
	unsigned n;
} texts;

static void note(texts *t, const char *text)
{
	for (unsigned i = 0; i < t->n; i++)
		if (strcmp(t->text[i], text) == 0)
			return;
	t->text = realloc(t->text, (t->n + 1) * sizeof *t->text);
	t->text[t->n++] = strdup(text);
}

static unsigned forget(texts *t)
{
	unsigned n = t->n;
	for (unsigned i = 0; i < n; i++)
		free(t->text[i]);
	free(t->text);
	*t = (texts){0};
	return n;
}

enum { NOT, NOP, NTR, NSA, PER_MODEL, IDC = PER_MODEL, ODC, SEC, DEC, SPC, SLOW };

typedef struct slow {
	texts seen[SLOW];
	unsigned sums[PER_MODEL], edges;
} slow;

static void note_vector(slow *s, const graph *g, const graph_node *n)
{
	char text[256], *end = text;
	for (unsigned i = 0; i < n->op->nin; i++) {
		const int64_t *d = g->tensors[graph_node_input(g, n, i)].shape;
		end += sprintf(end, "[%d,%d,%d,%d]", (int)d[0], (int)d[1], (int)d[2], (int)d[3]);
	}
	if (n->op == &CONV2D)
		end += sprintf(end, "kernel=%d", (int)n->symbols[4]);
	note(&s->seen[NSA], text);
	sprintf(end, " %s", n->op->api);
	note(&s->seen[SPC], text);
}

static void note_edges(slow *s, const graph *g, const graph_node *n)
{
	char text[256];
	for (unsigned i = 0; i < n->op->nin; i++) {
		uint32_t p = g->tensors[graph_node_input(g, n, i)].producer;
		if (p == GRAPH_NONE)
			continue;
		const graph_node *b = &g->nodes[p];
		s->edges++;
		sprintf(text, "%s %s", b->op->api, n->op->api);
		note(&s->seen[NOP], text);
		note(&s->seen[SEC], text);
		for (unsigned k = 0; k < b->op->nin; k++) {
			uint32_t q = g->tensors[graph_node_input(g, b, k)].producer;
			if (q == GRAPH_NONE)
				continue;
			sprintf(text, "%s %s %s", g->nodes[q].op->api, b->op->api, n->op->api);
			note(&s->seen[NTR], text);
			note(&s->seen[DEC], text);
		}
	}
}

static void slow_add(slow *s, const graph *g)
{
	char text[64];
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		const graph_node *n = &g->nodes[i];
		note(&s->seen[NOT], n->op->api);
		sprintf(text, "%s %u", n->op->api, n->op->nin);
		note(&s->seen[IDC], text);
		sprintf(text, "%s %u", n->op->api, g->tensors[n->outputs].nuses);
		note(&s->seen[ODC], text);
		note_vector(s, g, n);
		note_edges(s, g, n);
	}
	for (unsigned i = 0; i < PER_MODEL; i++)
		s->sums[i] += forget(&s->seen[i]);
}

static void random_network(graph *g, rng *r, unsigned nodes)
{
	static const int64_t SHAPES[][4] = {{1, 8, 8, 3}, {1, 4, 4, 3}, {2, 4, 0, 3}, {2, 1, 1, 5}};
	graph_reset(g);
	for (unsigned i = 0; i < 2; i++)
		input(g, SHAPES[rng_below(r, 4)]);
	for (unsigned i = 0; i < nodes; i++) {
		static const rs_op *const OPS[] = {&CONV2D, &RELU, &NEG, &ADD};
		uint32_t inputs[] = {rng_below(r, g->ntensors), rng_below(r, g->ntensors)};
		call(g, OPS[rng_below(r, i % 2 ? 4 : 3)], inputs, rng_below(r, 3));
	}
}

static void equals_a_slow_count(void **state)
{
	(void)state;
	metrics *m = metrics_new(NULL);
	slow s = {0};
	graph g;
	assert_true(graph_init(&g));
	rng r = rng_seed(7);
	for (unsigned i = 0; i < 60; i++) {
		random_network(&g, &r, i == 50 ? 300 : rng_below(&r, 12));
		assert_true(metrics_add(m, &g));
		slow_add(&s, &g);
	}
	const metrics_sums *sums = metrics_get_sums(m);
	assert_int_equal(sums->types, s.sums[NOT]);
	assert_int_equal(sums->pairs, s.sums[NOP]);
	assert_int_equal(sums->triples, s.sums[NTR]);
	assert_int_equal(sums->vectors, s.sums[NSA]);
	assert_true(sums->typed_vectors > sums->vectors); /* Relu and Neg of the same shape */
	assert_int_equal(sums->edges, s.edges);
	uint32_t n, got[SLOW] = {0};
	const metrics_type *t = metrics_types(m, &n);
	assert_int_equal(n, 4);
	for (uint32_t i = 0; i < n; i++) {
		got[IDC] += t[i].in_all;
		got[ODC] += t[i].out_all;
		got[SEC] += t[i].successors;
		got[DEC] += t[i].doubles;
		got[SPC] += t[i].vectors;
	}
	for (unsigned i = PER_MODEL; i < SLOW; i++)
		assert_int_equal(got[i], forget(&s.seen[i]));
	metrics_free(m);
	graph_destroy(&g);
}

/* The strategy graph counts operator-level coverage with its own code. Its vectors distinguish operators of
 * an API and ignore constants, hence the tolerance. */
static void agrees_with_a_generator(void **state)
{
	(void)state;
	char message[256];
	const rs_table *t = rs_library_table(&rs_rules, "tensorflow");
	assert_non_null(t);
	rs_gen_options o = {.strategy = RS_GRAPH, .nodes_low = 1, .nodes_high = 15, .set = "graph50"};
	gen *x = rs_gen_new(t, &o, message, sizeof message);
	metrics *m = metrics_new(NULL);
	graph g;
	assert_true(x && m && graph_init(&g));
	for (uint32_t i = 0; i < x->index.nops; i++)
		assert_true(metrics_corpus_in(
		    m, x->index.ops[i].op->api, x->index.ops[i].op->nin));
	for (uint64_t i = 0; i < 60; i++)
		assert_true(rs_gen_model(x, 3, i, &g) && metrics_add(m, &g));
	olc_report r;
	assert_true(gen_graph_coverage(x, &r));
	metrics_coverage c = metrics_get_coverage(m);
	assert_true(fabs(c.part[METRICS_OTC] - r.otc) < 1e-6);
	assert_true(fabs(c.part[METRICS_IDC] - r.idc) < 1e-6);
	assert_true(fabs(c.part[METRICS_ODC] - r.odc) < 1e-6);
	assert_true(fabs(c.part[METRICS_SEC] - r.sec) < 1e-6 && r.sec > 0.05);
	assert_true(fabs(c.part[METRICS_SPC] - r.spc) < 0.01);
	graph_destroy(&g);
	metrics_free(m);
	rs_gen_free(x);
}

/* ---- shares, growth */

static void shares(void **state)
{
	(void)state;
	metrics *m = table_one();
	graph g;
	assert_true(graph_init(&g));
	const int64_t empty[] = {1, 0, 8, 3};
	uint32_t a = graph_input(&g, 4, empty, RS_INT64), b = relu(&g, a); /* out: float32 */
	add(&g, b, b);
	graph_remove_input(&g, input(&g, LARGE)); /* it no longer counts */
	assert_true(metrics_add(m, &g));
	const metrics_sums *s = metrics_get_sums(m);
	assert_int_equal(s->tensors, 3);
	assert_int_equal(s->inputs, 1);
	assert_int_equal(s->dtypes[RS_INT64].tensors, 1);
	assert_int_equal(s->dtypes[RS_INT64].nodes, 1);
	assert_int_equal(s->dtypes[RS_FLOAT32].tensors, 2);
	assert_int_equal(s->dtypes[RS_FLOAT32].nodes, 2);
	assert_int_equal(s->ranks[4].tensors, 3);
	assert_int_equal(s->zero.tensors, 3);
	assert_int_equal(s->one.nodes, 2);
	assert_int_equal(s->samplers[RS_SAMPLER_DIRECT], 1);
	assert_int_equal(s->samplers[RS_SAMPLER_RECORD], 1);
	uint32_t n;
	const metrics_type *t = metrics_types(m, &n);
	assert_int_equal(t[1].dtypes, 1u << RS_INT64 | 1u << RS_FLOAT32);
	assert_int_equal(t[2].dtypes, 1u << RS_FLOAT32);
	assert_true(t[1].zero && t[1].one && !t[0].zero);
	graph_destroy(&g);
	metrics_free(m);
}

static void grows(void **state)
{
	(void)state;
	metrics *m = table_one();
	metrics_point p[METRICS_POINTS];
	assert_int_equal(metrics_growth(m, p), 0);
	graph g;
	assert_true(graph_init(&g));
	for (unsigned i = 0; i < 1001; i++) {
		network(&g, i % 3);
		assert_true(metrics_add(m, &g));
	}
	uint32_t n = metrics_growth(m, p);
	assert_in_range(n, 20, METRICS_POINTS);
	assert_int_equal(p[0].models, 1);
	for (uint32_t i = 1; i < n; i++)
		assert_true(p[i].models > p[i - 1].models && p[i].isra.spc >= p[i - 1].isra.spc);
	for (uint32_t i = 1; i < n; i++) /* no gap in the curve */
		assert_true(p[i].models - p[i - 1].models <= 1 + p[i].models / 6);
	assert_int_equal(p[n - 1].models, 1001);
	assert_true(p[n - 1].olc == metrics_get_coverage(m).olc);
	graph_destroy(&g);
	metrics_free(m);
}

static void holds_many_types(void **state)
{
	(void)state;
	metrics *m = metrics_new(NULL);
	char name[32];
	for (unsigned i = 0; i < 6000; i++) {
		snprintf(name, sizeof name, "x.api%u", i % 3000);
		assert_true(metrics_corpus_in(m, name, i / 3000 + 1));
	}
	uint32_t n;
	const metrics_type *t = metrics_types(m, &n);
	assert_int_equal(n, 3000);
	assert_int_equal(metrics_corpus_size(m), 3000);
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof name, "x.api%u", i);
		assert_string_equal(t[i].api, name);
		assert_int_equal(t[i].in_possible, 2);
	}
	metrics_free(m);
}

static void nothing_counted(void **state)
{
	(void)state;
	metrics *m = metrics_new(NULL);
	metrics_isra r = metrics_get_isra(m);
	assert_true(r.otc == 0 && r.noo == 0 && metrics_get_coverage(m).olc == 0);
	graph g;
	assert_true(graph_init(&g));
	assert_true(metrics_add(m, &g)); /* a model without nodes */
	assert_int_equal(metrics_get_sums(m)->models, 1);
	assert_true(metrics_get_isra(m).noo == 0);
	graph_destroy(&g);
	metrics_free(m);
	metrics_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(table_two_of_graph_fuzz),
	    cmocka_unit_test(weighs),
	    cmocka_unit_test(out_degrees_of_one_type),
	    cmocka_unit_test(outside_the_corpus),
	    cmocka_unit_test(isra_by_hand),
	    cmocka_unit_test(equals_a_slow_count),
	    cmocka_unit_test(agrees_with_a_generator),
	    cmocka_unit_test(shares),
	    cmocka_unit_test(grows),
	    cmocka_unit_test(holds_many_types),
	    cmocka_unit_test(nothing_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
