#include "rivals.h"

#include <stdlib.h>
#include <string.h>

#include "points.h"
#include "costs.h"

enum {
	MAX_BRANCHES = 8,
	MAX_OUTPUTS = 32,
	MAX_CLAUSES = 88,
	MAX_LITERALS = 56,
	MAX_DOMAIN = 8,
	MAX_TERMS = 40,
	MAX_FOUND = 4096, /* literals before those with the lowest cost are selected */
};

/* ---- comparison on one input */

static bool output_differs(const expr *a, const expr *b, const int64_t *x)
{
	wide v, w;
	return expr_eval(a, x, &v) && (!expr_eval(b, x, &w) || v != w);
}

bool rival_differs(const rivals *s, int k, const rule_view *v, const int64_t *x)
{
	const rival *r = &s->list[k];
	switch ((enum rival_kind)r->kind) {
	case RIVAL_OUTPUT:
		return v->accepts && output_differs(s->rule->out[r->at], r->e, x);
	case RIVAL_WITHOUT:
		return v->only == r->at && v->outside < 0;
	case RIVAL_CLAUSE:
		return v->outside < 0 && (v->failing ? v->only == r->at && expr_holds(r->e, x) : !expr_holds(r->e, x));
	case RIVAL_LITERAL:
		return v->accepts && !expr_holds(r->e, x);
	case RIVAL_DOMAIN:
		return !v->failing && v->outside == r->at;
	}
	return false;
}

/* Whether an output is nonnegative without a condition. */
static bool is_dimension(const operator *op, const expr *e)
{
	return (e->op == OP_SYM && op->roles[e->value].kind == ROLE_DIM) || (e->op == OP_CONST && e->value >= 0);
}

bool rival_distinction(const rivals *s, int k, bool linear, const expr **conditions, distinction *to)
{
	const rival *r = &s->list[k];
	const rule *own = s->rule;
	const expr *zero = expr_const(s->pool, 0);
	bool replaced = r->kind == RIVAL_WITHOUT || r->kind == RIVAL_CLAUSE, easier = linear && r->from;
	to->n = 0;
	to->holds = conditions;
	to->b = NULL;
	for (int j = 0; j < own->nclauses; j++)
		if (!(replaced && j == r->at))
			conditions[to->n++] = own->clauses[j];
	for (int d = 0; d < s->op->nodim; d++)
		if (!is_dimension(s->op, own->out[d]) && !(r->kind == RIVAL_DOMAIN && d >= r->at))
			conditions[to->n++] = expr_make(s->pool, OP_GE, own->out[d], zero);
	for (int j = to->n - 1; linear && j >= 0; j--)
		if (!is_linear(conditions[j])) {
			conditions[j] = conditions[--to->n];
			easier = true;
		}
	switch ((enum rival_kind)r->kind) {
	case RIVAL_OUTPUT:
		to->a = own->out[r->at];
		to->b = r->e;
		break;
	case RIVAL_WITHOUT: /* e is NULL */
	case RIVAL_CLAUSE:
		to->a = own->clauses[r->at];
		to->b = r->e;
		break;
	case RIVAL_LITERAL:
		to->a = r->e;
		break;
	case RIVAL_DOMAIN:
		to->a = expr_make(s->pool, OP_GE, own->out[r->at], zero);
		break;
	}
	if (linear && r->from) {
		to->a = r->from;
		to->b = r->to;
	}
	return easier;
}

void rival_print(buf *to, const rivals *s, int k)
{
	const rival *r = &s->list[k];
	const char *const before[] = {[RIVAL_OUTPUT] = "output %d is ", [RIVAL_WITHOUT] = "not ", [RIVAL_CLAUSE] = "",
	    [RIVAL_LITERAL] = "also ", [RIVAL_DOMAIN] = "output %d without a value"};
	buf_printf(to, before[r->kind], r->at);
	if (r->e)
		expr_print(to, r->e);
	if (r->kind == RIVAL_CLAUSE)
		buf_puts(to, " instead of ");
	if (r->kind == RIVAL_CLAUSE || r->kind == RIVAL_WITHOUT)
		expr_print(to, s->rule->clauses[r->at]);
}

/* ---- collection */

typedef struct collector {
	rivals *to;
	const operator *op;
	const rule *rule;
	expr_pool *pool;
	arena *scratch;
	rule_view *views; /* of all records: passing, then failing */
	int most;    /* limit of the list for the current kind */
	int at;
	uint8_t kind;
} collector;

