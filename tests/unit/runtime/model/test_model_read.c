/* Lines that are no model, each with one fault: rejected with the position, and nothing of them is kept. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "buf.h"
#include "model_read.h"
#include "sessions.h"
#include "settings.h"
#include "toy_table.h"
#include "write_json.h"

#define TENSOR(id, more) "{\"id\":" #id ",\"shape\":[2],\"dtype\":\"float32\"" more "}"
#define REF "{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":0}}"
#define HEAD "\"model\":1,\"framework\":\"t\",\"seed\":1,\"index\":2,\"values\":3"
#define CALL(args, outputs) "{\"op\":\"t.a-0\",\"api\":\"t.a\",\"args\":[" args "],\"outputs\":[" outputs "]}"
#define VALUE(value) CALL("{\"name\":\"x\",\"pos\":true,\"value\":" value "}", TENSOR(1, ""))
#define MODEL(head, inputs, nodes, outputs) "{" head ",\"inputs\":[" inputs "],\"nodes\":[" nodes "],\"outputs\":[" outputs "]}"
#define OF_INPUT(input) MODEL(HEAD, input, VALUE("{\"ref\":0}"), "1")
#define OF_NODE(node) MODEL(HEAD, TENSOR(0, ""), node, "1")

#define NINE                                                                                                           \
	"\"a\":\"1\",\"b\":\"1\",\"c\":\"1\",\"d\":\"1\",\"e\":\"1\",\"f\":\"1\",\"g\":\"1\",\"h\":\"1\",\"i\":\"1\""

#define INVALID ",\"near_miss\":true"
#define CHANGED(more, change) MODEL(HEAD more ",\"change\":" change, TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1")

static const char GOOD[] = MODEL(HEAD, TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1");

static const char *const CASES[][2] = {
    {"{", "not JSON"},
    {"[]", "\"model\" is missing"},
    {MODEL("\"model\":2", "", "", ""), "model format 2; expected 1"},
    {MODEL("\"model\":1", "", "", ""), "framework"},
    {MODEL("\"model\":1,\"framework\":\"a b\"", "", "", ""), "'a b' is not an identifier"},
    {MODEL("\"model\":1,\"framework\":\"t\",\"gradients\":1", "", "", ""), "\"gradients\": expected true or false"},
    {MODEL("\"model\":1,\"framework\":\"t\",\"seed\":-1", "", "", ""), "\"seed\": expected a whole number"},
    {MODEL("\"model\":1,\"framework\":\"t\",\"index\":-1", "", "", ""), "\"index\": expected a whole number"},
    {MODEL("\"model\":1,\"framework\":\"t\",\"values\":\"x\"", "", "", ""), "\"values\": expected a whole number"},
    {MODEL("\"model\":1,\"framework\":\"t\",\"opset\":13", "", "", ""), "\"opset\": models of t have no operator set"},
    {MODEL("\"model\":1,\"framework\":\"onnx\",\"opset\":6", "", "", ""), "\"opset\": expected an operator set from 7 to 26"},
    {MODEL("\"model\":1,\"framework\":\"onnx\",\"opset\":27", "", "", ""), "\"opset\": expected an operator set from 7 to 26"},
    {MODEL("\"model\":1,\"framework\":\"onnx\",\"opset\":\"x\"", "", "", ""), "\"opset\": expected an operator set from 7 to 26"},
    {"{" HEAD "}", "inputs"},
    {MODEL(HEAD ",\"session\":[]", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "key \"session\": expected an object"},
    {MODEL(HEAD ",\"session\":{}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "expected a list \"constructs\""},
    {MODEL(HEAD ",\"session\":{\"constructs\":[\"a\"],\"changes\":[]}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "constructs: expected texts like"},
    {MODEL(HEAD ",\"session\":{\"constructs\":[],\"changes\":[\"a:65536\"]}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "changes: expected texts like"},
    {MODEL(HEAD ",\"session\":{\"constructs\":[],\"changes\":[\"A:1\"]}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "changes: expected texts like"},
    {MODEL(HEAD ",\"session\":{\"constructs\":[\"a:1\",\"a:1\",\"a:1\",\"a:1\",\"a:1\",\"a:1\",\"a:1\",\"a:1\",\"a:1\"],\"changes\":[]}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "more than 8 constructs"},
    {MODEL(HEAD ",\"settings\":[]", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "\"settings\": expected an object"},
    {MODEL(HEAD ",\"settings\":{\"a\":1}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "\"settings\": expected names and texts"},
    {MODEL(HEAD ",\"settings\":{\"a b\":\"1\"}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "\"settings\": expected names and texts"},
    {MODEL(HEAD ",\"settings\":{\"a\":\"'\"}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "\"settings\": expected names and texts"},
    {MODEL(HEAD ",\"settings\":{\"a\":\"\"}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "\"settings\": expected names and texts"},
    {MODEL(HEAD ",\"settings\":{\"a\":\"1\",\"a\":\"2\"}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "\"settings\": \"a\" twice"},
    {MODEL(HEAD ",\"settings\":{" NINE "}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1"), "or more than 8"},
    {CHANGED("", "{\"argument\":\"x\",\"item\":0,\"kind\":\"rank\",\"to\":\"more\"}"), "\"change\": expected a change of an invalid"},
    {CHANGED(INVALID, "{\"argument\":\"x\",\"item\":0,\"kind\":\"\",\"to\":\"more\"}"), "\"change\": expected a change of an invalid"},
    {CHANGED(INVALID, "{\"argument\":\"x\",\"item\":0,\"kind\":\"size\",\"to\":\"more\"}"), "last call, got 'size'"},
    {CHANGED(INVALID, "{\"argument\":\"x\",\"item\":5000,\"kind\":\"rank\",\"to\":\"more\"}"), "\"change\": expected a change of an invalid"},
    {CHANGED(INVALID, "{\"argument\":\"x\",\"item\":-1,\"kind\":\"rank\",\"to\":\"more\"}"), "\"item\": expected a whole number"},
    {CHANGED(INVALID, "{\"argument\":1,\"item\":0,\"kind\":\"rank\",\"to\":\"more\"}"), "argument"},
    {CHANGED(INVALID, "{\"argument\":\"x\",\"item\":0,\"kind\":\"rank\"}"), "to"},
    {CHANGED(INVALID, "[]"), "argument"},
    {"{" HEAD ",\"inputs\":[]}", "nodes"},
    {"{" HEAD ",\"inputs\":[],\"nodes\":[]}", "outputs"},
    {OF_INPUT("{\"shape\":[2],\"dtype\":\"float32\"}"), "\"id\": expected 0"},
    {OF_INPUT(TENSOR(1, "")), "\"id\": expected 0"},
    {OF_INPUT("{\"id\":0,\"dtype\":\"float32\"}"), "shape"},
    {OF_INPUT("{\"id\":0,\"shape\":[2]}"), "dtype"},
    {OF_INPUT("{\"id\":0,\"shape\":[2],\"dtype\":\"string\"}"), "'string' is not an element type"},
    {OF_INPUT("{\"id\":0,\"shape\":[-1],\"dtype\":\"float32\"}"), "\"shape\": expected whole numbers"},
    {OF_INPUT("{\"id\":0,\"shape\":[1.5],\"dtype\":\"float32\"}"), "\"shape\": expected whole numbers"},
    {OF_INPUT(TENSOR(0, ",\"constant\":1")), "\"constant\": expected true or false"},
    {OF_INPUT(TENSOR(0, ",\"values\":1")), "\"values\": not unit"},
    {OF_INPUT(TENSOR(0, ",\"values\":\"huge\"")), "\"values\": not unit"},
    {OF_INPUT(TENSOR(0, ",\"range\":[1]")), "\"range\": expected [LOW,HIGH]"},
    {OF_INPUT(TENSOR(0, ",\"range\":[\"a\",2]")), "\"range\": expected [LOW,HIGH]"},
    {OF_INPUT(TENSOR(0, ",\"range\":[1,\"a\"]")), "\"range\": expected [LOW,HIGH]"},
    {OF_INPUT(TENSOR(0, ",\"range\":[2,2]")), "\"range\": expected [LOW,HIGH]"},
    {OF_INPUT(TENSOR(0, ",\"strides\":1")), "\"strides\": expected a number for each"},
    {OF_INPUT(TENSOR(0, ",\"strides\":[1,1]")), "\"strides\": expected a number for each"},
    {OF_INPUT(TENSOR(0, ",\"strides\":[\"a\"]")), "\"strides\": expected whole numbers"},
    {OF_INPUT(TENSOR(0, ",\"strides\":[2],\"offset\":\"a\"")), "\"offset\": expected a whole number"},
    {OF_INPUT(TENSOR(0, ",\"offset\":1")), "\"strides\": expected a number for each"},
    {OF_INPUT(TENSOR(0, ",\"strides\":[2],\"same\":0")), "\"same\": an alias cannot have strides"},
    {OF_INPUT(TENSOR(0, ",\"same\":0")), "\"same\": expected an earlier input"},
    {OF_INPUT(TENSOR(0, ",\"same\":\"a\"")), "\"same\": expected an earlier input"},
    {OF_NODE("{\"api\":\"t.a\"}"), "op"},
    {OF_NODE("{\"op\":\"t.a-0\"}"), "api"},
    {OF_NODE("{\"op\":\"t.a-0\",\"api\":\"t.a b\"}"), "'t.a b' is not a dotted name of t"},
    {OF_NODE("{\"op\":\"t.a-0\",\"api\":\"t.a\"}"), "args"},
    {OF_NODE("{\"op\":\"t.a-0\",\"api\":\"t.a\",\"args\":[]}"), "outputs"},
    {OF_NODE(CALL("", "")), "\"outputs\": expected 1 to"},
    {OF_NODE(CALL("", TENSOR(0, ""))), "\"id\": expected 1"},
    {OF_NODE(CALL("{\"pos\":true,\"value\":1}", TENSOR(1, ""))), "name"},
    {OF_NODE(CALL("{\"name\":\"a b\",\"pos\":true,\"value\":1}", TENSOR(1, ""))), "'a b' is not an identifier"},
    {OF_NODE(CALL("{\"name\":\"a\",\"pos\":1,\"value\":1}", TENSOR(1, ""))), "argument a: expected \"pos\" and \"value\""},
    {OF_NODE(CALL("{\"name\":\"a\",\"pos\":true}", TENSOR(1, ""))), "argument a: expected \"pos\" and \"value\""},
    {OF_NODE(CALL("{\"name\":\"a\",\"pos\":false,\"value\":1}," REF, TENSOR(1, ""))), "argument x: positional behind"},
    {OF_NODE(VALUE("{\"ref\":1}")), "\"ref\": expected the id of an earlier"},
    {OF_NODE(VALUE("{\"ref\":-1}")), "\"ref\": expected the id of an earlier"},
    {OF_NODE(VALUE("{\"ref\":\"a\"}")), "\"ref\": expected the id of an earlier"},
    {OF_NODE(VALUE("{\"const\":1}")), "\"const\": not a plain Python literal"},
    {OF_NODE(VALUE("{\"const\":\"exit()\"}")), "\"const\": not a plain Python literal"},
    {OF_NODE(VALUE("{\"elements\":[1]}")), "dtype"},
    {OF_NODE(VALUE("{\"elements\":[1],\"dtype\":\"string\"}")), "\"string\" is not an element type"},
    {OF_NODE(VALUE("{\"elements\":[{\"ref\":0}],\"dtype\":\"int64\"}")), "\"elements\": contains a tensor"},
    {OF_NODE(VALUE("{\"elements\":[{\"elements\":1,\"dtype\":\"int64\"}],\"dtype\":\"int64\"}")), "\"elements\": contains a tensor"},
    {OF_NODE(VALUE("{\"elements\":[true],\"dtype\":\"int64\"}")), "\"value\": expected"},
    {OF_NODE(VALUE("{}")), "\"value\": expected a ref, a const, elements, an integer or a list"},
    {OF_NODE(VALUE("[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]")), "nested more than"},
    {MODEL(HEAD, TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "0"), "\"outputs\": expected ids of nodes' outputs"},
    {MODEL(HEAD, TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "2"), "\"outputs\": expected ids of nodes' outputs"},
    {MODEL(HEAD, TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "-1"), "\"outputs\": expected ids of nodes' outputs"},
    {MODEL(HEAD, TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "\"a\""), "\"outputs\": expected ids of nodes' outputs"},
};

static void assert_refused(graph *g, const char *line, const char *why)
{
	diag d = {""};
	if (graph_read_json(g, line, "m", 7, NULL, &d))
		fail_msg("read: %.400s", line);
	if (strncmp(d.text, "m:7: error: ", 12) != 0 || !strstr(d.text, why))
		fail_msg("'%s' is not in '%s' of %.400s", why, d.text, line);
	assert_true(g->ntensors == 0 && g->live_nodes == 0);
}

static void one_fault(void **state)
{
	(void)state;
	graph g;
	diag d = {""};
	assert_true(graph_init(&g));
	if (!graph_read_json(&g, GOOD, "m", 7, NULL, &d))
		fail_msg("%s", d.text);
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
		assert_refused(&g, CASES[i][0], CASES[i][1]);
	graph_destroy(&g);
}

/* More items than the maximum: `count` times the text, between `before` and `behind`. */
static void assert_too_many(const char *before, const char *each, int count, const char *behind, const char *why)
{
	buf line = {0};
	graph g;
	assert_true(graph_init(&g));
	buf_puts(&line, before);
	for (int i = 0; i < count; i++)
		buf_printf(&line, "%s%s", i ? "," : "", each);
	buf_puts(&line, behind);
	assert_false(line.failed);
	assert_refused(&g, line.text, why);
	buf_free(&line);
	graph_destroy(&g);
}

