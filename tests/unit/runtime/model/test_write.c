#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "rng.h"
#include "toy_table.h"
#include "python_literal.h"
#include "model_read.h"
#include "write_json.h"
#include "write_python.h"

static const rs_table *const TABLES[] = {&TOY_TABLE};
static const rs_library LIBRARY = {.abi = RS_ABI, .ntables = 1, .tables = TABLES};
static const uint8_t F32[] = {RS_FLOAT32, RS_FLOAT32};
static const uint8_t F64[] = {RS_FLOAT64};

static uint32_t insert(graph *g, int op, const int64_t *symbols, const uint32_t *inputs,
    const char *const *consts, const int64_t *out, const uint8_t *dtypes)
{
	graph_call call = {&TOY_OPS[op], symbols, inputs, consts, out, dtypes, NULL};
	uint32_t node = graph_insert(g, &call, GRAPH_NONE);
	assert_true(node != GRAPH_NONE);
	return g->nodes[node].outputs;
}

/* Each kind of value, a node with two outputs, a floats' choice, a removed tensor. */
static void build(graph *g)
{
	const int64_t shape[] = {5, 3}, column[] = {7};
	assert_true(graph_init(g));
	g->framework = "torch", g->seed = 1, g->index = 2, g->values = 3;
	uint32_t gone = graph_input(g, 1, column, RS_BOOL), a = graph_input(g, 2, shape, RS_FLOAT32);
	graph_remove_input(g, gone);
	uint32_t two = insert(g, TOY_SPLIT, (const int64_t[]){5, 3, 2}, &a, NULL,
	    (const int64_t[]){2, 3, 3, 3}, F32);
	insert(g, TOY_CAT, (const int64_t[]){2, 3, 3, 3}, (const uint32_t[]){two, two + 1}, NULL,
	    (const int64_t[]){5, 3}, F32);
	insert(g, TOY_SCALE, (const int64_t[]){2, 3}, &two, (const char *const[]){"0.5", "'mean'"},
	    (const int64_t[]){2, 3}, F64);
	insert(g, TOY_SCALE, (const int64_t[]){2, 3}, &two, NULL, (const int64_t[]){2, 3}, F64);
	graph_keep_unused(g);
	graph_number(g);
}

static const char JSON[]
    = "{\"model\":1,\"framework\":\"torch\",\"seed\":1,\"index\":2,\"values\":3,\"inputs\":["
      "{\"id\":0,\"shape\":[5,3],\"dtype\":\"float32\"}],\"nodes\":["
      "{\"op\":\"torch.split-0\",\"api\":\"torch.split\",\"args\":["
      "{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}},"
      "{\"name\":\"sizes\",\"pos\":true,\"value\":[2]}],\"outputs\":["
      "{\"id\":1,\"shape\":[2,3],\"dtype\":\"float32\"},{\"id\":2,\"shape\":[3,3],\"dtype\":\"float32\"}]},"
      "{\"op\":\"torch.cat-0\",\"api\":\"torch.cat\",\"args\":["
      "{\"name\":\"tensors\",\"pos\":true,\"value\":[{\"ref\":1},{\"ref\":2}]},"
      "{\"name\":\"dim\",\"pos\":false,\"value\":{\"const\":\"0\"}}],\"outputs\":["
      "{\"id\":3,\"shape\":[5,3],\"dtype\":\"float32\"}]},"
      "{\"op\":\"torch.Tensor.scale-0\",\"api\":\"torch.Tensor.scale\",\"args\":["
      "{\"name\":\"self\",\"pos\":true,\"value\":{\"ref\":1}},"
      "{\"name\":\"from\",\"pos\":false,\"value\":{\"const\":\"0.5\"}},"
      "{\"name\":\"mode\",\"pos\":false,\"value\":{\"const\":\"'mean'\"}}],\"outputs\":["
      "{\"id\":4,\"shape\":[2,3],\"dtype\":\"float64\"}]},"
      "{\"op\":\"torch.Tensor.scale-0\",\"api\":\"torch.Tensor.scale\",\"args\":["
      "{\"name\":\"self\",\"pos\":true,\"value\":{\"ref\":1}},"
      "{\"name\":\"from\",\"pos\":false,\"value\":{\"const\":\"inf\"}},"
      "{\"name\":\"mode\",\"pos\":false,\"value\":{\"const\":\"'mean'\"}}],\"outputs\":["
      "{\"id\":5,\"shape\":[2,3],\"dtype\":\"float64\"}]}],\"outputs\":[3,4,5]}";

