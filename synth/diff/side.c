#include "side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "answer_log.h"
#include "json.h"
#include "need.h"
#include "oracle.h"
#include "package.h"

struct side {
	rules_side *rules; /* NULL: a live side */
	oracle *oracle;
	answer_log *log; /* NULL: answers are not stored */
	char *command, *label, *versions;
};

/* ---- identification */

/* Sets PYTHONPATH so that started Pythons find the collector, which is beside the program. */
static bool use_collector(diag *d)
{
	package p;
	return package_find(&p, d) && package_use(&p, d);
}

/* The shell command of a live side; NULL and d if a Python needs the collector and it is missing. */
static char *command_of(const side_options *o, diag *d)
{
	struct stat s;
	buf path = {0}, command = {0};
	buf_puts(&path, o->what);
	if (stat(o->what, &s) == 0 && S_ISDIR(s.st_mode))
		buf_puts(&path, "/bin/python");
	if (access(path.text, X_OK) == 0) {
		if (!use_collector(d)) {
			buf_free(&path);
			return NULL;
		}
		buf_puts(&command, "exec ");
		buf_shell(&command, path.text);
		buf_printf(&command, " -m traces.collect.upgrade %s", o->framework);
	} else {
		buf_puts(&command, o->what);
	}
	buf_free(&path);
	return need(buf_take(&command), 1);
}

static bool is_file(const char *path)
{
	struct stat s;
	return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) != 0;
}

/* "torch 2.13.0", "onnx 1.23.2, onnxruntime 1.32.0" */
static void name_versions(side *s, const cJSON *versions, const char *fallback)
{
	buf label = {0};
	const cJSON *version;
	cJSON_ArrayForEach(version, versions) if (cJSON_IsString(version))
	    buf_printf(&label, "%s%s %s", label.length ? ", " : "", version->string, version->valuestring);
	if (!label.length)
		buf_puts(&label, fallback);
	s->label = need(buf_take(&label), 1);
	s->versions = cJSON_IsObject(versions) ? need(cJSON_PrintUnformatted(versions), 1) : need(strdup("{}"), 2);
}

/* Reads the side's versions and opens its answer log. Without versions answers are not stored, since they could be
 * mixed with those of another version. */
static bool introduce(side *s, const side_options *o, diag *d)
{
	static const char *const ABOUT[] = {"{\"about\":true}"};
	cJSON *answer = NULL;
	if (!side_lines(s, ABOUT, 1, &answer, d))
		return false;
	const cJSON *versions = cJSON_GetObjectItemCaseSensitive(answer, "versions");
	name_versions(s, versions, o->what);
	bool ok = true;
	if (o->cache && cJSON_IsObject(versions) && versions->child) {
		char name[17];
		snprintf(name, sizeof name, "%016llx", (unsigned long long)XXH3_64bits(s->versions, strlen(s->versions)));
		ok = (s->log = answer_log_open(o->cache, name, d)) != NULL;
	}
	cJSON_Delete(answer);
	return ok;
}

static bool open_live(side *s, const side_options *o, bool *missing, diag *d)
{
	*missing = true;
	s->command = command_of(o, d);
	if (!s->command)
		return false;
	s->oracle = need(oracle_new(&(oracle_options){.command = s->command, .restarts = true}), 1);
	*missing = !introduce(s, o, d);
	return !*missing;
}

static bool open_rules(side *s, const side_options *o, diag *d)
{
	s->rules = rules_side_read(o->what, d);
	if (s->rules)
		name_versions(s, NULL, o->what);
	return s->rules != NULL;
}

side *side_open(const side_options *o, bool *missing, diag *d)
{
	side *s = need(calloc(1, sizeof *s), sizeof *s);
	*missing = false;
	if (is_file(o->what) ? open_rules(s, o, d) : open_live(s, o, missing, d))
		return s;
	side_free(s);
	return NULL;
}

void side_free(side *s)
{
	if (!s)
		return;
	rules_side_free(s->rules);
	oracle_free(s->oracle);
	answer_log_free(s->log);
	free(s->command);
	free(s->label);
	free(s->versions);
	free(s);
}

const char *side_label(const side *s)
{
	return s->label;
}

bool side_is_live(const side *s)
{
	return s->oracle != NULL;
}

const char *side_versions(const side *s)
{
	return s->versions;
}

const rules_side *side_rules(const side *s)
{
	return s->rules;
}

void side_restart(side *s)
{
	if (!s->oracle)
		return;
	oracle_free(s->oracle);
	s->oracle = need(oracle_new(&(oracle_options){.command = s->command, .restarts = true}), 1);
}

/* ---- lines */

static bool take_tree(void *user, int line, const cJSON *answer, diag *d)
{
	cJSON **to = user;
	(void)d;
	to[line] = answer ? need(cJSON_Duplicate(answer, true), 1) : NULL;
	return true;
}

