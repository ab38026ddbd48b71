/* The synthesiser on records of known rules: what it finds must be the rule, on inputs it never saw. */
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
#include "family_clauses.h"
#include "implied.h"

static void ignore(const diag *d, void *user)
{
	(void)user;
	print_message("%s\n", d->text);
}

/* The rule of a family of one; the caller frees the family. */
static rule solve_alone(family *f, const operator *op)
{
	static const options NONE = {0};
	family_start(f, &op, 1, &NONE);
	family_shapes(f);
	family_clauses(f);
	return f->rules[0];
}

/* Solves the one operator of a fixture and checks it against the truth on fresh random symbols. */
typedef bool truth(const int64_t *s, int64_t *out);

static void learn(const char *name, truth *is, int64_t low, int64_t high, int most_wrong)
{
	char path[256];
	snprintf(path, sizeof path, "tests/data/records/%s.jsonl", name);
	const char *paths[] = {path};
	records r;
	assert_true(records_read(&r, paths, 1, ignore, NULL));
	prover *p = prover_new();
	family f;
	rule found = solve_alone(&f, &r.ops[0]);
	assert_null(found.why);
	drop_implied(&r.ops[0], f.pool, p, &found);
	rng g = rng_seed(11);
	int wrong = 0;
	for (int k = 0; k < 20000; k++) {
		int64_t s[16], out[8] = {0};
		for (int i = 0; i < r.ops[0].nsym; i++)
			s[i] = rng_range(&g, r.ops[0].roles[i].kind == ROLE_DIM ? 0 : low, high);
		bool valid = is(s, out);
		wrong += rule_accepts(&r.ops[0], &found, s, valid ? out : NULL) != valid;
	}
	assert_in_range(wrong, 0, (unsigned)most_wrong);
	prover_free(p);
	family_free(&f);
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
	learn("m.broadcast", is_broadcast, 0, 4, 0);
}

static void learns_equality(void **state)
{
	(void)state;
	learn("m.matmul", is_matmul, 0, 4, 0);
}

static void learns_sums_over_lists(void **state)
{
	(void)state;
	learn("m.cat", is_cat, 0, 3, 0);
}

static void learns_products(void **state)
{
	(void)state;
	learn("m.flatten", is_flatten, 0, 9, 0);
}

static void learns_sums_in_clauses(void **state)
{
	(void)state;
	learn("m.narrow", is_narrow, -2, 9, 0);
}

static void learns_pairs_from_the_right(void **state)
{
	(void)state;
	learn("m.pad", is_pad, -1, 5, 0);
}

static void learns_floor_templates(void **state)
{
	(void)state;
	learn("m.pool", is_pool, 0, 9, 200);
}

static void learns_divisibility(void **state)
{
	(void)state;
	learn("m.groups", is_groups, 0, 12, 2000); /* no record has a negative number of groups or out = 0 */
}

static void knows_data_dependence(void **state)
{
	(void)state;
	const char *paths[] = {"tests/data/records/m.unique.jsonl"};
	records r;
	assert_true(records_read(&r, paths, 1, ignore, NULL));
	family f;
	rule found = solve_alone(&f, &r.ops[0]);
	assert_non_null(found.why);
	assert_non_null(strstr(found.why, "data-dependent"));
	family_free(&f);
	records_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(learns_broadcasting), cmocka_unit_test(learns_equality),
	    cmocka_unit_test(learns_sums_over_lists), cmocka_unit_test(learns_products),
	    cmocka_unit_test(learns_sums_in_clauses), cmocka_unit_test(learns_pairs_from_the_right),
	    cmocka_unit_test(learns_floor_templates), cmocka_unit_test(learns_divisibility),
	    cmocka_unit_test(knows_data_dependence)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
