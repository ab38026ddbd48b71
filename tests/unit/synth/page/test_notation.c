/* Outputs in terms of a call's arguments, over signatures: by the argument that names a dimension, or by
 * number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "notation.h"
#include "operators.h"
#include "output_lines.h"

enum { MOST = 4, MOST_OUT = 5 };

/* A signature: its arguments and outputs as in operators.h, and the outputs' dimensions. */
typedef struct form_text {
	const char *args, *ranks;
	const char *out[MOST_OUT];
} form_text;

/* A clause of signature k at one position, counted from the left or the right, under one alignment. */
static void expect_clause(const form_text *texts, int n, int k, const char *clause, clause_range where, uint8_t dims, const char *text)
{
	buf b = {0}, said = {0};
	records r;
	expr_pool *pool = expr_pool_new();
	const operator *ops[MOST];
	quantified_clause s = {.nranges = 1};
	int nsym, nodim;
	for (int i = 0; i < n; i++) {
		put_call(&b, "m.f", i, texts[i].args, texts[i].ranks, &nsym, &nodim);
		buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	}
	read_lines(&r, &b);
	for (int i = 0; i < n; i++)
		ops[i] = &r.ops[i];
	s.ranges[0] = where;
	assert_true(expr_template_of(&s.f, pool, ops[k], expr_parse(pool, clause, ops[k]->nsym, "test", 1, NULL), NULL, NULL, false));
	notation_clause(&said, &(notation){.ops = ops, .n = n}, &s, (instantiation){.dims = dims, .values = dims});
	assert_string_equal(said.text, text);
	buf_free(&said);
	expr_pool_free(pool);
	records_free(&r);
}

static void expect(const form_text *texts, int n, const char *text)
{
	buf b = {0}, said = {0};
	records r;
	expr_pool *pool = expr_pool_new();
	const operator *ops[MOST];
	const expr *out[MOST][MOST_OUT];
	const expr *const *outs[MOST];
	int nsym, nodim;
	for (int i = 0; i < n; i++) {
		put_call(&b, "m.f", i, texts[i].args, texts[i].ranks, &nsym, &nodim);
		buf_puts(&b, ",\"pass\":[],\"fail\":[]}\n");
	}
	read_lines(&r, &b);
	assert_int_equal(r.n, n);
	for (int i = 0; i < n; i++) {
		ops[i] = &r.ops[i];
		outs[i] = out[i];
		for (int d = 0; d < ops[i]->nodim; d++)
			out[i][d] = expr_parse(pool, texts[i].out[d], ops[i]->nsym, "test", 1, NULL);
	}
	buf_putc(&said, '[');
	output_lines_put(&said, &(notation){.ops = ops, .n = n}, pool, 0, outs);
	assert_string_equal(said.text + 1, text);
	buf_free(&said);
	expr_pool_free(pool);
	records_free(&r);
}

/* Products of sizes are printed by name. A product of one factor is printed as that factor, so that other
 * ranks need no line of their own. */
