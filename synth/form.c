#include "form.h"

#include <string.h>

/* ---- places */

static int find_argument(const operator *op, const char *name)
{
	for (int i = 0; i < op->nargs; i++)
		if (strcmp(op->arguments[i].name, name) == 0)
			return i;
	return -1;
}

/* Position and length of what an alignment may move: of a nested list the outer position. */
static void extent(const role *r, int *pos, int *len)
{
	bool nested = r->kind == ROLE_ITEM && r->outer_len;
	*pos = nested ? r->outer : r->pos;
	*len = nested ? r->outer_len : r->len;
}

static place place_of(const operator *op, int symbol)
{
	const role *r = &op->roles[symbol];
	const argument *a = &op->arguments[r->arg];
	int pos, len;
	extent(r, &pos, &len);
	place p = {.arg = a->name, .kind = r->kind == ROLE_DIM ? PLACE_DIM : PLACE_VALUE, .left = (int16_t)pos,
	    .right = (int16_t)(len - 1 - pos)};
	if (r->kind == ROLE_DIM)
		p.item = (int16_t)(r->tensor - op->roles[a->first].tensor);
	else if (r->outer_len)
		p.item = (int16_t)r->pos;
	return p;
}

place form_output_place(const operator *op, int d)
{
	return (place){.kind = PLACE_OUT, .item = (int16_t)op->out_tensor[d], .left = (int16_t)op->out_pos[d],
	    .right = (int16_t)(op->out_rank[d] - 1 - op->out_pos[d])};
}

static bool has_position(const place *p)
{
	return p->left + p->right > 0 || p->kind == PLACE_DIM;
}

static bool same_place(const place *a, const place *b)
{
	return a->kind == b->kind && a->item == b->item && a->left == b->left && a->right == b->right
	    && (a->arg == b->arg || (a->arg && b->arg && strcmp(a->arg, b->arg) == 0));
}

/* ---- from an expression */

typedef struct maker {
	form *f;
	expr_pool *pool;
	const operator *op;
	const expr *const *out;
} maker;

static const expr *place_symbol(maker *m, place p)
{
	form *f = m->f;
	int k = 0;
	while (k < f->n && !same_place(&f->places[k], &p))
		k++;
	if (k == MAX_PLACES)
		return NULL;
	if (k == f->n)
		f->places[f->n++] = p;
	return expr_sym(m->pool, k);
}

static const expr *make(maker *m, const expr *e)
{
	if (e->op == OP_CONST)
		return expr_const(m->pool, e->value);
	for (int d = 0; m->out && e->size > 0 && !expr_is_bool(e) && d < m->op->nodim; d++)
		if (m->out[d] == e)
			return place_symbol(m, form_output_place(m->op, d));
	if (e->op == OP_SYM)
		return place_symbol(m, place_of(m->op, (int)e->value));
	const expr *a = make(m, e->a), *b = a ? make(m, e->b) : NULL, *c = b && e->c ? make(m, e->c) : NULL;
	if (!b || (e->c && !c))
		return NULL;
	return e->c ? expr_ite(m->pool, c, a, b) : expr_make(m->pool, e->op, a, b);
}

bool form_of(form *f, expr_pool *pool, const operator *op, const expr *e, const expr *const *out,
    const place *anchor)
{
	maker m = {f, pool, op, out};
	*f = (form){.n = 0};
	f->e = make(&m, e);
	if (!f->e)
		return false;
	if (anchor)
		f->anchor = *anchor;
	for (int k = 0; k < f->n; k++) {
		if (!anchor && !f->anchor.arg && f->anchor.kind != PLACE_OUT && has_position(&f->places[k]))
			anchor = &f->places[k], f->anchor = *anchor;
		f->positional[f->places[k].kind == PLACE_VALUE] |= has_position(&f->places[k]);
	}
	return true;
}

/* Whether two places are found alike from their anchors: at the same distance from the right or the left. */
static bool alike(const place *p, const place *pa, const place *q, const place *qa)
{
	if (p->kind != q->kind || p->item != q->item
	    || (p->arg != q->arg && (!p->arg || !q->arg || strcmp(p->arg, q->arg) != 0)))
		return false;
	bool alone = p->kind == PLACE_VALUE && (p->left + p->right == 0 || q->left + q->right == 0);
	return alone || p->right - pa->right == q->right - qa->right || p->left - pa->left == q->left - qa->left;
}

bool form_equal(const form *a, const form *b)
{
	if (a->e != b->e || a->n != b->n)
		return false;
	for (int k = 0; k < a->n; k++)
		if (!alike(&a->places[k], &a->anchor, &b->places[k], &b->anchor))
			return false;
	return true;
}

/* ---- to another operator */

/* Where a place lies in a shape or list of length len; negative or ≥ len: nowhere. */
static int aligned(const place *p, const place *anchor, int left, int right, int len, enum align how)
{
	switch (how) {
	case FROM_RIGHT:
		return len - 1 - (p->right - anchor->right + right);
	case FROM_LEFT:
		return p->left - anchor->left + left;
	case AT_LEFT:
		return p->left;
	default:
		return len - 1 - p->right;
	}
}

