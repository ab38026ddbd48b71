#include "verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "failure.h"
#include "json.h"

static const char *const NAMES[] = {
#define X(name, text) text,
    VERDICTS(X)
#undef X
};

const char *verdict_name(enum verdict v)
{
	return NAMES[v];
}

bool verdict_is_candidate(enum verdict v)
{
	return v >= VERDICT_inconsistency;
}

bool verdict_is_invalid(enum verdict v)
{
	return v == VERDICT_rejected || v == VERDICT_mispredicted || v == VERDICT_unreadable;
}

bool verdict_is_compared(enum verdict v)
{
	return v == VERDICT_ok || v == VERDICT_rounding || v == VERDICT_inconsistency;
}

const char *judgement_backend(const judgement *j, const char *backend)
{
	return *j->target ? j->target : backend;
}

void judgement_free(judgement *j)
{
	cJSON_Delete(j->answer);
	free(j->key);
	free(j->log);
	*j = (judgement){.api = "", .message = ""};
}

double judgement_time(const judgement *j, const char *stage)
{
	const cJSON *times = cJSON_GetObjectItemCaseSensitive(j->answer, "times");
	const cJSON *t = cJSON_GetObjectItemCaseSensitive(times, stage);
	return cJSON_IsNumber(t) ? t->valuedouble : 0.0;
}

static bool make_key(judgement *j, const char *backend)
{
	failure f = failure_told(j->answer);
	f.kind = verdict_name(j->verdict);
	f.backend = backend;
	f.stage = j->stage;
	f.log = j->log ? j->log : "";
	f.signal = j->signal;
	j->key = failure_key(&f);
	return j->key != NULL;
}

/* ---- judging */

enum verdict verdict_parse(const char *name)
{
	for (int v = 0; v <= VERDICT_error; v++)
		if (strcmp(NAMES[v], name) == 0 && v != VERDICT_lost && v != VERDICT_stopped)
			return (enum verdict)v;
	return VERDICT_unreadable;
}

static void read_answer(judgement *j)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(j->answer, "error");
	const cJSON *first = cJSON_GetObjectItemCaseSensitive(j->answer, "first");
	j->verdict = verdict_parse(json_text(j->answer, "verdict"));
	if (*json_text(j->answer, "target"))
		snprintf(j->target, sizeof j->target, "%s", json_text(j->answer, "target"));
	j->api = first ? json_text(first, "api") : json_text(j->answer, "api");
	j->message = first ? json_text(first, "how") : json_text(error, "message");
}

/* Whether the target was running when the worker ended. */
static bool target_at_work(const char *stage)
{
	return strcmp(stage, "compile") == 0 || strcmp(stage, "run") == 0;
}

static void read_end(judgement *j, const worker_reply *reply)
{
	static const enum verdict BY_END[] = {[WORKER_DIED] = VERDICT_crash,
	    [WORKER_HUNG] = VERDICT_hang,
	    [WORKER_MEMORY] = VERDICT_memory,
	    [WORKER_GARBLED] = VERDICT_lost,
	    [WORKER_STOPPED] = VERDICT_stopped};
	j->verdict = BY_END[reply->end];
	if (reply->end == WORKER_DIED) {
		j->signal = reply->signal;
		j->status = reply->status;
	}
	if (j->verdict != VERDICT_stopped && !target_at_work(reply->stage))
		j->verdict = VERDICT_lost;
}

/* Sets the worker's output, and the failure's description from all of it. */
static bool look_closer(judgement *j, const char *backend, worker *w)
{
	const char *log = worker_stderr(w);
	j->log = log ? strdup(log) : NULL;
	return j->log && make_key(j, judgement_backend(j, backend));
}