/* Whether rival k agrees with every record. */
static bool agrees(const collector *c, int k)
{
	for (int r = 0; r < c->op->npass + c->op->nfail; r++)
		if (rival_differs(c->to, k, &c->views[r], record_symbols(c->op, r)))
			return false;
	return true;
}

static void add_changed(collector *c, const expr *e, int cost, const expr *from, const expr *with)
{
	rivals *to = c->to;
	if (to->n >= c->most)
		return;
	for (int k = 0; k < to->n; k++)
		if (to->list[k].kind == c->kind && to->list[k].at == c->at && to->list[k].e == e)
			return;
	to->list[to->n] = (rival){.kind = c->kind, .at = c->at, .cost = cost, .e = e, .from = from, .to = with};
	if (agrees(c, to->n))
		to->n++;
}

static void add(collector *c, const expr *e, int cost)
{
	add_changed(c, e, cost, NULL, NULL);
}

/* ---- changes of one node of an expression */

typedef struct frame { /* the path from a node to the root */
	const struct frame *up;
	const expr *parent;
	int which; /* index in the parent's arguments: 0 a, 1 b, 2 c */
} frame;

static const expr *rebuild(expr_pool *pool, const expr *e, const frame *f)
{
	for (; f; f = f->up) {
		const expr *p = f->parent;
		if (p->op == OP_ITE)
			e = expr_ite(pool, f->which == 2 ? e : p->c, f->which == 0 ? e : p->a, f->which == 1 ? e : p->b);
		else
			e = expr_make(pool, p->op, f->which == 0 ? e : p->a, f->which == 1 ? e : p->b);
	}
	return e;
}

static void offer(collector *c, const expr *node, const expr *e, const frame *f)
{
	const expr *whole = rebuild(c->pool, e, f);
	add_changed(c, whole, whole->size, node, e);
}

static const expr *binary(collector *c, enum op op, const expr *a, const expr *b)
{
	return expr_make(c->pool, op, a, b);
}

/* Replaces a symbol by its bounds at 0 and 1, its value if it is constant on the records, and other symbols of its kind. */
static void vary_symbol(collector *c, const expr *e, const frame *f)
{
	const operator *op = c->op;
	int64_t value = op->npass ? op->pass[e->value] : 0;
	bool constant = op->npass > 0;
	for (int k = 1; constant && k < op->npass; k++)
		constant = record_symbols(op, k)[e->value] == value;
	if (constant)
		offer(c, e, expr_const(c->pool, value), f);
	offer(c, e, binary(c, OP_MAX, e, expr_const(c->pool, 1)), f);
	offer(c, e, binary(c, OP_MAX, e, expr_const(c->pool, 0)), f);
	offer(c, e, binary(c, OP_MIN, e, expr_const(c->pool, 1)), f);
	for (int i = 0; i < op->nsym && i < 24; i++)
		if (i != e->value && (op->roles[i].kind == ROLE_DIM) == (op->roles[e->value].kind == ROLE_DIM))
			offer(c, e, expr_sym(c->pool, i), f);
}

static void vary_comparison(collector *c, const expr *e, const frame *f)
{
	for (int k = 0; k < 2; k++)
		offer(c, e, binary(c, OPS[e->op].near[k], e->a, e->b), f);
	if (e->b->op != OP_CONST) { /* a constant is changed by itself */
		const expr *one = expr_const(c->pool, 1);
		offer(c, e, binary(c, e->op, binary(c, OP_ADD, e->a, one), e->b), f);
		offer(c, e, binary(c, e->op, e->a, binary(c, OP_ADD, e->b, one)), f);
	}
}

static void vary(collector *c, const expr *e, const frame *f, bool symbols)
{
	if (e->op == OP_CONST) {
		offer(c, e, expr_const(c->pool, e->value + 1), f);
		offer(c, e, expr_const(c->pool, e->value - 1), f);
		return;
	}
	if (e->op == OP_SYM) {
		if (symbols)
			vary_symbol(c, e, f);
		return;
	}
	if (e->op == OP_OR || e->op == OP_AND) {
		offer(c, e, e->a, f);
		offer(c, e, e->b, f);
	} else if (expr_is_bool(e)) {
		vary_comparison(c, e, f);
	} else if (e->op == OP_DIV) {
		const expr *less = binary(c, OP_SUB, e->b, expr_const(c->pool, 1));
		offer(c, e, binary(c, OP_DIV, binary(c, OP_ADD, e->a, less), e->b), f);
	}
	const expr *children[3] = {e->a, e->b, e->c};
	for (int k = 0; k < 3 && c->to->n < c->most; k++) {
		frame down = {f, e, k};
		if (children[k])
			vary(c, children[k], &down, symbols);
	}
}

