/* Compares the bank with the paper's figures, with a naive enumerator, and with itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bank.h"
#include "bank_column.h"
#include "bank_count.h"
#include "bank_proof.h"
#include "bank_table.h"
#include "rng.h"

/* ---- closed forms */

/* Table 5's digits, as the paper rounds them. */
static void expect_rounded(uint64_t count, const char *paper)
{
	char text[32];
	snprintf(text, sizeof text, "%.2e", (double)count);
	assert_string_equal(text, paper);
}

static void test_table5(void **state)
{
	(void)state;
	static const char *const NONE[] = {
	    "4.77e+08", "2.88e+09", "1.11e+10", "3.32e+10", "8.36e+10", "1.86e+11"};
	static const char *const RARITY[] = {
	    "3.54e+05", "5.90e+06", "5.22e+07", "3.13e+08", "1.40e+09", "4.66e+09"};
	/* the paper starts with 5.35e6, for 5359755 */
	static const char *const EQUIV[] = {
	    "5.36e+06", "9.04e+07", "5.18e+08", "1.91e+09", "5.49e+09", "1.33e+10"};
	for (int n = 1; n <= 6; n++) {
		expect_rounded(bank_count_unpruned(n, 5), NONE[n - 1]);
		expect_rounded(bank_count_rare(n, 5, RARE_PUBLISHED), RARITY[n - 1]);
		expect_rounded(bank_count_formal(n, 5), EQUIV[n - 1]);
	}
	assert_int_equal(bank_count_rare(1, 1, RARE_TEXT), 1 + 28);
	assert_int_equal(bank_count_rare(2, 1, RARE_TEXT), 2 * 29 + 14);
}

/* ---- a naive bank: all trees, grouped by their values at many points, without syntactic pruning */

enum { NAIVE_POINTS = 1000, NAIVE_TREES = 60000 };

typedef struct naive {
	expr_pool *pool;
	const expr *trees[NAIVE_TREES];
	int start[5]; /* of the trees with each number of operations */
	uint64_t hashes[NAIVE_TREES];
	int64_t points[NAIVE_POINTS][BANK_MAX_HOLES];
} naive;

static unsigned used_symbols(const expr *e)
{
	bool used[BANK_MAX_HOLES] = {false};
	unsigned mask = 0;
	expr_mark_syms(e, used);
	for (int i = 0; i < BANK_MAX_HOLES; i++)
		mask |= (unsigned)used[i] << i;
	return mask;
}

