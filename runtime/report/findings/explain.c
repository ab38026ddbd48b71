#include "explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cjson/cJSON.h>

#include "agree.h"
#include "escape.h"
#include "json.h"
#include "outline.h"
#include "rulesmith.h"

typedef struct explanation {
	const finding *f;
	const cJSON *answer, *first; /* the worker's; what differs first */
	const outline *model;	     /* NULL: it cannot be read */
	arena *a;
	buf *out;
} explanation;

static void say(explanation *e, const char *heading)
{
	buf_printf(e->out, "\n%s\n", heading);
}

/* "  - NAME: text", as one line of what may be the compiler's. */
static void item(explanation *e, const char *name, const char *text)
{
	buf_printf(e->out, "  %-10s ", name);
	escape_terminal(e->out, text, false);
	buf_putc(e->out, '\n');
}

/* ---- values */

explain_values explain_split(const char *how, arena *a)
{
	static const char AT[] = ", first at ", INSTEAD[] = " instead of ";
	explain_values v = {"", "", "", ""};
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
		buf_printf(&line, ", which %s makes", e->model->nodes[t->node].api);
	else
		buf_puts(&line, ", an input that the model was not to change");
	if (line.text)
		item(e, "tensor", line.text);
	buf_free(&line);
}

static void tell_values(explanation *e)
{
	const char *how = json_text(e->first, "how");
	explain_values v = explain_split(how, e->a);
	say(e, "Both values");
	if (!*v.expected) {
		item(e, "said", *how ? how : "the database does not have them");
		return;
	}
	item(e, "expected", v.expected);
	item(e, "actual", v.got);
	if (*v.where)
		item(e, "first at", v.where);
	if (*v.share)
		item(e, "of all", v.share);
}

static void tell_error(explanation *e)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(e->answer, "error");
	say(e, "Both values");
	item(e, "expected", "results, as the reference gives them");
	item(e, "actual", *json_text(error, "type") ? json_text(error, "type") : e->f->title);
	if (*json_text(error, "message"))
		item(e, "message", json_text(error, "message"));
	if (*json_text(error, "where"))
		item(e, "raised in", json_text(error, "where"));
}

/* ---- tolerance */

static void tell_floor(explanation *e, enum agree_preset preset, const char *dtype)
{
	double absolute, relative;
	char line[160];
	if (!agree_bounds(preset, (uint8_t)rs_dtype_parse(dtype), &absolute, &relative)) {
		item(e, "floor", "none: elements of this dtype are compared bit by bit");
		return;
	}
	snprintf(line, sizeof line, "%g + %g times the expected magnitude: less says nothing", absolute, relative);
	item(e, "floor", line);
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
		item(e, "unknown", "the database does not say by which tolerance it was judged");
		return;
	}
	item(e, "preset", name);
	tell_floor(e, (enum agree_preset)preset, t ? t->dtype : "");
	if (preset == AGREE_MEASURED)
		item(e, "beyond",
		    "the reference ran again in 64 bits and with floats moved by a few units in the last place; what rounding "
		    "was seen to do, 16 times over, is excused; whole numbers that are exact are not");
}

/* ---- who was asked */

static void tell_second(explanation *e)
{
	const char *wrong = json_text(e->first, "wrong"), *how = json_text(e->first, "how");
	if (strcmp(wrong, "target") == 0)
		item(e, "another", "a second implementation of the call agrees with the reference: the target is wrong");
	else if (strcmp(wrong, "reference") == 0 && strstr(how, "second reference"))
		item(e, "another", "a second implementation of the call agrees with the target: the reference is wrong");
	else if (strcmp(wrong, "reference") == 0)
		item(e, "reference", "it does not agree with itself, or changes its inputs: the reference is wrong");
	else if (strcmp(e->f->kind, "inconsistency") == 0)
		item(e, "another", "no second implementation took sides");
	if (strcmp(json_text(e->first, "confirmed"), "float64") == 0)
		item(e, "64 bits", "the model computed in 64 bits agrees with the reference, not with the target");
}

static void tell_witnesses(explanation *e)
{
	const finding *f = e->f;
	say(e, "Who was asked to confirm");
	if (strcmp(f->status, "unsupported") == 0) {
		item(e, "nobody", "the target says itself that it does not support this, so it is no bug");
		return;
	}
	item(e, "again", "the model failed alike a second time, also after each step that made it smaller");
	if (strcmp(f->status, "flaky") == 0) {
		item(e, "flaky", "it was not seen each time: by a fresh worker, by its script in a process of its own, or when rechecked");
		tell_second(e);
		return;
	}
	item(e, "fresh", "and in a process of its own, which had run nothing else");
	tell_second(e);
	item(e, "script",
	    *f->short_script ? "a short script without any of this package ran in a process of its own, and showed it"
			     : "no short script was seen to show it; the long one did, in a process of its own");
}

/* ---- what was compared */

static void tell_compared(explanation *e)
{
	const finding *f = e->f;
	const char *stage = json_text(e->answer, "stage"), *api = json_text(e->first, "api");
	say(e, "What was compared");
	if (strcmp(f->kind, "inconsistency") == 0)
		item(e, "compared", "every result of the model, and its inputs afterwards, by the reference and by the target");
	else
		item(e, "compared", "whether both end: the reference ran the model to its end, the target did not");
	item(e, "target", f->backend);
	item(e, "versions", f->versions);
	if (*stage)
		item(e, "stage", strcmp(stage, "compile") == 0 ? "compile: nothing was computed yet" : stage);
	if (*api)
		item(e, "call", api);
	tell_tensor(e);
	if (!e->answer)
		item(e, "answer", "none: the worker ended before it could give one");
}

static void no_escape(buf *out, const char *text)
{
	escape_terminal(out, text, false);
}

static void tell_model(explanation *e)
{
	static const outline_style PLAIN = {.call = {"", ""}, .type = {"", ""}, .word = {"", ""}, .text = no_escape};
	if (!e->model)
		return;
	say(e, "The model");
	outline_print(e->model, &PLAIN, e->out);
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
	if (e.first) {
		tell_values(&e);
		tell_tolerance(&e);
	} else {
		tell_error(&e);
	}
	tell_witnesses(&e);
	tell_model(&e);
	cJSON_Delete(answer);
	return !out->failed;
}

/* ---- time */

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
