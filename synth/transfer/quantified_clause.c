#include "quantified_clause.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "axes.h"
#include "condition.h"
#include "api_clauses.h"
#include "costs.h"
#include "need.h"

static bool same_places(const expr_template *a, const expr_template *b)
{
	if (a->e != b->e || a->n != b->n)
		return false;
	for (int k = 0; k < a->n; k++)
		if (a->indices[k].kind != b->indices[k].kind)
			return false;
	return true;
}

/* Whether all indices with a position are at the pivot: then an axis names nothing else. */
static bool is_at_anchor(const expr_template *f)
{
	for (int k = 0; k < f->n; k++) {
		const template_index *p = &f->indices[k];
		bool has_position = p->kind < FOLD_DIMS && p->left + p->right > 0 && !template_index_stays(p, &f->pivot);
		if (p->kind == FOLD_RUN || (has_position && p->left != f->pivot.left && p->right != f->pivot.right))
			return false;
	}
	return true;
}

/* The template without axis names, if all indices are at the pivot: index ranges express axes instead. */
static expr_template without_names(const expr_template *f)
{
	expr_template plain = *f;
	for (int k = 0; k < f->n && is_at_anchor(f); k++)
		template_index_forget_names(&plain.indices[k]);
	return plain;
}

/* The index of a template's quantified clause, added if new; -1 if there are too many. */
static int find(quantified_clauses *s, const expr_template *f, bool folds)
{
	int k = 0;
	while (k < s->n && !expr_template_equal(&s->list[k].f, f))
		k++;
	if (k == MAX_QUANTIFIED)
		return -1;
	/* A constant that equals a rank or length in all signatures is more likely the constant. */
	if (k == s->n)
		s->list[s->n++] = (quantified_clause){.f = *f, .folds = folds, .cost = api_clauses_length(f->e) + expr_template_counts(f) * COST_COUNTED};
	return k;
}

/* Where an operator has which clause. */
typedef struct positions {
	uint32_t left[MAX_QUANTIFIED], right[MAX_QUANTIFIED];
} positions;

static void add(quantified_clauses *s, positions *here, const expr_template *f, bool folds)
{
	expr_template plain = without_names(f);
	int k = find(s, &plain, folds);
	if (k < 0)
		return;
	here->left[k] |= quantified_clause_position(f->pivot.left);
	here->right[k] |= quantified_clause_position(f->pivot.right);
}

static bool same_span(const clause_range *a, const clause_range *b)
{
	if (a->axis || b->axis)
		return a->axis && b->axis && a->but == b->but && strcmp(a->axis, b->axis) == 0;
	return a->positions == b->positions && a->from_left == b->from_left;
}

static void add_span(quantified_clause *s, clause_range x)
{
	for (int k = 0; k < s->nranges; k++)
		if (same_span(&s->ranges[k], &x))
			return;
	if (s->nranges < MAX_SPANS)
		s->ranges[s->nranges++] = x;
}

/* Adds the index ranges of axes whose constants name exactly these positions, or all others. Positions are counted from the
 * left. */
static void add_axes(quantified_clause *s, const operator *op, uint32_t positions)
{
	int n = s->f.pivot.end ? 0 : expr_template_pivots(&s->f, op); /* the ends of a range are no axes */
	uint32_t all = n < 32 ? ((uint32_t)1 << n) - 1 : 0;
	for (int k = 0; k < op->nargs && n > 0 && is_at_anchor(&s->f); k++) {
		axes a = axes_of(op, op->arguments[k].name, n);
		if (a.kind == AXES_GIVEN && a.n && (positions == a.positions || positions == (all & ~a.positions)))
			add_span(s, (clause_range){.axis = op->arguments[k].name, .but = positions != a.positions});
	}
}

/* Whether these are all positions of the pivot, or one position of each pair, or one half. */
static bool is_everywhere(const quantified_clause *s, const operator *op, uint32_t positions)
{
	int n = expr_template_pivots(&s->f, op), there = __builtin_popcount(positions);
	uint32_t odd = 0xaaaaaaaau, low = n < 32 ? ((uint32_t)1 << n / 2) - 1 : 0;
	bool part = (positions & odd) == 0 || (positions & ~odd) == 0 || (positions & low) == 0 || (positions & ~low) == 0;
	return there >= n || (s->f.pivot.kind == INDEX_ITEM && n % 2 == 0 && n > 2 && 2 * there >= n && part);
}

/* ---- instantiation */

/* Whether an index range contains position `left` of n. */
static bool includes_position(const operator *op, clause_range x, int left, int n)
{
	int right = n - 1 - left;
	if (x.axis) {
		axes a = axes_of(op, x.axis, n);
		return a.kind == AXES_GIVEN && (a.positions >> left & 1) != x.but;
	}
	int at = x.from_left ? left : right;
	return x.positions == EVERYWHERE || (at < 32 && x.positions >> at & 1);
}

