#include "clues.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <cjson/cJSON.h>

#include "failure.h"
#include "framework.h"
#include "json.h"
#include "outline_read.h"
#include "results.h"

static const char *class_of(const char *kind)
{
	static const char *const CLASSES[][2] = {{"crash", "crash"}, {"hang", "hang"}, {"inconsistency", "wrong result"},
	    {"accepts-invalid", "lost validation"}, {"error", "rejected valid model"}, {"unsupported", "rejected valid model"}};
	for (size_t i = 0; i < sizeof CLASSES / sizeof *CLASSES; i++)
		if (strcmp(kind, CLASSES[i][0]) == 0)
			return CLASSES[i][1];
	return "";
}

/* ---- the answer */

/* If the reference is wrong, the bug is its own. Only the answer on a reference that contradicts itself names it. */
static void set_product(const finding *f, const cJSON *answer, bool reference, clues *c, arena *a)
{
	static const char OF[] = " (reference)";
	const char *owner = json_text(answer, "owner"), *end = strstr(owner, OF);
	const char *required = framework_requirements(c->model ? c->model->framework : "");
	c->products = end ? arena_strndup(a, owner, (size_t)(end - owner)) : reference ? required : f->backend;
}

static void set_difference(const finding *f, const cJSON *first, bool reference, clues *c, arena *a)
{
	const char *cause = json_text(first, "cause");
	results_values v = results_split(json_text(first, "how"), a);
	c->uninitialized = strcmp(cause, "uninitialized-memory") == 0;
	c->overwrites = strcmp(cause, "writes-input") == 0 || pass_spoils(f->pass);
	c->got = reference ? v.expected : v.got;
	c->expected = reference ? v.got : v.expected;
}

/* "crash|BACKEND|STAGE|SIGNAL|…" */
static int signal_of(const char *bucket)
{
	for (int i = 0; i < 3 && bucket; i++) {
		bucket = strchr(bucket, '|');
		if (bucket)
			bucket++;
	}
	return bucket ? atoi(bucket) : 0;
}

/* "panicked at core/src/ops/pad.rs:1:2:\nTEXT" as "pad.rs TEXT": the folders are of the machine that built the program. */
static void put_words(const char *words, buf *out)
{
	static const char PANIC[] = "panicked at ";
	size_t n = strlen(PANIC), width = strcspn(words, "\n");
	if (strncmp(words, PANIC, n) != 0 || !words[width]) {
		buf_puts(out, words);
		return;
	}
	size_t from = n, end = n + strcspn(words + n, ":\n");
	for (size_t i = n; i < end; i++)
		from = words[i] == '/' ? i + 1 : from;
	buf_add(out, words + from, end - from);
	buf_puts(out, words + width);
}

/* "BACKEND: APIS fails: TEXT" */
static const char *bare_message(const finding *f)
{
	static const char FAILS[] = " fails: ";
	const char *at = strcmp(f->kind, "error") == 0 ? strstr(f->title, FAILS) : NULL;
	return at ? at + strlen(FAILS) : "";
}

static void set_message(const finding *f, const cJSON *answer, clues *c, arena *a)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
	buf text = {0};
	if (strcmp(f->kind, "crash") == 0) {
		buf words = {0};
		failure_last_words(f->log, &words);
		put_words(buf_text(&words), &text);
		buf_end(&text, &words);
		c->signal = signal_of(f->bucket);
	} else if (strcmp(f->kind, "inconsistency") != 0) {
		buf_printf(&text, "%s %s", json_text(error, "type"), json_text(error, "message"));
	}
	c->bare = bare_message(f);
	c->message = text.failed ? NULL : arena_strdup(a, buf_text(&text));
	buf_free(&text);
}

/* ---- the model */

static bool has_empty(const outline *o)
{
	for (int i = 0; i < o->ntensors; i++)
		for (const char *c = o->tensors[i].shape; *c; c += strcspn(c, ","), c += *c == ',')
			if (c[0] == '0' && !isdigit((unsigned char)c[1]))
				return true;
	return false;
}

static bool set_model(const finding *f, clues *c, arena *a)
{
	outline *o = ARENA_NEW(a, outline);
	c->invalid = strcmp(f->kind, "accepts-invalid") == 0;
	if (!o || !outline_read(o, f->model, a, NULL))
		return o;
	c->model = o;
	c->gradients = o->gradients;
	c->invalid |= o->invalid;
	c->dynamic = o->dynamic;
	c->empty = has_empty(o);
	return true;
}