/* ---- branches that no passing record takes */

/* Replaces each choice by one branch. If records take both branches, neither agrees with them. */
static void vary_choices(collector *c, const expr *e, const frame *f)
{
	const expr *children[3] = {e->a, e->b, e->c};
	if (e->op == OP_ITE) {
		offer(c, e, e->a, f);
		offer(c, e, e->b, f);
	}
	for (int k = 0; k < 3 && e->op != OP_CONST && e->op != OP_SYM; k++) {
		frame down = {f, e, k};
		if (children[k])
			vary_choices(c, children[k], &down);
	}
}

static void collect_branches(collector *c)
{
	c->most = c->to->n + MAX_BRANCHES;
	c->kind = RIVAL_OUTPUT;
	for (c->at = 0; c->at < c->op->nodim; c->at++)
		vary_choices(c, c->rule->out[c->at], NULL);
	c->kind = RIVAL_CLAUSE;
	for (c->at = 0; c->at < c->rule->nclauses; c->at++)
		vary_choices(c, c->rule->clauses[c->at], NULL);
	c->to->branches = c->to->n;
}

/* ---- outputs */

/* Alternatives to a copy or constant with the same column. */
static void vary_plain_output(collector *c, int d)
{
	const expr *e = c->rule->out[d];
	for (int i = 0; i < c->op->nsym; i++)
		if (expr_sym(c->pool, i) != e)
			add(c, expr_sym(c->pool, i), 1);
	if (e->op == OP_SYM && c->op->npass) {
		add(c, expr_const(c->pool, c->op->pass[c->op->nsym + d]), 2);
		add(c, binary(c, OP_MAX, e, expr_const(c->pool, 1)), 3);
	}
}

static void collect_outputs(collector *c, const expr *const *offered, const int *where, int n)
{
	int from = c->to->n, each = c->op->nodim ? MAX_OUTPUTS / c->op->nodim : 0;
	each = each < 3 ? 3 : each > 16 ? 16 : each;
	c->kind = RIVAL_OUTPUT;
	for (int d = 0; d < c->op->nodim; d++) {
		const expr *e = c->rule->out[d];
		bool known = false; /* outputs with one expression have the same rivals */
		for (int k = 0; k < d && !known; k++)
			known = c->rule->out[k] == e;
		c->at = d;
		c->most = c->to->n + each < from + MAX_OUTPUTS ? c->to->n + each : from + MAX_OUTPUTS;
		for (int k = 0; k < n; k++)
			if (where[k] == d && offered[k] != e && !expr_is_bool(offered[k]))
				add(c, offered[k], offered[k]->size);
		if (known)
			continue;
		if (e->size == 0) {
			vary_plain_output(c, d);
			continue;
		}
		add(c, binary(c, OP_MAX, e, expr_const(c->pool, 0)), e->size + 1);
		add(c, binary(c, OP_MAX, e, expr_const(c->pool, 1)), e->size + 1);
		vary(c, e, NULL, true);
	}
}

static void collect_domain(collector *c)
{
	c->kind = RIVAL_DOMAIN;
	c->most = c->to->n + MAX_DOMAIN;
	for (int d = 0; d < c->op->nodim; d++)
		if (!is_dimension(c->op, c->rule->out[d])) {
			c->at = d;
			add(c, NULL, c->rule->out[d]->size);
		}
}

/* ---- clauses */

/* Adds `or symbol == v` for v in -1, 0, 1. */
static void widen(collector *c, const expr *e)
{
	bool *used = ARENA_ARRAY(c->scratch, bool, c->op->nsym + 1);
	expr_mark_syms(e, used);
	for (int i = 0; i < c->op->nsym; i++)
		for (int v = -1; used[i] && v < 2; v++)
			if (v >= 0 || c->op->roles[i].kind != ROLE_DIM)
				add(c, binary(c, OP_OR, e, binary(c, OP_EQ, expr_sym(c->pool, i), expr_const(c->pool, v))), e->size + 2);
}

