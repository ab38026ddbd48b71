/* Shape arithmetic: the elements that the inserted calls compute are those that the rules were asked for, in all operator sets
 * and shape instances. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bodies.h"
#include "computed.h"
#include "framework.h"
#include "model_read.h"
#include "models.h"
#include "op_versions.h"
#include "rulesmith.h"
#include "shape_calls.h"
#include "write_onnx.h"

enum { MODELS = 3000, SEED = 5, WIDTH = 300 };

static const rs_table *onnx(void)
{
	return rs_library_table(&rs_rules, "onnx");
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static rs_gen *open_onnx(uint32_t share, uint32_t symbolic, uint32_t from, uint32_t to)
{
	return open_models(onnx(), (rs_gen_options){.features = {.shape_arithmetic = share}, .symbolic = symbolic, .opset_low = from,
		.opset_high = to, .sizes = RS_SIZES_MIXED});
}

typedef struct counts {
	unsigned calls, computed, other, varying, constant; /* inserted; with a computed argument; with other elements in an instance */
	unsigned operators[SHAPE_OPS];
} counts;

/* Whether the rule of a call with computed arguments accepts it, and predicts its shapes. */
static void check_computed(const graph *g, const graph_node *n, const rs_op *of, unsigned instance)
{
	int64_t symbols[WIDTH], out[WIDTH], *at = out;
	const shape_instance i = {g, instance};
	assert_true(of->nsym < WIDTH && of->nodim < WIDTH);
	assert_true(computed_symbols(g, n, of, shapes_in(&i), symbols));
	assert_true(rs_eval(of, symbols, out));
	for (unsigned k = 0; k < n->nout; at += g->tensors[n->outputs + k].rank, k++) {
		const graph_tensor *t = &g->tensors[n->outputs + k];
		assert_memory_equal(at, graph_shape_in(t, instance), t->rank * sizeof *at);
	}
}

/* The elements of an inserted call are known in all instances. */
static void check_inserted(const graph *g, const graph_node *n, counts *c)
{
	shape_values first, v;
	shape_instance i = {g, 0};
	const graph_tensor *t = &g->tensors[n->outputs];
	assert_true(shape_values_of(g, n->outputs, shapes_in(&i), &first));
	assert_int_equal(first.count, t->numel);
	bool same = true;
	for (i.assignment = 1; i.assignment < g->assignments; i.assignment++) {
		assert_true(shape_values_of(g, n->outputs, shapes_in(&i), &v) && v.count == first.count);
		same &= shape_values_equal(&v, &first);
	}
	c->calls++;
	c->varying += !same;
}

static const char *const NAMES[SHAPE_OPS] = {"Shape", "Size", "Gather", "Slice", "Unsqueeze", "Squeeze", "Reshape", "Concat", "Add", "Sub",
    "Mul", "Div", "Mod", "Min", "Max", "ReduceProd", "Cast", "Where", "Equal", "ConstantOfShape", "", "", "Floor", "Ceil"};

static void count_operator(const graph_node *n, counts *c)
{
	const char *name = n->op->api + strlen("onnx.");
	for (int i = 0; i < SHAPE_OPS; i++)
		c->operators[i] += strncmp(name, NAMES[i], op_name_length(name)) == 0 && strlen(NAMES[i]) == op_name_length(name);
}

static void check_shapes(const graph *g, counts *c)
{
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		const graph_node *n = &g->nodes[i];
		if (shape_is_made(n->op)) {
			check_inserted(g, n, c);
			count_operator(n, c);
			continue;
		}
		const rs_op *of = computed_rule(onnx(), n->op);
		for (unsigned k = 0; of && k < (g->assignments ? g->assignments : 1); k++)
			check_computed(g, n, of, k);
		c->computed += of != NULL;
	}
}

/* A model read from its line is the same, and its calls are of the signatures they were made from. */
static void check_line(const graph *g, graph *again)
{
	diag d = {""};
	char *text = rs_graph_json(g);
	if (!graph_read_json(again, text, "model", 1, &rs_rules, &d))
		fail_msg("%s", d.text);
	assert_true(graph_hash(again) == graph_hash(g));
	uint32_t i = g->first, k = again->first;
	for (; i != GRAPH_NONE; i = g->nodes[i].next, k = again->nodes[k].next)
		assert_ptr_equal(computed_rule(onnx(), g->nodes[i].op), computed_rule(onnx(), again->nodes[k].op));
	free(text);
}

