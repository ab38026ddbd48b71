/* Shapes that a model computes: their elements, and the step that writes them into the calls again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "computed.h"
#include "models.h"
#include "reducer.h"
#include "shape_calls.h"
#include "small_model.h"
#include "written.h"

#define S(id, dtype, shape) "{\"id\":" #id ",\"shape\":" shape ",\"dtype\":\"" dtype "\"}"
#define ARG(name, pos, value) "{\"name\":\"" name "\",\"pos\":" pos ",\"value\":" value "}"
#define REF(name, id) ARG(name, "true", "{\"ref\":" #id "}")
#define NUMBERS(name, numbers) ARG(name, "true", "{\"elements\":" numbers ",\"dtype\":\"int64\"}")
#define CALL(op, args, out) "{\"op\":\"" op "\",\"api\":\"" op "\",\"args\":[" args "],\"outputs\":[" out "]}"

/* A model of one input, float32[4,6,5], and calls on integers; the last result is the output. */
static void read_calls(graph *g, const char *calls, unsigned last)
{
	char text[4000];
	snprintf(text, sizeof text,
	    "{\"model\":1,\"framework\":\"onnx\",\"seed\":1,\"index\":0,\"values\":7,\"inputs\":[" S(0, "float32", "[4,6,5]") "],\"nodes\":[%s],\"outputs\":[%u]}",
	    calls, last);
	read_model(g, text, &rs_rules);
}

/* The elements of the last result. */
static bool find(const char *calls, unsigned last, shape_values *v)
{
	graph g;
	assert_true(graph_init(&g));
	read_calls(&g, calls, last);
	const shape_instance i = {&g, 0};
	bool found = shape_values_of(&g, g.nodes[g.last].outputs, shapes_in(&i), v);
	graph_destroy(&g);
	return found;
}

static void expect(const char *calls, unsigned last, unsigned count, const int64_t *n)
{
	shape_values v;
	assert_true(find(calls, last, &v));
	assert_int_equal(v.count, count);
	assert_memory_equal(v.n, n, count * sizeof *n);
}

#define SHAPE CALL("onnx.Shape", REF("data", 0), S(1, "int64", "[3]"))
#define V(...) (const int64_t[]){__VA_ARGS__}