static void sizes_are_folds(void **state)
{
	(void)state;
	static const form_text THREE = {"x=t3 to=l3", "3",
	    {"s0*s1*s2//(s4*s5) if s3 == -1 else s3", "s0*s1*s2//(s3*s5) if s4 == -1 else s4", "s0*s1*s2//(s3*s4) if s5 == -1 else s5"}};
	static const form_text TWO = {"x=t1 to=l2", "2", {"s0//s2 if s1 == -1 else s1", "s0//s1 if s2 == -1 else s2"}};
	static const form_text OTHER = {"x=t1 to=l2", "2", {"s0//s2 if s1 == -1 else s1", "s0//s1 if s2 == -2 else s2"}};
	const char *rest = "numel(x)//prod(to without [i]) if to[i] == -1 else to[i] for each i\"";
	char text[300];
	snprintf(text, sizeof text, "\"out[i] = %s", rest);
	expect((form_text[]){THREE, TWO}, 2, text);
	snprintf(text, sizeof text, "\"out[i] = %s,\"out[-1] = x[-1]//to[-2] if to[-1] == -2 else to[-1] if rank(x) = 1\"", rest);
	expect((form_text[]){THREE, OTHER}, 2, text);
	static const form_text POSITIVE = {"x=t3 to=l3", "1", {"max(s0, 1)*max(s1, 1)*max(s2, 1)//(max(s4, 1)*max(s5, 1))"}};
	expect(&POSITIVE, 1, "\"out[0] = numel(max(x, 1))//prod(max(to, 1) without [0])\"");
	static const form_text COPIED = {"x=t3 to=l3", "1", {"(s1 if s4 == 0 else s4)*(s2 if s5 == 0 else s5)"}};
	expect(&COPIED, 1, "\"out[0] = prod(to without [0], 0 as in x)\"");
	static const form_text RANK = {"at=e2,3", "2", {"(1 if s0 != 0 else 0) + (1 if s1 != 0 else 0) + (1 if s2 != 0 else 0) + (1 if s3 != 0 else 0)"
		" + (1 if s4 != 0 else 0) + (1 if s5 != 0 else 0)", "2"}}, FLAT = {"at=e2", "2", {"(1 if s0 != 0 else 0) + (1 if s1 != 0 else 0)", "1"}};
	expect((form_text[]){RANK, FLAT}, 2, "\"out[0] = count_nonzero(at)\",\"out[1] = rank(at)\"");
	static const form_text DISTINCT_OF_3 = {"x=l3", "1", {"(1 if s0 != s1 and s0 != s2 else 0) + (1 if s1 != s2 else 0) + 1"}};
	expect(&DISTINCT_OF_3, 1, "\"out[0] = count_distinct(x)\"");
	static const form_text NUMBERS = {"x=t1 n=i c=i size=i groups=i", "1", {"s1*s2*s3"}};
	expect(&NUMBERS, 1, "\"out[0] = prod(n, c, size)\"");
}

/* Products of consecutive dimensions, by the arguments that name their ends; a product of one dimension or
 * none needs no line. */
static void runs_are_slices(void **state)
{
	(void)state;
	static const form_text TWO = {"x=t4 axis=#2", "2", {"s0*s1", "s2*s3"}}, THREE = {"x=t5 axis=#3", "2", {"s0*s1*s2", "s3*s4"}},
	    ONE = {"x=t4 axis=#1", "2", {"s0", "s1*s2*s3"}}, NONE = {"x=t3 axis=#0", "2", {"1", "s0*s1*s2"}};
	expect((form_text[]){TWO, THREE, ONE, NONE}, 4, "\"out[0] = numel(x[:axis])\",\"out[1] = numel(x[axis:])\"");
	static const form_text ENDS = {"x=t4 y=t1", "2", {"s4", "s1*s2*s3"}}, LONG = {"x=t5 y=t1", "2", {"s5", "s2*s3*s4"}},
	    PAIR = {"x=t4 y=t1", "2", {"s4", "s1*s2"}};
	expect((form_text[]){ENDS, LONG}, 2, "\"out[0] = y[0]\",\"out[1] = numel(x[-3:])\"");
	expect(&PAIR, 1, "\"out[0] = y[0]\",\"out[1] = x[1]*x[2]\"");
}

