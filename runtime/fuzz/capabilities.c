#include "capabilities.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "buf.h"
#include "call_set.h"
#include "file.h"
#include "room.h"
#include "sessions.h"
#include "versions.h"

#define MESSAGE_MAX 200
#define ANY "*" /* in place of the dtypes */

typedef struct entry {
	const char *op, *inputs, *outputs, *message;
	enum capability what;
	uint64_t hash; /* 0: of any dtypes */
	bool retry;    /* not excluded: its finding is not known here */
} entry;

struct capabilities {
	const rs_table *table;
	arena *memory;
	const char *backend, *versions;
	entry *entries;
	size_t count, room; /* of entries */
	uint64_t *hashes;   /* of the entries and of presumed calls */
	size_t nhashes, hash_room, presumed;
	bool sorted; /* the hashes */
	uint64_t next;
};

static const char *const NAMES[] = {
#define X(name) #name,
    CAPABILITIES(X)
#undef X
};

capabilities *capabilities_new(const rs_table *table, const char *backend, const char *versions)
{
	capabilities *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->table = table;
	c->memory = arena_new();
	c->backend = c->memory && backend ? arena_strdup(c->memory, backend) : NULL;
	c->versions = c->memory && versions ? arena_strdup(c->memory, versions) : NULL;
	if (c->memory && (c->backend || !backend) && (c->versions || !versions))
		return c;
	capabilities_free(c);
	return NULL;
}

void capabilities_free(capabilities *c)
{
	if (!c)
		return;
	if (c->memory)
		arena_free(c->memory);
	free(c->entries);
	free(c->hashes);
	free(c);
}

/* ---- entries */

static bool knows(const capabilities *c, uint64_t hash)
{
	size_t i = 0;
	while (i < c->nhashes && c->hashes[i] != hash)
		i++;
	return i < c->nhashes;
}

static bool add_hash(capabilities *c, uint64_t hash)
{
	uint64_t *hashes = room_for_one(c->hashes, c->nhashes, &c->hash_room, sizeof *hashes);
	if (!hashes)
		return false;
	c->hashes = hashes;
	c->hashes[c->nhashes++] = hash;
	c->sorted = false;
	return true;
}

static bool add(capabilities *c, const entry *e)
{
	entry *entries = room_for_one(c->entries, c->count, &c->room, sizeof *entries);
	if (!entries)
		return false;
	c->entries = entries;
	entry copy = {arena_strdup(c->memory, e->op), arena_strdup(c->memory, e->inputs),
	    arena_strdup(c->memory, e->outputs), arena_strdup(c->memory, e->message), e->what, e->hash, false};
	if (!copy.op || !copy.inputs || !copy.outputs || !copy.message
	    || (e->hash && !knows(c, e->hash) && !add_hash(c, e->hash)))
		return false;
	c->entries[c->count++] = copy;
	return true;
}

bool capabilities_presume(capabilities *c, uint64_t call)
{
	c->presumed++;
	return add_hash(c, call);
}

size_t capabilities_presumed(const capabilities *c)
{
	return c->presumed;
}

const uint64_t *capabilities_without(capabilities *c, size_t *n)
{
	if (!c->sorted && c->nhashes)
		qsort(c->hashes, c->nhashes, sizeof *c->hashes, call_order);
	c->sorted = true;
	*n = c->nhashes;
	return c->hashes;
}

size_t capabilities_count(const capabilities *c, enum capability what)
{
	size_t n = 0;
	for (size_t i = 0; i < c->count; i++)
		n += c->entries[i].what == what && !c->entries[i].retry;
	return n;
}

/* A signature of the rules, or of a recorded chain. */
static const rs_op *find_op(const capabilities *c, const char *name)
{
	const rs_op *op = rs_table_find(c->table, name);
	const rs_table *forms = op ? NULL : rs_library_table(&rs_forms, c->table->framework);
	return forms ? rs_table_find(forms, name) : op;
}

/* Whether a signature has the call's name, inputs and outputs. A call whose shape arguments are computed by other calls has more
 * inputs than the signature that it was made from. */
static bool is_of_signature(const capabilities *c, const graph_node *n)
{
	const rs_op *op = find_op(c, n->op->name);
	return op && op->nin == n->nin && op->nout == n->nout;
}