static void check_file(const graph *g, arena *scratch)
{
	buf out = {0};
	diag d = {""};
	if (!graph_write_onnx(g, scratch, &out, &d))
		fail_msg("model %u: %s", (unsigned)g->index, d.text);
	buf_free(&out);
}

static counts check_models(rs_gen *gen, unsigned models)
{
	rs_graph *g = rs_graph_new(), *again = rs_graph_new();
	arena *scratch = arena_new();
	counts c = {0};
	for (uint64_t i = 0; i < models; i++) {
		assert_true(rs_gen_model(gen, SEED, i, g));
		check_model(g);
		check_shapes(g, &c);
		check_line(g, again);
		check_file(g, scratch);
	}
	arena_free(scratch);
	rs_graph_free(g), rs_graph_free(again);
	rs_gen_free(gen);
	return c;
}

static void the_newest_set(void **state)
{
	(void)state;
	counts c = check_models(open_onnx(1000, 0, 0, 0), MODELS);
	print_message("# %u calls for %u shapes\n", c.calls, c.computed);
	assert_true(c.computed > MODELS / 8 && c.calls > 4 * c.computed);
	for (int i = 0; i < SHAPE_OPS; i++)
		assert_true(c.operators[i] > 0 || i == SHAPE_SCALE || i == SHAPE_RATIO); /* these are Mul and Div, too */
}

static bool has_axes(const rs_op *op, const char *name)
{
	(void)name;
	return graph_argument(op, "axes") || graph_argument(op, "start");
}

static bool is_version(const rs_op *op, const char *name)
{
	return framework_is_version("onnx", op->api, name);
}

/* Generates models for a target that rejects some signatures. */
static rs_gen *open_without(bool (*is)(const rs_op *, const char *), const char *name, rs_gen_options o)
{
	enum { HASHES = 20000 };
	uint64_t *without = malloc(HASHES * sizeof *without);
	for (uint32_t i = 0; i < onnx()->nops; i++) {
		const rs_op *op = &onnx()->ops[i];
		for (unsigned k = 0; is(op, name) && k < op->ndtypes && o.nwithout < HASHES; k++)
			without[o.nwithout++] = rs_call_hash(op, op->dtypes + (size_t)k * (op->nin + op->nout));
	}
	assert_in_range(o.nwithout, 1, HASHES - 1);
	qsort(without, o.nwithout, sizeof *without, by_number);
	o.without = without;
	rs_gen *gen = open_models(onnx(), o);
	free(without);
	return gen;
}

/* A target that rejects Slice, Squeeze and Unsqueeze with axes, and Shape with a range: the calls are nevertheless those of the
 * operator set. */
static void excluded_signatures(void **state)
{
	(void)state;
	unsigned vectors = 0;
	rs_gen *gen = open_without(has_axes, "", (rs_gen_options){.features = {.shape_arithmetic = 1000}});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS / 3; i++) {
		assert_true(rs_gen_model(gen, SEED, i, g));
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next) {
			const rs_op *op = g->nodes[k].op;
			for (unsigned a = 0; shape_is_made(op) && a < op->nargs; a++)
				if (strcmp(op->args[a].name, "axes") == 0) {
					assert_true(op->args[a].by_position);
					vectors++;
				}
		}
	}
	assert_true(vectors > 50);
	rs_graph_free(g);
	rs_gen_free(gen);
}

/* Generates models for a target that rejects all versions of an operator. shape_insert asserts that none is made. */
static void generate_without(const char *name)
{
	rs_gen *gen = open_without(is_version, name,
	    (rs_gen_options){.features = {.shape_arithmetic = 1000, .quantized = 300}, .opset_low = 13, .opset_high = 26});
	rs_graph *g = rs_graph_new();
	for (uint64_t i = 0; i < MODELS / 3; i++)
		assert_true(rs_gen_model(gen, SEED, i, g));
	rs_graph_free(g);
	rs_gen_free(gen);
}

static void any_operator_may_be_missing(void **state)
{
	(void)state;
	for (int i = 0; i < SHAPE_OPS; i++)
		if (*NAMES[i])
			generate_without(NAMES[i]);
	generate_without("QuantizeLinear");
	generate_without("DequantizeLinear");
}

