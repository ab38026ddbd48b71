#include "triage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "clock.h"
#include "reduce.h"

/* ---- names */

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char *model_apis(const graph *model)
{
	const char **names = calloc((size_t)model->live_nodes + 1, sizeof *names);
	size_t n = 0;
	buf text = {0};
	if (!names)
		return NULL;
	for (uint32_t i = model->first; i != GRAPH_NONE; i = model->nodes[i].next)
		names[n++] = model->nodes[i].op->api;
	qsort(names, n, sizeof *names, by_bytes);
	buf_add(&text, "", 0); /* a string of its own, also where there is no node */
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
			buf_printf(&text, "%s%s", text.length ? " + " : "", names[i]);
	free(names);
	return text.text;
}

bool same_failure(const judgement *a, const judgement *b)
{
	if (a->verdict != b->verdict)
		return false;
	if (a->verdict == VERDICT_error || a->verdict == VERDICT_unsupported)
		return a->key && b->key && strcmp(a->key, b->key) == 0;
	return a->verdict != VERDICT_crash || a->signal == b->signal;
}

char *failure_signature(const judgement *j, const char *apis)
{
	buf text = {0};
	buf_puts(&text, j->key ? j->key : "");
	if (j->verdict != VERDICT_inconsistency)
		buf_printf(&text, "|%s", apis);
	return text.text;
}

char *failure_title(const judgement *j, const char *backend, const char *apis)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(j->answer, "error");
	const cJSON *type = cJSON_GetObjectItemCaseSensitive(error, "type");
	buf text = {0}, message = {0};
	normalise(j->message, 160, &message);
	const char *why = message.length ? message.text : "";
	buf_printf(&text, "%s: %s in %s: ", backend, verdict_name(j->verdict), apis);
	if (j->verdict == VERDICT_error || j->verdict == VERDICT_unsupported)
		buf_printf(&text, "%s: %s", cJSON_IsString(type) ? type->valuestring : "", why);
	else if (j->verdict == VERDICT_inconsistency)
		buf_printf(&text, "%s differs: %.200s", j->api, j->message);
	else if (j->signal)
		buf_printf(&text, "killed by signal %d (%s)", j->signal, strsignal(j->signal));
	else if (j->verdict == VERDICT_crash)
		buf_printf(&text, "ended with exit code %d in stage %s", j->status, j->stage);
	else
		buf_printf(&text, "while the target was in stage %s", j->stage);
	buf_free(&message);
	return text.text;
}

/* ---- triage */

typedef struct reduction {
	judge *judge;
	triage *result;
	graph next; /* the model to try */
	double deadline;
	diag *d;
	bool failed, stopped;
} reduction;

static bool no_memory(diag *d)
{
	return diag_set(d, "out of memory for a finding");
}

/* Whether another model may be tried. */
static bool goes_on(const reduction *r)
{
	return !r->failed && !r->stopped && clock_seconds() < r->deadline;
}

/* Takes the next model when it fails alike. */
static bool try(reduction *r)
{
	judgement j = {0};
	triage *t = r->result;
	char *text = rs_graph_json(&r->next);
	t->tried++;
	r->failed = text ? !judge_model(r->judge, text, &j, r->d) : !no_memory(r->d);
	r->stopped = !r->failed && j.verdict == VERDICT_stopped;
	if (r->failed || !same_failure(&j, &t->last)) {
		judgement_free(&j);
		free(text);
		return false;
	}
	free(t->text);
	judgement_free(&t->last);
	t->text = text;
	t->last = j;
	graph before = t->model;
	t->model = r->next;
	r->next = before;
	return true;
}

/* The last node before a place in the order of execution. */
static uint32_t last_before(const graph *g, uint64_t order)
{
	uint32_t i = g->last;
	while (i != GRAPH_NONE && g->nodes[i].order >= order)
		i = g->nodes[i].previous;
	return i;
}

/* Inputs instead of constants: all, or as many as can be. */
static void reduce_constants(reduction *r)
{
	graph *g = &r->result->model;
	if (!goes_on(r) || !reduce_constant(&r->next, g, GRAPH_NONE) || try(r))
		return;
	for (uint32_t i = 0; i < g->ntensors && goes_on(r); i++)
		if (reduce_constant(&r->next, g, i))
			try(r);
}

/* Inputs that lie in memory as usual: all, or as many as can be. What is left shows that the layout matters. */
static void reduce_layouts(reduction *r)
{
	graph *g = &r->result->model;
	if (!goes_on(r) || !reduce_layout(&r->next, g, GRAPH_NONE) || try(r))
		return;
	for (uint32_t i = 0; i < g->ntensors && goes_on(r); i++)
		if (reduce_layout(&r->next, g, i))
			try(r);
}

