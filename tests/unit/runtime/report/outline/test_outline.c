/* A model file as a listing and as a drawing; other texts are rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawing.h"
#include "escape.h"
#include "outline_read.h"
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
	    "model(t0: int64[] = -2 to 2,\n"
	    "      t1: float16[0,7] = 0.1 to 0.9, constant):\n"
	    "  t2: bool[3] = random t.a(copy(t1), s=int64 [2, 3], c='x')\n"
	    "  return t2\n");
	buf_free(&out);
	arena_free(a);
}

static void assert_listing(const char *model, const char *wanted)
{
	arena *a = arena_new();
	outline o;
	diag d = {""};
	buf out = {0};
	if (!outline_read(&o, model, a, &d))
		fail_msg("%s", d.text);
	outline_print(&o, &PLAIN, &out);
	assert_string_equal(out.text, wanted);
	buf_free(&out);
	arena_free(a);
}

/* Ranges of one element are words. */
static void elements(void **state)
{
	(void)state;
	assert_listing("{\"inputs\":[{\"id\":0,\"shape\":[2],\"dtype\":\"int64\",\"range\":[1,2]},{\"id\":1,\"shape\":[2],\"dtype\":"
		       "\"float32\",\"range\":[0,1]},{\"id\":2,\"shape\":[2],\"dtype\":\"int8\",\"range\":[7,8]},{\"id\":3,\"shape\":[],"
		       "\"dtype\":\"bool\",\"range\":[1,2]},{\"id\":4,\"shape\":[2],\"dtype\":\"bool\",\"range\":[0,1]},{\"id\":5,"
		       "\"shape\":[2],\"dtype\":\"int8\",\"values\":\"unit\"},{\"id\":6,\"shape\":[2],\"dtype\":\"float32\",\"values\":"
		       "\"any\"},{\"id\":7,\"shape\":[2],\"dtype\":\"float32\",\"values\":\"small\"}],\"nodes\":[],\"outputs\":[]}",
	    "model(t0: int64[2] = all ones,\n"
	    "      t1: float32[2] = all zeros,\n"
	    "      t2: int8[2] = all 7,\n"
	    "      t3: bool[] = true,\n"
	    "      t4: bool[2] = all false,\n"
	    "      t5: int8[2] = all ones,\n"
	    "      t6: float32[2] = any, NaN and infinities too,\n"
	    "      t7: float32[2]):\n"
	    "  return\n");
}

/* Gradients, a module, layouts and dynamic shapes are part of the failure. */
static void besides_calls(void **state)
{
	(void)state;
	assert_listing("{\"inputs\":[{\"id\":0,\"shape\":[2,3],\"dtype\":\"float32\",\"dims\":[\"d0_0\",null],\"strides\":[1,2],\"offset\":"
		       "3},{\"id\":1,\"shape\":[2,3],\"dtype\":\"float32\",\"same\":0}],\"nodes\":[],\"outputs\":[0],\"gradients\":true,"
		       "\"module\":true,\"opset\":11,\"dims\":{\"d0_0\":[2,5]}}",
	    "model(t0: float32[d0_0,3], strides (1,2), offset 3,\n"
	    "      t1: float32[2,3], the same tensor as t0):\n"
	    "  # the gradients of the float inputs are results as well (backward pass)\n"
	    "  # run as an nn.Module: the constants are its parameters and buffers\n"
	    "  # in operator set 11\n"
	    "  # dynamic shapes: compiled once, then run with each shape instance; d0_0 is 2, then 5\n"
	    "  return t0\n");
}

#define NODE(n)                                                                                                        \
	"{\"api\":\"t.a\",\"args\":[{\"pos\":true,\"value\":{\"ref\":0}}],\"outputs\":[{\"id\":" #n                           \
	",\"shape\":[1],\"dtype\":\"int8\"}]}"
#define BODIES(list)                                                                                                   \
	"{\"inputs\":[{\"id\":0,\"shape\":[1],\"dtype\":\"int8\"},{\"id\":1,\"shape\":[],\"dtype\":\"bool\",\"range\":"             \
	"[0,1]},{\"id\":2,\"shape\":[],\"dtype\":\"int64\",\"range\":[3,4]}],\"nodes\":[" NODE(3) "," NODE(4) "," NODE(5) ","  \
	NODE(6) "," NODE(7) "],\"outputs\":[7],\"bodies\":" list "}"

