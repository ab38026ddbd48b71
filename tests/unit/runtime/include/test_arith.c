/* base/arith.h against a table that Python made, and against the identity that defines division. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "arith.h"
#include "rng.h"

#define W(high, low) ((wide)(((unsigned __int128)(high) << 64) | (uint64_t)(low)))
#define MOST W(0x7fffffffffffffff, 0xffffffffffffffff)
#define LEAST (-MOST - 1)

/* a, b, a // b, a % b */
static const struct {
	wide a, b, div, mod;
} PYTHON[] = {
    {0, 1, 0, 0},
    {0, -1, 0, 0},
    {0, 2, 0, 0},
    {0, -2, 0, 0},
    {0, 3, 0, 0},
    {0, -3, 0, 0},
    {1, 1, 1, 0},
    {1, -1, -1, 0},
    {1, 2, 0, 1},
    {1, -2, -1, -1},
    {1, 3, 0, 1},
    {1, -3, -1, -2},
    {-1, 1, -1, 0},
    {-1, -1, 1, 0},
    {-1, 2, -1, 1},
    {-1, -2, 0, -1},
    {-1, 3, -1, 2},
    {-1, -3, 0, -1},
    {2, 1, 2, 0},
    {2, -1, -2, 0},
    {2, 2, 1, 0},
    {2, -2, -1, 0},
    {2, 3, 0, 2},
    {2, -3, -1, -1},
    {-2, 1, -2, 0},
    {-2, -1, 2, 0},
    {-2, 2, -1, 0},
    {-2, -2, 1, 0},
    {-2, 3, -1, 1},
    {-2, -3, 0, -2},
    {3, 1, 3, 0},
    {3, -1, -3, 0},
    {3, 2, 1, 1},
    {3, -2, -2, -1},
    {3, 3, 1, 0},
    {3, -3, -1, 0},
    {-3, 1, -3, 0},
    {-3, -1, 3, 0},
    {-3, 2, -2, 1},
    {-3, -2, 1, -1},
    {-3, 3, -1, 0},
    {-3, -3, 1, 0},
    {7, 1, 7, 0},
    {7, -1, -7, 0},
    {7, 2, 3, 1},
    {7, -2, -4, -1},
    {7, 3, 2, 1},
    {7, -3, -3, -2},
    {-7, 1, -7, 0},
    {-7, -1, 7, 0},
    {-7, 2, -4, 1},
    {-7, -2, 3, -1},
    {-7, 3, -3, 2},
    {-7, -3, 2, -1},
    {3, -2147483648LL, -1, -2147483645},
    {W(0x7fffffffffffffff, 0xffffffffffffffff), -2, -W(0x4000000000000000, 0x0), -1},
    {-1, W(0x0, 0x8000000000000000), -1, 9223372036854775807LL},
    {2147483648LL, -W(0x0, 0x8000000000000001), -1, -9223372034707292161LL},
    {-2, W(0x1, 0x1), -1, W(0x0, 0xffffffffffffffff)},
    {W(0x4000000000000000, 0x0), -2, -W(0x2000000000000000, 0x0), 0},
    {-W(0x0, 0x8000000000000001), LEAST, 0, -W(0x0, 0x8000000000000001)},
    {W(0x1, 0x1), 9223372036854775807LL, 2, 3},
    {W(0x0, 0x8000000000000000), -1, -W(0x0, 0x8000000000000000), 0},
    {-7, -2147483648LL, 0, -7},
    {2, W(0x4000000000000000, 0x0), 0, 2},
    {W(0x1, 0x1), LEAST, -1, -W(0x7ffffffffffffffe, 0xffffffffffffffff)},
    {1, -7, -1, -6},
    {W(0x0, 0x8000000000000000), 7, 1317624576693539401LL, 1},
    {-W(0x0, 0x8000000000000001), -2147483648LL, 4294967296LL, -1},
    {LEAST, -3, W(0x2aaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa), -2},
    {0, -7, 0, 0},
    {-W(0x0, 0x8000000000000001), -W(0x4000000000000000, 0x0), 0, -W(0x0, 0x8000000000000001)},
    {-2147483648LL, 1, -2147483648LL, 0},
    {2147483648LL, 1, 2147483648LL, 0},
    {W(0x7fffffffffffffff, 0xffffffffffffffff), W(0x1, 0x1), 9223372036854775807LL, W(0x0, 0x8000000000000000)},
    {-2, 7, -1, 5},
    {9223372036854775807LL, -7, -1317624576693539401LL, 0},
    {1, 2147483648LL, 0, 1},
    {0, W(0x7fffffffffffffff, 0xffffffffffffffff), 0, 0},
    {1, 7, 0, 1},
    {-W(0x4000000000000000, 0x0), 2147483648LL, -W(0x80000000, 0x0), 0},
    {0, 9223372036854775807LL, 0, 0},
    {W(0x0, 0x8000000000000000), 2, 4611686018427387904LL, 0},
    {-7, W(0x0, 0x8000000000000000), -1, 9223372036854775801LL},
    {-W(0x0, 0x8000000000000001), 3, -3074457345618258603LL, 0},
    {-W(0x4000000000000000, 0x0), -1, W(0x4000000000000000, 0x0), 0},
    {-7, W(0x4000000000000000, 0x0), -1, W(0x3fffffffffffffff, 0xfffffffffffffff9)},
    {-W(0x0, 0x8000000000000001), W(0x0, 0x8000000000000000), -2, 9223372036854775807LL},
    {-W(0x4000000000000000, 0x0), W(0x1, 0x1), -4611686018427387904LL, 4611686018427387904LL},
    {2147483648LL, 2, 1073741824, 0},
    {-W(0x0, 0x8000000000000000), 2, -4611686018427387904LL, 0},
    {2147483648LL, -1, -2147483648LL, 0},
    {-7, W(0x1, 0x1), -1, W(0x0, 0xfffffffffffffffa)},
    {W(0x1, 0x1), 3, 6148914691236517205LL, 2},
    {-2147483648LL, W(0x0, 0x8000000000000000), -1, 9223372034707292160LL},
    {-W(0x0, 0x8000000000000001), -1, W(0x0, 0x8000000000000001), 0},
    {-W(0x4000000000000000, 0x0), W(0x4000000000000000, 0x0), -1, 0},
    {2, LEAST, -1, -W(0x7fffffffffffffff, 0xfffffffffffffffe)},
    {7, 9223372036854775807LL, 0, 7},
    {LEAST, -W(0x4000000000000000, 0x0), 2, 0},
    {-2147483648LL, W(0x4000000000000000, 0x0), -1, W(0x3fffffffffffffff, 0xffffffff80000000)},
    {-2, W(0x4000000000000000, 0x0), -1, W(0x3fffffffffffffff, 0xfffffffffffffffe)},
    {9223372036854775807LL, W(0x4000000000000000, 0x0), 0, 9223372036854775807LL},
    {W(0x4000000000000000, 0x0), 7, W(0x924924924924924, 0x9249249249249249), 1},
    {W(0x4000000000000000, 0x0), -2147483648LL, -W(0x80000000, 0x0), 0},
    {7, W(0x0, 0x8000000000000000), 0, 7},
    {9223372036854775807LL, 1, 9223372036854775807LL, 0},
    {-2147483648LL, -2147483648LL, 1, 0},
    {W(0x7fffffffffffffff, 0xffffffffffffffff), W(0x0, 0x8000000000000000), W(0x0, 0xffffffffffffffff), 9223372036854775807LL},
    {W(0x4000000000000000, 0x0), -3, -W(0x1555555555555555, 0x5555555555555556), -2},
    {W(0x4000000000000000, 0x0), 2147483648LL, W(0x80000000, 0x0), 0},
    {W(0x0, 0x8000000000000000), 2147483648LL, 4294967296LL, 0},
    {W(0x7fffffffffffffff, 0xffffffffffffffff), -W(0x0, 0x8000000000000001), -W(0x0, 0xffffffffffffffff), -W(0x0, 0x8000000000000000)},
    {1, 9223372036854775807LL, 0, 1},
};

