/* Rules for a record subset, such as tensors with elements only: the excluded records, overfitted clauses,
 * and the records that return. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "record_subset.h"
#include "operators.h"

/* m.mix: x of s0 and y of s1 numbers give s0. They have one size, or one is empty: then every call passes,
 * or none. */
typedef struct fixture {
	records r;
	rule_store store;
	rule rule;
} fixture;

static const expr *parse(fixture *f, const char *text)
{
	const expr *e = expr_parse(f->store.pool, text, 2, "test", 1, NULL);
	assert_non_null(e);
	return e;
}

static void set_clauses(fixture *f, const char *const *texts, int n)
{
	f->rule.nclauses = n;
	f->rule.clauses = ARENA_ARRAY(f->store.memory, const expr *, n + 1);
	for (int c = 0; c < n; c++)
		f->rule.clauses[c] = parse(f, texts[c]);
}

static int setup(void **state)
{
	static fixture f;
	buf b = {0};
	int nsym, nodim;
	put_call(&b, "m.mix", 0, "x=t1 y=t1", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[0,3],[0]],[[4,0],[4]]");
	for (int k = 1; k <= 9; k++)
		buf_printf(&b, ",[[%d,%d],[%d]]", k, k, k);
	buf_puts(&b, "],\"fail\":[[0,4]");
	for (int k = 1; k <= 9; k++)
		buf_printf(&b, ",[%d,%d]", k, k + 1);
	buf_puts(&b, "]}\n");
	read_lines(&f.r, &b);
	f.store = rule_store_new();
	f.rule = (rule){.nodim = 1, .layer = "columns"};
	f.rule.out = ARENA_ARRAY(f.store.memory, const expr *, 1);
	f.rule.out[0] = parse(&f, "s0");
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

static void leaves_empty_tensors_out(void **state)
{
	fixture *f = *state;
	const operator *whole = &f->r.ops[0];
	operator op, again;
	assert_true(subset_without_empty(whole, SUBSET_INPUTS, &op, f->r.memory));
	assert_int_equal(op.npass, 9);
	assert_int_equal(op.nfail, 9);
	assert_int_equal(op.empty, 2);
	assert_true(op.hash != whole->hash);
	for (int k = 0; k < op.npass + op.nfail; k++)
		assert_true(record_symbols(&op, k)[0] > 0 && record_symbols(&op, k)[1] > 0);
	assert_int_equal(whole->npass, 11); /* unchanged */
	assert_false(subset_without_empty(&op, SUBSET_INPUTS, &again, f->r.memory)); /* no records left to exclude */
}

static void wants_enough(void **state)
{
	fixture *f = *state;
	operator few = f->r.ops[0], op;
	few.npass = 9; /* two of empty tensors among them */
	int with = 0;
	for (int k = 0; k < few.npass; k++)
		with += record_symbols(&few, k)[0] > 0 && record_symbols(&few, k)[1] > 0;
	assert_int_equal(with, 7);
	assert_false(subset_without_empty(&few, SUBSET_INPUTS, &op, f->r.memory));
}

static void tells_fitted(void **state)
{
	static const char *const GOOD[] = {"s0 == s1"};
	static const char *const FITTED[] = {"s0 == s1 or s0 != 3", "s0 == s1 or s0 != 4"};
	static const char *const SIGN_CLAUSES[] = {"s0 == s1", "s0 >= 0", "s1 > 0"}; /* the likeliest clauses; they reject no record */
	static const char *const MANY[] = {"s0 == s1 or s0 != 0", "s0 == s1 or s0 != 1", "s0 == s1 or s0 != 2", "s0 == s1 or s0 != 3",
		"s0 == s1 or s0 != 4", "s0 == s1 or s0 != 5", "s0 == s1 or s0 != 6", "s0 == s1 or s0 != 7", "s0 == s1 or s0 != 8",
		"s0 == s1 or s0 != 9"};
	fixture *f = *state;
	operator op;
	subset_without_empty(&f->r.ops[0], SUBSET_INPUTS, &op, f->r.memory);
	set_clauses(f, GOOD, 1);
	assert_false(subset_is_overfitted(&op, &f->rule, false));
	set_clauses(f, FITTED, 2);
	assert_true(subset_is_overfitted(&op, &f->rule, false));
	set_clauses(f, SIGN_CLAUSES, 3);
	assert_false(subset_is_overfitted(&op, &f->rule, false));
	set_clauses(f, MANY, 10); /* each rejects less than an eighth, since there are ten */
	assert_true(subset_is_overfitted(&op, &f->rule, false));
	assert_false(subset_is_overfitted(&op, &f->rule, true));
	set_clauses(f, FITTED, 2);
	assert_true(subset_is_overfitted(&op, &f->rule, true));
	op.nfail = 0; /* no rejected calls */
	set_clauses(f, GOOD, 1);
	assert_true(subset_is_overfitted(&op, &f->rule, false));
}

/* A clause that looks overfitted alone does not if enough others have support. */
static void weighs_together(void **state)
{
	static const char *const GOOD[] = {"s0 == s1"};
	static const char *const FITTED[] = {"s0 == s1 or s0 != 3", "s0 == s1 or s0 != 4"};
	fixture *f = *state;
	operator op;
	clause_support w = {0};
	subset_without_empty(&f->r.ops[0], SUBSET_INPUTS, &op, f->r.memory);
	set_clauses(f, FITTED, 2);
	assert_true(subset_count_support(&op, &f->rule, false, &w));
	assert_int_equal(w.clauses, 2);
	assert_int_equal(w.weak, 2);
	set_clauses(f, GOOD, 1);
	for (int k = 0; k < 4; k++) {
		assert_true(subset_has_low_support(w));
		assert_true(subset_count_support(&op, &f->rule, false, &w));
	}
	assert_int_equal(w.clauses, 6);
	assert_false(subset_has_low_support(w));
	op.nfail = 0;
	assert_false(subset_count_support(&op, &f->rule, false, &w));
	assert_int_equal(w.clauses, 6); /* no record tests it */
}

/* An alternative that hardly any rejected call supports; six support the last one. */
static void tells_alternatives(void **state)
{
	static const char *const GOOD[] = {"s0 == s1"}, *const FEW[] = {"s0 == s1 or s0 != 3"}, *const MANY[] = {"s0 == s1 or s0 > 5"};
	fixture *f = *state;
	operator op;
	subset_without_empty(&f->r.ops[0], SUBSET_INPUTS, &op, f->r.memory);
	set_clauses(f, GOOD, 1);
	assert_false(subset_has_overfitted_or(&op, &f->rule));
	set_clauses(f, FEW, 1);
	assert_true(subset_has_overfitted_or(&op, &f->rule));
	set_clauses(f, MANY, 1);
	assert_false(subset_has_overfitted_or(&op, &f->rule));
}

/* Empty inputs are excluded as outliers are; the other rejected calls stay. */
static void leaves_empty_inputs_apart(void **state)
{
	static const char *const CLAUSES[] = {"s0 == s1", "s0 > 1"};
	fixture *f = *state;
	const operator *whole = &f->r.ops[0];
	operator op, again;
	assert_true(subset_without_empty_inputs(whole, &op, f->r.memory));
	assert_int_equal(op.npass, 9);
	assert_int_equal(op.nfail, whole->nfail);
	assert_int_equal(op.outside, 2);
	assert_int_equal(op.empty, 0);
	assert_false(subset_without_empty_inputs(&op, &again, f->r.memory)); /* no records left to exclude */
	set_clauses(f, CLAUSES, 2); /* rejects 1, 1, and both of an empty tensor, of 11 */
	assert_false(subset_without_rejected(whole, &f->rule, false, &op, f->r.memory));
	assert_true(subset_without_rejected(whole, &f->rule, true, &op, f->r.memory));
	assert_int_equal(op.outside, 3);
}

static void asks_for_elements(void **state)
{
	static const char *const CLAUSES[] = {"s0 == s1"};
	fixture *f = *state;
	const operator *whole = &f->r.ops[0];
	operator op = {0};
	set_clauses(f, CLAUSES, 1);
	rule r = subset_rule(f->store, whole, &f->rule);
	assert_int_equal(r.nclauses, 3);
	for (int k = 0; k < whole->npass + whole->nfail; k++) {
		const int64_t *x = record_symbols(whole, k);
		assert_int_equal(rule_accepts(whole, &r, x, NULL), k < whole->npass && x[0] > 0 && x[1] > 0);
	}
	assert_true(subset_readmit(whole, &r, &op, f->r.memory));
	assert_int_equal(op.empty, 2);
	assert_int_equal(op.npass, 9);
	assert_int_equal(op.nfail, whole->nfail);
	assert_true(rule_agrees(&op, &r));
}

static void takes_back(void **state)
{
	static const char *const ALL[] = {"s0 == s1 or s1 == 0"};
	fixture *f = *state;
	const operator *whole = &f->r.ops[0];
	operator op = {0};
	set_clauses(f, ALL, 1);
	assert_true(subset_readmit(whole, &f->rule, &op, f->r.memory));
	assert_int_equal(op.empty, 1); /* 0, 3 */
	assert_int_equal(op.npass, 10);
	f->rule.out[0] = parse(f, "s1"); /* 4, 0 gave 4 */
	assert_false(subset_readmit(whole, &f->rule, &op, f->r.memory));
	f->rule.out[0] = parse(f, "s0");
}

/* m.less: x of s0 and y of s1 numbers give s0 - s1. If that is 0, some calls pass and some fail. */
static void leaves_empty_outputs_out(void **state)
{
	static const char *const CLAUSES[] = {"s1 != 5"};
	fixture *f = *state;
	records r = {0};
	buf b = {0};
	int nsym, nodim;
	operator op, again;
	put_call(&b, "m.less", 0, "x=t1 y=t1", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[3,0],[3]],[[4,4],[0]],[[6,6],[0]]");
	for (int k = 1; k <= 9; k++)
		buf_printf(&b, ",[[%d,%d],[%d]]", k + 9, k == 5 ? 4 : k, k == 5 ? 10 : 9);
	buf_puts(&b, "],\"fail\":[[0,0],[3,3],[7,7],[2,9],[12,5]]}\n");
	read_lines(&r, &b);
	const operator *whole = &r.ops[0];
	assert_true(subset_without_empty(whole, SUBSET_INPUTS, &op, r.memory));
	assert_false(op.empty_outputs);
	assert_int_equal(op.empty, 1);
	assert_true(subset_without_empty(whole, SUBSET_OUTPUTS, &op, r.memory));
	assert_true(op.empty_outputs);
	assert_int_equal(op.empty, 3);
	assert_int_equal(op.nfail, 4);
	assert_false(subset_without_empty(&op, SUBSET_OUTPUTS, &again, r.memory));

	rule less = f->rule;
	less.out = ARENA_ARRAY(f->store.memory, const expr *, 1);
	less.out[0] = parse(f, "s0 - s1");
	set_clauses(f, CLAUSES, 1);
	less.clauses = f->rule.clauses;
	less.nclauses = 1;
	less = subset_rule(f->store, &op, &less);
	assert_int_equal(less.nclauses, 4);
	assert_false(subset_leaves_open(&op, &less, 0)); /* s1 != 5 */
	for (int c = 1; c < 4; c++)
		assert_true(subset_leaves_open(&op, &less, c));
	assert_int_equal(subset_rule(f->store, &op, &less).nclauses, 4); /* the rule implies it already */
	assert_true(subset_readmit(whole, &less, &again, r.memory));
	assert_int_equal(again.empty, 3);
	assert_true(again.empty_outputs);
	assert_int_equal(again.nfail, whole->nfail);
	assert_true(rule_agrees(&again, &less));
	op.empty_outputs = false; /* if only empty inputs are excluded, the framework rejects empty outputs */
	assert_false(subset_leaves_open(&op, &less, 3));
	records_free(&r);
}

/* m.mix with 12 passing calls with elements; one has other sizes. */
static void leaves_outliers_out(void **state)
{
	static const char *const CLAUSES[] = {"s0 == s1"}, *const TOO_MUCH[] = {"s0 == s1", "s0 > 3", "s1 > 2"}, *const ALL[] = {"s0 >= 0"};
	fixture *f = *state;
	records r = {0};
	buf b = {0};
	int nsym, nodim;
	operator op;
	put_call(&b, "m.mix", 0, "x=t1 y=t1", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[9,2],[9]]");
	for (int k = 1; k <= 11; k++)
		buf_printf(&b, ",[[%d,%d],[%d]]", k, k, k);
	buf_puts(&b, "],\"fail\":[[2,9]]}\n");
	read_lines(&r, &b);
	const operator *whole = &r.ops[0];
	assert_int_equal(subset_max_outliers(whole), 2);
	set_clauses(f, CLAUSES, 1);
	assert_true(subset_without_rejected(whole, &f->rule, false, &op, r.memory));
	assert_int_equal(op.outside, 1);
	assert_int_equal(op.empty, 0);
	assert_int_equal(op.npass, 11);
	assert_int_equal(op.apart[0], 9);
	assert_int_equal(op.apart[1], 2);
	assert_true(subset_leaves_open(&op, &f->rule, 0)); /* 9, 2 violates it alone, and passes */
	assert_false(subset_leaves_open(whole, &f->rule, 0));
	assert_true(rule_agrees(&op, &f->rule));
	assert_true(op.hash != whole->hash);
	set_clauses(f, ALL, 1);
	assert_false(subset_without_rejected(whole, &f->rule, false, &op, r.memory)); /* none is excluded */
	set_clauses(f, TOO_MUCH, 3);
	assert_false(subset_without_rejected(whole, &f->rule, false, &op, r.memory)); /* four are */
	op.outside = 1;
	assert_false(subset_leaves_open(&op, &f->rule, 0)); /* 1, 1 also violates another one */
	set_clauses(f, CLAUSES, 1);
	assert_true(subset_without_rejected(whole, &f->rule, false, &op, r.memory));
	assert_true(subset_readmit(whole, &f->rule, &op, r.memory));
	assert_int_equal(op.outside, 1);
	assert_int_equal(op.empty, 0);
	records_free(&r);
}

static void read_passing(records *r, const char *rows, int nfail)
{
	buf b = {0};
	int nsym, nodim;
	put_call(&b, "m.mix", 0, "x=t1 y=t1", "1", &nsym, &nodim);
	buf_printf(&b, ",\"pass\":[%s],\"fail\":[[2,9]", rows);
	for (int k = 1; k < nfail; k++)
		buf_printf(&b, ",[2,%d]", 100 + k);
	buf_puts(&b, "]}\n");
	read_lines(r, &b);
}

/* Nine of twelve passing calls have twice as many numbers in y as in x, or none in either. */
static void finds_core(void **state)
{
	(void)state;
	static const char ROWS[] = "[[0,0],[0]],[[1,2],[1]],[[2,4],[2]],[[3,6],[3]],[[4,8],[4]],[[5,10],[5]],[[6,12],[6]],[[7,14],[7]],[[8,16],[8]],"
		"[[1,7],[1]],[[2,5],[2]],[[0,3],[0]]";
	records r = {0};
	operator op;
	read_passing(&r, ROWS, 1);
	assert_true(subset_inliers(&r.ops[0], 75, &op, r.memory));
	assert_int_equal(op.npass, 9);
	assert_int_equal(op.outside, 3);
	for (int k = 0; k < op.npass; k++)
		assert_int_equal(passing_record(&op, k)[1], 2 * passing_record(&op, k)[0]);
	assert_true(op.hash != r.ops[0].hash);
	assert_false(subset_inliers(&r.ops[0], 76, &op, r.memory)); /* fewer lie on it */
	records_free(&r);
}

static void finds_no_core(void **state)
{
	(void)state;
	static const char *const ROWS[] = {
		/* all lie on the line */
		"[[1,1],[1]],[[2,2],[2]],[[3,3],[3]],[[4,4],[4]],[[5,5],[5]],[[6,6],[6]],[[7,7],[7]],[[8,8],[8]],[[9,9],[9]]",
		/* the records off the line broadcast */
		"[[1,1],[1]],[[2,2],[2]],[[3,3],[3]],[[4,4],[4]],[[5,5],[5]],[[6,6],[6]],[[7,7],[7]],[[8,8],[8]],[[9,1],[9]],[[1,4],[1]]",
		/* one size of x does not determine a multiple */
		"[[3,6],[3]],[[3,6],[3]],[[3,6],[3]],[[3,6],[3]],[[3,6],[3]],[[3,6],[3]],[[3,6],[3]],[[3,6],[3]],[[3,7],[3]]",
		/* fewer than eight are left */
		"[[1,2],[1]],[[2,4],[2]],[[3,6],[3]],[[4,8],[4]],[[5,10],[5]],[[6,12],[6]],[[7,14],[7]],[[7,5],[7]]"};
	for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
		records r = {0};
		operator op;
		read_passing(&r, ROWS[i], 1);
		assert_false(subset_inliers(&r.ops[0], 60, &op, r.memory));
		records_free(&r);
	}
}

