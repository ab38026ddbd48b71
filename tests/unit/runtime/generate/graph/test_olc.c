#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "rng.h"
#include "olc.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* Everything of one operator of two, and nothing of the other. */
static void one_operator(void **state)
{
	(void)state;
	const uint64_t degrees[] = {1 << 1 | 1 << 2, 1 << 2};
	olc o;
	assert_true(olc_init(&o, 2, degrees, 10));
	assert_int_equal(olc_of_type(&o, 0), 0);
	assert_int_equal(olc_worth_in(&o, 0, 1), OLC_ONE / 2);
	assert_int_equal(olc_worth_in(&o, 0, 3), 0);
	assert_int_equal(olc_worth_out(&o, 0, 5), OLC_ONE / 6);
	assert_int_equal(olc_worth_out(&o, 0, 6), 0);
	assert_true(olc_add_node(&o, 0, 1, 0, 100));
	assert_false(olc_add_node(&o, 0, 1, 0, 100));
	assert_int_equal(olc_worth_in(&o, 0, 1), 0);
	assert_int_equal(olc_worth_out(&o, 0, 0), 0);
	assert_true(olc_add_node(&o, 0, 2, 0, 100));
	assert_false(
	    olc_add_node(&o, 0, 3, 9, 100)); /* impossible degrees do not count */
	for (uint32_t d = 1; d < 6; d++)
		assert_true(olc_add_node(&o, 0, 1, d, 100));
	for (uint64_t v = 101; v < 110; v++) {
		assert_false(olc_has_vector(&o, 0, v));
		assert_int_equal(olc_worth_vector(&o, 0), OLC_ONE / 10);
		assert_true(olc_add_node(&o, 0, 1, 0, v));
		assert_true(olc_has_vector(&o, 0, v));
	}
	assert_int_equal(olc_worth_vector(&o, 0), 0); /* ten of ten */
	assert_false(olc_add_node(&o, 0, 1, 0, 999));
	assert_true(olc_add_edge(&o, 0, 0));
	assert_true(olc_add_edge(&o, 0, 1));
	assert_false(olc_add_edge(&o, 0, 1));
	assert_true(olc_has_edge(&o, 0, 1));
	assert_false(olc_has_edge(&o, 1, 0));
	assert_int_equal(olc_of_type(&o, 0), 5 * OLC_ONE);
	assert_int_equal(olc_of_type(&o, 1), 0);
	olc_report r = olc_sum(&o);
	assert_true(near(r.otc, 0.5) && near(r.idc, 0.5) && near(r.odc, 0.5) && near(r.sec, 0.5)
		    && near(r.spc, 0.5) && near(r.all, 0.5));
	olc_reset(&o);
	assert_true(near(olc_sum(&o).all, 0));
	assert_int_equal(olc_worth_in(&o, 0, 1), OLC_ONE / 2); /* the possible part stays */
	olc_free(&o);
}

/* Compared with a naive count on random calls. */
static void random_calls(void **state)
{
	(void)state;
	enum { TYPES = 70, VECTORS = 40 };
	static bool edge[TYPES][TYPES], vector[TYPES][VECTORS], in[TYPES][4], out[TYPES][6],
	    seen[TYPES];
	uint64_t degrees[TYPES];
	rng r = rng_seed(1);
	olc o;
	for (int i = 0; i < TYPES; i++)
		degrees[i] = 0xf;
	assert_true(olc_init(&o, TYPES, degrees, 25));
	double n[5] = {0};
	for (int i = 0; i < 4000; i++) {
		uint32_t a = rng_below(&r, TYPES), b = rng_below(&r, TYPES), d = rng_below(&r, 4),
			 u = rng_below(&r, 6), v = rng_below(&r, VECTORS), vectors = 0;
		for (int k = 0; k < VECTORS; k++)
			vectors += vector[a][k];
		bool new = vectors < 25 && !vector[a][v];
		bool grew = !seen[a] || !in[a][d] || !out[a][u] || new;
		assert_int_equal(olc_add_node(&o, a, d, u, v), grew);
		assert_int_equal(olc_add_edge(&o, a, b), !edge[a][b]);
		n[0] += !seen[a], n[1] += !in[a][d], n[2] += !out[a][u], n[3] += !edge[a][b];
		n[4] += new;
		seen[a] = in[a][d] = out[a][u] = edge[a][b] = true;
		vector[a][v] |= new;
	}
	olc_report s = olc_sum(&o);
	assert_true(near(s.otc, n[0] / TYPES) && near(s.idc, n[1] / TYPES / 4)
		    && near(s.odc, n[2] / TYPES / 6) && near(s.sec, n[3] / TYPES / TYPES)
		    && near(s.spc, n[4] / TYPES / 25));
	olc_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_operator), cmocka_unit_test(random_calls)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
