/* Whole shapes: the parts of a signature's output, printed if they are the same in all signatures, and only
 * then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "axes.h"
#include "operators.h"
#include "shapes.h"
#include "signature.h"

enum { MOST = 4 };

#define T(dims) "{\"tensor\":[" dims "],\"dtype\":\"float32\"}"
#define C(text) "{\"const\":\"" text "\"}"
#define A(name, value) "{\"name\":\"" name "\",\"pos\":true,\"value\":" value "}"

/* A signature: its arguments and output as JSON, and the output's dimensions. */
typedef struct form_text {
	const char *args, *output;
	const char *out[4];
} form_text;

typedef struct forms {
	records r;
	expr_pool *pool;
	const operator *ops[MOST];
	const expr *const *outs[MOST];
	const expr *out[MOST][4];
	int n;
} forms;

static void open_forms(forms *f, const form_text *texts, int n)
{
	buf b = {0};
	*f = (forms){.pool = expr_pool_new(), .n = n};
	for (int i = 0; i < n; i++)
		buf_printf(&b, "{\"op\":\"m.f-%d\",\"api\":\"m.f\",\"args\":[%s],\"outputs\":[%s],\"pass\":[],\"fail\":[]}\n", i,
		    texts[i].args, texts[i].output);
	read_lines(&f->r, &b);
	assert_int_equal(f->r.n, n);
	for (int i = 0; i < n; i++) {
		f->ops[i] = &f->r.ops[i];
		f->outs[i] = f->out[i];
		for (int d = 0; d < f->ops[i]->nodim; d++)
			f->out[i][d] = expr_parse(f->pool, texts[i].out[d], f->ops[i]->nsym, "test", 1, NULL);
	}
}

static void close_forms(forms *f)
{
	expr_pool_free(f->pool);
	records_free(&f->r);
}

static void expect(const form_text *texts, int n, int cut, const char *text)
{
	forms f;
	buf said = {0};
	open_forms(&f, texts, n);
	assert_int_equal(shapes_output(&said, f.ops, n, f.pool, 0, "out", NULL, cut, f.outs), text != NULL);
	if (text)
		assert_string_equal(said.text, text);
	else
		assert_int_equal(said.length, 0);
	buf_free(&said);
	close_forms(&f);
}

static void reductions_go_by_their_axes(void **state)
{
	(void)state;
	static const form_text KEEP = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("dim", C("1")) "," A("keep", C("True")),
	    T("\"o0\",\"o1\",\"o2\""), {"s0", "1", "s2"}};
	static const form_text DROP = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("dim", C("-1")) "," A("keep", C("False")),
	    T("\"o0\",\"o1\""), {"s0", "s1"}};
	static const form_text SEVERAL = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("dim", "[" C("0") "," C("-1") "]") "," A("keep", C("False")),
	    T("\"o0\""), {"s1"}};
	static const form_text WRONG = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("dim", C("0")) "," A("keep", C("False")),
	    T("\"o0\",\"o1\""), {"s0", "s1"}};
	expect((form_text[]){DROP, SEVERAL}, 2, 0, "\"out = drop(x, dim)\"");
	expect((form_text[]){DROP, KEEP, SEVERAL}, 3, 0,
	    "\"out = drop(x, dim) if keep = False\",\"out = set(x, dim, 1) if keep = True\"");
	expect((form_text[]){DROP, WRONG}, 2, 0, NULL);
}

/* keep=1 is no axis if another argument names the axes. An empty list of axes can mean all axes, if a
 * nonempty list does not. */
static void integers_tell_and_empty_lists_are_all(void **state)
{
	(void)state;
	static const form_text KEPT = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("axes", "[" C("1") "]") "," A("keep", C("1")),
	    T("\"o0\",\"o1\",\"o2\""), {"s0", "1", "s2"}};
	static const form_text LAST = {A("x", T("\"s0\",\"s1\"")) "," A("axes", "[" C("-1") "]"), T("\"o0\",\"o1\""), {"s0", "1"}};
	static const form_text DROPPED = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("axes", "[" C("0") "," C("2") "]") "," A("keep", C("0")),
	    T("\"o0\""), {"s1"}};
	static const form_text ALL = {A("x", T("\"s0\",\"s1\"")) "," A("axes", "[]") "," A("keep", C("1")), T("\"o0\",\"o1\""), {"1", "1"}};
	static const form_text NONE = {A("x", T("\"s0\",\"s1\"")) "," A("axes", "[]") "," A("keep", C("1")), T("\"o0\",\"o1\""), {"s0", "s1"}};
	static const form_text TABLE = {A("x", T("\"s0\",\"s1\"")) "," A("y", T("\"s2\"")), T("\"o0\",\"o1\""), {"s0", "s2"}};
	static const form_text CUBE = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("y", T("\"s3\"")), T("\"o0\""), {"s3"}};
	expect((form_text[]){KEPT, DROPPED}, 2, 0, "\"out = drop(x, axes) if keep = 0\",\"out = set(x, axes, 1) if keep = 1\"");
	expect((form_text[]){KEPT, LAST, DROPPED}, 3, 0, "\"out = set(x, axes, 1) if keep != 0\",\"out = drop(x, axes) if keep = 0\"");
	expect((form_text[]){KEPT, LAST, ALL}, 3, 0, "\"out = set(x, axes or all, 1)\"");
	expect((form_text[]){KEPT, LAST, NONE}, 3, 0, "\"out = set(x, axes, 1)\"");
	expect((form_text[]){TABLE, CUBE}, 2, 0, "\"out = y if rank(x) = 3\",\"out = join(x[:-1], y) if rank(x) = 2\"");
}