/* The call of a model of one call; NULL for a call that was made for one model, which generators cannot exclude. */
static const graph_node *single(const capabilities *c, const rs_graph *g)
{
	const graph_node *n = g->first == GRAPH_NONE ? NULL : &g->nodes[g->first];
	bool plain = !g->near_miss && g->nbodies == 0 && !session_any(g); /* otherwise these may be the cause */
	bool known = n && plain && g->live_nodes == 1 && graph_has_row(n) && is_of_signature(c, n);
	return known ? n : NULL;
}

bool capabilities_refused(const capabilities *c, uint64_t call)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->entries[i].hash == call && !c->entries[i].retry)
			return c->entries[i].what == CAPABILITY_rejects;
	return false;
}

bool capability_is_finding(enum capability what)
{
	return what == CAPABILITY_fails || what == CAPABILITY_wrong || what == CAPABILITY_crashes;
}

uint64_t *capabilities_next(capabilities *c)
{
	return &c->next;
}

/* ---- findings of a database */

static char *make_key(const char *backend, const char *op, const char *inputs, const char *outputs)
{
	buf key = {0};
	buf_printf(&key, "call|%s|%s|%s|%s", backend, op, inputs, outputs);
	return buf_take(&key);
}

static void forget_hash(capabilities *c, uint64_t hash)
{
	for (size_t i = 0; i < c->nhashes; i++)
		if (c->hashes[i] == hash)
			c->hashes[i--] = c->hashes[--c->nhashes];
	c->sorted = false;
}

bool capabilities_keep(capabilities *c, capability_lookup *fn, void *context, diag *d)
{
	for (size_t i = 0; i < c->count; i++) {
		entry *e = &c->entries[i];
		if (!capability_is_finding(e->what))
			continue;
		char *key = make_key(c->backend, e->op, e->inputs, e->outputs);
		int found = key ? fn(context, key, d) : (diag_memory(d, false), -1);
		free(key);
		if (found < 0)
			return false;
		e->retry = found == 0;
		if (e->retry)
			forget_hash(c, e->hash);
	}
	return true;
}

size_t capabilities_retries(const capabilities *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->count; i++)
		n += c->entries[i].retry;
	return n;
}

static entry *find_retry(const capabilities *c, uint64_t call)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->entries[i].retry && c->entries[i].hash == call)
			return &c->entries[i];
	return NULL;
}

bool capabilities_is_retry(const capabilities *c, uint64_t call)
{
	return find_retry(c, call) != NULL;
}

/* A judgement of the call replaces the entry. */
static void forget_retry(capabilities *c, uint64_t call)
{
	entry *e = find_retry(c, call);
	if (e)
		*e = c->entries[--c->count];
}

/* ---- from a judgement */

/* Whether a verdict excludes the call, and the reason. */
static bool excludes(enum verdict v, enum capability *what)
{
	*what = v == VERDICT_unsupported	? CAPABILITY_rejects
		: v == VERDICT_inconsistency	? CAPABILITY_wrong
		: v == VERDICT_error		? CAPABILITY_fails
		: v == VERDICT_nondeterministic ? CAPABILITY_varies
		: verdict_is_invalid(v)		? CAPABILITY_invalid
						: CAPABILITY_crashes;
	return v == VERDICT_unsupported || v == VERDICT_nondeterministic || verdict_is_invalid(v) || verdict_is_candidate(v);
}

static void list_dtypes(buf *to, const uint8_t *dtypes, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		buf_printf(to, "%s%s", i ? "," : "", rs_dtype_name((rs_dtype)dtypes[i]));
	buf_puts(to, n ? "" : "-");
}

bool capability_key(const char *backend, const graph *call, char **key)
{
	uint8_t row[GRAPH_ROW_MAX];
	const graph_node *n = call->first == GRAPH_NONE ? NULL : &call->nodes[call->first];
	*key = NULL;
	if (!n || call->live_nodes != 1 || call->near_miss || call->nbodies > 0 || session_any(call) || !graph_has_row(n))
		return true;
	buf inputs = {0}, outputs = {0};
	graph_row(call, n, row);
	list_dtypes(&inputs, row, n->nin);
	list_dtypes(&outputs, row + n->nin, n->nout);
	if (!inputs.failed && !outputs.failed)
		*key = make_key(backend, n->op->name, inputs.text, outputs.text);
	buf_free(&inputs);
	buf_free(&outputs);
	return *key != NULL;
}

