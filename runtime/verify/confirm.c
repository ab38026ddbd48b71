#include "confirm.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "room.h"

const char *const CONFIRM_NAMES[CONFIRM_SHARES] = {"all", "thin", "others"};

typedef struct item {
	asked asked;
	const char *line; /* as sent */
	bool refused, accepted;
	uint32_t number; /* line in the file */
} item;

typedef struct session {
	const confirm_options *o;
	confirm_result *r;
	arena *memory;
	item *items;
	uint32_t n;
	size_t room;
	int64_t *out; /* scratch for the longest output of the table */
	buf line;
} session;

/* ---- reading */

static const rs_op *read_op(const session *s, const cJSON *line, const jsonl *at, diag *d)
{
	const char *name = json_string(line, "op", at->path, at->number, d);
	const rs_op *op = name ? rs_table_find(s->o->table, name) : NULL;
	if (name && (!op || !op->valid))
		diag_at(d, at->path, at->number, "operator '%s' has no rule in this table: these questions belong to other rules", name);
	return op && op->valid ? op : NULL;
}

static const int64_t *read_input(session *s, const rs_op *op, const cJSON *line, const jsonl *at, diag *d)
{
	const cJSON *list = json_array(line, "in", at->path, at->number, d), *number;
	int64_t *in = ARENA_ARRAY(s->memory, int64_t, op->nsym + 1u);
	unsigned n = 0;
	if (!in)
		diag_set(d, "out of memory");
	if (!list || !in)
		return NULL;
	cJSON_ArrayForEach(number, list)
		if (n == op->nsym || json_int64(number, &in[n++]) != JSON_INT) {
			n = op->nsym + 1u;
			break;
		}
	if (n != op->nsym) {
		diag_at(d, at->path, at->number, "'%s' takes %u integers", op->name, op->nsym);
		return NULL;
	}
	return in;
}

static bool add_item(session *s, const item *i, diag *d)
{
	item *items = room_for_one(s->items, s->n, &s->room, sizeof *items);
	if (!items)
		return diag_set(d, "out of memory");
	s->items = items;
	buf_clear(&s->line);
	asked_put(&s->line, &i->asked);
	s->items[s->n] = *i;
	s->items[s->n].number = s->n;
	s->items[s->n].line = s->line.failed ? NULL : arena_strdup(s->memory, s->line.text);
	return diag_memory(d, s->items[s->n++].line);
}

static bool read_item(session *s, const cJSON *line, const jsonl *at, diag *d)
{
	const rs_op *op = read_op(s, line, at, d);
	const char *text = op ? json_string(line, "breaks", at->path, at->number, d) : NULL;
	const int64_t *in = text ? read_input(s, op, line, at, d) : NULL;
	if (!in)
		return false;
	if (s->o->op && fnmatch(s->o->op, op->name, 0) != 0)
		return true;
	if (rs_eval(op, in, s->out))
		return diag_at(d, at->path, at->number, "the rule of '%s' accepts this input: these questions belong to other rules",
		    op->name);
	text = arena_strdup(s->memory, text);
	return text ? add_item(s, &(item){.asked = {.op = op, .in = in, .drawn = "clause", .breaks = text}}, d)
		    : diag_set(d, "out of memory");
}

static bool read_items(session *s, diag *d)
{
	jsonl at;
	unsigned most = 0;
	for (uint32_t i = 0; i < s->o->table->nops; i++)
		most = s->o->table->ops[i].nodim > most ? s->o->table->ops[i].nodim : most;
	s->out = ARENA_ARRAY(s->memory, int64_t, most + 1u);
	if (!s->out)
		return diag_set(d, "out of memory");
	if (!jsonl_open(&at, s->o->path, d))
		return false;
	int more = 1;
	for (bool ok = true; ok && (more = jsonl_next(&at, d)) > 0;) {
		cJSON *line = json_parse(at.line, at.path, at.number, d);
		ok = line && (cJSON_IsObject(line) || diag_at(d, at.path, at.number, "not an object")) && read_item(s, line, &at, d);
		cJSON_Delete(line);
	}
	jsonl_close(&at);
	return more == 0;
}

/* ---- answers */

static bool take_answer(void *user, int line, const cJSON *said, diag *d)
{
	session *s = user;
	item *i = &s->items[line];
	answer a;
	if (!answer_read(said, &a, d))
		return false;
	s->r->asked++;
	if (!answer_decides(&a, &s->r->undecided))
		return true;
	i->accepted = a.outcome == OUTCOME_PASS;
	i->refused = !i->accepted;
	if (i->accepted && s->o->wrong)
		asked_tell(s->o->wrong, &i->asked, &a);
	if (i->accepted && s->o->keep) {
		buf pass = {0}, none = {0};
		asked_keep(&pass, &i->asked, &a);
		buf_clear(&s->line);
		kept_put(&s->line, i->asked.op, &pass, &none);
		buf_free(&pass);
		i->line = s->line.failed ? NULL : arena_strdup(s->memory, s->line.text);
	}
	return diag_memory(d, i->line);
}