/* Thirty of forty passing calls have as many numbers in y as in x; in the others one of the two has 1. No
 * line describes broadcasting, so the subset counts the others as rejected. 23 on the line are too few; nor
 * is there a subset if more calls pass off the line than were rejected. */
static void finds_equal_core(void **state)
{
	(void)state;
	static const struct { int equal, nfail; bool found; } CASES[] = {{30, 10, true}, {23, 20, false}, {30, 9, false}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		buf rows = {0};
		records r = {0};
		operator op;
		for (int k = 0; k < 40; k++)
			buf_printf(&rows, "%s[[%d,%d],[%d]]", k ? "," : "", k < CASES[i].equal ? k + 2 : 1, k + 2, k + 2);
		read_passing(&r, rows.text, CASES[i].nfail);
		assert_false(subset_inliers(&r.ops[0], 50, &op, r.memory));
		assert_int_equal(subset_equal_inliers(&r.ops[0], 50, &op, r.memory), CASES[i].found);
		if (CASES[i].found) {
			assert_int_equal(op.npass, 30);
			assert_int_equal(op.outside, 10);
			assert_int_equal(op.nfail, 20);
			for (int k = 10; k < op.nfail; k++)
				assert_int_equal(record_symbols(&op, op.npass + k)[0], 1);
			assert_int_equal(r.ops[0].nfail, 10);
		}
		records_free(&r);
		buf_free(&rows);
	}
}

