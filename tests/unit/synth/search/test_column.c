/* Columns: the vector code and the plain loop give the results of arith.h row by row, for every number of
 * rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The plain path under other names; this processor would not select it. */
#define COLUMN_PLAIN
#define column_apply plain_column_apply
#define column_apply_const plain_column_apply_const
#define column_const_apply plain_column_const_apply
#define column_compare plain_column_compare
#define column_compare_const plain_column_compare_const
#define column_weights plain_column_weights
#define column_digest plain_column_digest
#define column_subtract plain_column_subtract
#define column_max plain_column_max
#define column_min plain_column_min
#define column_within plain_column_within
#define column_first_without plain_column_first_without
#define column_first_below plain_column_first_below
#define column_common_bits plain_column_common_bits
#define column_shift plain_column_shift
#include "column.c"
#undef column_apply
#undef column_apply_const
#undef column_const_apply
#undef column_compare
#undef column_compare_const
#undef column_weights
#undef column_digest
#undef column_subtract
#undef column_max
#undef column_min
#undef column_within
#undef column_first_without
#undef column_first_below
#undef column_common_bits
#undef column_shift
#undef COLUMN_H
#include "column.h"

#include "arith.h"
#include "rng.h"
#include "problem.h"

enum { MOST = 1000, GUARD = 77 };

static bool defined_apply(enum op op, int64_t a, int64_t b, int64_t *to)
{
	wide v = 0, limit = (wide)1 << 62;
	bool ok = a != NOVAL && b != NOVAL;
	if (ok && op == OP_ADD)
		ok = checked_add(a, b, &v);
	else if (ok && op == OP_SUB)
		ok = checked_sub(a, b, &v);
	else if (ok && op == OP_MUL)
		ok = checked_mul(a, b, &v);
	else if (ok && op == OP_DIV)
		ok = checked_div(a, b, &v);
	else if (ok && op == OP_MOD)
		ok = checked_mod(a, b, &v);
	else if (ok && op == OP_MIN)
		ok = checked_min(a, b, &v);
	else if (ok && op == OP_MAX)
		ok = checked_max(a, b, &v);
	ok = ok && v < limit && v > -limit;
	*to = ok ? (int64_t)v : NOVAL;
	return ok;
}

static bool defined_compare(enum op op, int64_t a, int64_t b)
{
	int order = a < b ? -1 : a > b;
	if (a == NOVAL || b == NOVAL)
		return false;
	return op == OP_EQ   ? order == 0
	       : op == OP_NE ? order != 0
	       : op == OP_LT ? order < 0
	       : op == OP_LE ? order <= 0
	       : op == OP_GT ? order > 0
			     : order >= 0;
}

/* Small values, powers of two and their neighbors, any 64 bits, and NOVAL. */
static int64_t any_value(rng *g)
{
	uint64_t bits = rng_next(g);
	switch (bits >> 60) {
	case 0:
		return NOVAL;
	case 1:
		return (int64_t)(((uint64_t)1 << (bits & 63)) + (bits >> 6) % 3 - 1);
	case 2:
		return (int64_t)-(((uint64_t)1 << (bits & 63)) + (bits >> 6) % 3 - 1);
	case 3:
		return (int64_t)(rng_next(g) >> (bits & 63));
	case 4:
		return (int64_t)-(rng_next(g) >> (bits & 63));
	default:
		return (int64_t)(bits % 68) - 3;
	}
}

/* A column from one of several distributions, so that blocks take every code path. */
static void fill(rng *g, int64_t *col, int rows)
{
	uint64_t temper = rng_next(g) % 6;
	for (int r = 0; r < rows; r++) {
		uint64_t bits = rng_next(g);
		int64_t small = (int64_t)(bits % 65);
		col[r] = temper == 0   ? small
			 : temper == 1 ? small + 1
			 : temper == 2 ? small - 32
			 : temper == 3 ? (bits >> 32) % 8 ? small - 3 : NOVAL
			 : temper == 4 ? (int64_t)bits >> (13 + bits % 3) /* about 2^50 */
				       : any_value(g);
	}
}

typedef struct fixture {
	int64_t a[MOST + 1], b[MOST + 1], expected[MOST + 1], to[MOST + 1];
	int rows;
} fixture;