static const expr *find_output(
    const form *f, const operator *op, const expr *const *out, const place *p, int left, int right, way w)
{
	for (int d = 0; out && d < op->nodim; d++)
		if (op->out_tensor[d] == p->item
		    && op->out_pos[d] == aligned(p, &f->anchor, left, right, op->out_rank[d], w.dims))
			return out[d];
	return NULL;
}

/* The symbol at a place of argument a; -1: there is none. */
static int find_symbol(const form *f, const operator *op, const argument *a, const place *p, int left, int right, way w)
{
	bool alone = p->left + p->right == 0 && p->kind == PLACE_VALUE;
	for (int i = a->first; i < a->first + a->count; i++) {
		const role *r = &op->roles[i];
		int pos, len;
		if ((r->kind == ROLE_DIM) != (p->kind == PLACE_DIM))
			return -1;
		if (r->kind == ROLE_INT)
			return i;
		extent(r, &pos, &len);
		if (r->kind == ROLE_DIM && r->tensor - op->roles[a->first].tensor != p->item)
			continue;
		if (r->kind == ROLE_ITEM && r->outer_len && r->pos != p->item)
			continue;
		enum align how = r->kind == ROLE_DIM ? w.dims : w.values;
		place single = {.left = f->anchor.left, .right = f->anchor.right};
		if (r->kind == ROLE_ITEM && len == 1)
			return i;
		if (alone && how >= AT_LEFT)
			return -1;
		if (pos == aligned(alone ? &single : p, &f->anchor, left, right, len, how))
			return i;
	}
	return -1;
}

/* What stands for the k-th missing argument: 0, 1, or the same place of another argument. */
static const expr *substitute(const form *f, expr_pool *pool, const operator *op, const place *p, int left, int right,
    way w, int choice)
{
	if (choice < 2)
		return expr_const(pool, choice);
	const char *names[SUBSTITUTES];
	int n = 0;
	for (int k = 0; k < f->n && n < SUBSTITUTES; k++) {
		const place *o = &f->places[k];
		int known = o->kind != PLACE_VALUE || strcmp(o->arg, p->arg) == 0;
		for (int j = 0; !known && j < n; j++)
			known = strcmp(names[j], o->arg) == 0;
		if (!known)
			names[n++] = o->arg;
	}
	if (choice - 2 >= n)
		return NULL;
	int at = find_argument(op, names[choice - 2]);
	int i = at < 0 ? -1 : find_symbol(f, op, &op->arguments[at], p, left, right, w);
	return i < 0 ? NULL : expr_sym(pool, i);
}

const expr *form_apply(const form *f, expr_pool *pool, const operator *op, const expr *const *out, int left,
    int right, way w, int *missing)
{
	const expr *with[MAX_PLACES];
	const char *absent[2];
	*missing = 0;
	for (int k = 0; k < f->n; k++) {
		const place *p = &f->places[k];
		with[k] = NULL;
		if (p->kind == PLACE_OUT) {
			with[k] = find_output(f, op, out, p, left, right, w);
		} else {
			int at = find_argument(op, p->arg);
			const argument *a = at < 0 ? NULL : &op->arguments[at];
			if (a && a->count) {
				int i = find_symbol(f, op, a, p, left, right, w);
				with[k] = i < 0 ? NULL : expr_sym(pool, i);
			} else if (a && a->fixed && p->kind == PLACE_VALUE) {
				with[k] = expr_const(pool, a->value);
			} else if (p->kind == PLACE_VALUE) {
				int which = 0;
				while (which < *missing && strcmp(absent[which], p->arg) != 0)
					which++;
				if (which == 2)
					return NULL;
				absent[which] = p->arg;
				*missing = which == *missing ? which + 1 : *missing;
				int choice = which ? w.substitute / SUBSTITUTES : w.substitute % SUBSTITUTES;
				with[k] = substitute(f, pool, op, p, left, right, w, choice);
			}
		}
		if (!with[k])
			return NULL;
	}
	return expr_substitute(pool, f->e, with);
}

int form_anchors(const form *f, const operator *op)
{
	if (!f->positional[0] && !f->positional[1])
		return 1;
	if (f->anchor.kind == PLACE_OUT) {
		for (int d = 0; d < op->nodim; d++)
			if (op->out_tensor[d] == f->anchor.item)
				return op->out_rank[d];
		return 0;
	}
	int at = f->anchor.arg ? find_argument(op, f->anchor.arg) : -1;
	for (int i = 0; at >= 0 && i < op->arguments[at].count; i++) {
		const role *r = &op->roles[op->arguments[at].first + i];
		int pos, len;
		extent(r, &pos, &len);
		if (r->kind != ROLE_DIM || r->tensor - op->roles[op->arguments[at].first].tensor == f->anchor.item)
			return len;
	}
	return 0;
}
