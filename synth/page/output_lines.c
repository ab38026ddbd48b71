#include "output_lines.h"

#include <stdlib.h>
#include <string.h>
#include <cjson/cJSON.h>

#include "axes.h"
#include "guard_text.h"
#include "guard.h"
#include "need.h"
#include "shapes.h"
#include "simplify.h"
#include "anti_unify.h"

/* Where dimensions stand beside the one that a constant names. */
enum side { AT_AXIS, BUT_AXIS, BEFORE_AXIS, FROM_AXIS };

/* Output dimensions of one form. */
typedef struct line {
	expr_template f;
	uint32_t right, left; /* its positions in the leader, counted from either end */
	int tensor, rank;
	bool displaced; /* in another signature it is at other positions; */
	const char *axis; /* where this constant says, NULL: none does */
	enum side side;
	int from;	 /* it stands at all dimensions from this one on; 0: not */
	bool from_right; /* it has one distance from the end in all signatures, and several from the start */
	bool crossed;	 /* its places do not stand at one distance from the start */
	uint64_t forms;  /* the signatures that have it in place of the leader's lines; 0: it is the leader's */
	uint8_t dims, values; /* how dimensions and list items are found at all of these positions */
} line;

enum { MAX_LINES = 128, MOST_EXTRA = 6, MOST_FORMS = 64 };

/* Which dimensions of an output are spoken of: with fewer than `last` behind them and with `from` … `to` - 1 before them. */
typedef struct stretch {
	int last, from, to;
} stretch;

static const stretch WHOLE = {MAX_LINES, 0, MAX_LINES};

static bool is_within(const stretch *s, const template_index *at)
{
	return at->right < s->last && at->left >= s->from && at->left < s->to;
}

typedef struct lines {
	line list[MAX_LINES];
	int n;
	stretch of; /* these dimensions */
	bool folds; /* are places of their own */
	bool plain; /* no dimension goes by the name of an argument whose value it happens to be */
	int unsaid; /* dimensions of other signatures that match no line */
	uint64_t others; /* the signatures that have more dimensions than the lines cover */
} lines;

/* An output dimension of a signature as a line writes it; false if the lines do not cover it. */
static bool line_form(const lines *l, expr_template *f, expr_pool *pool, const operator *op, const expr *e, const template_index *at)
{
	if (!is_within(&l->of, at) || !expr_template_of(f, pool, op, e, NULL, at, !l->folds ? NO_FOLDS : l->plain ? UNNAMED_FOLDS : FOLDS))
		return false;
	for (int k = 0; k < f->n && l->plain; k++)
		template_index_forget_names(&f->indices[k]);
	if (l->plain)
		template_index_forget_names(&f->pivot);
	return true;
}

/* " if padding = 'same'", if one condition distinguishes these signatures from all others. */
static bool put_guard(buf *to, const notation *n, uint64_t forms)
{
	bool in[MOST_FORMS];
	guard g;
	for (int i = 0; i < n->n && i < MOST_FORMS; i++)
		in[i] = forms >> i & 1;
	if (!forms || n->n > MOST_FORMS || !guard_find(&g, n->ops, n->n, in, NULL) || g.n > 1)
		return false;
	buf_puts(to, CONDITION);
	guard_put(to, &g);
	return true;
}

/* This, or " in -3, -7". */
static void put_forms(buf *to, const notation *n, uint64_t forms)
{
	const char *before = " in ";
	if (put_guard(to, n, forms))
		return;
	for (int i = 0; i < n->n && i < MOST_FORMS; i++) {
		const char *dash = strrchr(n->ops[i]->name, '-');
		if (!(forms >> i & 1))
			continue;
		buf_printf(to, "%s%s", before, dash ? dash : n->ops[i]->name);
		before = ", ";
	}
}

/* " for each k", or ", each k" behind each i. */
static void put_each(buf *to, const notation *n)
{
	if (n->together)
		words_each(to, n->together->each);
}