static void expect(fixture *f, enum op op, bool any, bool result, const char *what)
{
	if (result != any || f->to[f->rows] != GUARD)
		fail_msg("%s: op %d, %d rows: any %d, guard %d", what, op, f->rows, result,
		    f->to[f->rows] == GUARD);
	for (int r = 0; r < f->rows; r++)
		if (f->to[r] != f->expected[r])
			fail_msg("%s: op %d, row %d of %d: %lld and %lld gave %lld, not %lld", what,
			    op, r, f->rows, (long long)f->a[r], (long long)f->b[r],
			    (long long)f->to[r], (long long)f->expected[r]);
	memset(f->to, 0x55, sizeof f->to);
	f->to[f->rows] = GUARD;
}

static bool define(fixture *f, enum op op)
{
	bool any = false;
	for (int r = 0; r < f->rows; r++)
		any |= defined_apply(op, f->a[r], f->b[r], &f->expected[r]);
	memset(f->to, 0x55, sizeof f->to);
	f->to[f->rows] = GUARD;
	return any;
}

static void same(int64_t *col, int64_t value, int rows)
{
	for (int r = 0; r < rows; r++)
		col[r] = value;
}

static void check_apply(fixture *f, enum op op, rng *g)
{
	int n = f->rows;
	bool any = define(f, op);
	expect(f, op, any, column_apply(op, f->a, f->b, f->to, n), "columns");
	expect(f, op, any, plain_column_apply(op, f->a, f->b, f->to, n), "columns, plain");
	memcpy(f->to, f->a, sizeof *f->to * (size_t)n);
	expect(f, op, any, column_apply(op, f->to, f->b, f->to, n), "left in place");
	memcpy(f->to, f->b, sizeof *f->to * (size_t)n);
	expect(f, op, any, column_apply(op, f->a, f->to, f->to, n), "right in place");

	int64_t value = rng_next(g) % 2 ? any_value(g) : (int64_t)(rng_next(g) % 9) - 3;
	fixture c = *f;
	same(c.b, value, n);
	any = define(&c, op);
	expect(&c, op, any, column_apply_const(op, c.a, value, c.to, n), "constant right");
	expect(&c, op, any, plain_column_apply_const(op, c.a, value, c.to, n),
	    "constant right, plain");
	memcpy(c.b, f->b, sizeof c.b);
	same(c.a, value, n);
	any = define(&c, op);
	expect(&c, op, any, column_const_apply(op, value, c.b, c.to, n), "constant left");
	expect(
	    &c, op, any, plain_column_const_apply(op, value, c.b, c.to, n), "constant left, plain");
}

static void expect_bits(
    enum op op, const int64_t *a, const int64_t *b, const uint64_t *bits, int rows)
{
	int words = (rows + 63) / 64;
	for (int r = 0; r < words * 64; r++)
		if ((bits[r / 64] >> r % 64 & 1) != (r < rows && defined_compare(op, a[r], b[r])))
			fail_msg("op %d, row %d of %d", op, r, rows);
	assert_int_equal(bits[words], GUARD);
}

static void check_compare(fixture *f, enum op op, rng *g)
{
	uint64_t bits[MOST / 64 + 2];
	int n = f->rows, words = (n + 63) / 64;
	int64_t value = rng_next(g) % 2 ? any_value(g) : (int64_t)(rng_next(g) % 9) - 3;
	same(f->to, value, n);
	for (int way = 0; way < 4; way++) {
		memset(bits, 0x55, sizeof bits);
		bits[words] = GUARD;
		if (way == 0)
			column_compare(op, f->a, f->b, bits, n);
		else if (way == 1)
			plain_column_compare(op, f->a, f->b, bits, n);
		else if (way == 2)
			column_compare_const(op, f->a, value, bits, n);
		else
			plain_column_compare_const(op, f->a, value, bits, n);
		expect_bits(op, f->a, way < 2 ? f->b : f->to, bits, n);
	}
}

/* All counts from 0 to 70 several times, then some long columns. */
static void for_each_column(void (*check)(fixture *, enum op, rng *), enum op from, enum op to)
{
	rng g = rng_seed(1);
	fixture f;
	for (int k = 0; k < 71 * 60 + 40; k++) {
		f.rows = k < 71 * 60 ? k % 71 : (int)(rng_next(&g) % MOST) + 1;
		for (enum op op = from; op <= to; op++) {
			fill(&g, f.a, f.rows);
			fill(&g, f.b, f.rows);
			if (rng_next(&g) % 4 == 0) /* equal rows */
				memcpy(f.b, f.a, sizeof *f.a * (size_t)(f.rows / 2));
			check(&f, op, &g);
		}
	}
}

