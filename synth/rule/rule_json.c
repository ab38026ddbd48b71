#include "rule_json.h"

#include <string.h>
#include <xxhash.h>

#include "json.h"
#include "need.h"

enum {
	MAX_TEXT = 1 << 14,    /* bytes per expression; deeper trees could exhaust the stack of recursive functions */
	MAX_OPERATIONS = 1024, /* operations per expression; compilers take minutes for chains of thousands */
};

static const char *const PROOFS[] = {
    [PROOF_NONE] = "none", [PROOF_PROVED] = "proved", [PROOF_CHECKED] = "checked", [PROOF_UNKNOWN] = "unknown"};

enum { NPROOFS = sizeof PROOFS / sizeof *PROOFS };

/* ---- writing */

static void write_list(buf *to, const expr *const *list, int n)
{
	buf_putc(to, '[');
	for (int i = 0; i < n; i++) {
		buf_puts(to, i ? ",\"" : "\"");
		if (list[i])
			expr_print(to, list[i]);
		buf_putc(to, '"');
	}
	buf_putc(to, ']');
}

static void write_texts(buf *to, const char *key, const expr *const *list, int n)
{
	buf_printf(to, ",\"%s\":", key);
	write_list(to, list, n);
}

static void write_texts_of(buf *to, const rule *r)
{
	write_texts(to, "out", r->out, r->nodim);
	write_texts(to, "valid", r->clauses, r->nclauses);
}

static uint64_t id_of(const rule *r, int nsym)
{
	buf text = {0};
	buf_printf(&text, "%d", nsym);
	write_texts_of(&text, r);
	uint64_t id = XXH3_64bits(need_text(&text), text.length);
	buf_free(&text);
	return id;
}

/* Of outputs only: a finished rule has no notes. */
static void write_notes(buf *to, const rule *r)
{
	for (int k = 0; k < r->nnotes; k++) {
		const expr *const both[] = {r->notes[k].now, r->notes[k].was};
		buf_puts(to, k ? "," : ",\"simplified\":[");
		write_list(to, both, 2);
	}
	buf_puts(to, r->nnotes ? "]" : "");
}

static void write_defaults(buf *to, const rule *r)
{
	for (int k = 0; k < r->ndefaults; k++) {
		buf_puts(to, k ? "," : ",\"defaults\":{");
		buf_json(to, r->defaults[k].argument);
		buf_putc(to, ':');
		buf_json(to, r->defaults[k].instead);
	}
	buf_puts(to, r->ndefaults ? "}" : "");
}

const char *rule_proof(const rule *r)
{
	return PROOFS[r->proof];
}

void rule_to_json(buf *to, const rule *r, int nsym)
{
	if (r->why) {
		buf_puts(to, ",\"why\":");
		buf_json(to, r->why);
	}
	if (r->out) {
		write_texts_of(to, r);
		buf_puts(to, ",\"layer\":");
		buf_json(to, r->layer);
		buf_printf(to, ",\"proof\":\"%s\"%s", rule_proof(r), r->thin ? ",\"thin\":true" : "");
		buf_printf(to, ",\"id\":\"%016llx\"", (unsigned long long)id_of(r, nsym));
		write_notes(to, r);
		if (r->family) {
			buf_puts(to, ",\"family\":");
			buf_json(to, r->family);
		}
		write_defaults(to, r);
	}
	buf_printf(to, ",\"passed\":%u,\"failed\":%u", r->passed, r->failed);
}

/* ---- reading */

typedef struct reader {
	rule *r;
	rule_store to;
	const call *c;
	const cJSON *o;
	const char *path;
	long line;
	diag *d;
} reader;

#define BAD(x, ...) diag_at((x)->d, (x)->path, (x)->line, __VA_ARGS__)

static bool read_text(const reader *x, const char *key, const char **to)
{
	const char *text = json_string(x->o, key, x->path, x->line, x->d);
	if (text)
		*to = need(arena_strdup(x->to.memory, text), strlen(text));
	return text != NULL;
}

static bool read_expr(const reader *x, const cJSON *item, const char *key, bool clause, const expr **to)
{
	if (!cJSON_IsString(item))
		return BAD(x, "key \"%s\": expected strings", key);
	const char *text = item->valuestring;
	if (!clause && !*text && x->r->why)
		return true;
	if (strlen(text) > MAX_TEXT)
		return BAD(x, "key \"%s\": an expression of %zu characters, the most is %d", key, strlen(text), MAX_TEXT);
	const expr *e = expr_parse(x->to.pool, text, x->c->nsym, x->path, x->line, x->d);
	if (!e)
		return false;
	if (e->size > MAX_OPERATIONS)
		return BAD(x, "key \"%s\": an expression of %u operations, the most is %d", key, e->size, MAX_OPERATIONS);
	if (expr_is_bool(e) != clause)
		return BAD(x, "key \"%s\": expected %s, not \"%.200s\"", key, clause ? "a comparison" : "a number", text);
	*to = e;
	return true;
}