/* Without gradients and as a function, before all else: what shows the failure so is judged sooner, and read sooner. */
static void reduce_form(reduction *r)
{
	graph *g = &r->result->model;
	if (goes_on(r) && reduce_gradients(&r->next, g))
		try(r);
	if (goes_on(r) && reduce_module(&r->next, g))
		try(r);
}

/* The first node whose results show the failure, with what it needs; then less of what it needs; then what of it need
 * not be constant. */
static void reduce(reduction *r)
{
	graph *g = &r->result->model;
	reduce_form(r);
	for (uint32_t i = g->first; i != GRAPH_NONE && goes_on(r); i = g->nodes[i].next)
		if (reduce_to_node(&r->next, g, i) && try(r))
			break;
	uint64_t order = UINT64_MAX;
	for (uint32_t i; (i = last_before(g, order)) != GRAPH_NONE && goes_on(r);) {
		order = g->nodes[i].order;
		if (reduce_without_node(&r->next, g, i))
			try(r);
	}
	reduce_constants(r);
	reduce_layouts(r);
}

static bool describe(triage *t, const char *backend)
{
	free(t->apis);
	free(t->signature);
	free(t->title);
	t->signature = t->title = NULL;
	t->apis = model_apis(&t->model);
	t->nodes = t->model.live_nodes;
	if (t->apis) {
		t->signature = failure_signature(&t->last, t->apis);
		t->title = failure_title(&t->last, judgement_backend(&t->last, backend), t->apis);
	}
	return t->signature && t->title;
}

static bool begin(triage *t, const graph *model, diag *d)
{
	*t = (triage){.last = {.api = "", .message = ""}};
	t->text = rs_graph_json(model);
	return (t->text && graph_init(&t->model) && graph_copy(&t->model, model)) || no_memory(d);
}

bool triage_reduce(
    judge *by, const graph *model, const judgement *first, double seconds, triage *t, diag *d)
{
	if (!begin(t, model, d))
		return false;
	t->tried = 1;
	bool ok = judge_model(by, t->text, &t->last, d);
	if (!ok || !same_failure(&t->last, first))
		return ok;
	if (*first->target)
		snprintf(t->targets, sizeof t->targets, "[\"%s\"]", first->target);
	by->targets = *t->targets ? t->targets : NULL;
	reduction r = {.judge = by, .result = t, .deadline = clock_seconds() + seconds, .d = d};
	if (graph_init(&r.next))
		reduce(&r);
	else
		r.failed = !no_memory(d);
	graph_destroy(&r.next);
	by->targets = NULL;
	if (r.failed)
		return false;
	if (r.stopped)
		t->last.verdict = VERDICT_stopped;
	else
		t->again = true;
	return describe(t, by->backend) || no_memory(d);
}

/* The model as it was generated takes the smaller one's place. */
static bool go_back(triage *t, const graph *original)
{
	free(t->text);
	t->text = rs_graph_json(original);
	return t->text && graph_copy(&t->model, original);
}

bool triage_confirm(judge *fresh, const graph *original, const judgement *first, triage *t,
    bool *confirmed, diag *d)
{
	judgement j;
	fresh->targets = *t->targets ? t->targets : NULL;
	bool ok = judge_model(fresh, t->text, &j, d);
	*confirmed = ok && same_failure(&j, &t->last);
	if (ok && !*confirmed && j.verdict != VERDICT_stopped) {
		judgement_free(&j);
		judge_close(fresh);
		ok = (go_back(t, original) || no_memory(d)) && judge_model(fresh, t->text, &j, d);
		*confirmed = ok && same_failure(&j, first);
	}
	if (*confirmed || (ok && j.verdict == VERDICT_stopped)) {
		judgement_free(&t->last);
		t->last = j;
		j = (judgement){0};
	}
	if (*confirmed) {
		ok = describe(t, fresh->backend) || no_memory(d);
		t->script = ok ? judge_script(fresh, t->text, t->title) : NULL;
		t->short_script = t->script ? judge_short_script(fresh, t->text, t->title, &t->last) : NULL;
	}
	judgement_free(&j);
	judge_close(fresh);
	return ok;
}

bool triage_as_it_is(judge *by, const graph *model, judgement *j, triage *t, diag *d)
{
	bool ok = begin(t, model, d);
	t->last = *j;
	*j = (judgement){.api = "", .message = ""};
	if (!ok || !describe(t, by->backend))
		return no_memory(d);
	snprintf(t->targets, sizeof t->targets, "[\"%s\"]", judgement_backend(&t->last, by->backend));
	by->targets = t->targets;
	t->script = judge_script(by, t->text, t->title);
	by->targets = NULL;
	return true;
}

void triage_free(triage *t)
{
	judgement_free(&t->last);
	graph_destroy(&t->model);
	free(t->text);
	free(t->signature);
	free(t->title);
	free(t->apis);
	free(t->script);
	free(t->short_script);
	*t = (triage){0};
}
