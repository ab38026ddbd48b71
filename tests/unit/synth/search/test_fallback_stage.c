/* Fallback searches, learned from calls of known rules and checked on other inputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"

/* A pool with C's quotient: an input smaller than the kernel by less than a stride has one window. */
static bool is_cut_off(const int64_t *s, int64_t *out)
{
	bool valid = s[1] > 0 && s[2] > 0;
	out[0] = valid ? (s[0] - s[1]) / s[2] + 1 : 0;
	return valid && out[0] >= 0;
}

static void learns_truncated_quotients(void **state)
{
	(void)state;
	learn("x=t1 k=i s=i", "1", is_cut_off, (draws){.dims = 12, .low = -1, .high = 6, .bases = 60});
}

/* A range with a step of either sign: the quotient is rounded up. */
static bool is_range(const int64_t *s, int64_t *out)
{
	if (s[2] == 0)
		return false;
	int64_t way = s[1] - s[0], whole = way / s[2];
	out[0] = whole + (way % s[2] != 0 && (way < 0) == (s[2] < 0));
	return out[0] >= 0;
}

static void learns_rounded_up_quotients(void **state)
{
	(void)state;
	learn("start=i end=i step=i", "1", is_range, (draws){.low = -9, .high = 9, .bases = 80});
}

static bool is_scaled(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = 3 * s[1] / 5;
	return true;
}

static void learns_fractions(void **state)
{
	(void)state;
	learn("x=t2", "2", is_scaled, (draws){.dims = 30, .bases = 60});
}

/* A shape in which one item may be -1; items of 0 copy the input's dimension. */
static bool is_reshaped(const int64_t *s, int64_t *out)
{
	int64_t numel = s[0] * s[1], a = s[2] == 0 ? s[0] : s[2], b = s[3] == 0 ? s[1] : s[3];
	if (a < -1 || b < -1 || (a == -1 && b == -1))
		return false;
	int64_t known = a == -1 ? b : a;
	if ((a == -1 || b == -1) && (known == 0 || numel % known))
		return false;
	out[0] = a == -1 ? numel / b : a;
	out[1] = b == -1 ? numel / a : b;
	return out[0] * out[1] == numel;
}

static void learns_copied_sizes(void **state)
{
	(void)state;
	learn("x=t2 shape=l2", "2", is_reshaped, (draws){.dims = 4, .low = -1, .high = 6, .bases = 1500});
}

static int64_t broadcast(int64_t a, int64_t b)
{
	return a == 1 ? b : a;
}

/* All but the last dimension of two tensors equal a third tensor's. */
static bool is_batch(const int64_t *s, int64_t *out)
{
	out[0] = broadcast(broadcast(s[0], s[2]), s[4]);
	return (s[0] == s[2] || s[0] == 1 || s[2] == 1) && (s[0] == s[4] || s[0] == 1 || s[4] == 1)
	    && (s[2] == s[4] || s[2] == 1 || s[4] == 1);
}

static void learns_shifted_broadcasting(void **state)
{
	(void)state;
	learn("x=t2 y=t2 z=t1", "1", is_batch, (draws){.dims = 5, .bases = 400});
}

/* An empty tensor is unchecked and returned unchanged. */
static bool is_batch_or_empty(const int64_t *s, int64_t *out)
{
	bool empty = s[0] * s[1] * s[2] == 0;
	out[0] = s[0];
	out[1] = empty ? s[1] : broadcast(s[1], s[3]);
	return empty || s[1] == s[3] || s[1] == 1 || s[3] == 1;
}

static void learns_outputs_of_empty_tensors(void **state)
{
	(void)state;
	learn("x=t3 y=t1", "2", is_batch_or_empty, (draws){.dims = 9, .bases = 400});
}

/* Two tensors broadcast together unless a third one is empty. */
static bool is_unless_empty(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[1];
	return s[0] * s[1] == 0 || s[2] == s[3] || s[2] == 1 || s[3] == 1;
}

static void learns_clauses_with_empty_tensors(void **state)
{
	(void)state;
	learn("x=t2 y=t1 z=t1", "2", is_unless_empty, (draws){.dims = 9, .bases = 400});
}