/* The dimensions that a constant names, and the ones before them. */
static void axes_say_which(void **state)
{
	(void)state;
	static const form_text TWO = {"x=t3 y=t1 axis=#1", "3", {"s0", "1", "1"}}, THREE = {"x=t4 y=t1 axis=#-1", "4", {"s0", "s1", "s2", "1"}};
	expect((form_text[]){TWO, THREE}, 2, "\"out[i] = x[i] for each i before axis\",\"out[i] = 1 for each i from axis on\"");
	static const form_text FIRST = {"x=t2 n=i dim=#0", "2", {"s2 + 1", "s1"}}, LAST = {"x=t3 n=i dim=#2", "3", {"s0", "s1", "s3 + 1"}};
	expect((form_text[]){FIRST, LAST}, 2, "\"out[i] = n + 1 for i = dim\",\"out[i] = x[i] for each i but dim\"");
	static const form_text NONE = {"x=t3 y=t1", "3", {"s0", "1", "1"}}; /* no constant names one */
	expect((form_text[]){TWO, NONE}, 2, "\"out[0] = x[0]\",\"out[i] = 1 for the last 2 i\"");
}

/* A constant of 0 or more counts from the left, whatever the alignment. If two constants are equal in all
 * signatures, neither is the axis; nor is a constant that never varies. */
static void axes_count_from_their_end(void **state)
{
	(void)state;
	static const form_text FIRST = {"x=t3 begin=l2 axis=#0", "1", {NULL}}, SECOND = {"x=t3 begin=l2 axis=#1", "1", {NULL}},
	    LAST = {"x=t3 begin=l2 axis=#-1", "1", {NULL}};
	static const form_text MASKS = {"x=t3 begin=l2 axis=#0 mask=#0", "1", {NULL}}, OTHER = {"x=t3 begin=l2 axis=#1 mask=#0", "1", {NULL}};
	clause_range axis = {.axis = "axis"};
	expect_clause(&FIRST, 1, 0, "s3 < s0", axis, FROM_RIGHT, "begin[0] < x[0]"); /* it could be a flag */
	expect_clause((form_text[]){FIRST, SECOND}, 2, 0, "s3 < s1", axis, FROM_RIGHT, "begin[axis] < x[axis + 1]");
	expect_clause(&LAST, 1, 0, "s4 < s2", axis, FROM_RIGHT, "begin[axis] < x[axis]");
	static const form_text ONE = {"x=t3 sizes=t1 axis=#2", "1", {NULL}}, TWO = {"x=t3 sizes=t2 axis=#2", "1", {NULL}},
	    THIRD = {"x=t4 sizes=t1 axis=#3", "1", {NULL}};
	expect_clause(&ONE, 1, 0, "s2 == s3", axis, FROM_RIGHT, "x[2] == sizes[0]");
	expect_clause((form_text[]){ONE, TWO}, 2, 0, "s2 == s3", axis, FROM_RIGHT, "x[2] == sizes[0]");
	expect_clause((form_text[]){ONE, THIRD}, 2, 0, "s2 == s3", axis, FROM_RIGHT, "x[axis] == sizes[0]");
	expect_clause((form_text[]){ONE, TWO, THIRD}, 3, 0, "s2 == s3", axis, FROM_RIGHT, "x[axis] == sizes[axis - 2]");
	expect_clause(&MASKS, 1, 0, "s3 < s0", axis, FROM_RIGHT, "begin[0] < x[0]");
	expect_clause((form_text[]){MASKS, OTHER}, 2, 0, "s3 < s0", axis, FROM_RIGHT, "begin[axis] < x[axis]");
	expect_clause((form_text[]){OTHER, MASKS}, 2, 1, "s3 < s0", axis, FROM_RIGHT, "begin[axis] < x[axis]");
}

/* A position at the same distance from the start in all signatures is counted from there. */
static void places_are_counted_from_either_end(void **state)
{
	(void)state;
	static const form_text LONG = {"x=t2 to=l3", "3", {"s0 if s2 == 0 else s2", "s1 if s3 == 0 else s3", "s4"}};
	static const form_text EQUAL = {"x=t2 to=l2", "2", {"s0 if s2 == 0 else s2", "s1 if s3 == 0 else s3"}};
	static const form_text RIGHT = {"x=t2 to=l3", "3", {"s2", "s0 if s3 == 0 else s3", "s1 if s4 == 0 else s4"}};
	expect((form_text[]){EQUAL, LONG}, 2, "\"out[i] = x[i] if to[i] == 0 else to[i] for each i\",\"out[-1] = to[-1] in -1\"");
	expect((form_text[]){EQUAL, RIGHT}, 2, "\"out[i] = x[i] if to[i] == 0 else to[i] for each i\",\"out[-3] = to[-3] in -1\"");
}

