/* The name nearest to a mistyped word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "suggest.h"

static const char *const BACKENDS[] = {"onnxruntime", "onnxruntime-basic", "openvino", "torch-aot", "torch-inductor", "tract"};
static const char *const APIS[] = {"onnx.Conv", "torch.nn.functional.conv2d", "torch.nn.functional.conv3d"};

#define FIND(word, list) suggest(word, list, sizeof(list) / sizeof *(list))

static void finds_the_nearest(void **state)
{
	(void)state;
	assert_string_equal(FIND("onnx-runtime", BACKENDS), "onnxruntime");
	assert_string_equal(FIND("tract", BACKENDS), "tract");
	assert_string_equal(FIND("trcat", BACKENDS), "tract"); /* a swap is one step */
	assert_string_equal(FIND("Torch-Inductr", BACKENDS), "torch-inductor");
}

static void is_silent_about_other_words(void **state)
{
	(void)state;
	assert_null(FIND("jax", BACKENDS));
	assert_null(FIND("", BACKENDS));
	assert_null(FIND("xx", (const char *const[]){"a"}) );
	assert_null(suggest("tract", BACKENDS, 0));
}

static void compares_what_is_behind_a_dot(void **state)
{
	(void)state;
	assert_string_equal(FIND("conv2d", APIS), "torch.nn.functional.conv2d");
	assert_string_equal(FIND("conv3dd", APIS), "torch.nn.functional.conv3d");
	assert_string_equal(FIND("onnx.Cnov", APIS), "onnx.Conv");
}

static void takes_any_length(void **state)
{
	(void)state;
	char word[4 * SUGGEST_LONGEST];
	memset(word, 'a', sizeof word - 1);
	word[sizeof word - 1] = '\0';
	const char *names[] = {word, word + 3 * SUGGEST_LONGEST};
	assert_null(suggest(word, names, 2));
	assert_null(suggest("tract", names, 2));
	assert_ptr_equal(suggest(word + 3 * SUGGEST_LONGEST + 1, names, 2), names[1]);
}

static void goes_on_name_by_name(void **state)
{
	(void)state;
	suggestion s = suggest_start("tensorrt");
	suggest_see(&s, "torch");
	assert_string_equal(s.name, "");
	suggest_see(&s, "tensor-rt");
	suggest_see(&s, "tensorrrt-x");
	assert_string_equal(s.name, "tensor-rt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(finds_the_nearest),
	    cmocka_unit_test(is_silent_about_other_words),
	    cmocka_unit_test(compares_what_is_behind_a_dot),
	    cmocka_unit_test(takes_any_length),
	    cmocka_unit_test(goes_on_name_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