static void too_many(void **state)
{
	(void)state;
	assert_too_many("{" HEAD ",\"inputs\":[{\"id\":0,\"dtype\":\"float32\",\"shape\":[", "1", GRAPH_RANK_MAX + 1, "]}],\"nodes\":[],\"outputs\":[]}", "dimensions");
	static const char BEFORE[] = "{" HEAD ",\"inputs\":[" TENSOR(0, "") "],\"nodes\":[{\"op\":\"t.a-0\",\"api\":\"t.a\",\"args\":[";
	assert_too_many(BEFORE, REF, 5000, "],\"outputs\":[]}],\"outputs\":[]}", "arguments");
	assert_too_many(BEFORE, "{\"name\":\"x\",\"pos\":true,\"value\":[1,2,3]}", 2000, "],\"outputs\":[]}],\"outputs\":[]}", "more than");
	static const char LIST[] = "{" HEAD ",\"inputs\":[" TENSOR(0, "") "],\"nodes\":[{\"op\":\"t.a-0\",\"api\":\"t.a\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":[";
	assert_too_many(LIST, "1", 5000, "]}],\"outputs\":[]}],\"outputs\":[]}", "a list of more than");
	assert_too_many(LIST, "{\"ref\":0}", 4096, "]}],\"outputs\":[]}],\"outputs\":[]}", "more than");
}

/* The library's operator if the line is that call; otherwise the line's own operator, so that nothing of the
 * library's is used. */
static void who_knows_it(void **state)
{
	(void)state;
	static const rs_table *const TABLES[] = {&TOY_TABLE};
	static const rs_library LIBRARY = {.abi = RS_ABI, .ntables = 1, .tables = TABLES};
	static const struct {
		const char *args, *outputs;
		bool known;
	} CALLS[] = {
	    {"{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}},{\"name\":\"sizes\",\"pos\":true,\"value\":[2]}", "[2,3],[3,3]", true},
	    {"{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}},{\"name\":\"size\",\"pos\":true,\"value\":[2]}", "[2,3],[3,3]", false},
	    {"{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}},{\"name\":\"sizes\",\"pos\":false,\"value\":[2]}", "[2,3],[3,3]", false},
	    {"{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}},{\"name\":\"sizes\",\"pos\":true,\"value\":2}", "[2,3],[3,3]", false},
	    {"{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}},{\"name\":\"sizes\",\"pos\":true,\"value\":[{\"const\":\"2\"}]}", "[2,3],[3,3]", false},
	    {"{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}},{\"name\":\"sizes\",\"pos\":true,\"value\":[2,3]}", "[2,3],[3,3]", false},
	    {"{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}}", "[2,3],[3,3]", false},
	    {"{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}},{\"name\":\"sizes\",\"pos\":true,\"value\":[2]}", "[2,3]", false},
	    {"{\"name\":\"input\",\"pos\":true,\"value\":{\"ref\":0}},{\"name\":\"sizes\",\"pos\":true,\"value\":[2]}", "[2],[3,3,3]", false},
	};
	graph g;
	assert_true(graph_init(&g));
	for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
		char line[2048], outputs[512] = "";
		const char *at = CALLS[i].outputs;
		for (int id = 1; at; id++) {
			const char *end = strstr(at, "],");
			int n = end ? (int)(end - at) + 1 : (int)strlen(at);
			snprintf(outputs + strlen(outputs), sizeof outputs - strlen(outputs), "%s{\"id\":%d,\"shape\":%.*s,\"dtype\":\"float32\"}", id > 1 ? "," : "", id, n, at);
			at = end ? end + 2 : NULL;
		}
		snprintf(line, sizeof line,
		    "{\"model\":1,\"framework\":\"torch\",\"inputs\":[{\"id\":0,\"shape\":[5,3],\"dtype\":\"float32\"}],\"nodes\":["
		    "{\"op\":\"torch.split-0\",\"api\":\"torch.split\",\"args\":[%s],\"outputs\":[%s]}],\"outputs\":[1]}", CALLS[i].args, outputs);
		diag d = {""};
		if (!graph_read_json(&g, line, "m", 7, &LIBRARY, &d))
			fail_msg("%s\n%s", d.text, line);
		if ((g.nodes[g.first].op == &TOY_OPS[TOY_SPLIT]) != CALLS[i].known)
			fail_msg("%zu: %s", i, line);
	}
	graph_destroy(&g);
}

