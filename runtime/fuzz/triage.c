#include "triage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "clock.h"
#include "effects.h"
#include "reducer.h"
#include "failure.h"
#include "json.h"

#define TITLE_MESSAGE 160 /* bytes of a message in a title */
#define TITLE_NAMES 2	  /* operators */

double triage_budget(uint32_t share, double now, double part, double least)
{
	double by_now = TRIAGE_LEAD + share * now / 1000;
	if (share == 0 || part <= 0)
		return share ? by_now : 0;
	double whole = share * (part < 1 ? now / part : now) / 1000;
	whole = whole < least ? least : whole;
	return by_now < whole ? by_now : whole;
}

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
		if (model->nodes[i].live)
			names[n++] = model->nodes[i].op->api;
	qsort(names, n, sizeof *names, by_bytes);
	buf_add(&text, "", 0); /* a string even without nodes */
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
			buf_printf(&text, "%s%s", text.length ? " + " : "", names[i]);
	free(names);
	return buf_take(&text);
}

/* Whether a result of a node shares memory with an operand. */
static bool is_view(const graph_node *n)
{
	unsigned input;
	return n->nout && !effects_writes_any(n) && alias_of(alias_find(n->op), 0, &input) != ALIAS_NONE
	       && (input >= n->nin || !effects_copies(n, input));
}

/* The APIs that distinguish failures. If a view is written to, any call that writes shows the failure. */
static char *deciding_apis(const graph *model)
{
	graph without;
	bool views = false, ok = graph_init(&without) && graph_copy(&without, model);
	char *apis = NULL;
	for (uint32_t i = model->first; i != GRAPH_NONE; i = model->nodes[i].next)
		views |= is_view(&model->nodes[i]);
	for (uint32_t i = model->first; ok && views && i != GRAPH_NONE; i = model->nodes[i].next)
		if (effects_writes_any(&model->nodes[i]))
			without.live_nodes--, without.nodes[i].live = false;
	if (ok)
		apis = model_apis(&without);
	graph_destroy(&without);
	return apis;
}

bool same_failure(const judgement *a, const judgement *b)
{
	return a->verdict == b->verdict && a->key && b->key && strcmp(a->key, b->key) == 0;
}

/* An API without the modules in front: f for module.f. */
static void put_name(buf *out, const char *api, size_t n)
{
	for (size_t i = n; i--;)
		if (api[i] == '.') {
			api += i + 1;
			n -= i + 1;
			break;
		}
	buf_add(out, api, n);
}

/* The first APIs of a list that " + " joins, and how many more there are. */
static void put_names(buf *out, const char *apis)
{
	size_t seen = 0, more = 0;
	for (const char *c = apis; *c; seen++) {
		const char *end = strstr(c, " + ");
		size_t n = end ? (size_t)(end - c) : strlen(c);
		if (seen < TITLE_NAMES) {
			buf_puts(out, seen ? " + " : "");
			put_name(out, c, n);
		} else {
			more++;
		}
		c += end ? n + 3 : n;
	}
	if (more)
		buf_printf(out, " + %zu more", more);
}

/* Writes a text in one line, cut between two words if it is too long. */
static void put_cut(buf *out, const char *text)
{
	buf line = {0};
	for (const char *c = text; *c; c++) {
		bool blank = strchr(" \t\r\n", *c) != NULL;
		if (!blank || (line.length && line.text[line.length - 1] != ' '))
			buf_putc(&line, blank ? ' ' : *c);
	}
	size_t n = line.length;
	if (n > TITLE_MESSAGE)
		for (n = TITLE_MESSAGE; n && line.text[n] != ' ';)
			n--;
	buf_add(out, buf_text(&line), n);
	buf_puts(out, n < line.length ? " …" : "");
	buf_end(out, &line);
}

static void put_signal(buf *out, int number)
{
	const char *name = sigabbrev_np(number); /* NULL: a real-time signal */
	if (name)
		buf_printf(out, "SIG%s", name);
	else
		buf_printf(out, "signal %d", number);
}

