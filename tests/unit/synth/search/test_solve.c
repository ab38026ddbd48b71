/* The synthesizer on records of known rules: it must find the rule, checked on inputs outside the records.
 *
 * No error is tolerated. Each test also checks that its queries can show one: with any clause removed, or 1
 * added to any output, the rule must err (expect_all_needed). Checked with planted faults, too: `!= PROVED`
 * changed to `== PROVED` in implied_drop (drops needed clauses) fails the six tests of rules that have two
 * clauses or more; `r->nclauses -= r->nclauses > 0` at the end of search_own (api_clauses.c) fails these
 * and learns_equality; in learns_products, whose rule has no clause, only the outputs can err.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "rng.h"
#include "api_clauses.h"
#include "implied.h"

static void ignore(const diag *d, void *user)
{
	(void)user;
	print_message("%s\n", d->text);
}

/* The rule of an API with one signature; the caller frees the family. */
static rule solve_alone(api_solver *f, const operator *op)
{
	static const options NONE = {0};
	api_solver_start(f, &op, 1, &NONE);
	api_solver_find_shapes(f);
	api_clauses_find(f);
	return f->rules[0];
}

/* Evaluates a call: true and out set if it is valid. */
typedef bool truth(const int64_t *s, int64_t *out);

/* The symbols of the calls on which a rule is compared: dimensions from 0, others from low, but marked ones
 * also from 0, all below high. The records do not determine the rule beyond that. */
typedef struct domain {
	int64_t low, high;
	unsigned from_zero; /* bits of symbols */
} domain;

enum { CALLS = 20000, LONGEST = 16 };

static int64_t draw(const operator *op, const domain *d, int i, rng *g)
{
	bool natural = op->roles[i].kind == ROLE_DIM || d->from_zero >> i & 1;
	return rng_range(g, natural ? 0 : d->low, d->high);
}

/* Number of calls on which the rule errs. Random calls are rarely valid, and clauses matter close to valid
 * ones: half of the calls are valid ones with one symbol redrawn. */
static int errors(const operator *op, const rule *r, truth *is, const domain *d)
{
	rng g = rng_seed(11);
	int wrong = 0;
	int64_t s[LONGEST], valid[LONGEST], out[8] = {0};
	bool has_valid = false;
	for (int k = 0; k < CALLS; k++) {
		bool near = k % 2 && has_valid;
		for (int i = 0; i < op->nsym; i++)
			s[i] = near ? valid[i] : draw(op, d, i, &g);
		if (near) {
			int i = (int)rng_below(&g, (uint32_t)op->nsym);
			s[i] = draw(op, d, i, &g);
		}
		bool right = is(s, out);
		if (right) {
			memcpy(valid, s, sizeof valid);
			has_valid = true;
		}
		wrong += rule_accepts(op, r, s, right ? out : NULL) != right;
	}
	assert_true(has_valid);
	return wrong;
}

/* Asserts that each clause and output of the rule is needed: without a clause, or with one more window, the
 * rule errs. So the compared calls would show a fault in any of them. */
static void expect_all_needed(const operator *op, expr_pool *pool, const rule *r, truth *is, const domain *d)
{
	const expr *clauses[32], *out[8];
	rule less = *r;
	assert_in_range(r->nclauses, 0, 32);
	less.clauses = clauses;
	less.nclauses = r->nclauses - 1;
	for (int k = 0; k < r->nclauses; k++) {
		for (int j = 0, n = 0; j < r->nclauses; j++)
			if (j != k)
				clauses[n++] = r->clauses[j];
		if (errors(op, &less, is, d) == 0) {
			buf text = {0};
			expr_print(&text, r->clauses[k]);
			fail_msg("no call shows that %s is missing", text.text);
		}
	}
	rule other = *r;
	other.out = out;
	for (int k = 0; k < op->nodim; k++) {
		memcpy(out, r->out, sizeof *out * (size_t)op->nodim);
		out[k] = expr_make(pool, OP_ADD, r->out[k], expr_const(pool, 1));
		assert_true(errors(op, &other, is, d) > 0);
	}
}

/* Solves the only operator of a fixture and compares it with the truth on calls outside the records: they
 * agree on all, and would not with any part of the rule removed. */
