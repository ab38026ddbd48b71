/* Clauses between symbols at any places, and what may be said where nothing was refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"

/* A recurrent cell: the weights' rows are three gates for each number of the state. */
static bool is_recurrent(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	out[1] = s[3];
	return s[1] == 3 * s[3] && s[2] == s[3];
}

static void learns_multiples(void **state)
{
	(void)state;
	learn_saying("s1 == 3*s", "x=t1 w=t2 h=t1", "2", is_recurrent, (draws){.dims = 13, .bases = 4000});
}

/* Weights that are so many that products are not looked for. */
static bool is_of_many(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return s[1] == 4 * s[42];
}

static void learns_multiples_among_many(void **state)
{
	(void)state;
	learn_saying("s1 == 4*s42", "ws=T21,2 h=t1", "1", is_of_many, (draws){.dims = 13, .bases = 400});
}

/* A transposed convolution's bias: the channels that its weights have, for each group. */
static bool is_transposed(const int64_t *s, int64_t *out)
{
	out[0] = s[2];
	return s[3] > 0 && s[0] % s[3] == 0 && s[2] == s[1] * s[3];
}

static void learns_products(void **state)
{
	(void)state;
	learn_saying("s2 == s1*s3", "w=t2 bias=t1 groups=i", "1", is_transposed, (draws){.dims = 12, .low = -1, .high = 5, .bases = 1500});
}

/* What is padded at the end is less than a stride or a dilation, unless there is nothing to pad. */
static bool is_padded(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return s[1] >= 0 && s[2] > 0 && s[3] > 0 && (s[1] < s[2] || s[1] < s[3] || s[0] == 0);
}

static void learns_what_is_below_one_of_two(void **state)
{
	(void)state;
	learn_saying("s1 < s2 or s1 < s3", "x=t1 output_padding=i stride=i dilation=l1", "1", is_padded,
	    (draws){.dims = 4, .low = -2, .high = 8, .bases = 300});
}

/* Dimensions that are summed over broadcast, first with last. */
static bool is_contracted(const int64_t *s, int64_t *out)
{
	out[0] = s[1];
	out[1] = s[2];
	return s[0] == s[3] || s[0] == 1 || s[3] == 1;
}

static void learns_broadcasts_across(void **state)
{
	(void)state;
	learn_saying("s0 == s3 or s0 == 1 or s3 == 1", "a=t2 b=t2", "2", is_contracted, (draws){.dims = 6, .bases = 200});
}

/* Differences over coordinates: what is left of both without their ends broadcasts. */
static bool is_trimmed(const int64_t *s, int64_t *out)
{
	out[0] = s[0] == 3 ? s[1] : s[0];
	return s[0] > 1 && s[1] > 1 && (s[0] == s[1] || s[0] == 3 || s[1] == 3);
}

static void learns_broadcasts_without_ends(void **state)
{
	(void)state;
	learn_saying("s0 == s1 or s0 == 3 or s1 == 3", "x=t1 at=t1", "1", is_trimmed, (draws){.dims = 7, .bases = 60});
}

/* A count of windows is brought to 0, but refused where the quotient that C has is below 0. */
static bool is_brought_to_zero(const int64_t *s, int64_t *out)
{
	if (s[1] <= 0 || s[2] <= 0 || s[3] <= 0)
		return false;
	int64_t span = (s[1] - 1) * s[3] + 1, windows = s[0] >= span ? (s[0] - span) / s[2] + 1 : 0;
	out[0] = windows;
	return s[0] - span + 2 * s[2] > 0;
}

static void learns_what_is_brought_to_zero(void **state)
{
	(void)state;
	learn_saying("+ s2 + s2 > 0", "x=t1 k=i stride=i dilation=i", "1", is_brought_to_zero, (draws){.dims = 16, .low = -1, .high = 5, .bases = 300});
}

/* ---- nothing was refused */

static bool is_anything(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return true;
}

static bool is_untested(draws d)
{
	lesson l;
	study(&l, "a=t1 b=t1", "1", is_anything, d);
	assert_null(l.f.rules[0].why);
	bool open = untested(l.op);
	forget(&l);
	return open;
}