static const expr **read_exprs(const reader *x, const char *key, bool clause, int *count)
{
	const cJSON *list = json_array(x->o, key, x->path, x->line, x->d), *item;
	if (!list)
		return NULL;
	const expr **e = NEED_ARRAY(x->to.memory, const expr *, cJSON_GetArraySize(list));
	*count = 0;
	cJSON_ArrayForEach(item, list) if (!read_expr(x, item, key, clause, &e[(*count)++])) return NULL;
	return e;
}

static bool read_proof(const reader *x)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(x->o, "proof");
	const char *text = item ? json_string(x->o, "proof", x->path, x->line, x->d) : PROOFS[PROOF_NONE];
	for (int i = 0; text && i < NPROOFS; i++)
		if (strcmp(PROOFS[i], text) == 0) {
			x->r->proof = (enum proof)i;
			return true;
		}
	return text && BAD(x, "key \"proof\": expected none, proved, checked or unknown, not \"%.40s\"", text);
}

static bool read_notes(const reader *x)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(x->o, "simplified"), *item;
	cJSON_ArrayForEach(item, list) {
		const expr *now = NULL, *was = NULL;
		if (!read_expr(x, cJSON_GetArrayItem(item, 0), "simplified", false, &now)
		    || !read_expr(x, cJSON_GetArrayItem(item, 1), "simplified", false, &was))
			return false;
		if (now && was)
			rule_note(x->r, x->to.memory, now, was);
	}
	return true;
}

/* The representative, and the defaults of its API rule. */
static bool read_representative(const reader *x)
{
	const cJSON *defaults = cJSON_GetObjectItemCaseSensitive(x->o, "defaults"), *item;
	if (cJSON_GetObjectItemCaseSensitive(x->o, "family") && !read_text(x, "family", &x->r->family))
		return false;
	if (defaults && !cJSON_IsObject(defaults))
		return BAD(x, "key \"defaults\": expected an object");
	rule_default *list = NEED_ARRAY(x->to.memory, rule_default, cJSON_GetArraySize(defaults));
	x->r->defaults = list;
	cJSON_ArrayForEach(item, defaults) {
		if (!cJSON_IsString(item))
			return BAD(x, "key \"defaults\": expected strings");
		list[x->r->ndefaults++] = (rule_default){need(arena_strdup(x->to.memory, item->string), strlen(item->string)),
		    need(arena_strdup(x->to.memory, item->valuestring), strlen(item->valuestring))};
	}
	return true;
}

static bool read_rule(const reader *x)
{
	rule *r = x->r;
	int nout;
	if (!(r->out = read_exprs(x, "out", false, &nout)))
		return false;
	if (nout != r->nodim)
		return BAD(x, "key \"out\": %d expressions for %d output dimensions", nout, r->nodim);
	if (!(r->clauses = read_exprs(x, "valid", true, &r->nclauses)))
		return false;
	r->thin = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(x->o, "thin"));
	return read_proof(x) && read_notes(x) && read_representative(x) && (!cJSON_GetObjectItemCaseSensitive(x->o, "layer") || read_text(x, "layer", &r->layer));
}

static bool read_count(const reader *x, const char *key, uint32_t *to)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(x->o, key);
	int64_t v = 0;
	if (!item)
		return BAD(x, "key \"%s\" is missing", key);
	if (json_int64(item, &v) != JSON_INT || v < 0 || v > UINT32_MAX)
		return BAD(x, "key \"%s\": expected a whole number from 0 to %u", key, UINT32_MAX);
	*to = (uint32_t)v;
	return true;
}

bool rule_from_json(rule *r, rule_store to, const call *c, const cJSON *object, const char *path, long line, diag *d)
{
	reader x = {r, to, c, object, path, line, d};
	*r = (rule){.nodim = c->nodim, .layer = ""};
	if (cJSON_GetObjectItemCaseSensitive(object, "why") && !read_text(&x, "why", &r->why))
		return false;
	if (cJSON_GetObjectItemCaseSensitive(object, "out") && !read_rule(&x))
		return false;
	return read_count(&x, "passed", &r->passed) && read_count(&x, "failed", &r->failed);
}
