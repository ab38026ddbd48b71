#include "notation.h"

#include <string.h>

#include "axes.h"
#include "guard.h"
#include "need.h"

/* Whether some place moves with the anchor. */
static bool moves(const quantified_clause *s, instantiation how)
{
	for (int k = 0; k < s->f.n; k++) {
		const template_index *p = &s->f.indices[k];
		bool value = p->kind == FOLD_OTHERS || (p->kind == INDEX_ITEM && !template_index_stays(p, &s->f.pivot));
		if ((template_index_is_dims(p) && how.dims < AT_LEFT) || (value && alignment_moves_items(how.values) && s->f.positional[1]))
			return true;
	}
	return false;
}

/* Whether the anchor stands at several positions in some call form. */
static bool has_several(const notation *n, const quantified_clause *s, clause_range x)
{
	if (x.axis && x.but)
		return true;
	for (int i = 0; i < n->n && x.axis; i++)
		if (axes_count(n->ops[i], x.axis) > 1)
			return true;
	if (x.axis || x.positions != EVERYWHERE)
		return __builtin_popcount(x.positions) > 1;
	for (int i = 0; i < n->n; i++)
		if (expr_template_pivots(&s->f, n->ops[i]) > 1)
			return true;
	return false;
}

/* a == b or a == 1 or b == 1, of two dimensions: the literals in the order in which choices are written. */
static bool is_broadcast(const expr_template *f)
{
	const expr *e = f->e, *last = e->b, *two = e->op == OP_OR && e->a->op == OP_OR ? e->a : NULL;
	bool dims = f->n == 2 && f->indices[0].kind != INDEX_ITEM && f->indices[0].kind < FOLD_DIMS
		    && f->indices[1].kind != INDEX_ITEM && f->indices[1].kind < FOLD_DIMS;
	if (!two || !dims || two->a->op != OP_EQ || two->b->op != OP_EQ || last->op != OP_EQ)
		return false;
	const expr *a = two->a->a, *b = two->a->b;
	const expr *one = two->b, *other = last;
	bool ones = one->b->op == OP_CONST && one->b->value == 1 && other->b->op == OP_CONST && other->b->value == 1;
	return ones && a->op == OP_SYM && b->op == OP_SYM && a != b
	       && ((one->a == a && other->a == b) || (one->a == b && other->a == a));
}

static void put_whole(buf *to, const notation *n, const template_index *p)
{
	if (!p->arg)
		words_output(to, n, p->item);
	else
		buf_puts(to, p->arg);
	if (p->arg && words_is_list(n, p->arg, ROLE_DIM))
		buf_printf(to, "[%d]", p->item);
}

/* Whether one position is counted from the one end, and others are found from the other end of other shapes or lists: that is
 * one number only where lengths are the same in all call forms. */
static bool is_crossed(const notation *n, const quantified_clause *s, instantiation how, clause_range x)
{
	if (x.axis || x.positions == EVERYWHERE || __builtin_popcount(x.positions) != 1)
		return false;
	bool crossed = false, vary = false;
	for (int k = 0; k < s->f.n; k++) {
		const template_index *p = &s->f.indices[k];
		bool value = p->kind == INDEX_ITEM;
		if ((!value && p->kind != INDEX_DIM && p->kind != INDEX_OUT) || template_index_stays(p, &s->f.pivot))
			continue;
		crossed |= !template_index_in_one(p, &s->f.pivot) && (!value || p->left + p->right > 0)
		    && (value ? how.values : how.dims) == (x.from_left ? FROM_RIGHT : FROM_LEFT);
		vary |= !words_length(n, p);
	}
	return crossed && vary;
}

/* The first end of a tensor's range among the places, where these move with the anchor; NULL: there is none. */
static const template_index *moving_end(const index_of *x)
{
	for (int k = 0; k < x->f->n && (x->values == FROM_LEFT || x->values == FROM_RIGHT); k++) {
		const template_index *p = &x->f->indices[k];
		if (p->end && !template_index_stays(p, &x->f->pivot))
			return p;
	}
	return NULL;
}