/* Functions, branches, loops and scans, one within another. */
static void bodies(void **state)
{
	(void)state;
	assert_listing(BODIES("[{\"kind\":\"function\",\"first\":1,\"last\":1},{\"kind\":\"if\",\"first\":1,\"last\":2,\"control\":1},"
			      "{\"kind\":\"loop\",\"first\":3,\"last\":3,\"control\":2}]"),
	    "model(t0: int8[1],\n"
	    "      t1: bool[] = false,\n"
	    "      t2: int64[] = 3):\n"
	    "  t3: int8[1] = t.a(t0)\n"
	    "  if t1:  # false: the else branch\n"
	    "    function:  # a model-local function\n"
	    "      t4: int8[1] = t.a(t0)\n"
	    "    t5: int8[1] = t.a(t0)\n"
	    "  loop t2 times:\n"
	    "    t6: int8[1] = t.a(t0)\n"
	    "  t7: int8[1] = t.a(t0)\n"
	    "  return t7\n");
	assert_listing(BODIES("[{\"kind\":\"function\",\"first\":0,\"last\":0},{\"kind\":\"scan\",\"first\":0,\"last\":0,\"trips\":2,\"axis\":-1,"
			      "\"reverse\":true},{\"kind\":\"if\",\"first\":0,\"last\":0,\"control\":1,\"form\":\"computed\"},"
			      "{\"kind\":\"loop\",\"first\":4,\"last\":4,\"control\":2,\"form\":\"while\",\"constants\":\"nodes\"}]"),
	    "model(t0: int8[1],\n"
	    "      t1: bool[] = false,\n"
	    "      t2: int64[] = 3):\n"
	    "  scan 2 slices of axis -1, reversed:\n"
	    "    if t1:  # false: the else branch, computed\n"
	    "      function:  # a model-local function\n"
	    "        t3: int8[1] = t.a(t0)\n"
	    "  t4: int8[1] = t.a(t0)\n"
	    "  t5: int8[1] = t.a(t0)\n"
	    "  t6: int8[1] = t.a(t0)\n"
	    "  loop t2 times:  # by its condition, with its constants\n"
	    "    t7: int8[1] = t.a(t0)\n"
	    "  return t7\n");
	static const char *const BAD[] = {BODIES("[{\"kind\":\"if\",\"first\":1,\"last\":5,\"control\":1}]"),
	    BODIES("[{\"kind\":\"if\",\"first\":2,\"last\":1}]"), BODIES("[{\"kind\":\"if\"}]")};
	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
		arena *a = arena_new();
		outline o;
		diag d = {""};
		assert_false(outline_read(&o, BAD[i], a, &d));
		assert_non_null(strstr(d.text, "a body of unknown calls"));
		arena_free(a);
	}
}

/* A legend explains the notations that a model uses, and no others. */
static void legend(void **state)
{
	(void)state;
	arena *a = arena_new();
	outline o;
	buf out = {0};
	assert_true(outline_read(&o, BODIES("[]"), a, NULL));
	outline_legend(&o, &out);
	assert_non_null(strstr(buf_text(&out), "the range of its elements"));
	assert_null(strstr(buf_text(&out), "copy"));
	buf_clear(&out);
	assert_true(outline_read(&o, SMALL_MODEL, a, NULL));
	outline_legend(&o, &out);
	assert_string_equal(buf_text(&out), "");
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
	assert_int_equal(count(out.text, "class=\"tip\""), 7);  /* an arrow for each use and result */
	assert_int_equal(count(out.text, "class=\"shape\""), 7); /* with a shape on each */
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
	const struct CMUnitTest tests[] = {cmocka_unit_test(listing), cmocka_unit_test(inputs),
	    cmocka_unit_test(elements), cmocka_unit_test(besides_calls), cmocka_unit_test(bodies), cmocka_unit_test(legend),
	    cmocka_unit_test(bad),
	    cmocka_unit_test(drawing), cmocka_unit_test(drawing_of_anything)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