/* A dimension named by a number of the call is removed, but not if the following dimension is not the next
 * one. */
static void numbers_drop_what_they_name(void **state)
{
	(void)state;
#define AT "(s3 + 3 if s3 < 0 else s3)"
	static const form_text CUBE = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("at", "\"s3\""), T("\"o0\",\"o1\""),
	    {"s1 if " AT " <= 0 else s0", "s2 if " AT " <= 1 else s1"}};
	static const form_text FLAT = {A("x", T("\"s0\",\"s1\"")) "," A("at", "\"s2\""), T("\"o0\""), {"s1 if (s2 + 2 if s2 < 0 else s2) <= 0 else s0"}};
	static const form_text WRONG = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("at", "\"s3\""), T("\"o0\",\"o1\""),
	    {"s1 if " AT " <= 0 else s0", "s2 if " AT " <= 0 else s1"}};
	expect((form_text[]){CUBE, FLAT}, 2, 0, "\"out = drop(x, at)\"");
	expect((form_text[]){WRONG}, 1, 0, NULL);
#undef AT
}

static void shapes_broadcast_and_join(void **state)
{
	(void)state;
	static const form_text ADD = {A("x", T("\"s0\",\"s1\"")) "," A("y", T("\"s2\"")), T("\"o0\",\"o1\""),
	    {"s0", "s2 if s1 == 1 else s1"}};
	static const form_text NUMBER = {A("x", T("\"s0\"")) "," A("y", C("2.0")), T("\"o0\""), {"s0"}};
	static const form_text OTHER = {A("x", T("\"s0\",\"s1\"")) "," A("y", T("\"s2\"")), T("\"o0\",\"o1\""), {"s0", "s2 + 1"}};
	static const form_text CAT = {A("all", "[" T("\"s0\",\"s1\"") "," T("\"s2\",\"s3\"") "]") "," A("axis", C("-1")),
	    T("\"o0\",\"o1\""), {"s0", "s1 + s3"}};
	static const form_text STACK = {A("all", "[" T("\"s0\",\"s1\"") "," T("\"s2\",\"s3\"") "]") "," A("axis", C("1")),
	    T("\"o0\",\"o1\",\"o2\""), {"s0", "2", "s1"}};
	expect((form_text[]){ADD, NUMBER}, 2, 0, "\"out = broadcast(x, y)\"");
	expect((form_text[]){ADD, OTHER}, 2, 0, NULL);
	expect(&CAT, 1, 0, "\"out = concat(all, axis)\"");
	expect(&STACK, 1, 0, "\"out = insert(all[0], axis, len(all))\"");
}