/* A number of results is not a dimension, although dimension 2 exists if it is 2. */
static void numbers_are_no_names(void **state)
{
	(void)state;
	static const form_text TWO = {"x=t3 w=t3 results=#2", "3", {"s3", "s1", "s5"}};
	static const form_text ONE = {"x=t3 w=t3 results=#1", "3", {"s3", "s1", "s5"}};
	expect((form_text[]){TWO, ONE}, 2, "\"out[i] = w[i] for i = 0, 2\",\"out[1] = x[1]\"");
}

/* dim is a dimension: its value differs between signatures. */
static void axes_are_names(void **state)
{
	(void)state;
	static const form_text FIRST = {"x=t3 length=i dim=#0", "3", {"s3", "s1", "s2"}};
	static const form_text LAST = {"x=t3 length=i dim=#2", "3", {"s0", "s1", "s3"}};
	expect((form_text[]){FIRST, LAST}, 2, "\"out = set(x, dim, length)\"");
}

/* A position at the end of outputs of several ranks is counted from the end; the other signatures' text is
 * printed as well. */
static void other_ranks_are_said(void **state)
{
	(void)state;
	static const form_text LONG = {"x=t3 w=t2", "3", {"s0", "s1", "s4 + 1"}};
	static const form_text SHORT = {"x=t2 w=t2", "2", {"s0", "s3 + 1"}};
	static const form_text OTHER = {"x=t2 w=t1", "2", {"s0", "s1 + 5"}};
	expect((form_text[]){LONG, SHORT}, 2, "\"out[:-1] = x[:-1]\",\"out[-1] = w[1] + 1\"");
	expect((form_text[]){LONG, SHORT, OTHER}, 3, "\"out[:-1] = x[:-1]\",\"out[-1] = w[-1] + 1\",\"out[-1] = x[-1] + 5 if rank(w) = 1\"");
}

/* The signature already shows the value of an omitted argument or an empty list. */
static void defaults_are_not_repeated(void **state)
{
	(void)state;
	static const form_text FULL = {"x=t2 k=i stride=i", "2", {"s0", "s1*s3 + s2"}};
	static const form_text LEFT_OUT = {"x=t2 k=i", "2", {"s0", "s1*s2 + s2"}};
	static const form_text EMPTY = {"x=t2 k=i stride=l0", "2", {"s0", "s1*s2 + s2"}};
	const char *said = "\"out[0] = x[0]\",\"out[1] = x[1]*stride + k\"";
	expect((form_text[]){FULL, LEFT_OUT}, 2, said);
	expect((form_text[]){FULL, EMPTY}, 2, said);
}

/* The last dimension of a, and the dimension of b at the same distance from the left, minus two: not b[-1]
 * if b is longer. */
static void other_ends_are_said(void **state)
{
	(void)state;
	static const form_text VECTOR = {"a=t3 b=t1", "0", {NULL}};
	static const form_text MATRIX = {"a=t3 b=t2", "0", {NULL}};
	static const form_text LONG = {"a=t4 b=t3", "0", {NULL}};
	clause_range last = {.positions = 1}, first = {.positions = 1, .from_left = true};
	form_text all[] = {VECTOR, MATRIX, LONG};
	expect_clause(all, 3, 0, "s2 == s3", last, FROM_LEFT, "a[i] == b[i - 2] for i = -1");
	expect_clause(all, 3, 0, "s2 == s3", first, FROM_RIGHT, "a[i] == b[i] for i = 0");
	expect_clause(all, 3, 0, "s2 == s3", last, FROM_RIGHT, "a[-1] == b[-1]");
	expect_clause(all, 1, 0, "s2 == s3", last, FROM_LEFT, "a[2] == b[0]"); /* of one length: a number */
}

