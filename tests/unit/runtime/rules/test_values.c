/* values.h: the classes that a call accepts and returns, by its dtypes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "values.h"

#define U RS_VALUES_UNIT
#define P RS_VALUES_POSITIVE
#define S RS_VALUES_SMALL
#define L RS_VALUES_LARGE
#define F RS_VALUES_FINITE
#define A RS_VALUES_ANY

static const uint8_t SINGLE[] = {RS_FLOAT32, RS_FLOAT32, RS_FLOAT32}, HALF[] = {RS_FLOAT16, RS_FLOAT16, RS_FLOAT16},
		     WIDE_HALF[] = {RS_BFLOAT16, RS_BFLOAT16, RS_BFLOAT16},
		     COMPLEX[] = {RS_COMPLEX64, RS_COMPLEX64, RS_COMPLEX64},
		     CAST[] = {RS_FLOAT32, RS_FLOAT32, RS_FLOAT16}, WHOLE[] = {RS_INT64, RS_INT64, RS_INT64};
static const uint8_t PRODUCT[] = {L, S, S, L, L, F, F, F}, COPY[] = {F, A, U, P, S, L, F, F},
		     SINE[] = {F, P, U, S, S, S, S, S}, NEVER[] = {RS_VALUES_NONE, L, A, A, A, A, A, A};

static void test_takes(void **state)
{
	(void)state;
	const struct {
		const uint8_t *classes, *row;
		uint8_t first, second;
	} CASES[] = {
	    {PRODUCT, SINGLE, L, S}, {PRODUCT, WHOLE, L, S}, {PRODUCT, WIDE_HALF, L, S}, /* as in the table */
	    {PRODUCT, HALF, S, S},							 /* 1e4 * 5 * 2 overflows */
	    {PRODUCT, COMPLEX, S, S}, {PRODUCT, CAST, S, S},				 /* one narrow output is enough */
	    {COPY, SINGLE, F, A}, {COPY, HALF, L, L}, /* values that stay large are at most 1e4 */
	    {SINE, SINGLE, F, P}, {SINE, COMPLEX, S, P},
	    {NEVER, SINGLE, RS_VALUES_NONE, L}, {NEVER, HALF, RS_VALUES_NONE, S},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		assert_int_equal(values_takes(CASES[i].classes, 2, CASES[i].row, 3, 0), CASES[i].first);
		assert_int_equal(values_takes(CASES[i].classes, 2, CASES[i].row, 3, 1), CASES[i].second);
	}
}

static void test_gives(void **state)
{
	(void)state;
	for (uint8_t widest = U; widest <= A; widest++) {
		assert_int_equal(values_gives(PRODUCT, 2, SINGLE, 3, widest), PRODUCT[2 + widest]);
		assert_int_equal(values_gives(SINE, 2, HALF, 3, widest), SINE[2 + widest]);
		assert_int_equal(values_gives(COPY, 2, COMPLEX, 3, widest), COPY[2 + widest]);
	}
	assert_int_equal(values_gives(SINE, 2, COMPLEX, 3, P), L); /* sin(5 + 5i) */
	assert_int_equal(values_gives(PRODUCT, 2, COMPLEX, 3, U), L);
	assert_int_equal(values_gives(NEVER, 2, COMPLEX, 3, S), A);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_takes), cmocka_unit_test(test_gives)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
