#include "tiers.h"

#include <stdio.h>
#include <string.h>

bool tiers_init(tiers *t, const char *names)
{
	*t = (tiers){.always = 1};
	for (const char *at = names; *at;) {
		size_t length = strcspn(at, ",");
		if (t->n == MOST_TIERS || length >= TIER_NAME)
			return false;
		snprintf(t->tier[t->n++].name, TIER_NAME, "%.*s", (int)length, at);
		at += length + (at[length] == ',');
	}
	return true;
}

/* The result of one tier in a judgement. */
static void count(tier *t, const cJSON *said, uint32_t operators)
{
	const cJSON *cpu = cJSON_GetObjectItemCaseSensitive(said, "cpu");
	const cJSON *verdict = cJSON_GetObjectItemCaseSensitive(said, "verdict");
	const char *name = cJSON_IsString(verdict) ? verdict->valuestring : "";
	enum verdict v = verdict_parse(name);
	t->models++;
	t->duplicates += strcmp(name, "duplicate") == 0;
	t->unsupported += v == VERDICT_unsupported;
	t->inconsistent += v == VERDICT_inconsistency;
	t->failed += verdict_is_candidate(v) && !verdict_is_compared(v);
	if (verdict_is_compared(v)) {
		t->compared++;
		t->operators += operators;
	}
	t->cpu += cJSON_IsNumber(cpu) ? cpu->valuedouble / 1000 : 0;
}

void tiers_count(tiers *t, const judgement *j, uint32_t operators)
{
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(j->answer, "tiers");
	for (int i = 0; i < t->n; i++) {
		const cJSON *said = cJSON_GetObjectItemCaseSensitive(all, t->tier[i].name);
		if (said) {
			count(&t->tier[i], said, operators);
		} else if (!j->answer && strcmp(j->target, t->tier[i].name) == 0) { /* the worker died */
			t->tier[i].models++;
			t->tier[i].failed++;
			t->tier[i].cpu += j->seconds;
		}
	}
}

void tiers_choose(const tiers *t, buf *to)
{
	double all = 0;
	for (int i = 0; i < t->n; i++)
		all += t->tier[i].cpu;
	buf_putc(to, '[');
	for (int i = 0; i < t->n; i++)
		if (i < t->always || t->tier[i].cpu * t->n <= all)
			buf_printf(to, "%s\"%s\"", i ? "," : "", t->tier[i].name);
	buf_putc(to, ']');
}
