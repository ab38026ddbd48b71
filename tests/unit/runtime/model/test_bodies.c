/* Calls that a file groups into a body: marked, written, read back, rejected, removed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bodies.h"
#include "model_read.h"
#include "reduce.h"

#define INPUT(id, dtype, more) "{\"id\":" #id ",\"shape\":[],\"dtype\":\"" dtype "\"" more "}"
#define CALL(op, from, to)                                                                                            \
	"{\"op\":\"t." op "-0\",\"api\":\"t.u\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":" #from       \
	"}}],\"outputs\":[" INPUT(to, "float32", "") "]}"
#define HEAD                                                                                                          \
	"{\"model\":1,\"framework\":\"t\",\"seed\":1,\"index\":2,\"values\":3,\"inputs\":[" INPUT(0, "float32", "") "," \
	INPUT(1, "bool", ",\"range\":[1,2]") "," INPUT(2, "int64", ",\"range\":[3,4],\"constant\":true") "],\"nodes\":["  \
	CALL("a", 0, 3) "," CALL("b", 3, 4) "," CALL("c", 4, 5) "," CALL("d", 5, 6) "],\"outputs\":[6]"
#define IF "{\"kind\":\"if\",\"first\":0,\"last\":1,\"control\":1}"
#define LOOP "{\"kind\":\"loop\",\"first\":3,\"last\":3,\"control\":2,\"constants\":\"nodes\"}"
#define FUNCTION "{\"kind\":\"function\",\"first\":1,\"last\":1}"
#define SCAN "{\"kind\":\"scan\",\"first\":%d,\"last\":%d,\"form\":\"states\",\"trips\":2,\"axis\":-1,\"reverse\":true}"

static bool reads(graph *g, const char *bodies, diag *d)
{
	char line[4096];
	snprintf(line, sizeof line, HEAD "%s}", bodies);
	return graph_read_json(g, line, "m", 1, NULL, d);
}

static void read_good(graph *g, const char *bodies)
{
	diag d = {""};
	assert_true(graph_init(g));
	if (!reads(g, bodies, &d))
		fail_msg("%s", d.text);
}

static void assert_ends(const graph *g, const char *want)
{
	char *text = rs_graph_json(g), *from = strstr(text, "\"outputs\":[6]");
	assert_non_null(from);
	assert_string_equal(from + strlen("\"outputs\":[6]"), want);
	free(text);
}

static void a_call_alone_has_none(void **state)
{
	(void)state;
	graph g, call;
	read_good(&g, ",\"bodies\":[" IF "," FUNCTION "," LOOP "]");
	assert_true(graph_init(&call));
	for (uint32_t node = 0; node < 4; node++) {
		assert_true(reduce_to_call(&call, &g, node));
		assert_int_equal(call.live_nodes, 1);
		assert_int_equal(call.nbodies, 0);
	}
	graph_destroy(&call);
	graph_destroy(&g);
}

static void reads_back(void **state)
{
	(void)state;
	graph g, plain;
	const char *all = ",\"bodies\":[" IF "," FUNCTION "," LOOP "]";
	read_good(&g, all);
	read_good(&plain, "");
	char want[512];
	snprintf(want, sizeof want, "%s}", all);
	assert_ends(&g, want);
	assert_int_equal(g.nbodies, 3);
	assert_int_equal(body_told(&g, 0), 1);
	assert_int_equal(body_told(&g, 2), 3);
	assert_true(body_is_function(&g, 1) && !body_is_function(&g, 0));
	assert_int_equal(body_first(&g, 0), 0);
	assert_int_equal(body_last(&g, 0), 1);
	assert_true(graph_hash(&g) != graph_hash(&plain));
	diag d = {""};
	assert_true(reads(&plain, ",\"bodies\":[]", &d));
	graph_destroy(&g);
	graph_destroy(&plain);
}

static void refused(void **state)
{
	(void)state;
	static const struct {
		const char *bodies, *why;
	} EACH[] = {{",\"bodies\":7", "expected a list"}, {",\"bodies\":[7]", "not function, if, loop, scan or"},
	    {",\"bodies\":[{\"kind\":\"func.grad\",\"first\":0,\"last\":0}]", "t has no func.grad"},
	    {",\"bodies\":[{\"kind\":\"function\",\"first\":0,\"last\":0,\"variant\":1}]", "a region may have"},
	    {",\"bodies\":[{\"kind\":\"while\",\"first\":0,\"last\":0}]", "not function, if, loop, scan or"},
	    {",\"bodies\":[{\"kind\":\"function\",\"first\":0}]", "\"last\" is not the index of a node"},
	    {",\"bodies\":[{\"kind\":\"function\",\"first\":0,\"last\":4}]", "\"last\" is not the index of a node"},
	    {",\"bodies\":[{\"kind\":\"function\",\"first\":-1,\"last\":1}]", "\"first\" is not the index of a node"},
	    {",\"bodies\":[{\"kind\":\"function\",\"first\":2,\"last\":1}]", "nodes in another body"},
	    {",\"bodies\":[{\"kind\":\"function\",\"first\":0,\"last\":1,\"control\":1}]", "expected none"},
	    {",\"bodies\":[{\"kind\":\"if\",\"first\":0,\"last\":1}]", "an unused input of one boolean"},
	    {",\"bodies\":[{\"kind\":\"if\",\"first\":0,\"last\":1,\"control\":2}]", "an unused input of one boolean"},
	    {",\"bodies\":[{\"kind\":\"if\",\"first\":0,\"last\":1,\"control\":3}]", "an unused input of one boolean"},
	    {",\"bodies\":[{\"kind\":\"if\",\"first\":0,\"last\":1,\"control\":99}]", "is not a tensor"},
	    {",\"bodies\":[{\"kind\":\"loop\",\"first\":0,\"last\":1,\"control\":0}]", "an unused input of one int64"},
	    {",\"bodies\":[{\"kind\":\"function\",\"first\":0,\"last\":1,\"constants\":\"nodes\"}]", "of a subgraph: expected"},
	    {",\"bodies\":[{\"kind\":\"if\",\"first\":0,\"last\":1,\"control\":2,\"constants\":\"x\"}]", "expected initializers or nodes"},
	    {",\"bodies\":[{\"kind\":\"if\",\"first\":0,\"last\":1,\"control\":1,\"form\":\"count\"}]", "unknown \"form\" for if"},
	    {",\"bodies\":[{\"kind\":\"if\",\"first\":0,\"last\":1,\"control\":1,\"reverse\":true}]", "only a scan may have"},
	    {",\"bodies\":[{\"kind\":\"scan\",\"first\":0,\"last\":1,\"trips\":4,\"axis\":0}]", "\"trips\" of 1 to 3"},
	    {",\"bodies\":[{\"kind\":\"scan\",\"first\":0,\"last\":1,\"trips\":1,\"axis\":3}]", "\"axis\" of -2 to 2"},
	    {",\"bodies\":[{\"kind\":\"scan\",\"first\":0,\"last\":1,\"trips\":1,\"axis\":0,\"control\":2}]", "expected none"},
	    {",\"bodies\":[" IF "," IF "," IF "," IF "]", "in 3 subgraphs"},
	    {",\"bodies\":[{\"kind\":\"if\",\"first\":1,\"last\":1,\"control\":1}," IF "]", "nodes in another body"},
	    {",\"bodies\":[" IF ",{\"kind\":\"function\",\"first\":1,\"last\":2}]", "partly in one"},
	    {",\"bodies\":[{\"kind\":\"function\",\"first\":1,\"last\":2}," IF "]", "partly in one"},
	    {",\"bodies\":[{\"kind\":\"function\",\"first\":2,\"last\":3}," LOOP "]", "partly in one"},
	    {",\"bodies\":[" IF "],\"near_miss\":true", "valid model"},
	    {",\"bodies\":[" LOOP "],\"dims\":{\"a\":[2,3]}", "functions and branches only"},
	    {",\"bodies\":[" FUNCTION "," FUNCTION "," FUNCTION "," FUNCTION "," FUNCTION "," FUNCTION "," FUNCTION "," FUNCTION "," FUNCTION "]",
		"more than 8"}};
	graph g;
	read_good(&g, ",\"bodies\":[" IF "," FUNCTION "],\"dims\":{\"a\":[2,3]}");
	graph_destroy(&g);
	assert_true(graph_init(&g));
	for (size_t i = 0; i < sizeof EACH / sizeof *EACH; i++) {
		diag d = {""};
		if (reads(&g, EACH[i].bodies, &d) || !strstr(d.text, EACH[i].why))
			fail_msg("%s: '%s'", EACH[i].bodies, d.text);
		assert_int_equal(g.nnodes, 0);
	}
	graph_destroy(&g);
}

static void taken_out(void **state)
{
	(void)state;
	graph g, to;
	read_good(&g, ",\"bodies\":[" IF "," FUNCTION "," LOOP "]");
	assert_true(graph_init(&to));
	assert_false(reduce_body(&to, &g, 3));
	assert_true(reduce_body(&to, &g, 0)); /* the If's condition is removed, so that 6 becomes 5 */
	char *text = rs_graph_json(&to), *from = strstr(text, "\"outputs\":[5]");
	assert_non_null(from);
	assert_string_equal(from, "\"outputs\":[5],\"bodies\":[{\"kind\":\"function\",\"first\":1,\"last\":1},{\"kind\":\"loop\",\"first\":3,\"last\":3,\"control\":1,\"constants\":\"nodes\"}]}");
	free(text);
	assert_true(reduce_without_node(&to, &g, 1, false)); /* the function's only node; the one before it is unused */
	assert_int_equal(to.nbodies, 1);
	assert_false(to.tensors[1].live);
	assert_true(to.tensors[2].live && to.bodies[0].control == 2);
	assert_true(reduce_elements(&to, &g, 2, 1)); /* a loop of one trip */
	assert_int_equal(to.nbodies, 3);
	assert_int_equal(body_told(&to, 2), 1);
	assert_true(reduce_elements(&to, &g, 2, 0)); /* a loop without trips */
	assert_int_equal(to.nbodies, 3);
	assert_true(reduce_to_node(&to, &g, 1));
	assert_int_equal(to.nbodies, 2);
	assert_int_equal(to.live_nodes, 2);
	graph_destroy(&to);
	graph_destroy(&g);
}