static void json(void **state)
{
	(void)state;
	graph g;
	build(&g);
	char *text = rs_graph_json(&g);
	assert_string_equal(text, JSON);
	free(text);
	graph_destroy(&g);
}

static const char *const LINES[] = {"\"\"\"A model of 4 operator calls by rulefuzz ", "(torch, seed 1, index 2)",
    "    return [\n"
    "        make_input((5, 3), \"float32\", 3000009),  # t0\n"
    "    ]\n",
    "def model(t0):\n"
    "    [t1, t2] = flat(torch.split(t0, [2]))\n"
    "    [t3] = flat(torch.cat([t1, t2], dim=0))\n"
    "    [t4] = flat(t1.scale(**{\"from\": 0.5}, mode='mean'))\n"
    "    [t5] = flat(t1.scale(**{\"from\": float(\"inf\")}, mode='mean'))\n"
    "    return [t3, t4, t5]\n",
    "EXPECTED = [(\"t3\", (5, 3)), (\"t4\", (2, 3)), (\"t5\", (2, 3))]\n"};

static void python(void **state)
{
	(void)state;
	graph g;
	build(&g);
	char *text = rs_graph_python(&g);
	for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
		if (!strstr(text, LINES[i]))
			fail_msg("not in the script: %s", LINES[i]);
	free(text);
	graph_destroy(&g);
}

/* TensorFlow's names, a copy, an input's class and another's range. */
static void python_of_tensorflow(void **state)
{
	(void)state;
	static const rs_value values[] = {{.kind = RS_RANGED, .dtype = RS_INT64, .count = 1},
	    {.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1, .first = 3},
	    {.kind = RS_ELEMENTS, .dtype = RS_INT32}, {.kind = RS_INT, .first = 4}};
	static const rs_arg args[] = {{"indices", 0, 0}, {"x", 1, 0}, {"axis", 2, 0}};
	static const uint8_t ranks[] = {1};
	static const rs_op op = {.name = "tf.raw_ops.Take-0", .api = "tf.raw_ops.Take", .args = args, .values = values,
	    .nargs = 3, .nvalues = 4, .nsym = 5, .nin = 2, .nout = 1, .nodim = 1, .out_ranks = ranks,
	    .writes = 2};
	graph g;
	buf b = {0};
	assert_true(graph_init(&g));
	g.framework = "tensorflow", g.values = 1;
	uint32_t in[] = {graph_input(&g, 1, (const int64_t[]){2}, RS_INT64),
	    graph_input(&g, 1, (const int64_t[]){7}, RS_FLOAT32)};
	g.tensors[in[0]].low = -1, g.tensors[in[0]].high = 7;
	g.tensors[in[1]].values = RS_VALUES_UNIT;
	graph_call call = {&op, (const int64_t[]){2, -1, 7, 7, 0}, in, NULL, (const int64_t[]){2}, F32, NULL};
	assert_true(graph_insert(&g, &call, GRAPH_NONE) != GRAPH_NONE);
	graph_keep_unused(&g);
	graph_number(&g);
	assert_true(graph_has_python("tensorflow") && !graph_has_python("onnx"));
	graph_write_python(&g, &b);
	static const char *const lines[] = {"\"\"\"A model of 1 operator calls", "\nfrom __future__ import annotations\n",
	    "        make_input((2,), \"int64\", 1000003, span=(-1, 7)),  # t0\n"
	    "        make_input((7,), \"float32\", 1000004, kind=\"unit\"),  # t1\n",
	    "    [t2] = flat(tf.raw_ops.Take(indices=t0, x=tf.raw_ops.DeepCopy(x=t1), axis=tf.constant(0, dtype=tf.int32)))\n"};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strstr(b.text, lines[i]))
			fail_msg("not in the script: %s", lines[i]);
	buf_free(&b);
	graph_destroy(&g);
}