static void put_line(buf *to, const notation *n, const line *l)
{
	bool several = __builtin_popcount(l->right) > 1;
	index_of x = {.n = n, .f = &l->f, .variable = several || l->displaced || l->from, .left = -1, .right = words_lowest(l->right)};
	buf text = {0};
	words_output(&text, n, l->tensor);
	if (x.variable)
		buf_puts(&text, "[i] = ");
	else
		buf_printf(&text, "[%d] = ", l->from_right ? -1 - x.right : l->rank - 1 - x.right);
	x.dims = l->dims;
	x.values = l->values;
	if (!x.variable && l->dims != NAMED) { /* as it stands: counted from the left */
		bool right = l->from_right || l->crossed;
		x.left = right ? -1 : l->f.pivot.left;
		x.dims = x.values = right ? FROM_RIGHT : FROM_LEFT;
	}
	words_expression(&text, &x);
	static const char *const BESIDE[] = {[AT_AXIS] = " for i = %s", [BUT_AXIS] = " for each i but %s",
	    [BEFORE_AXIS] = " for each i before %s", [FROM_AXIS] = " for each i from %s on"};
	if (l->from)
		buf_printf(&text, " for each i from %d on", l->from);
	else if (l->displaced && l->axis)
		buf_printf(&text, BESIDE[l->side], l->axis);
	else if (l->displaced)
		buf_puts(&text, " for some i");
	else if (several && __builtin_popcount(l->right) == l->rank)
		buf_puts(&text, " for each i");
	else if (several)
		words_where(&text, (clause_range){.positions = l->right}, words_common_length(&x));
	put_each(&text, n);
	put_forms(&text, n, l->forms);
	buf_json(to, need_text(&text));
	buf_free(&text);
}

static int find_line(const lines *l, const expr_template *f, int tensor)
{
	for (int k = 0; k < l->n; k++)
		if (l->list[k].tensor == tensor && expr_template_equal(&l->list[k].f, f))
			return k;
	return -1;
}

/* The lines of output tensor t. */
static void add_lines(lines *l, expr_pool *pool, const operator *op, int t, const expr *const *out)
{
	for (int d = 0; d < op->nodim; d++) {
		template_index at = expr_template_output(op, d);
		expr_template f;
		if (at.item != t || l->n == MAX_LINES || !line_form(l, &f, pool, op, out[d], &at))
			continue;
		int k = find_line(l, &f, at.item);
		if (k < 0)
			l->list[k = l->n++] = (line){.f = f, .tensor = at.item, .rank = at.left + at.right + 1};
		l->list[k].right |= quantified_clause_position(at.right);
		l->list[k].left |= quantified_clause_position(at.left);
	}
}

static alignment way_of(const line *l)
{
	return (alignment){.dims = l->dims, .values = l->values};
}

/* As simplify_equal; NULL: an argument has no such place. */
static bool is_same(expr_pool *pool, const operator *op, const expr *applied, const expr *e)
{
	return applied && simplify_equal(pool, op, applied, e);
}

/* Whether a line stands where an argument says, and the dimension is where the same argument says. */
static bool is_named_alike(const line *x, const template_index *at)
{
	const char *named = x->f.pivot.named;
	return named && at->named && strcmp(named, at->named) == 0;
}

/* Whether a line is of this dimension: at its distance from the end, of all, or where the same argument says. */
static bool is_at(const line *x, const template_index *at)
{
	return x->right & quantified_clause_position(at->right) || __builtin_popcount(x->right) == x->rank || is_named_alike(x, at);
}

/* Whether a line of several positions, of what arguments name, or of counts says this dimension, too, which is shorter: of one
 * factor, a product is it, and where a count is 1, nothing shows that it is one. */
static bool is_said(const lines *l, int n, expr_pool *pool, const operator *op, const template_index *at, const expr *e)
{
	for (int k = 0; k < n; k++) {
		const line *x = &l->list[k];
		int missing;
		const expr *was;
		bool shorter = __builtin_popcount(x->right) > 1 || x->dims == NAMED || expr_template_counts(&x->f);
		if (x->tensor == at->item && is_at(x, at) && shorter
		    && is_same(pool, op, expr_template_apply(&x->f, pool, op, NULL, at->left, at->right, way_of(x), &missing, &was), e) && !missing)
			return true;
	}
	return false;
}

/* Finds the positions of these lines in another signature. */
static void compare_lines(lines *l, expr_pool *pool, const operator *op, const expr *const *out)
{
	for (int d = 0; d < op->nodim; d++) {
		template_index at = expr_template_output(op, d);
		expr_template f;
		int k = line_form(l, &f, pool, op, out[d], &at) ? find_line(l, &f, at.item) : -1;
		l->unsaid += is_within(&l->of, &at) && at.item == l->list[0].tensor && k < 0 && !is_said(l, l->n, pool, op, &at, out[d]);
		bool right = k >= 0 && l->list[k].right & quantified_clause_position(at.right), left = k >= 0 && l->list[k].left & quantified_clause_position(at.left);
		if (k >= 0 && !right && !left)
			l->list[k].displaced = true;
		l->list[k < 0 ? 0 : k].from_right |= right && !left;
	}
}