static bool is_leaf(const expr *e)
{
	return e->op == OP_SYM || e->op == OP_CONST;
}

/* Whether a clause is a tautology: if two indices resolve to one symbol, `a > 0 or b != 1` may be one. Looks only at
 * comparisons of symbols and constants, since other expressions may be undefined. */
static bool is_always(const expr *e)
{
	if (e->op != OP_OR)
		return false;
	if (is_always(e->a) || is_always(e->b))
		return true;
	for (const expr *a = e->a;; a = a->b) {
		const expr *one = a->op == OP_OR ? a->a : a;
		bool plain = one->a && is_leaf(one->a) && is_leaf(one->b) && e->b->a && is_leaf(e->b->a) && is_leaf(e->b->b);
		if (plain && condition_related(COVERS, one, e->b))
			return true;
		if (a->op != OP_OR)
			return false;
	}
}

/* Whether both sides are equal: a clause about part of a shape, in a signature where the part is the whole. */
static bool is_itself(const expr *e)
{
	return (e->op == OP_EQ || e->op == OP_LE || e->op == OP_GE) && e->a == e->b;
}

/* The instance of a template at one position. */
typedef struct applied {
	const expr *e, *was; /* e is NULL if an index does not exist */
	uint8_t missing;
	bool known, plain, refuted; /* plain: says nothing; refuted: a false constant */
} applied;

static applied apply_at(const quantified_clause *s, instantiation how, const instance_site *site, int at, int pivots)
{
	alignment w = {.dims = how.dims, .values = how.values, .substitute = how.substitute};
	applied x = {.known = true};
	int missing;
	x.e = expr_template_apply(&s->f, site->pool, site->op, site->out, at, pivots - 1 - at, w, &missing, &x.was);
	x.missing = (uint8_t)missing;
	if (x.e && expr_max_sym(x.e) < 0) {
		x.plain = true;
		x.refuted = !expr_holds(x.e, NULL);
	} else if (x.e) {
		x.plain = rule_clause_is_trivial(site->op, x.e) || is_always(x.e) || is_itself(x.e);
	}
	return x;
}

static void add_part(parts *p, const applied *x)
{
	p->there = true;
	if (x->plain) {
		p->holds &= !x->refuted;
		return;
	}
	for (int k = 0; k < p->n; k++)
		if (p->list[k] == x->e)
			return;
	if (p->n == MAX_PARTS) {
		p->holds = false; /* too many for a readable rule */
		return;
	}
	p->list[p->n] = x->e;
	p->was[p->n++] = x->was;
}

/* ---- the cache of instances */

enum { FIRST_SLOTS = 1024, MAX_CACHED = 1 << 19 };

/* The instances in one operator at all positions, with certain outputs. */
typedef struct cached {
	const operator *op; /* NULL: free */
	uint64_t outputs;   /* 0 if the template has none */
	applied *at;
	struct cached *next; /* of the same signature, with another operator or other outputs */
	int pivots;
} cached;

/* The instances of a template with one alignment in all signatures. Loops visit all signatures, so these are neighbours. */
typedef struct block {
	uint32_t number; /* of the template; 0: a free slot */
	uint8_t dims, values, substitute, all;
	cached *signatures;
} block;

struct clause_instances {
	arena *memory; /* of the blocks */
	arena *templates_memory;
	expr_template **templates;
	int ntemplates, nsignatures;
	size_t room;
	block *slots, *last;
	size_t capacity, count; /* capacity: a power of two */
	long cached;
};

static void start_over(clause_instances *c)
{
	c->memory = arena_new();
	c->capacity = FIRST_SLOTS;
	c->slots = need(calloc(c->capacity, sizeof *c->slots), c->capacity * sizeof *c->slots);
	c->last = NULL;
	c->count = 0;
	c->cached = 0;
}

clause_instances *clause_instances_new(int nsignatures)
{
	clause_instances *c = need(malloc(sizeof *c), sizeof *c);
	*c = (clause_instances){.templates_memory = arena_new(), .nsignatures = nsignatures};
	start_over(c);
	return c;
}