static bool ask(session *s, diag *d)
{
	const char **lines = malloc((s->n + (size_t)1) * sizeof *lines);
	int n = 0;
	if (!lines)
		return diag_set(d, "out of memory");
	for (uint32_t i = 0; i < s->n; i++)
		lines[i] = s->items[i].line;
	bool ok = s->n == 0 || oracle_ask(s->r->keeper.oracle, lines, (int)s->n, false, take_answer, s, d);
	for (uint32_t i = 0; ok && s->o->keep && i < s->n; i++)
		if (s->items[i].accepted)
			lines[n++] = s->items[i].line;
	ok = ok && keeper_send(&s->r->keeper, lines, n, d) && keeper_save(&s->r->keeper, d);
	free(lines);
	return ok;
}

/* ---- counting */

static int by_operator(const void *a, const void *b)
{
	const item *x = a, *y = b;
	return x->asked.op != y->asked.op ? (x->asked.op < y->asked.op ? -1 : 1) : (x->number > y->number) - (x->number < y->number);
}

static int by_clause(const void *a, const void *b)
{
	const item *x = a, *y = b;
	int order = strcmp(x->asked.op->api, y->asked.op->api);
	order = order ? order : strcmp(x->asked.breaks, y->asked.breaks);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_accepted(const void *a, const void *b)
{
	const confirm_clause *x = a, *y = b;
	if (x->accepted != y->accepted)
		return x->accepted < y->accepted ? 1 : -1;
	if (x->api_accepted != y->api_accepted)
		return x->api_accepted < y->api_accepted ? 1 : -1;
	int order = strcmp(x->api, y->api);
	return order ? order : strcmp(x->text, y->text);
}

static void count_operators(session *s)
{
	if (s->n)
		qsort(s->items, s->n, sizeof *s->items, by_operator);
	for (uint32_t from = 0, to; from < s->n; from = to) {
		const rs_op *op = s->items[from].asked.op;
		double refused = 0, counted = 0;
		for (to = from; to < s->n && s->items[to].asked.op == op; to++) {
			refused += s->items[to].refused;
			counted += s->items[to].refused || s->items[to].accepted;
		}
		sums_add(&s->r->sums[CONFIRM_ALL], refused, counted);
		sums_add(&s->r->sums[op->flags & RS_THIN ? CONFIRM_THIN : CONFIRM_OTHERS], refused, counted);
	}
}

/* Clauses are sorted by API. */
static void count_apis(confirm_result *r)
{
	for (uint32_t from = 0, to; from < r->nclauses; from = to) {
		uint32_t accepted = 0;
		for (to = from; to < r->nclauses && strcmp(r->clauses[to].api, r->clauses[from].api) == 0; to++)
			accepted += r->clauses[to].accepted;
		while (from < to)
			r->clauses[from++].api_accepted = accepted;
	}
}

static bool count_clauses(session *s, diag *d)
{
	confirm_result *r = s->r;
	r->clauses = ARENA_ARRAY(s->memory, confirm_clause, s->n + 1u);
	if (!r->clauses)
		return diag_set(d, "out of memory");
	if (s->n)
		qsort(s->items, s->n, sizeof *s->items, by_clause);
	for (uint32_t i = 0; i < s->n; i++) {
		const item *x = &s->items[i];
		confirm_clause *c = r->nclauses ? &r->clauses[r->nclauses - 1] : NULL;
		if (!x->refused && !x->accepted)
			continue;
		if (!c || strcmp(c->api, x->asked.op->api) != 0 || strcmp(c->text, x->asked.breaks) != 0) {
			c = &r->clauses[r->nclauses++];
			*c = (confirm_clause){.api = x->asked.op->api, .text = x->asked.breaks};
		}
		c->asked++;
		c->accepted += x->accepted;
		if (x->accepted && !c->in) {
			c->op = x->asked.op;
			c->in = x->asked.in;
			r->refuted++;
		}
	}
	count_apis(r);
	if (r->nclauses)
		qsort(r->clauses, r->nclauses, sizeof *r->clauses, by_accepted);
	return true;
}

bool confirm(const confirm_options *o, oracle *oracle, confirm_result *result, bool *bad, diag *d)
{
	*result = (confirm_result){.keeper.oracle = oracle, .memory = arena_new()};
	session s = {.o = o, .r = result, .memory = result->memory};
	bool ok = diag_memory(d, s.memory);
	*bad = ok && !(ok = read_items(&s, d));
	ok = ok && ask(&s, d);
	if (ok) {
		count_operators(&s);
		ok = count_clauses(&s, d);
	}
	free(s.items);
	buf_free(&s.line);
	return ok;
}

void confirm_result_free(confirm_result *result)
{
	arena_free(result->memory);
	*result = (confirm_result){0};
}