/* Whether a line is the dimension, whatever the call leaves out: as many arguments. */
static bool is_line_of(const line *x, expr_pool *pool, const operator *op, const template_index *at, const expr *e, int *missing)
{
	alignment w = way_of(x);
	const expr *was;
	*missing = 0;
	bool is = is_same(pool, op, expr_template_apply(&x->f, pool, op, NULL, at->left, at->right, w, missing, &was), e);
	for (int by = 1; !is && *missing && *missing <= MAX_MISSING && by < expr_template_substitutes(*missing); by++) {
		w.substitute = (uint8_t)by;
		is = is_same(pool, op, expr_template_apply(&x->f, pool, op, NULL, at->left, at->right, w, missing, &was), e);
	}
	return is;
}

/* Whether a line at this place says the dimension of who leaves arguments out: what they stand for is in the signature. */
static bool is_default(const lines *l, int n, expr_pool *pool, const operator *op, const template_index *at, const expr *e)
{
	for (int k = 0, missing; k < n; k++) {
		const line *x = &l->list[k];
		if (x->tensor == at->item && x->right & quantified_clause_position(at->right) && is_line_of(x, pool, op, at, e, &missing) && missing)
			return true;
	}
	return false;
}

/* Adds dimensions that other signatures have and none of the leader's lines covers. */
static void add_others(lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs, int t)
{
	int leaders = l->n;
	for (int i = 0; i < n->n && i < MOST_FORMS; i++)
		for (int d = 0; d < n->ops[i]->nodim; d++) {
			template_index at = expr_template_output(n->ops[i], d);
			uint32_t right = quantified_clause_position(at.right);
			expr_template f;
			int k = 0;
			if (at.item != t || !line_form(l, &f, pool, n->ops[i], outs[i][d], &at))
				continue;
			while (k < l->n && (!expr_template_equal(&l->list[k].f, &f) || (k >= leaders && l->list[k].right != right)))
				k++;
			if (k < leaders || k == MAX_LINES || is_said(l, leaders, pool, n->ops[i], &at, outs[i][d])
			    || is_default(l, leaders, pool, n->ops[i], &at, outs[i][d]))
				continue;
			if (k == l->n)
				l->list[l->n++] = (line){.f = f, .tensor = t, .right = right, .from_right = true};
			l->list[k].forms |= UINT64_C(1) << i;
			l->others |= UINT64_C(1) << i;
		}
	if (l->n - leaders > MOST_EXTRA)
		l->n = leaders;
	else
		l->others = 0;
}

/* Whether a line, with places found in one way, is what all its dimensions are; who lacks an argument does not say. */
static bool is_found(const lines *l, int k, const notation *n, expr_pool *pool, const expr *const *const *outs)
{
	for (int i = 0; i < n->n; i++)
		for (int d = 0; d < n->ops[i]->nodim; d++) {
			template_index at = expr_template_output(n->ops[i], d);
			expr_template f;
			int missing;
			const expr *was;
			if (!line_form(l, &f, pool, n->ops[i], outs[i][d], &at) || find_line(l, &f, at.item) != k)
				continue;
			const line *x = &l->list[k];
			const expr *e = expr_template_apply(&x->f, pool, n->ops[i], NULL, at.left, at.right, way_of(x), &missing, &was);
			if (e != outs[i][d] && missing == 0)
				return false;
		}
	return true;
}

/* Whether the text names no position by its number, which would be counted from the right. */
static bool is_of_any(const line *l)
{
	return l->displaced || (l->rank > 1 && __builtin_popcount(l->right) == l->rank);
}

