/* Windows on an axis: the synthesiser on calls of known rules, of other numbers than it learned from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "rng.h"
#include "family_clauses.h"
#include "operators.h"

enum { MOST_SYMBOLS = 12, MOST_OUTPUTS = 6, BASES = 60 };

/* The output dimensions; false when the call is refused. */
typedef bool truth(const int64_t *s, int64_t *out);

static int64_t draw(rng *r, bool dim)
{
	return dim ? rng_range(r, 0, 12) : rng_range(r, -15, 15);
}

static void put_row(buf *b, const int64_t *x, int n)
{
	buf_putc(b, '[');
	for (int i = 0; i < n; i++)
		buf_printf(b, "%s%lld", i ? "," : "", (long long)x[i]);
	buf_putc(b, ']');
}

/* A random input and its neighbours, as augmentation makes them: each symbol stepped. */
static void put_records(buf *b, truth *is, const bool *dim, int nsym, int nodim, bool pass)
{
	rng r = rng_seed(5);
	const char *comma = "";
	buf_printf(b, ",\"%s\":[", pass ? "pass" : "fail");
	for (int k = 0; k < BASES; k++) {
		int64_t x[MOST_SYMBOLS], base[MOST_SYMBOLS], out[MOST_OUTPUTS];
		for (int i = 0; i < nsym; i++)
			base[i] = draw(&r, dim[i]);
		for (int i = -1; i < nsym; i++) {
			memcpy(x, base, sizeof x);
			if (i >= 0)
				x[i] = draw(&r, dim[i]);
			if (is(x, out) != pass)
				continue;
			buf_puts(b, comma);
			buf_puts(b, pass ? "[" : "");
			put_row(b, x, nsym);
			if (pass) {
				buf_putc(b, ',');
				put_row(b, out, nodim);
			}
			buf_puts(b, pass ? "]" : "");
			comma = ",";
		}
	}
	buf_putc(b, ']');
}

/* Learns from such records, and compares on fresh inputs. */
static void learn(const char *args, const char *outs, int ndims, truth *is)
{
	static const options NONE = {0};
	buf b = {0};
	int nsym, nodim, wrong = 0;
	bool dim[MOST_SYMBOLS];
	for (int i = 0; i < MOST_SYMBOLS; i++)
		dim[i] = i < ndims;
	put_call(&b, "m.window", 0, args, outs, &nsym, &nodim);
	put_records(&b, is, dim, nsym, nodim, true);
	put_records(&b, is, dim, nsym, nodim, false);
	buf_puts(&b, "}\n");
	records r;
	read_lines(&r, &b);
	const operator *op = &r.ops[0];
	family f;
	family_start(&f, &op, 1, &NONE);
	family_shapes(&f);
	family_clauses(&f);
	assert_null(f.rules[0].why);
	rng g = rng_seed(77);
	for (int k = 0; k < 20000; k++) {
		int64_t x[MOST_SYMBOLS], out[MOST_OUTPUTS];
		for (int i = 0; i < nsym; i++)
			x[i] = draw(&g, dim[i]);
		bool valid = is(x, out);
		wrong += rule_accepts(op, &f.rules[0], x, valid ? out : NULL) != valid;
	}
	assert_int_equal(wrong, 0);
	family_free(&f);
	records_free(&r);
}

/* How many positions are met, one by one. */
static int64_t met(int64_t d, int64_t start, int64_t end, int64_t step)
{
	int64_t n = 0, low = step < 0 ? -1 : 0, high = step < 0 ? d - 1 : d;
	start += start < 0 ? d : 0;
	end += end < 0 ? d : 0;
	start = start < low ? low : start > high ? high : start;
	end = end < low ? low : end > high ? high : end;
	for (int64_t at = start; step < 0 ? at > end : at < end; at += step)
		n++;
	return n;
}

static bool is_slice(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[4] ? met(s[1], s[2], s[3], s[4]) : 0;
	return s[4] != 0;
}

/* The same, but a start before the axis is its first place, whatever the step. */
static bool is_inside(const int64_t *s, int64_t *out)
{
	int64_t start = s[2] < -s[1] ? -s[1] : s[2];
	out[0] = s[0];
	out[1] = s[4] ? met(s[1], start, s[3], s[4]) : 0;
	return s[4] != 0;
}

static void learns_where_a_walk_down_starts(void **state)
{
	(void)state;
	learn("x=t2 start=i end=i step=i", "2", 2, is_inside);
}

static void learns_slices(void **state)
{
	(void)state;
	learn("x=t2 start=i end=i step=i", "2", 2, is_slice);
}

/* Two axes at once, no step. */
static bool is_crop(const int64_t *s, int64_t *out)
{
	out[0] = met(s[0], s[2], s[4], 1);
	out[1] = met(s[1], s[3], s[5], 1);
	return true;
}

static void learns_lists_of_windows(void **state)
{
	(void)state;
	learn("x=t2 starts=l2 ends=l2", "2", 2, is_crop);
}

/* Only upwards: clauses must say so. */
static bool is_upward(const int64_t *s, int64_t *out)
{
	out[0] = s[3] > 0 ? met(s[0], s[1], s[2], s[3]) : 0;
	return s[3] > 0;
}

static void learns_that_steps_are_positive(void **state)
{
	(void)state;
	learn("x=t1 start=i end=i step=i", "1", 1, is_upward);
}

/* Pieces between the given places. */
static bool is_split(const int64_t *s, int64_t *out)
{
	out[0] = met(s[0], 0, s[1], 1);
	out[1] = met(s[0], s[1], s[2], 1);
	out[2] = met(s[0], s[2], s[0], 1);
	return true;
}

static void learns_pieces(void **state)
{
	(void)state;
	learn("x=t1 at=l2", "1 1 1", 1, is_split);
}

/* Some of the dimensions of a shape of three. */
static bool is_shape(const int64_t *s, int64_t *out)
{
	out[0] = met(3, s[3], s[4], 1);
	return true;
}

static void learns_windows_of_a_shape(void **state)
{
	(void)state;
	learn("x=t3 start=i end=i", "1", 3, is_shape);
}

static bool is_diagonal(const int64_t *s, int64_t *out)
{
	int64_t i = s[2] < 0 ? -s[2] : 0, j = s[2] > 0 ? s[2] : 0;
	for (out[0] = 0; i < s[0] && j < s[1]; i++, j++)
		out[0]++;
	return true;
}

static void learns_diagonals(void **state)
{
	(void)state;
	learn("x=t2 offset=i", "1", 2, is_diagonal);
}

/* Nothing counts from the end, and an empty window is refused. */
static bool is_strict(const int64_t *s, int64_t *out)
{
	int64_t end = s[2] < s[0] ? s[2] : s[0];
	out[0] = end - s[1];
	return s[1] >= 0 && end >= s[1];
}

static void learns_what_is_refused(void **state)
{
	(void)state;
	learn("x=t1 start=i end=i", "1", 1, is_strict);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(learns_slices), cmocka_unit_test(learns_where_a_walk_down_starts),
	    cmocka_unit_test(learns_lists_of_windows),
	    cmocka_unit_test(learns_that_steps_are_positive), cmocka_unit_test(learns_pieces),
	    cmocka_unit_test(learns_windows_of_a_shape), cmocka_unit_test(learns_diagonals),
	    cmocka_unit_test(learns_what_is_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