static void elements(void **state)
{
	(void)state;
	expect(SHAPE, 1, 3, V(4, 6, 5));
	expect(CALL("onnx.Shape", REF("data", 0) "," ARG("start", "false", "-2") "," ARG("end", "false", "9"), S(1, "int64", "[2]")), 1, 2, V(6, 5));
	expect(CALL("onnx.Shape", NUMBERS("data", "[7,8]"), S(1, "int64", "[1]")), 1, 1, V(2));
	expect(CALL("onnx.Size", REF("data", 0), S(1, "int64", "[]")), 1, 1, V(120));
	expect(SHAPE "," CALL("onnx.Gather_1", REF("data", 1) "," NUMBERS("indices", "[2,-3]"), S(2, "int64", "[2]")), 2, 2, V(5, 4));
	expect(SHAPE "," CALL("onnx.Slice_1", REF("data", 1) "," ARG("axes", "false", "[0]") "," ARG("starts", "false", "[1]") "," ARG("ends", "false", "[9]"),
	    S(2, "int64", "[2]")), 2, 2, V(6, 5));
	expect(SHAPE "," CALL("onnx.Slice", REF("data", 1) "," NUMBERS("starts", "[0]") "," NUMBERS("ends", "[3]") "," NUMBERS("axes", "[0]") ","
	    NUMBERS("steps", "[2]"), S(2, "int64", "[2]")), 2, 2, V(4, 5));
	expect(SHAPE "," CALL("onnx.Concat", ARG("inputs", "true", "[{\"ref\":1},{\"elements\":[-1],\"dtype\":\"int64\"}]") "," ARG("axis", "false", "0"),
	    S(2, "int64", "[4]")), 2, 4, V(4, 6, 5, -1));
	expect(SHAPE "," CALL("onnx.Sub", REF("A", 1) "," NUMBERS("B", "[1,2,3]"), S(2, "int64", "[3]")), 2, 3, V(3, 4, 2));
	expect(SHAPE "," CALL("onnx.Div", REF("A", 1) "," NUMBERS("B", "2"), S(2, "int64", "[3]")), 2, 3, V(2, 3, 2));
	expect(SHAPE "," CALL("onnx.Mod", REF("A", 1) "," NUMBERS("B", "4"), S(2, "int64", "[3]")), 2, 3, V(0, 2, 1));
	expect(SHAPE "," CALL("onnx.ReduceProd", REF("data", 1) "," ARG("keepdims", "false", "0"), S(2, "int64", "[]")), 2, 1, V(120));
	expect(SHAPE "," CALL("onnx.Cast", REF("input", 1) "," ARG("to", "false", "1"), S(2, "float32", "[3]")) ","
	    CALL("onnx.Div", REF("A", 2) "," ARG("B", "true", "{\"elements\":2,\"dtype\":\"float32\"}"), S(3, "float32", "[3]")) ","
	    CALL("onnx.Ceil", REF("X", 3), S(4, "float32", "[3]")) "," CALL("onnx.Cast", REF("input", 4) "," ARG("to", "false", "7"), S(5, "int64", "[3]")),
	    5, 3, V(2, 3, 3));
	expect(SHAPE "," CALL("onnx.Equal", REF("A", 1) "," NUMBERS("B", "6"), S(2, "bool", "[3]")) ","
	    CALL("onnx.Where", REF("condition", 2) "," NUMBERS("X", "[1,1,1]") "," REF("Y", 1), S(3, "int64", "[3]")), 3, 3, V(4, 1, 5));
}

/* Elements in which runtimes differ, that overflow, or of other operators. */
static void unknown_elements(void **state)
{
	(void)state;
	shape_values v;
	assert_false(find(SHAPE "," CALL("onnx.Div", REF("A", 1) "," NUMBERS("B", "[1,0,1]"), S(2, "int64", "[3]")), 2, &v));
	assert_false(find(SHAPE "," CALL("onnx.Sub", REF("A", 1) "," NUMBERS("B", "9"), S(2, "int64", "[3]")) ","
	    CALL("onnx.Div", REF("A", 2) "," NUMBERS("B", "2"), S(3, "int64", "[3]")), 3, &v));
	assert_false(find(SHAPE "," CALL("onnx.Mul", REF("A", 1) "," NUMBERS("B", "9223372036854775807"), S(2, "int64", "[3]")), 2, &v));
	assert_false(find(SHAPE "," CALL("onnx.Mul", REF("A", 1) "," NUMBERS("B", "1073741824"), S(2, "int64", "[3]")) ","
	    CALL("onnx.Cast", REF("input", 2) "," ARG("to", "false", "6"), S(3, "int32", "[3]")), 3, &v));
	assert_false(find(SHAPE "," CALL("onnx.Gather", REF("data", 1) "," NUMBERS("indices", "3"), S(2, "int64", "[]")), 2, &v));
	assert_false(find(SHAPE "," CALL("onnx.Neg", REF("X", 1), S(2, "int64", "[3]")), 2, &v));
}

static const rs_table *onnx(void)
{
	return rs_library_table(&rs_rules, "onnx");
}

static unsigned count_api(const graph *g, const char *api)
{
	unsigned n = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		n += strcmp(g->nodes[i].op->api, api) == 0;
	return n;
}

/* Whether a generated model has a call with computed arguments. */
static uint32_t find_computed(const graph *g)
{
	for (uint32_t i = g->last; i != GRAPH_NONE; i = g->nodes[i].previous)
		if (computed_rule(onnx(), g->nodes[i].op))
			return i;
	return GRAPH_NONE;
}