/* Cuts a message to one cell. */
static void cut_message(char to[MESSAGE_MAX + 1], const char *message)
{
	snprintf(to, MESSAGE_MAX + 1, "%s", message);
	for (char *c = to; *c; c++)
		if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
			*c = ' ';
}

/* Adds an entry for all rows of dtypes of a signature. */
static bool add_form(capabilities *c, const entry *e, const rs_op *op)
{
	const unsigned width = (unsigned)op->nin + op->nout;
	if (!add(c, e))
		return false;
	for (unsigned i = 0; i < op->ndtypes; i++) {
		uint64_t hash = rs_call_hash(op, op->dtypes + (size_t)i * width);
		if (!knows(c, hash) && !add_hash(c, hash))
			return false;
	}
	return true;
}

bool capabilities_refuse(capabilities *c, const rs_graph *g, const char *message)
{
	const graph_node *n = single(c, g);
	char text[MESSAGE_MAX + 1];
	if (!n || n->op->ndtypes < 2)
		return capabilities_note(c, g, VERDICT_unsupported, message);
	for (size_t i = 0; i < c->count; i++)
		if (!c->entries[i].hash && strcmp(c->entries[i].op, n->op->name) == 0)
			return true; /* noted by another job */
	cut_message(text, message);
	return add_form(c, &(entry){n->op->name, ANY, ANY, text, CAPABILITY_rejects, 0, false}, n->op);
}

bool capabilities_note(capabilities *c, const rs_graph *g, enum verdict v, const char *message)
{
	enum capability what;
	uint8_t row[GRAPH_ROW_MAX];
	const graph_node *n = single(c, g);
	if (!n || v == VERDICT_stopped)
		return true;
	graph_row(g, n, row);
	uint64_t hash = rs_call_hash(n->op, row);
	forget_retry(c, hash);
	if (!excludes(v, &what))
		return true;
	if (knows(c, hash)) /* probed again after a run was killed */
		return true;
	buf inputs = {0}, outputs = {0};
	char text[MESSAGE_MAX + 1];
	list_dtypes(&inputs, row, n->nin);
	list_dtypes(&outputs, row + n->nin, n->nout);
	cut_message(text, message);
	bool ok = !inputs.failed && !outputs.failed
		  && add(c, &(entry){n->op->name, inputs.text, outputs.text, text, what, hash, false});
	buf_free(&inputs);
	buf_free(&outputs);
	return ok;
}

/* ---- the file */

static bool parse_dtypes(char *cell, uint8_t *to, unsigned want)
{
	unsigned n = 0;
	if (strcmp(cell, "-") == 0)
		return want == 0;
	for (char *name; (name = strsep(&cell, ",")); n++) {
		rs_dtype dtype = rs_dtype_parse(name);
		if (n == want || (dtype == RS_OTHER && strcmp(name, "other") != 0))
			return false;
		to[n] = (uint8_t)dtype;
	}
	return n == want;
}

static int parse_capability(const char *name)
{
	for (int i = 0; i < CAPABILITY_COUNT; i++)
		if (strcmp(NAMES[i], name) == 0)
			return i;
	return -1;
}

static bool parse_call(capabilities *c, char *line, const char *path, long number, diag *d)
{
	char *cells[5];
	uint8_t row[GRAPH_ROW_MAX];
	for (int i = 0; i < 5; i++)
		cells[i] = strsep(&line, "\t");
	if (!cells[4] || line)
		return diag_at(d, path, number, "expected operator, inputs, outputs, capability, message, separated by tabs");
	int what = parse_capability(cells[3]);
	if (what < 0)
		return diag_at(d, path, number, "no capability '%.40s'", cells[3]);
	const rs_op *op = find_op(c, cells[0]);
	if (!op || (unsigned)op->nin + op->nout > sizeof row)
		return diag_at(d, path, number, "no operator '%.80s' in the rules", cells[0]);
	entry e = {cells[0], arena_strdup(c->memory, cells[1]), arena_strdup(c->memory, cells[2]), cells[4],
	    (enum capability)what, 0, false};
	if (!e.inputs || !e.outputs)
		return diag_set(d, "out of memory");
	if (strcmp(cells[1], ANY) == 0 && strcmp(cells[2], ANY) == 0 && what == CAPABILITY_rejects)
		return diag_memory(d, add_form(c, &e, op));
	if (!parse_dtypes(cells[1], row, op->nin) || !parse_dtypes(cells[2], row + op->nin, op->nout))
		return diag_at(d, path, number, "not the dtypes of %u inputs and %u outputs", op->nin, op->nout);
	e.hash = rs_call_hash(op, row);
	return diag_memory(d, add(c, &e));
}