/* False and d, and nothing to free: out of memory. */
static bool make_judgement(judgement *j, worker_reply *reply, const char *backend, worker *w, diag *d)
{
	*j = (judgement){.api = "", .message = "", .seconds = reply->seconds};
	memcpy(j->stage, reply->stage, sizeof j->stage);
	memcpy(j->target, reply->target, sizeof j->target);
	j->answer = reply->answer;
	reply->answer = NULL;
	if (reply->end == WORKER_UNHEARD)
		return diag_memory(d, false);
	if (j->answer)
		read_answer(j);
	else
		read_end(j, reply);
	bool telling = j->verdict == VERDICT_unsupported || verdict_is_candidate(j->verdict);
	if (!telling || look_closer(j, backend, w))
		return true;
	judgement_free(j);
	return diag_memory(d, false);
}

/* ---- asking */

/* Frees the worker, if any; its CPU time stays counted. */
static void let_go(judge *by, worker **w)
{
	by->gone_cpu += worker_cpu(*w);
	worker_free(*w);
	*w = NULL;
}

/* Makes sure that the worker runs. False and d if it cannot; *stopped: because of stop_fd. */
static bool make_ready(judge *by, diag *d, bool *stopped)
{
	*stopped = false;
	if (worker_alive(by->worker))
		return true;
	let_go(by, &by->worker);
	double start = clock_seconds();
	by->worker = worker_start(&by->options, d, stopped);
	by->starts++;
	by->last_start = clock_seconds() - start;
	by->start_seconds += by->last_start;
	by->start_cpu += worker_cpu(by->worker);
	return by->worker != NULL;
}

char *judge_start(judge *by, diag *d, bool *stopped)
{
	if (!make_ready(by, d, stopped))
		return NULL;
	char *text = cJSON_PrintUnformatted(worker_versions(by->worker));
	if (!text)
		diag_set(d, "out of memory");
	return text;
}

/* key: "model" or "models"; text: its value; more: further members of the request, each behind a comma. */
static void ask_for(judge *by, worker *w, const char *what, const char *key, const char *text, const char *title, const char *more,
    worker_reply *reply)
{
	buf request = {0};
	by->id++;
	buf_printf(&request,
	    "{\"id\":%lld,\"do\":\"%s\",\"memory\":%lld,\"tolerance\":\"%s\",\"probe\":%s,\"title\":",
	    (long long)by->id, what, (long long)by->memory_mib, AGREE_PRESETS[by->tolerance],
	    by->probing ? "true" : "false");
	buf_json(&request, title);
	if (by->audit)
		buf_puts(&request, ",\"audit\":true");
	if (by->alone)
		buf_puts(&request, ",\"alone\":true");
	if (by->targets)
		buf_printf(&request, ",\"targets\":%s", by->targets);
	buf_puts(&request, more);
	buf_printf(&request, ",\"%s\":%s}", key, text);
	if (request.failed) /* out of memory: no partial request is sent, and no worker is to blame */
		*reply = (worker_reply){.end = WORKER_UNHEARD};
	else
		(strcmp(key, "models") == 0 ? worker_call_long : worker_call)(w, by->id, request.text, reply);
	buf_free(&request);
}

static void ask(judge *by, worker *w, const char *what, const char *model, const char *title, worker_reply *reply)
{
	ask_for(by, w, what, "model", model, title, "", reply);
}

bool judge_model(judge *by, const char *model, judgement *j, diag *d)
{
	worker_reply reply;
	bool stopped;
	*j = (judgement){.api = "", .message = ""};
	if (!make_ready(by, d, &stopped)) {
		j->verdict = VERDICT_stopped;
		return stopped;
	}
	ask(by, by->worker, "check", model, "", &reply);
	bool ok = make_judgement(j, &reply, by->backend, by->worker, d);
	worker_reply_free(&reply);
	return ok;
}

/* ---- batches */

static void list_models(char *const *models, size_t n, buf *to)
{
	for (size_t i = 0; i < n; i++) {
		buf_putc(to, i ? ',' : '[');
		buf_puts(to, models[i]);
	}
	buf_putc(to, ']');
}

