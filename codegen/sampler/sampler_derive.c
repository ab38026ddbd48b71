#include "sampler_derive.h"

#include <string.h>

#include "need.h"
#include "sampler_bounds.h"
#include "sampler_project.h"

enum { WIDEST_RULE = 160 }; /* symbols and output dimensions */

/* ---- the operator's structure */

static void find_groups(deriver *d)
{
	const rule_op *op = d->op;
	unsigned tensor = 0;
	for (unsigned i = 0; i < d->nsym; i++)
		d->group[i] = SAMPLER_ATTRIBUTE;
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		if (!rs_is_tensor(v->kind))
			continue;
		unsigned n = v->count + (v->kind == RS_RANGED ? 2u : 0u);
		for (unsigned j = 0; j < n; j++) {
			d->group[v->first + j] = (uint16_t)tensor;
			d->dimension[v->first + j] = j < v->count;
		}
		tensor++;
	}
}

static void append_group(deriver *d, unsigned group, unsigned *n)
{
	for (unsigned i = 0; i < d->nsym; i++)
		if (d->group[i] == group) {
			d->place[i] = (uint16_t)*n;
			d->order[(*n)++] = i;
		}
}

static void find_order(deriver *d)
{
	unsigned n = 0, first = 0;
	if (d->way == SAMPLER_BACK_LAST)
		append_group(d, SAMPLER_ATTRIBUTE, &n);
	else
		while (first < d->op->nin && n == 0)
			append_group(d, first++, &n);
	if (d->way != SAMPLER_BACK_LAST)
		append_group(d, SAMPLER_ATTRIBUTE, &n);
	for (unsigned g = first; g < d->op->nin; g++)
		append_group(d, d->way == SAMPLER_BACK_LAST ? d->op->nin - 1 - g : g, &n);
}

/* ---- steps */

static bool add_need(sampler_step *s, unsigned what)
{
	for (unsigned i = 0; i < s->nneeds; i++)
		if (s->needs[i] == what)
			return true;
	if (s->nneeds == SAMPLER_NEEDS)
		return false;
	s->needs[s->nneeds++] = (uint16_t)what;
	return true;
}

/* The first symbol of a tensor, which represents all of them: they are known together. */
static unsigned first_of(const deriver *d, unsigned group)
{
	unsigned i = 0;
	while (d->group[i] != group)
		i++;
	return i;
}

/* Sets the symbols, besides those before x, that must be known for a clause to bound x. False: the clause is never
 * useful. */
static bool find_needs(const deriver *d, unsigned clause, unsigned x, sampler_step *s)
{
	const bool *uses = d->uses[clause];
	int eliminated = d->clauses[clause].eliminated;
	if (!uses[x] || (eliminated >= 0 && d->place[eliminated] <= d->place[x]))
		return false;
	bool outputs = false, later = false;
	for (unsigned i = 0; i < d->nsym + d->nodim; i++) {
		if (!uses[i] || i == x)
			continue;
		if (i >= d->nsym) {
			outputs = true;
			if (!add_need(s, i))
				return false;
		} else if (d->place[i] > d->place[x]) {
			later = true;
			if (!sampler_is_forward(d->way) || d->group[i] == SAMPLER_ATTRIBUTE
			    || d->group[i] == d->group[x] || !add_need(s, first_of(d, d->group[i])))
				return false;
		}
	}
	return !(outputs && later); /* if outputs are given, no symbol is known */
}

typedef struct steps {
	sampler_step *list;
	unsigned n, room;
} steps;

static bool same_step(const sampler_step *a, const sampler_step *b)
{
	return a->kind == b->kind && a->e == b->e && a->nwhen == b->nwhen
	       && a->nneeds == b->nneeds
	       && memcmp(a->when, b->when, a->nwhen * sizeof *a->when) == 0
	       && memcmp(a->needs, b->needs, a->nneeds * sizeof *a->needs) == 0;
}

static void add_step(deriver *d, steps *to, sampler_step s)
{
	for (unsigned i = 0; i < to->n; i++)
		if (same_step(&to->list[i], &s))
			return;
	if (to->n == to->room) {
		sampler_step *more = NEED_ARRAY(d->memory, sampler_step, to->room * 2 + 8);
		if (to->n)
			memcpy(more, to->list, to->n * sizeof *more);
		to->list = more;
		to->room = to->room * 2 + 8;
	}
	to->list[to->n++] = s;
}