/* Of 27 passing calls two have a negative number, and three others an empty tensor; x + k, of k <= x. */
static void leaves_negative_out(void **state)
{
	(void)state;
	records r = {0};
	buf b = {0};
	int nsym, nodim;
	operator op;
	put_call(&b, "m.more", 0, "x=t1 k=i", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[0,-1],[7]],[[0,0],[0]],[[0,1],[1]],[[0,2],[2]],[[9,-2],[9]]");
	for (int k = 1; k <= 22; k++)
		buf_printf(&b, ",[[%d,%d],[%d]]", 10 + k, k % 9, 10 + k + k % 9);
	buf_puts(&b, "],\"fail\":[[2,9]]}\n");
	read_lines(&r, &b);
	assert_true(subset_without_negative(&r.ops[0], SUBSET_SIGNS, &op, r.memory));
	assert_int_equal(op.npass, 25);
	assert_int_equal(op.outside, 2);
	assert_true(subset_without_negative(&r.ops[0], SUBSET_SIGNS_AND_INPUTS, &op, r.memory));
	assert_int_equal(op.npass, 22);
	assert_int_equal(op.outside, 5);
	assert_int_equal(op.empty, 0);
	assert_int_equal(op.nfail, 1);
	assert_true(op.hash != r.ops[0].hash);
	operator rest = op;
	assert_false(subset_without_negative(&rest, SUBSET_SIGNS, &op, r.memory)); /* none is negative */
	records_free(&r);
}

