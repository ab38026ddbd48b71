/* Steps that connect existing tensors: calls in the middle of a chain go, and constants are merged. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bypass.h"
#include "reducer.h"
#include "scalars.h"
#include "models.h"
#include "small_model.h"
#include "toy_table.h"

static const rs_table *const TABLES[] = {&TOY_TABLE};
static const rs_library TOY = {.abi = RS_ABI, .ntables = 1, .tables = TABLES};

#define T(id, more) "{\"id\":" #id ",\"shape\":[4,4],\"dtype\":\"float32\"" more "}"
#define REF(name, id) "{\"name\":\"" name "\",\"pos\":true,\"value\":{\"ref\":" #id "}}"
#define THIN(in, out) "{\"op\":\"torch.thin-0\",\"api\":\"torch.thin\",\"args\":[" REF("input", in) "],\"outputs\":[" T(out, "") "]}"
#define ADD(a, b, out) "{\"op\":\"torch.add-0\",\"api\":\"torch.add\",\"args\":[" REF("input", a) "," REF("other", b) "],\"outputs\":[" T(out, "") "]}"

/* add(thin(thin(t0)), t1), plus t2; t1 and t2 are constants with other elements. */
static const char CHAIN[] = "{\"model\":1,\"framework\":\"torch\",\"seed\":1,\"index\":0,\"values\":7,\"inputs\":[" T(0, "") ","
    T(1, ",\"range\":[3,4,16],\"constant\":true") "," T(2, ",\"range\":[1,2],\"constant\":true") "],\"nodes\":[" THIN(0, 3) "," THIN(3, 4) ","
    ADD(4, 1, 5) "," ADD(5, 2, 6) "],\"outputs\":[6]}";

static uint32_t node_at(const graph *g, unsigned place)
{
	uint32_t i = g->first;
	while (place--)
		i = g->nodes[i].next;
	return i;
}

static void bypassed(void **state)
{
	(void)state;
	graph g, to;
	assert_true(graph_init(&g) && graph_init(&to));
	read_model(&g, CHAIN, &TOY);
	assert_true(reduce_bypass(&to, &g, node_at(&g, 1), 2));
	assert_int_equal(to.live_nodes, 2);
	assert_int_equal(graph_node_input(&to, &to.nodes[node_at(&to, 0)], 0), 0); /* the sum takes the input */
	assert_true(reduce_bypass(&to, &g, node_at(&g, 1), 1));
	assert_int_equal(to.live_nodes, 3);
	assert_true(reduce_bypass(&to, &g, node_at(&g, 2), 1)); /* a sum is its first operand */
	assert_int_equal(to.live_nodes, 3);
	assert_false(reduce_bypass(&to, &g, node_at(&g, 0), 2)); /* nothing is two calls before */
	assert_false(reduce_bypass(&to, &g, node_at(&g, 3), 1)); /* nothing uses the last result */
	g.tensors[0].dtype = RS_FLOAT64;
	assert_false(reduce_bypass(&to, &g, node_at(&g, 1), 2));
	graph_destroy(&g), graph_destroy(&to);
}

static void merged(void **state)
{
	(void)state;
	graph g, to;
	assert_true(graph_init(&g) && graph_init(&to));
	read_model(&g, CHAIN, &TOY);
	assert_int_equal(g.tensors[1].divisor, 16);
	assert_true(reduce_merge(&to, &g, 2, 1));
	assert_false(to.tensors[2].live);
	assert_int_equal(to.tensors[1].nuses, 2);
	assert_false(reduce_merge(&to, &g, 1, 2)); /* the earlier one stays */
	assert_false(reduce_merge(&to, &g, 1, 0)); /* not a constant */
	graph_destroy(&g), graph_destroy(&to);
}

#define S(id, dtype, shape, more) "{\"id\":" #id ",\"shape\":" shape ",\"dtype\":\"" dtype "\"" more "}"

/* A quantization per channel, whose signature no table has. */
static const char CHANNELS[] = "{\"model\":1,\"framework\":\"onnx\",\"seed\":1,\"index\":0,\"values\":7,\"inputs\":[" S(0, "float32", "[4,3]", "") ","
    S(1, "float32", "[3]", ",\"range\":[8,17,128],\"constant\":true") "," S(2, "int8", "[3]", ",\"range\":[0,1],\"constant\":true")
    "],\"nodes\":[{\"op\":\"onnx.Q\",\"api\":\"onnx.Q\",\"args\":[" REF("x", 0) "," REF("s", 1) "," REF("z", 2)
    ",{\"name\":\"axis\",\"pos\":false,\"value\":{\"const\":\"1\"}}],\"outputs\":[" S(3, "int8", "[4,3]", "") "]}],\"outputs\":[3]}";

static void made_scalar(void **state)
{
	(void)state;
	graph g, to, again;
	arena *ops = arena_new();
	assert_true(graph_init(&g) && graph_init(&to) && graph_init(&again));
	read_model(&g, CHANNELS, NULL);
	assert_true(reduce_to_scalars(&to, &g, g.first, ops));
	const graph_node *n = &to.nodes[to.first];
	const graph_tensor *s = &to.tensors[graph_node_input(&to, n, 1)], *z = &to.tensors[graph_node_input(&to, n, 2)];
	assert_int_equal(n->op->nargs, 3);
	assert_true(!s->rank && !z->rank && s->low == 8 && s->high == 17 && s->divisor == 128 && s->constant && z->constant);
	char *text = rs_graph_json(&to);
	read_model(&again, text, NULL);
	assert_true(graph_hash(&again) == graph_hash(&to));
	free(text);
	assert_false(reduce_to_scalars(&g, &to, to.first, ops)); /* again */
	graph_destroy(&g), graph_destroy(&to), graph_destroy(&again);
	arena_free(ops);
}

static bool always(void *context, const graph *g)
{
	diag d = {""};
	(void)context;
	assert_true(graph_check(g, &d));
	return true;
}

static bool goes_on(void *context)
{
	(void)context;
	return true;
}

/* Further steps, which reuse the memory of earlier models, find the new signature intact. */
static void made_scalar_among_others(void **state)
{
	(void)state;
	graph g, best;
	assert_true(graph_init(&g) && graph_init(&best));
	read_model(&g, CHANNELS, NULL);
	assert_true(graph_copy(&best, &g));
	reducer r = {.best = &best, .ops = arena_new(), .alike = always, .goes_on = goes_on};
	assert_true(reducer_open(&r));
	assert_true(reducer_run(&r));
	reducer_close(&r);
	const graph_node *n = &best.nodes[best.first];
	assert_int_equal(best.live_nodes, 1);
	assert_int_equal(n->op->nargs, 3);
	assert_string_equal(n->op->api, "onnx.Q");
	graph_destroy(&g), graph_destroy(&best);
	arena_free(r.ops);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(bypassed), cmocka_unit_test(merged), cmocka_unit_test(made_scalar), cmocka_unit_test(made_scalar_among_others)};
	return cmocka_run_group_tests_name("bypass", tests, NULL, NULL);
}