/* Whether the anchor can stand there, and all places are. */
static bool stands(const index_of *x)
{
	const template_index *a = &x->f->pivot;
	if ((x->values == FROM_LEFT ? x->left : x->right) < 0)
		return false;
	for (int k = 0; k < x->f->n; k++) {
		const template_index *p = &x->f->indices[k];
		bool value = p->kind == INDEX_ITEM || p->kind == FOLD_OTHERS;
		int how = value ? x->values : x->dims;
		if (p->end && (words_end(x, p) < 0 || words_end(x, p) > 1))
			return false;
		if (p->end || (p->kind >= FOLD_DIMS && p->kind != FOLD_TENSORS && p->kind != FOLD_OTHERS && p->kind != FOLD_RUN))
			continue;
		int right = p->kind == FOLD_RUN ? p->to_right : p->right;
		if ((how == FROM_LEFT && p->left - a->left + x->left < 0) || (how == FROM_RIGHT && right - a->right + x->right < 0))
			return false;
	}
	return true;
}

/* The anchor where the first end of a range among the places is the low one (0), or the high one. */
static index_of at_end(const index_of *x, const template_index *end, int which)
{
	const template_index *a = &x->f->pivot;
	index_of moved = *x;
	moved.variable = false;
	moved.left = a->left + which - end->left;
	moved.right = a->right - which + end->left;
	return moved;
}

/* What is said alike of both ends of a range that begins it, and from below, is said of all elements: index >= 0. Not from above: the
 * high end is one beyond the greatest element. False where it is not. */
static bool put_all_elements(buf *to, const expr_template *f, const char *low, const char *high)
{
	size_t name = strcspn(low, ". [");
	bool begins = strncmp(low + name, ".low", 4) == 0 && strncmp(low, high, name) == 0 && strncmp(high + name, ".high", 5) == 0;
	const char *rest = begins ? low + name + 4 : "";
	bool is = begins && f->e->op == OP_GE && strcmp(rest, high + name + 5) == 0 && !strstr(rest, ".low");
	if (is)
		buf_printf(to, "%.*s%s", (int)name, low, rest);
	return is;
}

/* A clause of the ends of a range is said of either, as far as it holds there: two are not worth a variable. */
static bool put_ends(buf *to, const index_of *x)
{
	const template_index *end = moving_end(x);
	if (!end)
		return false;
	const index_of ends[] = {at_end(x, end, 0), at_end(x, end, 1)};
	bool low = stands(&ends[0]), high = stands(&ends[1]), choice = low && high && x->f->e->op == OP_OR;
	buf said[2] = {{0}};
	if (low)
		words_expression(&said[0], &ends[0]);
	if (high)
		words_expression(&said[1], &ends[1]);
	if (!low || !high || !put_all_elements(to, x->f, need_text(&said[0]), need_text(&said[1])))
		buf_printf(to, "%s%s%s%s%s", choice ? "(" : "", need_text(&said[0]), choice ? ") and (" : low && high ? " and " : "",
		    need_text(&said[1]), choice ? ")" : "");
	buf_free(&said[0]);
	buf_free(&said[1]);
	return low || high;
}

/* A place's length in a call form; 0: a number, which is no list, or not there. */
static int moving_length(const template_index *p, const operator *op)
{
	const argument *a = p->kind == INDEX_ITEM ? expr_template_argument(op, p->arg) : NULL;
	return a && a->count && op->roles[a->first].kind != ROLE_ITEM ? 0 : expr_template_length(p, op);
}

/* Whether shapes or lists of other lengths meet, and are aligned at their first positions. */
static bool meet_at_first(const notation *n, const quantified_clause *s, instantiation how)
{
	for (int i = 0; i < n->n; i++) {
		int length = 0;
		for (int k = 0; k < s->f.n; k++) {
			const template_index *p = &s->f.indices[k];
			bool value = p->kind == INDEX_ITEM;
			if ((!value && p->kind != INDEX_DIM && p->kind != INDEX_OUT) || (value ? how.values : how.dims) != FROM_LEFT || p->end)
				continue;
			int here = moving_length(p, n->ops[i]);
			if (here && length && here != length)
				return true;
			length = here ? here : length;
		}
	}
	return false;
}

/* A clause as it will be written. */
typedef struct sentence {
	index_of x;
	clause_range where;
	bool crossed, moves; /* `moves`: over all positions */
} sentence;

static sentence sentence_of(const notation *n, const quantified_clause *s, instantiation how)
{
	sentence c = {.where = s->ranges[how.span]};
	c.x = (index_of){.n = n, .f = &s->f, .dims = how.dims, .values = how.values, .left = -1, .right = -1};
	c.crossed = moves(s, how) && is_crossed(n, s, how, c.where);
	c.x.variable = c.crossed || (moves(s, how) && has_several(n, s, c.where));
	c.moves = c.x.variable && c.where.positions == EVERYWHERE;
	c.x.everywhere = c.moves && !c.where.axis;
	int shared = c.where.axis && !c.where.but ? words_shared_axis(n, c.where.axis) : -1;
	if (shared >= 0)
		c.x.left = shared;
	else if (c.where.axis)
		c.x.axis = c.where.axis;
	else if (c.where.positions == EVERYWHERE)
		c.x.left = 0;
	else if (c.where.from_left)
		c.x.left = words_lowest(c.where.positions);
	else
		c.x.right = words_lowest(c.where.positions);
	return c;
}