/* All dimensions but the one that an integer names. */
static bool is_reduced(const int64_t *s, int64_t *out)
{
	int64_t place = s[3] < 0 ? s[3] + 3 : s[3];
	if (place < 0 || place > 2)
		return false;
	out[0] = place == 0 ? s[1] : s[0];
	out[1] = place == 2 ? s[1] : s[2];
	return true;
}

static void learns_selected_dimensions(void **state)
{
	(void)state;
	learn("x=t3 dim=i", "2", is_reduced, (draws){.dims = 9, .low = -5, .high = 5, .bases = 160});
}

/* A kernel's size is given twice; with stride 1 it is 3. */
static void learns_coupled_symbols(void **state)
{
	(void)state;
	expect_output("tests/data/records/resorts/m.convolution.jsonl", 2, "(s2 + s10 + s12 - s6)//s14 + 1");
}

/* A dilated pool whose last window may extend past the edge but must begin before it; few records have a
 * stride of 1. */
static void learns_last_windows(void **state)
{
	(void)state;
	expect_output("tests/data/records/resorts/m.ceiled.jsonl", 2, "min((s2 + s6 - 1)//s5 + 1, (s2 + 2*s6 - (s4 - 1)*s7 - 2)//s5 + 2)");
}

/* A pool with pads before and after on each axis: too many symbols matter for the search for sums. */
static void learns_partial_last_windows(void **state)
{
	(void)state;
	expect_output("tests/data/records/resorts/m.pooled.jsonl", 2, "min((s2 + s6 - 1)//s10 + 1, (s2 + s6 + s8 - s4 - 1)//s10 + 2)");
}

/* Dilated patches, channels last; if none fits, the output has none. */
static void learns_dilated_patches(void **state)
{
	(void)state;
	expect_output("tests/data/records/resorts/m.patches.jsonl", 2, "max(0, (s2 + s14 - s6*s14 - 1)//s10 + 1)");
}

/* Unpooling: the size of a pool's input, less than a stride from the pool's inverse. */
static bool is_unpooled(const int64_t *s, int64_t *out)
{
	int64_t usual = (s[0] - 1) * s[2] - 2 * s[3] + s[1];
	out[0] = s[4];
	return s[1] > 0 && s[2] > 0 && s[3] >= 0 && s[4] >= 0 && s[4] > usual - s[2] && s[4] < usual + s[2];
}

static void learns_linear_bounds(void **state)
{
	(void)state;
	learn("x=t1 k=i s=i p=i size=l1", "1", is_unpooled, (draws){.dims = 5, .low = 0, .high = 9, .bases = 600});
}

/* Strides that may not reach beyond a tensor. */
static bool is_strided(const int64_t *s, int64_t *out)
{
	out[0] = s[1];
	out[1] = s[2];
	out[2] = s[3];
	for (int i = 1; i < 8; i++)
		if (s[i] < 0)
			return false;
	return s[1] * s[2] * s[3] == 0 || (s[1] - 1) * s[4] + (s[2] - 1) * s[5] + (s[3] - 1) * s[6] + s[7] < s[0];
}

static void learns_stride_bounds(void **state)
{
	(void)state;
	learn("x=t1 size=l3 stride=l3 at=i", "3", is_strided, (draws){.dims = 20, .low = -1, .high = 4, .bases = 300});
}

/* Groups of channels beside other dimensions: as many as the quotient of the channels by the kernel's. */
static bool is_grouped(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[4];
	out[2] = s[2];
	out[3] = s[3];
	return s[1] > 0 && s[5] > 0 && s[1] % s[5] == 0 && s[4] % (s[1] / s[5]) == 0;
}

static void learns_groups(void **state)
{
	(void)state;
	learn("x=t4 w=t4", "4", is_grouped, (draws){.dims = 14, .bases = 600});
}

/* No search finds the parity of some bits: each is run, and its memory is freed before the next (ASan
 * reports leaks). */
static bool is_odd_and_grouped(const int64_t *s, int64_t *out)
{
	return is_grouped(s, out) && __builtin_popcountll((uint64_t)(s[0] ^ s[2])) % 2 != 0;
}

