#include "results.h"

#include <string.h>
#include <cjson/cJSON.h>

#include "json.h"

results_values results_split(const char *how, arena *a)
{
	static const char AT[] = ", first at ", INSTEAD[] = " instead of ";
	results_values v = {"", "", "", ""};
	const char *instead = strstr(how, INSTEAD), *at = strstr(how, AT), *colon = at ? strstr(at, "]: ") : NULL;
	if (!instead)
		return v;
	const char *end = strstr(instead, "; "), *start = colon && colon < instead ? colon + 3 : how;
	const char *expected = instead + strlen(INSTEAD);
	v.expected = arena_strndup(a, expected, end ? (size_t)(end - expected) : strlen(expected));
	v.got = arena_strndup(a, start, (size_t)(instead - start));
	if (start != how) {
		v.share = arena_strndup(a, how, (size_t)(at - how));
		v.where = arena_strndup(a, at + strlen(AT), (size_t)(colon + 1 - at) - strlen(AT));
	}
	return v;
}

typedef struct facts {
	result_fact *list;
	int n;
	arena *a;
} facts;

static void fact(facts *to, const char *name, const char *text)
{
	const char *copy = *text ? arena_strdup(to->a, text) : NULL;
	if (copy && to->n < RESULTS_MOST)
		to->list[to->n++] = (result_fact){name, copy};
}

/* For a result that differs between two runs: neither value is expected. False: the answer has no such cause. */
static bool cause_facts(facts *to, const cJSON *first)
{
	static const char *const CAUSES[][2] = {
	    {"uninitialized-memory", "depends on uninitialized memory"}, {"nondeterministic", "is nondeterministic"}};
	const char *cause = json_text(first, "cause");
	const cJSON *values = cJSON_GetObjectItemCaseSensitive(first, "values");
	const char *one = cJSON_GetStringValue(cJSON_GetArrayItem(values, 0)), *two = cJSON_GetStringValue(cJSON_GetArrayItem(values, 1));
	bool reference = strcmp(json_text(first, "wrong"), "reference") == 0;
	for (size_t i = 0; i < sizeof CAUSES / sizeof *CAUSES; i++) {
		if (strcmp(cause, CAUSES[i][0]) != 0)
			continue;
		const char *text = one && two ? arena_printf(to->a, "%s (%s, then %s)", CAUSES[i][1], one, two) : CAUSES[i][1];
		fact(to, reference ? "reference's result" : "target's result", text ? text : CAUSES[i][1]);
		return true;
	}
	return false;
}

/* For a difference. The value of a wrong reference is not expected. */
static void difference_facts(facts *to, const cJSON *first)
{
	const char *how = json_text(first, "how");
	results_values v = results_split(how, to->a);
	bool wrong = strcmp(json_text(first, "wrong"), "reference") == 0;
	if (cause_facts(to, first))
		return;
	if (!v.expected || !*v.expected) {
		fact(to, "difference", how);
		return;
	}
	fact(to, wrong ? "reference" : "expected", v.expected);
	fact(to, wrong ? "target" : "actual", v.got);
	fact(to, "first at", v.where);
	size_t n = strlen(v.share), end = strlen(" elements");
	const char *share = n > end && strcmp(v.share + n - end, " elements") == 0 ? arena_strndup(to->a, v.share, n - end) : v.share;
	fact(to, "mismatched elements", share ? share : "");
}

static void error_facts(facts *to, const finding *f, const cJSON *error)
{
	const char *type = json_text(error, "type"), *message = json_text(error, "message");
	if (strcmp(f->kind, "accepts-invalid") == 0) {
		const char *text = arena_printf(to->a, "rejects the model: %s%s%s", type, *type && *message ? ": " : "", message);
		fact(to, "reference", text ? text : "rejects the model");
		fact(to, "target", "accepts it");
		return;
	}
	fact(to, "expected", "the same results as the reference");
	fact(to, "actual", *type ? type : f->kind);
	fact(to, "message", message);
	fact(to, "raised in", json_text(error, "where"));
}

int results_of(const finding *f, arena *a, result_fact list[RESULTS_MOST])
{
	facts to = {.list = list, .a = a};
	cJSON *answer = cJSON_Parse(f->detail);
	const cJSON *first = cJSON_GetObjectItemCaseSensitive(answer, "first");
	if (first)
		difference_facts(&to, first);
	else
		error_facts(&to, f, cJSON_GetObjectItemCaseSensitive(answer, "error"));
	cJSON_Delete(answer);
	return to.n;
}