static uint64_t values_hash(const naive *n, const expr *e)
{
	uint64_t h = used_symbols(e); /* a class holds expressions with the same holes */
	for (int i = 0; i < NAIVE_POINTS; i++) {
		wide v = 0;
		bool has = expr_eval(e, n->points[i], &v);
		h = (h ^ (has ? (uint64_t)v : 0x123456789abcdefu)) * 0x9e3779b97f4a7c15u;
		h ^= h >> 31;
	}
	return h;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static bool naive_keeps(const expr *a, const expr *b)
{
	unsigned x = used_symbols(a), y = used_symbols(b);
	return (x || y) && !(x & y);
}

static naive *naive_new(int symbols, int ops)
{
	naive *n = calloc(1, sizeof *n);
	assert_non_null(n);
	n->pool = expr_pool_new();
	rng r = rng_seed(99);
	for (int i = 0; i < NAIVE_POINTS; i++)
		for (int s = 0; s < BANK_MAX_HOLES; s++)
			n->points[i][s] = rng_range(&r, i % 3 ? -3 : -50, i % 3 ? 4 : 50);
	int count = 0;
	n->trees[count++] = expr_const(n->pool, 1);
	n->trees[count++] = expr_const(n->pool, 2);
	for (int i = 0; i < symbols; i++)
		n->trees[count++] = expr_sym(n->pool, i);
	n->start[1] = count;
	for (int k = 1; k <= ops; k++) {
		for (int left = 0; left < k; left++)
			for (int i = n->start[left]; i < n->start[left + 1]; i++)
				for (int j = n->start[k - 1 - left]; j < n->start[k - left]; j++)
					for (int op = FIRST_ARITH; op <= LAST_ARITH; op++)
						if (naive_keeps(n->trees[i], n->trees[j])) {
							assert_true(count < NAIVE_TREES);
							n->trees[count++] = expr_make(
							    n->pool, (enum op)op, n->trees[i], n->trees[j]);
						}
		n->start[k + 1] = count;
	}
	return n;
}

/* Counts trees, and classes with at least one symbol. */
static uint64_t naive_classes(naive *n, int ops, int *trees)
{
	int count = 0;
	for (int i = 0; i < n->start[ops + 1]; i++)
		if (used_symbols(n->trees[i]))
			n->hashes[count++] = values_hash(n, n->trees[i]);
	qsort(n->hashes, (size_t)count, sizeof *n->hashes, by_value);
	uint64_t classes = 0;
	for (int i = 0; i < count; i++)
		classes += i == 0 || n->hashes[i] != n->hashes[i - 1];
	*trees = count;
	return classes;
}

static void naive_free(naive *n)
{
	expr_pool_free(n->pool);
	free(n);
}

static uint64_t bank_classes_of(int symbols, int ops, bool no_skips)
{
	bank *b = bank_new(
	    &(bank_options){.holes = symbols, .ops = ops, .threads = 2, .no_skips = no_skips});
	uint64_t total = bank_total(b, symbols);
	bank_free(b);
	return total;
}

static void test_against_naive(void **state)
{
	(void)state;
	static const int CASES[][2] = {{1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 2}, {1, 3}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		int symbols = CASES[i][0], ops = CASES[i][1], trees;
		naive *n = naive_new(symbols, ops);
		uint64_t classes = naive_classes(n, ops, &trees);
		assert_int_equal(trees, bank_count_rare(symbols, ops, RARE_TEXT));
		assert_int_equal(bank_classes_of(symbols, ops, false), classes);
		naive_free(n);
	}
}

static void test_skips_lose_nothing(void **state)
{
	(void)state;
	assert_int_equal(bank_classes_of(3, 3, false), bank_classes_of(3, 3, true));
	assert_int_equal(bank_classes_of(2, 4, false), bank_classes_of(2, 4, true));
}

/* ---- columns: every vector width gives the results of the scalar code */

static void random_column(rng *r, column *c)
{
	for (int i = 0; i < POINTS; i++) {
		int64_t reach = (int64_t)1 << rng_below(r, 45);
		c->at[i] = (double)rng_range(r, i % 2 ? -3 : -reach, i % 2 ? 4 : reach);
	}
}

/* Equal bits; the sign of a zero does not matter. */
static void expect_same(const column *a, const column *b)
{
	for (int i = 0; i < POINTS; i++) {
		double x = a->at[i] + 0.0, y = b->at[i] + 0.0;
		assert_memory_equal(&x, &y, sizeof x);
	}
}

static void compare_kernels(const column_kernels *k, const column *a, const column *b, column *last)
{
	const column_kernels *plain = column_kernels_of(2);
	uint64_t f[PAIR_OPS], g[PAIR_OPS];
	unsigned all = (1u << PAIR_OPS) - 1;
	plain->fingerprints(a, b, all, f);
	k->fingerprints(a, b, all, g);
	assert_memory_equal(f, g, sizeof f);
	for (int op = 0; op < PAIR_OPS; op++) {
		k->fingerprints(a, b, 1u << op, g);
		assert_int_equal(f[op], g[op]);
	}
	for (int op = FIRST_ARITH; op <= LAST_ARITH; op++) {
		column u;
		plain->op(&u, (enum op)op, a, b);
		k->op(last, (enum op)op, a, b);
		expect_same(&u, last);
		assert_int_equal(plain->hash(&u, 7), k->hash(last, 7));
		assert_true(k->equal(&u, last));
		last->at[op % POINTS] += 1; /* a NaN stays a NaN */
		assert_int_equal(k->equal(&u, last), plain->equal(&u, last));
	}
}

static void test_widths_agree(void **state)
{
	(void)state;
	rng r = rng_seed(3);
	for (int lanes = 2; lanes <= 8; lanes *= 2) {
		const column_kernels *k = column_kernels_of(lanes);
		if (!k)
			continue; /* not supported by this processor */
		assert_int_equal(k->lanes, lanes);
		column a, b, with_none;
		random_column(&r, &with_none);
		for (int i = 0; i < 200; i++) {
			random_column(&r, &a);
			random_column(&r, &b);
			compare_kernels(k, &a, &b, &with_none);
			k->op(&with_none, OP_MOD, &a, &b); /* no value if b is 0 */
			column c = with_none;
			compare_kernels(k, &a, &c, &with_none);
			k->op(&with_none, OP_DIV, &b, &a);
			c = with_none;
			compare_kernels(k, &c, &b, &with_none);
		}
	}
}

/* ---- the table of fingerprints */

/* Fingerprints that hash to the last slot of a small table: they wrap around, and the table grows around
 * them. */
static void test_table_grows(void **state)
{
	(void)state;
	bank_table t = {0};
	rng r = rng_seed(11);
	enum { KEYS = 20000 };
	uint64_t *keys = malloc(KEYS * sizeof *keys);
	assert_non_null(keys);
	for (uint64_t i = 0; i < KEYS; i++) {
		uint64_t place;
		do {
			keys[i] = rng_next(&r) | 1;
			place = keys[i] * 0x9e3779b97f4a7c15u >> 20 & 255;
		} while (place < 250);
		bank_table_reserve(&t, 1);
		bank_table_prefetch(&t, keys[i]);
		assert_true(bank_table_insert(&t, keys[i], i + 5) == NO_ID);
		t.count++;
		if (i % 64 == 0 || (t.count & (t.count - 1)) < 3)
			for (uint64_t j = 0; j <= i; j++)
				assert_int_equal(bank_table_find(&t, keys[j]), j + 5);
	}
	assert_int_equal(bank_table_insert(&t, keys[9], 3), 9 + 5); /* the larger one loses */
	assert_int_equal(bank_table_insert(&t, keys[9], 4), 4);
	assert_int_equal(bank_table_find(&t, keys[9]), 3);
	assert_true(bank_table_find(&t, 2) == NO_ID);
	bank_table_free(&t);
	free(keys);
}

/* ---- entries */

static bank *four_holes(int threads, prover *p)
{
	return bank_new(&(bank_options){
	    .holes = 4, .ops = 3, .threads = threads, .prover = p, .audit = 300, .seed = 5});
}

static void print_all(const bank *b, buf *out)
{
	expr_pool *pool = expr_pool_new();
	for (size_t i = 0; i < bank_size(b); i++) {
		expr_print(out, bank_expr(b, i, pool, NULL));
		buf_putc(out, '\n');
	}
	expr_pool_free(pool);
}

static void test_entries(void **state)
{
	(void)state;
	bank *b = four_holes(2, NULL);
	expr_pool *pool = expr_pool_new();
	static const int SYMBOLS[] = {2, 3, 5, 7};
	uint64_t counts[5][4] = {{0}};
	int last = 0;
	for (size_t i = 0; i < bank_size(b); i++) {
		bank_entry at = bank_at(b, i);
		const expr *e = bank_expr(b, i, pool, SYMBOLS);
		assert_int_equal(e->size, at.ops);
		assert_int_equal(expr_max_sym(e), at.holes ? SYMBOLS[at.holes - 1] : -1);
		assert_true(at.ops >= last);
		last = at.ops;
		counts[at.holes][at.ops]++;
	}
	for (int h = 0; h <= 4; h++)
		for (int k = 0; k <= 3; k++)
			assert_int_equal(counts[h][k], bank_classes(b, h, k));
	expr_pool_free(pool);
	bank_free(b);
}

static void test_threads_change_nothing(void **state)
{
	(void)state;
	buf one = {0}, many = {0};
	bank *a = four_holes(1, NULL), *b = four_holes(7, NULL);
	print_all(a, &one);
	print_all(b, &many);
	assert_string_equal(one.text, many.text);
	buf_free(&one);
	buf_free(&many);
	bank_free(a);
	bank_free(b);
}

/* ---- proofs */

static void add_statement(void *context, const expr *merged, const expr *kept, verdict v)
{
	expr_print(context, merged);
	buf_puts(context, v == PROVED ? " = " : " ? ");
	expr_print(context, kept);
	buf_putc(context, '\n');
}

static void test_proofs(void **state)
{
	(void)state;
	prover *p = prover_new();
	bank_proofs schemes = bank_prove_schemes(p);
	assert_int_equal(schemes.proved, 12);
	assert_int_equal(schemes.refuted + schemes.unknown, 0);

	bank *a = four_holes(1, p), *b = four_holes(3, p);
	bank_proofs merges = bank_merge_proofs(a);
	assert_true(merges.proved > 200);
	assert_int_equal(merges.refuted, 0);
	buf one = {0}, many = {0};
	bank_proofs audit = bank_audit(a, p, add_statement, &one);
	bank_audit(b, p, add_statement, &many);
	assert_int_equal(audit.proved + audit.unknown, 300);
	assert_true(audit.unknown < 30);
	assert_string_equal(one.text, many.text); /* the sample does not depend on the threads */
	buf_free(&one);
	buf_free(&many);
	bank_free(a);
	bank_free(b);
	prover_free(p);
}

/* Counts that change only with the definition: docs/measurements/neuri.md has them. */
static void test_golden(void **state)
{
	(void)state;
	assert_int_equal(bank_classes_of(1, 2, false), 220);
	assert_int_equal(bank_classes_of(3, 2, false), 2368);
	bank *b = bank_new(&(bank_options){.holes = 3, .ops = 2, .rarity = RARE_PUBLISHED});
	assert_int_equal(bank_total(b, 1), 70);
	assert_int_equal(bank_total(b, 3), 1250);
	bank_free(b);
	b = bank_new(&(bank_options){.holes = 1, .ops = 2, .rarity = RARE_NONE});
	assert_int_equal(bank_total(b, 1), 351);
	bank_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_table5),
	    cmocka_unit_test(test_against_naive),
	    cmocka_unit_test(test_skips_lose_nothing),
	    cmocka_unit_test(test_widths_agree),
	    cmocka_unit_test(test_table_grows),
	    cmocka_unit_test(test_entries),
	    cmocka_unit_test(test_threads_change_nothing),
	    cmocka_unit_test(test_proofs),
	    cmocka_unit_test(test_golden),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
