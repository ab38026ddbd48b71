/* What one operator's records leave open, those of its siblings often settle (design, synth points 7, 8).
 *
 * Operators whose argument structure is the same, constants aside, form a group. Every rule found in the
 * group is a candidate for every member. A member takes the candidate that agrees with all of its own
 * records and, among those, with the whole records of the most APIs; then the shorter one. So an operator
 * that was never seen to fail learns from its siblings how it would.
 */
#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CANDIDATES = 400 };

typedef struct member {
	const operator *op;
	char *key; /* the form without its constants */
	int index;
} member;

typedef struct candidate {
	rule rule;	  /* in the group's pool */
	const solved *of; /* whose it is */
	int length;
	int apis;	  /* that it agrees with */
	int failing_apis; /* of these, with failing records: the rule rejects them all */
	bool *agrees;	  /* one for each member */
} candidate;

typedef struct group {
	member *members;
	int n;
	candidate *candidates;
	int ncandidates;
	expr_pool *pool;
	arena *memory;
} group;

static char *key_of(const operator *op)
{
	char *key = strdup(op->structure), *to = key;
	for (const char *c = op->structure; *c; c++)
		if (*c != 'c' && *c != ',')
			*to++ = *c;
	*to = '\0';
	return key;
}

static int by_key(const void *a, const void *b)
{
	const member *x = a, *y = b;
	int order = strcmp(x->key, y->key);
	return order ? order : x->index - y->index;
}

/* ---- candidates: the distinct rules of a group */

static bool same_texts(char *const *a, int n, char *const *b, int m)
{
	bool same = n == m;
	for (int i = 0; same && i < n; i++)
		same = strcmp(a[i], b[i]) == 0;
	return same;
}

static bool parse_rule(group *g, const operator *op, const solved *s, rule *r)
{
	*r = (rule){.nclauses = s->nvalid};
	r->out = ARENA_ARRAY(g->memory, const expr *, s->nodim + 1);
	r->clauses = ARENA_ARRAY(g->memory, const expr *, s->nvalid + 1);
	bool ok = true;
	for (int d = 0; d < s->nodim; d++)
		ok = (r->out[d] = expr_parse(g->pool, s->out[d], op->nsym, op->path, op->line, NULL)) && ok;
	for (int k = 0; k < s->nvalid; k++)
		ok = (r->clauses[k] = expr_parse(g->pool, s->valid[k], op->nsym, op->path, op->line, NULL)) && ok;
	return ok;
}

static void add_candidate(group *g, const operator *op, const solved *s)
{
	for (int i = 0; i < g->ncandidates; i++)
		if (same_texts(g->candidates[i].of->out, g->candidates[i].of->nodim, s->out, s->nodim)
		    && same_texts(g->candidates[i].of->valid, g->candidates[i].of->nvalid, s->valid, s->nvalid))
			return;
	candidate *c = &g->candidates[g->ncandidates];
	*c = (candidate){.of = s};
	if (g->ncandidates == MAX_CANDIDATES || !parse_rule(g, op, s, &c->rule))
		return;
	for (int d = 0; d < s->nodim; d++)
		c->length += 2 + c->rule.out[d]->size;
	for (int k = 0; k < s->nvalid; k++)
		c->length += 3 + c->rule.clauses[k]->size;
	c->agrees = ARENA_ARRAY(g->memory, bool, g->n);
	g->ncandidates++;
}

/* ---- who agrees with whom */

static bool agrees(const operator *op, const rule *r)
{
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = op->pass + (size_t)k * (op->nsym + op->nodim);
		if (!rule_accepts(op, r, row, row + op->nsym))
			return false;
	}
	for (int k = 0; k < op->nfail; k++)
		if (rule_accepts(op, r, op->fail + (size_t)k * op->nsym, NULL))
			return false;
	return true;
}

/* Members are in the order of names, so those of one API are neighbours. */
static void count_apis(group *g, candidate *c)
{
	const char *last = "", *last_failing = "";
	for (int m = 0; m < g->n; m++) {
		const operator *op = g->members[m].op;
		c->agrees[m] = agrees(op, &c->rule);
		if (c->agrees[m] && strcmp(op->api, last) != 0) {
			c->apis++;
			last = op->api;
		}
		if (c->agrees[m] && op->nfail && strcmp(op->api, last_failing) != 0) {
			c->failing_apis++;
			last_failing = op->api;
		}
	}
}

