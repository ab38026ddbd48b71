/* A call that is completed by a record: symbols that are independent of the others change. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "rulesmith.h"
#include "sample.h"

enum { DIMS = 4, NUMBERS = 2, HIGH = 9, TIMES = 2000 };

/* All dimensions follow from the second one, so that hardly any drawn shape is valid; the first number is
 * free, the second is at most the last dimension. */
static bool is_valid(const int64_t *s)
{
	return s[0] == 2 * s[1] && s[2] == 3 * s[1] && s[3] == s[1] + 4 && s[5] <= s[3];
}

static bool propagate(const int64_t *s, int64_t *out)
{
	for (int i = 0; i < DIMS; i++)
		out[i] = s[i];
	return true;
}

static const int64_t RECORDS[] = {2, 1, 3, 5, 0, 0, 4, 2, 6, 6, HIGH, 3, 6, 3, 9, 7, 4, 7};
static const rs_op OP = {.name = "t.tied-0", .api = "t.tied", .rule = "1", .valid = is_valid, .propagate = propagate,
    .args = (const rs_arg[]){{"x", 0, 1}, {"n", 1, 1}, {"m", 2, 1}},
    .values = (const rs_value[]){{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = DIMS}, {.kind = RS_INT, .first = DIMS},
	{.kind = RS_INT, .first = DIMS + 1}},
    .out_ranks = (const uint8_t[]){DIMS}, .dtypes = (const uint8_t[]){RS_FLOAT32, RS_FLOAT32}, .records = RECORDS, .passed = 9,
    .nargs = 3, .nvalues = 3, .nsym = DIMS + NUMBERS, .nin = 1, .nout = 1, .nodim = DIMS, .ndtypes = 1,
    .nrecords = 3};

static void numbers_change_by_themselves(void **state)
{
	(void)state;
	arena *a = arena_new();
	rng r = rng_seed(1);
	index_op o;
	unsigned seen[NUMBERS][HIGH + 1] = {{0}}, other = 0;
	assert_true(index_describe(a, &OP, 65536, &o));
	o.symbolic = true;
	for (int i = 0; i < TIMES; i++) {
		int64_t v[INDEX_WIDTH_MAX] = {0};
		const uint8_t known[DIMS + NUMBERS] = {0};
		bool recorded = false;
		assert_true(sample_forward(&o, v, known, (sample_box){.low = 1, .high = 6}, &r));
		assert_true(is_valid(v));
		for (int k = 0; k < NUMBERS; k++) {
			assert_in_range(v[DIMS + k], 0, HIGH);
			seen[k][v[DIMS + k]]++;
		}
		for (size_t k = 0; k < sizeof RECORDS / sizeof *RECORDS; k += DIMS + NUMBERS)
			recorded |= v[DIMS] == RECORDS[k + DIMS] && v[DIMS + 1] == RECORDS[k + DIMS + 1];
		other += !recorded;
	}
	for (int k = 0; k < 8; k++) /* the whole range of the records, within the rule */
		assert_true(seen[0][k] > TIMES / 100 && seen[1][k] > TIMES / 100);
	assert_true(other > TIMES / 4);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_change_by_themselves)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