static void test_as_in_python(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof PYTHON / sizeof *PYTHON; i++) {
		wide r;
		assert_true(floordiv(PYTHON[i].a, PYTHON[i].b) == PYTHON[i].div);
		assert_true(floormod(PYTHON[i].a, PYTHON[i].b) == PYTHON[i].mod);
		assert_true(checked_div(PYTHON[i].a, PYTHON[i].b, &r) && r == PYTHON[i].div);
		assert_true(checked_mod(PYTHON[i].a, PYTHON[i].b, &r) && r == PYTHON[i].mod);
	}
}

/* a = (a // b) * b + a % b, with the remainder between 0 and b. */
static void test_identity(void **state)
{
	(void)state;
	rng r = rng_seed(1);
	for (int i = 0; i < 200000; i++) {
		wide a = (wide)((unsigned __int128)rng_next(&r) << 64 | rng_next(&r)) >> rng_below(&r, 127);
		wide b = (wide)((unsigned __int128)rng_next(&r) << 64 | rng_next(&r)) >> rng_below(&r, 127);
		if (b == 0 || (a == LEAST && b == -1))
			continue;
		wide q = floordiv(a, b), m = floormod(a, b);
		assert_true(b > 0 ? m >= 0 && m < b : m <= 0 && m > b);
		assert_true((wide)((unsigned __int128)q * (unsigned __int128)b + (unsigned __int128)m) == a);
	}
}

static void test_no_value(void **state)
{
	(void)state;
	wide r;
	assert_false(checked_div(1, 0, &r));
	assert_false(checked_mod(1, 0, &r));
	assert_false(checked_div(LEAST, -1, &r));
	assert_true(checked_mod(LEAST, -1, &r) && r == 0);
	assert_true(checked_div(LEAST, 1, &r) && r == LEAST);
	assert_true(checked_div(LEAST + 1, -1, &r) && r == MOST);
	assert_false(checked_add(MOST, 1, &r));
	assert_false(checked_sub(LEAST, 1, &r));
	assert_false(checked_mul(MOST, 2, &r));
	assert_false(checked_mul(LEAST, -1, &r));
	assert_true(checked_mul(INT64_MIN, INT64_MIN, &r) && r == (wide)1 << 126);
	assert_true(wide_min(LEAST, MOST) == LEAST && wide_max(LEAST, MOST) == MOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_in_python),
	    cmocka_unit_test(test_identity), cmocka_unit_test(test_no_value)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