/* Settings are part of a model: they are written, copied with their texts, and change its hash. */
static void settings_are_kept(void **state)
{
	(void)state;
	static const char LINE[] = MODEL(HEAD ",\"settings\":{\"b.c\":\"x-1\",\"a\":\"2\"}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1");
	graph g, copy;
	diag d = {""};
	buf written = {0};
	assert_true(graph_init(&g) && graph_init(&copy));
	assert_true(graph_read_json(&g, LINE, "m", 7, NULL, &d));
	assert_true(graph_copy(&copy, &g));
	uint64_t hash = graph_hash(&g);
	assert_true(graph_hash(&copy) == hash);
	graph_reset(&g);
	assert_int_equal(g.nsettings, 0);
	graph_write_json(&copy, &written);
	assert_non_null(strstr(written.text, ",\"settings\":{\"b.c\":\"x-1\",\"a\":\"2\"}}"));
	settings_drop(&copy, 0);
	assert_int_equal(copy.nsettings, 1);
	assert_string_equal(copy.settings[0].name, "a");
	assert_true(graph_hash(&copy) != hash);
	copy.settings[0].value = "3";
	uint64_t other = graph_hash(&copy);
	copy.settings[0].value = "2";
	assert_true(graph_hash(&copy) != other);
	buf_free(&written);
	graph_destroy(&copy);
	graph_destroy(&g);
}

