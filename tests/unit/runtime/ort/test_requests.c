/* What a screen's worker is asked and what it answers, without a screen: the file is compiled here once more. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "screen_worker.c"

#include "json.h"

static request read_text(char *to, const char *text)
{
	strcpy(to, text);
	return read_request(to);
}

static void requests(void **state)
{
	(void)state;
	char line[512];
	request r = read_text(line, "{\"id\":7,\"do\":\"check\",\"memory\":512,\"probe\":true,\"tolerance\":\"neuri\",\"model\":{\"a\":[1,{\"b\":\"}\"}]}}\n");
	assert_true(r.id == 7 && r.check && r.memory == 512 && r.probe);
	assert_int_equal(r.preset, agree_parse("neuri"));
	assert_string_equal(r.model, "{\"a\":[1,{\"b\":\"}\"}]}");
	r = read_text(line, "{\"model\":{\"id\":9,\"do\":\"check\"},\"id\":8,\"probe\":false,\"tolerance\":\"none of them\"}");
	assert_true(r.id == 8 && !r.check && !r.probe && r.memory == 0 && r.preset == -1); /* what the model says is the model's */
	assert_string_equal(r.model, "{\"id\":9,\"do\":\"check\"}");
	r = read_text(line, "{\"text\":\"a\\\",\\\"id\\\":5,\\\\\",\"id\":4,\"ids\":3,\"i\":2}");
	assert_int_equal(r.id, 4); /* neither within a text nor another key */
	r = read_text(line, "{\"do\":\"script\"}");
	assert_false(r.check);
}

/* What is no request is read as far as it is one. */
static void broken_requests(void **state)
{
	(void)state;
	char line[512];
	static const char *const BROKEN[] = {"", "id", "{", "{\"", "{\"id\"", "{\"id\",\"id\":5}", "{\"id\":3,\"x\",\"id\":5}", "{\"id\":3,5:6,\"id\":5}", "{\"id\":3,\"id"};
	for (size_t i = 0; i < sizeof BROKEN / sizeof *BROKEN; i++) {
		memset(line, 'x', sizeof line); /* what lies behind is none of it */
		strcpy(line + 1 + strlen(BROKEN[i]), ",\"id\":6,\"do\":\"check\"}");
		request r = read_text(line, BROKEN[i]);
		assert_int_equal(r.id, strstr(BROKEN[i], ":3") ? 3 : 0);
		assert_false(r.check);
		assert_string_equal(r.model, "");
	}
}

static cJSON *answered(const screen_answer *a)
{
	buf b = {0};
	buf_putc(&b, '{');
	put_answer(&b, a);
	buf_putc(&b, '}');
	cJSON *told = cJSON_Parse(b.text);
	assert_non_null(told);
	buf_free(&b);
	return told;
}

static void answers(void **state)
{
	(void)state;
	static const char *const WANTED[] = {"ok", "unspecified", "unsupported", "undecided"};
	for (int verdict = SCREEN_OK; verdict <= SCREEN_PASS; verdict++) {
		screen_answer a = {.verdict = (enum screen_verdict)verdict, .text = {"no \"kernel\""}, .assignments = verdict == SCREEN_OK ? 3 : 0,
		    .seconds = {0.5, 0.25, 0.001, 0}, .cpu = {1, 0, 0, 2}};
		cJSON *told = answered(&a), *error = cJSON_GetObjectItem(told, "error");
		assert_string_equal(json_text(told, "verdict"), WANTED[verdict]);
		assert_int_equal(error != NULL, verdict == SCREEN_UNSUPPORTED);
		if (error) {
			assert_string_equal(json_text(error, "type"), "NotImplemented");
			assert_string_equal(json_text(error, "message"), "no \"kernel\"");
		}
		assert_int_equal(cJSON_HasObjectItem(told, "why"), verdict == SCREEN_PASS);
		if (verdict == SCREEN_PASS)
			assert_string_equal(json_text(told, "why"), "no \"kernel\"");
		assert_int_equal(cJSON_HasObjectItem(told, "assignments"), verdict == SCREEN_OK);
		const cJSON *times = cJSON_GetObjectItem(told, "times"), *cpu = cJSON_GetObjectItem(told, "cpu");
		assert_true(cJSON_GetObjectItem(times, "reference")->valuedouble == 500 && cJSON_GetObjectItem(times, "run")->valuedouble == 1);
		assert_true(cJSON_GetObjectItem(cpu, "judge")->valuedouble == 2000 && cJSON_GetArraySize(cpu) == SCREEN_STAGES);
		cJSON_Delete(told);
	}
}

/* What needs no screen: one that asks for a tolerance that there is not, and one that asks for a script. */
static void what_is_answered_at_once(void **state)
{
	(void)state;
	buf b = {0};
	char line[128];
	strcpy(line, "{\"id\":5,\"do\":\"check\",\"tolerance\":\"x\",\"model\":{}}");
	answer(NULL, line, &b);
	assert_non_null(strstr(b.text, "{\"id\":5,\"verdict\":\"undecided\",\"why\":\"no such tolerance\""));
	strcpy(line, "{\"id\":6,\"do\":\"script\",\"model\":{}}");
	answer(NULL, line, &b);
	assert_string_equal(b.text, "{\"id\":6,\"script\":\"\"}\n"); /* nothing is left of what was said before */
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(requests), cmocka_unit_test(broken_requests), cmocka_unit_test(answers),
	    cmocka_unit_test(what_is_answered_at_once)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