static void collect_clauses(collector *c)
{
	int from = c->to->n, n = c->rule->nclauses, each = n ? MAX_CLAUSES / n : 0;
	each = each < 3 ? 3 : each > 12 ? 12 : each;
	for (int k = 0; k < n; k++) {
		c->at = k;
		c->most = c->to->n + each < from + MAX_CLAUSES ? c->to->n + each : from + MAX_CLAUSES;
		c->kind = RIVAL_WITHOUT;
		add(c, NULL, 0);
		c->kind = RIVAL_CLAUSE;
		vary(c, c->rule->clauses[k], NULL, false);
		widen(c, c->rule->clauses[k]);
	}
}

/* ---- literals that hold on every passing record */

typedef struct found {
	const expr *e;
	int cost;
} found;

typedef struct term {
	const expr *e;
	int64_t *col, low, high;
	bool dim, output;
	int tensor, pos;
} term;

typedef struct finder {
	collector *c;
	term terms[MAX_TERMS];
	int nterms;
	found *list;
	int n;
} finder;

static void add_term(finder *f, const expr *e, const role *r, int pos)
{
	const operator *op = f->c->op;
	if (f->nterms == MAX_TERMS)
		return;
	term *t = &f->terms[f->nterms];
	*t = (term){.e = e, .col = ARENA_ARRAY(f->c->scratch, int64_t, op->npass + 1), .low = INT64_MAX, .high = INT64_MIN,
	    .dim = r && r->kind == ROLE_DIM, .output = !r, .tensor = r && r->kind == ROLE_DIM ? r->tensor : -1, .pos = pos};
	for (int k = 0; k < op->npass; k++) {
		wide v;
		if (!expr_eval(e, record_symbols(op, k), &v) || v > INT64_MAX / 4 || v < INT64_MIN / 4)
			return;
		t->col[k] = (int64_t)v;
		t->low = t->col[k] < t->low ? t->col[k] : t->low;
		t->high = t->col[k] > t->high ? t->col[k] : t->high;
	}
	f->nterms++;
}

static void keep(finder *f, const expr *e, int cost)
{
	for (int k = 0; k < f->c->rule->nclauses; k++)
		if (f->c->rule->clauses[k] == e)
			return;
	if (f->n < MAX_FOUND)
		f->list[f->n++] = (found){e, cost};
}

static void keep_bound(finder *f, enum op op, const term *t, int64_t value, int cost)
{
	keep(f, binary(f->c, op, t->e, expr_const(f->c->pool, value)), cost);
}

static void bound_term(finder *f, const term *t)
{
	bool even = true, nonzero = true;
	for (int k = 0; k < f->c->op->npass; k++) {
		even &= t->col[k] % 2 == 0;
		nonzero &= t->col[k] != 0;
	}
	if (t->low >= 1)
		keep_bound(f, OP_GT, t, 0, COST_RIVAL_SIGN);
	else if (t->low >= 0 && !t->dim && !t->output)
		keep_bound(f, OP_GE, t, 0, COST_RIVAL_SIGN);
	else if (nonzero)
		keep_bound(f, OP_NE, t, 0, COST_RIVAL_NOT_ZERO);
	if (t->low == t->high)
		keep_bound(f, OP_EQ, t, t->low, COST_RIVAL_CONSTANT);
	if (t->low > 1)
		keep_bound(f, OP_GE, t, t->low, t->low == 2 ? COST_RIVAL_LOW_SMALL : COST_RIVAL_LOW);
	else if (t->low < 0 && t->low > BOX_LOW)
		keep_bound(f, OP_GE, t, t->low, t->low == -1 ? COST_RIVAL_LOW_SMALL : COST_RIVAL_NEGATIVE);
	if (t->high < BOX_HIGH && !t->output)
		keep_bound(f, OP_LE, t, t->high, t->high <= 2 ? COST_RIVAL_HIGH_SMALL : COST_RIVAL_HIGH);
	if (even && t->low != t->high)
		keep(f, binary(f->c, OP_EQ, binary(f->c, OP_MOD, t->e, expr_const(f->c->pool, 2)), expr_const(f->c->pool, 0)),
		    COST_RIVAL_EVEN);
}