/* An input that is not fed. */
static void constants(void **state)
{
	(void)state;
	graph g;
	diag d = {""};
	char line[sizeof JSON + 32];
	build(&g);
	uint64_t before = graph_hash(&g);
	g.tensors[1].constant = true;
	assert_true(graph_hash(&g) != before);
	char *text = rs_graph_json(&g), *script = rs_graph_python(&g);
	assert_non_null(strstr(text, "{\"id\":0,\"shape\":[5,3],\"dtype\":\"float32\",\"constant\":true}"));
	assert_non_null(strstr(script, "    return [\n    ]\n"));
	assert_non_null(strstr(script, "\n\nt0 = make_input((5, 3), \"float32\", 3000009)\n"));
	assert_non_null(strstr(script, "def model():\n"));
	assert_true(strlen(text) < sizeof line);
	strcpy(line, text);
	assert_true(graph_read_json(&g, line, "m.json", 1, &LIBRARY, &d) && g.tensors[0].constant);
	memcpy(strstr(line, "true}],\"nodes"), "null", 4);
	assert_false(graph_read_json(&g, line, "m.json", 1, &LIBRARY, &d));
	assert_string_equal(d.text, "m.json:1: error: key \"constant\": expected true or false");
	free(text), free(script);
	graph_destroy(&g);
}

/* With the library the operators are the library's; without it they are made from the line. */
static void reads_back(void **state)
{
	(void)state;
	for (int with = 0; with < 2; with++) {
		graph g;
		diag d = {""};
		assert_true(graph_init(&g));
		if (!graph_read_json(&g, JSON, "m.json", 1, with ? &LIBRARY : NULL, &d))
			fail_msg("%s", d.text);
		assert_true(graph_check(&g, &d));
		assert_int_equal(g.nodes[0].op == &TOY_OPS[TOY_SPLIT], with);
		char *text = rs_graph_json(&g);
		assert_string_equal(text, JSON);
		free(text);
		graph built;
		build(&built);
		assert_true(graph_hash(&built) == graph_hash(&g));
		graph_destroy(&built);
		graph_destroy(&g);
	}
}

/* An operator whose arguments changed does not match the library's. */
static void reads_another_version(void **state)
{
	(void)state;
	graph g;
	diag d;
	char line[sizeof JSON];
	strcpy(line, JSON);
	memcpy(strstr(line, "sizes"), "sized", 5);
	assert_true(graph_init(&g));
	assert_true(graph_read_json(&g, line, "m.json", 1, &LIBRARY, &d));
	assert_ptr_not_equal(g.nodes[0].op, &TOY_OPS[TOY_SPLIT]);
	assert_ptr_equal(g.nodes[1].op, &TOY_OPS[TOY_CAT]);
	graph_destroy(&g);
}

static void refuse(const char *from, const char *to, const char *why)
{
	graph g;
	diag d = {""};
	char *line = malloc(sizeof JSON + strlen(to)), *at;
	strcpy(line, JSON);
	at = strstr(line, from);
	assert_non_null(at);
	memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
	memcpy(at, to, strlen(to));
	assert_true(graph_init(&g));
	assert_false(graph_read_json(&g, line, "m.json", 7, &LIBRARY, &d));
	if (strncmp(d.text, "m.json:7: error: ", 17) != 0 || !strstr(d.text, why))
		fail_msg("'%s' does not contain '%s'", d.text, why);
	assert_int_equal(g.live_nodes, 0);
	graph_destroy(&g);
	free(line);
}

