/* Clauses between symbols at any positions, and clauses that are allowed although no call was rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"

/* A recurrent cell: the weights have three gate rows per element of the state. */
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

/* So many weights that products are not searched. */
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

/* A transposed convolution's bias: the channels of its weights times the groups. */
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

/* The output padding is less than a stride or a dilation, unless there is nothing to pad. */
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

/* Contracted dimensions broadcast, first with last. */
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

/* Differences over coordinates: both inputs, without their ends, broadcast. */
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

/* A window count is clamped to 0; the call is rejected if C's truncated quotient is negative. */
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

/* ---- no rejected calls */

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
	bool open = solver_untested(l.op);
	forget(&l);
	return open;
}

static void tells_what_was_tested(void **state)
{
	(void)state;
	assert_false(is_untested((draws){.dims = 5, .bases = 40}));
	assert_true(is_untested((draws){.dims = 0, .bases = 40})); /* no accepted call has another size */
	assert_true(is_untested((draws){.dims = 5, .bases = 1}));
}

/* ---- few accepted calls because no more exist */

static bool is_thin(const char *pass, const char *fail)
{
	buf b = {0};
	lesson l = {.op = NULL};
	int nsym, nodim;
	put_call(&b, "m.learned", 0, "x=t0 k=i", "1", &nsym, &nodim);
	buf_printf(&b, ",\"pass\":[%s],\"fail\":[%s]}\n", pass, fail);
	read_lines(&l.r, &b);
	l.op = &l.r.ops[0];
	api_solver_start(&l.f, &l.op, 1, &l.none);
	api_solver_find_shapes(&l.f);
	api_clauses_find(&l.f);
	assert_null(l.f.rules[0].why);
	bool thin = l.f.rules[0].thin;
	forget(&l);
	return thin;
}

static void tells_that_all_was_seen(void **state)
{
	(void)state;
	/* topk of a scalar: k is 0 or 1 */
	assert_false(is_thin("[[0],[0]],[[1],[1]]", "[-9],[-5],[-3],[-2],[-1],[2],[3],[4],[5],[8],[9]"));
	assert_true(is_thin("[[0],[0]],[[1],[1]]", "[-1],[2]"));
	/* from 7 on; three of these were seen */
	assert_true(is_thin("[[7],[7]],[[8],[8]],[[9],[9]]", "[-5],[-4],[-3],[-2],[-1],[0],[1],[2],[3],[4],[5],[6]"));
	assert_true(is_thin("[[0],[0]],[[1],[1]]", "[-9],[-8],[-7],[-6],[-5],[-4],[-3],[-2],[-1],[-10],[-11]"));
}

static bool has_elements(const int64_t *size)
{
	return size[0] > 0 && size[1] > 0 && size[2] > 0;
}

/* A view by sizes and strides: no stride below 0 if a next element exists, unless the view is empty. */
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

/* Writing through a view: no two elements alias, none lies beyond the end. */
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

/* A cross product along the first dimension of size 3. */
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

/* Fold: as many blocks as the image has windows. */
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

/* Unpooling: sizes that yield this many windows, less than a stride beyond what the windows cover. */
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

/* Arguments that state a tensor's number of elements, as in group normalization. */
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

/* A dimension that is a multiple of all others but the last, if there are elements. */
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

/* Groups that matter only if the output is not empty. */
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
