/* Recognizes slices with or without either end; they have as many elements as Python's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr.h"
#include "slice_term.h"

/* s0: size, s1: start, s2: end, s3: stride. */
#define BEGIN "(s1 + s0 if s1 < 0 else s1)"
#define END "(s2 + s0 if s2 < 0 else s2)"
static const struct {
	const char *text;
	bool begin, end;
	int64_t least; /* of s1 */
} SLICES[] = {
	{"max(((max(" END ", -1) - min(" BEGIN ", s0 - 1) + 1)//s3 if s3 < 0 else (min(" END ", s0) - max(" BEGIN ", 0) - 1)//s3) + 1, 0)", true, true, -9},
	{"max(((max(" END ", -1) - min(max(" BEGIN ", 0), s0 - 1) + 1)//s3 if s3 < 0 else (min(" END ", s0) - max(" BEGIN ", 0) - 1)//s3) + 1, 0)", true, true, 0},
	{"max(((max(" END ", -1) - (s0 - 1) + 1)//s3 if s3 < 0 else (min(" END ", s0) - 1)//s3) + 1, 0)", false, true, -9},
	{"max(((0 - min(" BEGIN ", s0 - 1))//s3 if s3 < 0 else (s0 - max(" BEGIN ", 0) - 1)//s3) + 1, 0)", true, false, -9},
	{"((1 - s0)//s3 if s3 < 0 else (s0 - 1)//s3) + 1", false, false, -9},
};
static const struct {
	const char *text;
	bool begin, end;
} PLAIN[] = {
	{"max(min(" END ", s0) - max(" BEGIN ", 0), 0)", true, true},
	{"max(min(" END ", s0), 0)", false, true},
	{"max(s0 - max(" BEGIN ", 0), 0)", true, false},
};
static const char *const OTHERS[] = {"max(s0 - s1, 0)", "max(s0, 0)", "max(min(s2, s0) - max(" BEGIN ", 0), 0)", "max(min(" END ", s3), 0)",
	"min(" END ", s0) - max(" BEGIN ", 0)", "max(min(" END ", s0) - max(" BEGIN ", 1), 0)", "max(min(" END ", s0) - " BEGIN ", 0)",
	"s0", "max(s0 + 1, 0)", "((1 - s0)//s3 if s3 < 0 else (s0 - 2)//s3) + 1", "((1 - s0)//s3 if s2 < 0 else (s0 - 1)//s3) + 1",
	"((1 - s0)//s3 if s3 < 0 else (s1 - 1)//s3) + 1", "((1 - s0)//s3 if s3 < 1 else (s0 - 1)//s3) + 1",
	"((0 - min(" BEGIN ", s0 - 1))//s3 if s3 < 0 else (s0 - max(" BEGIN ", 0) - 1)//s3) + 1",
	"max(((0 - min(" BEGIN ", s0 - 1))//s3 if s3 < 0 else (s0 - max(" END ", 0) - 1)//s3) + 1, 0)",
	"max(((max(s2 + s0 if s1 < 0 else s2, -1) - (s0 - 1) + 1)//s3 if s3 < 0 else (min(s2 + s0 if s1 < 0 else s2, s0) - 1)//s3) + 1, 0)",
	"max(((0 - min(s1, s0 - 1))//s3 if s3 < 0 else (s0 - max(s1, 0) - 1)//s3) + 1, 0)"};

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
	return x < low ? low : x > high ? high : x;
}

/* len(range(size)[begin:end:stride]), counted. */
static int64_t count(int64_t size, int64_t begin, int64_t end, int64_t stride)
{
	int64_t low = stride < 0 ? -1 : 0, high = stride < 0 ? size - 1 : size, n = 0;
	begin = clamp(begin < 0 ? begin + size : begin, low, high);
	end = clamp(end < 0 ? end + size : end, low, high);
	for (int64_t at = begin; stride < 0 ? at > end : at < end; at += stride)
		n++;
	return n;
}

static void compare(const expr *e, const int64_t *s, bool begin, bool end)
{
	int64_t none = s[0] * 2 + 20;
	wide v;
	assert_true(expr_eval(e, s, &v));
	assert_int_equal((int64_t)v, count(s[0], begin ? s[1] : s[3] < 0 ? none : 0, end ? s[2] : s[3] < 0 ? -none : none, s[3]));
}

static void slices_are_recognised(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof SLICES / sizeof *SLICES; k++) {
		expr_pool *pool = expr_pool_new();
		const expr *e = expr_parse(pool, SLICES[k].text, 4, "test", 1, NULL);
		slice_term t;
		assert_true(slice_of(&t, pool, e));
		assert_ptr_equal(t.size, expr_sym(pool, 0));
		assert_ptr_equal(t.stride, expr_sym(pool, 3));
		assert_int_equal(t.begin != NULL, SLICES[k].begin);
		assert_ptr_equal(t.end, SLICES[k].end ? expr_sym(pool, 2) : NULL);
		if (SLICES[k].begin && SLICES[k].least < 0)
			assert_ptr_equal(t.begin, expr_sym(pool, 1));
		for (int64_t size = 0; size < 6; size++)
			for (int64_t begin = SLICES[k].least; begin < 9; begin++)
				for (int64_t end = -9; end < 9; end++)
					for (int64_t stride = -3; stride <= 3; stride++)
						if (stride)
							compare(e, (int64_t[]){size, begin, end, stride}, SLICES[k].begin, SLICES[k].end);
		expr_pool_free(pool);
	}
}

static void slices_of_every_element_are_recognised(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof PLAIN / sizeof *PLAIN; k++) {
		expr_pool *pool = expr_pool_new();
		const expr *e = expr_parse(pool, PLAIN[k].text, 4, "test", 1, NULL);
		slice_term t;
		assert_true(slice_of(&t, pool, e));
		assert_ptr_equal(t.size, expr_sym(pool, 0));
		assert_null(t.stride);
		assert_ptr_equal(t.begin, PLAIN[k].begin ? expr_sym(pool, 1) : NULL);
		assert_ptr_equal(t.end, PLAIN[k].end ? expr_sym(pool, 2) : NULL);
		for (int64_t size = 0; size < 6; size++)
			for (int64_t begin = -9; begin < 9; begin++)
				for (int64_t end = -9; end < 9; end++)
					compare(e, (int64_t[]){size, begin, end, 1}, PLAIN[k].begin, PLAIN[k].end);
		expr_pool_free(pool);
	}
}

static void others_are_none(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof OTHERS / sizeof *OTHERS; k++) {
		expr_pool *pool = expr_pool_new();
		slice_term t;
		if (slice_of(&t, pool, expr_parse(pool, OTHERS[k], 4, "test", 1, NULL)))
			fail_msg("%s", OTHERS[k]);
		expr_pool_free(pool);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(slices_are_recognised), cmocka_unit_test(slices_of_every_element_are_recognised), cmocka_unit_test(others_are_none)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
