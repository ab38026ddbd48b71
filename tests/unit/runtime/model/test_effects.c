/* Calls that write to memory: which tensors share it, which calls are dead, and what reduction does to writes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "effects.h"
#include "models.h"
#include "reduce.h"
#include "small_model.h"
#include "write_json.h"

#define S(id, shape) "{\"id\":" #id ",\"shape\":" shape ",\"dtype\":\"float32\"}"
#define ARG(name, value) "{\"name\":\"" name "\",\"pos\":true,\"value\":" value "}"
#define REF(id) "{\"ref\":" #id "}"
#define COPY(id) "{\"ref\":" #id ",\"copy\":true}"
#define CALL(op, api, args, out) "{\"op\":\"" op "\",\"api\":\"" api "\",\"args\":[" args "],\"outputs\":[" out "]}"
#define UNFOLD(in, out) CALL("torch.Tensor.unfold-4", "torch.Tensor.unfold", \
	ARG("self", REF(in)) "," ARG("dimension", "{\"const\":\"0\"}") "," ARG("size", "2") "," ARG("step", "3"), S(out, "[3,2]"))
#define EXP(of, out, shape) CALL("torch.Tensor.exp_-1", "torch.Tensor.exp_", ARG("self", of), S(out, shape))
#define EXP1(of, out) CALL("torch.Tensor.exp_-2", "torch.Tensor.exp_", ARG("self", of), S(out, "[8]"))
#define COS(in, out) CALL("torch.cos-4", "torch.cos", ARG("input", REF(in)), S(out, "[8]"))
#define ABS(in, out) CALL("torch.abs-4", "torch.abs", ARG("input", REF(in)), S(out, "[8]"))

/* A model of one input, float32[8]. */
static void read_calls(graph *g, const char *calls, const char *outputs)
{
	char text[4000];
	snprintf(text, sizeof text,
	    "{\"model\":1,\"framework\":\"torch\",\"seed\":1,\"index\":0,\"values\":7,\"inputs\":[" S(0, "[8]") "],\"nodes\":[%s],\"outputs\":[%s]}",
	    calls, outputs);
	assert_true(graph_init(g));
	read_model(g, text, &rs_rules);
}

static void copies_are_read_and_written(void **state)
{
	(void)state;
	graph g;
	read_calls(&g, UNFOLD(0, 1) "," EXP(REF(1), 2, "[3,2]") "," EXP(COPY(1), 3, "[3,2]"), "2,3");
	buf out = {0};
	graph_write_json(&g, &out);
	assert_true(effects_writes(&g.nodes[1], 0) && !effects_copies(&g.nodes[1], 0));
	assert_true(!effects_writes(&g.nodes[2], 0) && effects_copies(&g.nodes[2], 0));
	assert_true(!effects_writes_any(&g.nodes[0]) && effects_any(&g));
	assert_non_null(strstr(buf_text(&out), "\"value\":{\"ref\":1}}],\"outputs\":[{\"id\":2"));
	assert_non_null(strstr(buf_text(&out), "\"value\":{\"ref\":1,\"copy\":true}}],\"outputs\":[{\"id\":3"));
	uint64_t direct = graph_hash(&g);
	g.nodes[1].direct = false;
	assert_true(graph_hash(&g) != direct);
	buf_free(&out);
	graph_destroy(&g);
}

static void groups(void **state)
{
	(void)state;
	graph g;
	uint32_t group[8];
	read_calls(&g, UNFOLD(0, 1) "," EXP(REF(1), 2, "[3,2]") "," EXP(COPY(1), 3, "[3,2]") "," COS(0, 4), "2,3,4");
	effects_group(&g, group);
	assert_true(group[0] == group[1] && group[1] == group[2] && group[3] != group[0] && group[4] != group[0]);
	graph_destroy(&g);
}

/* The number of calls that are left. */
static unsigned left_of(const char *calls, const char *outputs)
{
	graph g;
	read_calls(&g, calls, outputs);
	assert_true(effects_remove_unused(&g));
	unsigned count = g.live_nodes;
	assert_true(graph_check(&g, NULL));
	graph_destroy(&g);
	return count;
}

