#include "rules_side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "json.h"
#include "need.h"
#include "points.h"
#include "rules_file.h"

/* A signature of the file; its key is the call. */
typedef struct entry {
	uint64_t key;
	long line;
	const rule_op *op;
} entry;

struct rules_side {
	rule_set set;
	entry *entries; /* sorted by key */
	size_t n;
};

static uint64_t key_of(const char *api, const char *args, const char *outputs)
{
	uint64_t h = XXH3_64bits(api, strlen(api));
	h = XXH3_64bits_withSeed(args, strlen(args), h);
	return XXH3_64bits_withSeed(outputs, strlen(outputs), h);
}

static int by_key(const void *a, const void *b)
{
	const entry *x = a, *y = b;
	return x->key < y->key ? -1 : x->key > y->key;
}

static int by_line(const void *a, const void *b)
{
	const entry *x = a, *y = b;
	return x->line < y->line ? -1 : x->line > y->line;
}

static char *printed(const cJSON *tree, const char *key)
{
	char *text = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(tree, key));
	return need(text, 1);
}

static uint64_t key_of_line(const cJSON *tree)
{
	char *args = printed(tree, "args"), *outputs = printed(tree, "outputs");
	uint64_t key = key_of(json_text(tree, "api"), args, outputs);
	free(args);
	free(outputs);
	return key;
}

/* Reads the lines again for the keys, since the reader of rules does not keep arguments as text. */
static bool read_keys(rules_side *s, const char *path, diag *d)
{
	jsonl j;
	int more;
	size_t at = 0;
	if (!jsonl_open(&j, path, d))
		return false;
	while ((more = jsonl_next(&j, d)) > 0) {
		while (at < s->n && s->entries[at].line < j.number)
			at++;
		if (at == s->n || s->entries[at].line != j.number)
			continue;
		cJSON *tree = json_parse(j.line, path, j.number, d);
		if (!tree)
			break;
		s->entries[at].key = key_of_line(tree);
		cJSON_Delete(tree);
	}
	jsonl_close(&j);
	return more == 0;
}

rules_side *rules_side_read(const char *path, diag *d)
{
	rules_side *s = need(calloc(1, sizeof *s), sizeof *s);
	bool ok = rules_read(&s->set, path, d);
	if (ok) {
		s->entries = need(calloc(s->set.nops + 1, sizeof *s->entries), s->set.nops * sizeof *s->entries);
		for (; s->n < s->set.nops; s->n++)
			s->entries[s->n] = (entry){.line = s->set.ops[s->n].line, .op = &s->set.ops[s->n]};
		qsort(s->entries, s->n, sizeof *s->entries, by_line);
		ok = read_keys(s, path, d);
		qsort(s->entries, s->n, sizeof *s->entries, by_key);
	}
	if (ok)
		return s;
	rules_side_free(s);
	return NULL;
}

void rules_side_free(rules_side *s)
{
	if (!s)
		return;
	rules_free(&s->set);
	free(s->entries);
	free(s);
}

static const rule_op *find(const rules_side *s, const operator *op)
{
	entry wanted = {.key = key_of(op->api, op->args, op->outputs)};
	const entry *e = bsearch(&wanted, s->entries, s->n, sizeof *s->entries, by_key);
	return e ? e->op : NULL;
}

reply rules_side_reply(const rules_side *s, const operator *op, const int64_t *x, arena *memory)
{
	const rule_op *known = find(s, op);
	reply r = {.kind = REPLY_ABSENT, .shapes = "", .dtypes = "", .message = "there is no such operator"};
	if (!known)
		return r;
	r.kind = REPLY_LOST;
	r.message = "there is no rule";
	if (!known->rule.out || known->rule.why)
		return r;
	rule_view v = rule_look(op, &known->rule, x);
	if (v.accepts) {
		int64_t *out = NEED_ARRAY(memory, int64_t, op->nodim);
		rule_propagate(&known->rule, x, out);
		return reply_accepts(op, out, memory);
	}
	buf why = {0};
	r.kind = REPLY_REFUSES;
	if (v.only >= 0)
		expr_print(&why, known->rule.clauses[v.only]);
	else
		buf_puts(&why, v.outside >= 0 ? "an output has no dimension" : "several clauses");
	r.message = keep(memory, &why);
	buf_free(&why);
	return r;
}

/* ---- the signatures of a file */

/* [[symbols…, dimensions…], …] as [[[symbols…], [dimensions…]], …] */
static cJSON *as_passing(const cJSON *rows, int nsym)
{
	cJSON *pass = cJSON_CreateArray();
	const cJSON *row, *number;
	cJSON_ArrayForEach(row, rows)
	{
		cJSON *both = cJSON_CreateArray(), *in = cJSON_CreateArray(), *out = cJSON_CreateArray();
		int at = 0;
		cJSON_ArrayForEach(number, row)
		    cJSON_AddItemToArray(at++ < nsym ? in : out, cJSON_Duplicate(number, true));
		cJSON_AddItemToArray(both, in);
		cJSON_AddItemToArray(both, out);
		cJSON_AddItemToArray(pass, both);
	}
	return pass;
}

