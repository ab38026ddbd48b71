#include "compose.h"

#include <string.h>

#include "instance.h"
#include "need.h"

enum { MOST_COMPOSED = 64, POSITIONS = 64 };

typedef struct composer {
	const api_rule *r;
	const api_shapes *shapes;
	api_clauses to;
} composer;

/* The number of a reference in a template, which is added if it is new; -1: there are too many. */
static int add_reference(template *t, const reference *r)
{
	int k = 0;
	while (k < t->n && !reference_same(&t->refs[k], r))
		k++;
	if (k == MAX_REFERENCES)
		return -1;
	if (k == t->n)
		t->refs[t->n++] = *r;
	return k;
}

/* Whether a line is of all positions of i + offset, or of the one position `offset`. */
static bool covers(const index_range *line, const index_range *at, const reference *r)
{
	int from, to; /* the first and the last position */
	if (r->base == AT_INDEX) {
		if (at->way != line->way || !at->only)
			return false;
		from = at->way == RANGE_RIGHT ? -at->only : at->head;
		to = (at->way == RANGE_RIGHT ? -at->tail : at->only) - 1;
		from += r->offset;
		to += r->offset;
	} else {
		from = to = r->offset;
		if ((from < 0) != (line->way == RANGE_RIGHT))
			return false;
	}
	if (line->way == RANGE_RIGHT)
		return to < -line->tail && (!line->only || from >= -line->only);
	return from >= line->head && (!line->only || to < line->only);
}

/* A line's expression at the position of a reference, over the references of t. NULL: there are too many. */
static const expr *place_line(const composer *c, template *t, const shape_line *l, const reference *at)
{
	const expr *with[MAX_REFERENCES];
	for (int k = 0; k < l->t.n; k++) {
		reference r = l->t.refs[k];
		if (r.base == AT_INDEX) {
			r.base = at->base;
			r.offset = (int16_t)(r.offset + at->offset);
		}
		int index = add_reference(t, &r);
		if (index < 0)
			return NULL;
		with[k] = expr_sym(c->r->calls.pool, index);
	}
	return expr_substitute(c->r->calls.pool, l->t.e, with);
}

/* What stands for a reference to an output. NULL: nothing does. */
static const expr *place_output(const composer *c, template *t, const index_range *where, const reference *r)
{
	if (r->base == ALL || r->base == AT_AXIS || (unsigned)r->list.item >= c->shapes->ntensors)
		return NULL;
	const tensor_shape *s = &c->shapes->tensors[r->list.item];
	if (s->is_whole && s->whole.kind == WHOLE_SAME) {
		reference same = *r;
		same.list = s->whole.lists[0];
		int index = add_reference(t, &same);
		return index < 0 ? NULL : expr_sym(c->r->calls.pool, index);
	}
	for (int k = 0; k < s->nlines; k++)
		if (covers(&s->lines[k].where, where, r))
			return place_line(c, t, &s->lines[k], r);
	return NULL;
}

static bool compose_template(const composer *c, const api_clause *from, index_range where, template *t)
{
	const expr *with[MAX_REFERENCES];
	t->n = 0;
	for (int k = 0; k < from->t.n; k++) {
		const reference *r = &from->t.refs[k];
		int index = r->list.kind == LIST_OUT ? -1 : add_reference(t, r);
		with[k] = r->list.kind == LIST_OUT ? place_output(c, t, &where, r) : index < 0 ? NULL : expr_sym(c->r->calls.pool, index);
		if (!with[k])
			return false;
	}
	t->e = expr_substitute(c->r->calls.pool, from->t.e, with);
	return true;
}

/* Which references may be absent. */
static void find_absent(const composer *c, api_clause *x)
{
	const api_calls *f = &c->r->calls;
	for (int i = 0; i < f->n; i++) {
		int at[POSITIONS], n = c->to.members[i] ? range_positions(&x->where, f, &f->forms[i], 0, at, POSITIONS) : 0;
		for (int k = 0; k < n && n < POSITIONS; k++)
			template_instance(&x->t, f, &f->forms[i], at[k], x->asks);
	}
}

/* The short ones first. */
static bool add_composed(composer *c, const api_clause *from, index_range where)
{
	api_clause x = {.where = where};
	if (c->to.n == MOST_COMPOSED || !compose_template(c, from, where, &x.t))
		return false;
	find_absent(c, &x);
	int k = c->to.n++;
	for (; k > 0 && c->to.list[k - 1].t.e->size > x.t.e->size; k--)
		c->to.list[k] = c->to.list[k - 1];
	c->to.list[k] = x;
	return true;
}

/* The list that is as long as an output; argument NULL: none is known. */
static list_name length_of(const tensor_shape *s)
{
	if (s->is_whole && s->whole.kind == WHOLE_SAME)
		return s->whole.lists[0];
	return !s->is_whole && s->rank.known && s->rank.n == 1 && !s->rank.plus ? s->rank.lists[0] : (list_name){.argument = NULL};
}

/* A clause, which becomes several where it is of all dimensions of an output that has several lines. */
static bool add_clause(composer *c, const api_clause *from)
{
	index_range where = from->where;
	if (where.over.argument != LIST_OUTPUT)
		return add_composed(c, from, where);
	if ((unsigned)where.over.item >= c->shapes->ntensors || where.but.argument || where.head || where.tail || where.only)
		return false;
	const tensor_shape *s = &c->shapes->tensors[where.over.item];
	list_name length = length_of(s);
	if (s->is_whole) {
		where.over = length;
		return length.argument && add_composed(c, from, where);
	}
	for (int k = 0; k < s->nlines; k++) {
		const index_range *l = &s->lines[k].where;
		index_range part = *l;
		part.over = l->only ? (list_name){.argument = NULL} : length;
		if ((!l->only && !length.argument) || l->way != where.way || !add_composed(c, from, part))
			return false;
	}
	return true;
}

static bool has_outputs(const api_clauses *all)
{
	for (int k = 0; k < all->n; k++)
		if (template_has_outputs(&all->list[k].t) || all->list[k].where.over.argument == LIST_OUTPUT)
			return true;
	return false;
}

/* The clauses of an accept case for its signatures of one shape case. False: no signature has them as its rule. */
static bool compose(composer *c, const api_clauses *from)
{
	const api_calls *f = &c->r->calls;
	c->to = (api_clauses){.list = NEED_ARRAY(f->memory, api_clause, MOST_COMPOSED), .members = NEED_ARRAY(f->memory, bool, f->n)};
	for (int i = 0; i < f->n; i++)
		c->to.members[i] = from->members[i] && c->shapes->members[i];
	for (int k = 0; k < from->n; k++)
		if (!add_clause(c, &from->list[k]))
			return false;
	for (int i = 0; i < f->n; i++) {
		c->to.members[i] = c->to.members[i] && api_clauses_are_rule(c->r, &c->to, i);
		c->to.nmembers += c->to.members[i];
	}
	return c->to.nmembers > 0;
}

int compose_cases(const api_rule *r, api_clauses *to, int most)
{
	int n = 0;
	for (int k = 0; k < r->naccept && n < most; k++) {
		if (!has_outputs(&r->accept[k])) {
			to[n++] = r->accept[k];
			continue;
		}
		for (int s = 0; s < r->nshapes && n < most; s++) {
			composer c = {.r = r, .shapes = &r->shapes[s]};
			if (compose(&c, &r->accept[k]))
				to[n++] = c.to;
		}
	}
	return n;
}
