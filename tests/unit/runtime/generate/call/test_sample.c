#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "opset.h"
#include "sample.h"
#include "toy_table.h"

enum { TIMES = 20000 };
static const sample_box BOX = {.low = 1, .high = 5};

static index_op describe(arena *a, const rs_op *op)
{
	index_op o;
	assert_true(index_describe(a, op, 65536, &o));
	o.symbolic = op->valid && !(op->flags & RS_THIN);
	return o;
}

/* Known symbols stay, the rule accepts, and the output dimensions are the rule's. */
static void forward_keeps_what_is_known(void **state)
{
	(void)state;
	arena *a = arena_new();
	rng r = rng_seed(1);
	uint32_t found = 0;
	for (size_t i = 0; i < sizeof TOY_OPS / sizeof *TOY_OPS; i++) {
		index_op o = describe(a, &TOY_OPS[i]);
		for (int k = 0; o.symbolic && k < TIMES / 10; k++) {
			int64_t v[INDEX_WIDTH_MAX], given[INDEX_WIDTH_MAX], out[8];
			uint8_t known[INDEX_WIDTH_MAX];
			for (unsigned j = 0; j < o.nsym; j++) {
				known[j] = rng_below(&r, 3) == 0;
				given[j] = v[j] = rng_range(&r, 1, 5);
			}
			if (!sample_forward(&o, v, known, BOX, &r))
				continue;
			found++;
			for (unsigned j = 0; j < o.nsym; j++)
				assert_true(!known[j] || v[j] == given[j]);
			assert_true(rs_eval(o.op, v, out));
			assert_memory_equal(out, v + o.nsym, o.op->nodim * sizeof *out);
		}
	}
	assert_true(found > TIMES / 4);
	arena_free(a);
}

/* If any tensor fits, each is completed: matmul with its first operand known. */
static void forward_finds_what_there_is(void **state)
{
	(void)state;
	arena *a = arena_new();
	rng r = rng_seed(2);
	index_op o = describe(a, &TOY_OPS[TOY_MATMUL]);
	const uint8_t known[4] = {1, 1, 0, 0};
	for (int k = 0; k < TIMES; k++) {
		int64_t v[6] = {rng_range(&r, 1, 5), rng_range(&r, 1, 5)};
		assert_true(sample_forward(&o, v, known, BOX, &r));
		assert_int_equal(v[1], v[2]);
	}
	arena_free(a);
}

/* All of the box occurs: shapes are as diverse as it allows. */
static void free_dimensions_fill_the_box(void **state)
{
	(void)state;
	arena *a = arena_new();
	rng r = rng_seed(3);
	index_op o = describe(a, &TOY_OPS[TOY_ADD]);
	const uint8_t known[4] = {0};
	uint32_t seen[6][6] = {{0}}, distinct = 0;
	for (int k = 0; k < 2000; k++) {
		int64_t v[6];
		assert_true(sample_forward(&o, v, known, BOX, &r));
		assert_in_range(v[0], 1, 5);
		assert_in_range(v[1], 1, 5);
		distinct += !seen[v[0]][v[1]]++;
	}
	assert_int_equal(distinct, 25);
	arena_free(a);
}

/* Mixed sizes are heavy-tailed: 1 is frequent, sizes beside powers of two occur, few exceed 1,000, and a tensor keeps within its
 * limit. Dimensions that are equal in all records stay equal. */
static void mixed_sizes_are_heavy_tailed(void **state)
{
	(void)state;
	enum { DRAWS = 4000, NUMEL = 4096, MIXED = 4000 };
	arena *a = arena_new();
	rng r = rng_seed(8);
	index_op o = describe(a, &TOY_OPS[TOY_MATMUL]);
	const sample_box box = {.low = 1, .high = 5, .numel = NUMEL, .mixed = MIXED};
	const uint8_t known[4] = {0};
	unsigned ones = 0, large = 0, larger = 0, beside = 0, thousands = 0;
	for (int k = 0; k < DRAWS; k++) {
		int64_t v[6];
		assert_true(sample_forward(&o, v, known, box, &r));
		assert_int_equal(v[1], v[2]);
		assert_true(v[0] * v[1] <= NUMEL && v[2] * v[3] <= NUMEL && v[0] * v[3] <= NUMEL);
		ones += v[0] == 1;
		large += v[0] >= 16;
		larger += v[0] >= 64;
		beside += v[0] == 17 || v[0] == 31 || v[0] == 33 || v[0] == 63 || v[0] == 65;
		thousands += v[0] >= 1000;
	}
	assert_in_range(ones, DRAWS / 20, DRAWS / 3);
	assert_in_range(large, DRAWS / 4, DRAWS * 2 / 3);
	assert_in_range(larger, DRAWS / 10, DRAWS / 2);
	assert_in_range(beside, DRAWS / 20, DRAWS / 3);
	assert_in_range(thousands, 1, DRAWS / 20);
	arena_free(a);
}

static void backward_gives_the_shape(void **state)
{
	(void)state;
	arena *a = arena_new();
	rng r = rng_seed(4);
	const uint8_t known[4] = {0};
	uint32_t found[sizeof TOY_OPS / sizeof *TOY_OPS] = {0};
	for (size_t i = 0; i < sizeof TOY_OPS / sizeof *TOY_OPS; i++) {
		index_op o = describe(a, &TOY_OPS[i]);
		for (int k = 0; o.nsym && k < 1000; k++) {
			unsigned output = rng_below(&r, o.nout);
			int64_t v[8], want[2] = {rng_range(&r, 1, 5), rng_range(&r, 1, 5)};
			if (!sample_backward(&o, v, known, output, want, BOX, &r))
				continue;
			found[i]++;
			assert_memory_equal(v + o.nsym + 2 * output, want, sizeof want);
			assert_true(!o.symbolic || o.valid(v));
		}
	}
	assert_int_equal(found[TOY_ADD], 1000);
	assert_int_equal(found[TOY_MATMUL], 1000);
	assert_int_equal(found[TOY_POOL], 1000); /* by correcting the input */
	arena_free(a);
}

