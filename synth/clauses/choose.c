#include "choose.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "column.h"
#include "literal.h"
#include "prices.h"
#include "weight.h"

enum { MAX_CHOSEN = 48, MAX_PAIRED = 700, MAX_CLAUSES = 100, MAX_WEIGHED = 30000, TRIPLES = 20000000, MAX_PRICE = 512, MANY = 8 };

typedef struct clause {
	int lit[3]; /* -1: unused */
	int cost;
	uint64_t *rejects; /* fail words */
	uint64_t weight;   /* falls with the cost */
	uint64_t patient;  /* falls half as fast */
	int nrejects;
	int most; /* of the open records it rejects no more */
} clause;

typedef struct clause_solver {
	literals l;
	uint64_t weights[MAX_PRICE]; /* by price */
	clause *weighed;
	int nweighed;
	uint64_t *open; /* failing records not rejected yet */
	uint64_t *stuck; /* failing records that no cheap clause rejects */
	bool patient;	 /* prices count half: one dear clause for many records stands before many that reject a few */
} clause_solver;

/* ---- clauses */

/* What a single literal pays for the passing records that it refuses. */
static int price_outliers(const clause_solver *c, const literal *x)
{
	int out = c->l.npass - x->passes;
	return out ? PRICE_OUTLIERS + PRICE_OUTLIERS_ALL * out / c->l.npass : 0;
}

static void add_clause(clause_solver *c, int i, int j, int k)
{
	const literal *x = &c->l.lits[i], *y = j < 0 ? NULL : &c->l.lits[j], *z = k < 0 ? NULL : &c->l.lits[k];
	if (c->nweighed >= MAX_WEIGHED)
		return;
	uint64_t rejects[c->l.wf];
	int n = 0;
	for (int w = 0; w < c->l.wf; w++) {
		uint64_t held = x->holds[c->l.wp + w] | (y ? y->holds[c->l.wp + w] : 0)
		    | (z ? z->holds[c->l.wp + w] : 0);
		rejects[w] = ~held & c->open[w];
		n += __builtin_popcountll(rejects[w]);
	}
	if (n == 0)
		return;
	clause *o = &c->weighed[c->nweighed++];
	*o = (clause){.lit = {i, j, k}, .nrejects = n,
	    .cost = x->cost + (y ? y->cost + PRICE_OR : price_outliers(c, x)) + (z ? z->cost + PRICE_OR : 0)};
	o->weight = o->cost < MAX_PRICE ? c->weights[o->cost] : weight_of(o->cost);
	o->patient = o->cost < MAX_PRICE ? c->weights[o->cost / 2] : weight_of(o->cost / 2);
	o->rejects = arena_alloc(c->l.s->scratch, sizeof rejects + 8);
	memcpy(o->rejects, rejects, sizeof rejects);
}

typedef struct cheap {
	int index, cost;
} cheap;

static int by_cost(const void *a, const void *b)
{
	const cheap *x = a, *y = b;
	return x->cost != y->cost ? (x->cost < y->cost ? -1 : 1) : x->index - y->index;
}

/* The literals worth pairing: neither always true nor dear; equalities that few records meet last. */
static int pick_paired(const clause_solver *c, int *to)
{
	cheap *list = ARENA_ARRAY(c->l.s->scratch, cheap, c->l.nlits + 1);
	int n = 0;
	for (int i = 0; i < c->l.nlits; i++)
		if (c->l.lits[i].passes < c->l.npass && c->l.lits[i].cost <= MOST_PAIRED)
			list[n++] = (cheap){i, c->l.lits[i].cost};
	qsort(list, (size_t)n, sizeof *list, by_cost);
	n = n < MAX_PAIRED ? n : MAX_PAIRED;
	for (int k = 0; k < n; k++)
		to[k] = list[k].index;
	return n;
}