static void reports_unsolved_clauses(void **state)
{
	(void)state;
	lesson l;
	study(&l, "x=t4 w=t4", "4", is_odd_and_grouped, (draws){.dims = 14, .bases = 600});
	assert_non_null(l.f.rules[0].why);
	forget(&l);
}

/* Positions of a dilated kernel, with pads before and after; one more if it begins before the end. */
static bool is_pooled(const int64_t *s, int64_t *out)
{
	if (s[1] <= 0 || s[2] <= 0 || s[3] <= 0 || s[4] < 0 || s[5] < 0 || s[5] >= s[1])
		return false;
	int64_t y = s[0] + s[4] + s[5] - s[3] * (s[1] - 1) - 1;
	out[0] = y < 0 ? 0 : (y + s[2] - 1) / s[2] + 1;
	if (s[0] + s[4] > 0 && (out[0] - 1) * s[2] >= s[0] + s[4])
		out[0]--;
	return y >= 0 && s[0] + s[4] > 0;
}

static void learns_ceilings(void **state)
{
	(void)state;
	learn("x=t1 k=i stride=i dilation=i low=i high=i", "1", is_pooled, (draws){.dims = 14, .low = 0, .high = 5, .bases = 300});
}

/* A kernel that fits nowhere has no position. */
static bool is_brought_to_0(const int64_t *s, int64_t *out)
{
	if (s[1] <= 0 || s[2] <= 0 || s[3] <= 0 || s[4] < 0 || s[5] < 0)
		return false;
	int64_t y = s[0] + s[4] + s[5] - s[3] * (s[1] - 1) - 1;
	out[0] = y < 0 ? 0 : y / s[2] + 1;
	return true;
}

static void learns_windows_larger_than_input(void **state)
{
	(void)state;
	learn("x=t1 k=i stride=i dilation=i low=i high=i", "1", is_brought_to_0, (draws){.dims = 14, .low = 0, .high = 5, .bases = 300});
}

/* The number of elements of a range in either direction. */
static bool is_counted_by_steps(const int64_t *s, int64_t *out)
{
	out[0] = 0;
	for (int64_t x = s[0]; s[2] && (s[2] > 0 ? x < s[1] : x > s[1]); x += s[2])
		out[0]++;
	return s[2] != 0;
}

static void learns_ranges(void **state)
{
	(void)state;
	learn("start=i limit=i delta=i", "1", is_counted_by_steps, (draws){.low = -9, .high = 12, .bases = 60});
}

/* The lower triangle of a rectangle. */
static bool is_triangle(const int64_t *s, int64_t *out)
{
	out[0] = s[0] <= s[1] ? s[0] * (s[0] + 1) / 2 : s[0] * s[1] - s[1] * (s[1] - 1) / 2;
	return s[0] >= 0 && s[1] >= 0;
}

static void learns_triangles(void **state)
{
	(void)state;
	learn("rows=i columns=i", "1", is_triangle, (draws){.low = -2, .high = 20, .bases = 60});
}

/* The minimum of two numbers, at most 6. */
static bool is_capped(const int64_t *s, int64_t *out)
{
	int64_t least = s[0] < s[1] ? s[0] : s[1];
	out[0] = least < 6 ? least : 6;
	return true;
}

static void learns_caps(void **state)
{
	(void)state;
	learn("x=t2", "1", is_capped, (draws){.dims = 14, .bases = 60});
}

static bool is_nonzero(const int64_t *s, int64_t *out)
{
	out[0] = 0;
	for (int k = 0; k < 6; k++)
		out[0] += s[k] != 0;
	return true;
}

static bool is_distinct(const int64_t *s, int64_t *out)
{
	out[0] = 0;
	for (int k = 0, j; k < 5; k++) {
		for (j = 0; j < k && s[j] != s[k]; j++) {}
		out[0] += j == k;
	}
	return true;
}

/* The number of nonzero elements of a tensor, and of distinct numbers in a list. */
static void learns_counts(void **state)
{
	(void)state;
	learn("at=e2,3", "1", is_nonzero, (draws){.low = -1, .high = 2, .bases = 60});
	learn("x=l5", "1", is_distinct, (draws){.low = -1, .high = 4, .bases = 60});
}

