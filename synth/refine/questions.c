#include "questions.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "clock.h"
#include "input_set.h"
#include "record_subset.h"
#include "need.h"
#include "single_violation.h"
#include "workers.h"

enum { DRAWS = 200, DRAWS_EACH = 60, DRAWS_MOST = 2000 }; /* draws per operator, per clause, and in total */

typedef struct maker {
	records *records;
	const questions_options *options;
	const rule *rules;
	const int *list; /* the operators to query */
	questions_result *parts; /* one per operator */
} maker;

/* State of a thread. */
typedef struct own {
	arena *scratch;
	prover *finder;
} own;

/* State of an operator: for each clause, a sample of inputs that violate it alone. */
typedef struct work {
	const operator *op;
	const rule *rule;
	box box;
	single_violation single_violation;
	input_set known; /* recorded or drawn before */
	int64_t **found; /* `each` inputs per clause */
	int *nfound, *nseen;
	int each;
} work;

/* Reservoir sampling: each drawn input is kept with the same probability. */
static void take(work *w, int clause, const int64_t *x)
{
	int at = w->nfound[clause];
	if (!input_set_add(&w->known, x))
		return;
	w->nseen[clause]++;
	if (at == w->each)
		at = (int)rng_below(&w->single_violation.rng, (uint32_t)w->nseen[clause]);
	else
		w->nfound[clause]++;
	if (at < w->each)
		memcpy(w->found[clause * w->each + at], x, sizeof *x * (size_t)w->op->nsym);
}

static void start(work *w, const operator *op, const rule *r, const questions_options *o, arena *memory)
{
	*w = (work){.op = op, .rule = r, .box = box_of(op, memory), .each = o->each, .known.nsym = op->nsym};
	input_set_add_records(&w->known, op);
	w->found = ARENA_ARRAY(memory, int64_t *, r->nclauses * o->each + 1);
	w->nfound = ARENA_ARRAY(memory, int, r->nclauses + 1);
	w->nseen = ARENA_ARRAY(memory, int, r->nclauses + 1);
	for (int k = 0; k < r->nclauses * o->each; k++)
		w->found[k] = ARENA_ARRAY(memory, int64_t, op->nsym + 1);
	single_violation_start(&w->single_violation, &w->box, r, XXH3_64bits_withSeed(op->name, strlen(op->name), o->seed), memory);
}

static void draw(work *w, arena *memory)
{
	int64_t *x = ARENA_ARRAY(memory, int64_t, w->op->nsym + 1);
	int draws = DRAWS + DRAWS_EACH * w->rule->nclauses;
	draws = draws < DRAWS_MOST ? draws : DRAWS_MOST;
	for (int k = 0; k < draws; k++) {
		int clause = single_violation_draw(&w->single_violation, x);
		if (clause >= 0 && !subset_leaves_open(w->op, w->rule, clause))
			take(w, clause, x);
	}
}

/* Lets Z3 search violations of the remaining clauses. Copies the rule, because another thread may use its pool. */
static void solve(work *w, own *t, questions_result *to)
{
	int64_t *x = ARENA_ARRAY(t->scratch, int64_t, w->op->nsym + 1);
	rule_store store = {0};
	rule copy;
	for (int k = 0; k < w->rule->nclauses; k++) {
		if (w->nfound[k])
			continue;
		if (subset_leaves_open(w->op, w->rule, k)) {
			to->left_open++;
			continue;
		}
		if (!store.pool) {
			store = rule_store_new();
			copy = rule_copy(store, w->rule);
			prover_reset(t->finder); /* answers must not depend on earlier operators */
		}
		unsigned seed = (unsigned)rng_next(&w->single_violation.rng) % 1000 + 1;
		verdict v = single_violation_solve(&w->box, &copy, k, store.pool, t->finder, seed, t->scratch, x);
		if (v == REFUTED)
			take(w, k, x);
		to->solved += w->nfound[k];
		to->implied += v == PROVED;
		to->open += v != PROVED && !w->nfound[k];
	}
	if (store.pool)
		rule_store_free(&store);
}