/* The rules hold for all calls with computed arguments in all shape instances. */
static void check_rules(const graph *g)
{
	int64_t symbols[300], out[300], *at;
	shape_instance i = {.g = g};
	for (uint32_t k = g->first; k != GRAPH_NONE; k = g->nodes[k].next) {
		const graph_node *n = &g->nodes[k];
		const rs_op *of = computed_rule(onnx(), n->op);
		for (i.assignment = 0; of && i.assignment < (g->assignments ? g->assignments : 1); i.assignment++) {
			assert_true(computed_symbols(g, n, of, shapes_in(&i), symbols) && rs_eval(of, symbols, out));
			at = out;
			for (unsigned o = 0; o < n->nout; at += g->tensors[n->outputs + o].rank, o++)
				assert_memory_equal(at, graph_shape_in(&g->tensors[n->outputs + o], i.assignment), g->tensors[n->outputs + o].rank * sizeof *at);
		}
	}
}

/* Each computed argument of generated models can be written; with all of them the call has its signature again. */
static void written(void **state)
{
	(void)state;
	rs_gen *gen = open_models(onnx(), (rs_gen_options){.features = {.shape_arithmetic = 1000}, .symbolic = 500, .opset_low = 7, .opset_high = 26});
	graph g, to;
	arena *ops = arena_new();
	unsigned calls = 0, inner = 0;
	assert_true(graph_init(&g) && graph_init(&to));
	for (uint64_t i = 0; i < 1500; i++) {
		assert_true(rs_gen_model(gen, 7, i, &g));
		for (uint32_t node = g.first; node != GRAPH_NONE; node = g.nodes[node].next)
			for (unsigned k = 0; k < g.nodes[node].nin; k++)
				if (reduce_written(&to, &g, node, k, onnx(), ops)) {
					check_model(&to);
					check_rules(&to);
					inner++;
				}
		for (uint32_t node; (node = find_computed(&g)) != GRAPH_NONE; calls++) {
			const rs_op *of = computed_rule(onnx(), g.nodes[node].op), *now = g.nodes[node].op;
			for (unsigned k = 0; k < g.nodes[node].nin && now != of;) {
				bool done = reduce_written(&to, &g, node, k, onnx(), ops);
				k += !done;
				if (!done)
					continue;
				check_model(&to);
				check_rules(&to);
				assert_true(graph_copy(&g, &to));
				for (node = g.last; strcmp(g.nodes[node].op->name, of->name) != 0;)
					node = g.nodes[node].previous;
				now = g.nodes[node].op;
			}
			if (now != of) /* its elements differ in the instances, and its rule rejects those of the first in another one */
				break;
			assert_int_equal(g.nodes[node].nin, of->nin);
		}
	}
	print_message("# %u calls, %u operands\n", calls, inner);
	assert_true(calls > 200 && inner > 1000);
	arena_free(ops);
	graph_destroy(&g), graph_destroy(&to);
	rs_gen_free(gen);
}

/* A failure that needs the call alone, or Shape alone. */
static bool alike(void *context, const graph *g)
{
	return count_api(g, context) > 0;
}

static bool goes_on(void *context)
{
	(void)context;
	return true;
}

static const char RESHAPE[] = SHAPE "," CALL("onnx.Gather", REF("data", 1) "," NUMBERS("indices", "0"), S(2, "int64", "[]")) ","
    CALL("onnx.Mul", REF("A", 2) "," NUMBERS("B", "2"), S(3, "int64", "[]")) ","
    CALL("onnx.Unsqueeze", REF("data", 3) "," NUMBERS("axes", "[0]"), S(4, "int64", "[1]")) ","
    CALL("onnx.Concat", ARG("inputs", "true", "[{\"ref\":4},{\"elements\":[-1],\"dtype\":\"int64\"}]") "," ARG("axis", "false", "0"), S(5, "int64", "[2]")) ","
    "{\"op\":\"onnx.Reshape-%u\",\"api\":\"onnx.Reshape\",\"args\":[" REF("data", 0) "," REF("shape", 5) "],\"outputs\":[" S(6, "float32", "[8,15]") "]}";

