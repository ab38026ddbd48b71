#include "expr_template.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"
#include "simplify.h"

/* ---- indices */

const argument *expr_template_argument(const operator *op, const char *name)
{
	int i = operator_argument(op, name);
	return i < 0 ? NULL : &op->arguments[i];
}

/* Position and length of what an alignment may move; of a nested list, the outer position. */
static void movable_extent(const role *r, int *pos, int *len)
{
	bool nested = r->kind == ROLE_ITEM && r->outer_len;
	*pos = nested ? r->outer : r->pos;
	*len = nested ? r->outer_len : r->len;
}

/* The index of dimension v, which may be negative, in rank n. */
static int64_t normalized(int64_t v, int n)
{
	return v < 0 ? v + n : v;
}

/* The argument whose constant names dimension pos of a shape of length len, or NULL. */
static const char *name_of(const operator *op, int pos, int len)
{
	for (int k = 0; k < op->nargs; k++)
		if (op->arguments[k].fixed && !op->arguments[k].counts && normalized(op->arguments[k].value, len) == pos)
			return op->arguments[k].name;
	return NULL;
}

int expr_template_nested(const operator *op, const argument *a, int symbol)
{
	int n = 0;
	for (int i = a->first + 1; i <= symbol && op->roles[i].kind == ROLE_ITEM && op->roles[i].outer_len; i++)
		n += op->roles[i].outer == 0 && op->roles[i].pos == 0;
	return n;
}

static template_index place_of(const operator *op, int symbol)
{
	const role *r = &op->roles[symbol];
	const argument *a = &op->arguments[r->arg];
	int pos, len;
	movable_extent(r, &pos, &len);
	template_index p = {.arg = a->name, .kind = r->kind == ROLE_DIM ? INDEX_DIM : INDEX_ITEM, .left = (int16_t)pos,
	    .right = (int16_t)(len - 1 - pos), .end = r->end};
	if (r->kind == ROLE_DIM) {
		p.item = (int16_t)(r->tensor - op->roles[a->first].tensor);
		p.named = name_of(op, pos, len);
	} else if (r->outer_len) {
		p.item = (int16_t)r->pos;
		p.within = (int16_t)expr_template_nested(op, a, symbol);
	}
	return p;
}

template_index expr_template_output(const operator *op, int d)
{
	return (template_index){.kind = INDEX_OUT, .item = (int16_t)op->out_tensor[d], .left = (int16_t)op->out_pos[d],
	    .named = name_of(op, op->out_pos[d], op->out_rank[d]), .right = (int16_t)(op->out_rank[d] - 1 - op->out_pos[d])};
}

int expr_template_counts(const expr_template *f)
{
	int n = 0;
	for (int k = 0; k < f->n; k++)
		n += f->indices[k].kind == FOLD_COUNT;
	return n;
}

bool template_index_is_dims(const template_index *p)
{
	return p->kind == INDEX_DIM || p->kind == INDEX_OUT || p->kind == FOLD_TENSORS || p->kind == FOLD_RUN;
}

static bool is_values(const template_index *p)
{
	return p->kind == INDEX_ITEM || p->kind == FOLD_OTHERS;
}

static bool has_position(const template_index *p)
{
	return template_index_is_dims(p) || (is_values(p) && p->left + p->right > 0);
}