/* What is paired, one after the other: to look at many literals for one word of each. */
typedef struct paired {
	const int *list; /* indices of literals, the cheapest first */
	int n, words;
	uint64_t *absent;  /* on which of the first 64 telling records each does not hold; those that reject nothing, on all */
	uint64_t *held;	   /* on which telling records each does, `words` words each */
	uint64_t *rejects; /* open records, wf words each */
	uint64_t *syms, last; /* last: the bits of the last of the words */
	int *cost;
} paired;

static bool covers(const uint64_t *held, const uint64_t *wanted, int words)
{
	for (int w = 0; w < words; w++)
		if (wanted[w] & ~held[w])
			return false;
	return true;
}

static bool share_bits(const uint64_t *a, const uint64_t *b, int words)
{
	for (int w = 0; w < words; w++)
		if (a[w] & b[w])
			return true;
	return false;
}

/* ---- telling records: where the literals that hold on one record hold on another as well, what covers the first covers the
 * second, which need not be looked at. Mostly a few dozens are left, one word */

/* Bit j of word i becomes bit i of word j. */
static void transpose(uint64_t *a)
{
	uint64_t mask = 0xffffffff;
	for (int j = 32; j; j >>= 1, mask ^= mask << j)
		for (int k = 0; k < 64; k = ((k | j) + 1) & ~j) {
			uint64_t t = ((a[k] >> j) ^ a[k | j]) & mask;
			a[k] ^= t << j;
			a[k | j] ^= t;
		}
}

/* For each passing record, which of n literals hold: (n + 63) / 64 words. */
static uint64_t *by_records(const clause_solver *c, const int *list, int n)
{
	int words = (n + 63) / 64;
	uint64_t *to = ARENA_ARRAY(c->l.s->scratch, uint64_t, (size_t)words * (size_t)c->l.wp * 64 + 1);
	for (int w = 0; w < c->l.wp; w++)
		for (int from = 0; from < n; from += 64) {
			uint64_t block[64] = {0};
			for (int k = from; k < n && k < from + 64; k++)
				block[k - from] = c->l.lits[list[k]].holds[w];
			transpose(block);
			for (int r = 0; r < 64; r++)
				to[(size_t)(w * 64 + r) * (size_t)words + (size_t)(from / 64)] = block[r];
		}
	return to;
}

static int telling_records(const clause_solver *c, const int *list, int n, int *to)
{
	arena *scratch = c->l.s->scratch;
	int words = (n + 63) / 64, kept = 0;
	const uint64_t *held = by_records(c, list, n);
	cheap *order = ARENA_ARRAY(scratch, cheap, c->l.npass + 1);
	for (int r = 0; r < c->l.npass; r++)
		order[r] = (cheap){r, count_bits(held + (ptrdiff_t)r * words, words)};
	qsort(order, (size_t)c->l.npass, sizeof *order, by_cost);
	for (int k = 0; k < c->l.npass; k++) {
		const uint64_t *h = held + (ptrdiff_t)order[k].index * words;
		bool told = false;
		for (int j = 0; j < kept && !told; j++)
			told = covers(h, held + (ptrdiff_t)to[j] * words, words);
		if (!told)
			to[kept++] = order[k].index;
	}
	return kept;
}

static paired paired_of(const clause_solver *c, const int *list, int n)
{
	arena *scratch = c->l.s->scratch;
	size_t room = (size_t)n + 1;
	int *told = ARENA_ARRAY(scratch, int, c->l.npass + 1), ntold = telling_records(c, list, n, told), wf = c->l.wf;
	paired p = {.list = list, .n = n, .words = (ntold + 63) / 64, .absent = ARENA_ARRAY(scratch, uint64_t, room),
	    .syms = ARENA_ARRAY(scratch, uint64_t, room), .cost = ARENA_ARRAY(scratch, int, room),
	    .rejects = ARENA_ARRAY(scratch, uint64_t, room * (size_t)(wf + 1)),
	    .last = ntold % 64 ? ((uint64_t)1 << ntold % 64) - 1 : ~(uint64_t)0};
	p.held = ARENA_ARRAY(scratch, uint64_t, room * ((size_t)p.words + 1));
	for (int k = 0; k < n; k++) {
		const literal *x = &c->l.lits[list[k]];
		uint64_t *held = p.held + (ptrdiff_t)k * p.words, any = 0;
		for (int r = 0; r < ntold; r++)
			held[r / 64] |= (x->holds[told[r] / 64] >> told[r] % 64 & 1) << r % 64;
		for (int w = 0; w < wf; w++)
			any |= p.rejects[(ptrdiff_t)k * wf + w] = c->open[w] & ~x->holds[c->l.wp + w];
		p.absent[k] = any && p.words ? ~held[0] : ~(uint64_t)0;
		p.syms[k] = x->syms;
		p.cost[k] = x->cost;
	}
	return p;
}