/* Without a rule, or with one of low support, only records are drawn; with known numbers, a record that has
 * them. */
static void records_alone(void **state)
{
	(void)state;
	arena *a = arena_new();
	rng r = rng_seed(5);
	index_op o = describe(a, &TOY_OPS[TOY_CAT]);
	const uint8_t none[4] = {0}, first[4] = {1, 1, 0, 0};
	for (int k = 0; k < 100; k++) {
		int64_t v[6] = {0}, w[6] = {4, 2}, x[6] = {4, 3};
		assert_true(sample_forward(&o, v, none, BOX, &r));
		assert_true(memcmp(v, index_record(&o, 0), sizeof v) == 0
			    || memcmp(v, index_record(&o, 1), sizeof v) == 0);
		assert_true(sample_forward(&o, w, first, BOX, &r));
		assert_memory_equal(w, index_record(&o, 1), sizeof w);
		assert_false(sample_forward(&o, x, first, BOX, &r));
	}
	arena_free(a);
}

static void limits(void **state)
{
	(void)state;
	arena *a = arena_new();
	rng r = rng_seed(6);
	index_op o = describe(a, &TOY_OPS[TOY_SCALE]);
	const uint8_t none[2] = {0}, all[2] = {1, 1};
	uint32_t empty = 0;
	for (int k = 0; k < 1000; k++) {
		int64_t v[4], zero[4] = {0, 3};
		assert_true(sample_forward(&o, v, none, (sample_box){.low = 1, .high = 50, .numel = 64}, &r));
		assert_true(v[0] * v[1] <= 64 && v[0] * v[1] > 0);
		assert_true(sample_forward(&o, v, none, (sample_box){.high = 3, .zero = true, .numel = 64}, &r));
		empty += v[0] * v[1] == 0;
		assert_false(sample_forward(&o, zero, all, BOX, &r));
	}
	assert_true(empty > 100);
	arena_free(a);
}

/* ---- ranges of elements: take(data[s0], indices[s1] in s2..s3-1) */

static bool take_valid(const int64_t *s)
{
	return s[2] >= -s[0] && s[3] <= s[0];
}

static bool take_propagate(const int64_t *s, int64_t *out)
{
	out[0] = s[1];
	return true;
}

static const rs_op TAKE = {.name = "torch.take-0", .api = "torch.take", .rule = "1",
    .valid = take_valid, .propagate = take_propagate,
    .args = (const rs_arg[]){{"input", 0, 1}, {"index", 1, 1}},
    .values = (const rs_value[]){{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1},
	{.kind = RS_RANGED, .dtype = RS_INT64, .count = 1, .first = 1}},
    .out_ranks = (const uint8_t[]){1}, .dtypes = (const uint8_t[]){RS_FLOAT32, RS_INT64, RS_FLOAT32},
    .records = (const int64_t[]){9, 4, -3, 9, 7, 2, 0, 5}, .passed = 9, .nargs = 2,
    .nvalues = 2, .nsym = 4, .nin = 2, .nout = 1, .nodim = 1, .ndtypes = 1, .nrecords = 2};

static void ranges_are_settled(void **state)
{
	(void)state;
	arena *a = arena_new();
	rng r = rng_seed(7);
	index_op o = describe(a, &TAKE);
	const uint8_t data[4] = {1, 0, 0, 0}, both[4] = {1, 1, 0, 0};
	for (int k = 0; k < TIMES; k++) {
		int64_t v[5] = {rng_range(&r, 1, 4)}, empty[5] = {3, 0};
		assert_true(sample_forward(&o, v, data, BOX, &r)); /* smaller than in any record */
		assert_true(v[2] < v[3] && take_valid(v));
		assert_true(sample_forward(&o, empty, both, (sample_box){.high = 5, .zero = true}, &r));
		assert_true(empty[2] == 0 && empty[3] == 0); /* empty tensor, empty range */
	}
	arena_free(a);
}

/* ---- sets */

static void sets_are_lists(void **state)
{
	(void)state;
	size_t n;
	const char *const *names = opset_list("isra65", "onnx", &n);
	assert_int_equal(n, 65);
	for (size_t i = 1; i < n; i++) /* required by bsearch */
		assert_true(strcmp(names[i - 1], names[i]) < 0);
	assert_true(opset_has("isra65", "onnx", "onnx.Conv"));
	assert_false(opset_has("isra65", "onnx", "onnx.Acos"));
	assert_false(opset_has("isra65", "onnx", "Conv"));
	assert_false(opset_has("isra65", "torch", "torch.Conv"));
	assert_false(opset_has("nothing", "onnx", "onnx.Conv"));
	assert_true(opset_exists("isra65") && !opset_exists("nothing"));
	for (size_t i = 0; i < n; i++) { /* and the table contains them all */
		char op[64];
		snprintf(op, sizeof op, "onnx.%s-0", names[i]);
		assert_non_null(rs_library_find(&rs_rules, op));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(forward_keeps_what_is_known),
	    cmocka_unit_test(forward_finds_what_there_is),
	    cmocka_unit_test(free_dimensions_fill_the_box),
	    cmocka_unit_test(mixed_sizes_are_heavy_tailed),
	    cmocka_unit_test(backward_gives_the_shape), cmocka_unit_test(records_alone),
	    cmocka_unit_test(limits), cmocka_unit_test(ranges_are_settled),
	    cmocka_unit_test(sets_are_lists)};
	return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}
