#include "spent.h"

#include <string.h>

static double told(const cJSON *answer, const char *stage)
{
	const cJSON *cpu = cJSON_GetObjectItemCaseSensitive(answer, "cpu");
	const cJSON *t = cJSON_GetObjectItemCaseSensitive(cpu, stage);
	return cJSON_IsNumber(t) ? t->valuedouble / 1000 : 0;
}

/* The worker did not report it: takes the time until its end. */
static void take_end(spent *s, const char *stage, double seconds)
{
	bool target = strcmp(stage, "compile") == 0 || strcmp(stage, "run") == 0;
	*(target ? &s->target : &s->reference) += seconds;
}

void spent_take(spent *s, const cJSON *answer, const char *stage, double seconds)
{
	if (!answer)
		take_end(s, stage, seconds);
	s->reference += told(answer, "reference");
	s->target += told(answer, "compile") + told(answer, "run");
	s->judge += told(answer, "judge");
	s->triage += told(answer, "localise");
}

double spent_supervision(const spent *s)
{
	double rest = s->all - s->start - s->triage - s->generate - s->reference - s->target - s->judge;
	return rest > 0 ? rest : 0;
}

void spent_json(const spent *s, buf *to)
{
	buf_printf(to,
	    "{\"start\":%.3f,\"generate\":%.3f,\"reference\":%.3f,\"target\":%.3f,\"judge\":%.3f,\"supervision\":%.3f,\"triage\":%.3f}",
	    s->start, s->generate, s->reference, s->target, s->judge, spent_supervision(s), s->triage);
}

void spent_text(const spent *s, buf *to)
{
	double over = s->judge + spent_supervision(s);
	buf_printf(to,
	    "processor time: start %.1f generate %.1f reference %.1f target %.1f judge %.1f supervision %.1f triage %.1f",
	    s->start, s->generate, s->reference, s->target, s->judge, spent_supervision(s), s->triage);
	if (s->target > 0)
		buf_printf(to, "; judge and supervision: %.1f %% of the target's", 100 * over / s->target);
}