/* Reads the header line; *ours: whether the file is of this backend, version and rules. */
static bool parse_head(capabilities *c, const char *line, const char *path, bool *ours, diag *d)
{
	char backend[64], rules[64];
	unsigned long long next;
	int end = -1;
	if (sscanf(line, "# backend %63s rules %63s next %llu versions %n", backend, rules, &next, &end) != 3 || end < 0)
		return diag_at(d, path, 1, "expected '# backend NAME rules FINGERPRINT next NUMBER versions {…}'");
	*ours = (!c->backend || strcmp(backend, c->backend) == 0) && strcmp(rules, c->table->fingerprint) == 0
		&& (!c->versions || strcmp(line + end, c->versions) == 0);
	if (*ours)
		c->next = next;
	return true;
}

static bool parse(capabilities *c, char *text, const char *path, diag *d)
{
	bool ours = false;
	char *line = strsep(&text, "\n");
	if (!parse_head(c, line, path, &ours, d))
		return false;
	for (long number = 2; ours && text && *text; number++) {
		line = strsep(&text, "\n");
		if (!text)
			return diag_at(d, path, number, "the last line is incomplete");
		if (!parse_call(c, line, path, number, d))
			return false;
	}
	return true;
}

bool capabilities_read(capabilities *c, const char *path, diag *d)
{
	size_t length;
	if (access(path, F_OK) != 0 && errno == ENOENT)
		return true;
	char *text = file_read(path, &length, d);
	bool ok = text
		  && (strlen(text) == length || diag_at(d, path, 0, "a NUL byte"))
		  && parse(c, text, path, d);
	free(text);
	return ok;
}

/* Copies a part of a file name: at most n bytes; characters other than letters, digits and .-+_ become _. */
static void put_name(char *to, size_t n, const char *text)
{
	snprintf(to, n, "%s", text);
	for (char *c = to; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(".-+_", *c))
			*c = '_';
}

void capabilities_name(const char *backend, const char *versions, char name[128])
{
	char who[65], version[33];
	cJSON *all = cJSON_Parse(versions);
	put_name(who, sizeof who, backend);
	const char *own = versions_of(all, backend);
	put_name(version, sizeof version, own ? own : "");
	cJSON_Delete(all);
	uint64_t hash = graph_name_hash(backend) * 31 + graph_name_hash(versions);
	snprintf(name, 128, "%s%s%s-%08lx.tsv", who, *version ? "-" : "", version, (unsigned long)(hash >> 32));
}

static bool make_folder(const char *path, diag *d)
{
	char folder[4096];
	const char *slash = strrchr(path, '/');
	if (!slash || slash == path)
		return true;
	if ((size_t)(slash - path) >= sizeof folder)
		return diag_set(d, "a path is too long");
	memcpy(folder, path, (size_t)(slash - path));
	folder[slash - path] = '\0';
	return make_directories(folder, d);
}

bool capabilities_write(const capabilities *c, const char *path, diag *d)
{
	buf out = {0};
	buf_printf(&out, "# backend %s rules %s next %llu versions %s\n", c->backend ? c->backend : "any", c->table->fingerprint,
	    (unsigned long long)c->next, c->versions ? c->versions : "{}");
	for (size_t i = 0; i < c->count; i++) {
		const entry *e = &c->entries[i];
		buf_printf(&out, "%s\t%s\t%s\t%s\t%s\n", e->op, e->inputs, e->outputs, NAMES[e->what], e->message);
	}
	bool ok = out.failed ? diag_set(d, "out of memory")
			     : make_folder(path, d) && file_write(path, out.text, out.length, d);
	buf_free(&out);
	return ok;
}
