#include "choose.h"

#include <limits.h>
#include <string.h>

#include "clock.h"
#include "column.h"
#include "generalize_positions.h"
#include "literal.h"
#include "need.h"
#include "costs.h"
#include "set_cover.h"

enum { MAX_CHOSEN = 48, MAX_PAIRED = 700, MAX_CLAUSES = 100, MAX_WEIGHED = 30000, TRIPLES = 20000000, MAX_PRICE = 512, MANY_CLAUSES = 8,
	MIN_LENGTH_TWO_TERMS = 80, FEW_OPEN = 20, MIN_LENGTH_THREE_TERMS = 160 };

typedef struct clause {
	int lit[3]; /* -1: unused */
	int cost;
	uint64_t *rejects; /* bits of the failing records */
	uint64_t weight;   /* decreases with the cost */
	uint64_t patient;  /* decreases half as fast */
	int nrejects;
} clause;

/* The literals that the last attempt paired, and the resulting clauses of two and three literals. A higher effort usually
 * pairs the same literals. */
typedef struct joint {
	int *list, *cost, n; /* the paired literals; n is -1 if nothing was paired */
	clause *clauses;
	int nclauses, nsingle; /* nsingle: number of clauses of one literal before them */
} joint;

typedef struct clause_solver {
	literals l;
	joint last;
	uint64_t weights[MAX_PRICE]; /* by cost */
	clause *weighed;
	int nweighed;
	uint64_t *values; /* upper bounds on the weighted number of open records that each rejects */
	uint64_t *open; /* failing records that no chosen clause rejects */
	uint64_t *stuck; /* failing records that no low-cost clause rejects */
	bool patient;	 /* costs count half: prefers one expensive clause for many records to many clauses for a few */
} clause_solver;

/* ---- clauses */

/* The penalty for the passing records that a single literal refutes. */
static int price_outliers(const clause_solver *c, const literal *x)
{
	int out = c->l.npass - x->passes;
	return out ? COST_OUTLIERS + COST_OUTLIERS_ALL * out / c->l.npass : 0;
}

static void add_clause(clause_solver *c, int i, int j, int k)
{
	const literal *x = &c->l.lits[i], *y = j < 0 ? NULL : &c->l.lits[j], *z = k < 0 ? NULL : &c->l.lits[k];
	if (c->nweighed >= MAX_WEIGHED)
		return;
	uint64_t rejects[c->l.wf];
	for (int w = 0; w < c->l.wf; w++) {
		uint64_t held = x->holds[c->l.wp + w] | (y ? y->holds[c->l.wp + w] : 0)
		    | (z ? z->holds[c->l.wp + w] : 0);
		rejects[w] = ~held & c->open[w];
	}
	int n = literal_count_bits(rejects, c->l.wf);
	if (n == 0)
		return;
	clause *o = &c->weighed[c->nweighed++];
	*o = (clause){.lit = {i, j, k}, .nrejects = n,
	    .cost = x->cost + (y ? y->cost + COST_OR : price_outliers(c, x)) + (z ? z->cost + COST_OR : 0)};
	o->weight = o->cost < MAX_PRICE ? c->weights[o->cost] : cover_weight(o->cost);
	o->patient = o->cost < MAX_PRICE ? c->weights[o->cost / 2] : cover_weight(o->cost / 2);
	o->rejects = arena_alloc(c->l.s->scratch, sizeof rejects + 8);
	memcpy(o->rejects, rejects, sizeof rejects);
}

static bool is_worth_pairing(const clause_solver *c, int i)
{
	return c->l.lits[i].passes < c->l.npass && c->l.lits[i].cost <= MOST_PAIRED;
}

/* Writes the literals worth pairing, lowest cost first, and returns their number. A counting sort by cost: qsort took 5 % of
 * the total time. */
