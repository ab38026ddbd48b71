/* Rows per second that column.c evaluates on one core, with the columns in the first-level cache: every column
 * of 128 dimensions (0 to 64) with every column of attributes (-3 to 64: one row in 68 divides by 0), the best
 * of many short runs. "holes": one row in eight of the dimensions has no value. "plain": one row at a time, as
 * arith.h defines it. usage: bench_column [--json] */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "rng.h"
#include "column.h"
#include "problem.h"

enum { COLUMNS = 8, RUNS = 400, REPEAT = 20 };

typedef struct bench {
	int64_t dim[COLUMNS][ROWS], holes[COLUMNS][ROWS], attribute[COLUMNS][ROWS], to[ROWS];
	uint64_t bits[(ROWS + 63) / 64], weights[ROWS], sink;
} bench;

typedef void pass(bench *b, enum op op, const int64_t *x, const int64_t *y);

static void columns(bench *b, enum op op, const int64_t *x, const int64_t *y)
{
	b->sink += column_apply(op, x, y, b->to, ROWS);
}

static void constant(bench *b, enum op op, const int64_t *x, const int64_t *y)
{
	b->sink += column_apply_const(op, x, y[0] | 1, b->to, ROWS);
}

static void plain(bench *b, enum op op, const int64_t *x, const int64_t *y)
{
	bool any = false;
	for (int r = 0; r < ROWS; r++) {
		wide v = 0;
		bool ok = x[r] != NOVAL && y[r] != NOVAL;
		if (ok)
			switch (op) {
#define X(NAME, name, ...)                                                                         \
	case OP_##NAME:                                                                            \
		ok = checked_##name(x[r], y[r], &v);                                               \
		break;
				ARITH_OPS(X)
#undef X
			default:
				ok = false;
			}
		ok = ok && v < (wide)1 << 62 && v > -((wide)1 << 62);
		b->to[r] = ok ? (int64_t)v : NOVAL;
		any |= ok;
	}
	b->sink += any;
}

static void plain_compare(bench *b, enum op op, const int64_t *x, const int64_t *y)
{
	memset(b->bits, 0, sizeof b->bits);
	for (int r = 0; r < ROWS; r++) {
		bool is = false;
		switch (op) {
#define X(NAME, name, text, operator, ...)                                                         \
	case OP_##NAME:                                                                            \
		is = x[r] operator y[r];                                                           \
		break;
			COMPARE_OPS(X)
#undef X
		default:
			break;
		}
		is = is && x[r] != NOVAL && y[r] != NOVAL;
		b->bits[r / 64] |= (uint64_t)is << r % 64;
	}
	b->sink += b->bits[0];
}

static void compare(bench *b, enum op op, const int64_t *x, const int64_t *y)
{
	column_compare(op, x, y, b->bits, ROWS);
	b->sink += b->bits[0];
}

static void compare_constant(bench *b, enum op op, const int64_t *x, const int64_t *y)
{
	column_compare_const(op, x, y[0], b->bits, ROWS);
	b->sink += b->bits[0];
}

static void hash(bench *b, enum op op, const int64_t *x, const int64_t *y)
{
	(void)op;
	(void)y;
	b->sink += column_digest(x, b->weights, ROWS);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Rows per second. */
static double measure(bench *b, pass *p, enum op op, const int64_t (*left)[ROWS])
{
	double best = 1e9;
	for (int run = 0; run < RUNS; run++) {
		double start = now();
		for (int k = 0; k < REPEAT; k++)
			for (int i = 0; i < COLUMNS; i++)
				for (int j = 0; j < COLUMNS; j++)
					p(b, op, left[i], b->attribute[j]);
		double time = now() - start;
		best = time < best ? time : best;
	}
	return (double)REPEAT * COLUMNS * COLUMNS * ROWS / best;
}

static void prepare(bench *b)
{
	rng g = rng_seed(1);
	memset(b, 0, sizeof *b);
	column_weights(b->weights, ROWS);
	for (int i = 0; i < COLUMNS; i++)
		for (int r = 0; r < ROWS; r++) {
			b->dim[i][r] = (int64_t)(rng_next(&g) % 65);
			b->holes[i][r] = rng_next(&g) % 8 ? b->dim[i][r] : NOVAL;
			b->attribute[i][r] = (int64_t)(rng_next(&g) % 68) - 3;
		}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *text, *name;
	} OPS[OP_COUNT] = {
#define X(NAME, name, text, ...) [OP_##NAME] = {text, #NAME},
	    ARITH_OPS(X) COMPARE_OPS(X)
#undef X
	};
	static bench b;
	double rate[OP_COUNT][4] = {{0}};
	bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
	prepare(&b);
	for (enum op op = FIRST_ARITH; op <= LAST_COMPARE; op++) {
		bool compares = op >= FIRST_COMPARE;
		if (!OPS[op].text)
			continue;
		rate[op][0] = measure(&b, compares ? compare : columns, op, b.dim);
		rate[op][1] = measure(&b, compares ? compare_constant : constant, op, b.dim);
		rate[op][2] = measure(&b, compares ? compare : columns, op, b.holes);
		rate[op][3] = measure(&b, compares ? plain_compare : plain, op, b.dim);
	}
	double hashed = measure(&b, hash, OP_ADD, b.dim);
	if (!json)
		printf("10^9 rows a second   columns   by a constant   holes   plain\n");
	for (enum op op = FIRST_ARITH; !json && op <= LAST_COMPARE; op++)
		if (OPS[op].text)
			printf("%-20s %7.2f   %13.2f   %5.2f   %5.2f\n", OPS[op].text,
			    rate[op][0] * 1e-9, rate[op][1] * 1e-9, rate[op][2] * 1e-9,
			    rate[op][3] * 1e-9);
	if (!json)
		printf("%-20s %7.2f\n", "hash", hashed * 1e-9);
	printf("{\"schema\":1,\"rows\":%d,\"point_evaluations_per_second\":{", ROWS);
	for (enum op op = FIRST_ARITH; op <= LAST_COMPARE; op++)
		if (OPS[op].text)
			printf("\"%s\":%.3g,\"%s_const\":%.3g,\"%s_holes\":%.3g,", OPS[op].name,
			    rate[op][0], OPS[op].name, rate[op][1], OPS[op].name, rate[op][2]);
	printf("\"HASH\":%.3g}}\n", hashed);
	return b.sink == 0;
}
