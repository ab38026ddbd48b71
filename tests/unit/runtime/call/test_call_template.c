/* Templates of whole calls: what each says, and when it counts for an API. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "call_reader.h"
#include "equation.h"
#include "moved_axes.h"
#include "pieces.h"
#include "rulesmith.h"
#include "squeeze.h"

/* The outputs as text, or the outcome. */
static void check_result(const rule_result *r, const char *expected)
{
	buf text = {0};
	const int64_t *dims = r->dims;
	buf_puts(&text, r->outcome == RULE_ACCEPTS ? "" : r->outcome == RULE_REJECTS ? "rejected" : "silent");
	for (unsigned i = 0; r->outcome == RULE_ACCEPTS && i < r->nout; dims += r->ranks[i++])
		buf_ints(&text, dims, r->ranks[i]);
	assert_string_equal(buf_text(&text), expected);
	buf_free(&text);
}

static call_value read_value(const char *text, arena *memory)
{
	call_value v;
	diag d = {{0}};
	assert_true(call_parse_value(text, memory, &v, &d));
	return v;
}

static void pieces_have_these_lengths(void **state)
{
	(void)state;
	static const struct {
		piece_template which;
		const char *tensor, *number, *pieces;
	} CASES[] = {
	    {PIECES_OF, "f32[2,7]", "3", "[2,3][2,3][2,1]"}, {PIECES_OF, "f32[2,0]", "0", "[2,0]"}, {PIECES_OF, "f32[2,7]", "0", "rejected"},
	    {PIECES_OF, "f32[2,7]", "-1", "rejected"}, {PIECES_OF, "f32[2,70]", "1", "silent"}, {PIECES_EQUAL, "f32[2,6]", "3", "[2,2][2,2][2,2]"},
	    {PIECES_EQUAL, "f32[2,7]", "3", "rejected"}, {PIECES_AT_MOST, "f32[1,7]", "5", "[1,2][1,2][1,2][1,1]"},
	    {PIECES_AT_MOST, "f32[1,0]", "2", "[1,0][1,0]"}, {PIECES_NEARLY, "f32[1,7]", "3", "[1,3][1,2][1,2]"},
	    {PIECES_NEARLY, "f32[1,7]", "0", "rejected"}, {PIECES_SIZES, "f32[1,7]", "[3, 4]", "[1,3][1,4]"},
	    {PIECES_SIZES, "f32[1,7]", "[3, 3]", "rejected"}, {PIECES_SIZES, "f32[1,7]", "[8, -1]", "rejected"},
	    {PIECES_POINTS, "f32[1,7]", "[2, -1, 9]", "[1,2][1,4][1,1][1,0]"}, {PIECES_COUNTED, "f32[5,3]", "3", "[5][5][5]"},
	    {PIECES_COUNTED, "f32[5,3]", "2", "rejected"}, {PIECES_COUNTED, "f32[5,3]", "0", "silent"},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		arena *memory = arena_new();
		rule_result *found = ARENA_NEW(memory, rule_result);
		const call_value tensor = read_value(CASES[i].tensor, memory), number = read_value(CASES[i].number, memory);
		const char *why = NULL;
		assert_true(pieces_of_kind(CASES[i].which, &number));
		pieces_cut(CASES[i].which, &tensor, 1, &number, found, &why);
		check_result(found, CASES[i].pieces);
		assert_int_equal(why != NULL, found->outcome == RULE_REJECTS);
		arena_free(memory);
	}
}

