/* Statuses: names, transitions by a recheck, changes within a job, counts, and the classes of graph-based fuzz testing. */
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

/* The change from each status to each other; STATUS_NONE: the job found it. */
static void changes_follow_from_statuses(void **state)
{
	(void)state;
	static const struct {
		enum status before;
		const char *changes[STATUS_NONE]; /* by the status after */
	} ROWS[] = {/* open, known, fixed, flaky, not-a-bug, unsupported */
	    {STATUS_NONE, {"new", "new", "closed", "unchanged", "closed", "closed"}},
	    {STATUS_OPEN, {"unchanged", "unchanged", "fixed", "unchanged", "closed", "closed"}},
	    {STATUS_KNOWN, {"unchanged", "unchanged", "fixed", "unchanged", "closed", "closed"}},
	    {STATUS_FIXED, {"regressed", "regressed", "closed", "regressed", "closed", "closed"}},
	    {STATUS_FLAKY, {"new", "unchanged", "fixed", "unchanged", "closed", "closed"}},
	    {STATUS_NOT_A_BUG, {"unchanged", "unchanged", "fixed", "unchanged", "closed", "closed"}}};
	for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
		for (int after = 0; after < STATUS_NONE; after++)
			assert_string_equal(change_name(change_of(ROWS[i].before, (enum status)after)), ROWS[i].changes[after]);
	for (int s = 0; s < STATUS_NONE; s++) /* no status is called new, and the closed ones have the change closed */
		assert_true((change_of((enum status)s, (enum status)s) == CHANGE_CLOSED) == status_is_closed((enum status)s));
	assert_int_equal(status_parse("new"), STATUS_NONE);
}

static void counts_are_words(void **state)
{
	(void)state;
	buf b = {0};
	int64_t counts[STATUS_NONE + 1] = {[STATUS_OPEN] = 30, [STATUS_UNSUPPORTED] = 2};
	status_counts(counts, &b);
	assert_string_equal(b.text, "32 findings: 30 open, 2 unsupported");
	buf_clear(&b);
	counts[STATUS_OPEN] = 1, counts[STATUS_UNSUPPORTED] = 0;
	status_counts(counts, &b);
	assert_string_equal(b.text, "1 finding: 1 open");
	buf_clear(&b);
	counts[STATUS_OPEN] = 0;
	status_counts(counts, &b);
	assert_string_equal(b.text, "0 findings");
	buf_free(&b);
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
	    cmocka_unit_test(a_recheck_moves_statuses), cmocka_unit_test(classes_go_by_stage),
	    cmocka_unit_test(changes_follow_from_statuses), cmocka_unit_test(counts_are_words)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
