/* Single calls for a C user: given symbols stay, the box holds, an output has the requested shape. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "no_memory.h"
#include "rulesmith.h"
#include "toy_table.h"

enum { SEEDS = 200 };

static rs_caller *caller(int op, const rs_box *box)
{
	rs_caller *c = rs_caller_new(&TOY_OPS[op], box);
	assert_non_null(c);
	return c;
}

/* The minimum and maximum of all symbols in SEEDS calls. The rule must accept each. */
static void span(int op, const rs_box *box, int64_t *low, int64_t *high)
{
	rs_caller *c = caller(op, box);
	int64_t s[4], out[4], said[4];
	*low = INT64_MAX, *high = INT64_MIN;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		if (!rs_sample_forward(c, seed, s, NULL, out))
			continue;
		assert_true(rs_eval(&TOY_OPS[op], s, said));
		assert_memory_equal(out, said, TOY_OPS[op].nodim * sizeof *out);
		for (unsigned i = 0; i < TOY_OPS[op].nsym; i++) {
			*low = s[i] < *low ? s[i] : *low;
			*high = s[i] > *high ? s[i] : *high;
		}
	}
	rs_caller_free(c);
}

static void the_box_holds(void **state)
{
	(void)state;
	int64_t low, high;
	span(TOY_MATMUL, NULL, &low, &high);
	assert_int_equal(low, 1);
	assert_int_equal(high, 8);
	span(TOY_MATMUL, &(rs_box){.low = 2, .high = 3}, &low, &high);
	assert_int_equal(low, 2);
	assert_int_equal(high, 3);
	span(TOY_MATMUL, &(rs_box){.high = 5}, &low, &high); /* below 1 the only dimension is 0 */
	assert_in_range(low, 0, 1);
	assert_int_equal(high, 5);
}

static void no_tensor_has_more_elements(void **state)
{
	(void)state;
	rs_caller *c = caller(TOY_MATMUL, &(rs_box){.max_numel = 30});
	int64_t s[4], out[2];
	for (uint64_t seed = 0; seed < SEEDS; seed++)
		assert_true(!rs_sample_forward(c, seed, s, NULL, out) || (s[0] * s[1] <= 30 && s[2] * s[3] <= 30 && out[0] * out[1] <= 30));
	rs_caller_free(c);
}

static void given_symbols_stay(void **state)
{
	(void)state;
	rs_caller *c = caller(TOY_MATMUL, NULL);
	const uint8_t known[4] = {1, 1, 0, 0};
	int64_t out[2];
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		int64_t s[4] = {3, 5, -1, -1};
		assert_true(rs_sample_forward(c, seed, s, known, out));
		assert_true(s[0] == 3 && s[1] == 5 && s[2] == 5 && out[0] == 3 && out[1] == s[3]);
	}
	rs_caller_free(c);
	c = caller(TOY_POOL, NULL); /* a size larger than possible: nothing is found */
	int64_t s[3] = {4, 4, 5};
	assert_false(rs_sample_forward(c, 1, s, (const uint8_t[]){1, 1, 1}, out));
	rs_caller_free(c);
}

static void an_output_is_as_asked(void **state)
{
	(void)state;
	rs_caller *c = caller(TOY_MATMUL, NULL);
	int64_t s[4], out[2];
	const int64_t shape[] = {6, 2};
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		assert_true(rs_sample_backward(c, seed, s, NULL, 0, shape, out));
		assert_true(s[0] == 6 && s[1] == s[2] && s[3] == 2 && out[0] == 6 && out[1] == 2);
	}
	assert_false(rs_sample_backward(c, 1, s, NULL, 1, shape, out)); /* it has one */
	assert_false(rs_sample_backward(c, 1, s, NULL, 0, (const int64_t[]){6, -1}, out));
	assert_false(rs_sample_backward(c, 1, s, NULL, 0, (const int64_t[]){INT64_C(1) << 40, 2}, out));
	assert_false(rs_sample_backward(c, 1, (int64_t[]){3, 4, 4, 2}, (const uint8_t[]){1, 1, 1, 1}, 0, shape, out));
	rs_caller_free(c);
	c = caller(TOY_NEGATIVE, NULL); /* no symbol, no dimension */
	assert_true(rs_sample_backward(c, 1, NULL, NULL, 0, NULL, NULL));
	rs_caller_free(c);
}

/* Without a rule, or with an untrusted one, calls are records. */
static void records_serve_where_there_is_no_rule(void **state)
{
	(void)state;
	rs_op recorded_op = TOY_OPS[TOY_THIN]; /* its rule failed in models, or made the framework fail */
	recorded_op.flags = RS_RECORDED;
	const rs_op *const OPS[] = {&TOY_OPS[TOY_CAT], &TOY_OPS[TOY_THIN], &recorded_op};
	for (size_t k = 0; k < sizeof OPS / sizeof *OPS; k++) {
		const rs_op *op = OPS[k];
		rs_caller *c = rs_caller_new(op, NULL);
		assert_non_null(c);
		int64_t s[4], out[2];
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			bool recorded = false;
			assert_true(rs_sample_forward(c, seed, s, NULL, out));
			for (unsigned r = 0; r < op->nrecords; r++)
				recorded |= rs_record_is(op, r, s);
			assert_true(recorded);
		}
		rs_caller_free(c);
	}
}

static void what_cannot_be_sampled(void **state)
{
	(void)state;
	rs_op wide = TOY_OPS[TOY_ADD];
	wide.nsym = 255;
	assert_null(rs_caller_new(&wide, NULL));
	assert_null(rs_caller_new(&TOY_OPS[TOY_ADD], &(rs_box){.max_numel = 5})); /* each record has more */
	rs_caller_free(NULL);
}

static bool is_made(void *context)
{
	(void)context;
	rs_caller *c = rs_caller_new(&TOY_OPS[TOY_MATMUL], NULL);
	rs_caller_free(c);
	return c != NULL;
}

static void without_memory(void **state)
{
	(void)state;
	lack_memory(is_made, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_box_holds), cmocka_unit_test(no_tensor_has_more_elements),
	    cmocka_unit_test(given_symbols_stay), cmocka_unit_test(an_output_is_as_asked), cmocka_unit_test(records_serve_where_there_is_no_rule),
	    cmocka_unit_test(what_cannot_be_sampled), cmocka_unit_test(without_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