static void find_ways(lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs)
{
	static const struct {
		uint8_t dims, values;
	} WAYS_FOUND[] = {{FROM_RIGHT, FROM_RIGHT}, {FROM_LEFT, FROM_LEFT}, {FROM_RIGHT, PAIRS}, {FROM_RIGHT, HALVES}, {NAMED, FROM_RIGHT}};
	for (int k = 0; k < l->n; k++) {
		line *x = &l->list[k];
		bool found = false;
		for (size_t w = 0; w < sizeof WAYS_FOUND / sizeof *WAYS_FOUND && !found; w++) {
			x->dims = WAYS_FOUND[w].dims;
			x->values = WAYS_FOUND[w].values;
			found = (x->dims != FROM_LEFT || is_of_any(x)) && is_found(l, k, n, pool, outs);
		}
		line right = *x;
		x->dims = x->values = FROM_LEFT;
		right.crossed = found && !is_found(l, k, n, pool, outs);
		*x = right;
		if (!found)
			x->dims = x->values = FROM_RIGHT;
	}
}

/* Where one line of a tensor stands elsewhere, so do the others, but one that is said of each position. */
static void spread_displaced(lines *l)
{
	for (int k = 0; k < l->n; k++)
		for (int j = 0; j < l->n && l->list[k].displaced; j++)
			if (l->list[j].tensor == l->list[k].tensor)
				l->list[j].displaced |= __builtin_popcount(l->list[j].right) < l->list[j].rank;
}

/* ---- dimensions where a constant says */

/* The line of counts that says a dimension where the same argument says: a count of 1 or 0 leaves another form. -1: none does. */
static int find_counted(const lines *l, expr_pool *pool, const operator *op, const template_index *at, const expr *e)
{
	for (int k = 0, missing; k < l->n; k++) {
		const line *x = &l->list[k];
		const expr *was;
		if (x->tensor == at->item && expr_template_counts(&x->f) && is_named_alike(x, at)
		    && is_same(pool, op, expr_template_apply(&x->f, pool, op, NULL, at->left, at->right, way_of(x), &missing, &was), e) && !missing)
			return k;
	}
	return -1;
}

/* The dimensions of a line's tensor that have its form in one signature, as bits from the left. */
static uint32_t positions_in(const lines *l, int k, expr_pool *pool, const operator *op, const expr *const *out)
{
	uint32_t positions = 0;
	for (int d = 0; d < op->nodim; d++) {
		template_index at = expr_template_output(op, d);
		expr_template f;
		if (at.item != l->list[k].tensor || !line_form(l, &f, pool, op, out[d], &at))
			continue;
		int counted = find_counted(l, pool, op, &at, out[d]);
		if ((counted < 0 ? find_line(l, &f, at.item) : counted) == k)
			positions |= quantified_clause_position(at.left);
	}
	return positions;
}

/* Whether these are the dimensions of a shape on that side of the axis. */
static bool is_beside(uint32_t positions, int rank, uint32_t axis, enum side side)
{
	uint32_t all = ((uint32_t)1 << rank) - 1, before = axis - 1;
	return positions == (side == AT_AXIS ? axis : side == BUT_AXIS ? all & ~axis : side == BEFORE_AXIS ? before : all & ~before);
}

/* Whether line k is on that side of the named dimension in all signatures. */
static bool stands_beside(const lines *l, int k, const notation *n, expr_pool *pool, const expr *const *const *outs,
    const char *argument, enum side side)
{
	int t = l->list[k].tensor;
	for (int i = 0; i < n->n; i++) {
		if (t >= n->ops[i]->nout)
			continue;
		int rank = n->ops[i]->call->outputs[t].rank;
		axes a = axes_of(n->ops[i], argument, rank);
		if (a.kind != AXES_GIVEN && rank == 1 && expr_template_argument(n->ops[i], argument)) /* whatever it is, there is but one */
			a = (axes){.kind = AXES_GIVEN, .positions = 1, .n = 1};
		if (a.kind != AXES_GIVEN || a.n != 1 || rank > AXES_RANK
		    || !is_beside(positions_in(l, k, pool, n->ops[i], outs[i]), rank, a.positions, side))
			return false;
	}
	return true;
}

static void find_axis(lines *l, int k, const notation *n, expr_pool *pool, const expr *const *const *outs, int leader)
{
	line *x = &l->list[k];
	for (int a = 0; a < n->ops[leader]->nargs && !x->axis; a++)
		for (enum side side = AT_AXIS; side <= FROM_AXIS && !x->axis; side++)
			if (stands_beside(l, k, n, pool, outs, n->ops[leader]->arguments[a].name, side)
			    && !(side == AT_AXIS && words_shared_axis(n, n->ops[leader]->arguments[a].name) >= 0)) {
				x->axis = n->ops[leader]->arguments[a].name;
				x->side = side;
			}
}