void clause_instances_free(clause_instances *c)
{
	arena_free(c->memory);
	arena_free(c->templates_memory);
	free(c->templates);
	free(c->slots);
	free(c);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool identical_indices(const template_index *p, const template_index *q)
{
	return p->kind == q->kind && p->fold == q->fold && p->each == q->each && p->item == q->item && p->left == q->left && p->right == q->right
	    && p->within == q->within && p->end == q->end && p->to_left == q->to_left && p->to_right == q->to_right && p->before == q->before
	    && same_text(p->arg, q->arg) && same_text(p->copied, q->copied) && same_text(p->named, q->named) && same_text(p->to_named, q->to_named);
}

static bool identical(const expr_template *a, const expr_template *b)
{
	if (a->e != b->e || a->n != b->n || a->positional[0] != b->positional[0] || a->positional[1] != b->positional[1]
	    || !identical_indices(&a->pivot, &b->pivot))
		return false;
	for (int k = 0; k < a->n; k++)
		if (!identical_indices(&a->indices[k], &b->indices[k]))
			return false;
	return true;
}

int clause_instances_number(clause_instances *c, const expr_template *f)
{
	for (int k = 0; k < c->ntemplates; k++)
		if (identical(c->templates[k], f))
			return k + 1;
	c->templates = NEED_ROOM(c->templates, c->ntemplates, c->room);
	c->templates[c->ntemplates] = NEED_ARRAY(c->templates_memory, expr_template, 1);
	*c->templates[c->ntemplates] = *f;
	return ++c->ntemplates;
}

uint64_t clause_instances_outputs(const operator *op, const expr *const *out)
{
	return XXH3_64bits(out, sizeof *out * (size_t)op->nodim);
}

static bool has_outputs(const expr_template *f)
{
	for (int k = 0; k < f->n; k++)
		if (f->indices[k].kind == INDEX_OUT || f->indices[k].kind == FOLD_OUT)
			return true;
	return false;
}

static bool same_block(const block *a, const block *b)
{
	return a->number == b->number && a->dims == b->dims && a->values == b->values && a->substitute == b->substitute && a->all == b->all;
}

/* The block like `key`, or the free slot where it belongs. */
static block *slot_of(block *slots, size_t capacity, const block *key)
{
	uint64_t bits = (uint64_t)key->number << 32 | (uint64_t)key->dims << 24 | (uint64_t)key->values << 16 | (uint64_t)key->substitute << 8 | key->all;
	size_t at = (size_t)(bits * 0x9e3779b97f4a7c15u >> 32) & (capacity - 1);
	while (slots[at].number && !same_block(&slots[at], key))
		at = (at + 1) & (capacity - 1);
	return &slots[at];
}

static void enlarge(clause_instances *c)
{
	size_t capacity = c->capacity * 2;
	block *slots = need(calloc(capacity, sizeof *slots), capacity * sizeof *slots);
	for (size_t k = 0; k < c->capacity; k++)
		if (c->slots[k].number)
			*slot_of(slots, capacity, &c->slots[k]) = c->slots[k];
	free(c->slots);
	c->slots = slots;
	c->capacity = capacity;
}

static block *block_of(clause_instances *c, const block *key)
{
	if (c->last && same_block(c->last, key))
		return c->last;
	if (c->cached >= MAX_CACHED) { /* an API with many signatures must not use up the memory */
		arena_free(c->memory);
		free(c->slots);
		start_over(c);
	}
	if (c->count * 2 >= c->capacity)
		enlarge(c);
	block *x = slot_of(c->slots, c->capacity, key);
	if (!x->number) {
		*x = *key;
		x->signatures = NEED_ARRAY(c->memory, cached, c->nsignatures);
		c->count++;
		c->cached += c->nsignatures;
	}
	return c->last = x;
}

static cached *cached_of(const quantified_clause *s, instantiation how, const instance_site *site, bool all)
{
	clause_instances *c = site->known;
	const block key = {(uint32_t)s->number, how.dims, how.values, how.substitute, all, NULL};
	uint64_t outputs = has_outputs(&s->f) ? site->outputs : 0;
	cached *x = &block_of(c, &key)->signatures[site->signature];
	while (x->op && (x->op != site->op || x->outputs != outputs)) {
		if (!x->next) {
			x->next = NEED_ARRAY(c->memory, cached, 1);
			c->cached++;
		}
		x = x->next;
	}
	if (!x->op) {
		x->op = site->op;
		x->outputs = outputs;
		x->pivots = all ? expr_template_walked(&s->f, site->op) : expr_template_pivots(&s->f, site->op);
		x->at = NEED_ARRAY(c->memory, applied, x->pivots);
	}
	return x;
}

void quantified_clause_instantiate(parts *to, const quantified_clause *s, instantiation how, const instance_site *site)
{
	const clause_range *where = &s->ranges[how.span];
	bool all = !where->axis && where->positions == EVERYWHERE;
	cached *known = site->known && s->number ? cached_of(s, how, site, all) : NULL;
	int pivots = known ? known->pivots : all ? expr_template_walked(&s->f, site->op) : expr_template_pivots(&s->f, site->op);
	to->n = to->missing = 0;
	to->there = false;
	to->holds = true;
	for (int at = 0; at < pivots && to->holds; at++) {
		if (!includes_position(site->op, *where, at, pivots))
			continue;
		applied here = {.known = false}, *x = known ? &known->at[at] : &here;
		if (!x->known)
			*x = apply_at(s, how, site, at, pivots);
		to->missing = x->missing > to->missing ? x->missing : to->missing;
		if (x->e)
			add_part(to, x);
	}
}

/* ---- collection */

/* Whether a rule contains all instances of a clause over all positions, for some alignment with at least two. */
static bool holds_everywhere_in_rule(quantified_clause s, expr_pool *pool, const operator *op, const rule *r)
{
	s.ranges[0] = (clause_range){.positions = EVERYWHERE};
	for (int w = 0; w < WAYS; w++) {
		parts p;
		alignment x = alignment_at(w);
		if ((x.dims && !s.f.positional[0]) || (x.values && !s.f.positional[1]) || !quantified_clause_aligns(x.dims, x.values))
			continue;
		quantified_clause_instantiate(&p, &s, (instantiation){.dims = x.dims, .values = x.values}, &(instance_site){.pool = pool, .op = op, .out = r->out});
		bool all = p.n > 1 && p.holds && !p.missing;
		for (int k = 0; k < p.n && all; k++)
			all = rule_clause(r, p.list[k]) >= 0;
		if (all)
			return true;
	}
	return false;
}

/* Whether the rule has the same expression over other indices. */
static bool has_like(const quantified_clauses *s, const positions *here, int k)
{
	for (int j = 0; j < s->n; j++)
		if (j != k && here->left[j] && s->list[j].f.e == s->list[k].f.e)
			return true;
	return false;
}

void quantified_clauses_add(quantified_clauses *s, expr_pool *pool, const operator *op, const rule *r, bool everywhere)
{
	positions here = {.left = {0}};
	for (int k = 0; k < r->nclauses; k++) {
		expr_template plain, folded;
		bool is = expr_template_of(&plain, pool, op, r->clauses[k], r->out, NULL, false);
		if (is)
			add(s, &here, &plain, false);
		if (expr_template_of(&folded, pool, op, r->clauses[k], r->out, NULL, true) && !(is && same_places(&plain, &folded)))
			add(s, &here, &folded, true);
	}
	for (int k = 0; k < s->n; k++) {
		if (!here.left[k])
			continue;
		if (is_everywhere(&s->list[k], op, here.left[k])
		    || (everywhere && has_like(s, &here, k) && holds_everywhere_in_rule(s->list[k], pool, op, r)))
			add_span(&s->list[k], (clause_range){.positions = EVERYWHERE});
		add_axes(&s->list[k], op, here.left[k]);
		add_span(&s->list[k], (clause_range){.positions = here.right[k]});
		add_span(&s->list[k], (clause_range){.positions = here.left[k], .from_left = true});
	}
}

/* ---- cost */

/* Several positions are more likely than one, and all are more likely still. */
static int range_cost(clause_range x)
{
	if (x.axis)
		return COST_NAMED;
	int several = __builtin_popcount(x.positions) > 1 ? COST_ONE_ITEM / 2 : COST_ONE_ITEM;
	return (x.positions == EVERYWHERE ? 0 : several) + COST_FROM_LEFT * x.from_left;
}

/* Whether the index range and the alignment count from different ends, which is rarely meant. */
static bool is_crossed(clause_range x, int dims)
{
	return !x.axis && x.positions != EVERYWHERE && dims < AT_LEFT && x.from_left != (dims == FROM_LEFT);
}

bool quantified_clause_is_halved(const quantified_clause *s, int dims, int values)
{
	for (int k = 0; k < s->f.n && dims < AT_LEFT && values < AT_LEFT; k++)
		for (int j = 0; j < s->f.n && s->f.indices[k].kind == INDEX_ITEM && !s->f.indices[k].end; j++) {
			const template_index *p = &s->f.indices[k], *q = &s->f.indices[j];
			bool dim = q->kind == INDEX_DIM || q->kind == INDEX_OUT;
			if (dim && p->left + p->right + 1 == 2 * (q->left + q->right + 1))
				return true;
		}
	return false;
}

int quantified_clause_cost(const quantified_clause *s, int span, int dims, int values)
{
	bool every = (s->f.positional[0] && dims < AT_LEFT) || (s->f.positional[1] && alignment_moves_items(values));
	return s->cost + range_cost(s->ranges[span]) + (!every && s->f.positional[1] ? COST_ONE_ITEM : 0)
	    + (quantified_clause_is_halved(s, dims, values) ? COST_CROSSED : 0) + COST_FROM_LEFT * (dims % 2 + values % 2) + (values >= PAIRS ? COST_PAIRED : 0) + (dims == NAMED ? COST_NAMED : 0)
	    + (s->f.positional[0] && is_crossed(s->ranges[span], dims) ? COST_CROSSED : 0);
}
