/* Derives one output dimension from another with the two exchanged: if the records agree, and only then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"
#include "symmetric_dimension.h"

/* The search for dimension d of the learned rule if only dimension `known` is known, given as text. */
static const expr *search(lesson *l, int d, int known, const char *text)
{
	diag e;
	rule *r = &l->f.rules[0];
	for (int k = 0; k < r->nodim; k++)
		r->out[k] = NULL;
	r->out[known] = expr_parse(l->f.pool, text, l->op->nsym, "", 0, &e);
	assert_non_null(r->out[known]);
	return symmetric_dimension_search(&l->f.solvers[0], d);
}

static bool is_text(lesson *l, const expr *e, const char *text)
{
	diag d;
	return e && e == expr_parse(l->f.pool, text, l->op->nsym, "", 0, &d);
}

/* The requested size or a smaller one, which keeps the proportion to the other size. */
static bool keeps_proportion(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	if (s[1] <= 0 || s[2] <= 0 || s[3] <= 0 || s[4] <= 0)
		return false;
	out[1] = s[3] < s[1] * s[4] / s[2] ? s[3] : s[1] * s[4] / s[2];
	out[2] = s[4] < s[2] * s[3] / s[1] ? s[4] : s[2] * s[3] / s[1];
	return true;
}

static void exchanges_dimensions_and_items(void **state)
{
	(void)state;
	lesson l;
	study(&l, "x=t3 sizes=l2", "3", keeps_proportion, (draws){.dims = 9, .low = 0, .high = 9, .bases = 40});
	assert_true(is_text(&l, search(&l, 1, 2, "min(s4, s2*s3//s1)"), "min(s3, s1*s4//s2)"));
	assert_true(is_text(&l, search(&l, 2, 1, "min(s3, s1*s4//s2)"), "min(s4, s2*s3//s1)"));
	assert_null(search(&l, 1, 2, "min(s4, s2*s3//s1) + 1")); /* refuted */
	assert_null(search(&l, 0, 2, "min(s4, s2*s3//s1)"));	   /* three dimensions from the right, and two sizes */
	forget(&l);
}

/* One stride for both. */
static bool divides(const int64_t *s, int64_t *out)
{
	if (s[2] <= 0)
		return false;
	out[0] = s[0] / s[2];
	out[1] = s[1] / s[2];
	return true;
}

static void leaves_numbers_that_stand_alone(void **state)
{
	(void)state;
	lesson l;
	study(&l, "x=t2 stride=i", "2", divides, (draws){.dims = 9, .low = 0, .high = 9, .bases = 40});
	assert_true(is_text(&l, search(&l, 0, 1, "s1//s2"), "s0//s2"));
	forget(&l);
	study(&l, "x=t2 stride=l1", "2", divides, (draws){.dims = 9, .low = 0, .high = 9, .bases = 40});
	assert_true(is_text(&l, search(&l, 0, 1, "s1//s2"), "s0//s2"));
	forget(&l);
}

/* A list of two has no item for a third dimension from the right: the symbol there belongs to another
 * argument. */
static bool doubles(const int64_t *s, int64_t *out)
{
	out[0] = s[2] * 2;
	out[1] = s[1];
	out[2] = s[4] * 2;
	return s[4] >= 0;
}

static void ends_with_the_list(void **state)
{
	(void)state;
	lesson l;
	study(&l, "x=t3 sizes=l2", "3", doubles, (draws){.dims = 9, .low = 0, .high = 9, .bases = 40});
	assert_null(search(&l, 0, 2, "s4*2"));
	forget(&l);
}

static bool divides_twice(const int64_t *s, int64_t *out)
{
	if (!divides(s, out))
		return false;
	out[3] = out[1];
	out[1] = s[1];
	out[2] = s[0];
	return true;
}

/* Outputs of two tensors do not correspond by position. */
static void looks_at_one_tensor(void **state)
{
	(void)state;
	lesson l;
	study(&l, "x=t2 stride=i", "2 2", divides_twice, (draws){.dims = 9, .low = 0, .high = 9, .bases = 40});
	assert_null(search(&l, 0, 3, "s1//s2"));
	assert_null(search(&l, 3, 0, "s0//s2"));
	forget(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(exchanges_dimensions_and_items),
	    cmocka_unit_test(leaves_numbers_that_stand_alone), cmocka_unit_test(ends_with_the_list), cmocka_unit_test(looks_at_one_tensor)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
