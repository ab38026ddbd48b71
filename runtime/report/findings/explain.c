#include "explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cjson/cJSON.h>

#include "agree.h"
#include "documented.h"
#include "escape.h"
#include "json.h"
#include "outline_read.h"
#include "results.h"
#include "rulesmith.h"

typedef struct explanation {
	const finding *f;
	const cJSON *answer, *first; /* the worker's answer; its first difference */
	const outline *model;	     /* NULL: it cannot be read */
	arena *a;
	buf *out;
} explanation;

static void say(explanation *e, const char *heading)
{
	buf_printf(e->out, "\n%s\n", heading);
}

/* "  NAME text" on one line, escaped: the text may be a compiler's. */
static void item(explanation *e, const char *name, const char *text)
{
	buf_printf(e->out, "  %-20s ", name);
	escape_terminal(e->out, text, false);
	buf_putc(e->out, '\n');
}

/* ---- results */

static const outline_tensor *first_tensor(const explanation *e)
{
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(e->first, "id");
	int64_t number;
	int32_t place = e->model && json_int64(id, &number) == JSON_INT ? outline_find(e->model, number) : -1;
	return place < 0 ? NULL : &e->model->tensors[place];
}

static void tell_tensor(explanation *e)
{
	const outline_tensor *t = first_tensor(e);
	buf line = {0};
	if (!t)
		return;
	buf_printf(&line, "t%" PRId64 ", ", t->id);
	outline_type(t, &line);
	if (t->node >= 0)
		buf_printf(&line, ", computed by %s", e->model->nodes[t->node].api);
	else
		buf_puts(&line, ", an input that the model must not change");
	if (line.text)
		item(e, "tensor", line.text);
	buf_free(&line);
}

static void tell_values(explanation *e)
{
	result_fact list[RESULTS_MOST];
	int n = results_of(e->f, e->a, list);
	say(e, "Results");
	for (int i = 0; i < n; i++)
		item(e, list[i].name, list[i].text);
	if (n == 0)
		item(e, "unknown", "not in the database");
}

/* ---- tolerance */

static void tell_floor(explanation *e, enum agree_preset preset, const char *dtype)
{
	double absolute, relative;
	char line[160];
	if (!agree_bounds(preset, (uint8_t)rs_dtype_parse(dtype), &absolute, &relative)) {
		item(e, "minimum", "none: elements of this dtype are compared bit by bit");
		return;
	}
	snprintf(line, sizeof line, "%g + %g × the expected magnitude is always allowed", absolute, relative);
	item(e, "minimum", line);
}

static void tell_tolerance(explanation *e)
{
	const outline_tensor *t = first_tensor(e);
	const char *name = json_text(e->answer, "tolerance"), *how = json_text(e->first, "how");
	int preset = agree_parse(name);
	say(e, "Tolerance");
	if (strncmp(how, "shape ", 6) == 0 || strncmp(how, "dtype ", 6) == 0 || strncmp(how, "not a tensor", 12) == 0) {
		item(e, "none", "layout, shape and dtype are compared exactly");
		return;
	}
	if (preset < 0) {
		item(e, "unknown", "not in the database");
		return;
	}
	item(e, "preset", name);
	tell_floor(e, (enum agree_preset)preset, t ? t->dtype : "");
	if (preset == AGREE_MEASURED)
		item(e, "above that", "16 × the rounding error measured on this model; exact integers get none");
}

/* ---- how it was confirmed */

static void tell_second(explanation *e)
{
	const char *wrong = json_text(e->first, "wrong"), *how = json_text(e->first, "how");
	if (strcmp(wrong, "target") == 0)
		item(e, "second reference", "agrees with the reference: the target is wrong");
	else if (strcmp(wrong, "reference") == 0 && strstr(how, "second reference"))
		item(e, "second reference", "agrees with the target: the reference is wrong");
	else if (strcmp(wrong, "reference") == 0)
		item(e, "reference", "wrong: two of its runs differ, or it changes its inputs");
	else if (strcmp(e->f->kind, "inconsistency") == 0)
		item(e, "second reference", "none decided which side is wrong");
	if (strcmp(json_text(e->first, "confirmed"), "float64") == 0)
		item(e, "64-bit run", "agrees with the reference, not with the target");
}