/* What is said in one word, or of the ends of a range. */
static bool put_shortly(buf *to, const notation *n, const quantified_clause *s, instantiation how, const sentence *c)
{
	if (c->moves && how.dims == FROM_RIGHT && is_broadcast(&s->f)) {
		buf_puts(to, "broadcastable(");
		put_whole(to, n, &s->f.indices[0]);
		buf_puts(to, ", ");
		put_whole(to, n, &s->f.indices[1]);
		buf_putc(to, ')');
		return true;
	}
	return c->moves && !c->where.axis && put_ends(to, &c->x);
}

/* The length of the list or shape of which something is said, in all call forms of which it is; 0: of some another. */
static int length_where(const notation *n, const expr_template *f, const guard *where)
{
	int length = 0;
	for (int i = 0; i < n->n; i++) {
		int at = !where || guard_holds(where, n->ops[i]) ? expr_template_length(&f->pivot, n->ops[i]) : 0;
		if (at && length && at != length)
			return 0;
		length = at ? at : length;
	}
	return length;
}

/* Of a list with two numbers for each dimension, whose positions stand for these: the dimensions. */
static clause_range of_dimensions(const notation *n, const expr_template *f, clause_range x, instantiation how)
{
	int length = length_where(n, f, how.where), half = length / 2, values = how.values;
	clause_range y = {0};
	if (x.axis || x.positions == EVERYWHERE || length % 2 || !length)
		return x;
	for (int k = 0; k < length && k < 32; k++) {
		int left = x.from_left ? k : length - 1 - k;
		if (x.positions >> k & 1)
			y.positions |= quantified_clause_position(values == PAIRS ? left / 2 : half - 1 - left % half);
	}
	y.positions = __builtin_popcount(y.positions) == half ? EVERYWHERE : y.positions;
	return y;
}

static void put_positions(buf *to, const notation *n, const quantified_clause *s, instantiation how, const sentence *c)
{
	if (c->crossed)
		buf_printf(to, " for i = %d", c->where.from_left ? words_lowest(c->where.positions) : -1 - words_lowest(c->where.positions));
	else if (c->x.variable && how.values >= PAIRS && s->f.pivot.kind == INDEX_ITEM)
		words_where(to, of_dimensions(n, &s->f, c->where, how), 0);
	else if (c->x.variable)
		words_where(to, c->where, words_common_length(&c->x));
	if (c->moves && !c->where.axis && meet_at_first(n, s, how))
		buf_puts(to, " from the left");
}

void notation_clause(buf *to, const notation *n, const quantified_clause *s, instantiation how)
{
	sentence c = sentence_of(n, s, how);
	if (put_shortly(to, n, s, how, &c))
		return;
	words_expression(to, &c.x);
	put_positions(to, n, s, how, &c);
}

bool notation_equation(equation *to, const notation *n, const quantified_clause *s, instantiation how)
{
	sentence c = sentence_of(n, s, how);
	buf shortly = {0};
	bool is = !put_shortly(&shortly, n, s, how, &c) && words_sides(&to->left, &to->right, &c.x);
	buf_free(&shortly);
	if (is)
		put_positions(&to->where, n, s, how, &c);
	return is;
}

/* As put_sides. */
static bool put_plain(buf *to, buf *right, const notation *n, const operator *op, const expr *e)
{
	expr_pool *pool = expr_pool_new();
	expr_template f;
	bool is = expr_template_of(&f, pool, op, expr_copy(pool, e, NULL), NULL, NULL, false);
	if (is)
		is = words_sides(to, right, &(index_of){.n = n, .f = &f, .dims = AT_LEFT, .values = AT_LEFT});
	else if (!right)
		expr_print(to, e);
	expr_pool_free(pool);
	return is;
}

void notation_plain(buf *to, const notation *n, const operator *op, const expr *e)
{
	put_plain(to, NULL, n, op, e);
}

bool notation_plain_equation(equation *to, const notation *n, const operator *op, const expr *e)
{
	return put_plain(&to->left, &to->right, n, op, e);
}