static void tells_what_was_tested(void **state)
{
	(void)state;
	assert_false(is_untested((draws){.dims = 5, .bases = 40}));
	assert_true(is_untested((draws){.dims = 0, .bases = 40})); /* that another size passes was not seen */
	assert_true(is_untested((draws){.dims = 5, .bases = 1}));
}

/* ---- few calls pass because there are no more */

static bool is_thin(const char *pass, const char *fail)
{
	buf b = {0};
	lesson l = {.op = NULL};
	int nsym, nodim;
	put_call(&b, "m.learned", 0, "x=t0 k=i", "1", &nsym, &nodim);
	buf_printf(&b, ",\"pass\":[%s],\"fail\":[%s]}\n", pass, fail);
	read_lines(&l.r, &b);
	l.op = &l.r.ops[0];
	family_start(&l.f, &l.op, 1, &l.none);
	family_shapes(&l.f);
	family_clauses(&l.f);
	assert_null(l.f.rules[0].why);
	bool thin = l.f.rules[0].thin;
	forget(&l);
	return thin;
}

static void tells_that_all_was_seen(void **state)
{
	(void)state;
	/* the k greatest of a number: none or one */
	assert_false(is_thin("[[0],[0]],[[1],[1]]", "[-9],[-5],[-3],[-2],[-1],[2],[3],[4],[5],[8],[9]"));
	assert_true(is_thin("[[0],[0]],[[1],[1]]", "[-1],[2]"));
	/* from 7 on, of which three were seen */
	assert_true(is_thin("[[7],[7]],[[8],[8]],[[9],[9]]", "[-5],[-4],[-3],[-2],[-1],[0],[1],[2],[3],[4],[5],[6]"));
	assert_true(is_thin("[[0],[0]],[[1],[1]]", "[-9],[-8],[-7],[-6],[-5],[-4],[-3],[-2],[-1],[-10],[-11]"));
}

static bool has_elements(const int64_t *size)
{
	return size[0] > 0 && size[1] > 0 && size[2] > 0;
}

/* A view of sizes and strides: none below 0 where there is a next element, unless there is none at all. */
static bool is_strided(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	for (int k = 1; k <= 3; k++)
		if (s[k] < 0)
			return false;
	for (int k = 1; k <= 3 && has_elements(s + 1); k++)
		if (s[k] > 1 && s[3 + k] < 0)
			return false;
	return true;
}

static void learns_how_strides_go(void **state)
{
	(void)state;
	learn_saying("s4 >= 0 or s1 <= 1 or s1*s2*s3 == 0", "x=t1 size=l3 stride=l3", "1", is_strided,
	    (draws){.dims = 20, .low = -2, .high = 4, .bases = 3000});
}

/* What is written through a view: no two of its elements are at one place, none beyond the end. */
static bool is_written(const int64_t *s, int64_t *out)
{
	int64_t last = 0;
	out[0] = s[0];
	for (int k = 1; k <= 6; k++)
		if (s[k] < 0)
			return false;
	for (int k = 1; k <= 3 && has_elements(s + 1); k++) {
		last += (s[k] - 1) * s[3 + k];
		if (s[k] > 1 && s[3 + k] == 0)
			return false;
	}
	return !has_elements(s + 1) || last < s[0];
}

static void learns_that_strides_are_apart(void **state)
{
	(void)state;
	learn_saying("s4 > 0 or s1 <= 1 or s1*s2*s3 == 0", "x=t1 size=l3 stride=l3", "1", is_written,
	    (draws){.dims = 20, .low = -1, .high = 4, .bases = 3000});
}

/* A product of vectors along the first dimension of 3. */
static bool is_crossed(const int64_t *s, int64_t *out)
{
	for (int k = 0; k < 2; k++)
		out[k] = s[k];
	return s[0] == 3 ? s[2] == 3 : s[1] == 3 && s[3] == 3;
}

static void learns_that_the_first_is_taken(void **state)
{
	(void)state;
	learn_saying("s1 != 3 or s3 == 3 or s0 == 3", "x=t2 y=t2", "2", is_crossed, (draws){.dims = 5, .bases = 1500});
}

static int64_t windows(int64_t size, int64_t kernel, int64_t padding, int64_t stride)
{
	int64_t last = size + 2 * padding - kernel;
	return last < 0 ? 0 : last / stride + 1;
}