/* The number of (i, j) of rows × columns with least <= j - i <= most. */
static int64_t count_between(int64_t rows, int64_t columns, int64_t least, int64_t most)
{
	int64_t n = 0;
	for (int64_t i = 0; i < rows; i++)
		for (int64_t j = 0; j < columns; j++)
			n += j - i >= least && j - i <= most;
	return n;
}

static bool is_shifted_triangle(const int64_t *s, int64_t *out)
{
	out[0] = s[0] < 0 || s[1] < 0 ? 0 : count_between(s[0], s[1], INT64_MIN, s[2]);
	return s[0] >= 0 && s[1] >= 0;
}

/* The upper triangle without its diagonal, with the shift first. */
static bool is_strict_upper_triangle(const int64_t *s, int64_t *out)
{
	out[0] = s[1] < 0 || s[2] < 0 ? 0 : count_between(s[1], s[2], s[0] + 1, INT64_MAX);
	return s[1] >= 0 && s[2] >= 0;
}

static void learns_triangles_with_offsets(void **state)
{
	(void)state;
	learn("rows=i columns=i offset=i", "1", is_shifted_triangle, (draws){.low = -4, .high = 14, .bases = 120});
	learn("offset=i rows=i columns=i", "1", is_strict_upper_triangle, (draws){.low = -4, .high = 14, .bases = 120});
}

/* The rows of a matrix with a diagonal, shifted down or to the right: as given, or for -1 the minimum that
 * contains it, or the size of a square if the columns are -1, too. */
static bool is_told_or_square(const int64_t *s, int64_t *out)
{
	int64_t least = s[0] + (s[1] < 0 ? -s[1] : 0), square = s[0] + (s[1] < 0 ? -s[1] : s[1]);
	out[0] = s[2] != -1 ? s[2] : s[3] != -1 ? least : square;
	return (s[2] == -1 || s[2] >= least) && s[3] >= -1;
}

static void learns_cases(void **state)
{
	(void)state;
	learn("x=t1 shift=i rows=i columns=i", "1", is_told_or_square, (draws){.dims = 9, .low = -5, .high = 14, .bases = 400});
}

/* The bins of a Fourier transform whose size is the next power of 2: another formula fits a dozen sizes
 * equally well. */
static bool is_spectrum(const int64_t *s, int64_t *out)
{
	int64_t n = 2;
	while (n < s[1])
		n *= 2;
	out[0] = s[0];
	out[1] = n / 2 + 1;
	return s[1] > 1;
}

static void omits_overfitted_expressions(void **state)
{
	lesson l;
	(void)state;
	study(&l, "x=t1 size=i", "2", is_spectrum, (draws){.dims = 9, .low = 0, .high = 9, .bases = 60});
	assert_non_null(l.f.rules[0].why);
	forget(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(learns_truncated_quotients), cmocka_unit_test(learns_ceilings),
	    cmocka_unit_test(learns_rounded_up_quotients),
	    cmocka_unit_test(learns_windows_larger_than_input),
	    cmocka_unit_test(learns_partial_last_windows), cmocka_unit_test(learns_dilated_patches), cmocka_unit_test(learns_ranges), cmocka_unit_test(learns_triangles), cmocka_unit_test(learns_caps), cmocka_unit_test(learns_counts), cmocka_unit_test(learns_cases),
	    cmocka_unit_test(learns_triangles_with_offsets),
	    cmocka_unit_test(learns_fractions),
	    cmocka_unit_test(learns_copied_sizes), cmocka_unit_test(learns_shifted_broadcasting),
	    cmocka_unit_test(learns_outputs_of_empty_tensors),
	    cmocka_unit_test(learns_clauses_with_empty_tensors),
	    cmocka_unit_test(learns_selected_dimensions),
	    cmocka_unit_test(learns_coupled_symbols), cmocka_unit_test(learns_linear_bounds),
	    cmocka_unit_test(learns_stride_bounds), cmocka_unit_test(learns_groups), cmocka_unit_test(reports_unsolved_clauses),
	    cmocka_unit_test(omits_overfitted_expressions), cmocka_unit_test(learns_last_windows)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