/* The telling records on which literal a does not hold. */
static void left_by(const paired *p, int a, uint64_t *left)
{
	left[0] = 0;
	for (int w = 0; w < p->words; w++)
		left[w] = ~p->held[(ptrdiff_t)a * p->words + w] & (w == p->words - 1 ? p->last : ~(uint64_t)0);
}

static bool is_full(const clause_solver *c)
{
	return c->nweighed >= MAX_WEIGHED;
}

static void build_pairs(clause_solver *c, const paired *p)
{
	uint64_t left[p->words + 1];
	for (int a = 0; a < p->n && !is_full(c); a++) {
		left_by(p, a, left);
		for (int b = a + 1; (b = column_first_without(p->absent, left[0], b, p->n)) < p->n; b++)
			if (covers(p->held + (ptrdiff_t)b * p->words, left, p->words))
				add_clause(c, p->list[a], p->list[b], -1);
	}
}

/* The paired literals over some symbols only: what a third literal may be. Kept for each set of symbols. */
enum { SETS = 4096 };

typedef struct within {
	uint64_t syms;
	int n, room;
	int *list;	  /* which of the paired, rising; NULL: the slot is free */
	uint64_t *absent; /* theirs */
} within;

/* A slot that is taken by another set is filled anew. */
static const within *literals_within(clause_solver *c, within *sets, const paired *p, uint64_t syms)
{
	uint32_t at = (uint32_t)(syms * 0x9e3779b97f4a7c15u >> 40) % SETS;
	within *w = &sets[at];
	if (w->list && w->syms == syms)
		return w;
	int found[MAX_PAIRED], n = 0;
	for (int k = 0; (k = column_first_without(p->syms, ~syms, k, p->n)) < p->n; k++)
		found[n++] = k;
	if (!w->list || n > w->room) {
		w->list = arena_alloc(c->l.s->scratch, sizeof *w->list * ((size_t)n + 1));
		w->absent = arena_alloc(c->l.s->scratch, sizeof *w->absent * ((size_t)n + 1));
		w->room = n;
	}
	w->syms = syms;
	w->n = n;
	for (int k = 0; k < n; k++) {
		w->list[k] = found[k];
		w->absent[k] = p->absent[found[k]];
	}
	return w;
}

/* The first of its entries that is beyond b. */
static int first_beyond(const within *w, int b)
{
	int from = 0, n = w->n;
	while (n > 0) {
		int half = n / 2;
		bool before = w->list[from + half] <= b;
		from += before ? half + 1 : 0;
		n = before ? n - half - 1 : half;
	}
	return from;
}

/* Whether there are more than three bits. */
static bool more_than_three(uint64_t bits)
{
	for (int k = 0; k < 3; k++)
		bits &= bits - 1; /* none stays none */
	return bits != 0;
}

