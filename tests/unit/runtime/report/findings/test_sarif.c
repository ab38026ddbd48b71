/* SARIF within the size limits of hosts: the file is valid for any limit and counts what it omits. Each kind has a rule. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "json.h"
#include "sarif.h"

enum { FINDINGS = 40 };

static const cJSON *run_of(const cJSON *file)
{
	return cJSON_GetArrayItem(cJSON_GetObjectItem(file, "runs"), 0);
}

static int count_of(const cJSON *file)
{
	return cJSON_GetArraySize(cJSON_GetObjectItem(run_of(file), "results"));
}

/* The number of omitted results, by the notification. */
static int left_of(const cJSON *file)
{
	const cJSON *told = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(run_of(file), "invocations"), 0), "toolExecutionNotifications");
	const cJSON *last = cJSON_GetArrayItem(told, cJSON_GetArraySize(told) - 1);
	const char *text = last ? json_text(cJSON_GetObjectItem(last, "message"), "text") : NULL;
	return text && strstr(text, "omitted") ? atoi(text) : 0;
}

static cJSON *printed(const digest *g, size_t bytes, size_t *length)
{
	buf out = {0};
	sarif_print(g, bytes, &out);
	assert_false(out.failed);
	*length = out.length;
	cJSON *file = cJSON_Parse(out.text);
	assert_non_null(file);
	buf_free(&out);
	return file;
}

static void bytes_are_kept(void **state)
{
	(void)state;
	char titles[FINDINGS][64];
	digest_entry entries[FINDINGS] = {0};
	digest g = {.entries = entries, .db = "t.db", .backends = "fake", .trouble = "the worker ended", .scripts = "scripts", .written = ""};
	for (int i = 0; i < FINDINGS; i++) {
		memset(titles[i], '0', (size_t)i); /* of different lengths */
		snprintf(titles[i] + i, sizeof titles[i] - FINDINGS, "%d: a title", i);
		entries[i].f = (finding){.id = i + 1, .bucket = titles[i], .kind = "error", .backend = "fake", .status = "open", .title = titles[i],
		    .apis = "t.a", .model = "", .original = "", .script = "", .short_script = "", .versions = "{}", .detail = "{}", .log = "", .reason = "",
		    .found = "2026-11-25T00:00:00Z", .class = "", .pass = "", .count = 1};
	}
	size_t none, whole, length;
	cJSON_Delete(printed(&g, SARIF_BYTES, &none)); /* without findings */
	g.nentries = FINDINGS;
	cJSON *file = printed(&g, SARIF_BYTES, &whole);
	assert_true(count_of(file) == FINDINGS && left_of(file) == 0);
	cJSON_Delete(file);
	int most = 0, some = 0;
	for (size_t bytes = none; bytes < whole + 4000; bytes += 97) {
		file = printed(&g, bytes, &length);
		int count = count_of(file);
		if (count && length > bytes)
			fail_msg("%zu bytes of %zu", length, bytes);
		assert_int_equal(count + left_of(file), FINDINGS);
		assert_true(count >= most); /* a larger limit permits more */
		some += count > 0 && count < FINDINGS;
		most = count;
		cJSON_Delete(file);
	}
	assert_int_equal(most, FINDINGS);
	assert_true(some > 10);
}

/* Every verdict that may become a finding has a rule with a title of its own, and a result that names it. */
static void every_kind_has_a_rule(void **state)
{
	(void)state;
	int kinds = 0;
	for (int v = 0; v < VERDICT_COUNT; v++) {
		if (!verdict_is_candidate((enum verdict)v))
			continue;
		const char *name = verdict_name((enum verdict)v);
		if (strcmp(sarif_title((enum verdict)v), "Other failure") == 0)
			fail_msg("%s has no title in sarif.c", name);
		digest_entry entry = {.f = {.id = 1, .bucket = "b", .kind = name, .backend = "fake", .status = "open", .title = "t",
			.apis = "t.a", .model = "", .original = "", .script = "", .short_script = "", .versions = "{}", .detail = "{}",
			.log = "", .reason = "", .found = "2026-11-25T00:00:00Z", .class = "", .pass = "", .count = 1}};
		digest g = {.entries = &entry, .nentries = 1, .db = "t.db", .backends = "fake", .trouble = "", .scripts = "scripts", .written = ""};
		size_t length;
		cJSON *file = printed(&g, SARIF_BYTES, &length);
		const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(file, "runs"), 0);
		const cJSON *result = cJSON_GetArrayItem(cJSON_GetObjectItem(run, "results"), 0);
		const cJSON *rules = cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(run, "tool"), "driver"), "rules");
		assert_non_null(result);
		const cJSON *rule = cJSON_GetArrayItem(rules, (int)cJSON_GetObjectItem(result, "ruleIndex")->valuedouble);
		assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(rule, "id")), cJSON_GetStringValue(cJSON_GetObjectItem(result, "ruleId")));
		assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(rule, "name")), name);
		cJSON_Delete(file);
		kinds++;
	}
	assert_true(kinds >= 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_are_kept), cmocka_unit_test(every_kind_has_a_rule)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