/* Judges a model by its part `one` of the answer to all, or alone if there is none. */
static bool take_answer(judge *by, const char *model, cJSON *answers, cJSON *one, const worker_reply *all, judgement *j, diag *d)
{
	if (!cJSON_IsObject(one) || strcmp(json_text(one, "verdict"), "undecided") == 0)
		return judge_model(by, model, j, d);
	worker_reply reply = *all;
	reply.answer = cJSON_DetachItemViaPointer(answers, one);
	return make_judgement(j, &reply, by->backend, by->worker, d);
}

bool judge_models(judge *by, char *const *models, size_t n, judgement *js, diag *d)
{
	worker_reply reply;
	bool stopped, ok = true;
	size_t done = 0;
	if (!make_ready(by, d, &stopped)) {
		for (size_t i = 0; i < n; i++)
			js[i] = (judgement){.api = "", .message = "", .verdict = VERDICT_stopped};
		return stopped;
	}
	buf list = {0};
	list_models(models, n, &list);
	if (list.failed) {
		buf_free(&list);
		return diag_memory(d, false);
	}
	ask_for(by, by->worker, "check", "models", list.text, "", "", &reply);
	buf_free(&list);
	cJSON *answers = cJSON_GetObjectItemCaseSensitive(reply.answer, "answers"), *next = answers ? answers->child : NULL;
	for (; ok && done < n; done++) {
		cJSON *one = next;
		next = one ? one->next : NULL;
		ok = take_answer(by, models[done], answers, one, &reply, &js[done], d);
	}
	worker_reply_free(&reply);
	for (size_t i = 0; !ok && i < done; i++)
		judgement_free(&js[i]);
	return ok;
}

/* ---- the fast path */

/* Makes sure that the fast path runs. If it cannot start, it is not used any more. */
static bool screen_ready(judge *by, bool *stopped)
{
	*stopped = false;
	if (worker_alive(by->screener))
		return true;
	let_go(by, &by->screener);
	by->screener = worker_start(&by->screen, NULL, stopped);
	by->screen_starts++;
	by->start_cpu += worker_cpu(by->screener);
	if (!by->screener && !*stopped)
		by->screen.argv = NULL;
	return by->screener != NULL;
}

#define AFTER_HANG 2.0 /* the limit of the full oracle after the fast path hung, in limits of the fast path */

/* Verdicts that the fast path may return. */
static bool is_settled(const judgement *j)
{
	return j->verdict == VERDICT_ok || j->verdict == VERDICT_unspecified || j->verdict == VERDICT_unsupported
	       || j->verdict == VERDICT_stopped;
}

static bool settled_by_screen(judge *by, const char *model, judgement *j, bool *hung)
{
	worker_reply reply;
	bool stopped;
	double start = clock_seconds();
	if (!screen_ready(by, &stopped)) {
		j->verdict = stopped ? VERDICT_stopped : VERDICT_lost;
		return stopped;
	}
	double called = clock_seconds();
	by->screen_seconds += called - start;
	ask(by, by->screener, "check", model, "", &reply);
	*hung = reply.end == WORKER_HUNG;
	bool heard = make_judgement(j, &reply, by->backend, by->screener, NULL);
	worker_reply_free(&reply);
	if (heard && is_settled(j)) {
		by->screened += j->verdict != VERDICT_stopped;
		return true;
	}
	by->passed_on++;
	by->screen_seconds += clock_seconds() - called;
	judgement_free(j);
	return false;
}

void judge_limit(judge *by, double call_seconds)
{
	by->options.call_seconds = call_seconds;
	if (by->worker)
		worker_limit(by->worker, call_seconds);
}

bool judge_screened(judge *by, const char *model, judgement *j, diag *d)
{
	bool hung = false;
	*j = (judgement){.api = "", .message = ""};
	if (by->screen.argv && settled_by_screen(by, model, j, &hung))
		return true;
	const double usual = by->options.call_seconds, less = AFTER_HANG * by->screen.call_seconds;
	if (hung && less < usual)
		judge_limit(by, less);
	bool ok = judge_model(by, model, j, d);
	judge_limit(by, usual);
	return ok;
}

