/* Fallback patterns: offered only if nothing else explains the rejected calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "learning.h"
#include "fallback_patterns.h"

/* The clause expected among the offered ones. */
typedef struct wanted {
	const expr *e;
	bool found;
} wanted;

static void look_for(void *user, const expr *e, int cost)
{
	wanted *w = user;
	w->found |= e == w->e && cost > 0;
}

static bool is_offered(const lesson *l, void patterns(solver *s, template_offer *offer, void *user), const char *clause)
{
	diag d;
	wanted w = {.e = expr_parse(l->f.pool, clause, l->op->nsym, "", 0, &d)};
	assert_non_null(w.e);
	patterns(&l->f.solvers[0], look_for, &w);
	return w.found;
}

/* Indices into a tensor. They are unchecked if the other dimensions, or sizes given beside it, make the
 * output empty. */
static bool is_inside_or_nothing(const int64_t *s, int64_t *out)
{
	const int64_t size[] = {s[1], s[2], s[6], s[7]};
	memcpy(out, size, sizeof size);
	return s[6] >= 0 && s[7] >= 0 && ((s[5] <= s[0] && s[4] + s[0] >= 0) || s[1] * s[2] * s[6] * s[7] == 0);
}

static void asks_nothing_where_nothing_comes_out(void **state)
{
	(void)state;
	lesson l;
	study(&l, "x=t3 at=r1 height=i width=i", "4", is_inside_or_nothing, (draws){.dims = 6, .low = -4, .high = 6, .bases = 100});
	assert_true(is_offered(&l, fallback_patterns_unless_empty, "s5 <= s0 or s1*s2*s6*s7 == 0"));
	assert_true(is_offered(&l, fallback_patterns_unless_empty, "s4 + s0 >= 0 or s1*s2*s6*s7 == 0"));
	assert_false(is_offered(&l, fallback_patterns_unless_empty, "s5 <= s0 or s0*s1*s2 == 0")); /* refuted: an index is unchecked only if height is 0 */
	forget(&l);
}

/* Output of one tensor without the indexed dimension: a size of 0 there does not make the output empty. */
static bool is_inside_or_no_rows(const int64_t *s, int64_t *out)
{
	out[0] = s[1];
	out[1] = s[2];
	return s[5] <= s[0] || s[1] * s[2] == 0;
}

static void tells_an_output_from_the_tensor_of_which_it_is_a_part(void **state)
{
	(void)state;
	lesson l;
	study(&l, "x=t3 at=r1", "2", is_inside_or_no_rows, (draws){.dims = 6, .low = -4, .high = 6, .bases = 100});
	assert_true(is_offered(&l, fallback_patterns_unless_empty, "s5 <= s0 or s1*s2 == 0"));
	forget(&l);
}

/* A band of diagonals, s3 to s4, of a matrix of s5 rows and s6 columns. */
static bool is_band(const int64_t *s, int64_t *out)
{
	const int64_t rows = s[5] + (s[4] < 0 ? s[4] : 0), cols = s[6] - (s[3] > 0 ? s[3] : 0);
	out[0] = s[0];
	out[1] = s[5];
	out[2] = s[6];
	return s[3] <= s[4] && s[5] >= 0 && s[6] >= 0 && s[1] == (rows < cols ? rows : cols);
}

static void knows_how_long_a_diagonal_is(void **state)
{
	(void)state;
	lesson l;
	study(&l, "x=t2 band=r1 rows=i cols=i", "3", is_band, (draws){.dims = 4, .low = -2, .high = 4, .bases = 100});
	assert_true(is_offered(&l, fallback_patterns, "s1 == min(s5 + min(s4, 0), s6 - max(s3, 0))"));
	assert_false(is_offered(&l, fallback_patterns, "s1 == min(s5 + min(s3, 0), s6 - max(s4, 0))"));
	forget(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(asks_nothing_where_nothing_comes_out), cmocka_unit_test(tells_an_output_from_the_tensor_of_which_it_is_a_part),
	    cmocka_unit_test(knows_how_long_a_diagonal_is)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