/* The name of the signature of Reshape from three to two dimensions. */
static unsigned reshape_number(void)
{
	const rs_table *t = onnx();
	for (uint32_t i = 0; i < t->nops; i++) {
		const rs_op *op = &t->ops[i];
		unsigned first;
		if (strcmp(op->api, "onnx.Reshape") == 0 && op->nargs == 2 && op->values[0].count == 3 && op->out_ranks[0] == 2
		    && computed_integers(op, 1, &first) == 2)
			return (unsigned)atoi(op->name + strlen("onnx.Reshape-"));
	}
	fail_msg("no signature of Reshape");
	return 0;
}

static unsigned reduced(const char *api, graph *g)
{
	char calls[3000];
	snprintf(calls, sizeof calls, RESHAPE, reshape_number());
	graph read; /* owns the signatures of its calls */
	assert_true(graph_init(&read));
	read_calls(&read, calls, 6);
	assert_true(graph_copy(g, &read));
	graph_number(g);
	arena *ops = arena_new();
	reducer r = {.best = g, .ops = ops, .table = onnx(), .alike = alike, .goes_on = goes_on, .context = (void *)(uintptr_t)api};
	assert_true(reducer_open(&r) && reducer_run(&r) && !r.failed);
	reducer_close(&r);
	unsigned nodes = g->live_nodes;
	assert_true(count_api(g, api) == 1);
	assert_true(strcmp(api, "onnx.Reshape") != 0 || g->nodes[g->first].op->valid); /* the table's signature */
	arena_free(ops);
	graph_destroy(&read);
	return nodes;
}

/* The inputs are. */
static bool is_small(const graph *g)
{
	for (uint32_t i = 0; i < g->ntensors; i++)
		for (unsigned k = 0; g->tensors[i].live && g->tensors[i].producer == GRAPH_NONE && k < g->tensors[i].rank; k++)
			if (g->tensors[i].shape[k] > 2)
				return false;
	return true;
}

/* Fails as long as Reshape takes a computed shape, and there is a Shape. */
static bool takes_computed(void *context, const graph *g)
{
	(void)context;
	const shape_instance instance = {.g = g};
	int64_t symbols[16];
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		const rs_op *of = computed_rule(onnx(), g->nodes[i].op);
		if (of && count_api(g, "onnx.Shape"))
			return computed_symbols(g, &g->nodes[i], of, shapes_in(&instance), symbols);
	}
	return false;
}

static void dimensions_shrink(void **state)
{
	(void)state;
	char calls[3000];
	graph read, g;
	snprintf(calls, sizeof calls, RESHAPE, reshape_number());
	assert_true(graph_init(&read) && graph_init(&g));
	read_calls(&read, calls, 6);
	assert_true(graph_copy(&g, &read));
	graph_number(&g);
	arena *ops = arena_new();
	reducer r = {.best = &g, .ops = ops, .table = onnx(), .alike = takes_computed, .goes_on = goes_on};
	assert_true(reducer_open(&r) && reducer_run(&r) && !r.failed);
	assert_true(is_small(&g));
	assert_in_range(g.live_nodes, 3, 5); /* Shape and Reshape, and calls that make a vector of two elements */
	reducer_close(&r);
	arena_free(ops);
	graph_destroy(&g), graph_destroy(&read);
}

static void reduces(void **state)
{
	(void)state;
	graph g;
	assert_true(graph_init(&g));
	assert_int_equal(reduced("onnx.Reshape", &g), 1);
	assert_int_equal(reduced("onnx.Shape", &g), 1);
	assert_int_equal(reduced("onnx.Concat", &g), 1);
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(elements), cmocka_unit_test(unknown_elements), cmocka_unit_test(written), cmocka_unit_test(reduces),
	    cmocka_unit_test(dimensions_shrink)};
	return cmocka_run_group_tests_name("written", tests, NULL, NULL);
}