static void dimensions_of_size_one_go(void **state)
{
	(void)state;
	static const struct {
		const char *tensor, *axes;
		bool strict;
		const char *shape;
	} CASES[] = {
	    {"f32[1,3,1]", NULL, false, "[3]"}, {"f32[1,3,1]", "-1", false, "[1,3]"}, {"f32[1,3,1]", "1", false, "[1,3,1]"},
	    {"f32[1,3,1]", "1", true, "rejected"}, {"f32[1,3,1]", "(0, 2)", true, "[3]"}, {"f32[1,3,1]", "3", false, "rejected"},
	    {"f32[1,3,1]", "(0, -3)", false, "silent"}, {"f32[]", NULL, false, "silent"},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		arena *memory = arena_new();
		rule_result *found = ARENA_NEW(memory, rule_result);
		const call_value tensor = read_value(CASES[i].tensor, memory), axes = read_value(CASES[i].axes ? CASES[i].axes : "0", memory);
		const char *why = NULL;
		squeeze_axes(&tensor, CASES[i].axes ? &axes : NULL, CASES[i].strict, found, &why);
		check_result(found, CASES[i].shape);
		arena_free(memory);
	}
}

static void axes_move_and_swap(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to;
		bool swap;
		const char *shape;
	} CASES[] = {
	    {"0", "-1", false, "[3,4,2]"}, {"0", "-1", true, "[4,3,2]"}, {"2", "0", false, "[4,2,3]"}, {"(0, 1)", "(1, 2)", false, "[4,2,3]"},
	    {"[0, 2]", "[2, 0]", false, "[4,3,2]"}, {"3", "0", false, "rejected"}, {"0", "-4", true, "rejected"}, {"(0, 0)", "(1, 2)", false, "silent"},
	    {"(0, 1)", "2", false, "silent"},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		arena *memory = arena_new();
		rule_result *found = ARENA_NEW(memory, rule_result);
		const call_value tensor = read_value("f32[2,3,4]", memory), from = read_value(CASES[i].from, memory), to = read_value(CASES[i].to, memory);
		const char *why = NULL;
		axes_move(&tensor, &from, &to, CASES[i].swap, found, &why);
		check_result(found, CASES[i].shape);
		arena_free(memory);
	}
}

static void equations_name_dimensions(void **state)
{
	(void)state;
	static const struct {
		const char *text, *tensors;
		unsigned options;
		const char *shape;
	} CASES[] = {
	    {"ij,jk->ik", "[f32[2,3], f32[3,4]]", 0, "[2,4]"}, {"ij,jk", "[f32[2,3], f32[3,4]]", 0, "[2,4]"},
	    {"ij,jk->ik", "[f32[2,3], f32[4,4]]", EQUATION_ONES, "rejected"}, {"ij,jk->ik", "[f32[2,3], f32[1,4]]", 0, "rejected"},
	    {"ij,jk->ik", "[f32[2,3], f32[1,4]]", EQUATION_ONES, "[2,4]"}, {"b a -> a b", "[f32[2,3]]", 0, "[3,2]"},
	    {"ii->i", "[f32[3,3]]", 0, "[3]"}, {"ii->i", "[f32[3,1]]", EQUATION_ONES, "rejected"}, {"ij->", "[f32[2,3]]", 0, "[]"},
	    {"...ij,...jk->...ik", "[f32[5,1,2,3], f32[7,3,4]]", 0, "[5,7,2,4]"}, {"i...", "[f32[2,3,4]]", 0, "[3,4,2]"},
	    {"i...->i", "[f32[2,3]]", 0, "rejected"}, {"i...->i", "[f32[2,3]]", EQUATION_DOTS, "[2]"}, {"i->j", "[f32[2]]", 0, "rejected"},
	    {"i->ii", "[f32[2]]", 0, "rejected"}, {"i,j->i", "[f32[2]]", 0, "rejected"}, {"ij->i", "[f32[2]]", 0, "rejected"},
	    {"mean", "[f32[2]]", 0, "rejected"}, {"i:j", "[f32[2]]", 0, "silent"}, {"i..->i", "[f32[2,2]]", 0, "silent"},
	};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		arena *memory = arena_new();
		rule_result *found = ARENA_NEW(memory, rule_result);
		const call_value tensors = read_value(CASES[i].tensors, memory);
		const call_value *list[4];
		const char *why = NULL;
		for (size_t k = 0; k < tensors.n; k++)
			list[k] = &tensors.items[k];
		equation_evaluate(CASES[i].text, list, (unsigned)tensors.n, CASES[i].options, found, &why);
		check_result(found, CASES[i].shape);
		arena_free(memory);
	}
}

