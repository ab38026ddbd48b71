/* Rules as values: their answer to a call, unchanged when copied to another pool or through JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "operators.h"
#include "prove.h"
#include "rule_json.h"

/* m.narrow: a dimension, start, length. */
typedef struct fixture {
	records r;
	rule_store store;
	rule rule;
} fixture;

static const expr *parse(fixture *f, const char *text)
{
	const expr *e = expr_parse(f->store.pool, text, 3, "test", 1, NULL);
	assert_non_null(e);
	return e;
}

static int setup(void **state)
{
	static fixture f;
	buf b = {0};
	int nsym, nodim;
	put_call(&b, "m.narrow", 0, "x=t1 start=i length=i", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[3,1,1],[1]],[[5,0,2],[2]],[[5,1,3],[4]]],\"fail\":[[3,3,1],[5,4,0]]}\n");
	read_lines(&f.r, &b);
	f.store = rule_store_new();
	f.rule = (rule){.nodim = 1, .nclauses = 2, .layer = "columns", .thin = true, .proof = PROOF_PROVED};
	f.rule.out = ARENA_ARRAY(f.store.memory, const expr *, 1);
	f.rule.clauses = ARENA_ARRAY(f.store.memory, const expr *, 2);
	f.rule.out[0] = parse(&f, "s2 + 0*(s2//(9 - s0))"); /* no value if s0 is 9 */
	f.rule.clauses[0] = parse(&f, "s1 >= 0");
	f.rule.clauses[1] = parse(&f, "s1 + s2 <= s0");
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	fixture *f = *state;
	rule_store_free(&f->store);
	records_free(&f->r);
	return 0;
}

#define X(...) ((const int64_t[]){__VA_ARGS__})

static void accepts(void **state)
{
	fixture *f = *state;
	const operator *op = &f->r.ops[0];
	const rule *r = &f->rule;
	assert_true(rule_accepts(op, r, X(8, 1, 3), NULL));
	assert_true(rule_accepts(op, r, X(8, 1, 3), X(3)));
	assert_false(rule_accepts(op, r, X(8, 1, 3), X(2)));
	assert_false(rule_accepts(op, r, X(8, -1, 3), NULL));	/* a clause */
	assert_false(rule_accepts(op, r, X(9, 1, 3), NULL));	/* no value */
	assert_false(rule_accepts(op, r, X(8, 3, -1), NULL));	/* a negative output */
	assert_false(rule_accepts(op, r, X(-1, 0, -1), NULL));	/* a negative dimension */
	assert_true(rule_accepts(op, r, X(8, 8, 0), X(0)));
	int64_t out;
	assert_true(rule_clauses_hold(r, X(9, 1, 3)) && !rule_clauses_hold(r, X(9, 8, 3)));
	assert_true(rule_propagate(r, X(8, 1, 3), &out) && out == 3);
	assert_false(rule_propagate(r, X(9, 1, 3), &out));
	assert_false(rule_propagate(r, X(8, 1, -3), &out));
}

/* A dimension is any int64; anything larger is rejected, however the sum is computed. */
static void maximum_dimension(void **state)
{
	fixture *f = *state;
	const expr *sum = parse(f, "s1 + s2");
	const rule r = {.nodim = 1, .out = &sum};
	int64_t out = 0;
	assert_true(rule_propagate(&r, X(8, 1, INT64_MAX - 1), &out) && out == INT64_MAX);
	assert_false(rule_propagate(&r, X(8, 1, INT64_MAX), &out));
	assert_false(rule_propagate(&r, X(8, INT64_MAX, INT64_MAX), &out));
	assert_false(rule_propagate(&r, X(8, INT64_MIN, INT64_MIN), &out));
	assert_true(rule_accepts(&f->r.ops[0], &r, X(8, 1, INT64_MAX - 1), X(INT64_MAX)));
	assert_false(rule_accepts(&f->r.ops[0], &r, X(8, 1, INT64_MAX), NULL));
}

static void reports_single_failures(void **state)
{
	fixture *f = *state;
	const operator *op = &f->r.ops[0];
	rule_view v = rule_look(op, &f->rule, X(8, 1, 3));
	assert_true(v.accepts && v.failing == 0 && v.only == -1 && v.outside == -1);
	v = rule_look(op, &f->rule, X(8, -1, 3));
	assert_true(!v.accepts && v.failing == 1 && v.only == 0 && v.outside == -1);
	v = rule_look(op, &f->rule, X(9, 8, 3));
	assert_true(!v.accepts && v.failing == 1 && v.only == 1 && v.outside == 0);
	v = rule_look(op, &f->rule, X(3, -1, 9));
	assert_true(!v.accepts && v.failing == 2 && v.only == -1);
	v = rule_look(op, &f->rule, X(-1, 0, -1)); /* rejected, whatever a single change to the rule */
	assert_true(!v.accepts && v.failing == 2 && v.only == -1);
}

static void counts_records(void **state)
{
	fixture *f = *state;
	rule r = f->rule;
	rule_count(&f->r.ops[0], &r);
	assert_int_equal(r.passed, 2); /* one record has output 4, the rule gives 3 */
	assert_int_equal(r.failed, 1); /* no clause rejects start 4 and length 0 of 5 */
	assert_false(rule_agrees(&f->r.ops[0], &r));
	f->r.ops[0].pass[11] = 3;
	f->r.ops[0].nfail = 1; /* the first */
	assert_true(rule_agrees(&f->r.ops[0], &r));
	f->r.ops[0].pass[11] = 4;
	f->r.ops[0].nfail = 2;
}