static void shapes_are_put_into_shapes(void **state)
{
	(void)state;
	static const form_text TAKE = {A("x", T("\"s0\",\"s1\"")) "," A("at", T("\"s2\",\"s3\"")) "," A("axis", C("1")),
	    T("\"o0\",\"o1\",\"o2\""), {"s0", "s2", "s3"}};
	static const form_text SWAP = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("a", C("0")) "," A("b", C("-1")),
	    T("\"o0\",\"o1\",\"o2\""), {"s2", "s1", "s0"}};
	static const form_text MERGE = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("a", C("0")) "," A("b", C("1")),
	    T("\"o0\",\"o1\""), {"s0*s1", "s2"}};
	static const form_text BEHIND = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("a", C("1")), T("\"o0\",\"o1\""), {"s0", "s1*s2"}};
	static const form_text SCALAR = {A("x", "{\"tensor\":[],\"dtype\":\"float32\"}"), T("\"o0\""), {"1"}};
	static const form_text APART = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("a", C("1")), T("\"o0\",\"o1\""), {"s0*s2", "s1"}};
	static const form_text TURN = {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("order", "[" C("2") "," C("0") "," C("1") "]"),
	    T("\"o0\",\"o1\",\"o2\""), {"s2", "s0", "s1"}};
	static const form_text LINEAR = {A("x", T("\"s0\",\"s1\"")) "," A("w", T("\"s2\",\"s3\"")), T("\"o0\",\"o1\""), {"s0", "s2"}};
	expect(&TAKE, 1, 0, "\"out = replace(x, axis, at)\"");
	expect(&SWAP, 1, 0, "\"out = swap(x, a, b)\"");
	expect(&MERGE, 1, 0, "\"out = merge(x, a, b)\"");
	expect((form_text[]){MERGE, BEHIND, SCALAR}, 3, 0, "\"out = merge(x, a or 0, b or -1)\"");
	expect((form_text[]){MERGE, APART}, 2, 0, NULL);
	expect(&TURN, 1, 0, "\"out = permute(x, order)\"");
	const form_text LINES[] = {LINEAR,
	    {A("x", T("\"s0\",\"s1\"")) "," A("w", T("\"s2\"")), T("\"o0\""), {"s0"}},
	    {A("x", T("\"s0\"")) "," A("w", T("\"s1\",\"s2\"")), T("\"o0\""), {"s1"}}};
	static const form_text OUTER = {A("x", T("\"s0\"")) "," A("w", T("\"s1\",\"s2\",\"s3\"")), T("\"o0\",\"o1\""), {"s0", "s3"}};
	static const form_text SUM = {A("x", T("\"s0\",\"s1\"")) "," A("w", T("\"s2\"")), T("\"o0\",\"o1\""), {"s0", "s1 + s2"}};
	expect(&LINEAR, 1, 0, "\"out = join(x[:-1], w[:-1])\"");
	expect(LINES, 3, 0, "\"out = join(x[:-1], w[:-1])\"");
	expect(&OUTER, 1, 0, "\"out = join(x, w[2:])\"");
	expect(&SUM, 1, 0, NULL);
	expect(&SUM, 1, 1, "\"out[:-1] = x[:-1]\"");
	expect(&SUM, 1, -1, "\"out[0] = x[0]\"");
}

static void constants_name_dimensions(void **state)
{
	(void)state;
	static const form_text F = {A("x", T("\"s0\"")) "," A("a", "[" C("0") "," C("-1") "]") "," A("b", C("3")) "," A("c", C("None")), T(""), {0}};
	forms f;
	open_forms(&f, &F, 1);
	axes a = axes_of(f.ops[0], "a", 4);
	assert_int_equal(a.kind, AXES_GIVEN);
	assert_int_equal(a.positions, 1 | 8);
	assert_int_equal(axes_of(f.ops[0], "b", 4).positions, 8);
	assert_int_equal(axes_of(f.ops[0], "b", 3).kind, AXES_NONE);
	assert_int_equal(axes_of(f.ops[0], "c", 3).kind, AXES_MISSING);
	assert_int_equal(axes_of(f.ops[0], "d", 3).kind, AXES_MISSING);
	assert_int_equal(axes_of(f.ops[0], "x", 3).kind, AXES_NONE);
	close_forms(&f);
}

static const char *the_kernel(const void *user, int i, const char *argument)
{
	(void)user, (void)i;
	return strcmp(argument, "stride") == 0 ? "kernel" : NULL;
}

static void a_call_is_said_once_for_all_forms(void **state)
{
	(void)state;
	static const form_text FORMS[] = {
	    {A("x", T("\"s0\",\"s1\",\"s2\"")) "," A("kernel", "\"s3\"") "," A("stride", "[\"s4\",\"s5\"]") "," A("ceil", C("False")), T(""), {0}},
	    {A("x", T("\"s0\",\"s1\"")) "," A("kernel", "[\"s2\",\"s3\"]") "," A("ceil", C("False")) "," A("pad", C("0")), T(""), {0}}};
	forms f;
	buf said = {0};
	open_forms(&f, FORMS, 2);
	signature_put(&said, f.ops, 2, 0, the_kernel, NULL);
	assert_string_equal(said.text, "\"x[_?, _, _]\",\"kernel\",\"stride[_, _] = kernel\",\"ceil = False\",\"pad?\"");
	buf_free(&said);
	close_forms(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(reductions_go_by_their_axes),
	    cmocka_unit_test(integers_tell_and_empty_lists_are_all), cmocka_unit_test(numbers_drop_what_they_name), cmocka_unit_test(shapes_broadcast_and_join), cmocka_unit_test(shapes_are_put_into_shapes),
	    cmocka_unit_test(constants_name_dimensions), cmocka_unit_test(a_call_is_said_once_for_all_forms)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