static void all_sets(void **state)
{
	(void)state;
	counts c = check_models(open_onnx(1000, 300, 7, 26), MODELS);
	print_message("# %u calls for %u shapes\n", c.calls, c.computed);
	assert_true(c.computed > MODELS / 12);
	for (uint32_t set = 7; set < 26; set++)
		assert_true(check_models(open_onnx(1000, 0, set, set), 60).calls > 0);
}

static void dynamic_shapes(void **state)
{
	(void)state;
	rs_gen *with = open_onnx(1000, 1000, 0, 0), *none = open_onnx(0, 1000, 0, 0);
	rs_graph *g = rs_graph_new();
	unsigned vary = 0, vary_without = 0;
	for (uint64_t i = 0; i < MODELS / 3; i++) {
		assert_true(rs_gen_model(with, SEED, i, g));
		vary += g->assignments > 1;
		assert_true(rs_gen_model(none, SEED, i, g));
		vary_without += g->assignments > 1;
	}
	rs_graph_free(g);
	rs_gen_free(none);
	counts c = check_models(with, MODELS);
	print_message("# %u of %u models vary, %u without; %u of %u calls return other elements\n", vary, MODELS / 3, vary_without, c.varying, c.calls);
	assert_true(vary > vary_without * 9 / 10);
	assert_true(c.varying > c.calls / 5);
}

/* Nothing changes with a share of 0, and without the operators. */
static void a_share_of_models(void **state)
{
	(void)state;
	rs_gen *none = open_onnx(0, 0, 0, 0), *half = open_onnx(500, 0, 0, 0);
	rs_gen *lacks = open_models(onnx(), (rs_gen_options){.features = {.shape_arithmetic = 1000}, .api = "onnx.Reshape", .no_chains = true});
	rs_graph *g = rs_graph_new();
	counts c = {0}, d = {0}, e = {0};
	for (uint64_t i = 0; i < 500; i++) {
		assert_true(rs_gen_model(none, SEED, i, g));
		check_shapes(g, &c);
		assert_true(rs_gen_model(half, SEED, i, g));
		check_shapes(g, &d);
		assert_true(rs_gen_model(lacks, SEED, i, g));
		check_shapes(g, &e);
	}
	assert_int_equal(c.calls + c.computed, 0);
	assert_int_equal(e.calls + e.computed, 0);
	assert_in_range(d.computed, 30, 200);
	rs_graph_free(g);
	rs_gen_free(none), rs_gen_free(half), rs_gen_free(lacks);
}

/* Loops change the floats that they carry, so a loop takes none that a shape is computed from. Branches may. */
static void loops_take_no_part_of_a_shape(void **state)
{
	(void)state;
	rs_gen *gen = open_models(onnx(), (rs_gen_options){.features = {.shape_arithmetic = 1000, .subgraphs = 1000}, .nodes_low = 8, .nodes_high = 12});
	rs_graph *g = rs_graph_new();
	unsigned loops = 0, taken = 0;
	for (uint64_t i = 0; i < MODELS; i++) {
		assert_true(rs_gen_model(gen, SEED, i, g));
		for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next) {
			const graph_node *n = &g->nodes[k];
			for (unsigned at = 0; n->subgraph && at < n->nin; at++) {
				const graph_tensor *t = &g->tensors[graph_node_input(g, n, at)];
				uint32_t by = t->producer;
				bool loop = g->bodies[n->subgraph - 1].kind == BODY_LOOP;
				loops += loop;
				bool outside = by != GRAPH_NONE && !body_has(g, n->subgraph - 1, by) && shape_is_made(g->nodes[by].op) && t->dtype > RS_INT64;
				taken += outside && !loop;
				assert_false(outside && loop);
			}
		}
	}
	print_message("# %u operands in loops; branches take %u floats of shapes\n", loops, taken);
	assert_true(loops > 1000 && taken > 0);
	rs_graph_free(g);
	rs_gen_free(gen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_newest_set), cmocka_unit_test(excluded_signatures),
	    cmocka_unit_test(any_operator_may_be_missing), cmocka_unit_test(all_sets), cmocka_unit_test(dynamic_shapes),
	    cmocka_unit_test(a_share_of_models), cmocka_unit_test(loops_take_no_part_of_a_shape)};
	return cmocka_run_group_tests_name("shape_arithmetic", tests, NULL, NULL);
}