static void check_same(const rule *a, const rule *b)
{
	assert_true(rule_equal(a, b));
	assert_int_equal(rule_length(a), rule_length(b));
	assert_string_equal(a->layer, b->layer);
	assert_int_equal(a->thin, b->thin);
	assert_int_equal(a->proof, b->proof);
	assert_int_equal(a->passed, b->passed);
	assert_int_equal(a->failed, b->failed);
}

static void moves_to_another_pool(void **state)
{
	fixture *f = *state;
	rule_store other = rule_store_new(), third = rule_store_new();
	rule copy = rule_copy(other, &f->rule);
	assert_ptr_not_equal(copy.out[0], f->rule.out[0]);
	check_same(&f->rule, &copy);
	copy.clauses[1] = copy.clauses[0];
	assert_false(rule_equal(&f->rule, &copy));
	copy.nclauses = 1;
	assert_false(rule_equal(&f->rule, &copy));
	copy = rule_copy(other, &f->rule);
	rule again = rule_copy(third, &copy);
	assert_ptr_not_equal(again.layer, copy.layer);
	rule_store_free(&other); /* the copy does not refer to it */
	check_same(&f->rule, &again);
	rule_store_free(&third);
}

static cJSON *as_json(const rule *r, int nsym)
{
	buf b = {0};
	buf_puts(&b, "{\"x\":0");
	rule_to_json(&b, r, nsym);
	buf_putc(&b, '}');
	cJSON *tree = cJSON_Parse(b.text);
	assert_non_null(tree);
	buf_free(&b);
	return tree;
}

static void survives_as_json(void **state)
{
	fixture *f = *state;
	rule_store other = rule_store_new();
	rule back, r = f->rule;
	for (int proof = PROOF_NONE; proof <= PROOF_UNKNOWN; proof++) {
		r.proof = (enum proof)proof;
		cJSON *tree = as_json(&r, 3);
		assert_true(rule_from_json(&back, other, f->r.ops[0].call, tree, "test", 1, NULL));
		assert_null(back.why);
		check_same(&r, &back);
		cJSON_Delete(tree);
	}
	rule partial = {.nodim = 1, .out = (const expr *[]){NULL}, .why = "nothing fits", .layer = "family"};
	cJSON *tree = as_json(&partial, 3);
	assert_true(rule_from_json(&back, other, f->r.ops[0].call, tree, "test", 1, NULL));
	assert_string_equal(back.why, "nothing fits");
	assert_string_equal(back.layer, "family");
	assert_non_null(back.out);
	assert_null(back.out[0]);
	cJSON_Delete(tree);
	rule_store_free(&other);
}

static void rejects_other_json(void **state)
{
	fixture *f = *state;
	static const struct {
		const char *text, *says;
	} CASES[] = {
	    {"{\"out\":[\"\"],\"valid\":[],\"passed\":0,\"failed\":0}", "test:7: error: expression"},
	    {"{\"out\":[\"s0\"],\"passed\":0,\"failed\":0}", "test:7: error: key \"valid\" is missing"},
	    {"{\"out\":[\"s0\"],\"valid\":[],\"proof\":\"sure\",\"passed\":0,\"failed\":0}", "test:7: error: key \"proof\": expected"},
	    {"{\"out\":[\"s0\"],\"valid\":[],\"failed\":0}", "test:7: error: key \"passed\" is missing"},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		rule r;
		diag d;
		cJSON *tree = cJSON_Parse(CASES[i].text);
		assert_false(rule_from_json(&r, f->store, f->r.ops[0].call, tree, "test", 7, &d));
		assert_true(strncmp(d.text, CASES[i].says, strlen(CASES[i].says)) == 0);
		cJSON_Delete(tree);
	}
}

/* s0 is a dimension; s1 and s2 are numbers, which may be negative. */
static void detects_trivial_clauses(void **state)
{
	fixture *f = *state;
	static const char *const EMPTY[] = {"s0 >= 0", "s0 > -1", "0 <= s0", "1 + s0 >= 0", "s0 > 0 or s0 == 0", "s0 > 0 or s0*s1 == 0",
	    "s1*s0*s2 == 0 or s0 >= 1", "s1 == 3 or s0 > 0 or s0*s2 == 0", "s1 > 0 or s0 >= 0", "s0*s0 >= 0", "s1 == s1"};
	static const char *const CLAUSES[] = {"s0 > 0", "s1 >= 0", "s0 - s1 >= 0", "s1 > 0 or s1 == 0", "s0 > 0 or s1*s2 == 0", "s0 > 1 or s0*s1 == 0",
	    "s0 > 0 or s0*s1 == 1", "s0 > 0 or s0 + s1 == 0", "s0 <= 0", "s0*s1 >= 0", "s0 > 0 or s0*s1 >= 1"};
	for (size_t i = 0; i < sizeof EMPTY / sizeof *EMPTY; i++)
		if (!rule_clause_is_trivial(&f->r.ops[0], parse(f, EMPTY[i])))
			fail_msg("rejects nothing: %s", EMPTY[i]);
	for (size_t i = 0; i < sizeof CLAUSES / sizeof *CLAUSES; i++)
		if (rule_clause_is_trivial(&f->r.ops[0], parse(f, CLAUSES[i])))
			fail_msg("rejects something: %s", CLAUSES[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(accepts), cmocka_unit_test(maximum_dimension),
	    cmocka_unit_test(reports_single_failures),
	    cmocka_unit_test(counts_records), cmocka_unit_test(moves_to_another_pool), cmocka_unit_test(survives_as_json),
	    cmocka_unit_test(rejects_other_json), cmocka_unit_test(detects_trivial_clauses)};
	return cmocka_run_group_tests(tests, setup, teardown);
}