static void put_record(FILE *to, const cJSON *tree)
{
	static const char *const KEPT[] = {"op", "api", "framework", "version", "args", "outputs"};
	cJSON *line = cJSON_CreateObject();
	for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT; i++)
		if (cJSON_HasObjectItem(tree, KEPT[i]))
			cJSON_AddItemToObject(line, KEPT[i], cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(tree, KEPT[i]), true));
	const cJSON *nsym = cJSON_GetObjectItemCaseSensitive(tree, "nsym");
	cJSON_AddItemToObject(line, "pass", as_passing(cJSON_GetObjectItemCaseSensitive(tree, "records"), nsym ? nsym->valueint : 0));
	cJSON_AddItemToObject(line, "fail", cJSON_CreateArray());
	char *text = need(cJSON_PrintUnformatted(line), 1);
	fprintf(to, "%s\n", text);
	free(text);
	cJSON_Delete(line);
}

static void first_error(const diag *d, void *user)
{
	diag *to = user;
	if (!to->text[0])
		*to = *d;
}

static bool write_records(const char *path, FILE *to, diag *d)
{
	jsonl j;
	int more;
	if (!jsonl_open(&j, path, d))
		return false;
	while ((more = jsonl_next(&j, d)) > 0) {
		cJSON *tree = json_parse(j.line, path, j.number, d);
		if (cJSON_HasObjectItem(tree, "op"))
			put_record(to, tree);
		cJSON_Delete(tree);
	}
	jsonl_close(&j);
	return more == 0;
}

bool rules_side_records(const char *path, records *r, diag *d)
{
	char name[64];
	int fd = memfd_create("rules", MFD_CLOEXEC);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
	const char *paths[] = {name};
	d->text[0] = '\0';
	*r = (records){0};
	if (!file)
		return diag_set(d, "no memory for the records of %s", path);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	bool ok = write_records(path, file, d) && (fflush(file) == 0 || diag_set(d, "no memory for the records of %s", path));
	ok = ok && records_read(r, paths, 1, first_error, d);
	fclose(file);
	return ok;
}

/* ---- inputs on which two rules differ */

typedef struct pair {
	const operator *op;
	rule a, b; /* in the same pool */
	box box;
	rule_store store;
	prover *finder;
	rules_apart *take;
	void *user;
} pair;

/* Whether the rules differ on x; then reports x. */
static bool is_apart(const pair *p, const int64_t *x, arena *memory)
{
	int64_t *one = NEED_ARRAY(memory, int64_t, p->op->nodim), *other = NEED_ARRAY(memory, int64_t, p->op->nodim);
	bool a = rule_look(p->op, &p->a, x).accepts, b = rule_look(p->op, &p->b, x).accepts;
	if (a && b && rule_propagate(&p->a, x, one) && rule_propagate(&p->b, x, other))
		return memcmp(one, other, sizeof *one * (size_t)p->op->nodim) != 0;
	return a != b;
}

/* Searches by Z3 for an input that satisfies `from` on which `a` and `b` differ; b NULL: that violates a. */
static void distinguish(const pair *p, const rule *from, const expr *a, const expr *b)
{
	arena *memory = p->store.memory;
	arena_mark mark = arena_save(memory);
	int64_t *x = NEED_ARRAY(memory, int64_t, p->op->nsym);
	int64_t *low = NEED_ARRAY(memory, int64_t, p->op->nsym), *high = NEED_ARRAY(memory, int64_t, p->op->nsym);
	const expr **holds = NEED_ARRAY(memory, const expr *, from->nclauses + from->nodim);
	distinction q = {.holds = holds, .a = a, .b = b, .low = low, .high = high, .nsym = p->op->nsym, .seed = 1};
	for (int k = 0; k < from->nclauses; k++)
		holds[q.n++] = from->clauses[k];
	for (int k = 0; k < from->nodim; k++)
		holds[q.n++] = expr_make(p->store.pool, OP_GE, from->out[k], expr_const(p->store.pool, 0));
	for (int whole = 0; whole < 2; whole++) {
		box_bounds(&p->box, whole ? -1 : box_small_side(&p->box), low, high);
		if (prover_distinguish(p->finder, &q, x) != REFUTED)
			continue;
		box_repair(&p->box, x);
		if (box_allows(&p->box, x) && is_apart(p, x, memory)) {
			p->take(p->user, p->op, x);
			break;
		}
	}
	arena_release(memory, mark);
}

static void separate_clauses(const pair *p, const rule *from, const rule *to)
{
	for (int k = 0; k < to->nclauses; k++) {
		bool shared = false;
		for (int i = 0; i < from->nclauses; i++)
			shared |= from->clauses[i] == to->clauses[k]; /* one pool: equal trees have equal pointers */
		if (!shared)
			distinguish(p, from, to->clauses[k], NULL);
	}
}

void rules_side_separate(const rules_side *a, const rules_side *b, const operator *op, prover *finder, rules_apart *take, void *user)
{
	const rule_op *x = find(a, op), *y = find(b, op);
	if (!x || !y || x->rule.why || y->rule.why || !x->rule.out || !y->rule.out || rule_equal(&x->rule, &y->rule))
		return;
	pair p = {.op = op, .store = rule_store_new(), .finder = finder, .take = take, .user = user};
	p.a = rule_copy(p.store, &x->rule);
	p.b = rule_copy(p.store, &y->rule);
	p.box = box_of(op, p.store.memory);
	prover_reset(finder);
	separate_clauses(&p, &p.a, &p.b);
	separate_clauses(&p, &p.b, &p.a);
	for (int k = 0; k < op->nodim; k++)
		if (p.a.out[k] != p.b.out[k])
			distinguish(&p, &p.a, p.a.out[k], p.b.out[k]);
	rule_store_free(&p.store);
}
