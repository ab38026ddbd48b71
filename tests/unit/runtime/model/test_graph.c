#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "graph.h"
#include "toy_table.h"

static const int64_t SHAPE[] = {2, 3};

static void check(const graph *g)
{
	diag d = {""};
	if (!graph_check(g, &d))
		fail_msg("%s", d.text);
}

static uint32_t input(graph *g)
{
	return graph_input(g, 2, SHAPE, RS_FLOAT32);
}

/* Inserts scale(tensor) before a node; returns its output. */
static uint32_t scale(graph *g, uint32_t tensor, uint32_t before)
{
	graph_call call = {.op = &TOY_OPS[TOY_SCALE],
	    .symbols = SHAPE,
	    .inputs = &tensor,
	    .out = SHAPE,
	    .out_dtypes = (const uint8_t[]){RS_FLOAT64}};
	uint32_t node = graph_insert(g, &call, before);
	return g->nodes[node].outputs;
}

static uint32_t add(graph *g, uint32_t a, uint32_t b)
{
	graph_call call = {.op = &TOY_OPS[TOY_ADD],
	    .symbols = (const int64_t[]){2, 3, 2, 3},
	    .inputs = (const uint32_t[]){a, b},
	    .out = SHAPE,
	    .out_dtypes = (const uint8_t[]){RS_FLOAT32}};
	uint32_t node = graph_insert(g, &call, GRAPH_NONE);
	return g->nodes[node].outputs;
}

/* A call that its rule rejects is invalid, whatever outputs it states. */
static void refuses_what_a_rule_refuses(void **state)
{
	(void)state;
	static const int64_t OTHER[] = {2, 4};
	graph g;
	diag d = {""};
	assert_true(graph_init(&g));
	uint32_t both[] = {input(&g), graph_input(&g, 2, OTHER, RS_FLOAT32)};
	graph_call call = {.op = &TOY_OPS[TOY_ADD],
	    .symbols = (const int64_t[]){2, 3, 2, 4},
	    .inputs = both,
	    .out = SHAPE,
	    .out_dtypes = (const uint8_t[]){RS_FLOAT32}};
	assert_int_not_equal(graph_insert(&g, &call, GRAPH_NONE), GRAPH_NONE);
	assert_false(graph_check(&g, &d));
	assert_non_null(strstr(d.text, TOY_OPS[TOY_ADD].name));
	graph_destroy(&g);
}

static void inserts(void **state)
{
	(void)state;
	graph g;
	assert_true(graph_init(&g));
	uint32_t a = input(&g), b = add(&g, a, a), c = add(&g, a, b);
	assert_int_equal(g.live_nodes, 2);
	assert_int_equal(g.tensors[a].nuses, 3);
	assert_int_equal(graph_first_user(&g, b), g.tensors[c].producer);
	assert_int_equal(g.tensors[c].numel, 6);
	assert_true(graph_precedes(&g, b, g.tensors[c].producer));
	assert_false(graph_precedes(&g, c, g.tensors[b].producer));
	check(&g);
	graph_destroy(&g);
}

static void replaces_and_removes(void **state)
{
	(void)state;
	graph g;
	assert_true(graph_init(&g));
	uint32_t a = input(&g), b = input(&g), c = add(&g, a, b), d = add(&g, c, a),
		 e = add(&g, c, b);
	graph_keep_unused(&g);
	assert_true(g.tensors[d].kept && g.tensors[e].kept);
	uint32_t f = input(&g);
	graph_replace_alluse(&g, c, f);
	assert_int_equal(g.tensors[c].nuses, 0);
	assert_int_equal(g.tensors[f].nuses, 2);
	check(&g);
	assert_int_equal(graph_remove_unused(&g), 1);
	assert_false(g.tensors[c].live);
	assert_true(g.tensors[a].live && g.tensors[b].live);
	g.tensors[e].kept = false;
	assert_int_equal(graph_remove_unused(&g), 1);
	assert_false(g.tensors[b].live);
	check(&g);
	graph_replace_alluse(&g, d, f); /* the model now returns f */
	assert_true(g.tensors[f].kept && !g.tensors[d].kept);
	assert_int_equal(graph_remove_unused(&g), 1);
	assert_int_equal(g.live_nodes, 0);
	assert_true(g.tensors[f].live);
	check(&g);
	graph_destroy(&g);
}

/* Repeated insertion at one position leaves no room between two order numbers. */
static void keeps_order(void **state)
{
	(void)state;
	graph g;
	assert_true(graph_init(&g));
	uint32_t a = input(&g), first = scale(&g, a, GRAPH_NONE), last = scale(&g, a, GRAPH_NONE);
	uint32_t before = g.tensors[last].producer, x = first;
	for (int i = 0; i < 1000; i++) {
		x = scale(&g, x, before);
		assert_true(graph_precedes(&g, x, before));
	}
	check(&g);
	for (int i = 0; i < 1000; i++)
		scale(&g, a, g.first);
	check(&g);
	assert_int_equal(g.live_nodes, 2002);
	graph_destroy(&g);
}