static int count_displaced(const lines *l)
{
	int n = 0;
	for (int k = 0; k < l->n; k++)
		n += l->list[k].displaced;
	return n;
}

static int count_places(const lines *l)
{
	int n = 0;
	for (int k = 0; k < l->n; k++)
		n += l->list[k].f.n;
	return n;
}

/* Whether the lines cover all dimensions of their tensor in all signatures. */
static bool says_all(const lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs)
{
	for (int i = 0; i < n->n && l->n; i++) {
		int t = l->list[0].tensor, rank = t < n->ops[i]->nout ? n->ops[i]->call->outputs[t].rank : 0;
		uint32_t said = 0;
		for (int k = 0; k < l->n; k++)
			said |= positions_in(l, k, pool, n->ops[i], outs[i]);
		if (said != ((uint32_t)1 << rank) - 1)
			return false;
	}
	return true;
}

/* If numbers do not give the lines' positions in all signatures, constants do, if each signature has one. */
static void find_axes(lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs, int leader)
{
	bool all = count_displaced(l) || l->unsaid, plain = !all;
	for (int k = 0; k < l->n && !plain; k++) {
		find_axis(l, k, n, pool, outs, leader);
		all &= l->list[k].axis != NULL;
	}
	all &= !plain && says_all(l, n, pool, outs);
	for (int k = 0; k < l->n && all; k++)
		l->list[k].displaced = true;
}

/* Whether lines say more than others: they cover more dimensions, give their positions, use fewer lines, and
 * name fewer places. A 2 is seldom the length of a list, and a number seldom the name of a dimension, unless
 * other signatures say so: those come last. */
static bool says_more(const lines *a, const lines *b)
{
	if (a->unsaid != b->unsaid)
		return a->unsaid < b->unsaid;
	int x = count_displaced(a), y = count_displaced(b);
	return x != y ? x < y : a->n != b->n ? a->n < b->n : count_places(a) < count_places(b);
}

/* ---- lines that say more than the leader's signature has arguments for */

/* Whether a wider line is all dimensions at its places that the line is. */
static bool says_as_much(const line *wider, const line *x, const notation *n, expr_pool *pool, const expr *const *const *outs)
{
	for (int i = 0; i < n->n; i++)
		for (int d = 0; d < n->ops[i]->nodim; d++) {
			template_index at = expr_template_output(n->ops[i], d);
			bool there = at.item == x->tensor && x->right & quantified_clause_position(at.right);
			int missing;
			if (there && is_line_of(x, pool, n->ops[i], &at, outs[i][d], &missing)
			    && !is_line_of(wider, pool, n->ops[i], &at, outs[i][d], &missing))
				return false;
		}
	return true;
}

/* Generalizes a line at its place to cover output dimension d of signature i, whose form is f, if possible. */
static void widen_for(lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs, int i, int d, const expr_template *f)
{
	template_index at = expr_template_output(n->ops[i], d);
	for (int k = 0, missing; k < l->n; k++) {
		line *x = &l->list[k], wider = *x;
		if (x->tensor != at.item || x->displaced || !(x->right & quantified_clause_position(at.right)) || !anti_unify(&wider.f, pool, &x->f, f)
		    || !is_line_of(&wider, pool, n->ops[i], &at, outs[i][d], &missing) || !says_as_much(&wider, x, n, pool, outs))
			continue;
		*x = wider;
		return;
	}
}

/* Lines for who has arguments that the leader lacks: dilations beside pads (anti_unify.h). */
static void widen(lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs, int t)
{
	for (int i = 0; i < n->n; i++)
		for (int d = 0; d < n->ops[i]->nodim; d++) {
			template_index at = expr_template_output(n->ops[i], d);
			expr_template f;
			if (at.item != t || !line_form(l, &f, pool, n->ops[i], outs[i][d], &at) || find_line(l, &f, t) >= 0
			    || is_said(l, l->n, pool, n->ops[i], &at, outs[i][d]) || is_default(l, l->n, pool, n->ops[i], &at, outs[i][d]))
				continue;
			widen_for(l, n, pool, outs, i, d, &f);
		}
}

