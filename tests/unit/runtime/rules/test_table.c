/* Loading, checking and searching tables, and rs_eval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "rulesmith.h"
#include "tablerow.h"

static bool valid(const int64_t *s)
{
	return s[0] > 1;
}

static bool propagate(const int64_t *s, int64_t *out)
{
	out[0] = s[0];
	return s[1] != 0;
}

/* f(x[s0], k=s1) → [o0], in three operators; b has no rule. */
static const rs_value VALUES[] = {{.kind = RS_TENSOR, .count = 1}, {.kind = RS_INT, .first = 1}};
static const rs_op OPS[] = {
    {.name = "a",
	.api = "f",
	.valid = valid,
	.propagate = propagate,
	.values = VALUES,
	.nvalues = 2,
	.nsym = 2,
	.nodim = 1},
    {.name = "b",
	.api = "f",
	.why = "unknown",
	.values = VALUES,
	.nvalues = 2,
	.nsym = 2,
	.nodim = 1},
    {.name = "b-1", .api = "f", .valid = valid, .propagate = propagate, .nsym = 2, .nodim = 1},
};
static const rs_table TABLE = {.abi = RS_ABI, .framework = "torch", .ops = OPS, .nops = 3};
static const rs_table EMPTY = {.abi = RS_ABI, .framework = "tf"};
static const rs_table *const TABLES[] = {&EMPTY, &TABLE};
static const rs_library LIBRARY = {.abi = RS_ABI, .ntables = 2, .tables = TABLES};

static void test_find(void **state)
{
	(void)state;
	assert_ptr_equal(rs_library_table(&LIBRARY, "torch"), &TABLE);
	assert_null(rs_library_table(&LIBRARY, "onnx"));
	for (size_t i = 0; i < 3; i++)
		assert_ptr_equal(rs_library_find(&LIBRARY, OPS[i].name), &OPS[i]);
	assert_null(rs_table_find(&TABLE, ""));
	assert_null(rs_table_find(&TABLE, "b-"));
	assert_null(rs_table_find(&TABLE, "c"));
	assert_null(rs_table_find(&EMPTY, "a"));
}

static const rs_op EACH[] = {
    {.nsym = 2, RECORDS(2, "34\1\377")},
    {.nsym = 2, RECORDS16(2, 3, 4, INT16_MIN, INT16_MAX)},
    {.nsym = 2, RECORDS32(2, 3, 4, INT32_MIN, INT32_MAX)},
    {.nsym = 2, RECORDS64(2, 3, 4, INT64_MIN, INT64_MAX)},
};

/* Records in each width, with the largest and the smallest number of it. */
static void test_records(void **state)
{
	(void)state;
	static const int64_t LAST[][2] = {{-47, 207}, {INT16_MIN, INT16_MAX}, {INT32_MIN, INT32_MAX}, {INT64_MIN, INT64_MAX}};
	for (size_t i = 0; i < sizeof EACH / sizeof *EACH; i++) {
		int64_t s[2] = {0};
		rs_record(&EACH[i], 0, s);
		assert_true(s[0] == 3 && s[1] == 4);
		rs_record(&EACH[i], 1, s);
		assert_memory_equal(s, LAST[i], sizeof s);
		assert_true(rs_record_is(&EACH[i], 1, s));
		assert_false(rs_record_is(&EACH[i], 0, s));
		s[1]--;
		assert_false(rs_record_is(&EACH[i], 1, s));
	}
}

static void test_eval(void **state)
{
	(void)state;
	int64_t out[1] = {0};
	assert_true(rs_eval(&OPS[0], (int64_t[]){2, 1}, out));
	assert_int_equal(out[0], 2);
	assert_false(rs_eval(&OPS[0], (int64_t[]){1, 1}, out));  /* a clause */
	assert_false(rs_eval(&OPS[0], (int64_t[]){2, 0}, out));  /* no value */
	assert_false(rs_eval(&OPS[0], (int64_t[]){-2, 1}, out)); /* a negative dimension */
	assert_true(rs_eval(&OPS[0], (int64_t[]){2, -1}, out));  /* an argument may be negative */
	assert_false(rs_eval(&OPS[1], (int64_t[]){2, 1}, out));  /* no rule */
}

static void test_abi(void **state)
{
	(void)state;
	rs_library other = LIBRARY;
	rs_table old = TABLE;
	const rs_table *tables[] = {&old};
	assert_null(rs_library_check(&LIBRARY));
	other.abi = RS_ABI + 1;
	assert_non_null(strstr(rs_library_check(&other), "update rulefuzz"));
	other = (rs_library){.abi = RS_ABI, .ntables = 1, .tables = tables};
	old.abi = RS_ABI_OLDEST - 1;
	assert_non_null(strstr(rs_library_check(&other), "run 'make rules'"));
	assert_null(rs_library_abi(RS_LIBRARY_ABI));
	assert_non_null(strstr(rs_library_abi(RS_LIBRARY_ABI + 1), "update librulesmith"));
	assert_non_null(strstr(rs_library_abi(RS_LIBRARY_ABI - 1), "build it again"));
}

static void test_load_failures(void **state)
{
	(void)state;
	char message[256] = "";
	assert_null(rs_library_load("/nonexistent/librules.so", message, sizeof message));
	assert_non_null(strstr(message, "/nonexistent/librules.so"));
	assert_null(rs_library_load("no-such-rules.so", message, 8)); /* the message is truncated */
	assert_true(strlen(message) < 8);
}

static void test_dtypes(void **state)
{
	(void)state;
	for (int i = 0; i < RS_DTYPE_COUNT; i++)
		assert_int_equal(rs_dtype_parse(rs_dtype_name((rs_dtype)i)), i);
	assert_int_equal(rs_dtype_parse("qint8"), RS_OTHER);
	assert_int_equal(rs_dtype_size(RS_BFLOAT16), 2);
	assert_int_equal(rs_dtype_size(RS_COMPLEX128), 16);
	assert_string_equal(rs_dtype_name((rs_dtype)200), "other");
	assert_int_equal(rs_dtype_size((rs_dtype)200), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_find), cmocka_unit_test(test_records), cmocka_unit_test(test_eval),
	    cmocka_unit_test(test_abi), cmocka_unit_test(test_load_failures),
	    cmocka_unit_test(test_dtypes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