/* x, y and what their third may be: those from `from` to `to`. */
static void add_triples(clause_solver *c, const paired *p, int a, int b, const within *third, int from, int to)
{
	int words = p->words;
	uint64_t left[words + 1], by_x[words + 1], by_y[words + 1]; /* the telling records on which neither holds, x not, y not */
	if (!share_bits(p->rejects + (ptrdiff_t)a * c->l.wf, p->rejects + (ptrdiff_t)b * c->l.wf, c->l.wf))
		return;
	left_by(p, a, by_x);
	left_by(p, b, by_y);
	for (int w = 0; w < words; w++)
		left[w] = by_x[w] & by_y[w];
	for (int k = from; (k = column_first_without(third->absent, left[0], k, to)) < to; k++) {
		const uint64_t *held = p->held + (ptrdiff_t)third->list[k] * words;
		if (covers(held, left, words) && !covers(held, by_x, words) && !covers(held, by_y, words))
			add_clause(c, p->list[a], p->list[b], p->list[third->list[k]]);
	}
}

static void build_triples(clause_solver *c, const paired *p)
{
	within *sets = ARENA_ARRAY(c->l.s->scratch, within, SETS);
	uint64_t by_x[p->words + 1];
	long budget = TRIPLES / (c->l.wp + 1);
	for (int a = 0; a < p->n && !is_full(c); a++) {
		left_by(p, a, by_x);
		for (int b = a + 1; b < p->n && budget > 0 && p->cost[a] + p->cost[b] <= MOST_TRIPLED; b++) {
			uint64_t syms = p->syms[a] | p->syms[b];
			if (more_than_three(syms) || covers(p->held + (ptrdiff_t)b * p->words, by_x, p->words))
				continue;
			const within *third = literals_within(c, sets, p, syms);
			int from = first_beyond(third, b), to = third->n - from < budget ? third->n : from + (int)budget;
			budget -= to - from;
			add_triples(c, p, a, b, third, from, to);
		}
	}
}

/* ---- the choice */

static const expr *clause_expr(const clause_solver *c, const clause *k)
{
	const expr *e = literal_expr(&c->l, k->lit[0]);
	for (int i = 1; i < 3 && k->lit[i] >= 0; i++)
		e = expr_make(c->l.s->pool, OP_OR, e, literal_expr(&c->l, k->lit[i]));
	return e;
}

static uint64_t weight_in(const clause_solver *c, const clause *k)
{
	return c->patient ? k->patient : k->weight;
}

static int count_open(const clause_solver *c, const clause *k)
{
	int n = 0;
	for (int w = 0; w < c->l.wf; w++)
		n += __builtin_popcountll(k->rejects[w] & c->open[w]);
	return n;
}

/* Open records only become fewer: what could not win with what it rejected when it was last looked at is not counted anew. */
static int best_clause(clause_solver *c)
{
	int best = -1;
	uint64_t most = 0;
	for (int i = 0; i < c->nweighed; i++) {
		clause *k = &c->weighed[i];
		if (k->most == 0 || (uint64_t)k->most * weight_in(c, k) < most)
			continue;
		k->most = count_open(c, k);
		uint64_t v = (uint64_t)k->most * weight_in(c, k);
		if (v > most || (v == most && v > 0 && expr_compare(clause_expr(c, k), clause_expr(c, &c->weighed[best])) < 0)) {
			most = v;
			best = i;
		}
	}
	return best;
}

/* Drops chosen clauses, weakest first, while the rest still rejects everything that all rejected. */
static int prune(const clause_solver *c, int *chosen, int n)
{
	for (;;) {
		int drop = -1;
		uint64_t weakest = UINT64_MAX;
		for (int i = 0; i < n; i++) {
			bool needed = false;
			for (int w = 0; !needed && w < c->l.wf; w++) {
				uint64_t others = 0;
				for (int j = 0; j < n; j++)
					others |= j == i ? 0 : c->weighed[chosen[j]].rejects[w];
				needed = (c->weighed[chosen[i]].rejects[w] & ~others) != 0;
			}
			uint64_t value = (uint64_t)c->weighed[chosen[i]].nrejects * c->weighed[chosen[i]].weight;
			if (!needed && value < weakest) {
				weakest = value;
				drop = i;
			}
		}
		if (drop < 0)
			return n;
		log_expr(c->l.s, "  superfluous: ", clause_expr(c, &c->weighed[chosen[drop]]), "  (the others reject all)");
		chosen[drop] = chosen[--n];
	}
}