static void copies_and_hashes(void **state)
{
	(void)state;
	graph g, h;
	assert_true(graph_init(&g) && graph_init(&h));
	uint32_t a = input(&g), b = add(&g, a, a);
	scale(&g, b, GRAPH_NONE);
	graph_keep_unused(&g);
	graph_number(&g);
	uint64_t hash = graph_hash(&g);
	assert_true(graph_copy(&h, &g));
	assert_true(graph_hash(&h) == hash);
	check(&h);
	h.tensors[b].kept = true;
	assert_true(graph_hash(&h) != hash);
	graph_reset(&g);
	check(&h);
	add(&g, input(&g), 0);
	check(&g);
	assert_int_equal(g.live_nodes, 1);
	graph_destroy(&g);
	graph_destroy(&h);
}

static void check_finds_faults(void **state)
{
	(void)state;
	diag d;
	graph g;
	assert_true(graph_init(&g));
	uint32_t a = input(&g), b = add(&g, a, a), c = add(&g, b, a);
	check(&g);
	g.tensors[a].nuses++;
	assert_false(graph_check(&g, &d));
	g.tensors[a].nuses--;
	g.nodes[g.tensors[b].producer].order = UINT64_MAX;
	assert_false(graph_check(&g, &d));
	g.nodes[g.tensors[b].producer].order = 1;
	((int64_t *)g.tensors[c].shape)[0] = 9;
	assert_false(graph_check(&g, &d));
	assert_non_null(strstr(d.text, "another shape than its rule predicts"));
	((int64_t *)g.tensors[c].shape)[0] = 2;
	check(&g);
	graph_remove_input(&g, a);
	assert_false(graph_check(&g, &d));
	graph_destroy(&g);
}

/* The dimensions of the second input broadcast to those of the first. */
static bool each_alike_or_one(const int64_t *s)
{
	return (s[0] == s[2] || s[2] == 1) && (s[1] == s[3] || s[3] == 1);
}

/* If the rule accepts dimensions of one in the second input; the first one's are the outputs'. */
static void reshapes_inputs(void **state)
{
	(void)state;
	graph g;
	rs_op wide = TOY_OPS[TOY_ADD], thin;
	wide.valid = each_alike_or_one;
	thin = wide;
	thin.flags = RS_THIN;
	assert_true(graph_init(&g));
	uint32_t a = input(&g), b = input(&g), c = input(&g);
	graph_call call = {&wide, (const int64_t[]){2, 3, 2, 3}, (const uint32_t[]){a, b}, NULL, SHAPE,
	    (const uint8_t[]){RS_FLOAT32}, NULL};
	uint32_t node = graph_insert(&g, &call, GRAPH_NONE), made = g.nodes[node].outputs;
	const int64_t row[] = {1, 3}, one[] = {1, 1};
	bool failed = false;
	assert_false(graph_reshape_input(&g, a, row, &failed)); /* rejected */
	assert_false(graph_reshape_input(&g, made, row, &failed)); /* no input */
	assert_false(graph_reshape_input(&g, c, row, &failed)); /* of no call */
	assert_true(graph_reshape_input(&g, b, row, &failed));
	assert_int_equal(g.tensors[b].numel, 3);
	assert_int_equal(g.nodes[0].symbols[2], 1);
	check(&g);
	assert_true(graph_reshape_input(&g, b, one, &failed));
	assert_int_equal(g.tensors[b].numel, 1);
	check(&g);
	call.op = &thin, call.inputs = (const uint32_t[]){made, c};
	graph_insert(&g, &call, GRAPH_NONE);
	assert_false(graph_reshape_input(&g, c, row, &failed)); /* an untrusted rule */
	scale(&g, b, GRAPH_NONE);
	assert_false(graph_reshape_input(&g, b, row, &failed)); /* of two calls */
	assert_false(failed);
	graph_destroy(&g);
}

static void forms(void **state)
{
	(void)state;
	graph g, h, copy;
	arena *a = arena_new();
	graph_form form;
	const rs_op *op = &TOY_OPS[TOY_CAT];
	assert_true(a && graph_init(&g) && graph_init(&h) && graph_init(&copy));
	assert_true(graph_find_form(&form, op, a));
	assert_int_equal(form.nconsts, 1);
	graph_call call = {.op = op,
	    .symbols = (const int64_t[]){2, 3, 2, 3},
	    .out = (const int64_t[]){4, 3},
	    .out_dtypes = (const uint8_t[]){RS_FLOAT32}};
	const char *text = "True";
	for (int own = 0; own < 2; own++) {
		call.consts = own ? NULL : &text;
		call.form = NULL;
		call.inputs = (const uint32_t[]){input(&g), input(&g)};
		assert_int_not_equal(graph_insert(&g, &call, GRAPH_NONE), GRAPH_NONE);
		call.form = &form;
		call.inputs = (const uint32_t[]){input(&h), input(&h)};
		assert_int_not_equal(graph_insert(&h, &call, GRAPH_NONE), GRAPH_NONE);
	}
	arena_free(a);
	graph_number(&g);
	graph_number(&h);
	uint64_t hash = graph_hash(&g);
	assert_true(graph_hash(&h) == hash);
	assert_true(graph_copy(&copy, &h));
	graph_destroy(&h);
	assert_true(graph_hash(&copy) == hash);
	check(&copy);
	graph_destroy(&copy);
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(inserts), cmocka_unit_test(refuses_what_a_rule_refuses),
	    cmocka_unit_test(replaces_and_removes), cmocka_unit_test(keeps_order),
	    cmocka_unit_test(copies_and_hashes), cmocka_unit_test(forms), cmocka_unit_test(reshapes_inputs),
	    cmocka_unit_test(check_finds_faults)};
	return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
