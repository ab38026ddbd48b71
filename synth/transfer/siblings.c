#include "siblings.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"
#include "solve.h"

typedef struct member {
	const operator *op;
	char *key; /* the structure without its constants */
	int index;
} member;

typedef struct candidate {
	const rule *rule;
	const operator *of; /* its origin */
	int length;
	int apis;	  /* APIs that it agrees with */
	int failing_apis; /* of these, the APIs with failing records, which the rule rejects */
	bool *agrees;	  /* per member */
} candidate;

typedef struct group {
	const member *members;
	int n;
	candidate *candidates;
	int ncandidates;
	arena *memory;
} group;

/* ---- groups of one structure */

static char *key_of(const operator *op)
{
	char *key = need(strdup(op->structure), strlen(op->structure)), *to = key;
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

/* The operators of the list sorted by structure, then by position in the list. */
static member *sort_members(const records *r, const int *list, int n)
{
	size_t bytes = sizeof(member) * ((size_t)n + 1);
	member *members = need(malloc(bytes), bytes);
	for (int k = 0; k < n; k++)
		members[k] = (member){&r->ops[list[k]], key_of(&r->ops[list[k]]), list[k]};
	qsort(members, (size_t)n, sizeof *members, by_key);
	return members;
}

static void free_members(member *members, int n)
{
	for (int k = 0; k < n; k++)
		free(members[k].key);
	free(members);
}

static int group_end(const member *members, int from, int n)
{
	int to = from;
	while (to < n && strcmp(members[to].key, members[from].key) == 0)
		to++;
	return to;
}

/* ---- candidates: the distinct rules of a group */

static void add_candidate(group *g, const operator *op, const rule *r)
{
	for (int i = 0; i < g->ncandidates; i++)
		if (rule_equal(g->candidates[i].rule, r))
			return;
	if (g->ncandidates == MAX_CANDIDATES)
		return;
	g->candidates[g->ncandidates++] =
	    (candidate){.rule = r, .of = op, .length = rule_length(r), .agrees = NEED_ARRAY(g->memory, bool, g->n)};
}

/* Members are sorted by name, so those of one API are adjacent. */
static void count_apis(group *g, candidate *c)
{
	const char *last = "", *last_failing = "";
	for (int m = 0; m < g->n; m++) {
		const operator *op = g->members[m].op;
		c->agrees[m] = rule_agrees(op, c->rule);
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

static const candidate *best_of(const group *g, int m)
{
	const candidate *best = NULL;
	for (int i = 0; i < g->ncandidates; i++)
		if (g->candidates[i].agrees[m] && (!best || better(&g->candidates[i], best)))
			best = &g->candidates[i];
	return best;
}

/* ---- transfer */

/* Whether a rule has low support. Several APIs behind a rule suffice: APIs with failing records, if the operator has none. */
static bool has_low_support(const operator *op, const candidate *c, bool thin)
{
	if (solver_untested(op))
		return c->failing_apis < 2;
	return thin && c->apis < 3;
}

/* Another operator's rule with this operator's record counts. */
static rule adopt(const operator *op, const candidate *c, const rule *own)
{
	rule to = *c->rule;
	to.layer = "sibling";
	to.passed = (uint32_t)op->npass;
	to.failed = (uint32_t)op->nfail;
	to.thin = has_low_support(op, c, own->thin || c->rule->thin);
	return to;
}

static void log_choice(buf *log, const group *g, const candidate *best, bool taken)
{
	if (!log)
		return;
	buf_printf(log, "siblings: %d operators of this structure, %d rules; ", g->n, g->ncandidates);
	if (taken)
		buf_printf(log, "takes the rule of %s, which agrees with %d APIs (%d of them were seen to fail)\n", best->of->name,
		    best->apis, best->failing_apis);
	else if (best)
		buf_printf(log, "keeps its own, which agrees with %d APIs\n", best->apis);
	else
		buf_puts(log, "none of the rules compared agrees with its records: keeps its own\n");
}

/* Whether the operator may take another's rule. Without passing records every rule agrees, so an operator with an integer
 * constant, which the structure ignores, takes none. */
static bool may_take(const operator *op)
{
	bool constant = false;
	for (int k = 0; k < op->nargs; k++)
		constant |= op->arguments[k].fixed;
	return op->npass || !constant;
}

static int choose_in_group(const group *g, const rule *rules, rule *chosen, buf *const *logs)
{
	int taken = 0;
	for (int m = 0; m < g->n; m++) {
		int i = g->members[m].index;
		const operator *op = g->members[m].op;
		const rule *own = &rules[i];
		const candidate *best = best_of(g, m);
		bool takes = best && may_take(op) && (own->why || !rule_equal(best->rule, own));
		chosen[i] = takes ? adopt(op, best, own) : *own;
		if (best && !takes)
			chosen[i].thin = has_low_support(op, best, own->thin);
		log_choice(logs ? logs[i] : NULL, g, best, takes);
		taken += takes;
	}
	return taken;
}

static int visit_group(const member *members, int n, const rule *rules, rule *chosen, buf *const *logs)
{
	group g = {.members = members, .n = n, .memory = arena_new()};
	g.candidates = NEED_ARRAY(g.memory, candidate, MAX_CANDIDATES);
	for (int m = 0; m < n; m++)
		if (!rules[members[m].index].why)
			add_candidate(&g, members[m].op, &rules[members[m].index]);
	for (int i = 0; i < g.ncandidates; i++)
		count_apis(&g, &g.candidates[i]);
	int taken = choose_in_group(&g, rules, chosen, logs);
	arena_free(g.memory);
	return taken;
}

int siblings_choose(const records *r, const int *list, int n, rule *rules, buf *const *logs)
{
	size_t bytes = sizeof(rule) * ((size_t)r->n + 1);
	rule *chosen = need(malloc(bytes), bytes);
	member *members = sort_members(r, list, n);
	int taken = 0;
	for (int from = 0, to; from < n; from = to) {
		to = group_end(members, from, n);
		taken += visit_group(members + from, to - from, rules, chosen, logs);
	}
	for (int k = 0; k < n; k++)
		rules[list[k]] = chosen[list[k]];
	free_members(members, n);
	free(chosen);
	return taken;
}

void siblings_mark(const records *r, const bool *of, bool *marked)
{
	size_t bytes = sizeof(int) * ((size_t)r->n + 1);
	int *all = need(malloc(bytes), bytes);
	for (int i = 0; i < r->n; i++)
		all[i] = i;
	member *members = sort_members(r, all, r->n);
	for (int from = 0, to; from < r->n; from = to) {
		bool any = false;
		to = group_end(members, from, r->n);
		for (int m = from; m < to; m++)
			any |= of[members[m].index];
		for (int m = from; m < to; m++)
			marked[members[m].index] |= any;
	}
	free_members(members, r->n);
	free(all);
}