static void tell_witnesses(explanation *e)
{
	const finding *f = e->f;
	say(e, "How it was confirmed");
	if (strcmp(f->status, "unsupported") == 0) {
		item(e, "not confirmed", "the target reports that it does not support this, so it is not a bug");
		return;
	}
	item(e, "rerun", "failed the same way twice and after every reduction step");
	if (strcmp(f->status, "flaky") == 0) {
		item(e, "flaky", "it did not fail each time: in a fresh process, in its script, or in a recheck");
		tell_second(e);
		return;
	}
	item(e, "fresh process", "yes: it failed in a process that had run nothing else");
	tell_second(e);
	item(e, "script",
	    *f->short_script ? "the short script, which needs only the framework, showed it in a process of its own"
			     : "no short script reproduced it; the long one did, in a fresh process");
}

/* ---- what was compared */

static void tell_compared(explanation *e)
{
	const finding *f = e->f;
	const char *stage = json_text(e->answer, "stage"), *api = json_text(e->first, "api");
	say(e, "What was compared");
	if (strcmp(f->kind, "inconsistency") == 0)
		item(e, "compared", "all results of the model, and its inputs after the run, from the reference and the target");
	else if (strcmp(f->kind, "accepts-invalid") == 0)
		item(e, "compared", "whether both reject an invalid model: only the reference did");
	else
		item(e, "compared", "whether both run the model to the end: only the reference did");
	item(e, "target", f->backend);
	item(e, "versions", f->versions);
	if (*stage)
		item(e, "stage", strcmp(stage, "compile") == 0 ? "compile: nothing was computed yet" : stage);
	if (*api)
		item(e, "call", api);
	tell_tensor(e);
	if (!e->answer)
		item(e, "answer", "none: the worker process ended before it answered");
}

static void tell_documented(explanation *e)
{
	result_fact list[DOCUMENTED_MOST];
	int n = documented_facts(e->f, e->a, list);
	if (n == 0)
		return;
	say(e, "Documented bugs");
	for (int i = 0; i < n; i++)
		item(e, list[i].name, list[i].text);
}

static void put_text(buf *out, const char *text)
{
	escape_terminal(out, text, false);
}

static void tell_model(explanation *e)
{
	static const outline_style PLAIN = {.call = {"", ""}, .type = {"", ""}, .word = {"", ""}, .text = put_text};
	buf legend = {0};
	if (!e->model)
		return;
	say(e, "Model");
	outline_print(e->model, &PLAIN, e->out);
	outline_legend(e->model, &legend);
	if (legend.length)
		buf_printf(e->out, "\nNotation\n%s", legend.text);
	buf_end(e->out, &legend);
}

bool explain_finding(const finding *f, arena *a, buf *out)
{
	outline o;
	cJSON *answer = cJSON_Parse(f->detail);
	bool readable = outline_read(&o, f->model, a, NULL);
	explanation e = {.f = f,
	    .answer = answer,
	    .first = cJSON_GetObjectItemCaseSensitive(answer, "first"),
	    .model = readable ? &o : NULL,
	    .a = a,
	    .out = out};
	buf_printf(out, "finding %" PRId64 ": ", f->id);
	escape_terminal(out, f->title, false);
	buf_putc(out, '\n');
	tell_compared(&e);
	tell_values(&e);
	if (e.first)
		tell_tolerance(&e);
	tell_witnesses(&e);
	tell_documented(&e);
	tell_model(&e);
	cJSON_Delete(answer);
	return !out->failed;
}

/* ---- time */

void explain_seen(const finding *f, buf *out)
{
	if (f->count == 1)
		buf_puts(out, "once");
	else
		buf_printf(out, "%" PRId64 " times", f->count);
	buf_printf(out, ", first %.20s", f->found);
}

void explain_age(const char *found, long long now, buf *out)
{
	struct tm t = {0};
	const char *end = strptime(found, "%Y-%m-%dT%H:%M:%SZ", &t);
	long long seconds = end && !*end ? now - (long long)timegm(&t) : -1;
	if (!end || *end)
		return;
	if (seconds < 60)
		buf_puts(out, "now");
	else if (seconds < 3600)
		buf_printf(out, "%lld min", seconds / 60);
	else if (seconds < 86400)
		buf_printf(out, "%lld h", seconds / 3600);
	else
		buf_printf(out, "%lld d", seconds / 86400);
}