static void dead_writes(void **state)
{
	(void)state;
	assert_int_equal(left_of(COS(0, 1) "," EXP1(REF(1), 2) "," COS(0, 3), "3"), 1); /* nobody reads t1 afterwards */
	assert_int_equal(left_of(COS(0, 1) "," EXP1(REF(1), 2) "," ABS(1, 3), "3"), 3);
	assert_int_equal(left_of(COS(0, 1) "," ABS(1, 2) "," EXP1(REF(1), 3), "2"), 2); /* the read is before the write */
	assert_int_equal(left_of(COS(0, 1) "," EXP1(REF(1), 2), "1"), 2); /* a result */
	assert_int_equal(left_of(UNFOLD(0, 1) "," EXP(REF(1), 2, "[3,2]") "," COS(0, 3), "3"), 3); /* an input, afterwards */
	assert_int_equal(left_of(UNFOLD(0, 1) "," EXP(COPY(1), 2, "[3,2]") "," COS(0, 3), "3"), 1);
}

static void reduced(void **state)
{
	(void)state;
	graph g, to;
	assert_true(graph_init(&to));
	read_calls(&g, COS(0, 1) "," EXP1(REF(1), 2) "," ABS(2, 3) "," EXP1(REF(0), 4), "3");
	assert_true(reduce_write(&to, &g, 1, true)); /* its result becomes the operand */
	assert_int_equal(to.live_nodes, 3);
	assert_int_equal(graph_node_input(&to, &to.nodes[2], 0), 1);
	assert_true(reduce_write(&to, &g, 1, false));
	assert_true(effects_copies(&to.nodes[1], 0) && to.live_nodes == 4);
	assert_true(reduce_write(&to, &g, 3, true));
	assert_int_equal(to.live_nodes, 3);
	assert_false(reduce_write(&to, &g, 0, true)); /* no write */
	assert_true(reduce_to_node(&to, &g, 1)); /* a prefix of the program */
	assert_int_equal(to.live_nodes, 2);
	assert_true(reduce_without_node(&to, &g, 3, false)); /* a live write */
	assert_int_equal(to.live_nodes, 3);
	assert_true(reduce_to_call(&to, &g, 2));
	assert_int_equal(to.live_nodes, 1);
	graph_destroy(&g);
	graph_destroy(&to);
}

static void aliases(void **state)
{
	(void)state;
	unsigned input;
	const alias_row *unfold = alias_find(rs_library_find(&rs_rules, "torch.Tensor.unfold-4"));
	assert_int_equal(alias_of(unfold, 0, &input), ALIAS_VIEW);
	assert_int_equal(input, 0);
	assert_true(!alias_writes_any(unfold) && !alias_dense(unfold, 0));
	assert_true(alias_disjoint(unfold, (const int64_t[]){8, 2, 3}, 6, 8));
	assert_false(alias_disjoint(unfold, (const int64_t[]){8, 3, 2}, 9, 8));
	const alias_row *strided = alias_find(rs_library_find(&rs_rules, "torch.Tensor.as_strided-2"));
	assert_true(alias_disjoint(strided, (const int64_t[]){1, 1, 9, 2, 3, 4, 1, 0}, 6, 9));
	assert_false(alias_disjoint(strided, (const int64_t[]){1, 1, 9, 2, 3, 1, 1, 0}, 6, 9));
	const alias_row *unsafe = alias_find(rs_library_find(&rs_rules, "torch.unsafe_split-0"));
	assert_int_equal(alias_of(unsafe, 0, &input), ALIAS_UNDECLARED);
	assert_null(alias_find(rs_library_find(&rs_rules, "torch.cos-4")));
	const alias_row *shape = alias_find(rs_library_find(&rs_rules, "torch.Tensor.unsqueeze_-0"));
	assert_true(alias_reshapes(shape) && alias_writes(shape, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(copies_are_read_and_written), cmocka_unit_test(groups),
	    cmocka_unit_test(dead_writes), cmocka_unit_test(reduced), cmocka_unit_test(aliases)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