static void write_line(buf *to, const work *w, int clause, const int64_t *x)
{
	buf text = {0};
	expr_print(&text, w->rule->clauses[clause]);
	buf_puts(to, "{\"op\":");
	buf_json(to, w->op->name);
	buf_printf(to, ",\"clause\":%d,\"breaks\":", clause);
	buf_json(to, buf_text(&text));
	buf_puts(to, ",\"in\":");
	buf_ints(to, x, (size_t)w->op->nsym);
	buf_puts(to, "}\n");
	buf_end(to, &text);
}

static bool make_task(void *user, void *mine, int k)
{
	maker *m = user;
	own *t = mine;
	const operator *op = &m->records->ops[m->list[k]];
	questions_result *to = &m->parts[k];
	arena_mark mark = arena_save(t->scratch);
	work w;
	start(&w, op, &m->rules[m->list[k]], m->options, t->scratch);
	draw(&w, t->scratch);
	for (int c = 0; c < w.rule->nclauses; c++)
		to->drawn += w.nfound[c];
	solve(&w, t, to);
	for (int c = 0; c < w.rule->nclauses; c++)
		for (int i = 0; i < w.nfound[c]; i++)
			write_line(&to->lines, &w, c, w.found[c * w.each + i]);
	input_set_free(&w.known);
	to->operators = 1;
	to->clauses = w.rule->nclauses;
	arena_release(t->scratch, mark);
	return true;
}

static void *begin(void *user)
{
	own *t = need(malloc(sizeof *t), sizeof *t);
	(void)user;
	*t = (own){arena_new(), prover_new_finder()};
	return t;
}

static void end(void *user, void *mine)
{
	own *t = mine;
	(void)user;
	arena_free(t->scratch);
	prover_free(t->finder);
	free(t);
}

static bool is_wanted(const operator *op, const questions_options *o)
{
	return (!o->framework || strcmp(o->framework, op->framework) == 0)
	    && (!o->pipeline.glob || fnmatch(o->pipeline.glob, op->name, 0) == 0);
}

/* Operators with a rule and symbols. */
static int choose(const records *r, const rule *rules, const questions_options *o, int *list)
{
	int n = 0;
	for (int i = 0; i < r->n; i++)
		if (!rules[i].why && r->ops[i].nsym && r->ops[i].npass && is_wanted(&r->ops[i], o))
			list[n++] = i;
	return n;
}

/* The shard's range of the list. The cost of an operator grows with its records and clauses. */
static int take_shard(const records *r, const rule *rules, shard s, int *list, int n)
{
	int from, to;
	uint64_t *costs = need(calloc((size_t)n + 1, sizeof *costs), sizeof *costs);
	for (int k = 0; k < n; k++) {
		const operator *op = &r->ops[list[k]];
		costs[k] = 1 + (uint64_t)(op->npass + op->nfail) * (uint64_t)(rules[list[k]].nclauses + 1);
	}
	shard_range(s, costs, n, &from, &to);
	memmove(list, list + from, sizeof *list * (size_t)(to - from));
	free(costs);
	return to - from;
}

static void join(questions_result *to, questions_result *part)
{
	if (part->lines.length)
		buf_add(&to->lines, part->lines.text, part->lines.length);
	to->lines.failed |= part->lines.failed;
	to->operators += part->operators;
	to->clauses += part->clauses;
	to->drawn += part->drawn;
	to->solved += part->solved;
	to->implied += part->implied;
	to->open += part->open;
	to->left_open += part->left_open;
	buf_free(&part->lines);
}

questions_result questions_make(records *r, const questions_options *o)
{
	questions_result to = {0};
	double from = clock_seconds();
	pipeline_options all = o->pipeline;
	all.glob = NULL; /* rules of other operators contribute */
	pipeline_result solved = pipeline_run(r, &all);
	size_t room = (size_t)r->n + 1;
	int *list = need(calloc(room, sizeof *list), room * sizeof *list);
	maker m = {.records = r, .options = o, .rules = solved.rules, .list = list};
	m.parts = need(calloc(room, sizeof *m.parts), room * sizeof *m.parts);
	int n = take_shard(r, solved.rules, o->shard, list, choose(r, solved.rules, o, list));
	workers w = {.threads = o->pipeline.threads, .tasks = n, .user = &m, .begin = begin, .task = make_task, .end = end};
	if (n)
		workers_run(&w);
	for (int k = 0; k < n; k++)
		join(&to, &m.parts[k]);
	free(m.parts);
	free(list);
	pipeline_free(&solved);
	to.seconds = clock_seconds() - from;
	return to;
}