/* Whether the fast path cannot see the failure: it ends the process, or the reference is wrong, too. */
static bool is_hidden(const judgement *failed)
{
	const enum verdict v = failed->verdict;
	return v == VERDICT_crash || v == VERDICT_hang || v == VERDICT_memory
	       || cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(failed->answer, "renewed"));
}

bool judge_step(judge *by, const char *model, const judgement *failed, judgement *j, diag *d)
{
	const judge before = *by;
	bool ok = is_hidden(failed) ? judge_model(by, model, j, d) : judge_screened(by, model, j, d);
	by->screened = before.screened;
	by->passed_on = before.passed_on;
	by->screen_seconds = before.screen_seconds;
	return ok;
}

const cJSON *judge_versions(const judge *by)
{
	const worker *w = by->worker ? by->worker : by->screener;
	return w ? worker_versions(w) : NULL;
}

/* Sends a query about a model; without a worker there is no answer. The reply is to be freed. False and d: out of memory. */
static bool ask_about(judge *by, const char *what, const char *model, const char *title, const char *more, worker_reply *reply, diag *d)
{
	bool stopped;
	diag why = {""};
	*reply = (worker_reply){.answer = NULL};
	if (!make_ready(by, &why, &stopped))
		return diag_memory(d, !diag_is_memory(&why));
	ask_for(by, by->worker, what, "model", model, title, more, reply);
	return diag_memory(d, reply->end != WORKER_UNHEARD);
}

/* A member of the answer: a string to free(), or NULL if it is empty. */
static bool take_text(const worker_reply *reply, const char *member, char **text, diag *d)
{
	const char *said = json_text(reply->answer, member);
	*text = *said ? strdup(said) : NULL;
	return diag_memory(d, *text || !*said);
}

bool judge_pass(judge *by, const char *model, enum verdict failed, char **pass, diag *d)
{
	worker_reply reply;
	*pass = NULL;
	bool ok = ask_about(by, "pass", model, "", failed == VERDICT_crash ? ",\"verdict\":\"crash\"" : "", &reply, d) && take_text(&reply, "pass", pass, d);
	worker_reply_free(&reply);
	return ok;
}

/* Requests a script of a judged model. */
static bool ask_script(judge *by, const char *what, const char *model, const char *title, const judgement *j, const char *more,
    worker_reply *reply, diag *d)
{
	buf all = {0};
	*reply = (worker_reply){.answer = NULL};
	buf_printf(&all, ",\"verdict\":\"%s\",\"signal\":%d,\"seconds\":%.3f%s", verdict_name(j->verdict), j->signal,
	    by->options.call_seconds, more);
	bool ok = diag_memory(d, !all.failed) && ask_about(by, what, model, title, all.text, reply, d);
	buf_free(&all);
	return ok;
}

bool judge_script(judge *by, const char *model, const char *title, const judgement *j, char **script, bool *fails, diag *d)
{
	worker_reply reply;
	*script = NULL;
	bool ok = ask_script(by, "script", model, title, j, fails ? ",\"run\":true" : "", &reply, d)
		  && take_text(&reply, "script", script, d);
	if (fails)
		*fails = cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(reply.answer, "shows"));
	worker_reply_free(&reply);
	return ok;
}

bool judge_short_script(judge *by, const char *model, const char *title, const judgement *j, char **script, diag *d)
{
	worker_reply reply;
	*script = NULL;
	bool ok = ask_script(by, "short", model, title, j, "", &reply, d) && take_text(&reply, "script", script, d);
	worker_reply_free(&reply);
	return ok;
}

double judge_cpu(const judge *by)
{
	return by->gone_cpu + worker_cpu(by->worker) + worker_cpu(by->screener);
}

void judge_renew(judge *by)
{
	if (!by->alone || !worker_forks(by->worker))
		judge_close(by);
}

void judge_close(judge *by)
{
	let_go(by, &by->worker);
	let_go(by, &by->screener);
}
