/* Windows on an axis: the synthesizer on calls of known rules, checked on other inputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"

static const draws WIDE = {.dims = 12, .low = -15, .high = 15, .bases = 60};

/* Counts the visited positions one by one. */
static int64_t visited(int64_t d, int64_t start, int64_t end, int64_t step)
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
	out[1] = s[4] ? visited(s[1], s[2], s[3], s[4]) : 0;
	return s[4] != 0;
}

/* The same, but a start before the axis is clamped to its first position, whatever the step. */
static bool is_inside(const int64_t *s, int64_t *out)
{
	int64_t start = s[2] < -s[1] ? -s[1] : s[2];
	out[0] = s[0];
	out[1] = s[4] ? visited(s[1], start, s[3], s[4]) : 0;
	return s[4] != 0;
}

static void learns_starts_of_negative_steps(void **state)
{
	(void)state;
	learn("x=t2 start=i end=i step=i", "2", is_inside, WIDE);
}

static void learns_slices(void **state)
{
	(void)state;
	learn("x=t2 start=i end=i step=i", "2", is_slice, WIDE);
}

/* A whole axis by a step, from either end, starting at its first or last position. */
static bool is_stepped(const int64_t *s, int64_t *out)
{
	out[0] = s[2] ? (s[0] + (s[2] < 0 ? -s[2] : s[2]) - 1) / (s[2] < 0 ? -s[2] : s[2]) : 0;
	out[1] = s[2] ? visited(s[1], s[2] < 0 ? s[1] : 0, s[3], s[2]) : 0;
	return s[2] != 0;
}

static void learns_negative_starts(void **state)
{
	(void)state;
	learn("x=t2 step=i end=i", "2", is_stepped, WIDE);
}

/* A convolution padded to the same size: a coincidence with the kernel is no start. */
static void learns_steps_alone(void **state)
{
	(void)state;
	expect_output("tests/data/records/resorts/m.depthwise.jsonl", 2, "(s2 - 1)//s10 + 1");
}

/* Two axes at once, no step. */
static bool is_crop(const int64_t *s, int64_t *out)
{
	out[0] = visited(s[0], s[2], s[4], 1);
	out[1] = visited(s[1], s[3], s[5], 1);
	return true;
}

static void learns_lists_of_windows(void **state)
{
	(void)state;
	learn("x=t2 starts=l2 ends=l2", "2", is_crop, WIDE);
}

/* Only ascending steps: clauses must require it. */
static bool is_upward(const int64_t *s, int64_t *out)
{
	out[0] = s[3] > 0 ? visited(s[0], s[1], s[2], s[3]) : 0;
	return s[3] > 0;
}

static void learns_positive_steps(void **state)
{
	(void)state;
	learn("x=t1 start=i end=i step=i", "1", is_upward, WIDE);
}

/* Pieces between the given positions. */
static bool is_split(const int64_t *s, int64_t *out)
{
	out[0] = visited(s[0], 0, s[1], 1);
	out[1] = visited(s[0], s[1], s[2], 1);
	out[2] = visited(s[0], s[2], s[0], 1);
	return true;
}

static void learns_chunks(void **state)
{
	(void)state;
	learn("x=t1 at=l2", "1 1 1", is_split, WIDE);
}

/* Some of the dimensions of a shape of three. */
static bool is_shape(const int64_t *s, int64_t *out)
{
	out[0] = visited(3, s[3], s[4], 1);
	return true;
}

static void learns_windows_of_a_shape(void **state)
{
	(void)state;
	learn("x=t3 start=i end=i", "1", is_shape, WIDE);
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
	learn("x=t2 offset=i", "1", is_diagonal, WIDE);
}

/* Negative indices do not count from the end, and an empty window is rejected. */
static bool is_strict(const int64_t *s, int64_t *out)
{
	int64_t end = s[2] < s[0] ? s[2] : s[0];
	out[0] = end - s[1];
	return s[1] >= 0 && end >= s[1];
}

static void learns_rejected_calls(void **state)
{
	(void)state;
	learn("x=t1 start=i end=i", "1", is_strict, WIDE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(learns_slices), cmocka_unit_test(learns_negative_starts),
	    cmocka_unit_test(learns_steps_alone), cmocka_unit_test(learns_starts_of_negative_steps),
	    cmocka_unit_test(learns_lists_of_windows),
	    cmocka_unit_test(learns_positive_steps), cmocka_unit_test(learns_chunks),
	    cmocka_unit_test(learns_windows_of_a_shape), cmocka_unit_test(learns_diagonals),
	    cmocka_unit_test(learns_rejected_calls)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