static void applies(void **state)
{
	(void)state;
	for_each_column(check_apply, FIRST_ARITH, LAST_ARITH);
}

static void compares(void **state)
{
	(void)state;
	for_each_column(check_compare, FIRST_COMPARE, LAST_COMPARE);
}

/* Every pair of values near the limits, in every lane. */
static void respects_the_limits(void **state)
{
	static const int BITS[] = {0, 1, 2, 23, 24, 30, 31, 32, 49, 50, 51, 52, 53, 60, 61, 62, 63};
	enum { N = sizeof BITS / sizeof *BITS * 6 + 1 };
	int64_t values[N];
	(void)state;
	values[0] = 0;
	for (size_t i = 0; i < sizeof BITS / sizeof *BITS; i++)
		for (int d = 0; d < 3; d++) {
			uint64_t v = ((uint64_t)1 << BITS[i]) + (uint64_t)d - 1;
			values[1 + i * 6 + (size_t)d] = (int64_t)v;
			values[4 + i * 6 + (size_t)d] = (int64_t)-v;
		}
	fixture f = {.rows = N};
	rng g = rng_seed(2);
	memcpy(f.a, values, sizeof values);
	for (int turn = 0; turn < N; turn++) {
		for (int i = 0; i < N; i++)
			f.b[i] = values[(i + turn) % N];
		for (enum op op = FIRST_ARITH; op <= LAST_ARITH; op++)
			check_apply(&f, op, &g);
		for (enum op op = FIRST_COMPARE; op <= LAST_COMPARE; op++)
			check_compare(&f, op, &g);
	}
}

/* Quotients next to whole numbers, where rounding could fail. */
static void divides_exactly(void **state)
{
	rng g = rng_seed(3);
	fixture f = {.rows = 64};
	(void)state;
	for (int k = 0; k < 20000; k++) {
		for (int r = 0; r < f.rows; r++) {
			int64_t b = (int64_t)(rng_next(&g) >> (14 + rng_next(&g) % 50)) + 1;
			int64_t q =
			    (int64_t)(rng_next(&g) % (((uint64_t)1 << 50) / (uint64_t)b + 1));
			f.b[r] = rng_next(&g) % 2 ? b : -b;
			f.a[r] = (rng_next(&g) % 2 ? q : -q) * b + (int64_t)(rng_next(&g) % 3) - 1;
		}
		enum op op = k % 2 ? OP_DIV : OP_MOD;
		bool any = define(&f, op);
		expect(&f, op, any, column_apply(op, f.a, f.b, f.to, f.rows), "division");
		int64_t divisor = f.b[0];
		same(f.b, divisor, f.rows);
		any = define(&f, op);
		expect(&f, op, any, column_apply_const(op, f.a, divisor, f.to, f.rows),
		    "by a constant");
	}
}

static void rejects_other_operations(void **state)
{
	int64_t a[9] = {1, 2, 3}, to[9] = {0};
	(void)state;
	assert_false(column_apply(OP_EQ, a, a, to, 9));
	for (int r = 0; r < 9; r++)
		assert_true(to[r] == NOVAL);
}