/* The signal that killed a process, or the reason for killing it. */
static void put_end(buf *out, const judgement *j)
{
	buf words = {0};
	const char *when = strcmp(j->stage, "compile") == 0 ? " while compiling" : strcmp(j->stage, "run") == 0 ? " while running" : "";
	if (j->verdict == VERDICT_hang) {
		buf_printf(out, " hangs%s", when);
	} else if (j->verdict == VERDICT_memory) {
		buf_printf(out, " exceeds the memory limit%s", when);
	} else if (!j->signal) {
		buf_printf(out, " ends the process with exit code %d%s", j->status, when);
	} else {
		buf_puts(out, " crashes (");
		put_signal(out, j->signal);
		buf_printf(out, ")%s", when);
		failure_last_words(j->log ? j->log : "", &words);
		buf_puts(out, words.length ? ": " : "");
		put_cut(out, buf_text(&words));
	}
	buf_end(out, &words);
}

/* The title of an answer without one: user-defined workers may send none. */
static void put_told(buf *out, const judgement *j, const char *apis)
{
	if (j->verdict == VERDICT_accepts_invalid)
		buf_puts(out, "accepts an invalid ");
	put_names(out, apis);
	if (!j->answer) {
		put_end(out, j);
		return;
	}
	buf_puts(out, j->verdict == VERDICT_unsupported	    ? " is not supported: "
		      : j->verdict == VERDICT_inconsistency ? " differs: "
		      : j->verdict == VERDICT_error	    ? " fails: "
							    : ": ");
	put_cut(out, j->message);
}

char *failure_title(const judgement *j, const char *backend, const char *apis, const char *pass)
{
	const char *owner = json_text(j->answer, "owner"), *told = json_text(j->answer, "title");
	bool part = pass && *pass && !*owner && strncmp(pass, "as ", 3) != 0, spoils = part && pass_spoils(pass);
	buf text = {0};
	buf_printf(&text, "%s: ", *owner ? owner : backend);
	if (spoils) { /* the API that causes it, whichever call shows it */
		put_name(&text, pass, strcspn(pass, " "));
		buf_puts(&text, pass + strcspn(pass, " "));
	} else if (*told) {
		buf_puts(&text, told);
	} else {
		put_told(&text, j, apis);
	}
	if (part && !spoils)
		buf_printf(&text, " (%s)", pass);
	return buf_take(&text);
}

/* ---- triage */

typedef struct reduction {
	judge *judge;
	triage *result;
	const triage_options *o;
	double deadline;
	diag *d;
	bool failed, stopped;
	bool cutting;	/* removing nodes, the first step */
	bool any_call;	/* then: another call may differ */
	bool elsewhere; /* in a tried model, another call differed */
} reduction;

static bool no_memory(diag *d)
{
	return diag_set(d, "out of memory for a finding");
}

/* Whether another model may be tried. */
static bool goes_on(void *context)
{
	const reduction *r = context;
	return !r->failed && !r->stopped && clock_seconds() < r->deadline;
}

/* Whether a smaller model shows the failure. While nodes are removed, a difference of the same kind at the same call counts; if
 * no smaller model has one, a difference at any call: consumers of an overwritten input differ, and of fused calls the last. */
static bool is_alike(reduction *r, const judgement *j)
{
	const judgement *last = &r->result->last;
	if (!r->cutting || last->verdict != VERDICT_inconsistency)
		return same_failure(j, last);
	if (j->verdict != last->verdict || !j->key || !key_kind_is(j->key, last->key))
		return false;
	bool here = key_call_is(j->key, last->key);
	r->elsewhere |= !here;
	return here || r->any_call;
}

/* Whether a smaller model fails the same way; then it becomes the result. */
static bool alike(void *context, const graph *smaller)
{
	reduction *r = context;
	judgement j = {0};
	triage *t = r->result;
	char *text = rs_graph_json(smaller);
	t->tried++;
	r->failed = text ? !judge_step(r->judge, text, &t->last, &j, r->d) : !no_memory(r->d);
	r->stopped = !r->failed && j.verdict == VERDICT_stopped;
	if (r->failed || !is_alike(r, &j)) {
		judgement_free(&j);
		free(text);
		return false;
	}
	free(t->text);
	judgement_free(&t->last);
	t->text = text;
	t->last = j;
	if (r->o->smaller)
		r->failed = !r->o->smaller(r->o->context, t, smaller, r->d);
	return true;
}

static bool describe(triage *t, const char *backend)
{
	free(t->apis);
	free(t->signature);
	free(t->title);
	t->signature = t->title = NULL;
	t->apis = model_apis(&t->model);
	t->nodes = t->model.live_nodes;
	char *deciding = deciding_apis(&t->model);
	if (t->apis && deciding && t->last.key) {
		t->signature = failure_signature_in(t->text, t->last.key, deciding, t->pass ? t->pass : "");
		t->title = failure_title(&t->last, judgement_backend(&t->last, backend), t->apis, t->pass);
	}
	free(deciding);
	return t->signature && t->title;
}

