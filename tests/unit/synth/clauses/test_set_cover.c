/* One clause in the place of several: which, and what must stay as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "set_cover.h"
#include "prices.h"
#include "rng.h"

enum { MOST = 24, WORDS = 2 };

/* As in SETS below. */
static const int ALTERNATIVES[] = {3, 1, 1, 2};

/* Clauses by what they reject, one word each. */
static int shorten(const uint64_t *sets, const int *costs, const bool *barred, int n, int *chosen, int nchosen, int kept)
{
	const uint64_t *rejects[MOST];
	arena *scratch = arena_new();
	for (int i = 0; i < n; i++)
		rejects[i] = &sets[i];
	cover c = {.rejects = rejects, .costs = costs, .alternatives = ALTERNATIVES, .barred = barred, .n = n, .words = 1};
	nchosen = cover_shorten(&c, chosen, nchosen, kept, scratch);
	arena_free(scratch);
	return nchosen;
}

/* s0 == s1 or s0 == 1 or s1 == 1; s1 <= s0; s1 > 0 - and what is right, a little longer than the first. */
static const uint64_t SETS[] = {0x1f, 0x20, 0x43, 0x7f};

static void takes_what_is_right(void **state)
{
	(void)state;
	int chosen[] = {0, 1, 2};
	assert_int_equal(shorten(SETS, (int[]){22, 18, 10, 26}, NULL, 4, chosen, 3, 0), 1);
	assert_int_equal(chosen[0], 3);
}

static void leaves_what_is_shorter(void **state)
{
	(void)state;
	int chosen[] = {0, 1, 2};
	const bool barred[] = {false, false, false, true};
	assert_int_equal(shorten(SETS, (int[]){22, 18, 10, 22 + PRICE_OR + 1}, NULL, 4, chosen, 3, 0), 3); /* too dear beside them */
	assert_int_equal(shorten(SETS, (int[]){22, 18, 10, 26}, barred, 4, chosen, 3, 0), 3);
	assert_int_equal(shorten(SETS, (int[]){22, 18, 10, 26}, NULL, 4, chosen, 3, 3), 3); /* all are to stay */
	/* It is in the place of one alone. */
	assert_int_equal(shorten((uint64_t[]){0x1f, 0x60, 0x1f}, (int[]){22, 18, 10}, NULL, 3, chosen, 2, 0), 2);
}

/* What is plain is not replaced by what is conditional: the first three are, for once. */
static void leaves_what_is_plain(void **state)
{
	(void)state;
	const uint64_t *rejects[] = {&SETS[0], &SETS[1], &SETS[2], &SETS[3]};
	int chosen[] = {0, 1, 2};
	arena *scratch = arena_new();
	cover c = {.rejects = rejects, .costs = (int[]){22, 18, 10, 26}, .alternatives = (int[]){1, 1, 1, 2}, .n = 4, .words = 1};
	assert_int_equal(cover_shorten(&c, chosen, 3, 0, scratch), 3);
	c.alternatives = (int[]){1, 1, 1, 1};
	assert_int_equal(cover_shorten(&c, chosen, 3, 0, scratch), 1);
	arena_free(scratch);
	expr_pool *pool = expr_pool_new();
	assert_int_equal(cover_alternatives(expr_parse(pool, "s0 == s1 or s0 == 1 or s1 == 1", 2, "test", 1, NULL)), 3);
	assert_int_equal(cover_alternatives(expr_parse(pool, "(s0 > 0 or s1 > 0) and s1 > s0", 2, "test", 1, NULL)), 2);
	expr_pool_free(pool);
}

/* Of three that one could replace, the first stays all the same; the order is kept. */
static void keeps_the_first(void **state)
{
	(void)state;
	int chosen[] = {2, 0, 1};
	assert_int_equal(shorten(SETS, (int[]){22, 18, 10, 26}, NULL, 4, chosen, 3, 1), 2);
	assert_int_equal(chosen[0], 2);
	assert_int_equal(chosen[1], 3);
}

static int length_of(const int *costs, const int *chosen, int n)
{
	int length = 0;
	for (int k = 0; k < n; k++)
		length += costs[chosen[k]] + PRICE_CLAUSE;
	return length;
}

/* Whatever there is: nothing is rejected less, no clause comes twice, and the whole is no longer. */
static void rejects_as_much(void **state)
{
	(void)state;
	rng r = rng_seed(11);
	int shorter = 0;
	for (int round = 0; round < 2000; round++) {
		uint64_t sets[MOST][WORDS], before[WORDS] = {0}, after[WORDS] = {0};
		const uint64_t *rejects[MOST];
		int costs[MOST], alternatives[MOST], chosen[MOST], nchosen = (int)rng_range(&r, 1, 8), kept = (int)rng_range(&r, 0, nchosen);
		for (int i = 0; i < MOST; i++) {
			for (int w = 0; w < WORDS; w++)
				sets[i][w] = rng_next(&r) & rng_next(&r) & (round % 2 ? rng_next(&r) : ~(uint64_t)0) & 0xffff;
			rejects[i] = sets[i];
			costs[i] = (int)rng_range(&r, 5, 40);
			alternatives[i] = (int)rng_range(&r, 1, 3);
		}
		for (int k = 0; k < nchosen; k++)
			chosen[k] = k;
		cover c = {.rejects = rejects, .costs = costs, .alternatives = alternatives, .n = MOST, .words = WORDS};
		arena *scratch = arena_new();
		int length = length_of(costs, chosen, nchosen);
		for (int k = 0; k < nchosen; k++)
			for (int w = 0; w < WORDS; w++)
				before[w] |= sets[k][w];
		int n = cover_shorten(&c, chosen, nchosen, kept, scratch);
		for (int k = 0; k < n; k++) {
			for (int w = 0; w < WORDS; w++)
				after[w] |= sets[chosen[k]][w];
			for (int j = 0; j < k; j++)
				assert_int_not_equal(chosen[j], chosen[k]);
		}
		for (int w = 0; w < WORDS; w++)
			assert_int_equal(before[w] & ~after[w], 0);
		for (int k = 0; k < kept; k++)
			assert_int_equal(chosen[k], k);
		assert_true(length_of(costs, chosen, n) <= length);
		shorter += n < nchosen;
		arena_free(scratch);
	}
	assert_true(shorter > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(takes_what_is_right),
	    cmocka_unit_test(leaves_what_is_shorter),
	    cmocka_unit_test(leaves_what_is_plain),
	    cmocka_unit_test(keeps_the_first),
	    cmocka_unit_test(rejects_as_much),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