static void learn(const char *name, truth *is, domain d, int clauses)
{
	char path[256];
	snprintf(path, sizeof path, "tests/data/records/%s.jsonl", name);
	const char *paths[] = {path};
	records r;
	assert_true(records_read(&r, paths, 1, ignore, NULL));
	prover *p = prover_new();
	api_solver f;
	rule found = solve_alone(&f, &r.ops[0]);
	assert_null(found.why);
	implied_drop(&r.ops[0], f.pool, p, &found);
	assert_int_equal(errors(&r.ops[0], &found, is, &d), 0);
	assert_int_equal(found.nclauses, clauses);
	expect_all_needed(&r.ops[0], f.pool, &found, is, &d);
	prover_free(p);
	api_solver_free(&f);
	records_free(&r);
}

static bool broadcast_dim(int64_t a, int64_t b, int64_t *out)
{
	*out = a == 1 ? b : a;
	return a == b || a == 1 || b == 1;
}

static bool is_broadcast(const int64_t *s, int64_t *out)
{
	return broadcast_dim(s[0], s[2], out) && broadcast_dim(s[1], s[3], out + 1);
}

static bool is_matmul(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[3];
	return s[1] == s[2];
}

static bool is_cat(const int64_t *s, int64_t *out)
{
	out[0] = s[0] + s[2] + s[4];
	out[1] = s[1];
	return s[1] == s[3] && s[1] == s[5];
}

static bool is_flatten(const int64_t *s, int64_t *out)
{
	out[0] = s[0] * s[1] * s[2] * s[3];
	return true;
}

static bool is_narrow(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[3];
	return s[2] >= 0 && s[3] >= 0 && s[2] + s[3] <= s[1];
}

static bool is_pad(const int64_t *s, int64_t *out)
{
	out[0] = s[0] + s[4] + s[5];
	out[1] = s[1] + s[2] + s[3];
	return s[2] >= 0 && s[3] >= 0 && s[4] >= 0 && s[5] >= 0;
}

static bool is_pool(const int64_t *s, int64_t *out)
{
	if (s[0] < 1 || s[1] < 1 || s[2] < 1 || s[3] < 1 || s[4] < 1 || s[6] < 1 || s[5] < 0 || 2 * s[5] > s[3])
		return false;
	int64_t span = s[2] + 2 * s[5] - s[6] * (s[3] - 1) - 1;
	out[0] = s[0];
	out[1] = s[1];
	out[2] = span / s[4] + 1;
	return span >= 0;
}

static bool is_groups(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[2];
	return s[0] > 0 && s[1] > 0 && s[2] > 0 && s[3] > 0 && s[1] % s[3] == 0 && s[2] % s[3] == 0;
}

static void learns_broadcasting(void **state)
{
	(void)state;
	learn("m.broadcast", is_broadcast, (domain){0, 4, 0}, 2);
}

static void learns_equality(void **state)
{
	(void)state;
	learn("m.matmul", is_matmul, (domain){0, 4, 0}, 1);
}

static void learns_sums_over_lists(void **state)
{
	(void)state;
	learn("m.cat", is_cat, (domain){0, 3, 0}, 2);
}

static void learns_products(void **state)
{
	(void)state;
	learn("m.flatten", is_flatten, (domain){0, 9, 0}, 0);
}

static void learns_sums_in_clauses(void **state)
{
	(void)state;
	learn("m.narrow", is_narrow, (domain){-2, 9, 0}, 2);
}

static void learns_pairs_from_the_right(void **state)
{
	(void)state;
	learn("m.pad", is_pad, (domain){-1, 5, 0}, 4);
}

static void learns_floor_templates(void **state)
{
	(void)state;
	learn("m.pool", is_pool, (domain){-1, 9, 1 << 4}, 8); /* no record has a stride below 0 */
}

static void learns_divisibility(void **state)
{
	(void)state;
	learn("m.groups", is_groups, (domain){1, 12, 0}, 4); /* no record has out = 0, or fewer groups than 1 */
}

static void detects_data_dependence(void **state)
{
	(void)state;
	const char *paths[] = {"tests/data/records/m.unique.jsonl"};
	records r;
	assert_true(records_read(&r, paths, 1, ignore, NULL));
	api_solver f;
	rule found = solve_alone(&f, &r.ops[0]);
	assert_non_null(found.why);
	assert_non_null(strstr(found.why, "data-dependent"));
	api_solver_free(&f);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(learns_broadcasting), cmocka_unit_test(learns_equality),
	    cmocka_unit_test(learns_sums_over_lists), cmocka_unit_test(learns_products),
	    cmocka_unit_test(learns_sums_in_clauses), cmocka_unit_test(learns_pairs_from_the_right),
	    cmocka_unit_test(learns_floor_templates), cmocka_unit_test(learns_divisibility),
	    cmocka_unit_test(detects_data_dependence)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
