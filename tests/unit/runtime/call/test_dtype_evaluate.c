/* Dtype rules as byte code, evaluated for calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "call_reader.h"
#include "dtype_evaluate.h"
#include "rulesmith.h"

/* m.tied(x, y): float32 or float64, both alike; bool and int64 were rejected. m.fold(list): any, promoted by a table in which
 * float64 wins. m.cast(x, to): the dtype of the attribute, 1 or 11. */
#define NAME(letter) letter, 0
#define U(number) ((number) ^ RS_API_DIGIT)
enum { SET_FLOATS, SET_ANY };
static const unsigned char CODE[] = {
    U(0),				     /* ranks do not count */
    U(2), U(1), U(RS_FLOAT32), U(11), U(RS_FLOAT64), /* numbers of dtypes */
    U(2), 0, 0x60, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, /* sets: bits 13, 14; 0, 10 */
    0, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    U(1), U(1 + 2 * RS_KINDS + 4), /* a table: float64 has row and column 1 */
    U(2), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /**/
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /**/
    RS_FLOAT32, RS_FLOAT64, RS_FLOAT64, RS_FLOAT64, /**/
    U(3), 'm', '.', 'c', 'a', 's', 't', 0, U(21), U(2), U(2), NAME('x'), NAME('t'), U(1), /**/
    U(2), U(0), U(0), U(RS_ITEMS_NONE), U(SET_FLOATS), U(1), U(1), U(RS_ITEMS_NONE), U(SET_ANY), U(0), U(1), U(RS_DTYPE_SAME), U(1), U(0), /**/
    'm', '.', 'f', 'o', 'l', 'd', 0, U(16), U(1), U(1), NAME('x'), U(1), /**/
    U(1), U(0), U(0), U(RS_ITEMS_APART), U(SET_ANY), U(0), U(1), U(RS_DTYPE_FOLD), U(1), U(0), U(0), /**/
    'm', '.', 't', 'i', 'e', 'd', 0, U(21), U(2), U(2), NAME('x'), NAME('y'), U(1), /**/
    U(2), U(0), U(0), U(RS_ITEMS_NONE + 4 * RS_RANK_EQUAL), U(SET_FLOATS), U(1), U(0), U(RS_ITEMS_NONE + 4 * RS_RANK_MORE), U(SET_FLOATS), U(0), U(1), U(RS_DTYPE_SAME), U(0), U(0)};
static const rs_api_rules RULES = {.framework = "m", .dtypes = CODE};

/* The answer for a call whose positional arguments are those of the rule: "float32", "rejected: …", "unknown". */
static void check(const char *text, const char *expected)
{
	arena *memory = arena_new();
	call c;
	diag d = {{0}};
	dtype_code code;
	rule_call arguments = {0};
	dtype_answer found;
	buf why = {0}, got = {0};
	assert_true(call_parse(text, memory, &c, &d));
	assert_true(dtype_code_find(&RULES, c.api, &code));
	for (size_t k = 0; k < c.nargs; k++)
		arguments.arguments[k] = &c.args[k].value;
	dtype_evaluate(&code, &arguments, false, &found, &why);
	if (found.outcome == RULE_ACCEPTS)
		for (unsigned k = 0; k < found.nout; k++)
			buf_printf(&got, "%s%s", k ? " " : "", rs_dtype_name((rs_dtype)found.out[k]));
	else
		buf_puts(&got, found.outcome == RULE_REJECTS ? buf_text(&why) : "unknown");
	assert_string_equal(buf_text(&got), expected);
	buf_free(&why);
	buf_free(&got);
	arena_free(memory);
}

static void tensors_that_share_a_dtype(void **state)
{
	(void)state;
	check("m.tied(f32[2], f32[2])", "float32");
	check("m.tied(f64[2], f64[2])", "float64");
	check("m.tied(f32[2], f64[2])", "the dtypes are rejected: y is float64, but must be float32 as x");
	check("m.tied(f32[2], i64[2])", "the dtypes are rejected: y must not be int64, but one of float32, float64");
	check("m.tied(f32[2], i64[2,2])", "the dtypes are rejected: y must not be int64, but one of float32, float64");
	check("m.tied(f32[2], i64[])", "unknown"); /* never with other ranks */
	check("m.tied(u8[2], u8[2])", "unknown");	   /* never tried */
	check("m.tied((2,), f32[2])", "unknown");	   /* a shape has no dtype */
	check("m.tied(f32[2])", "float32");		   /* y has the dtype of x */
	check("m.tied([f32[2]], f32[2])", "unknown"); /* never a list */
}

static void lists_fold(void **state)
{
	(void)state;
	check("m.fold([f32[2]])", "float32");
	check("m.fold([f32[2], f32[2], f64[2]])", "float64");
	check("m.fold((f32[2], f64[2], f32[2]))", "float64");
	check("m.fold([f32[2], i64[2]])", "unknown");
	check("m.fold([])", "unknown");
}

static void attributes_name_dtypes(void **state)
{
	(void)state;
	check("m.cast(f32[2], 11)", "float64");
	check("m.cast(f64[2], 1)", "float32");
	check("m.cast(f64[2], 3)", "unknown");
	check("m.cast(f64[2])", "unknown");
}

static void other_apis_have_no_rule(void **state)
{
	(void)state;
	dtype_code code;
	static const rs_api_rules none = {.framework = "m"};
	assert_false(dtype_code_find(&RULES, "m.other", &code));
	assert_false(dtype_code_find(&none, "m.tied", &code));
	assert_false(dtype_code_find(NULL, "m.tied", &code));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(tensors_that_share_a_dtype), cmocka_unit_test(lists_fold),
	    cmocka_unit_test(attributes_name_dtypes), cmocka_unit_test(other_apis_have_no_rule)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