/* Lists of different lengths are aligned at their last items, unless the page states that they are aligned
 * at the first ones: all items of a kernel are compared with one half of the pads or with the other. */
static void lists_that_meet_at_their_first_items_say_so(void **state)
{
	(void)state;
	static const form_text PADS = {"k=l2 pads=l4", "0", {NULL}}; /* k: s0, s1; pads: s2 … s5 */
	static const form_text SAME = {"k=l2 pads=l2", "0", {NULL}};
	static const form_text NUMBER = {"k=l2 pads=i", "0", {NULL}};
	static const form_text SHAPES = {"a=t3 b=t2", "0", {NULL}};
	clause_range all = {.positions = EVERYWHERE};
	expect_clause(&PADS, 1, 0, "s2 < s0", all, FROM_LEFT, "pads[i] < k[i] for each i from the left");
	expect_clause(&PADS, 1, 0, "s2 < s0", all, FROM_RIGHT, "pads[i] < k[i + 2] for each i");
	expect_clause(&PADS, 1, 0, "s4 < s0", all, FROM_RIGHT, "pads[i] < k[i] for each i");
	expect_clause(&SAME, 1, 0, "s2 < s0", all, FROM_LEFT, "pads[i] < k[i] for each i");
	expect_clause(&NUMBER, 1, 0, "s2 < s0", all, FROM_LEFT, "pads < k[i] for each i");
	expect_clause(&SHAPES, 1, 0, "s0 == s3", all, FROM_LEFT, "a[i] == b[i] for each i from the left");
	expect_clause(&SHAPES, 1, 0, "s1 == s3", all, FROM_RIGHT, "a[i] == b[i] for each i");
}

/* The ends of a range are printed by name; a clause that holds at every position is printed for both ends. */
static void ends_of_ranges_are_named(void **state)
{
	(void)state;
	static const form_text INDEX = {"x=t2 at=r1 n=i", "0", {NULL}}; /* at's range is s3 … s4 - 1 */
	clause_range all = {.positions = EVERYWHERE}, last = {.positions = 1}, first = {.positions = 1, .from_left = true};
	static const form_text NUMBER = {"x=t2 at=r0", "0", {NULL}}; /* a tensor without dimensions */
	expect_clause(&NUMBER, 1, 0, "s2 <= s3", all, FROM_RIGHT, "at.low <= at.high");
	expect_clause(&INDEX, 1, 0, "s3 <= s4", all, FROM_RIGHT, "at.low <= at.high");
	expect_clause(&INDEX, 1, 0, "s3 >= 0", all, FROM_LEFT, "at >= 0");
	expect_clause(&INDEX, 1, 0, "s4 >= 0", all, FROM_RIGHT, "at >= 0");
	expect_clause(&INDEX, 1, 0, "s3 + s5 >= 0", all, FROM_LEFT, "at + n >= 0");
	expect_clause(&INDEX, 1, 0, "s5 - s3 >= 0", all, FROM_LEFT, "n - at.low >= 0 and n - at.high >= 0");
	expect_clause(&INDEX, 1, 0, "s3 <= s5", all, FROM_LEFT, "at.low <= n and at.high <= n"); /* high is exclusive */
	expect_clause(&INDEX, 1, 0, "s5 == 0 or s4 <= s5", all, FROM_RIGHT, "(n == 0 or at.low <= n) and (n == 0 or at.high <= n)");
	expect_clause(&INDEX, 1, 0, "s3 >= 0", last, FROM_RIGHT, "at.high >= 0");
	expect_clause(&INDEX, 1, 0, "s4 >= 0", first, FROM_LEFT, "at.low >= 0");
	expect_clause(&INDEX, 1, 0, "s4 >= 0", last, FROM_RIGHT, "at.high >= 0");
	expect_clause(&INDEX, 1, 0, "s4 <= s0", all, AT_LEFT, "at.high <= x[0]"); /* it does not move */
	expect_clause(&INDEX, 1, 0, "s4 <= s0", all, FROM_LEFT, "at.high <= x[i] for each i");
	expect_clause(&INDEX, 1, 0, "s3 <= s1", last, FROM_RIGHT, "at.low <= x[1]");
}

