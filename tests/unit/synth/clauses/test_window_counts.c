/* Dimensions that count the windows along another, with varying strides, paddings and dilations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"

/* x, kernel, y, stride, padding, dilation: the quotient is rounded towards 0, so that a kernel may exceed
 * its input by less than a stride. */
static bool is_cut_off(const int64_t *s, int64_t *out)
{
	int64_t last = s[0] + 2 * s[4] - s[5] * (s[1] - 1) - 1;
	out[0] = s[2];
	return s[1] > 0 && s[2] > 0 && s[3] > 0 && s[4] >= 0 && s[5] > 0 && s[2] == last / s[3] + 1;
}

static void learns_quotients_that_are_cut_off(void **state)
{
	(void)state;
	learn_saying("s2 == max((s0 + 2*s4 - s5*(s1 - 1) - 1)//s3 + 1, 1)", "x=t1 w=t1 y=t1 stride=i padding=i dilation=i", "1",
	    is_cut_off, (draws){.dims = 8, .low = -1, .high = 3, .bases = 1500});
}

/* A pool's gradient: channels last, lists with a number per dimension, padded to the same size. */
static bool is_same(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return s[3] > 0 && s[4] > 0 && s[1] == (s[0] - 1) / s[3] + (s[0] > 0) && s[2] >= 0;
}

static void learns_windows_of_one_element(void **state)
{
	(void)state;
	learn_saying("s1 == (s0 - 1)//s3 + 1", "x=t1 y=t1 z=t1 stride=i other=i", "1", is_same,
	    (draws){.dims = 9, .low = -1, .high = 4, .bases = 3000});
}

/* A pool's gradient of four dimensions, channels last: a kernel and a stride for each; the kernel does not
 * affect the shape. */
static void learns_windows_of_all_axes(void **state)
{
	(void)state;
	lesson l;
	study_file(&l, "tests/data/records/resorts/m.pooled_back.jsonl");
	api_clauses_find(&l.f);
	assert_null(l.f.rules[0].why);
	assert_says(&l.f.rules[0], "s5 == (s1 - 1)//s17 + 1");
	forget(&l);
}

/* Kernels and strides for all dimensions of a tensor; the middle ones are pooled. */
static bool is_valid_pool(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return s[7] > 0 && s[10] > 0 && s[1] >= s[7] && s[4] == (s[1] - s[7]) / s[10] + 1;
}

static void learns_lists_of_a_tensors_length(void **state)
{
	(void)state;
	learn_saying("s4 == (s1 - s7)//s10 + 1", "x=t3 y=t3 kernel=l3 stride=l3", "1", is_valid_pool,
	    (draws){.dims = 5, .low = 0, .high = 3, .bases = 2500});
}

/* Padding to the same size, never negative. */
static bool is_without_gap(const int64_t *s, int64_t *out)
{
	if (s[4] <= 0 || s[5] <= 0 || s[2] <= 0 || s[3] <= 0)
		return false;
	out[0] = s[0] ? (s[0] - 1) / s[4] + 1 : 0;
	out[1] = s[1] ? (s[1] - 1) / s[5] + 1 : 0;
	return s[0] * s[1] == 0 || ((s[0] - 1) % s[4] < s[2] && (s[1] - 1) % s[5] < s[3]);
}

static void learns_that_no_gap_is_left(void **state)
{
	(void)state;
	learn_saying("(s0 - 1)%s4 < s2 or s0*s1 == 0", "x=t2 kernel=l2 stride=l2", "2", is_without_gap,
	    (draws){.dims = 9, .low = 0, .high = 5, .bases = 2000});
}

/* A size that contains all that the windows cover. */
static bool is_unpooled(const int64_t *s, int64_t *out)
{
	out[0] = s[3];
	out[1] = s[4];
	return s[3] >= 0 && s[4] >= 0 && s[5] > 0 && s[6] > 0 && s[0] * ((s[1] - 1) * s[6] + s[5]) <= s[3] * s[4];
}

static void learns_room_for_windows(void **state)
{
	(void)state;
	learn_saying("s0*((s1 - 1)*s6 + s5) <= s3*s4", "x=t2 z=t1 size=l2 kernel=i stride=i", "2", is_unpooled,
	    (draws){.dims = 5, .low = -1, .high = 6, .bases = 3000});
}

/* As many windows as a dimension states; none begins beyond the end of its axis. */
static bool begins_inside(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return s[1] == 0 || (s[1] - 1) * s[2] <= s[0];
}

static void learns_where_windows_begin(void **state)
{
	(void)state;
	learn_saying("(s1 - 1)*s2 <= s0", "size=t1 y=t1 stride=i", "1", begins_inside,
	    (draws){.dims = 9, .low = -1, .high = 5, .bases = 1500});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(learns_quotients_that_are_cut_off),
	    cmocka_unit_test(learns_windows_of_one_element),
	    cmocka_unit_test(learns_windows_of_all_axes),
	    cmocka_unit_test(learns_lists_of_a_tensors_length),
	    cmocka_unit_test(learns_that_no_gap_is_left),
	    cmocka_unit_test(learns_room_for_windows),
	    cmocka_unit_test(learns_where_windows_begin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