/* Blocks that are put together to an image: as many as there are windows in it. */
static bool is_folded(const int64_t *s, int64_t *out)
{
	out[0] = s[1];
	out[1] = s[2];
	if (s[3] <= 0 || s[4] <= 0 || s[5] < 0 || s[6] <= 0 || s[1] <= 0 || s[2] <= 0)
		return false;
	int64_t high = windows(s[1], s[3], s[5], s[6]), wide = windows(s[2], s[4], s[5], s[6]);
	return high > 0 && wide > 0 && s[0] == high * wide;
}

static void learns_how_many_windows_there_are(void **state)
{
	(void)state;
	learn_saying("s0 == ((s1 + 2*s5 - s3)//s6 + 1)*((s2 + 2*s5 - s4)//s6 + 1)",
	    "x=t1 size=l2 kernel=l2 padding=i stride=i", "2", is_folded, (draws){.dims = 12, .low = -1, .high = 5, .bases = 3000});
}

/* The way back: sizes that so many windows came from, less than a stride from what these cover. */
static bool is_unpooled(const int64_t *s, int64_t *out)
{
	int64_t stride = s[4], kernel = s[3];
	for (int k = 0; k < 2; k++) {
		int64_t far = s[5 + k] - ((s[1 + k] - 1) * stride + kernel);
		if (far >= stride || far <= -stride)
			return false;
		out[k] = s[5 + k];
	}
	return out[0] > 0 && out[1] > 0;
}

static void learns_what_windows_came_from(void **state)
{
	(void)state;
	learn_saying("(s2 - 1)*s4 + s3 - s4 < s6", "x=t3 kernel=i stride=i size=l2", "2", is_unpooled,
	    (draws){.dims = 4, .low = 0, .high = 7, .bases = 4000});
}

/* Numbers of a call that say how many elements a tensor has, as group normalisation is told. */
static bool is_told(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return s[0] * s[1] == s[2] * s[3] * s[4];
}

static void learns_numbers_of_elements(void **state)
{
	(void)state;
	learn_saying("s0*s1 == s2*s3*s4", "x=t2 n=i c=i size=i", "1", is_told, (draws){.dims = 4, .low = 0, .high = 3, .bases = 3000});
}

/* A dimension that all others but the last hold several times, where there are elements. */
static bool is_batched(const int64_t *s, int64_t *out)
{
	out[0] = s[2];
	out[1] = s[1];
	return s[0] * s[1] == 0 || (s[2] * s[3]) % s[0] == 0;
}

static void learns_batches(void **state)
{
	(void)state;
	learn_saying("s2*s3%s0 == 0 or s0*s1 == 0", "x=t2 indices=t3", "2", is_batched, (draws){.dims = 6, .bases = 1500});
}

/* Groups that only matter where something comes out. */
static bool is_grouped(const int64_t *s, int64_t *out)
{
	out[0] = s[0] > s[3] ? s[0] - s[3] : 0;
	return s[3] > 0 && (out[0] == 0 || (s[2] > 0 && s[1] % s[2] == 0));
}

static void learns_what_empty_outputs_need_not(void **state)
{
	(void)state;
	learn_saying("s1%s2 == 0 or max(s0 - s3, 0) == 0", "x=t2 y=t1 less=i", "1", is_grouped, (draws){.dims = 7, .low = -1, .high = 4, .bases = 1500});
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(learns_multiples), cmocka_unit_test(learns_multiples_among_many), cmocka_unit_test(learns_products),
	    cmocka_unit_test(learns_what_is_below_one_of_two), cmocka_unit_test(learns_broadcasts_across), cmocka_unit_test(learns_broadcasts_without_ends),
	    cmocka_unit_test(learns_what_is_brought_to_zero), cmocka_unit_test(tells_what_was_tested),
	    cmocka_unit_test(tells_that_all_was_seen),
	    cmocka_unit_test(learns_how_strides_go), cmocka_unit_test(learns_that_strides_are_apart),
	    cmocka_unit_test(learns_that_the_first_is_taken), cmocka_unit_test(learns_how_many_windows_there_are),
	    cmocka_unit_test(learns_what_windows_came_from), cmocka_unit_test(learns_numbers_of_elements),
	    cmocka_unit_test(learns_batches), cmocka_unit_test(learns_what_empty_outputs_need_not)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