static void compare_terms(finder *f, const term *a, const term *b)
{
	bool eq = true, ne = true, le = true, ge = true, broadcast = a->dim && b->dim && a->tensor != b->tensor;
	bool twice_le = !a->dim, multiple = true;
	int far = (a->pos >= 0 && b->pos >= 0 && a->pos != b->pos ? COST_MISALIGNED : 0)
	    + (a->output || b->output ? COST_RIVAL_OUTPUT : 0);
	for (int k = 0; k < f->c->op->npass; k++) {
		int64_t x = a->col[k], y = b->col[k];
		eq &= x == y;
		ne &= x != y;
		le &= x <= y;
		ge &= x >= y;
		broadcast &= x == y || x == 1 || y == 1;
		twice_le &= 2 * x <= y;
		multiple &= y != 0 && x % y == 0;
	}
	const expr *x = a->e, *y = b->e;
	collector *c = f->c;
	const expr *one = expr_const(c->pool, 1);
	if (eq)
		keep(f, binary(c, OP_EQ, x, y), COST_RIVAL_EQUAL + far);
	else if (broadcast)
		keep(f, binary(c, OP_OR, binary(c, OP_OR, binary(c, OP_EQ, x, y), binary(c, OP_EQ, x, one)), binary(c, OP_EQ, y, one)),
		    COST_RIVAL_BROADCAST + far);
	if (le && !eq)
		keep(f, binary(c, ne ? OP_LT : OP_LE, x, y), COST_RIVAL_ORDER + far);
	else if (ge && !eq)
		keep(f, binary(c, ne ? OP_LT : OP_LE, y, x), COST_RIVAL_ORDER + far);
	else if (ne && !eq)
		keep(f, binary(c, OP_NE, x, y), COST_RIVAL_UNEQUAL + far);
	if (twice_le && !b->output)
		keep(f, binary(c, OP_LE, binary(c, OP_MUL, expr_const(c->pool, 2), x), y), COST_RIVAL_DOUBLED + far);
	if (multiple && !eq && b->high > 1 && !a->output && !b->output)
		keep(f, binary(c, OP_EQ, binary(c, OP_MOD, x, y), expr_const(c->pool, 0)), COST_RIVAL_MULTIPLE + far);
}

static int by_cost(const void *a, const void *b)
{
	const found *x = a, *y = b;
	return x->cost != y->cost ? x->cost - y->cost : expr_compare(x->e, y->e);
}

static void collect_literals(collector *c, const expr *const *offered, const int *where, int n)
{
	finder *f = ARENA_NEW(c->scratch, finder);
	const operator *op = c->op;
	*f = (finder){.c = c, .list = ARENA_ARRAY(c->scratch, found, MAX_FOUND)};
	for (int k = 0; k < n; k++)
		if (where[k] < 0)
			keep(f, offered[k], 0);
	for (int i = 0; i < op->nsym && i < MAX_TERMS - 8; i++)
		add_term(f, expr_sym(c->pool, i), &op->roles[i], op->roles[i].kind == ROLE_INT ? -1 : op->roles[i].pos);
	for (int d = 0; d < op->nodim; d++)
		if (c->rule->out[d]->size > 0)
			add_term(f, c->rule->out[d], NULL, op->out_pos[d]);
	for (int i = 0; i < f->nterms; i++)
		bound_term(f, &f->terms[i]);
	for (int i = 0; i < f->nterms; i++)
		for (int j = i + 1; j < f->nterms; j++)
			compare_terms(f, &f->terms[i], &f->terms[j]);
	if (f->n)
		qsort(f->list, (size_t)f->n, sizeof *f->list, by_cost);
	c->kind = RIVAL_LITERAL;
	c->at = -1;
	c->most = c->to->n + MAX_LITERALS;
	for (int k = 0; k < f->n; k++)
		add(c, f->list[k].e, f->list[k].cost);
}

/* ---- public function */

void rivals_collect(rivals *to, const operator *op, const rule *r, expr_pool *pool, arena *scratch,
    const expr *const *offered, const int *where, int noffered)
{
	arena_mark mark = arena_save(scratch);
	collector c = {.to = to, .op = op, .rule = r, .pool = pool, .scratch = scratch};
	*to = (rivals){.op = op, .rule = r, .pool = pool};
	c.views = ARENA_ARRAY(scratch, rule_view, op->npass + op->nfail + 1);
	for (int k = 0; k < op->npass + op->nfail; k++)
		c.views[k] = rule_look(op, r, record_symbols(op, k));
	collect_branches(&c);
	collect_outputs(&c, offered, where, noffered);
	collect_domain(&c);
	collect_clauses(&c);
	collect_literals(&c, offered, where, noffered);
	arena_release(scratch, mark);
}