static int pick_paired(const clause_solver *c, int *to)
{
	int first[MOST_PAIRED + 2] = {0}; /* first index per cost */
	for (int i = 0; i < c->l.nlits; i++)
		if (is_worth_pairing(c, i))
			first[c->l.lits[i].cost + 1]++;
	for (int cost = 0; cost <= MOST_PAIRED; cost++)
		first[cost + 1] += first[cost];
	int n = first[MOST_PAIRED + 1];
	for (int i = 0; i < c->l.nlits; i++) {
		int at = is_worth_pairing(c, i) ? first[c->l.lits[i].cost]++ : MAX_PAIRED;
		if (at < MAX_PAIRED)
			to[at] = i;
	}
	return n < MAX_PAIRED ? n : MAX_PAIRED;
}

/* The paired literals as arrays, so that scans touch one word per literal. */
typedef struct paired {
	const int *list; /* indices of literals, lowest cost first */
	int n, words, wf;
	uint64_t *missing; /* passing records on which each literal does not hold, `words` words each */
	uint64_t *rejects; /* open records that each literal rejects, wf words each */
	uint64_t *absent;  /* the first word of `missing`; all ones for a literal that rejects nothing */
	int *cost;
	int *group, ngroups; /* literals over the same symbols */
	uint64_t *syms;	     /* of each group */
} paired;

static int group_of(paired *p, uint64_t syms)
{
	int g = 0;
	while (g < p->ngroups && p->syms[g] != syms)
		g++;
	if (g == p->ngroups)
		p->syms[p->ngroups++] = syms;
	return g;
}

static paired paired_of(const clause_solver *c, const int *list, int n)
{
	arena *scratch = c->l.s->scratch;
	size_t room = (size_t)n + 1, words = (size_t)c->l.wp, wf = (size_t)c->l.wf;
	paired p = {.list = list, .n = n, .words = c->l.wp, .wf = c->l.wf, .absent = ARENA_ARRAY(scratch, uint64_t, room),
	    .missing = ARENA_ARRAY(scratch, uint64_t, room * words), .rejects = ARENA_ARRAY(scratch, uint64_t, room * wf),
	    .cost = ARENA_ARRAY(scratch, int, room), .group = ARENA_ARRAY(scratch, int, room),
	    .syms = ARENA_ARRAY(scratch, uint64_t, room)};
	for (int k = 0; k < n; k++) {
		const literal *x = &c->l.lits[list[k]];
		uint64_t *missing = p.missing + (size_t)k * words, *rejects = p.rejects + (size_t)k * wf, any = 0;
		for (size_t w = 0; w < words; w++)
			missing[w] = c->l.last[w] & ~x->holds[w];
		for (size_t w = 0; w < wf; w++)
			any |= rejects[w] = c->open[w] & ~x->holds[words + w];
		p.absent[k] = any ? missing[0] : ~(uint64_t)0;
		p.cost[k] = x->cost;
		p.group[k] = group_of(&p, x->syms);
	}
	return p;
}

static const uint64_t *missing_of(const paired *p, int k)
{
	return p->missing + (ptrdiff_t)k * p->words;
}

static const uint64_t *rejects_of(const paired *p, int k)
{
	return p->rejects + (ptrdiff_t)k * p->wf;
}

static bool share_bits(const uint64_t *a, const uint64_t *b, int words)
{
	for (int w = 0; w < words; w++)
		if (a[w] & b[w])
			return true;
	return false;
}

static bool is_full(const clause_solver *c)
{
	return c->nweighed >= MAX_WEIGHED;
}

static void build_pairs(clause_solver *c, const paired *p)
{
	for (int a = 0; a < p->n && !is_full(c); a++) {
		const uint64_t *left = missing_of(p, a);
		for (int b = a + 1; (b = column_first_without(p->absent, left[0], b, p->n)) < p->n; b++)
			if (!share_bits(missing_of(p, b), left, p->words))
				add_clause(c, p->list[a], p->list[b], -1);
	}
}

/* The paired literals whose symbols are in a given set: candidates for a third literal. Cached per set. */
enum { SETS = 4096 };

typedef struct literals_in {
	uint64_t syms;
	int n;
	int *list;	  /* ascending indices into the paired literals */
	uint64_t *absent; /* of each: paired.absent */
	struct literals_in *next;
} literals_in;