/* Such dimensions of an output tensor. */
static lines lines_of(const notation *n, expr_pool *pool, int leader, const expr *const *const *outs, int t, stretch of)
{
	lines best = {.n = 0};
	for (int variant = 0; variant < 4; variant++) {
		lines l = {.of = of, .folds = variant & 1, .plain = !(variant & 2)};
		add_lines(&l, pool, n->ops[leader], t, outs[leader]);
		for (int i = 0; i < n->n; i++)
			compare_lines(&l, pool, n->ops[i], outs[i]);
		if (variant == 0 || says_more(&l, &best))
			best = l;
	}
	spread_displaced(&best);
	find_ways(&best, n, pool, outs);
	find_axes(&best, n, pool, outs, leader);
	widen(&best, n, pool, outs, t);
	return best;
}

/* The next dimension of output t behind d; -1: there is none. */
static int next_dimension(const operator *op, int t, int d)
{
	for (d++; d < op->nodim; d++)
		if (op->out_tensor[d] == t)
			return d;
	return -1;
}

/* Whether outputs t and u have the same dimensions in a signature, also if a list is named with the items that
 * go with them. */
static bool same_dimensions(const operator *op, const expr *const *out, int t, int u, expr_pool *pool, const char *list)
{
	const argument *a = list ? expr_template_argument(op, list) : NULL;
	int mine = next_dimension(op, t, -1), other = next_dimension(op, u, -1);
	for (; mine >= 0 && other >= 0; mine = next_dimension(op, t, mine), other = next_dimension(op, u, other)) {
		const expr *e = out[mine];
		if (a)
			e = expr_replace(pool, e, expr_sym(pool, a->first + walk_item(op, t)), expr_sym(pool, a->first + walk_item(op, u)));
		if (e != out[other])
			return false;
	}
	return mine < 0 && other < 0;
}

/* Whether two outputs have the same dimensions in all signatures. If outputs are counted from the last one: in
 * all that have both. */
static bool same_outputs(const notation *n, const expr *const *const *outs, int t, int u, expr_pool *pool, const char *list)
{
	for (int i = 0; i < n->n; i++) {
		const operator *op = n->ops[i];
		if (!(op->from_end && (t >= op->nout || u >= op->nout)) && !same_dimensions(op, outs[i], t, u, pool, list))
			return false;
	}
	return true;
}

/* The first output before t with the same dimensions in all signatures; -1: there is none. */
static int same_output(const notation *n, const expr *const *const *outs, int t)
{
	for (int u = 0; u < t; u++)
		if (same_outputs(n, outs, t, u, NULL, NULL))
			return u;
	return -1;
}

/* ---- outputs that are said as one */

/* Whether an argument is a list of integers, one for each output, in all signatures. */
static bool is_of_outputs(const notation *n, const char *name)
{
	for (int i = 0; i < n->n; i++) {
		const operator *op = n->ops[i];
		const argument *a = expr_template_argument(op, name);
		if (!a || a->count != op->nout || op->roles[a->first].kind != ROLE_ITEM || op->roles[a->first].outer_len)
			return false;
	}
	return true;
}

static bool speaks_of(const operator *op, const expr *const *out, int t, int symbol)
{
	bool *used = need(calloc((size_t)op->nsym + 1, sizeof *used), (size_t)op->nsym);
	for (int d = 0; d < op->nodim; d++)
		if (op->out_tensor[d] == t)
			expr_mark_syms(out[d], used);
	bool is = used[symbol];
	free(used);
	return is;
}

/* Whether signatures differ in the number of output tensors. */
static bool numbers_differ(const notation *n)
{
	for (int i = 1; i < n->n; i++)
		if (n->ops[i]->nout != n->ops[0]->nout)
			return true;
	return false;
}

/* The last of the outputs from t on that are said with it as one; t: none is. */
static int find_together(const notation *n, expr_pool *pool, int leader, const expr *const *const *outs, int t, walk *w)
{
	const operator *op = n->ops[leader];
	int last = (op->from_end ? words_most_outputs(n->ops, n->n) : op->nout) - 1, to = t; /* others than the leader may have more */
	*w = (walk){.first = t, .each = "each k"};
	for (int k = 0; k < op->nargs && t == 0 && last > 0; k++) {
		const argument *a = &op->arguments[k];
		bool is = is_of_outputs(n, a->name) && speaks_of(op, outs[leader], 0, a->first + walk_item(op, 0));
		for (int u = 1; u <= last && is; u++)
			is = same_outputs(n, outs, 0, u, pool, a->name);
		if (is) {
			w->list = a->name;
			return last;
		}
	}
	while (to < last && same_outputs(n, outs, to + 1, t, NULL, NULL))
		to++;
	if (last < (op->from_end ? 1 : 2) || (!op->from_end && numbers_differ(n)))
		return t;
	if (t == 0 && to == last)
		return to;
	w->each = "each k but the last";
	return op->from_end ? (t == 1 && to == last ? to : t) : (t == 0 && to == last - 1 ? to : t);
}