/* Dimensions that are equal or 1 broadcast, in any order of the alternatives; similar clauses do not count. */
static void broadcasts_have_a_word(void **state)
{
	(void)state;
	static const form_text TWO = {"x=t2 y=t2 n=i", "0", {NULL}}; /* x: s0, s1; y: s2, s3 */
	static const struct {
		const char *clause, *text;
	} CASES[] = {{"s1 == s3 or s1 == 1 or s3 == 1", "broadcastable(x, y)"}, {"s1 == s3 or s3 == 1 or s1 == 1", "broadcastable(x, y)"},
	    {"s3 == s1 or s1 == 1 or s3 == 1", "broadcastable(y, x)"},
	    {"s1 == s3 or s1 == 1 or s3 == 2", "x[i] == y[i] or x[i] == 1 or y[i] == 2 for each i"},
	    {"s1 == s3 or s1 == 2 or s3 == 1", "x[i] == y[i] or x[i] == 2 or y[i] == 1 for each i"},
	    {"s1 <= s3 or s1 == 1 or s3 == 1", "x[i] <= y[i] or x[i] == 1 or y[i] == 1 for each i"},
	    {"s1 == s3 or s1 <= 1 or s3 == 1", "x[i] == y[i] or x[i] <= 1 or y[i] == 1 for each i"},
	    {"s1 == s3 or s1 == 1 or s3 <= 1", "x[i] == y[i] or x[i] == 1 or y[i] <= 1 for each i"},
	    {"s1 == s3 or s1 == 1 or s3 == s1", "x[i] == y[i] or x[i] == 1 or y[i] == x[i] for each i"},
	    {"s1 == 2*s3 or s1 == 1 or s3 == 1", "x[i] == 2*y[i] or x[i] == 1 or y[i] == 1 for each i"},
	    {"s1 == s3 or s3 == 1", "x[i] == y[i] or y[i] == 1 for each i"},
	    {"s1 == s4 or s1 == 1 or s4 == 1", "x[i] == n or x[i] == 1 or n == 1 for each i"}}; /* n is no dimension */
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
		expect_clause(&TWO, 1, 0, CASES[i].clause, (clause_range){.positions = EVERYWHERE}, FROM_RIGHT, CASES[i].text);
}

/* Batch and channels by index, then each spatial dimension, for any rank. A position at the end is counted
 * from the end, and a single rank needs no such words. */