static literals_in *find_literals_in(clause_solver *c, const paired *p, uint64_t syms)
{
	int found[MAX_PAIRED], n = 0;
	for (int k = 0; k < p->n; k++) {
		found[n] = k;
		n += !(p->syms[p->group[k]] & ~syms);
	}
	literals_in *w = arena_alloc(c->l.s->scratch, sizeof *w);
	*w = (literals_in){.syms = syms, .n = n, .list = arena_alloc(c->l.s->scratch, sizeof *w->list * ((size_t)n + 1)),
	    .absent = arena_alloc(c->l.s->scratch, sizeof *w->absent * ((size_t)n + 1))};
	memcpy(w->list, found, sizeof *found * (size_t)n);
	for (int k = 0; k < n; k++)
		w->absent[k] = p->absent[found[k]];
	return w;
}

static const literals_in *known_literals_in(clause_solver *c, literals_in **sets, const paired *p, uint64_t syms)
{
	literals_in **at = &sets[(uint32_t)(syms * 0x9e3779b97f4a7c15u >> 40) % SETS], *w = *at;
	while (w && w->syms != syms)
		w = w->next;
	if (!w) {
		w = find_literals_in(c, p, syms);
		w->next = *at;
		*at = w;
	}
	return w;
}

/* Whether a word has more than three bits set. */
static bool more_than_three(uint64_t bits)
{
	for (int k = 0; k < 3; k++)
		bits &= bits - 1; /* 0 stays 0 */
	return bits != 0;
}

/* Candidates for the third literal beside one literal and those of a group. Those from index `from` on come after the last of
 * the group. */
typedef struct thirds {
	const literals_in *of; /* NULL: not computed yet */
	int from;
	bool wide; /* the two literals have more than three symbols */
} thirds;

/* Adds clauses of x, y and each candidate before index `to`. */
static void add_triples(clause_solver *c, const paired *p, int a, int b, const thirds *third, int to)
{
	const uint64_t *by_x = missing_of(p, a), *by_y = missing_of(p, b);
	const int *list = third->of->list, words = p->words;
	uint64_t left[words]; /* passing records on which neither holds */
	for (int w = 0; w < words; w++)
		left[w] = by_x[w] & by_y[w];
	for (int k = third->from; (k = column_first_without(third->of->absent, left[0], k, to)) < to; k++) {
		const uint64_t *by_z = missing_of(p, list[k]);
		if (!share_bits(by_z, left, words) && share_bits(by_z, by_x, words) && share_bits(by_z, by_y, words))
			add_clause(c, p->list[a], p->list[b], p->list[list[k]]);
	}
}

static void build_triples(clause_solver *c, const paired *p)
{
	literals_in **sets = ARENA_ARRAY(c->l.s->scratch, literals_in *, SETS);
	thirds *beside = ARENA_ARRAY(c->l.s->scratch, thirds, p->ngroups + 1);
	long budget = TRIPLES / (c->l.wp + 1);
	for (int a = 0; a < p->n && !is_full(c); a++) {
		for (int g = 0; g < p->ngroups; g++)
			beside[g] = (thirds){.wide = more_than_three(p->syms[p->group[a]] | p->syms[g])};
		for (int b = a + 1; b < p->n && budget > 0 && p->cost[a] + p->cost[b] <= MOST_TRIPLED; b++) {
			thirds *third = &beside[p->group[b]];
			if (third->wide || !share_bits(missing_of(p, a), missing_of(p, b), p->words))
				continue;
			if (!third->of)
				third->of = known_literals_in(c, sets, p, p->syms[p->group[a]] | p->syms[p->group[b]]);
			while (third->from < third->of->n && third->of->list[third->from] <= b)
				third->from++;
			int all = third->of->n - third->from, to = all < budget ? third->of->n : third->from + (int)budget;
			budget -= to - third->from;
			if (share_bits(rejects_of(p, a), rejects_of(p, b), p->wf))
				add_triples(c, p, a, b, third, to);
		}
	}
}