static bool better(const candidate *a, const candidate *b)
{
	if (a->apis != b->apis)
		return a->apis > b->apis;
	return a->length < b->length;
}

/* ---- handing over */

static char **copy_texts(char *const *texts, int n)
{
	char **to = calloc((size_t)n + 1, sizeof *to);
	for (int i = 0; i < n; i++)
		to[i] = strdup(texts[i]);
	return to;
}

/* Thin support is no longer thin when several APIs stand behind the rule: ones that were seen to fail, for
 * an operator of several tensors that never was. */
static bool is_thin(const operator *op, const candidate *c, bool thin)
{
	if (op->nfail == 0 && op->nin > 1)
		return c->failing_apis < 2;
	return thin && c->apis < 3;
}

/* A copy of another's rule, with this operator's own figures. */
static solved adopt(const operator *op, const candidate *c, const solved *own)
{
	solved to = *c->of;
	to.out = copy_texts(c->of->out, c->of->nodim);
	to.valid = copy_texts(c->of->valid, c->of->nvalid);
	to.layer = strdup("sibling");
	to.why = NULL;
	to.passed = op->npass;
	to.failed = op->nfail;
	to.thin = is_thin(op, c, own->thin || c->of->thin);
	to.seconds = own->seconds;
	to.work = own->work;
	to.cached = own->cached;
	return to;
}

static int choose_in_group(const group *g, const crew_result *c, solved *chosen)
{
	int taken = 0;
	for (int m = 0; m < g->n; m++) {
		const candidate *best = NULL;
		solved *own = &c->results[g->members[m].index];
		for (int i = 0; i < g->ncandidates; i++)
			if (g->candidates[i].agrees[m] && (!best || better(&g->candidates[i], best)))
				best = &g->candidates[i];
		if (!best || (!own->why && same_texts(best->of->out, best->of->nodim, own->out, own->nodim)
			&& same_texts(best->of->valid, best->of->nvalid, own->valid, own->nvalid))) {
			own->thin = best && is_thin(g->members[m].op, best, own->thin);
			continue;
		}
		chosen[g->members[m].index] = adopt(g->members[m].op, best, own);
		taken++;
	}
	return taken;
}

static int visit_group(member *members, int n, const crew_result *c, solved *chosen)
{
	group g = {.members = members, .n = n, .pool = expr_pool_new(), .memory = arena_new()};
	g.candidates = calloc(MAX_CANDIDATES + 1, sizeof *g.candidates);
	for (int m = 0; m < n; m++)
		if (!c->results[members[m].index].why)
			add_candidate(&g, members[m].op, &c->results[members[m].index]);
	for (int i = 0; i < g.ncandidates; i++)
		count_apis(&g, &g.candidates[i]);
	int taken = choose_in_group(&g, c, chosen);
	free(g.candidates);
	expr_pool_free(g.pool);
	arena_free(g.memory);
	return taken;
}

int siblings_choose(const records *r, crew_result *c)
{
	member *members = calloc((size_t)c->n + 1, sizeof *members);
	solved *chosen = calloc((size_t)r->n + 1, sizeof *chosen);
	int taken = 0;
	for (int k = 0; k < c->n; k++)
		members[k] = (member){&r->ops[c->todo[k]], key_of(&r->ops[c->todo[k]]), c->todo[k]};
	qsort(members, (size_t)c->n, sizeof *members, by_key);
	for (int from = 0, to; from < c->n; from = to) {
		for (to = from; to < c->n && strcmp(members[to].key, members[from].key) == 0; to++)
			;
		taken += visit_group(members + from, to - from, c, chosen);
	}
	for (int i = 0; i < r->n; i++)
		if (chosen[i].layer) {
			solved_free(&c->results[i]);
			c->results[i] = chosen[i];
		}
	for (int k = 0; k < c->n; k++)
		free(members[k].key);
	free(members);
	free(chosen);
	return taken;
}
