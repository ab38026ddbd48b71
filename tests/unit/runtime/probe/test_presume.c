/* What is presumed of calls that were not tried: 120 APIs of 5 operators, 2 rows of dtypes each. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "models.h"
#include "presume.h"
#include "toy_table.h"

enum { APIS = 120, FORMS = 5, ROWS = 2, CALLS = APIS * FORMS * ROWS };

typedef struct wide_table {
	rs_table table;
	rs_op ops[APIS * FORMS];
	char names[APIS * FORMS][40], apis[APIS][24];
} wide_table;

static int set_up(void **state)
{
	wide_table *w = calloc(1, sizeof *w);
	assert_non_null(w);
	w->table = TOY_TABLE;
	w->table.ops = w->ops, w->table.nops = APIS * FORMS;
	for (int i = 0; i < APIS * FORMS; i++) {
		snprintf(w->apis[i / FORMS], sizeof *w->apis, "torch.a%03d", i / FORMS);
		snprintf(w->names[i], sizeof *w->names, "torch.a%03d-%d", i / FORMS, i % FORMS);
		w->ops[i] = TOY_TABLE.ops[TOY_ADD];
		w->ops[i].name = w->names[i], w->ops[i].api = w->apis[i / FORMS];
	}
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

typedef bool refuses(int api, int form, bool floats);

/* True if the target described by the callback accepts the call of a model. */
static bool ask(const rs_graph *g, refuses *refused, int *api)
{
	const graph_node *n = &g->nodes[g->first];
	uint8_t row[8];
	int form = 0;
	graph_row(g, n, row);
	assert_int_equal(sscanf(n->op->name, "torch.a%d-%d", api, &form), 2);
	return !refused(*api, form, row[0] == RS_FLOAT32);
}

/* Tries so many calls, extrapolates, and counts the calls left for models, and the rejected ones among them. */
static uint64_t left(wide_table *w, refuses *refused, uint64_t tried, uint64_t *bad)
{
	diag d = {""};
	size_t n;
	int api;
	capabilities *c = capabilities_new(&w->table, "toy", "{}");
	rs_gen *gen = open_models(&w->table, (rs_gen_options){.strategy = RS_CALLS});
	rs_graph *g = rs_graph_new();
	assert_int_equal(rs_gen_count(gen), CALLS);
	for (uint64_t i = 0; i < tried; i++) {
		assert_true(rs_gen_model(gen, 0, i, g));
		assert_true(capabilities_note(c, g, ask(g, refused, &api) ? VERDICT_ok : VERDICT_unsupported, ""));
	}
	*capabilities_next(c) = tried;
	assert_true(presume_untried(&w->table, c, &d));
	rs_gen_free(gen);
	const uint64_t *without = capabilities_without(c, &n);
	*bad = 0;
	if (n == CALLS) {
		capabilities_free(c);
		rs_graph_free(g);
		return 0;
	}
	gen = open_models(&w->table, (rs_gen_options){.strategy = RS_CALLS, .without = without, .nwithout = n});
	const uint64_t count = rs_gen_count(gen);
	assert_int_equal(count, CALLS - n);
	for (uint64_t i = 0; i < count; i++) {
		assert_true(rs_gen_model(gen, 0, i, g));
		*bad += !ask(g, refused, &api);
	}
	rs_gen_free(gen);
	rs_graph_free(g);
	capabilities_free(c);
	return count;
}

static bool none(int api, int form, bool floats)
{
	(void)api, (void)form, (void)floats;
	return false;
}

static bool third_api(int api, int form, bool floats)
{
	(void)form, (void)floats;
	return api % 3 == 0;
}

/* Integers of a third of the APIs. */
static bool third_kind(int api, int form, bool floats)
{
	(void)form;
	return api % 3 == 0 && !floats;
}

/* Nothing tells beforehand. */
static bool third_call(int api, int form, bool floats)
{
	return (api * 7 + form * 5 + floats * 3) % 3 == 0;
}