/* Finds the pass at fault. False and d: out of memory. */
static bool find_pass(judge *by, triage *t, diag *d)
{
	const enum verdict v = t->last.verdict;
	free(t->pass);
	t->pass = NULL;
	return (v != VERDICT_inconsistency && v != VERDICT_error && v != VERDICT_crash) || judge_pass(by, t->text, v, &t->pass, d);
}

/* Whether the model with reduced nodes is a known failure. */
static bool find_known(reduction *r)
{
	triage *t = r->result;
	r->failed = !find_pass(r->judge, t, r->d) || !(describe(t, r->judge->backend) || no_memory(r->d));
	if (r->failed)
		return true;
	free(t->early);
	t->early = strdup(t->signature);
	int known = r->o->known ? r->o->known(r->o->context, t->signature, r->d) : 0;
	t->known = known == 1;
	r->failed |= known < 0 || (!t->early && !no_memory(r->d));
	return known != 0;
}

/* Whether a model is one invalid call of small tensors. Only sizes could be reduced, and each step would compile it. */
static bool is_small_call(const graph *g)
{
	enum { SMALL = 64 };
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].numel > SMALL)
			return false;
	return g->near_miss && g->live_nodes == 1 && g->nsettings == 0;
}

static void reduce(reduction *r)
{
	reducer all = {.best = &r->result->model, .ops = r->result->ops, .table = r->o->table, .alike = alike, .goes_on = goes_on, .context = r};
	bool memory = reducer_open(&all);
	if (memory) {
		r->cutting = true;
		reducer_nodes(&all);
		r->any_call = r->elsewhere && r->result->model.live_nodes > 1;
		if (r->any_call && goes_on(r))
			reducer_nodes(&all);
		r->cutting = false;
		r->result->cut = goes_on(r);
		if (!r->failed && !r->stopped && !find_known(r))
			r->result->reduced = is_small_call(&r->result->model) || reducer_run(&all);
	}
	if (!memory || all.failed)
		r->failed = !no_memory(r->d);
	reducer_close(&all);
}

static bool begin(triage *t, const graph *model, diag *d)
{
	*t = (triage){.last = {.api = "", .message = ""}};
	t->text = rs_graph_json(model);
	t->ops = arena_new();
	return (t->text && t->ops && graph_init(&t->model) && graph_copy(&t->model, model)) || no_memory(d);
}

bool triage_reduce(judge *by, const graph *model, const judgement *first, const triage_options *o, triage *t, diag *d)
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
	reduction r = {.judge = by, .result = t, .o = o, .deadline = clock_seconds() + o->seconds, .d = d};
	reduce(&r);
	by->targets = NULL;
	if (r.failed)
		return false;
	if (r.stopped)
		t->last.verdict = VERDICT_stopped;
	else
		t->again = true;
	return describe(t, by->backend) || no_memory(d);
}

/* Restores the model as generated. */
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
		judge_renew(fresh);
		ok = (go_back(t, original) || no_memory(d)) && judge_model(fresh, t->text, &j, d);
		*confirmed = ok && same_failure(&j, first);
	}
	if (*confirmed || (ok && j.verdict == VERDICT_stopped)) {
		judgement_free(&t->last);
		t->last = j;
		j = (judgement){0};
	}
	if (*confirmed) {
		bool fails = false;
		ok = find_pass(fresh, t, d) && (describe(t, fresh->backend) || no_memory(d))
		     && judge_short_script(fresh, t->text, t->title, &t->last, &t->short_script, d)
		     && judge_script(fresh, t->text, t->title, &t->last, &t->script, t->short_script ? NULL : &fails, d);
		*confirmed = !fails;
	}
	judgement_free(&j);
	judge_renew(fresh);
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
	ok = judge_script(by, t->text, t->title, &t->last, &t->script, NULL, d);
	by->targets = NULL;
	return ok;
}

void triage_free(triage *t)
{
	judgement_free(&t->last);
	graph_destroy(&t->model);
	if (t->ops)
		arena_free(t->ops);
	free(t->text);
	free(t->signature);
	free(t->title);
	free(t->apis);
	free(t->script);
	free(t->short_script);
	free(t->pass);
	free(t->early);
	*t = (triage){0};
}
