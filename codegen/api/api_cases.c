#include "api_cases.h"

#include <string.h>

#include "defined.h"
#include "need.h"
#include "own_case.h"

/* ---- names */

static const char *one_name(api_cases *c, const char *name)
{
	if (!name || name == LIST_OUTPUT)
		return name;
	for (int k = 0; k < c->nnames; k++)
		if (strcmp(c->names[k], name) == 0)
			return c->names[k];
	return c->names[c->nnames++] = name;
}

list_name api_cases_name(api_cases *c, list_name name)
{
	name.argument = one_name(c, name.argument);
	return name;
}

static void name_template(api_cases *c, template *t)
{
	for (int k = 0; k < t->n; k++) {
		t->refs[k].list = api_cases_name(c, t->refs[k].list);
		t->refs[k].axis = api_cases_name(c, t->refs[k].axis);
		t->refs[k].copied = api_cases_name(c, t->refs[k].copied);
	}
}

static void name_range(api_cases *c, index_range *x)
{
	x->over = api_cases_name(c, x->over);
	x->but = api_cases_name(c, x->but);
}

/* ---- what can be printed */

static bool refers_to_outputs(const api_clause *c)
{
	return c->where.over.argument == LIST_OUTPUT || template_has_outputs(&c->t);
}

static bool case_has_outputs(const api_clauses *all)
{
	for (int k = 0; k < all->n; k++)
		if (refers_to_outputs(&all->list[k]))
			return true;
	return false;
}

/* The case of a signature in its own rule. What is of no case, or refers to outputs that may have no value, is of a case of the
 * signature's own; NULL there: it has functions of its own. */
static api_case case_of(const api_rule *r, int form, bool own)
{
	const api_call *x = &r->calls.forms[form];
	int accept = x->of.rule->nclauses ? api_rule_accept_case(r, form) : -1, shape = x->of.call->nodim ? api_rule_shape_case(r, form) : -1;
	api_case c = {.accept = accept < 0 ? NULL : &r->accept[accept], .shape = shape < 0 ? NULL : &r->shapes[shape]};
	c.accept_guard = accept < 0 ? NULL : &r->accept_guards[accept];
	c.shape_guard = shape < 0 ? NULL : &r->shape_guards[shape];
	if (c.accept && case_has_outputs(c.accept) && (!c.shape || !outputs_are_defined(&x->of))) {
		c.accept = NULL;
		c.accept_guard = NULL;
	}
	if (own && !c.accept && x->of.rule->nclauses)
		c.accept = own_clauses(&r->calls, x);
	if (own && !c.shape && x->of.call->nodim)
		c.shape = own_shapes(&r->calls, x);
	return c;
}

/* ---- cases */

/* Whether a case serves a signature that needs `want`, where NULL is any. */
static bool serves(const api_case *have, const api_case *want)
{
	return (!want->accept || have->accept == want->accept) && (!want->shape || have->shape == want->shape);
}

/* The index of a case, which is added if it is new; -1: it needs nothing, or there are too many. */
static int add_case(api_cases *c, const api_case *want)
{
	int k = 0;
	if (!want->accept && !want->shape)
		return -1;
	while (k < c->n && !serves(&c->list[k], want))
		k++;
	if (k == MAX_CASES)
		return -1;
	if (k == c->n)
		c->list[c->n++] = *want;
	return k;
}

/* Cases of both kinds first, since the others may be served by them; last those of single signatures. */
static void add_cases(api_cases *c, const api_rule *const *rules, int n)
{
	for (int both = 1; both >= 0; both--)
		for (int k = 0; k < n; k++)
			for (int i = 0; i < rules[k]->calls.n; i++) {
				api_case x = case_of(rules[k], i, false);
				if ((x.accept && x.shape) == both)
					add_case(c, &x);
			}
	for (int k = 0; k < n; k++)
		for (int i = 0; i < rules[k]->calls.n; i++) {
			api_case x = case_of(rules[k], i, true);
			int at = add_case(c, &x);
			c->signatures[c->nsignatures++]
			    = (case_signature){rules[k], &rules[k]->calls.forms[i], x.accept ? at : -1, x.shape ? at : -1};
		}
}

/* ---- lines */

static void add_clause(api_cases *c, const api_clause *from, uint64_t bit)
{
	api_clause x = *from;
	name_template(c, &x.t);
	name_range(c, &x.where);
	for (int k = 0; k < c->nclauses; k++) {
		case_clause *old = &c->clauses[k];
		if (!template_same(&old->c.t, &x.t) || !index_range_same(&old->c.where, &x.where))
			continue;
		old->of |= bit;
		for (int j = 0; j < x.t.n; j++)
			old->c.asks[j] |= x.asks[j];
		return;
	}
	int k = c->nclauses++;
	for (; k > 0 && c->clauses[k - 1].c.t.e->size > x.t.e->size; k--)
		c->clauses[k] = c->clauses[k - 1];
	c->clauses[k] = (case_clause){x, bit, refers_to_outputs(&x)};
}