static void a_target_that_takes_all_gets_all(void **state)
{
	uint64_t bad;
	assert_int_equal(left(*state, none, 700, &bad), CALLS);
	assert_int_equal(left(*state, none, 0, &bad), CALLS); /* nothing is known about them */
	assert_int_equal(left(*state, none, 20, &bad), CALLS);
}

/* One kind in all: its calls are out, and nothing else is. */
static bool one_kind(int api, int form, bool floats)
{
	(void)form;
	return api == 7 && !floats;
}

static void a_target_that_refuses_little_gets_the_rest(void **state)
{
	uint64_t bad;
	assert_int_equal(left(*state, one_kind, 2 * APIS, &bad), CALLS - FORMS);
	assert_int_equal(bad, 0);
}

static void what_is_like_refused_calls_is_left_out(void **state)
{
	uint64_t bad, tried = 2 * APIS + 600;
	assert_int_equal(left(*state, third_api, tried, &bad), CALLS * 2 / 3);
	assert_int_equal(bad, 0);
	assert_int_equal(left(*state, third_kind, tried, &bad), CALLS * 5 / 6);
	assert_int_equal(bad, 0);
}

static void what_cannot_be_told_is_left_out(void **state)
{
	uint64_t bad, tried = 600;
	const uint64_t count = left(*state, third_call, tried, &bad);
	assert_int_equal(bad, 0);
	assert_in_range(count, tried * 2 / 3 - 30, tried * 2 / 3 + 30);
}

/* Few tried calls suffice if a third of an API is rejected. */
static void few_calls_tell_enough(void **state)
{
	uint64_t bad, tried = 40;
	assert_in_range(left(*state, third_call, tried, &bad), tried / 2, tried);
	assert_int_equal(bad, 0);
	assert_in_range(left(*state, one_kind, tried, &bad), CALLS - FORMS, CALLS);
}

/* The call that was asked first, and no other. */
static bool the_first(int api, int form, bool floats)
{
	static int first[3] = {-1};
	const int call[3] = {api, form, floats};
	if (first[0] < 0)
		memcpy(first, call, sizeof first);
	return memcmp(first, call, sizeof first) == 0;
}

/* One rejected call does not exclude the others among up to 63 calls; among more it does, until it is rare. */
static void one_of_few_is_an_exception(void **state)
{
	uint64_t bad;
	assert_int_equal(left(*state, the_first, 63, &bad), CALLS - FORMS); /* its like goes with it */
	assert_int_equal(left(*state, the_first, 64, &bad), 63); /* nothing but what ran */
	assert_int_equal(left(*state, the_first, 168, &bad), CALLS - FORMS);
}

static void what_was_tried_stays(void **state)
{
	uint64_t bad;
	assert_int_equal(left(*state, third_call, CALLS, &bad), CALLS * 2 / 3);
	assert_int_equal(bad, 0);
}

/* Some dimensions of a form: with integers they did not come up. */
static bool floats_of_a_form(int api, int form, bool floats)
{
	return api % 3 == 0 && form == 3 && floats;
}

/* An API without float kernels, as one signature shows: other signatures are not excluded for their dimensions. */
static bool floats(int api, int form, bool of_floats)
{
	(void)form;
	return api % 3 == 0 && of_floats;
}

static void what_some_dimensions_are_refused_of_is_left_out(void **state)
{
	uint64_t bad;
	assert_int_equal(left(*state, floats_of_a_form, CALLS, &bad), CALLS - APIS / 3 * ROWS);
	assert_int_equal(left(*state, floats, CALLS, &bad), CALLS - APIS / 3 * FORMS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_target_that_takes_all_gets_all, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(a_target_that_refuses_little_gets_the_rest, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_is_like_refused_calls_is_left_out, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_cannot_be_told_is_left_out, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(few_calls_tell_enough, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(one_of_few_is_an_exception, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_was_tried_stays, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_some_dimensions_are_refused_of_is_left_out, set_up, tear_down)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