/* A session is part of a model: it is written, copied with its names, and changes its hash. */
static void sessions_are_kept(void **state)
{
	(void)state;
	static const char LINE[] =
	    MODEL(HEAD ",\"session\":{\"constructs\":[\"a-b:3\",\"c:0\"],\"changes\":[\"d:65535\"]}", TENSOR(0, ""), CALL(REF, TENSOR(1, "")), "1");
	graph g, copy;
	diag d = {""};
	buf written = {0};
	assert_true(graph_init(&g) && graph_init(&copy));
	assert_true(graph_read_json(&g, LINE, "m", 7, NULL, &d));
	assert_true(graph_copy(&copy, &g));
	uint64_t hash = graph_hash(&g);
	assert_true(graph_hash(&copy) == hash);
	graph_reset(&g);
	assert_false(session_any(&g));
	graph_write_json(&copy, &written);
	assert_non_null(strstr(written.text, ",\"session\":{\"constructs\":[\"a-b:3\",\"c:0\"],\"changes\":[\"d:65535\"]}}"));
	copy.session[SESSION_CONSTRUCTS].items[0].pick = 4;
	assert_true(graph_hash(&copy) != hash);
	session_drop(&copy, SESSION_CONSTRUCTS, 0);
	assert_string_equal(copy.session[SESSION_CONSTRUCTS].items[0].name, "c");
	assert_false(session_add(&copy, SESSION_CHANGES, "No", 0));
	buf_free(&written);
	graph_destroy(&copy);
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_fault), cmocka_unit_test(too_many), cmocka_unit_test(who_knows_it), cmocka_unit_test(settings_are_kept),
	    cmocka_unit_test(sessions_are_kept)};
	return cmocka_run_group_tests_name("model read", tests, NULL, NULL);
}
