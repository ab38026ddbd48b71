/* A model file as a listing and as a drawing; what is no model is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawing.h"
#include "escape.h"
#include "small_model.h"

static void plain(buf *out, const char *text)
{
	buf_puts(out, text);
}

static const outline_style PLAIN = {.call = {"", ""}, .type = {"", ""}, .word = {"", ""}, .text = plain};

static void listing(void **state)
{
	(void)state;
	arena *a = arena_new();
	outline o;
	diag d = {""};
	buf out = {0};
	if (!outline_read(&o, SMALL_MODEL, a, &d))
		fail_msg("%s", d.text);
	outline_print(&o, &PLAIN, &out);
	assert_string_equal(out.text,
	    "model(t0: float32[2],\n"
	    "      t1: float32[1]):\n"
	    "  t2: float32[2] = t.a(t0)\n"
	    "  t3: float32[2], t4: float32[2] = t.b(t2, n=9223372036854775807)\n"
	    "  t5: float32[2] = t.c([t3, [t1]])\n"
	    "  t6: float32[2] = t.a(t2)\n"
	    "  return t5, t6\n");
	buf_free(&out);
	arena_free(a);
}

static void inputs(void **state)
{
	(void)state;
	static const char MODEL[] =
	    "{\"model\":1,\"framework\":\"t\",\"inputs\":[{\"id\":0,\"shape\":[],\"dtype\":\"int64\",\"range\":[-2,3]},"
	    "{\"id\":1,\"shape\":[0,7],\"dtype\":\"float16\",\"values\":\"unit\",\"constant\":true}],\"nodes\":[{\"api\":\"t.a\","
	    "\"random\":true,\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":1,\"copy\":true}},{\"name\":\"s\",\"pos\":false,"
	    "\"value\":{\"elements\":[2,3],\"dtype\":\"int64\"}},{\"name\":\"c\",\"pos\":false,\"value\":{\"const\":\"'x'\"}}],"
	    "\"outputs\":[{\"id\":2,\"shape\":[3],\"dtype\":\"bool\"}]}],\"outputs\":[2]}";
	arena *a = arena_new();
	outline o;
	buf out = {0};
	assert_true(outline_read(&o, MODEL, a, NULL));
	outline_print(&o, &PLAIN, &out);
	assert_string_equal(out.text,
	    "model(t0: int64[] -2…2,\n"
	    "      t1: float16[0,7] constant unit):\n"
	    "  t2: bool[3] = random t.a(copy(t1), s=int64 [2, 3], c='x')\n"
	    "  return t2\n");
	buf_free(&out);
	arena_free(a);
}

static void bad(void **state)
{
	(void)state;
	static const char *const MODELS[] = {"", "{}", "[]", "{\"nodes\":3}", "{\"nodes\":[],\"inputs\":[{\"id\":\"x\"}]}",
	    "{\"nodes\":[],\"inputs\":[{\"id\":0},{\"id\":0}]}",
	    "{\"nodes\":[{\"args\":[{\"value\":{\"ref\":7}}]}],\"inputs\":[]}"};
	arena *a = arena_new();
	outline o;
	for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
		diag d = {""};
		assert_false(outline_read(&o, MODELS[i], a, &d));
		assert_string_not_equal(d.text, "");
	}
	arena_free(a);
}

static int count(const char *text, const char *what)
{
	int n = 0;
	for (; (text = strstr(text, what)) != NULL; text++)
		n++;
	return n;
}

static void drawing(void **state)
{
	(void)state;
	arena *a = arena_new();
	outline o;
	buf out = {0};
	assert_true(outline_read(&o, SMALL_MODEL, a, NULL));
	assert_true(drawing_print(&o, a, &out));
	assert_int_equal(count(out.text, "class=\"call\""), 4);
	assert_int_equal(count(out.text, "class=\"in\""), 2);
	assert_int_equal(count(out.text, "class=\"out\""), 2);
	assert_int_equal(count(out.text, "class=\"tip\""), 7);  /* an arrow a use and a result */
	assert_int_equal(count(out.text, "class=\"shape\""), 7); /* and a shape on each */
	assert_int_equal(count(out.text, ">float32[1]</text>"), 1);
	assert_null(strstr(out.text, "nan"));
	buf_free(&out);
	arena_free(a);
}

static void drawing_of_anything(void **state)
{
	(void)state;
	arena *a = arena_new();
	outline o;
	buf out = {0}, model = {0};
	buf_puts(&model, "{\"inputs\":[{\"id\":0,\"shape\":[1],\"dtype\":\"</svg><script>\"}],\"nodes\":[");
	for (int i = 0; i < DRAWING_MOST; i++)
		buf_printf(&model, "%s{\"api\":\"<b>\\u001b\",\"args\":[{\"pos\":true,\"value\":{\"ref\":%d}}],\"outputs\":[{\"id\":%d}]}",
		    i ? "," : "", i, i + 1);
	buf_puts(&model, "],\"outputs\":[]}");
	assert_true(outline_read(&o, model.text, a, NULL));
	assert_false(drawing_print(&o, a, &out)); /* too large */
	o.nnodes--;
	assert_true(drawing_print(&o, a, &out));
	assert_null(strstr(out.text, "<b>"));
	assert_null(strstr(out.text, "<script>"));
	assert_null(strchr(out.text, '\x1b'));
	buf_free(&model);
	buf_free(&out);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(listing), cmocka_unit_test(inputs), cmocka_unit_test(bad),
	    cmocka_unit_test(drawing), cmocka_unit_test(drawing_of_anything)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