/* Both paths give one hash; columns that differ by one small step, also of NOVAL and -1, never collide. */
static void hashes(void **state)
{
	uint64_t weights[MOST];
	rng g = rng_seed(4);
	fixture f;
	(void)state;
	column_weights(weights, MOST);
	for (int rows = 0; rows < 300; rows++) {
		fill(&g, f.a, rows);
		uint64_t h = column_digest(f.a, weights, rows);
		assert_true(h == plain_column_digest(f.a, weights, rows));
		for (int r = 0; r < rows; r++) {
			static const int64_t OTHER[] = {
			    NOVAL, 0, -1, 1, INT64_MAX, 1LL << 32, -(1LL << 32)};
			int64_t old = f.a[r];
			for (size_t i = 0; i < sizeof OTHER / sizeof *OTHER; i++) {
				f.a[r] = OTHER[i];
				assert_true(
				    (column_digest(f.a, weights, rows) == h) == (old == f.a[r]));
			}
			f.a[r] = old;
		}
	}
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* The columns x*i + y*j + z*k of small columns, with NOVAL at some positions: 2^16 of them. About half a
 * pair of the upper and of the lower hash halves should collide. */
static void spreads_its_hashes(void **state)
{
	enum { N = 1 << 16, LENGTH = 40 };
	static uint32_t upper[N], lower[N];
	uint64_t weights[LENGTH];
	int64_t x[3][LENGTH], col[LENGTH];
	rng g = rng_seed(5);
	(void)state;
	column_weights(weights, LENGTH);
	for (int r = 0; r < LENGTH; r++)
		for (int i = 0; i < 3; i++)
			x[i][r] = (int64_t)(rng_next(&g) % 8);
	for (int n = 0; n < N; n++) {
		for (int r = 0; r < LENGTH; r++)
			col[r] =
			    x[0][r] * (n & 31) + x[1][r] * (n >> 5 & 31) + x[2][r] * (n >> 10 & 3);
		for (int bit = 0; bit < 4; bit++)
			if (n >> 12 >> bit & 1)
				col[bit] = NOVAL;
		uint64_t h = column_digest(col, weights, LENGTH);
		upper[n] = (uint32_t)(h >> 32);
		lower[n] = (uint32_t)h;
	}
	qsort(upper, N, sizeof *upper, by_value);
	qsort(lower, N, sizeof *lower, by_value);
	int same_upper = 0, same_lower = 0;
	for (int n = 1; n < N; n++) {
		same_upper += upper[n] == upper[n - 1];
		same_lower += lower[n] == lower[n - 1];
	}
	assert_in_range(same_upper, 0, 5);
	assert_in_range(same_lower, 0, 5);
}

/* Vectors, the plain loop and the header's definition agree for every number of rows and values up to its
 * limit. */
static void subtracts_and_finds_min_max(void **state)
{
	rng g = rng_seed(6);
	int64_t a[MOST], b[MOST], to[MOST], plain[MOST];
	(void)state;
	for (int rows = 1; rows < 300; rows++) {
		int shift = 3 + (int)(rng_next(&g) % 60);
		for (int r = 0; r < rows; r++) {
			a[r] = (int64_t)rng_next(&g) >> shift;
			b[r] = (int64_t)rng_next(&g) >> (shift < 8 ? 8 : shift);
		}
		int64_t max = a[0], min = a[0];
		for (int r = 1; r < rows; r++) {
			max = a[r] > max ? a[r] : max;
			min = a[r] < min ? a[r] : min;
		}
		assert_true(column_max(a, rows) == max && plain_column_max(a, rows) == max);
		assert_true(column_min(a, rows) == min && plain_column_min(a, rows) == min);
		for (int64_t times = -3; times <= 3; times++) {
			column_subtract(a, times, b, to, rows);
			plain_column_subtract(a, times, b, plain, rows);
			for (int r = 0; r < rows; r++)
				assert_true(to[r] == a[r] - times * b[r] && plain[r] == to[r]);
		}
	}
}

static void counts_rows_within(void **state)
{
	rng g = rng_seed(7);
	int64_t min[MOST], width[MOST];
	(void)state;
	for (int rows = 1; rows < 300; rows++) {
		uint64_t bits[5], plain[5];
		int64_t b = (int64_t)(rng_next(&g) % 9) - 4;
		int n = 0;
		for (int r = 0; r < rows; r++) {
			min[r] = (int64_t)(rng_next(&g) % 17) - 8;
			width[r] = 1 + (int64_t)(rng_next(&g) % 5);
			n += min[r] <= b && b < min[r] + width[r];
		}
		assert_int_equal(column_within(min, width, b, bits, rows), n);
		assert_int_equal(plain_column_within(min, width, b, plain, rows), n);
		for (int r = 0; r < (rows + 63) / 64 * 64; r++) {
			bool in = r < rows && min[r] <= b && b < min[r] + width[r];
			assert_true((bits[r / 64] >> r % 64 & 1) == in && (plain[r / 64] >> r % 64 & 1) == in);
		}
	}
}

static void finds_words_without(void **state)
{
	rng g = rng_seed(8);
	uint64_t words[MOST];
	(void)state;
	for (int n = 0; n < 60; n++)
		for (int tries = 0; tries < 20; tries++) {
			uint64_t mask = rng_next(&g) & rng_next(&g) & rng_next(&g) & rng_next(&g);
			int k = (int)(rng_next(&g) % (uint64_t)(n + 1)), first = k;
			for (int i = 0; i < n; i++)
				words[i] = rng_next(&g) | (rng_next(&g) % 5 ? mask & -mask : 0);
			while (first < n && words[first] & mask)
				first++;
			assert_int_equal(column_first_without(words, mask, k, n), first);
			assert_int_equal(plain_column_first_without(words, mask, k, n), first);
		}
}

static void finds_rows_below(void **state)
{
	(void)state;
	static const int64_t TIMES[] = {1, -1, 2, -2};
	rng g = rng_seed(15);
	int64_t a[60], b[60];
	for (int n = 0; n < 60; n++)
		for (int tries = 0; tries < 40; tries++) {
			int64_t times = TIMES[tries % 4], limit = rng_range(&g, -260, -140);
			int k = (int)(rng_next(&g) % (uint64_t)(n + 1)), first = k;
			for (int r = 0; r < n; r++) {
				a[r] = rng_range(&g, -100, 100);
				b[r] = rng_range(&g, -100, 100);
			}
			while (first < n && a[first] + times * b[first] >= limit)
				first++;
			assert_int_equal(column_first_below(a, times, b, limit, k, n), first);
			assert_int_equal(plain_column_first_below(a, times, b, limit, k, n), first);
		}
}

static void shifts_and_finds_the_end(void **state)
{
	(void)state;
	static const int64_t TIMES[] = {1, -1, 2, -2};
	rng g = rng_seed(14);
	int64_t a[130], b[130], c[130], d[130], to[2][130];
	for (int rows = 1; rows <= 130; rows++)
		for (int way = 0; way < 16; way++) {
			int64_t times = TIMES[way % 4], end = 0;
			int sign = way & 4 ? 1 : -1;
			const int64_t *with = way & 8 ? d : NULL;
			for (int r = 0; r < rows; r++) {
				a[r] = rng_range(&g, -100, 100) * ((int64_t)1 << (r % 40));
				b[r] = rng_range(&g, -100, 100);
				c[r] = rng_range(&g, -100, 100) * ((int64_t)1 << (r % 50));
				d[r] = rng_range(&g, -100, 100) * ((int64_t)1 << (r % 30));
			}
			for (int r = 0; r < rows; r++) {
				int64_t v = a[r] - b[r] - times * c[r] + (with ? d[r] : 0);
				end = r == 0 || (sign > 0 ? v > end : v < end) ? v : end;
			}
			assert_int_equal(column_shift(a, b, times, c, with, sign, to[0], rows), end);
			assert_int_equal(plain_column_shift(a, b, times, c, with, sign, to[1], rows), end);
			for (int r = 0; r < rows; r++) {
				assert_int_equal(to[0][r], a[r] - b[r] - times * c[r]);
				assert_int_equal(to[1][r], to[0][r]);
			}
		}
}

static void counts_common_bits(void **state)
{
	(void)state;
	rng g = rng_seed(13);
	uint64_t a[11], b[11];
	for (int words = 0; words <= 11; words++)
		for (int k = 0; k < 20; k++) {
			int n = 0;
			for (int w = 0; w < words; w++) {
				a[w] = rng_next(&g);
				b[w] = k ? rng_next(&g) : ~(uint64_t)0;
				for (int i = 0; i < 64; i++)
					n += a[w] >> i & b[w] >> i & 1;
			}
			assert_int_equal(column_common_bits(a, b, words), n);
			assert_int_equal(plain_column_common_bits(a, b, words), n);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(applies),
	    cmocka_unit_test(compares),
	    cmocka_unit_test(respects_the_limits),
	    cmocka_unit_test(divides_exactly),
	    cmocka_unit_test(rejects_other_operations),
	    cmocka_unit_test(hashes),
	    cmocka_unit_test(spreads_its_hashes),
	    cmocka_unit_test(subtracts_and_finds_min_max),
	    cmocka_unit_test(counts_rows_within),
	    cmocka_unit_test(finds_words_without),
	    cmocka_unit_test(finds_rows_below),
	    cmocka_unit_test(shifts_and_finds_the_end),
	    cmocka_unit_test(counts_common_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