static bool ranks_differ_in(const operator *const *ops, int nops, int t)
{
	int rank = -1;
	for (int i = 0; i < nops; i++) {
		if (t >= ops[i]->nout)
			continue;
		int here = ops[i]->call->outputs[t].rank;
		if (rank >= 0 && here != rank)
			return true;
		rank = here;
	}
	return false;
}

/* Whether the rank of output t differs between signatures: shared lines count from the right. */
static bool ranks_differ(const notation *n, int t)
{
	return n->whole ? ranks_differ_in(n->whole, n->nwhole, t) : ranks_differ_in(n->ops, n->n, t);
}

/* Whether output t has more than so many dimensions in some signature. */
static bool has_more(const notation *n, int t, int cut)
{
	for (int i = 0; i < n->n; i++)
		if (t < n->ops[i]->nout && n->ops[i]->call->outputs[t].rank > cut)
			return true;
	return false;
}

static void put_comma(buf *to)
{
	if (to->length && to->text[to->length - 1] == '"')
		buf_putc(to, ',');
}

/* "out is another in -3, -7". */
static void put_unsaid(buf *to, const notation *n, int t, uint64_t forms)
{
	buf text = {0};
	words_output(&text, n, t);
	buf_puts(&text, " is another");
	put_each(&text, n);
	put_forms(&text, n, forms);
	put_comma(to);
	buf_json(to, need_text(&text));
	buf_free(&text);
}

static bool all_beside(const lines *l)
{
	for (int k = 0; k < l->n; k++)
		if (!l->list[k].displaced || !l->list[k].axis)
			return false;
	return true;
}

/* How many strings an array of them has that is not closed. */
static int count_strings(const buf *array)
{
	buf text = {0};
	buf_puts(&text, need_text(array));
	buf_putc(&text, ']');
	cJSON *all = need(cJSON_ParseWithLength(need_text(&text), text.length), 1);
	int n = cJSON_GetArraySize(all);
	cJSON_Delete(all);
	buf_free(&text);
	return n;
}

/* A whole, of the first or without the last dimensions: shapes_output. */
static bool put_shape(buf *to, const notation *n, expr_pool *pool, int t, int cut, const expr *const *const *outs)
{
	buf name = {0};
	words_output(&name, n, t);
	bool is = shapes_output(to, n->ops, n->n, pool, t, need_text(&name), n->together, cut, outs);
	buf_free(&name);
	return is;
}

/* ---- a few dimensions one by one, and all that follow in one line */

enum { MOST_BEFORE = 3 };

/* Whether these dimensions of output t are the first line in all signatures, or each is one that the line has
 * there. */
static bool says_stretch(const lines *l, const notation *n, expr_pool *pool, const expr *const *const *outs, int t)
{
	for (int i = 0; i < n->n; i++)
		for (int d = 0; d < n->ops[i]->nodim; d++) {
			template_index at = expr_template_output(n->ops[i], d);
			expr_template f;
			if (at.item != t || !is_within(&l->of, &at))
				continue;
			int own = line_form(l, &f, pool, n->ops[i], outs[i][d], &at) ? find_line(l, &f, t) : -1;
			bool said = false;
			for (int k = 0, missing; k < (l->of.from > 0 ? 1 : l->n) && !said; k++)
				said = (l->of.from > 0 || l->list[k].left & quantified_clause_position(at.left))
				       && (k == own || is_line_of(&l->list[k], pool, n->ops[i], &at, outs[i][d], &missing));
			if (!said)
				return false;
		}
	return true;
}

/* The dimensions before: whole, or a line each. */
static bool put_before(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs, int t, int before)
{
	stretch of = {MAX_LINES, 0, before};
	if (put_shape(to, n, pool, t, -before, outs))
		return true;
	lines l = lines_of(n, pool, leader, outs, t, of);
	bool plain = says_stretch(&l, n, pool, outs, t);
	for (int k = 0; k < l.n && plain; k++)
		plain = !l.list[k].displaced && !l.list[k].crossed && __builtin_popcount(l.list[k].left) == 1;
	for (int k = 0; k < l.n && plain; k++) {
		l.list[k].from_right = false;
		put_comma(to);
		put_line(to, n, &l.list[k]);
	}
	return plain;
}