static void bad_models(void **state)
{
	(void)state;
	refuse(",\"outputs\":[3,4,5]}", "", "not JSON");
	refuse("\"model\":1,", "", "key \"model\" is missing");
	refuse("\"model\":1,", "\"model\":2,", "model format 2");
	refuse("\"seed\":1", "\"seed\":\"x\"", "key \"seed\"");
	refuse("[5,3]", "[5,-3]", "key \"shape\"");
	refuse("[5,3]", "[5,3.5]", "key \"shape\"");
	refuse("\"dtype\":\"float32\"", "\"dtype\":\"string\"", "key \"dtype\"");
	refuse("{\"id\":1,", "{\"id\":9,", "expected 1");
	refuse("{\"ref\":0}", "{\"ref\":1}", "earlier tensor");
	refuse("{\"ref\":0}", "{\"ref\":-1}", "earlier tensor");
	refuse("{\"ref\":0}", "{\"raf\":0}", "key \"value\"");
	refuse("\"value\":[2]", "\"value\":2.5", "key \"value\"");
	refuse("\"api\":\"torch.split\"", "\"api\":\"os.system\"", "dotted name of torch");
	refuse("\"api\":\"torch.split\"", "\"api\":\"torch.x(1)\"", "dotted name of torch");
	refuse("\"name\":\"sizes\"", "\"name\":\"a b\"", "not an identifier");
	refuse("\"const\":\"0\"", "\"const\":\"f()\"", "not a plain Python literal");
	refuse("\"framework\":\"torch\"", "\"framework\":\"a;b\"", "not an identifier");
	refuse("\"outputs\":[3,4,5]", "\"outputs\":[0]", "ids of nodes' outputs");
	refuse("\"outputs\":[3,4,5]", "\"outputs\":[3],\"dims\":[]", "names with their sizes");
	refuse("\"outputs\":[3,4,5]", "\"outputs\":[3],\"dims\":{\"a\":[2]}", "as many sizes");
	refuse("\"outputs\":[3,4,5]", "\"outputs\":[3],\"dims\":{\"a\":[2,3],\"b\":[2,3,4]}", "as many sizes");
	refuse("\"outputs\":[3,4,5]", "\"outputs\":[3],\"dims\":{\"a\":[2,-3]}", "whole numbers");
	refuse("\"outputs\":[3,4,5]", "\"outputs\":[3],\"dims\":{\"a b\":[2,3]}", "not an identifier");
	refuse("\"shape\":[5,3]", "\"shape\":[5,3],\"dims\":[null,null]", "key \"dims\"");
	refuse("\"shape\":[5,3]", "\"shape\":[5,3],\"also\":[[5,3]]", "key \"also\"");
	refuse("\"pos\":true", "\"pos\":false", "positional behind a named one");
}

/* Damaged models are rejected with a message, or are valid models. */
static void damaged_models(void **state)
{
	(void)state;
	graph g;
	rng r = rng_seed(1);
	char line[sizeof JSON];
	static const char bytes[] = "0123456789-.{}[]\",:eE\\ truefalsnid";
	assert_true(graph_init(&g));
	for (int i = 0; i < 30000; i++) {
		diag d = {""};
		strcpy(line, JSON);
		for (uint32_t n = 1 + rng_below(&r, 3); n; n--)
			line[rng_below(&r, sizeof JSON - 1)] = bytes[rng_below(&r, sizeof bytes - 1)];
		if (!graph_read_json(&g, line, "m.json", 7, &LIBRARY, &d)) {
			if (strncmp(d.text, "m.json:7: error: ", 17) != 0)
				fail_msg("'%s'", d.text);
			continue;
		}
		char *json = rs_graph_json(&g), *script = rs_graph_python(&g);
		assert_true(graph_hash(&g) != 0);
		free(json), free(script);
	}
	graph_destroy(&g);
}