/* The first failing records that no clause rejects. */
static void log_left(const clause_solver *c, int left)
{
	enum { MOST_SHOWN = 3 };
	for (int f = 0, shown = 0; c->l.s->log && left && f < c->l.nfail && shown < MOST_SHOWN; f++) {
		if (!(c->open[f / 64] >> f % 64 & 1))
			continue;
		buf text = {0};
		const int64_t *row = record_symbols(c->l.s->op, c->l.npass + f);
		for (int i = 0; i < c->l.s->op->nsym; i++)
			buf_printf(&text, "%s%lld", i ? "," : "[", (long long)row[i]);
		log_expr(c->l.s, "", NULL, "  not rejected (%d of %d left): %s]", ++shown, left, text.text);
		buf_free(&text);
	}
}

static int choose(clause_solver *c, int *chosen)
{
	uint64_t *all = arena_alloc(c->l.s->scratch, sizeof *all * (size_t)c->l.wf);
	int n = 0;
	memcpy(all, c->open, sizeof *all * (size_t)c->l.wf);
	for (int i = 0; i < c->nweighed; i++)
		c->weighed[i].most = c->weighed[i].nrejects;
	while (n < MAX_CHOSEN && count_bits(c->open, c->l.wf) > 0) {
		int k = best_clause(c);
		if (k < 0)
			break;
		chosen[n++] = k;
		log_expr(c->l.s, "  clause: ", clause_expr(c, &c->weighed[k]), "  (rejects %d, cost %d)",
		    c->weighed[k].nrejects, c->weighed[k].cost);
		for (int w = 0; w < c->l.wf; w++)
			c->open[w] &= ~c->weighed[k].rejects[w];
	}
	int left = count_bits(c->open, c->l.wf);
	log_left(c, left);
	memcpy(c->open, all, sizeof *all * (size_t)c->l.wf);
	return left ? -1 - n : prune(c, chosen, n);
}

/* ---- lifting: the same clause at other positions */

/* The symbol at another position of the same list or tensor; -1: there is none. */
static int shifted(const operator *op, int i, int by)
{
	const role *r = &op->roles[i];
	if (r->kind == ROLE_INT || (r->kind == ROLE_ITEM && r->outer_len == 0 && r->len == 1))
		return i;
	int to = i + by;
	if (r->pos + by < 0 || r->pos + by >= r->len || to < 0 || to >= op->nsym)
		return -1;
	const role *q = &op->roles[to];
	return q->kind == r->kind && q->arg == r->arg && q->tensor == r->tensor && q->list == r->list ? to : -1;
}

static const expr *shift(clause_solver *c, const expr *e, int by)
{
	const operator *op = c->l.s->op;
	bool *used = ARENA_ARRAY(c->l.s->scratch, bool, op->nsym + 1);
	int *map = ARENA_ARRAY(c->l.s->scratch, int, op->nsym + 1);
	expr_mark_syms(e, used);
	for (int i = 0; i < op->nsym; i++) {
		map[i] = used[i] ? shifted(op, i, by) : i;
		if (map[i] < 0)
			return NULL;
	}
	const expr *to = expr_copy(c->l.s->pool, e, map);
	return to == e ? NULL : to;
}

/* Whether the clause speaks of a list item or of the rule's outputs: those lift with little risk. */
static bool about_lists(const operator *op, const expr *e)
{
	if (e->op == OP_SYM)
		return op->roles[e->value].kind == ROLE_ITEM;
	return (e->a && about_lists(op, e->a)) || (e->b && about_lists(op, e->b))
	    || (e->c && about_lists(op, e->c));
}

/* A clause about an output is offered for each of them already, and another dimension's output may be another
 * expression. */
static bool about_outputs(const operator *op, const rule *r, const expr *e)
{
	for (int d = 0; d < op->nodim; d++)
		if (r->out[d] == e && e->size > 0)
			return true;
	return (e->a && about_outputs(op, r, e->a)) || (e->b && about_outputs(op, r, e->b))
	    || (e->c && about_outputs(op, r, e->c));
}

