/* Sides that are the same for list items at a fixed distance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "list_items.h"

#define PERIOD(items, ...) \
	list_items_period((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), "w[0][0]", items)

static void tells_items(void **state)
{
	(void)state;
	list_item x;
	assert_true(list_item_of("params[12][i - 1]", &x));
	assert_int_equal(x.name, strlen("params"));
	assert_int_equal(x.number, 12);
	assert_string_equal(x.rest, "[i - 1]");
	assert_false(list_item_of("x[0]", &x));
	assert_false(list_item_of("x[i][0]", &x));
	assert_false(list_item_of("4*w[0][0]", &x));
	assert_true(list_items_alike("w[0][i]", "w[3][i]"));
	assert_false(list_items_alike("w[0][0]", "w[3][1]"));
	assert_false(list_items_alike("w[0][0]", "v[3][0]"));
	assert_false(list_items_alike("w[3][0]", "w[3][0]"));
}

static void finds_periods(void **state)
{
	(void)state;
	assert_int_equal(PERIOD(3, "w[0][i]", "w[1][i]", "w[2][i]"), 1);
	assert_int_equal(PERIOD(6, "h[2]", "w[1][0]", "w[3][0]", "w[5][0]"), 2);
	assert_int_equal(PERIOD(6, "w[1][1]", "w[2][0]", "w[4][1]", "w[5][0]", "2*h[0]"), 3);
	assert_int_equal(PERIOD(4, "w[1][0]", "w[3][0]", "w[0][1]"), 2); /* one item stands for itself */
}

/* Not all items; each item alone; too few items per side. */
static void finds_none(void **state)
{
	(void)state;
	assert_int_equal(PERIOD(6, "w[1][0]", "w[3][0]"), 0);
	assert_int_equal(PERIOD(4, "w[1][0]", "w[3][1]"), 0);
	assert_int_equal(PERIOD(4, "w[0][0]", "w[3][0]"), 0);
	assert_int_equal(PERIOD(4, "v[1][0]", "v[3][0]"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(tells_items), cmocka_unit_test(finds_periods), cmocka_unit_test(finds_none)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