/* Whether the clauses of the last attempt can be reused: the same literals were paired at the same costs, and there was as
 * much room for the result. */
static bool is_as_before(const clause_solver *c, const paired *p)
{
	const joint *o = &c->last;
	size_t bytes = sizeof(int) * (size_t)p->n;
	return o->n == p->n && memcmp(o->list, p->list, bytes) == 0 && memcmp(o->cost, p->cost, bytes) == 0
	    && (c->nweighed >= o->nsingle || o->nsingle + o->nclauses < MAX_WEIGHED);
}

static void take_joint(clause_solver *c)
{
	const joint *o = &c->last;
	int room = MAX_WEIGHED - c->nweighed, n = o->nclauses < room ? o->nclauses : room;
	memcpy(c->weighed + c->nweighed, o->clauses, sizeof *o->clauses * (size_t)n);
	c->nweighed += n;
}

/* Adds the clauses of two and three literals, or reuses those of the last attempt. */
static void build_joint(clause_solver *c)
{
	arena *scratch = c->l.s->scratch;
	int *list = ARENA_ARRAY(scratch, int, MAX_PAIRED);
	paired p = paired_of(c, list, pick_paired(c, list));
	if (is_as_before(c, &p)) {
		take_joint(c);
		return;
	}
	c->last = (joint){.list = list, .cost = p.cost, .n = p.n, .nsingle = c->nweighed};
	build_pairs(c, &p);
	build_triples(c, &p);
	c->last.nclauses = c->nweighed - c->last.nsingle;
	c->last.clauses = arena_alloc(scratch, sizeof *c->weighed * ((size_t)c->last.nclauses + 1));
	memcpy(c->last.clauses, c->weighed + c->last.nsingle, sizeof *c->weighed * (size_t)c->last.nclauses);
}

/* ---- set cover */

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

/* Open records only decrease, so values do, too: clauses that cannot win with their last value are not recounted. */
static int best_clause(clause_solver *c)
{
	int best = -1;
	uint64_t most = 0;
	for (int i = 0; i < c->nweighed; i++) {
		if (c->values[i] == 0 || c->values[i] < most)
			continue;
		const clause *k = &c->weighed[i];
		uint64_t v = c->values[i] = (uint64_t)column_common_bits(k->rejects, c->open, c->l.wf) * weight_in(c, k);
		if (v > most || (v == most && v > 0 && expr_compare(clause_expr(c, k), clause_expr(c, &c->weighed[best])) < 0)) {
			most = v;
			best = i;
		}
	}
	return best;
}

/* Logs the first failing records that no clause rejects. */
static void log_left(const clause_solver *c, int left)
{
	enum { MAX_SHOWN = 3 };
	for (int f = 0, shown = 0; c->l.s->log && left && f < c->l.nfail && shown < MAX_SHOWN; f++) {
		if (!(c->open[f / 64] >> f % 64 & 1))
			continue;
		buf text = {0};
		const int64_t *row = record_symbols(c->l.s->op, c->l.npass + f);
		for (int i = 0; i < c->l.s->op->nsym; i++)
			buf_printf(&text, "%s%lld", i ? "," : "[", (long long)row[i]);
		solver_log(c->l.s, "", NULL, "  not rejected (%d of %d left): %s]", ++shown, left, text.text);
		buf_free(&text);
	}
}

/* Drops superfluous chosen clauses, weakest first. */
static int prune(const clause_solver *c, const cover *all, int *chosen, int n)
{
	for (;;) {
		int drop = -1;
		uint64_t weakest = UINT64_MAX;
		for (int i = 0; i < n; i++) {
			uint64_t value = (uint64_t)c->weighed[chosen[i]].nrejects * c->weighed[chosen[i]].weight;
			if (value < weakest && cover_is_superfluous(all, chosen, n, i)) {
				weakest = value;
				drop = i;
			}
		}
		if (drop < 0)
			return n;
		solver_log(c->l.s, "  superfluous: ", clause_expr(c, &c->weighed[chosen[drop]]), "  (the others reject all)");
		chosen[drop] = chosen[--n];
	}
}