/* Removing nodes keeps one contiguous body; a copy equals the original. */
static void kept_as_nodes_go(void **state)
{
	(void)state;
	graph g, to;
	read_good(&g, ",\"bodies\":[{\"kind\":\"loop\",\"first\":0,\"last\":2,\"control\":2}]");
	assert_true(graph_init(&to));
	assert_true(reduce_without_node(&to, &g, 1, false));
	assert_int_equal(body_first(&to, 0), 2); /* the node before it is unused */
	assert_int_equal(body_last(&to, 0), 2);
	assert_true(graph_copy(&g, &to));
	assert_true(graph_hash(&g) == graph_hash(&to));
	graph_destroy(&to);
	graph_destroy(&g);
}

/* Subgraphs within each other keep their order when others go, and lose one trait after the other. */
static void nested(void **state)
{
	(void)state;
	graph g, to, again;
	char scan[256], all[512];
	snprintf(scan, sizeof scan, SCAN, 0, 1);
	snprintf(all, sizeof all, ",\"bodies\":[" IF ",%s," FUNCTION "]", scan);
	read_good(&g, all);
	assert_int_equal(body_parent(&g, 0), GRAPH_BODIES_MAX);
	assert_int_equal(body_parent(&g, 1), 0);
	assert_int_equal(bodies_depth(&g, 0), 2);
	assert_int_equal(body_told(&g, 1), 2);
	assert_int_equal(body_first(&g, 0), body_first(&g, 1));
	strcat(all, "}");
	assert_ends(&g, all);
	assert_true(graph_init(&to) && graph_init(&again));
	assert_true(reduce_body(&to, &g, 0));
	assert_int_equal(bodies_depth(&to, 0), 1);
	assert_int_equal(body_parent(&to, 0), GRAPH_BODIES_MAX);
	assert_true(reduce_body(&again, &g, 1));
	assert_int_equal(bodies_depth(&again, 0), 1);
	assert_int_equal(again.bodies[0].kind, BODY_IF);
	unsigned changed = 0;
	for (unsigned trait = 0; trait < BODY_TRAITS; trait++) {
		graph_number(&g);
		if (reduce_body_trait(&to, &g, 1, trait)) {
			assert_true(graph_hash(&to) != graph_hash(&g));
			assert_true(graph_copy(&g, &to));
			changed++;
		}
	}
	assert_int_equal(changed, 4); /* its constants are outside already */
	for (unsigned trait = 0; trait < BODY_TRAITS; trait++)
		assert_false(reduce_body_trait(&to, &g, 1, trait));
	graph_destroy(&again);
	graph_destroy(&to);
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(reads_back), cmocka_unit_test(a_call_alone_has_none), cmocka_unit_test(refused), cmocka_unit_test(taken_out), cmocka_unit_test(nested),
	    cmocka_unit_test(kept_as_nodes_go)};
	return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
