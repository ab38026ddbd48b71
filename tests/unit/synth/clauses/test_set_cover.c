/* Replaces several clauses by one: which clause, and what must stay unchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "set_cover.h"
#include "costs.h"
#include "rng.h"

enum { MOST = 24, WORDS = 2 };

/* s0 == s1 or s0 == 1 or s1 == 1; s1 <= s0; s1 > 0 - and the correct clause, slightly longer than the first. */
static const uint64_t SETS[] = {0x1f, 0x20, 0x43, 0x7f};

static enum replacement is_last_of_first(const void *user, int i, int k)
{
	return i == *(const int *)user - 1 && k == 0 ? REPLACE_STRONGER : REPLACE_NO;
}

/* n clauses given by the calls they reject, one word each; the last is a narrower form of the first. */
static int shorten(const uint64_t *sets, const int *costs, int n, int *chosen, int nchosen)
{
	const uint64_t *rejects[MOST];
	arena *scratch = arena_new();
	for (int i = 0; i < n; i++)
		rejects[i] = &sets[i];
	cover c = {.rejects = rejects, .costs = costs, .n = n, .words = 1, .replacement_of = is_last_of_first, .user = &n};
	nchosen = cover_shorten(&c, chosen, nchosen, scratch);
	arena_free(scratch);
	return nchosen;
}

static void takes_what_is_right(void **state)
{
	(void)state;
	int chosen[] = {0, 1, 2};
	assert_int_equal(shorten(SETS, (int[]){22, 18, 10, 26}, 4, chosen, 3), 1);
	assert_int_equal(chosen[0], 3);
}

static void leaves_the_rest(void **state)
{
	(void)state;
	int chosen[] = {0, 1, 2}, others[] = {1, 2};
	assert_int_equal(shorten(SETS, (int[]){22, 18, 10, 22 + COST_OR + 1}, 4, chosen, 3), 3); /* costs too much compared with them */
	assert_int_equal(shorten(SETS, (int[]){22, 18, 10, 26}, 4, others, 2), 2); /* it narrows neither */
	/* It replaces a single clause. */
	assert_int_equal(shorten((uint64_t[]){0x1f, 0x60, 0x1f}, (int[]){22, 18, 10}, 3, chosen, 2), 2);
	/* It does not reject what both reject: it replaces either, but not both. */
	assert_int_equal(shorten((uint64_t[]){0x07, 0x0c, 0x0b}, (int[]){22, 18, 10}, 3, chosen, 2), 2);
	assert_int_equal(chosen[0] + 10 * chosen[1], 10);
}

/* The last of four chosen clauses replaces one of the first three and comes after the remaining ones. */
static void keeps_the_order(void **state)
{
	(void)state;
	int chosen[] = {2, 0, 1, 3};
	assert_int_equal(shorten((uint64_t[]){0x1f, 0x20, 0x83, 0x100, 0x3f}, (int[]){22, 18, 10, 9, 26}, 5, chosen, 4), 3);
	assert_int_equal(chosen[0], 2);
	assert_int_equal(chosen[1], 3);
	assert_int_equal(chosen[2], 4);
}

static bool narrows(const char *a, const char *b)
{
	expr_pool *pool = expr_pool_new();
	bool is = cover_narrows(expr_parse(pool, a, 4, "test", 1, NULL), expr_parse(pool, b, 4, "test", 1, NULL));
	expr_pool_free(pool);
	return is;
}

static void some_alternatives_are_narrower(void **state)
{
	(void)state;
	assert_true(narrows("s0 == s1 or s1 == 1", "s0 == s1 or s0 == 1 or s1 == 1"));
	assert_true(narrows("s1 == 1 or s0 == s1", "s0 == s1 or s0 == 1 or s1 == 1"));
	assert_false(narrows("s0 == s1 or s0 == 1 or s1 == 1", "s0 == s1 or s1 == 1"));
	assert_false(narrows("s1 - s0 == 1", "s0 < s1")); /* it is narrower, but not syntactically */
	const char *both = "(s0 == s1 or s0 == 1 or s1 == 1) and (s2 == s3 or s2 == 1 or s3 == 1)";
	assert_true(narrows("(s0 == s1 or s1 == 1) and (s2 == s3 or s3 == 1)", both)); /* at each position */
	assert_false(narrows("s0 == s1 or s1 == 1", both));
}

/* Clauses about three dimensions and a number, s3. */
static bool fixes(const char *a, const char *b)
{
	role roles[4] = {{.kind = ROLE_DIM}, {.kind = ROLE_DIM}, {.kind = ROLE_DIM}, {.kind = ROLE_INT}};
	operator op = {.roles = roles};
	expr_pool *pool = expr_pool_new();
	bool is = cover_fixes(&op, expr_parse(pool, a, 4, "test", 1, NULL), expr_parse(pool, b, 4, "test", 1, NULL));
	expr_pool_free(pool);
	return is;
}

static void one_value_fixes_what_bounds(void **state)
{
	(void)state;
	assert_true(fixes("s1 == 3", "s1 < s0"));
	assert_true(fixes("s1 == 3", "s0 < s1"));
	assert_true(fixes("s1 == 3", "s1 <= s0"));
	assert_true(fixes("s1 == 3", "s1 > 2"));
	assert_false(fixes("s1 == 3", "s1 >= 0"));   /* a condition that nearly always holds fixes nothing */
	assert_false(fixes("s1 == 3", "s1 > 0"));
	assert_false(fixes("s1 == 3", "s0 < s2"));   /* of others */
	assert_false(fixes("s1 == 3", "2*s1 < s0")); /* a clause about a value computed from it is independent */
	assert_false(fixes("s1 == 3", "s1 == s0"));
	assert_false(fixes("s3 == 3", "s3 < s0"));   /* an index */
	assert_false(fixes("s1 == s2", "s1 < s0")); /* no value */
	assert_false(fixes("s1 <= 3", "s1 < s0"));
}