static void lift(clause_solver *c, rule *r, int from)
{
	int n = r->nclauses;
	for (int k = from; k < n; k++)
		for (int by = -7; by <= 7; by++) {
			if (r->nclauses >= MAX_CLAUSES || by == 0 || about_outputs(c->l.s->op, r, r->clauses[k]))
				continue;
			if (!about_lists(c->l.s->op, r->clauses[k]) && c->l.npass < 12)
				continue;
			const expr *e = shift(c, r->clauses[k], by);
			bool known = !e;
			for (int j = 0; !known && j < r->nclauses; j++)
				known = r->clauses[j] == e;
			if (known || !clause_holds(c->l.s->op, e))
				continue;
			log_expr(c->l.s, "  lifted: ", e, "  (from clause %d)", k + 1);
			r->clauses[r->nclauses++] = e;
		}
}

/* `a and b` as a clause is two clauses. */
static void split_conjunctions(rule *r)
{
	for (int k = 0; k < r->nclauses; k++)
		while (r->clauses[k]->op == OP_AND && r->nclauses < MAX_CLAUSES) {
			r->clauses[r->nclauses++] = r->clauses[k]->b;
			r->clauses[k] = r->clauses[k]->a;
		}
}

/* ---- the whole */

/* Failing records that the clauses so far, dimensions below 0 or the outputs' domain reject are not open. */
static void open_failures(clause_solver *c)
{
	const operator *op = c->l.s->op;
	for (int f = 0; f < c->l.nfail; f++)
		if (rule_accepts(op, c->l.s->rule, record_symbols(c->l.s->op, c->l.npass + f), NULL))
			c->open[f / 64] |= (uint64_t)1 << f % 64;
}

/* What is open and no cheap clause rejects. */
static void find_stuck(clause_solver *c)
{
	memcpy(c->stuck, c->open, sizeof *c->stuck * (size_t)c->l.wf);
	for (int k = 0; k < c->nweighed; k++)
		for (int w = 0; c->weighed[k].cost <= MOST_EASY && w < c->l.wf; w++)
			c->stuck[w] &= ~c->weighed[k].rejects[w];
}

/* Description length of a set of clauses: its literals, and the failing records that only a dear clause
 * explains. 0 when the set is as plain as can be (a few single comparisons of symbols). */
static int set_length(const clause_solver *c, const int *chosen, int n)
{
	int length = 0, plain = 1;
	for (int k = 0; k < n; k++) {
		const clause *o = &c->weighed[chosen[k]];
		length += o->cost + PRICE_CLAUSE + (o->nrejects < 3 ? PRICE_HARDLY_ASKED : 0);
		plain = plain && o->lit[1] < 0 && o->cost <= MOST_PLAIN;
	}
	return plain ? 0 : length;
}

/* Whether single literals do, and plain ones: then nothing shorter is to be found. */
static bool is_plain(clause_solver *c)
{
	int chosen[MAX_CHOSEN];
	buf *log = c->l.s->log;
	c->l.s->log = NULL;
	int n = choose(c, chosen);
	c->l.s->log = log;
	return n >= 0 && set_length(c, chosen, n) == 0;
}

static int attempt(clause_solver *c, int *chosen)
{
	c->nweighed = 0;
	for (int i = 0; i < c->l.nlits; i++)
		if (c->l.lits[i].passes >= c->l.npass - c->l.s->tolerated)
			add_clause(c, i, -1, -1);
	if (!is_plain(c)) {
		int list[MAX_PAIRED];
		paired p = paired_of(c, list, pick_paired(c, list));
		build_pairs(c, &p);
		build_triples(c, &p);
	}
	return choose(c, chosen);
}

/* Whether the set looks fitted rather than found: it is long for so few failures; or hardly any record asks for one of its
 * clauses by itself, and that is dear, or one of many and not plain. */