/* If ranks differ between signatures: batch and channels by their numbers, then each spatial dimension. Returns
 * the number of lines; 0: there are none. */
static int put_from_left(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs, int t)
{
	bool differ = n->left ? ranks_differ(n, t) : ranks_differ_in(n->ops, n->n, t);
	for (int before = 1; before <= MOST_BEFORE && differ; before++) {
		stretch of = {MAX_LINES, before, MAX_LINES};
		lines l = lines_of(n, pool, leader, outs, t, of);
		bool is = l.n == 1 && ((n->left && l.list[0].f.n == 1) || __builtin_popcount(l.list[0].right) > 1);
		l.list[0].right |= is ? UINT32_MAX : 0; /* it stands wherever there is a dimension */
		if (!is || !says_stretch(&l, n, pool, outs, t) || !put_before(to, n, pool, leader, outs, t, before))
			continue;
		l.list[0].from = before;
		put_comma(to);
		put_line(to, n, &l.list[0]);
		return count_strings(to);
	}
	return 0;
}

/* Dimensions one by one, behind a whole where that leaves less. How many lines; *displaced: whether one stands here and there. */
static int put_one_by_one(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs, int t, bool *displaced)
{
	lines l = lines_of(n, pool, leader, outs, t, WHOLE);
	bool leave = l.n > 1 && !all_beside(&l) && (count_displaced(&l) || ranks_differ(n, t));
	for (int cut = 1; cut < 4 && leave && has_more(n, t, cut); cut++) {
		stretch end = {cut, 0, MAX_LINES};
		lines last = lines_of(n, pool, leader, outs, t, end);
		if (!count_displaced(&last) && put_shape(to, n, pool, t, cut, outs)) {
			l = last;
			leave = false;
		}
	}
	*displaced = count_displaced(&l) && !all_beside(&l);
	if (!count_displaced(&l))
		add_others(&l, n, pool, outs, t);
	for (int k = 0; k < l.n; k++) {
		put_comma(to);
		put_line(to, n, &l.list[k]);
	}
	if (l.others)
		put_unsaid(to, n, t, l.others);
	return count_strings(to);
}

/* Whether it says where each line stands. */
static bool put_output_tensor(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs, int t)
{
	int same = next_dimension(n->ops[leader], t, -1) < 0 ? -1 : same_output(n, outs, t);
	if (same >= 0) {
		put_comma(to);
		buf_putc(to, '"');
		words_output(to, n, t);
		buf_puts(to, " = ");
		words_output(to, n, same);
		buf_putc(to, '"');
		return true;
	}
	if (put_shape(to, n, pool, t, 0, outs))
		return true;
	buf plain = {0}, left = {0};
	buf_putc(&plain, '[');
	buf_putc(&left, '[');
	bool displaced;
	int lines = put_one_by_one(&plain, n, pool, leader, outs, t, &displaced), others = put_from_left(&left, n, pool, leader, outs, t);
	bool better = others && (n->left || displaced || others <= lines);
	const buf *best = better ? &left : &plain;
	if (best->length > 1)
		put_comma(to);
	buf_puts(to, need_text(best) + 1);
	buf_free(&plain);
	buf_free(&left);
	return better || !displaced;
}

/* The outputs from t on, those that are one once; how many they are. *placed: whether each line says where it stands. */
static int put_from(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs, int t, bool *placed)
{
	notation with = *n;
	walk w;
	int last = find_together(n, pool, leader, outs, t, &w);
	with.together = last > t ? &w : NULL;
	*placed &= put_output_tensor(to, &with, pool, leader, outs, t);
	return last + 1 - t;
}

bool output_lines_put(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs)
{
	const operator *op = n->ops[leader];
	walk w;
	bool placed = true, last = op->from_end && op->nout > 1 && find_together(n, pool, leader, outs, 0, &w) == 0; /* the last one comes last */
	for (int t = last; t < op->nout;)
		t += put_from(to, n, pool, leader, outs, t, &placed);
	if (last)
		put_from(to, n, pool, leader, outs, 0, &placed);
	return placed;
}