static void literals(void **state)
{
	(void)state;
	static const char *const good[] = {"None", "True", "False", "0", "-1", "1.5", "1e-05", "-1.5E+3", "2j",
	    "(1+2j)", "(-0.5-1e-3j)", "inf", "-inf", "nan", "'mean'", "\"it's\"", "torch.float32",
	    "tf.int32", "(1, 2)", "(1,)", "[]", "[None, ('a', [1.0])]", "()"};
	static const char *const bad[] = {"", " ", "none", "f()", "torch", "torch.", "torch.a.b", "os.x",
	    "torch.f()", "'a", "'a\\'", "'a\nb'", "'\x80'", "1 2", "1;2", "01", "1__", "[1", "(1, 2))", "{}",
	    "{'a': 1}", "lambda: 0", "__import__", "1 if 2 else 3", "infinity", "ind", "naf", "nan0", "[1 2]", "-True",
	    "b'a'", "#", "np.str_('U')", "[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]"};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (!literal_safe(good[i]))
			fail_msg("rejected: %s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (literal_safe(bad[i]))
			fail_msg("accepted: %s", bad[i]);
	buf b = {0};
	literal_python("[-inf, 'nan', (nan,), 1]", &b);
	assert_string_equal(b.text, "[float(\"-inf\"), 'nan', (float(\"nan\"),), 1]");
	buf_free(&b);
}

/* Lists of numbers are tuples in JAX; lists of tensors are not. */
static void python_of_jax(void **state)
{
	(void)state;
	graph g;
	build(&g);
	g.framework = "jax";
	buf python = {0};
	graph_write_python(&g, &python);
	assert_non_null(strstr(python.text, "torch.split(t0, (2,))"));
	assert_non_null(strstr(python.text, "torch.cat([t1, t2], dim=0)"));
	buf_free(&python);
	graph_destroy(&g);
}

static void identifiers(void **state)
{
	(void)state;
	assert_true(identifier_safe("_a1", false));
	assert_true(identifier_safe("a.b._c", true));
	assert_false(identifier_safe("a.b", false));
	assert_false(identifier_safe("", false));
	assert_false(identifier_safe("1a", false));
	assert_false(identifier_safe("a..b", true));
	assert_false(identifier_safe("a.", true));
	assert_false(identifier_safe("a b", true));
}

/* x.fill_(elements): the call changes its tensor, and accepts a tensor of given integers. */
static void test_copies_and_elements(void **state)
{
	(void)state;
	const rs_op FILL = {.name = "torch.Tensor.fill_-0", .api = "torch.Tensor.fill_", .rule = "4",
	    .valid = toy_always, .propagate = toy_same,
	    .args = (const rs_arg[]){{"self", 0, 1}, {"with", 1, 1}},
	    .values = (const rs_value[]){TOY_ONE, {.kind = RS_ELEMENTS, .dtype = RS_INT32, .count = 1},
		{.kind = RS_LIST, .count = 2}, {.kind = RS_INT, .first = 2}, {.kind = RS_CONST, .text = "-1"}},
	    .out_ranks = TOY_RANKS, .nargs = 2, .nvalues = 5, .nsym = 3, .nin = 1, .nout = 1, .nodim = 2, .writes = 1};
	const int64_t symbols[] = {5, 3, 7};
	graph g;
	assert_true(graph_init(&g));
	g.framework = "torch";
	uint32_t a = graph_input(&g, 2, symbols, RS_FLOAT32);
	graph_call call = {&FILL, symbols, &a, NULL, symbols, F32, NULL};
	assert_true(graph_insert(&g, &call, GRAPH_NONE) != GRAPH_NONE);
	graph_keep_unused(&g);
	graph_number(&g);
	buf json = {0}, python = {0};
	graph_write_json(&g, &json);
	graph_write_python(&g, &python);
	assert_non_null(strstr(json.text, "{\"ref\":0,\"copy\":true}"));
	assert_non_null(strstr(json.text, "{\"elements\":[7,{\"const\":\"-1\"}],\"dtype\":\"int32\"}"));
	assert_non_null(strstr(python.text, "t0.clone(memory_format=torch.contiguous_format).fill_(torch.tensor([7, -1], dtype=torch.int32))"));
	buf_free(&json);
	buf_free(&python);
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies_and_elements), cmocka_unit_test(json), cmocka_unit_test(python), cmocka_unit_test(python_of_tensorflow), cmocka_unit_test(python_of_jax),
	    cmocka_unit_test(reads_back), cmocka_unit_test(constants), cmocka_unit_test(reads_another_version),
	    cmocka_unit_test(bad_models), cmocka_unit_test(damaged_models), cmocka_unit_test(literals), cmocka_unit_test(identifiers)};
	return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