static int length_of(const int *costs, const int *chosen, int n)
{
	int length = 0;
	for (int k = 0; k < n; k++)
		length += costs[chosen[k]] + COST_CLAUSE;
	return length;
}

static enum replacement by_remainder(const void *user, int i, int k)
{
	(void)user;
	return (i + k) % 3 == 0 ? REPLACE_NO : (i + k) % 3 == 1 ? REPLACE_STRONGER : REPLACE_FIXED;
}

/* True if the other clauses reject everything that the k-th of n rejects. */
static bool is_spare(uint64_t (*sets)[WORDS], const int *list, int n, int k)
{
	for (int bit = 0; bit < 64 * WORDS; bit++) {
		bool others = false;
		for (int j = 0; j < n; j++)
			others |= j != k && sets[list[j]][bit / 64] >> bit % 64 & 1;
		if (!others && sets[list[k]][bit / 64] >> bit % 64 & 1)
			return false;
	}
	return true;
}

/* The contract of set_cover.h, for each clause by itself: if it joins the chosen ones, redundant clauses are
 * removed, the last one first. */
static bool shorten_once(uint64_t (*sets)[WORDS], const int *costs, int *list, int *n)
{
	int least = length_of(costs, list, *n), shorter[MOST], nshorter = 0;
	for (int i = 0; i < MOST; i++) {
		int with[MOST + 1], nwith = *n + 1, longest = 0;
		bool chosen = false, narrows = false, fixes = true;
		for (int k = 0; k < *n; k++)
			chosen |= list[k] == i;
		memcpy(with, list, sizeof *with * (size_t)*n);
		with[*n] = i;
		if (chosen)
			continue;
		for (int k = *n - 1; k >= 0; k--)
			if (is_spare(sets, with, nwith, k)) {
				longest = costs[with[k]] > longest ? costs[with[k]] : longest;
				narrows |= by_remainder(NULL, i, with[k]) == REPLACE_STRONGER;
				fixes &= by_remainder(NULL, i, with[k]) == REPLACE_FIXED;
				memmove(with + k, with + k + 1, sizeof *with * (size_t)(--nwith - k));
			}
		if (nwith < *n && (narrows || fixes) && costs[i] <= longest + (fixes ? 2 : 1) * COST_OR && length_of(costs, with, nwith) < least) {
			least = length_of(costs, with, nwith);
			memcpy(shorter, with, sizeof *with * (size_t)nwith);
			nshorter = nwith;
		}
	}
	if (nshorter) {
		memcpy(list, shorter, sizeof *list * (size_t)nshorter);
		*n = nshorter;
	}
	return nshorter > 0;
}

/* On random clauses: nothing is rejected less, no clause occurs twice, the total cost does not grow, and the
 * result equals the specification above. */
static void rejects_as_much(void **state)
{
	(void)state;
	rng r = rng_seed(11);
	int shorter = 0;
	for (int round = 0; round < 2000; round++) {
		uint64_t sets[MOST][WORDS], before[WORDS] = {0}, after[WORDS] = {0};
		const uint64_t *rejects[MOST];
		int costs[MOST], chosen[MOST], nchosen = (int)rng_range(&r, 1, 8);
		for (int i = 0; i < MOST; i++) {
			for (int w = 0; w < WORDS; w++)
				sets[i][w] = rng_next(&r) & rng_next(&r) & (round % 2 ? rng_next(&r) : ~(uint64_t)0) & (round % 4 < 2 ? 0xffff : 0x1f);
			rejects[i] = sets[i];
			costs[i] = (int)rng_range(&r, 5, round % 3 ? 40 : 12);
		}
		for (int k = 0; k < nchosen; k++)
			chosen[k] = k;
		int nwanted = nchosen, wanted[MOST];
		memcpy(wanted, chosen, sizeof wanted);
		cover c = {.rejects = rejects, .costs = costs, .n = MOST, .words = WORDS, .replacement_of = by_remainder, .user = NULL};
		arena *scratch = arena_new();
		int length = length_of(costs, chosen, nchosen);
		for (int k = 0; k < nchosen; k++)
			for (int w = 0; w < WORDS; w++)
				before[w] |= sets[k][w];
		int n = cover_shorten(&c, chosen, nchosen, scratch);
		for (int k = 0; k < n; k++) {
			for (int w = 0; w < WORDS; w++)
				after[w] |= sets[chosen[k]][w];
			for (int j = 0; j < k; j++)
				assert_int_not_equal(chosen[j], chosen[k]);
		}
		for (int w = 0; w < WORDS; w++)
			assert_int_equal(before[w] & ~after[w], 0);
		assert_true(length_of(costs, chosen, n) <= length);
		while (shorten_once(sets, costs, wanted, &nwanted))
			;
		assert_int_equal(n, nwanted);
		assert_memory_equal(chosen, wanted, sizeof *wanted * (size_t)n);
		shorter += n < nchosen;
		arena_free(scratch);
	}
	assert_true(shorter > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(takes_what_is_right),
	    cmocka_unit_test(leaves_the_rest),
	    cmocka_unit_test(keeps_the_order),
	    cmocka_unit_test(some_alternatives_are_narrower),
	    cmocka_unit_test(one_value_fixes_what_bounds),
	    cmocka_unit_test(rejects_as_much),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