/* A dimension is never negative. No subset if fewer than a third of the calls have no negative number. */
static void keeps_negative(void **state)
{
	(void)state;
	records r = {0};
	buf b = {0};
	int nsym, nodim;
	operator op;
	put_call(&b, "m.more", 0, "x=t1 k=i", "1", &nsym, &nodim);
	buf_puts(&b, ",\"pass\":[[[1,-1],[1]]");
	for (int k = 1; k <= 26; k++)
		buf_printf(&b, ",[[%d,%d],[%d]]", 10 + k, k <= 8 ? k : -k, 10 + k);
	buf_puts(&b, "],\"fail\":[[2,9]]}\n");
	read_lines(&r, &b);
	assert_false(subset_without_negative(&r.ops[0], SUBSET_SIGNS, &op, r.memory)); /* 8 of 27 */
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_empty_tensors_out), cmocka_unit_test(wants_enough),
	    cmocka_unit_test(tells_fitted), cmocka_unit_test(weighs_together), cmocka_unit_test(tells_alternatives),
	    cmocka_unit_test(leaves_empty_inputs_apart), cmocka_unit_test(asks_for_elements), cmocka_unit_test(takes_back),
	    cmocka_unit_test(leaves_empty_outputs_out), cmocka_unit_test(leaves_outliers_out), cmocka_unit_test(finds_core),
	    cmocka_unit_test(finds_no_core), cmocka_unit_test(finds_equal_core), cmocka_unit_test(leaves_negative_out), cmocka_unit_test(keeps_negative)};
	return cmocka_run_group_tests(tests, setup, teardown);
}
