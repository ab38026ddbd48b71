/* Layouts of inputs: valid ones, their round trip through files, and the elements that a C user gets. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "layout.h"
#include "model_read.h"

#define CALL                                                                                                          \
	"\"nodes\":[{\"op\":\"torch.add-0\",\"api\":\"torch.add\",\"args\":[{\"name\":\"input\",\"pos\":true,"          \
	"\"value\":{\"ref\":0}},{\"name\":\"other\",\"pos\":true,\"value\":{\"ref\":1}}],\"outputs\":["                  \
	"{\"id\":2,\"shape\":[2,3],\"dtype\":\"int32\"}]}],\"outputs\":[2]"
#define MODEL(first, second, rest)                                                                                    \
	"{\"model\":1,\"framework\":\"torch\",\"seed\":1,\"index\":2,\"values\":4,\"inputs\":["                         \
	"{\"id\":0,\"shape\":[2,3],\"dtype\":\"int32\"" first "},{\"id\":1,\"shape\":[2,3],\"dtype\":\"int32\"" second "}]," \
	CALL rest "}"

static void comes_back(const char *line)
{
	diag d = {""};
	graph g, copy;
	assert_true(graph_init(&g) && graph_init(&copy));
	if (!graph_read_json(&g, line, "m", 1, NULL, &d))
		fail_msg("%s", d.text);
	assert_true(graph_copy(&copy, &g));
	char *text = rs_graph_json(&copy);
	assert_string_equal(text, line);
	free(text);
	graph_destroy(&g);
	graph_destroy(&copy);
}

static void files(void **state)
{
	(void)state;
	comes_back(MODEL("", "", ""));
	comes_back(MODEL(",\"strides\":[1,2]", ",\"strides\":[7,2],\"offset\":3", ""));
	comes_back(MODEL(",\"strides\":[0,1]", ",\"same\":0", ",\"gradients\":true"));
	comes_back(MODEL("", ",\"strides\":[0,0],\"offset\":1", ",\"gradients\":true,\"module\":true"));
}

static void refuses(const char *line, const char *why)
{
	diag d = {""};
	graph g;
	assert_true(graph_init(&g));
	assert_false(graph_read_json(&g, line, "m", 1, NULL, &d));
	if (strncmp(d.text, "m:1: error: ", 12) != 0 || !strstr(d.text, why))
		fail_msg("'%s' does not contain '%s'", d.text, why);
	graph_destroy(&g);
}

static void bad_files(void **state)
{
	(void)state;
	refuses(MODEL(",\"strides\":[1]", "", ""), "each dimension");
	refuses(MODEL(",\"strides\":[1,2.5]", "", ""), "whole numbers");
	refuses(MODEL(",\"strides\":[1,1]", "", ""), "overlap");
	refuses(MODEL(",\"strides\":[-3,1]", "", ""), "overlap");
	refuses(MODEL(",\"strides\":[9000000000,1]", "", ""), "too far");
	refuses(MODEL(",\"strides\":[3,1],\"offset\":-1", "", ""), "too far");
	refuses(MODEL(",\"strides\":[3,1],\"offset\":\"x\"", "", ""), "whole number");
	refuses(MODEL(",\"offset\":1", "", ""), "each dimension");
	refuses(MODEL("", ",\"same\":1", ""), "earlier input");
	refuses(MODEL("", ",\"same\":-1", ""), "earlier input");
	refuses(MODEL("", ",\"same\":0,\"constant\":true", ""), "earlier input");
	refuses(MODEL("", ",\"same\":0,\"range\":[0,1]", ""), "earlier input");
	refuses(MODEL("", ",\"same\":0,\"strides\":[3,1]", ""), "an alias cannot have strides");
	refuses(MODEL("", "", ",\"gradients\":1"), "gradients");
	refuses(MODEL("", "", ",\"module\":\"yes\""), "module");
}

static void which_are_layouts(void **state)
{
	(void)state;
	const int64_t shape[] = {4, 1, 5};
	assert_true(layout_valid(3, shape, (const int64_t[]){5, 77, 1}, 0));
	assert_true(layout_valid(3, shape, (const int64_t[]){1, 0, 4}, 2));
	assert_true(layout_valid(3, shape, (const int64_t[]){0, 1, 0}, 0));
	assert_false(layout_valid(3, shape, (const int64_t[]){4, 1, 1}, 0));
	assert_false(layout_valid(3, shape, (const int64_t[]){1, 1, 3}, 0));
	assert_false(layout_valid(3, shape, (const int64_t[]){INT64_MAX, 1, 1}, 0));
	assert_false(layout_valid(3, shape, (const int64_t[]){5, 5, 1}, INT64_MAX));
	const int64_t large[] = {INT64_MAX, 2};
	assert_false(layout_valid(2, large, (const int64_t[]){2, 1}, 0));
}

static void elements(void **state)
{
	(void)state;
	diag d = {""};
	graph g;
	int32_t x[6], y[6];
	assert_true(graph_init(&g));
	assert_true(graph_read_json(&g, MODEL(",\"strides\":[0,1]", ",\"same\":0", ""), "m", 1, NULL, &d));
	assert_int_equal(layout_places(&g.tensors[0]), 3);
	assert_true(rs_graph_elements(&g, 0, x) && rs_graph_elements(&g, 1, y));
	assert_memory_equal(x, x + 3, 12);
	assert_memory_equal(x, y, 24);
	assert_true(x[0] != x[1] || x[1] != x[2]);
	assert_true(graph_read_json(&g, MODEL(",\"strides\":[1,0],\"offset\":4", "", ""), "m", 1, NULL, &d));
	assert_int_equal(layout_places(&g.tensors[0]), 6);
	assert_true(rs_graph_elements(&g, 0, x) && rs_graph_elements(&g, 1, y));
	for (int i = 0; i < 6; i++)
		assert_int_equal(x[i], x[i / 3 * 3]);
	assert_true(memcmp(x, y, 24) != 0);
	graph_destroy(&g);
}

/* If the first of two aliased inputs is removed, the other becomes a tensor of its own. */
static void first_of_two_goes(void **state)
{
	(void)state;
	diag d = {""};
	graph g;
	assert_true(graph_init(&g));
	assert_true(graph_read_json(&g, MODEL(",\"strides\":[1,2]", ",\"same\":0", ""), "m", 1, NULL, &d));
	graph_replace_alluse(&g, 0, 1);
	graph_remove_unused(&g);
	graph_remove_input(&g, 0);
	graph_number(&g);
	assert_null(g.tensors[1].layout);
	graph_destroy(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(files), cmocka_unit_test(bad_files), cmocka_unit_test(which_are_layouts),
	    cmocka_unit_test(elements), cmocka_unit_test(first_of_two_goes)};
	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