static bool same_name(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool template_index_in_one(const template_index *a, const template_index *b)
{
	return a->kind == b->kind && a->item == b->item && a->within == b->within && same_name(a->arg, b->arg);
}

bool template_index_stays(const template_index *p, const template_index *pivot)
{
	return p->end && !template_index_in_one(p, pivot);
}

static bool same_fold(const template_index *a, const template_index *b)
{
	return a->fold == b->fold && a->each == b->each && (a->each != COPIED || strcmp(a->copied, b->copied) == 0);
}

static bool same_place(const template_index *a, const template_index *b)
{
	return template_index_in_one(a, b) && same_fold(a, b) && a->left == b->left && a->right == b->right && a->to_left == b->to_left;
}

/* ---- folds */

/* How each item enters a fold. */
typedef struct element {
	enum each each;
	const argument *copied; /* COPIED: the tensor whose dimensions replace 0 */
} element;

/* Dimensions beyond the rank of the copied tensor have no replacement. */
static const expr *element_of(expr_pool *pool, const operator *op, element x, int i)
{
	size_factor f = {.each = x.each, .size = expr_sym(pool, i)};
	const role *first = x.copied && x.copied->count ? &op->roles[x.copied->first] : NULL;
	if (first && first->kind == ROLE_DIM && op->roles[i].pos < first->len)
		f.dimension = expr_sym(pool, x.copied->first + op->roles[i].pos);
	return size_factor_make(pool, f);
}

static const expr *fold_dims(expr_pool *pool, const operator *op, const argument *a, int item, enum op fold, element x)
{
	const expr *e = NULL;
	for (int i = a->first; i < a->first + a->count; i++)
		if (op->roles[i].kind == ROLE_DIM && op->roles[i].tensor - op->roles[a->first].tensor == item)
			e = expr_join(pool, fold, e, element_of(pool, op, x, i));
	return e;
}

bool expr_template_is_integer(const operator *op, const argument *a)
{
	return a->count == 1 && op->roles[a->first].kind == ROLE_INT;
}

void expr_template_run_of(const operator *op, const argument *a, int *from, int *to)
{
	for (*from = a->first; *from > 0 && op->roles[*from - 1].kind == ROLE_INT;)
		--*from;
	for (*to = a->first + 1; *to < op->nsym && op->roles[*to].kind == ROLE_INT;)
		++*to;
}

/* The number of counted items of an argument, including nested lists. */
static const expr *count_items(expr_pool *pool, const operator *op, const argument *a, enum each each)
{
	const expr **items = need(calloc((size_t)a->count + 1, sizeof *items), sizeof *items);
	int n = 0;
	for (int i = a->first; i < a->first + a->count; i++)
		if (op->roles[i].kind == ROLE_ITEM)
			items[n++] = expr_sym(pool, i);
	const expr *e = size_factor_count(pool, each, items, n);
	free(items);
	return e;
}

/* Folds the items of a list except one; for an integer, the adjacent integers. */
static const expr *fold_items(expr_pool *pool, const operator *op, const argument *a, int but, enum op fold, element x)
{
	const expr *e = NULL;
	int from = a->first, to = a->first + a->count;
	if (size_factor_counts(x.each))
		return but < 0 && fold == OP_ADD ? count_items(pool, op, a, x.each) : NULL;
	if (expr_template_is_integer(op, a) && but >= 0)
		expr_template_run_of(op, a, &from, &to);
	for (int i = from; i < to; i++)
		if (op->roles[i].kind != ROLE_DIM && op->roles[i].outer_len == 0 && i != but)
			e = expr_join(pool, fold, e, element_of(pool, op, x, i));
	return e;
}

static const expr *fold_tensors(expr_pool *pool, const operator *op, const argument *a, int pos, enum op fold)
{
	const expr *e = NULL;
	for (int i = a->first; i < a->first + a->count; i++)
		if (op->roles[i].kind == ROLE_DIM && op->roles[i].list && op->roles[i].pos == pos)
			e = expr_join(pool, fold, e, expr_sym(pool, i));
	return e;
}

static const expr *fold_outputs(expr_pool *pool, const operator *op, const expr *const *out, int item, enum op fold)
{
	const expr *e = NULL;
	for (int d = 0; d < op->nodim; d++)
		if (op->out_tensor[d] == item)
			e = expr_join(pool, fold, e, out[d]);
	return e;
}

/* ---- from an expression */

typedef struct maker {
	expr_template *f;
	expr_pool *pool;
	const operator *op;
	const expr *const *out;
	enum folds folds;
} maker;

static const expr *place_symbol(maker *m, template_index p)
{
	expr_template *f = m->f;
	int k = 0;
	while (k < f->n && !same_place(&f->indices[k], &p))
		k++;
	if (k == MAX_INDICES)
		return NULL;
	if (k == f->n)
		f->indices[f->n++] = p;
	return expr_sym(m->pool, k);
}

enum counted { ITEMS, OUTER, RANK, COUNTS };

/* The rank of a tensor that is given by its elements; 0 if it is not. */
static int elements_rank(const operator *op, const argument *a)
{
	const call_value *v = call_named(op->call, a->name);
	int rank = 0;
	if (v && v->kind == CALL_ELEMENTS)
		for (v = v->items; v->kind == CALL_LIST && v->count; v = v->items)
			rank++;
	return rank;
}

/* The length of an argument's list, its number of lists or tensors, or a tensor's rank; 0: none. */
static int count_of(const operator *op, const argument *a, enum counted what)
{
	if (a->count == 0)
		return 0;
	const role *first = &op->roles[a->first];
	if (first->kind == ROLE_DIM && what == RANK)
		return first->list ? 0 : first->len;
	if (first->kind == ROLE_DIM)
		return what == OUTER ? argument_tensors(op, a) : 0;
	if (what == RANK)
		return elements_rank(op, a);
	return first->kind == ROLE_ITEM ? (what == OUTER ? first->outer_len : first->len) : 0;
}

/* Finds a rank, list length or number of outputs that equals a constant or its negation. */
static bool find_count(const maker *m, int64_t value, template_index *p)
{
	int64_t size = value < 0 ? -value : value;
	uint8_t fold = value < 0 ? OP_SUB : 0;
	for (int k = 0; k < m->op->nargs; k++)
		for (int what = COUNTS - 1; what >= 0; what--)
			if ((what == RANK ? size > 1 : value > 0) && count_of(m->op, &m->op->arguments[k], what) == size) {
				*p = (template_index){.arg = m->op->arguments[k].name, .kind = FOLD_COUNT, .fold = fold, .item = (int16_t)what};
				return true;
			}
	if (value > 1 && value == m->op->nout) {
		*p = (template_index){.kind = FOLD_COUNT};
		return true;
	}
	return false;
}

/* How the first operand of a fold is transformed, which holds for all. Copied dimensions must be those of a tensor. */
static element first_element(const maker *m, const expr *e)
{
	const expr *first = e;
	while (first->op == e->op && first->a)
		first = first->a;
	size_factor f = size_factor_of(first);
	if (size_factor_counts(f.each) ? e->op != OP_ADD : e->op != OP_MUL)
		return (element){AS_IS, NULL};
	if (f.each != COPIED)
		return (element){f.each, NULL};
	const role *r = f.dimension->op == OP_SYM ? &m->op->roles[f.dimension->value] : NULL;
	return r && r->kind == ROLE_DIM ? (element){COPIED, &m->op->arguments[r->arg]} : (element){AS_IS, NULL};
}

/* The product of dimensions `from` to `to` of tensor `item` of an argument; 1 if empty, NULL if out of range. */
static const expr *fold_run(expr_pool *pool, const operator *op, const argument *a, int item, int from, int to)
{
	const expr *e = NULL;
	int first = a->first, len = 0;
	while (first < a->first + a->count && (op->roles[first].kind != ROLE_DIM || op->roles[first].tensor - op->roles[a->first].tensor != item))
		first++;
	if (first < a->first + a->count)
		len = op->roles[first].len;
	if (from < 0 || to >= len || to < from - 1)
		return NULL;
	for (int k = from; k <= to; k++)
		e = expr_join(pool, OP_MUL, e, expr_sym(pool, first + k));
	return e ? e : expr_const(pool, 1);
}

/* A fold over a whole tensor or list has no position. */
static bool is_of_all(template_index *p, enum place_kind kind)
{
	p->kind = (uint8_t)kind;
	p->left = p->right = 0;
	p->named = NULL;
	return true;
}

static int factors(const expr *e)
{
	return e->op == OP_MUL ? factors(e->a) + factors(e->b) : 1;
}

/* Whether e is a product of consecutive dimensions of argument a from symbol i on, but not of all. */
static bool find_run_at(const maker *m, const expr *e, const argument *a, int i, template_index *p)
{
	const operator *op = m->op;
	const role *r = &op->roles[i];
	int n = e->op == OP_MUL ? factors(e) : 0, to = r->pos + n - 1;
	*p = place_of(op, i);
	if (n < 2 || r->kind != ROLE_DIM || fold_run(m->pool, op, a, p->item, r->pos, to) != e)
		return false;
	p->kind = FOLD_RUN;
	p->fold = OP_MUL;
	p->to_left = (int16_t)to;
	p->to_right = (int16_t)(r->len - 1 - to);
	p->to_named = name_of(op, to, r->len);
	p->before = !p->to_named;
	if (p->before)
		p->to_named = name_of(op, to + 1, r->len);
	return n > 2 || (m->folds == FOLDS && (p->named || p->to_named));
}

/* Whether e is a fold over argument a at symbol i. */
static bool find_fold_at(const maker *m, const expr *e, element x, const argument *a, int i, template_index *p)
{
	const operator *op = m->op;
	const role *r = &op->roles[i];
	*p = place_of(op, i);
	p->fold = e->op;
	p->each = (uint8_t)x.each;
	p->copied = x.copied ? x.copied->name : NULL;
	if (r->kind == ROLE_DIM && r->pos == 0 && fold_dims(m->pool, op, a, p->item, e->op, x) == e)
		return is_of_all(p, FOLD_DIMS);
	p->kind = FOLD_TENSORS;
	if (r->kind == ROLE_DIM && r->list && fold_tensors(m->pool, op, a, r->pos, e->op) == e) {
		p->item = 0;
		return true;
	}
	p->kind = FOLD_OTHERS;
	if (r->kind != ROLE_DIM && fold_items(m->pool, op, a, i, e->op, x) == e)
		return true;
	return r->kind == ROLE_ITEM && i == a->first && fold_items(m->pool, op, a, -1, e->op, x) == e && is_of_all(p, FOLD_ITEMS);
}

/* Whether e is a fold over an argument or output. */
static bool find_fold(const maker *m, const expr *e, template_index *p)
{
	const operator *op = m->op;
	if ((e->op != OP_MUL && e->op != OP_ADD && e->op != OP_MAX && e->op != OP_MIN) || op->nsym > 64)
		return false;
	for (int d = 0; m->out && d < op->nodim; d++)
		if (op->out_pos[d] == 0 && fold_outputs(m->pool, op, m->out, op->out_tensor[d], e->op) == e) {
			*p = (template_index){.kind = FOLD_OUT, .fold = e->op, .item = (int16_t)op->out_tensor[d]};
			return true;
		}
	element x = first_element(m, e);
	for (int k = 0; k < op->nargs; k++) {
		const argument *a = &op->arguments[k];
		for (int i = a->first; i < a->first + a->count; i++)
			if (find_fold_at(m, e, x, a, i, p) || find_run_at(m, e, a, i, p))
				return true;
	}
	return false;
}

/* The number of outputs, or one less, if a constant equals it and outputs are counted from the last one; otherwise NULL. */
static const expr *make_outputs(maker *m, int64_t value)
{
	int64_t less = m->op->nout - value;
	if (!m->op->from_end || value < 2 || less < 0 || less > 1)
		return NULL;
	const expr *n = place_symbol(m, (template_index){.kind = FOLD_COUNT});
	return n && less ? expr_make(m->pool, OP_SUB, n, expr_const(m->pool, 1)) : n;
}

/* A constant, or the count that it equals. */
static const expr *make_constant(maker *m, int64_t value)
{
	template_index count;
	if (!m->folds)
		return expr_const(m->pool, value);
	const expr *outputs = make_outputs(m, value);
	return outputs ? outputs : find_count(m, value, &count) ? place_symbol(m, count) : expr_const(m->pool, value);
}

static const expr *make(maker *m, const expr *e)
{
	template_index fold;
	if (e->op == OP_CONST)
		return make_constant(m, e->value);
	if (e->a && m->folds && find_fold(m, e, &fold))
		return place_symbol(m, fold);
	for (int d = 0; m->out && e->size > 0 && !expr_is_bool(e) && d < m->op->nodim; d++)
		if (m->out[d] == e)
			return place_symbol(m, expr_template_output(m->op, d));
	if (e->op == OP_SYM)
		return place_symbol(m, place_of(m->op, (int)e->value));
	const expr *a = make(m, e->a), *b = a ? make(m, e->b) : NULL, *c = b && e->c ? make(m, e->c) : NULL;
	if (!b || (e->c && !c))
		return NULL;
	return e->c ? expr_ite(m->pool, c, a, b) : expr_make(m->pool, e->op, a, b);
}

/* The first index with a position; an end of a range only if there is no other. */
static template_index first_anchor(const expr_template *f)
{
	const template_index *first = NULL;
	for (int k = 0; k < f->n; k++)
		if (has_position(&f->indices[k]) && (!first || (first->end && !f->indices[k].end)))
			first = &f->indices[k];
	return first ? *first : (template_index){0};
}

bool expr_template_of(expr_template *f, expr_pool *pool, const operator *op, const expr *e, const expr *const *out,
    const template_index *pivot, enum folds folds)
{
	maker m = {f, pool, op, out, folds};
	*f = (expr_template){.n = 0};
	f->e = make(&m, e);
	if (!f->e)
		return false;
	if (pivot)
		f->pivot = *pivot;
	else
		f->pivot = first_anchor(f);
	for (int k = 0; k < f->n; k++)
		if (template_index_is_dims(&f->indices[k]))
			f->positional[0] = true;
		else
			f->positional[1] |= has_position(&f->indices[k]) && !template_index_stays(&f->indices[k], &f->pivot);
	return true;
}

/* The pair that a list item is in, or its position in its half, counted from the right; -1 if the list has none. */
static int group(int left, int right, int how)
{
	int n = left + right + 1, half = n / 2;
	return n % 2 ? -1 : how == PAIRS ? left / 2 : half - 1 - left % half;
}

template_index expr_template_pivot(const expr_template *f, int values)
{
	template_index a = f->pivot;
	int k = values >= PAIRS && is_values(&a) ? group(a.left, a.right, values) : -1;
	if (k >= 0)
		a.right = (int16_t)k;
	return a;
}

/* Whether two items have the same role in their pairs or halves, relative to their pivots. */
static bool same_group(const template_index *p, const template_index *pa, const template_index *q, const template_index *qa, int how)
{
	int a = group(p->left, p->right, how), b = group(q->left, q->right, how);
	bool part = how == PAIRS ? p->left % 2 == q->left % 2 : (p->left > p->right) == (q->left > q->right);
	return a >= 0 && b >= 0 && part && a - pa->right == b - qa->right;
}

/* Whether two indices resolve alike relative to their pivots: the same distance from the right or the left, or the same role
 * in pairs or halves. */
static bool alike(const template_index *p, const template_index *pa, const template_index *q, const template_index *qa, int how)
{
	if (!template_index_in_one(p, q) || !same_fold(p, q))
		return false;
	if (!template_index_is_dims(p) && !is_values(p))
		return true;
	if (!same_name(p->named, q->named) || !same_name(p->to_named, q->to_named) || p->before != q->before)
		return false;
	if (p->kind == FOLD_RUN && p->to_right - pa->right != q->to_right - qa->right && p->to_left - pa->left != q->to_left - qa->left)
		return false;
	if (is_values(p) && (p->left + p->right == 0 || q->left + q->right == 0))
		return true;
	if (template_index_stays(p, pa) && template_index_stays(q, qa))
		return p->left == q->left;
	if (how >= PAIRS && is_values(p))
		return same_group(p, pa, q, qa, how);
	return p->right - pa->right == q->right - qa->right || p->left - pa->left == q->left - qa->left;
}

int expr_template_find(const expr_template *f, const template_index *p, const template_index *pivot)
{
	for (int k = 0; k < f->n; k++)
		if (alike(&f->indices[k], &f->pivot, p, pivot, FROM_RIGHT))
			return k;
	return -1;
}

static bool equal_in(const expr_template *a, const expr_template *b, int how)
{
	const template_index pa = expr_template_pivot(a, how), qa = expr_template_pivot(b, how);
	for (int k = 0; k < a->n; k++)
		if (!alike(&a->indices[k], &pa, &b->indices[k], &qa, how))
			return false;
	return true;
}

/* Whether both are one run that arguments name. */
static bool is_named_run(const expr_template *a, const expr_template *b)
{
	const template_index *p = &a->indices[0], *q = &b->indices[0];
	return a->n == 1 && p->kind == FOLD_RUN && (p->named || p->to_named) && template_index_in_one(p, q) && same_fold(p, q)
	    && same_name(p->named, q->named) && same_name(p->to_named, q->to_named) && p->before == q->before
	    && (p->named || p->left == q->left) && (p->to_named || p->to_right == q->to_right);
}

bool expr_template_equal(const expr_template *a, const expr_template *b)
{
	return a->e == b->e && a->n == b->n
	    && (is_named_run(a, b) || equal_in(a, b, FROM_RIGHT)
		|| (a->positional[1] && b->positional[1] && (equal_in(a, b, PAIRS) || equal_in(a, b, HALVES))));
}

/* ---- instantiation */

/* The position of an index in a shape or list of length len; out of range if there is none. */
static int aligned(const operator *op, const template_index *p, const template_index *pivot, int left, int right, int len, enum align how)
{
	int at;
	switch (how) {
	case NAMED:
		at = p->named ? operator_argument(op, p->named) : -1;
		return at >= 0 && op->arguments[at].fixed ? (int)normalized(op->arguments[at].value, len) : -1;
	case FROM_RIGHT:
		return len - 1 - (p->right - pivot->right + right);
	case FROM_LEFT:
		return p->left - pivot->left + left;
	case AT_LEFT:
		return p->left;
	default:
		return len - 1 - p->right;
	}
}

/* The position of an item in a list of length len whose pairs or halves move with the pivot; out of range if there is none. */
static int in_groups(const template_index *p, const template_index *pivot, int right, int len, int how)
{
	int k = group(p->left, p->right, how), half = len / 2;
	if (k < 0 || len % 2)
		return -1;
	k += right - pivot->right;
	if (k < 0 || k >= half)
		return -1;
	return how == PAIRS ? 2 * k + p->left % 2 : (p->left > p->right ? half : 0) + half - 1 - k;
}


static const expr *find_output(
    const expr_template *f, const operator *op, const expr *const *out, const template_index *p, int left, int right, alignment w)
{
	for (int d = 0; out && d < op->nodim; d++)
		if (op->out_tensor[d] == p->item
		    && op->out_pos[d] == aligned(op, p, &f->pivot, left, right, op->out_rank[d], w.dims))
			return out[d];
	return NULL;
}

/* The symbol of an index in argument a (for FOLD_OTHERS, the excluded one); -1: none. */
static int find_symbol(const expr_template *f, const operator *op, const argument *a, const template_index *p, int left, int right, alignment w)
{
	bool alone = p->left + p->right == 0 && is_values(p);
	for (int i = a->first; i < a->first + a->count; i++) {
		const role *r = &op->roles[i];
		int pos, len;
		if ((r->kind == ROLE_DIM) != template_index_is_dims(p)) /* a tensor with a value range has both kinds */
			continue;
		if (r->kind == ROLE_INT)
			return i;
		movable_extent(r, &pos, &len);
		if (r->kind == ROLE_DIM && r->tensor - op->roles[a->first].tensor != p->item)
			continue;
		if (r->kind == ROLE_ITEM && r->outer_len && (r->pos != p->item || expr_template_nested(op, a, i) != p->within))
			continue;
		enum align how = r->kind == ROLE_DIM ? w.dims : r->end && template_index_stays(p, &f->pivot) ? AT_LEFT : w.values;
		template_index single = {.left = f->pivot.left, .right = f->pivot.right};
		if (r->kind == ROLE_ITEM && len == 1)
			return i;
		if (alone && how >= AT_LEFT)
			return -1;
		if (r->kind == ROLE_ITEM && how >= (enum align)PAIRS) {
			if (pos == in_groups(p, &f->pivot, right, len, how))
				return i;
			continue;
		}
		if (pos == aligned(op, alone ? &single : p, &f->pivot, left, right, len, how))
			return i;
	}
	return -1;
}

/* The other arguments of a template, in order: candidates to replace a missing one. */
static int find_others(const expr_template *f, const char *missing, const char **names)
{
	int n = 0;
	for (int k = 0; k < f->n && n < SUBSTITUTES; k++) {
		const template_index *o = &f->indices[k];
		bool known = o->kind != INDEX_ITEM || same_name(o->arg, missing);
		for (int j = 0; !known && j < n; j++)
			known = same_name(names[j], o->arg);
		if (!known)
			names[n++] = o->arg;
	}
	return n;
}

/* The k-th substitute for a missing argument: 0, 1, or the same index of another argument. */
static const expr *substitute(const expr_template *f, expr_pool *pool, const operator *op, const template_index *p, int left, int right,
    alignment w, int choice)
{
	if (choice < 2)
		return expr_const(pool, choice);
	const char *names[SUBSTITUTES];
	if (choice - 2 >= find_others(f, p->arg, names))
		return NULL;
	int at = operator_argument(op, names[choice - 2]);
	int i = at < 0 ? -1 : find_symbol(f, op, &op->arguments[at], p, left, right, w);
	return i < 0 ? NULL : expr_sym(pool, i);
}

static bool is_missing(const operator *op, const template_index *p)
{
	int at = p->kind == INDEX_ITEM ? operator_argument(op, p->arg) : -1;
	return p->kind == INDEX_ITEM && (at < 0 || (!op->arguments[at].count && !op->arguments[at].fixed));
}

/* The position of an argument among the missing ones; n if it is not among them. */
static int find_absent(const char *const *absent, int n, const char *argument)
{
	int k = 0;
	while (k < n && strcmp(absent[k], argument) != 0)
		k++;
	return k;
}

/* The substitute of the n-th missing argument. */
static int choice_of(int substitute, int n)
{
	return substitute / expr_template_substitutes(n) % (n < 2 ? SUBSTITUTES : LAST_SUBSTITUTES);
}

const char *expr_template_instead(const expr_template *f, const operator *op, int by, const char *argument, int *number)
{
	const char *absent[MAX_MISSING], *names[SUBSTITUTES];
	int n = 0;
	for (int k = 0; k < f->n; k++) {
		const template_index *p = &f->indices[k];
		if (!is_missing(op, p) || find_absent(absent, n, p->arg) < n)
			continue;
		if (n == MAX_MISSING)
			return NULL;
		int choice = choice_of(by, n);
		absent[n++] = p->arg;
		if (strcmp(p->arg, argument) != 0)
			continue;
		*number = choice;
		return choice < 2 ? "" : choice - 2 < find_others(f, argument, names) ? names[choice - 2] : NULL;
	}
	return NULL;
}

/* The end of a run that an argument names. A signature without the argument has the whole shape on that side. */
static int named_end(const operator *op, const char *name, int len, int whole)
{
	int at = operator_argument(op, name);
	if (at < 0 || (!op->arguments[at].count && !op->arguments[at].fixed))
		return whole;
	return op->arguments[at].fixed ? (int)normalized(op->arguments[at].value, len) : -2;
}

/* The product over a run of dimensions. */
static const expr *find_run(const expr_template *f, expr_pool *pool, const operator *op, const argument *a, const template_index *p, int left, int right,
    alignment w)
{
	int len = expr_template_length(p, op);
	template_index last = {.kind = FOLD_RUN, .left = p->to_left, .right = p->to_right};
	int from = p->left, to = len - 1 - p->to_right;
	if (w.dims == NAMED) {
		from = p->named ? named_end(op, p->named, len, 0) : from;
		to = p->to_named ? named_end(op, p->to_named, len, p->before ? len : len - 1) - p->before : to;
	} else {
		from = aligned(op, p, &f->pivot, left, right, len, w.dims);
		to = aligned(op, &last, &f->pivot, left, right, len, w.dims);
	}
	return fold_run(pool, op, a, p->item, from, to);
}

/* A fold over argument a; an empty product is 1. */
static const expr *find_fold_of(const expr_template *f, expr_pool *pool, const operator *op, const argument *a, const template_index *p,
    int left, int right, alignment w)
{
	const expr *e = NULL;
	element x = {p->each, p->each == COPIED ? expr_template_argument(op, p->copied) : NULL};
	if (p->kind == FOLD_COUNT) {
		int count = count_of(op, a, p->item);
		return count ? expr_const(pool, p->fold == OP_SUB ? -count : count) : NULL;
	}
	if (x.each == COPIED && !x.copied)
		return NULL;
	if (p->kind == FOLD_RUN)
		return find_run(f, pool, op, a, p, left, right, w);
	if (p->kind == FOLD_DIMS)
		e = fold_dims(pool, op, a, p->item, p->fold, x);
	else if (p->kind == FOLD_ITEMS)
		e = fold_items(pool, op, a, -1, p->fold, x);
	else {
		int i = a->count ? find_symbol(f, op, a, p, left, right, w) : -1;
		if (i >= 0 && p->kind == FOLD_TENSORS)
			e = fold_tensors(pool, op, a, op->roles[i].pos, p->fold);
		else if (i >= 0)
			e = fold_items(pool, op, a, i, p->fold, x);
		else
			return NULL;
	}
	return e || p->fold != OP_MUL ? e : expr_const(pool, 1);
}

static const expr *apply(const expr_template *f, expr_pool *pool, const operator *op, const expr *const *out, int left,
    int right, alignment w, int *missing, const expr **was)
{
	const expr *with[MAX_INDICES] = {0};
	const char *absent[MAX_MISSING];
	bool constants = false, none = false;
	*missing = 0;
	for (int k = 0; k < f->n; k++) {
		const template_index *p = &f->indices[k];
		with[k] = NULL;
		if (p->kind == INDEX_OUT) {
			with[k] = find_output(f, op, out, p, left, right, w);
		} else if (p->kind == FOLD_OUT) {
			with[k] = out ? fold_outputs(pool, op, out, p->item, p->fold) : NULL;
		} else if (p->kind == FOLD_COUNT && !p->arg) {
			with[k] = expr_const(pool, op->nout);
		} else if (p->kind > INDEX_OUT) {
			int at = operator_argument(op, p->arg);
			with[k] = at < 0 ? NULL : find_fold_of(f, pool, op, &op->arguments[at], p, left, right, w);
		} else {
			int at = operator_argument(op, p->arg);
			const argument *a = at < 0 ? NULL : &op->arguments[at];
			if (a && a->count) {
				int i = find_symbol(f, op, a, p, left, right, w);
				with[k] = i < 0 ? NULL : expr_sym(pool, i);
			} else if (a && a->fixed && p->kind == INDEX_ITEM) {
				with[k] = expr_const(pool, a->value);
			} else if (p->kind == INDEX_ITEM) {
				int which = find_absent(absent, *missing, p->arg);
				if (which == MAX_MISSING)
					return NULL;
				absent[which] = p->arg;
				*missing = which == *missing ? which + 1 : *missing;
				with[k] = substitute(f, pool, op, p, left, right, w, choice_of(w.substitute, which));
				none |= !with[k];
				if (!with[k]) /* continue, to count all missing arguments */
					continue;
			}
		}
		if (!with[k])
			return NULL;
		constants |= with[k]->op == OP_CONST;
	}
	if (none)
		return NULL;
	const expr *e = expr_substitute(pool, f->e, with), *plain = constants ? simplify_expr(pool, op, e) : e;
	*was = plain != e ? e : NULL;
	return plain;
}

const expr *expr_template_apply(const expr_template *f, expr_pool *pool, const operator *op, const expr *const *out, int left,
    int right, alignment w, int *missing, const expr **was)
{
	int k = w.values >= PAIRS && is_values(&f->pivot) ? group(left, right, w.values) : -1;
	if (k < 0 || group(f->pivot.left, f->pivot.right, w.values) < 0)
		return apply(f, pool, op, out, left, right, w, missing, was);
	expr_template g = *f; /* relative to the dimension of the pivot's pair */
	g.pivot = expr_template_pivot(f, w.values);
	return apply(&g, pool, op, out, left, k, w, missing, was);
}

/* Advances to the next alignment or substitute. Returns false at the end. */
static bool next_way(expr_template_tries *t, const expr_template *f)
{
	int dims = f->positional[0] ? ALIGNS : 1, values = f->positional[1] || f->n > 1 ? VALUE_ALIGNS : 1;
	if (!t->begun)
		return t->begun = true;
	if (t->missing <= t->most && t->w.substitute + 1 < expr_template_substitutes(t->missing)) {
		t->w.substitute++;
		return true;
	}
	t->w.substitute = 0;
	if (++t->w.values < values)
		return true;
	t->w.values = 0;
	return ++t->w.dims < dims;
}

bool expr_template_try(expr_template_tries *t, const expr_template *f, expr_pool *pool, const operator *op, int left, int right)
{
	if (!next_way(t, f))
		return false;
	t->e = expr_template_apply(f, pool, op, NULL, left, right, t->w, &t->missing, &t->was);
	return true;
}

int expr_template_length(const template_index *p, const operator *op)
{
	if (p->kind == INDEX_OUT) {
		for (int d = 0; d < op->nodim; d++)
			if (op->out_tensor[d] == p->item)
				return op->out_rank[d];
		return 0;
	}
	int at = p->arg ? operator_argument(op, p->arg) : -1;
	for (int i = 0; at >= 0 && i < op->arguments[at].count; i++) {
		const role *r = &op->roles[op->arguments[at].first + i];
		int pos, len;
		movable_extent(r, &pos, &len);
		if (is_values(p) && r->kind == ROLE_DIM) /* the value range of a tensor is not part of its shape */
			continue;
		if (r->kind != ROLE_DIM || r->tensor - op->roles[op->arguments[at].first].tensor == p->item)
			return len;
	}
	return 0;
}

int expr_template_pivots(const expr_template *f, const operator *op)
{
	int longest = 1;
	if (f->positional[0] && !is_values(&f->pivot))
		return expr_template_length(&f->pivot, op);
	for (int k = 0; k < f->n; k++)
		if (is_values(&f->indices[k])) {
			int n = expr_template_length(&f->indices[k], op);
			longest = n > longest ? n : longest;
		}
	return longest;
}

int expr_template_walked(const expr_template *f, const operator *op)
{
	int n = expr_template_pivots(f, op);
	return n == 1 && f->positional[0] && has_position(&f->pivot) ? f->pivot.left + f->pivot.right + 1 : n;
}
