/* Statuses: their names, what a recheck makes of them, and graph-based fuzz testing's classes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "status.h"

static void names_are_read_back(void **state)
{
	(void)state;
	for (int s = 0; s < STATUS_NONE; s++) {
		assert_int_equal(status_parse(status_name((enum status)s)), s);
		assert_non_null(strstr(status_list(), status_name((enum status)s)));
	}
	assert_int_equal(status_parse("closed"), STATUS_NONE);
	assert_int_equal(status_parse(""), STATUS_NONE);
}

/* The table of status.h, row by row. */
static void a_recheck_moves_statuses(void **state)
{
	(void)state;
	static const struct {
		enum status before, fails, gone, flaky, other;
	} ROWS[] = {
	    {STATUS_OPEN, STATUS_OPEN, STATUS_FIXED, STATUS_FLAKY, STATUS_OPEN},
	    {STATUS_KNOWN, STATUS_KNOWN, STATUS_FIXED, STATUS_FLAKY, STATUS_KNOWN},
	    {STATUS_FIXED, STATUS_OPEN, STATUS_FIXED, STATUS_FLAKY, STATUS_OPEN},
	    {STATUS_FLAKY, STATUS_OPEN, STATUS_FLAKY, STATUS_FLAKY, STATUS_FLAKY},
	    {STATUS_NOT_A_BUG, STATUS_NOT_A_BUG, STATUS_NOT_A_BUG, STATUS_NOT_A_BUG, STATUS_NOT_A_BUG},
	    {STATUS_UNSUPPORTED, STATUS_UNSUPPORTED, STATUS_UNSUPPORTED, STATUS_UNSUPPORTED, STATUS_UNSUPPORTED},
	};
	for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
		assert_int_equal(status_after(ROWS[i].before, RECHECK_REPRODUCES), ROWS[i].fails);
		assert_int_equal(status_after(ROWS[i].before, RECHECK_NOT_REPRODUCED), ROWS[i].gone);
		assert_int_equal(status_after(ROWS[i].before, RECHECK_FLAKY), ROWS[i].flaky);
		assert_int_equal(status_after(ROWS[i].before, RECHECK_DIFFERENT), ROWS[i].other);
		assert_int_equal(status_after(ROWS[i].before, RECHECK_INCONCLUSIVE), ROWS[i].before);
	}
}

static void classes_go_by_stage(void **state)
{
	(void)state;
	assert_string_equal(failure_class("error", "compile"), "MCF");
	assert_string_equal(failure_class("crash", "compile"), "MCF");
	assert_string_equal(failure_class("crash", "run"), "IF");
	assert_string_equal(failure_class("hang", "run"), "IF");
	assert_string_equal(failure_class("inconsistency", "localise"), "DCF");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_read_back),
	    cmocka_unit_test(a_recheck_moves_statuses), cmocka_unit_test(classes_go_by_stage)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