static bool looks_fitted(const clause_solver *c, const int *chosen, int n)
{
	int length = 0;
	for (int k = 0; k < n; k++) {
		const clause *o = &c->weighed[chosen[k]];
		int alone = 0;
		for (int w = 0; w < c->l.wf; w++) {
			uint64_t others = 0;
			for (int j = 0; j < n; j++)
				others |= j == k ? 0 : c->weighed[chosen[j]].rejects[w];
			alone += __builtin_popcountll(o->rejects[w] & ~others);
		}
		if (o->cost > (n < MANY ? MOST_UNFITTED : MOST_PLAIN) && alone < UNFITTED_ALONE)
			return true;
		length += o->cost;
	}
	return length > FITTED_LENGTH + FITTED_EACH * c->l.nfail;
}

/* Makes n chosen clauses the rule's, after its first nbase, where they are the shortest set yet. */
static void take_shorter(clause_solver *c, const int *chosen, int n, int nbase, int *shortest)
{
	rule *r = c->l.s->rule;
	int length = n < 0 ? INT_MAX : set_length(c, chosen, n);
	if (length >= *shortest)
		return;
	*shortest = length;
	r->thin = looks_fitted(c, chosen, n);
	r->nclauses = nbase + n;
	for (int k = 0; k < n; k++)
		r->clauses[nbase + k] = clause_expr(c, &c->weighed[chosen[k]]);
}

/* Until the set is as plain as can be; what is seldom right only where there is none yet, or one that looks fitted, and never
 * where passing records may be refused: with both, anything fits. */
static bool is_worth(const solver *s, int effort, int shortest, bool fitted)
{
	int usual = s->tolerated ? 2 : 3, most = s->tolerated ? 2 : 5;
	return effort < usual ? shortest > 0 : effort < most && (shortest == INT_MAX || fitted);
}

static bool search(solver *s, const expr *const *base, int nbase)
{
	clause_solver c = {0};
	rule *r = s->rule;
	literals_start(&c.l, s);
	weights_of(c.weights, MAX_PRICE);
	c.open = ARENA_ARRAY(s->scratch, uint64_t, c.l.wf + 1);
	c.stuck = ARENA_ARRAY(s->scratch, uint64_t, c.l.wf + 1);
	r->clauses = ARENA_ARRAY(s->scratch, const expr *, MAX_CLAUSES + nbase + 1);
	r->nclauses = nbase;
	for (int k = 0; k < nbase; k++)
		r->clauses[k] = base[k];
	open_failures(&c);
	if (count_bits(c.open, c.l.wf) == 0)
		return true;
	c.weighed = arena_alloc(s->scratch, sizeof *c.weighed * MAX_WEIGHED);
	literals_terms(&c.l);
	int shortest = INT_MAX;
	for (int effort = 0; is_worth(s, effort, shortest, r->thin); effort++) {
		int chosen[MAX_CLAUSES];
		log_expr(s, "", NULL, "clauses, %d failing records, effort %d", count_bits(c.open, c.l.wf), effort);
		literals_build(&c.l, effort, c.stuck);
		arena_mark mark = arena_save(s->scratch);
		int n = attempt(&c, chosen);
		take_shorter(&c, chosen, n, nbase, &shortest);
		find_stuck(&c);
		c.patient = effort > 2;
		if (c.patient)
			take_shorter(&c, chosen, choose(&c, chosen), nbase, &shortest);
		c.patient = false;
		arena_release(s->scratch, mark);
	}
	if (shortest == INT_MAX) {
		r->why = "no clauses within the budget reject every failing record and accept every passing one";
		return false;
	}
	split_conjunctions(r);
	lift(&c, r, nbase);
	return true;
}

bool clause_search(solver *s, const expr *const *base, int nbase)
{
	double from = clock_thread_seconds();
	bool ok = search(s, base, nbase);
	s->stages[STAGE_CLAUSES].seconds += clock_thread_seconds() - from;
	return ok;
}