static enum replacement replacement_of(const void *user, int i, int k)
{
	const clause_solver *c = user;
	const expr *a = clause_expr(c, &c->weighed[i]), *b = clause_expr(c, &c->weighed[k]);
	return cover_narrows(a, b) ? REPLACE_STRONGER : cover_fixes(c->l.s->op, a, b) ? REPLACE_FIXED : REPLACE_NO;
}

/* Replaces several clauses by one where that is shorter. */
static int shorten(const clause_solver *c, const cover *all, int *chosen, int n)
{
	int *old = ARENA_ARRAY(c->l.s->scratch, int, n), m = n;
	memcpy(old, chosen, sizeof *old * (size_t)n);
	n = cover_shorten(all, chosen, n, c->l.s->scratch);
	for (int k = 0; k < n; k++) {
		bool known = false;
		for (int j = 0; j < m && !known; j++)
			known = old[j] == chosen[k];
		if (!known)
			solver_log(c->l.s, "  replaces several: ", clause_expr(c, &c->weighed[chosen[k]]), "  (cost %d)",
			    c->weighed[chosen[k]].cost);
	}
	return n;
}

/* Drops superfluous clauses among n chosen ones and shortens the rest. */
static int simplify(const clause_solver *c, int *chosen, int n)
{
	arena *scratch = c->l.s->scratch;
	if (n < 2)
		return n;
	const uint64_t **rejects = ARENA_ARRAY(scratch, const uint64_t *, c->nweighed);
	int *costs = ARENA_ARRAY(scratch, int, c->nweighed);
	for (int i = 0; i < c->nweighed; i++) {
		rejects[i] = c->weighed[i].rejects;
		costs[i] = c->weighed[i].cost;
	}
	cover all = {.rejects = rejects, .costs = costs, .n = c->nweighed, .words = c->l.wf, .replacement_of = replacement_of, .user = c};
	return shorten(c, &all, chosen, prune(c, &all, chosen, n));
}

static int choose(clause_solver *c, int *chosen)
{
	uint64_t *all = arena_alloc(c->l.s->scratch, sizeof *all * (size_t)c->l.wf);
	int n = 0;
	memcpy(all, c->open, sizeof *all * (size_t)c->l.wf);
	for (int i = 0; i < c->nweighed; i++)
		c->values[i] = (uint64_t)c->weighed[i].nrejects * weight_in(c, &c->weighed[i]);
	while (n < MAX_CHOSEN && literal_count_bits(c->open, c->l.wf) > 0) {
		int k = best_clause(c);
		if (k < 0)
			break;
		chosen[n++] = k;
		solver_log(c->l.s, "  clause: ", clause_expr(c, &c->weighed[k]), "  (rejects %d, cost %d)",
		    c->weighed[k].nrejects, c->weighed[k].cost);
		for (int w = 0; w < c->l.wf; w++)
			c->open[w] &= ~c->weighed[k].rejects[w];
	}
	int left = literal_count_bits(c->open, c->l.wf);
	log_left(c, left);
	memcpy(c->open, all, sizeof *all * (size_t)c->l.wf);
	return left ? -1 - n : simplify(c, chosen, n);
}

/* ---- the search */

/* Splits each clause `a and b` into two. */
static void split_conjunctions(rule *r)
{
	for (int k = 0; k < r->nclauses; k++)
		while (r->clauses[k]->op == OP_AND && r->nclauses < MAX_CLAUSES) {
			r->clauses[r->nclauses++] = r->clauses[k]->b;
			r->clauses[k] = r->clauses[k]->a;
		}
}

/* Opens the failing records that neither the current clauses nor the domain of the outputs reject. */
static void open_failures(clause_solver *c)
{
	const operator *op = c->l.s->op;
	for (int f = 0; f < c->l.nfail; f++)
		if (rule_accepts(op, c->l.s->rule, record_symbols(c->l.s->op, c->l.npass + f), NULL))
			c->open[f / 64] |= (uint64_t)1 << f % 64;
}

