/* Processor time of a campaign: the times in answers, and the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "spent.h"

static void assert_near(double got, double want)
{
	if (got < want - 1e-9 || got > want + 1e-9)
		fail_msg("%f instead of %f", got, want);
}

static void answers_tell_of_stages(void **state)
{
	(void)state;
	spent s = {0};
	cJSON *answer = cJSON_Parse("{\"verdict\":\"ok\",\"times\":{\"run\":9000},\"cpu\":{\"reference\":1500,"
					     "\"compile\":200,\"run\":50,\"judge\":7,\"localise\":3}}");
	spent_take(&s, answer, "", 9);
	spent_take(&s, answer, "", 9);
	assert_near(s.reference, 3);
	assert_near(s.target, 0.5);
	assert_near(s.judge, 0.014);
	assert_near(s.triage, 0.006);
	cJSON_Delete(answer);
	answer = cJSON_Parse("{\"verdict\":\"ok\"}"); /* without times */
	spent_take(&s, answer, "run", 9);
	assert_near(s.reference, 3);
	assert_near(s.target, 0.5);
	cJSON_Delete(answer);
}

static void who_was_at_work_when_it_died(void **state)
{
	(void)state;
	spent s = {0};
	spent_take(&s, NULL, "compile", 2);
	spent_take(&s, NULL, "run", 1);
	spent_take(&s, NULL, "reference", 4);
	assert_near(s.target, 3);
	assert_near(s.reference, 4);
}

static void supervision_is_the_rest(void **state)
{
	(void)state;
	spent s = {.start = 1, .triage = 2, .generate = 0.25, .reference = 3, .target = 10, .judge = 0.5, .all = 17.25};
	buf b = {0};
	assert_near(spent_supervision(&s), 0.5);
	spent_text(&s, &b);
	assert_non_null(strstr(b.text, "supervision 0.5 triage 2.0; judge and supervision: 10.0 % of the target's"));
	buf_clear(&b);
	spent_json(&s, &b);
	cJSON *all = cJSON_Parse(b.text);
	assert_near(cJSON_GetObjectItemCaseSensitive(all, "supervision")->valuedouble, 0.5);
	assert_near(cJSON_GetObjectItemCaseSensitive(all, "target")->valuedouble, 10);
	cJSON_Delete(all);
	buf_free(&b);
	s.all = 10; /* the clocks disagree */
	assert_near(spent_supervision(&s), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(answers_tell_of_stages),
	    cmocka_unit_test(who_was_at_work_when_it_died), cmocka_unit_test(supervision_is_the_rest)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