static void spatial_dimensions_are_counted_from_the_left(void **state)
{
	(void)state;
	static const form_text LONG = {"x=t5 k=l3", "5", {"s0", "s1", "s2 - s5 + 1", "s3 - s6 + 1", "s4 - s7 + 1"}};
	static const form_text SHORT = {"x=t3 k=l1", "3", {"s0", "s1", "s2 - s3 + 1"}};
	static const form_text STRIDED = {"x=t4 k=l2 s=l2", "4", {"s0", "s1", "(s2 - s4)//s6 + 1", "(s3 - s5)//s7 + 1"}};
	static const form_text UNLIKE = {"x=t3 k=l1", "3", {"s0", "s2", "s2 - s3 + 1"}};
	const char *windows = "\"out[:2] = x[:2]\",\"out[i] = window(x[i], k[i]) for each i from 2 on\"";
	expect((form_text[]){LONG, SHORT}, 2, windows);
	expect((form_text[]){STRIDED, SHORT, LONG}, 3, "\"out[:2] = x[:2]\",\"out[i] = window(x[i], k[i], s[i]) for each i from 2 on\"");
	expect((form_text[]){LONG}, 1, "\"out[i] = x[i] for the first 2 i\",\"out[i] = window(x[i], k[i]) for the last 3 i\"");
	expect((form_text[]){LONG, UNLIKE}, 2, "\"out[:-3] = x[:-3]\",\"out[i] = window(x[i], k[i]) for the last 3 i\",\"out[-3] = x[-3] if rank(x) = 3\","
					      "\"out[-2] = x[-1] if rank(x) = 3\"");
	static const form_text BATCHES = {"a=t3 b=t3", "3", {"s3 if s0 == 1 else s0", "s1", "s5"}}, MATRIX = {"a=t4 b=t2", "4", {"s0", "s1", "s2", "s5"}};
	expect((form_text[]){BATCHES, MATRIX}, 2, "\"out[:-2] = broadcast(a[:-2], b[:-2])\",\"out[-2] = a[-2]\",\"out[-1] = b[-1]\"");
	static const form_text ROWS = {"x=t4 n=i", "4", {"s4 + 1", "s1", "s2", "s3"}}, FEW = {"x=t2 n=i", "2", {"s2 + 1", "s1"}};
	expect((form_text[]){ROWS, FEW}, 2, "\"out[0] = n + 1\",\"out[i] = x[i] for each i from 1 on\"");
}

/* A line also covers the arguments of another signature if it equals the representative's without them
 * (anti_unify.h). */
static void lines_say_what_others_have_arguments_for(void **state)
{
	(void)state;
	static const form_text STRIDED = {"x=t2 k=i s=i", "2", {"s0", "(s1 - s2)//s3 + 1"}};
	static const form_text PADDED = {"x=t2 k=i pad=i", "2", {"s0", "s1 + 2*s3 - s2 + 1"}};
	static const form_text PLAIN = {"x=t2 k=i", "2", {"s0", "s1 - s2 + 1"}};
	static const form_text OTHER = {"x=t2 k=i pad=i", "2", {"s0", "s1 + 2*s3 - s2 + 2"}};
	static const form_text IDLE = {"x=t2 k=i pad=i mode=c1", "2", {"s0", "s1 - s2 + 1"}};
	const char *said = "\"out[0] = x[0]\",\"out[1] = window(x[1], k, s, pad)\"";
	expect((form_text[]){STRIDED, IDLE, PADDED}, 3,
	    "\"out[0] = x[0]\",\"out[1] = window(x[1], k, s)\",\"out[-1] = window(x[1], k, 1, pad) in -2\"");
	expect((form_text[]){STRIDED, PADDED, PLAIN}, 3, said);
	expect((form_text[]){PADDED, PLAIN, STRIDED}, 3, said);
	expect((form_text[]){STRIDED, OTHER}, 2,
	    "\"out[0] = x[0]\",\"out[1] = window(x[1], k, s)\",\"out[-1] = x[1] + 2*pad - k + 2 if pad is given\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_no_names), cmocka_unit_test(sizes_are_folds), cmocka_unit_test(runs_are_slices),
	    cmocka_unit_test(axes_count_from_their_end), cmocka_unit_test(axes_say_which),
	    cmocka_unit_test(places_are_counted_from_either_end), cmocka_unit_test(axes_are_names),
	    cmocka_unit_test(other_ranks_are_said), cmocka_unit_test(defaults_are_not_repeated),
	    cmocka_unit_test(other_ends_are_said), cmocka_unit_test(lists_that_meet_at_their_first_items_say_so),
	    cmocka_unit_test(ends_of_ranges_are_named), cmocka_unit_test(broadcasts_have_a_word),
	    cmocka_unit_test(spatial_dimensions_are_counted_from_the_left), cmocka_unit_test(lines_say_what_others_have_arguments_for)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