/* ---- t.cut(x, k): pieces of length k; t.odd is the same, but one signature says otherwise */

static int64_t pieces(const int64_t *s)
{
	return s[1] > 0 ? (s[0] + s[1] - 1) / s[1] : 0;
}

static bool two(const int64_t *s)
{
	return pieces(s) == 2;
}

static bool three(const int64_t *s)
{
	return pieces(s) == 3;
}

static bool cut(const int64_t *s, int64_t *out)
{
	const int64_t n = pieces(s);
	for (int64_t i = 0; i < n; i++)
		out[i] = i + 1 < n ? s[1] : s[0] - i * s[1];
	return true;
}

static bool odd(const int64_t *s, int64_t *out)
{
	cut(s, out);
	out[0] += s[1] == 3;
	return true;
}

static const rs_arg X_K[] = {{"x", 0, 1}, {"k", 1, 1}};
static const rs_value VECTOR_K[] = {{.kind = RS_TENSOR, .dtype = RS_FLOAT32, .count = 1}, {.kind = RS_INT, .first = 1}};
static const uint8_t FLOATS[] = {RS_FLOAT32, RS_FLOAT32, RS_FLOAT32, RS_FLOAT32};
static const int64_t TWO[] = {2, 1, 3, 2, 4, 2, 4, 3, 5, 3, 5, 4}, THREE[] = {3, 1, 5, 2, 6, 2, 7, 3, 8, 3, 9, 4};
#define COMMON .args = X_K, .values = VECTOR_K, .nargs = 2, .nvalues = 2, .nsym = 2, .nin = 1, .dtypes = FLOATS, .ndtypes = 1, .nrecords = 6, \
	.out_ranks = (const uint8_t[]){1, 1, 1}
static const rs_op OPS[] = {
    {.name = "t.cut-0", .api = "t.cut", .valid = two, .propagate = cut, .records = TWO, .nout = 2, .nodim = 2, COMMON},
    {.name = "t.cut-1", .api = "t.cut", .valid = three, .propagate = cut, .records = THREE, .nout = 3, .nodim = 3, COMMON},
    {.name = "t.odd-0", .api = "t.odd", .valid = two, .propagate = cut, .records = TWO, .nout = 2, .nodim = 2, COMMON},
    {.name = "t.odd-1", .api = "t.odd", .valid = three, .propagate = odd, .records = THREE, .nout = 3, .nodim = 3, COMMON},
};
static const rs_table TABLE = {.abi = RS_ABI, .framework = "t", .version = "1", .fingerprint = "0", .ops = OPS, .nops = sizeof OPS / sizeof *OPS};
static const rs_table *const TABLES[] = {&TABLE};
static const rs_library LIBRARY = {.abi = RS_ABI, .ntables = 1, .tables = TABLES};

static void check_answer(const char *call, const char *answer)
{
	char *text = rs_answer(&LIBRARY, NULL, call);
	assert_non_null(text);
	if (!strstr(text, answer))
		fail_msg("%s: %s", call, text);
	free(text);
}

static void templates_count_if_no_signature_contradicts(void **state)
{
	(void)state;
	check_answer("t.cut(f32[7], 2)", "\"outputs\":[[2],[2],[2],[1]]");
	check_answer("t.cut(f32[7], 0)", "\"valid\":false,\"why\":\"the length of pieces is 0, but the dimension is not\"");
	check_answer("t.cut(f32[2,7], 2)", "\"unknown\"");
	check_answer("t.cut(i64[7], 2)", "\"why\":\"the dtypes are rejected: int64\"");
	check_answer("t.odd(f32[7], 2)", "\"unknown\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pieces_have_these_lengths), cmocka_unit_test(dimensions_of_size_one_go),
	    cmocka_unit_test(axes_move_and_swap), cmocka_unit_test(equations_name_dimensions), cmocka_unit_test(templates_count_if_no_signature_contradicts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