/* Open records that no low-cost clause rejects. */
static void find_stuck(clause_solver *c)
{
	memcpy(c->stuck, c->open, sizeof *c->stuck * (size_t)c->l.wf);
	for (int k = 0; k < c->nweighed; k++)
		for (int w = 0; c->weighed[k].cost <= MOST_EASY && w < c->l.wf; w++)
			c->stuck[w] &= ~c->weighed[k].rejects[w];
}

/* Description length of a set of clauses, with a penalty for clauses that reject fewer than three records. 0 if the set is
 * minimal: a few single comparisons. */
static int set_length(const clause_solver *c, const int *chosen, int n)
{
	int length = 0, plain = 1;
	for (int k = 0; k < n; k++) {
		const clause *o = &c->weighed[chosen[k]];
		length += o->cost + COST_CLAUSE + (o->nrejects < 3 ? COST_LOW_SUPPORT : 0);
		plain = plain && o->lit[1] < 0 && o->cost <= MOST_PLAIN;
	}
	return plain ? 0 : length;
}

/* Whether plain single literals suffice. Then there is nothing shorter to find. */
static bool is_plain(clause_solver *c)
{
	int chosen[MAX_CHOSEN];
	buf *log = c->l.s->log;
	c->l.s->log = NULL;
	int n = choose(c, chosen);
	c->l.s->log = log;
	return n >= 0 && set_length(c, chosen, n) == 0;
}

/* Whether a literal can be a clause by itself. A bound by a constant other than 0 cannot if it refutes passing records: with
 * a few exceptions some bound always fits. */
static bool may_be_clause(const clause_solver *c, int i)
{
	const literal *x = &c->l.lits[i];
	if (x->passes == c->l.npass)
		return true;
	bool equates = x->op == OP_EQ || x->op == OP_NE, number = x->x && !x->y;
	return x->passes >= c->l.npass - c->l.s->tolerated
	    && (!number || x->constant == 0 || (equates && cost_is_plain_number(x->constant)));
}

static int attempt(clause_solver *c, int *chosen)
{
	c->nweighed = 0;
	for (int i = 0; i < c->l.nlits; i++)
		if (may_be_clause(c, i))
			add_clause(c, i, -1, -1);
	if (!is_plain(c))
		build_joint(c);
	return choose(c, chosen);
}

/* Whether the clause says that a symbol is a constant multiple of another. It counts as plain despite its cost: weights of
 * recurrent layers. */
static bool is_multiple(const expr *e)
{
	return e->op == OP_EQ && e->a->op == OP_SYM && e->b->op == OP_MUL && e->b->a->op == OP_CONST && e->b->b->op == OP_SYM;
}

/* Whether the set looks overfitted: long for so few failures, or with a costly clause that hardly any record requires by
 * itself. */
static bool looks_overfitted(const clause_solver *c, const int *chosen, int n)
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
		const expr *e = clause_expr(c, o);
		bool costly = o->cost > MOST_UNFITTED || (n >= MANY_CLAUSES && o->cost > MOST_PLAIN && !is_multiple(e));
		if (costly && alone < UNFITTED_ALONE) {
			solver_log(c->l.s, "looks overfitted: ", e, "  (cost %d, rejects %d alone)", o->cost, alone);
			return true;
		}
		length += o->cost;
	}
	return length > FITTED_LENGTH + FITTED_EACH * c->l.nfail;
}

/* Makes n chosen clauses those of the rule, after its first nbase, if they are the shortest set yet. */
static void keep_shorter(clause_solver *c, const int *chosen, int n, int nbase, int *shortest)
{
	rule *r = c->l.s->rule;
	int length = n < 0 ? INT_MAX : set_length(c, chosen, n);
	if (length >= *shortest)
		return;
	*shortest = length;
	r->thin = looks_overfitted(c, chosen, n);
	r->nclauses = nbase + n;
	for (int k = 0; k < n; k++)
		r->clauses[nbase + k] = clause_expr(c, &c->weighed[chosen[k]]);
}