/* Adds hints from a clause of several literals: x == e, and x % e == 0. */
static void add_hints(deriver *d, const expr *e, int64_t x, const sampler_step *like, steps *to)
{
	sampler_step s = *like;
	const expr *choice;
	bound value;
	s.kind = STEP_HINT;
	if (e->op == OP_OR) {
		add_hints(d, e->a, x, like, to);
		add_hints(d, e->b, x, like, to);
	} else if (e->op == OP_EQ && e->a->op == OP_MOD && e->a->a->op == OP_SYM
		   && e->a->a->value == x && !expr_has(e->a->b, x)) {
		s.e = e->a->b;
		add_step(d, to, s);
	} else if (e->op == OP_EQ && (choice = bounds_choice(e, OP_ITE, x))) {
		add_hints(d, expr_replace(d->pool, e, choice, choice->a), x, like, to);
		add_hints(d, expr_replace(d->pool, e, choice, choice->b), x, like, to);
	} else if (e->op == OP_EQ && (choice = bounds_choice(e, OP_MIN, x))) {
		add_hints(d, expr_replace(d->pool, e, choice, choice->a), x, like, to);
		add_hints(d, expr_replace(d->pool, e, choice, choice->b), x, like, to);
	} else if (bounds_value(d, e, x, &value) && !value.nwhen) {
		s.e = value.e;
		add_step(d, to, s);
	}
}

static void add_steps(deriver *d, unsigned clause, unsigned x, steps *to, steps *tests)
{
	sampler_step s = {.kind = STEP_TEST, .e = d->clauses[clause].e,
	    .implied = d->clauses[clause].eliminated >= 0};
	bounds b = {.n = 0};
	if (!find_needs(d, clause, x, &s))
		return;
	bool exact = bounds_from_clause(d, s.e, x, &b);
	if (!exact) {
		add_hints(d, s.e, x, &s, to);
		add_step(d, tests, s);
	}
	for (unsigned i = 0; i < b.n; i++) {
		sampler_step t = s;
		t.kind = b.list[i].upper ? STEP_HIGH : STEP_LOW;
		t.e = b.list[i].e;
		t.nwhen = (uint8_t)b.list[i].nwhen;
		memcpy(t.when, b.list[i].when, t.nwhen * sizeof *t.when);
		add_step(d, to, t);
	}
}

static void find_steps(deriver *d, unsigned x, sampler_symbol *to)
{
	steps bounds = {0}, tests = {0};
	for (unsigned i = 0; i < d->nclauses; i++)
		add_steps(d, i, x, &bounds, &tests);
	for (unsigned i = 0; i < tests.n; i++)
		add_step(d, &bounds, tests.list[i]);
	*to = (sampler_symbol){
	    .symbol = x, .dimension = d->dimension[x], .steps = bounds.list, .nsteps = bounds.n};
}

bool sampler_derive(const rule_set *rules, const rule_op *op, enum sampler_way way,
    unsigned projections, sampler *s)
{
	deriver d = {.memory = rules->memory,
	    .pool = rules->exprs,
	    .op = op,
	    .way = way,
	    .nsym = op->nsym,
	    .nodim = op->nodim,
	    .total = op->nsym * 2 + op->nodim};
	if (op->nsym + op->nodim > WIDEST_RULE)
		return false;
	d.group = NEED_ARRAY(d.memory, uint16_t, d.nsym);
	d.place = NEED_ARRAY(d.memory, uint16_t, d.nsym);
	d.order = NEED_ARRAY(d.memory, unsigned, d.nsym);
	d.dimension = need(arena_zalloc(d.memory, d.nsym + 1), d.nsym);
	d.positive = need(arena_zalloc(d.memory, d.nsym + 1), d.nsym);
	find_groups(&d);
	find_order(&d);
	clauses_of_rule(&d);
	bool whole = projections && project_clauses(&d, projections);
	*s = (sampler){.whole = whole,
	    .nsym = d.nsym,
	    .nodim = d.nodim,
	    .order = NEED_ARRAY(d.memory, sampler_symbol, d.nsym),
	    .first = NEED_ARRAY(d.memory, unsigned, d.nsym)};
	for (unsigned i = 0; i < d.nsym; i++)
		s->first[i] = d.group[i] == SAMPLER_ATTRIBUTE ? i : first_of(&d, d.group[i]);
	for (unsigned i = 0; i < d.nsym; i++)
		find_steps(&d, d.order[i], &s->order[i]);
	return true;
}