bool side_lines(side *s, const char *const *lines, int n, cJSON **to, diag *d)
{
	return oracle_ask(s->oracle, lines, n, false, take_tree, to, d);
}

/* ---- questions */

/* The lines sent to a live side: introductions of signatures, and questions. */
typedef struct batch {
	side *side;
	const asked_call *calls;
	const char **lines;
	int *call; /* of each line: the index of its call; -1: it introduces a signature */
	uint64_t *keys;
	int n;
	bool fresh;
	reply *to;
	arena *memory;
} batch;

static uint64_t key_of(const asked_call *c)
{
	uint64_t h = XXH3_64bits(c->op->api, strlen(c->op->api));
	h = XXH3_64bits_withSeed(c->op->args, strlen(c->op->args), h);
	return XXH3_64bits_withSeed(c->in, sizeof *c->in * (size_t)c->op->nsym, h);
}

static void add_line(batch *b, buf *line, int call)
{
	b->call[b->n] = call;
	b->lines[b->n++] = keep(b->memory, line);
}

static void introduce_operator(batch *b, const operator *op)
{
	buf line = {0};
	buf_puts(&line, "{\"know\":{\"op\":");
	buf_json(&line, op->name);
	buf_puts(&line, ",\"api\":");
	buf_json(&line, op->api);
	buf_printf(&line, ",\"args\":%s,\"outputs\":%s,\"symbols\":%d}}", op->args, op->outputs, op->nsym);
	add_line(b, &line, -1);
	buf_free(&line);
}

static void add_question(batch *b, int k)
{
	const asked_call *c = &b->calls[k];
	buf line = {0};
	buf_puts(&line, "{\"op\":");
	buf_json(&line, c->op->name);
	buf_puts(&line, ",\"in\":");
	buf_ints(&line, c->in, (size_t)c->op->nsym);
	buf_puts(&line, b->fresh ? ",\"alone\":true}" : "}");
	add_line(b, &line, k);
	buf_free(&line);
}

/* Stores an answer without the fields that repeat the question. */
static void remember(batch *b, int k, const cJSON *answer)
{
	static const char *const KEPT[] = {"outcome", "outputs", "out", "message"};
	cJSON *kept = cJSON_CreateObject();
	for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT; i++)
		if (cJSON_HasObjectItem(answer, KEPT[i]))
			cJSON_AddItemToObject(kept, KEPT[i], cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(answer, KEPT[i]), true));
	char *text = need(cJSON_PrintUnformatted(kept), 1);
	answer_log_put(b->side->log, b->keys[k], text);
	free(text);
	cJSON_Delete(kept);
}

static bool take_answer(void *user, int line, const cJSON *answer, diag *d)
{
	batch *b = user;
	int k = b->call[line];
	(void)d;
	if (k < 0)
		return true;
	b->to[k] = answer ? reply_read(answer, b->calls[k].op, b->memory)
			  : (reply){.kind = REPLY_DIES, .shapes = "", .dtypes = "", .message = "the process that was asked ended"};
	if (answer && b->side->log && !b->fresh && b->to[k].kind != REPLY_LOST)
		remember(b, k, answer);
	return true;
}

/* Reads a stored answer; false: none. */
static bool recall(batch *b, int k)
{
	const char *text = b->side->log && !b->fresh ? answer_log_get(b->side->log, b->keys[k]) : NULL;
	cJSON *answer = text ? json_parse(text, "answers", 0, NULL) : NULL;
	if (!answer)
		return false;
	b->to[k] = reply_read(answer, b->calls[k].op, b->memory);
	cJSON_Delete(answer);
	return true;
}

static bool ask_live(batch *b, int n, diag *d)
{
	const operator *last = NULL;
	b->lines = NEED_ARRAY(b->memory, const char *, 2 * n);
	b->call = NEED_ARRAY(b->memory, int, 2 * n);
	b->keys = NEED_ARRAY(b->memory, uint64_t, n);
	for (int k = 0; k < n; k++) {
		b->keys[k] = key_of(&b->calls[k]);
		if (recall(b, k))
			continue;
		if (b->calls[k].op != last)
			introduce_operator(b, last = b->calls[k].op);
		add_question(b, k);
	}
	return oracle_ask(b->side->oracle, b->lines, b->n, false, take_answer, b, d)
	       && (!b->side->log || answer_log_flush(b->side->log, d));
}

bool side_ask(side *s, const asked_call *calls, int n, bool fresh, reply *to, arena *memory, diag *d)
{
	batch b = {.side = s, .calls = calls, .fresh = fresh, .to = to, .memory = memory};
	if (s->oracle)
		return ask_live(&b, n, d);
	for (int k = 0; k < n; k++)
		to[k] = rules_side_reply(s->rules, calls[k].op, calls[k].in, memory);
	return true;
}