static void add_output(api_cases *c, case_output x)
{
	for (int k = 0; k < x.whole.of && x.is_whole; k++)
		x.whole.lists[k] = api_cases_name(c, x.whole.lists[k]);
	name_template(c, &x.line.t);
	name_range(c, &x.line.where);
	for (int k = 0; k < c->noutputs; k++) {
		case_output *old = &c->outputs[k];
		bool same = old->tensor == x.tensor && old->is_whole == x.is_whole;
		if (same && (x.is_whole ? whole_shape_same(&old->whole, &x.whole)
			    : template_same(&old->line.t, &x.line.t) && index_range_same(&old->line.where, &x.line.where))) {
			old->of |= x.of;
			return;
		}
	}
	c->outputs[c->noutputs++] = x;
}

static void add_shapes(api_cases *c, const api_shapes *s, uint64_t bit)
{
	c->ntensors = s->ntensors > c->ntensors ? s->ntensors : c->ntensors;
	for (unsigned t = 0; t < s->ntensors; t++) {
		const tensor_shape *x = &s->tensors[t];
		if (x->is_whole)
			add_output(c, (case_output){.tensor = t, .is_whole = true, .whole = x->whole, .of = bit});
		for (int k = 0; k < x->nlines; k++)
			add_output(c, (case_output){.tensor = t, .line = x->lines[k], .of = bit});
	}
}

static void add_lines(api_cases *c)
{
	for (int k = 0; k < c->n; k++) {
		const api_case *x = &c->list[k];
		uint64_t bit = UINT64_C(1) << k;
		c->accept |= x->accept ? bit : 0;
		for (int j = 0; x->accept && j < x->accept->n; j++)
			add_clause(c, &x->accept->list[j], bit);
		c->calls_shape |= x->accept && case_has_outputs(x->accept) ? bit : 0;
		c->shape |= x->shape ? bit : 0;
		if (x->shape)
			add_shapes(c, x->shape, bit);
	}
}

/* ---- equal cases */

static bool same_clauses(const api_cases *c, int a, int b)
{
	for (int k = 0; k < c->nclauses; k++)
		if ((c->clauses[k].of >> a & 1) != (c->clauses[k].of >> b & 1))
			return false;
	return true;
}

static bool same_outputs(const api_cases *c, int a, int b)
{
	for (int k = 0; k < c->noutputs; k++)
		if ((c->outputs[k].of >> a & 1) != (c->outputs[k].of >> b & 1))
			return false;
	return true;
}

/* Whether case a serves the signatures of case b. */
static bool is_equal(const api_cases *c, int a, int b)
{
	uint64_t one = UINT64_C(1) << a, other = UINT64_C(1) << b;
	bool accept = !(c->accept & other) || (c->accept & one && same_clauses(c, a, b));
	return accept && (!(c->shape & other) || (c->shape & one && same_outputs(c, a, b)));
}

/* Drops case `from`, whose signatures are then of case `to`. */
static void unite(api_cases *c, int to, int from)
{
	uint64_t rest = ~(UINT64_C(1) << from);
	for (int i = 0; i < c->nsignatures; i++) {
		case_signature *s = &c->signatures[i];
		s->accept = s->accept == from ? to : s->accept;
		s->shape = s->shape == from ? to : s->shape;
	}
	for (int k = 0; k < c->nclauses; k++)
		c->clauses[k].of &= rest;
	for (int k = 0; k < c->noutputs; k++)
		c->outputs[k].of &= rest;
	c->accept &= rest;
	c->shape &= rest;
	c->calls_shape &= rest;
}

static void unite_equal(api_cases *c)
{
	for (int b = 1; b < c->n; b++)
		for (int a = 0; a < b; a++)
			if ((c->accept | c->shape) >> a & 1 && is_equal(c, a, b)) {
				unite(c, a, b);
				break;
			}
}

/* Room for all lines of all rules, those of single signatures among them. */
static void make_room(api_cases *c, const api_rule *const *rules, int n)
{
	int clauses = 0, outputs = 0, names = 0, signatures = 0;
	for (int k = 0; k < n; k++) {
		const api_rule *r = rules[k];
		names += r->calls.nnames;
		signatures += r->calls.n;
		for (int j = 0; j < r->naccept; j++)
			clauses += r->accept[j].n;
		for (int j = 0; j < r->nshapes; j++)
			outputs += (int)r->shapes[j].ntensors * (MAX_LINES + 1);
		for (int i = 0; i < r->calls.n; i++) {
			clauses += r->calls.forms[i].of.rule->nclauses;
			outputs += r->calls.forms[i].of.call->nodim;
		}
	}
	c->clauses = NEED_ARRAY(c->memory, case_clause, clauses);
	c->outputs = NEED_ARRAY(c->memory, case_output, outputs);
	c->names = NEED_ARRAY(c->memory, const char *, names);
	c->signatures = NEED_ARRAY(c->memory, case_signature, signatures);
}

api_cases *api_cases_of(arena *memory, const api_rule *const *rules, int n)
{
	if (!n)
		return NULL;
	api_cases *c = NEED_ARRAY(memory, api_cases, 1);
	*c = (api_cases){.memory = memory, .pool = rules[0]->calls.pool};
	make_room(c, rules, n);
	for (int k = 0; k < n; k++)
		for (int j = 0; j < rules[k]->calls.nnames; j++)
			one_name(c, rules[k]->calls.names[j]);
	add_cases(c, rules, n);
	add_lines(c);
	unite_equal(c);
	return c;
}