bool clues_of(const finding *f, clues *c, arena *a)
{
	*c = (clues){.class = class_of(f->kind), .message = "", .bare = "", .got = "", .expected = "", .apis = f->apis};
	cJSON *answer = cJSON_Parse(f->detail);
	const cJSON *first = cJSON_GetObjectItemCaseSensitive(answer, "first");
	bool reference = strcmp(json_text(first, "wrong"), "reference") == 0, ok = set_model(f, c, a);
	c->blamed = arena_strdup(a, json_text(first ? first : answer, "api"));
	if (pass_spoils(f->pass))
		c->blamed = arena_strndup(a, f->pass, strcspn(f->pass, " "));
	set_product(f, answer, reference, c, a);
	if (first)
		set_difference(f, first, reference, c, a);
	set_message(f, answer, c, a);
	cJSON_Delete(answer);
	return ok && c->blamed && c->products && c->message && c->got && c->expected;
}

/* ---- comparison with a page */

static bool needs(const documented_page *page, const char *need)
{
	return pages_list_has(page->needs, need);
}

bool clues_meet(const clues *c, const documented_page *page)
{
	static const char *const SEVERAL[] = {"two operators", "three operators", "four operators", "five operators"};
	bool dynamic = needs(page, "dynamic shapes") || needs(page, "several shape instances");
	for (int i = 0; i < 4; i++)
		if (needs(page, SEVERAL[i]) && c->model && c->model->nnodes < 2)
			return false;
	return needs(page, "gradients") == c->gradients && (c->dynamic || !dynamic) && (c->empty || !needs(page, "zero-size dimension"))
	       && (c->invalid || c->uninitialized || !needs(page, "invalid model"))
	       && needs(page, "uninitialized memory") == c->uninitialized
	       && needs(page, "input compared after the run") == c->overwrites
	       && (!needs(page, "subgraph body") || (c->model && c->model->nbodies > 0));
}

/* The name of an operator without module, version and the mark of in-place: Conv of onnx.Conv_11, add of torch.Tensor.add_. */
static size_t short_name(const char *name, size_t n, const char **start)
{
	size_t from = 0, end = n;
	for (size_t i = 0; i + 1 < n; i++)
		from = name[i] == '.' ? i + 1 : from;
	while (end > from && isdigit((unsigned char)name[end - 1]))
		end--;
	end = end > from && end < n && name[end - 1] == '_' ? end : n;
	while (end > from + 1 && name[end - 1] == '_' && name[from] != '_')
		end--;
	*start = name + from;
	return end - from;
}

static bool on_page(const documented_page *page, const char *api, size_t n)
{
	const char *name, *theirs;
	size_t length = short_name(api, n, &name);
	for (const char *at = page->operators; *at;) {
		size_t width = strcspn(at, ","), m = short_name(at, width, &theirs);
		if (m == length && memcmp(theirs, name, m) == 0)
			return true;
		at += width;
		at += strspn(at, ", ");
	}
	return false;
}

enum operators_fit clues_fit(const clues *c, const documented_page *page)
{
	bool all = *c->apis != '\0', any = false;
	for (const char *at = c->apis; *at; at += strspn(at, " +")) {
		size_t n = strcspn(at, " ");
		bool found = on_page(page, at, n);
		all &= found;
		any |= found;
		at += n;
	}
	if (all)
		return FIT_ALL;
	bool single = !strchr(page->operators, ',');
	bool blamed = *c->blamed ? on_page(page, c->blamed, strlen(c->blamed)) : any;
	return single && blamed ? FIT_BLAMED : any ? FIT_SOME : FIT_NONE;
}

bool clues_name_dtype(const clues *c, const documented_page *page)
{
	for (int i = 0; c->model && i < c->model->ntensors; i++) {
		const char *dtype = c->model->tensors[i].dtype, *at = page->title;
		size_t n = strlen(dtype);
		if (n == 0 || strcmp(dtype, "float32") == 0)
			continue;
		for (; (at = strstr(at, dtype)); at += n)
			if (at > page->title && !isalnum((unsigned char)at[-1]) && !isdigit((unsigned char)at[n]))
				return true;
	}
	return false;
}

void clues_operators(const clues *c, words *to)
{
	words_add(to, c->apis);
	for (const char *at = c->apis; *at; at += strspn(at, " +")) {
		size_t n = strcspn(at, " ");
		const char *name;
		char text[80];
		size_t length = short_name(at, n, &name);
		if (length < sizeof text) {
			memcpy(text, name, length);
			text[length] = '\0';
			words_add(to, text);
		}
		at += n;
	}
}