/* Whether to try an effort. Regular efforts run until the set is minimal. Fallback efforts run only if there is no set yet or
 * it looks overfitted, and never if passing records may be refuted: with both, anything fits. */
static bool is_worth_trying(const solver *s, int effort, int shortest, bool fitted)
{
	int usual = s->tolerated ? 2 : 3, most = s->tolerated ? 2 : 5;
	return effort < usual ? shortest > 0 : effort < most && (shortest == INT_MAX || fitted);
}

/* Skips efforts that measurements showed to be useless. Effort 2 improved none of 1,294 short sets. Effort 4 found none of
 * 283 sets that effort 3 did not. Effort 1 improved none of 434 still shorter sets that reject more than a few records. */
static bool is_hopeless(const clause_solver *c, int effort, int shortest)
{
	bool many_open = literal_count_bits(c->open, c->l.wf) > FEW_OPEN;
	return effort == 1 ? shortest < MIN_LENGTH_TWO_TERMS && many_open : effort == 2 ? shortest < MIN_LENGTH_THREE_TERMS
	    : effort == 4 && shortest == INT_MAX;
}

static bool search(solver *s, const expr *const *base, int nbase)
{
	clause_solver c = {0};
	rule *r = s->rule;
	literal_start(&c.l, s);
	cover_weights(c.weights, MAX_PRICE);
	c.open = ARENA_ARRAY(s->scratch, uint64_t, c.l.wf + 1);
	c.stuck = ARENA_ARRAY(s->scratch, uint64_t, c.l.wf + 1);
	r->clauses = ARENA_ARRAY(s->scratch, const expr *, MAX_CLAUSES + nbase + 1);
	r->nclauses = nbase;
	for (int k = 0; k < nbase; k++)
		r->clauses[k] = base[k];
	open_failures(&c);
	if (literal_count_bits(c.open, c.l.wf) == 0)
		return true;
	c.weighed = arena_alloc(s->scratch, sizeof *c.weighed * MAX_WEIGHED);
	c.values = arena_alloc(s->scratch, sizeof *c.values * MAX_WEIGHED);
	literal_add_terms(&c.l);
	c.last.n = -1;
	int shortest = INT_MAX;
	for (int effort = 0; is_worth_trying(s, effort, shortest, r->thin); effort++) {
		int chosen[MAX_CLAUSES];
		if (is_hopeless(&c, effort, shortest))
			continue;
		solver_log(s, "", NULL, "clauses, %d failing records, effort %d", literal_count_bits(c.open, c.l.wf), effort);
		literal_build(&c.l, effort, c.stuck);
		if (effort == 3) /* the literals start over */
			c.last.n = -1;
		int n = attempt(&c, chosen);
		keep_shorter(&c, chosen, n, nbase, &shortest);
		find_stuck(&c);
		c.patient = effort > 2;
		if (c.patient)
			keep_shorter(&c, chosen, choose(&c, chosen), nbase, &shortest);
		c.patient = false;
	}
	if (shortest == INT_MAX) {
		r->why = "no clauses within the budget reject every failing record and accept every passing one";
		return false;
	}
	split_conjunctions(r);
	generalize_positions(s, nbase, MAX_CLAUSES + nbase);
	return true;
}

bool choose_clauses(solver *s, const expr *const *base, int nbase)
{
	double from = clock_thread_seconds();
	bool ok = search(s, base, nbase);
	s->stages[STAGE_CLAUSES].seconds += clock_thread_seconds() - from;
	return ok;
}

bool choose_clauses_kept(solver *s, const expr *const *base, int nbase, arena *memory)
{
	arena_mark mark = arena_save(s->scratch);
	bool ok = choose_clauses(s, base, nbase);
	const expr **kept = NEED_ARRAY(memory, const expr *, s->rule->nclauses);
	memcpy(kept, s->rule->clauses, sizeof *kept * (size_t)s->rule->nclauses);
	s->rule->clauses = kept;
	arena_release(s->scratch, mark);
	return ok;
}
