#include "halfspace.h"

#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "costs.h"
#include "set_cover.h"

enum { MAX_SINGLE = 11, MAX_PARTS = 36, MAX_TERMS = 5, MAX_SLACK = 4, MAX_KEPT = 48, BUDGET = 3000000, MAX_STUCK = 64,
	MAX_PRICE = 256 };

typedef struct part {
	const expr *e;
	int64_t *col; /* values on the passing records, then on the stuck ones */
	bool critical;   /* some stuck record differs from a passing one in this symbol alone */
} part;

typedef struct bound {
	int8_t a[MAX_PARTS];
	int64_t least; /* minimum of the sum on the passing records */
	int cost;
	uint64_t rejects; /* stuck records, as bits */
	uint64_t score;
} bound;

typedef struct search {
	solver *of;
	const operator *op;
	int npass, nstuck, nrows; /* nrows = npass + nstuck */
	int rows[MAX_STUCK];	  /* the stuck records */
	part parts[MAX_PARTS];
	int nparts, nsingle;
	int8_t a[MAX_PARTS];
	int64_t *values; /* of all parts, MAX_PARTS per record */
	int64_t *sums;	/* partial sums on all records, one row per number of terms */
	int64_t *reach; /* the maximum change of a record's sum by the remaining terms: reach_of */
	long tries[MAX_TERMS + 1][MAX_PARTS + 1][2]; /* number of sums with so many more terms from a part on, without and with
	                                                * a critical part chosen */
	bound *kept;
	int nkept;
	uint64_t weights[MAX_PRICE];
	long work;
	int killer[MAX_TERMS]; /* by number of remaining terms: the passing record that ended the last sum, since it ends most */
} search;

/* ---- parts */

static const int64_t *stuck_row(const search *s, int f)
{
	return s->op->fail + (size_t)s->rows[f] * s->op->nsym;
}

static bool fill(search *s, const expr *e, part *to)
{
	*to = (part){.e = e, .col = ARENA_ARRAY(s->of->scratch, int64_t, s->nrows + 1)};
	for (int r = 0; r < s->nrows; r++) {
		wide v;
		bool failing = r >= s->npass;
		if (!expr_eval(e, failing ? stuck_row(s, r - s->npass) : passing_record(s->op, r), &v)
		    || v > (wide)1 << 40 || v < -((wide)1 << 40)) {
			if (!failing)
				return false;
			v = 0;
		}
		to->col[r] = (int64_t)v;
	}
	for (int k = 0; k < s->nparts; k++)
		if (memcmp(s->parts[k].col, to->col, sizeof *to->col * (size_t)s->nrows) == 0)
			return false;
	return true;
}

/* For each symbol, counts the stuck records that differ from a passing one in it alone. */
static void count_critical(const search *s, int *count)
{
	const operator *op = s->op;
	for (int f = 0; f < s->nstuck; f++)
		for (int p = 0; p < s->npass; p++) {
			const int64_t *x = stuck_row(s, f), *y = passing_record(s->op, p);
			int at = -1, differ = 0;
			for (int i = 0; i < op->nsym && differ < 2; i++)
				if (x[i] != y[i]) {
					differ++;
					at = i;
				}
			if (differ == 1)
				count[at]++;
		}
}

/* Whether a critical symbol has the same position in another shape or list. */
static bool is_aligned_with_critical(const operator *op, const int *count, int i)
{
	const role *r = &op->roles[i];
	for (int k = 0; k < op->nsym; k++) {
		const role *q = &op->roles[k];
		if (count[k] && q->kind != ROLE_INT && r->kind != ROLE_INT && q->len - q->pos == r->len - r->pos)
			return true;
	}
	return false;
}

/* Adds critical symbols first, then those aligned with one, then the rest. */
static void add_singles(search *s)
{
	const operator *op = s->op;
	int *count = ARENA_ARRAY(s->of->scratch, int, op->nsym + 1);
	count_critical(s, count);
	for (int pass = 0; pass < 3; pass++)
		for (int i = 0; i < op->nsym && s->nparts < MAX_SINGLE; i++)
			if ((count[i] ? 0 : is_aligned_with_critical(op, count, i) ? 1 : 2) == pass
			    && fill(s, expr_sym(s->of->pool, i), &s->parts[s->nparts])) {
				s->parts[s->nparts].critical = pass == 0;
				s->nparts++;
			}
	s->nsingle = s->nparts;
}

static void add_products(search *s)
{
	const operator *op = s->op;
	for (int i = 0; i < s->nsingle; i++)
		for (int j = i; j < s->nsingle && s->nparts < MAX_PARTS; j++) {
			const part *x = &s->parts[i], *y = &s->parts[j];
			bool dims = op->roles[x->e->value].kind == ROLE_DIM && op->roles[y->e->value].kind == ROLE_DIM;
			if (dims || i == j || (!x->critical && !y->critical))
				continue;
			if (fill(s, expr_make(s->of->pool, OP_MUL, x->e, y->e), &s->parts[s->nparts])) {
				s->parts[s->nparts].critical = true;
				s->nparts++;
			}
		}
}

static void list_values(search *s)
{
	s->values = ARENA_ARRAY(s->of->scratch, int64_t, s->nrows * MAX_PARTS);
	for (int k = 0; k < s->nparts; k++)
		for (int r = 0; r < s->nrows; r++)
			s->values[(ptrdiff_t)r * MAX_PARTS + k] = s->parts[k].col[r];
}

/* ---- the search */

static const expr *side(const search *s, const bound *o, int sign, int64_t more)
{
	expr_pool *p = s->of->pool;
	const expr *e = NULL;
	for (int k = 0; k < s->nparts; k++) {
		int a = o->a[k] * sign;
		if (a <= 0)
			continue;
		const expr *x = a == 1 ? s->parts[k].e : expr_make(p, OP_MUL, expr_const(p, a), s->parts[k].e);
		e = expr_join(p, OP_ADD, e, x);
	}
	if (!e)
		return expr_const(p, more);
	return more ? expr_make(p, OP_ADD, e, expr_const(p, more)) : e;
}

static const expr *text(const search *s, const bound *o)
{
	bool strict = o->least > 0;
	int64_t b = strict ? o->least - 1 : o->least;
	return expr_make(s->of->pool, strict ? OP_GT : OP_GE, side(s, o, 1, b < 0 ? -b : 0), side(s, o, -1, b > 0 ? b : 0));
}

static int cost_of(const search *s, int64_t least)
{
	int cost = COST_EQUATION + (least < 0 || least > 1 ? COST_SHIFT_SMALL : 0);
	for (int k = 0; k < s->nparts; k++)
		if (s->a[k])
			cost += COST_HALFSPACE_TERM * (1 + s->parts[k].e->size) + (s->a[k] == 1 || s->a[k] == -1 ? 0 : COST_COEFFICIENT);
	return cost;
}

/* Keeps the bound. Of bounds that reject the same records, the cheapest stays; of all, those with the best score. */
static void keep(search *s, int64_t least, uint64_t rejects)
{
	bound o = {.least = least, .rejects = rejects, .cost = cost_of(s, least)};
	memcpy(o.a, s->a, sizeof o.a);
	o.score = (o.cost < MAX_PRICE ? s->weights[o.cost] : cover_weight(o.cost)) * (uint64_t)__builtin_popcountll(rejects);
	int at = 0;
	while (at < s->nkept && s->kept[at].rejects != rejects)
		at++;
	if (at < s->nkept) {
		if (s->kept[at].cost <= o.cost)
			return;
	} else if (s->nkept == MAX_KEPT) {
		at = 0;
		for (int k = 1; k < s->nkept; k++)
			if (s->kept[k].score < s->kept[at].score)
				at = k;
		if (s->kept[at].score >= o.score)
			return;
	} else {
		s->nkept++;
	}
	s->kept[at] = o;
}

/* Whether the sum plus a · col can be below the minimum on a stuck record. */
static bool may_reject(const search *s, const int64_t *sums, const int64_t *col, int64_t a)
{
	return column_first_below(sums, a, col, MAX_SLACK, s->npass, s->nrows) < s->nrows;
}

/* The stuck records whose sum is below `least`. */
static uint64_t rejected(const search *s, const int64_t *sums, const int64_t *col, int64_t a, int64_t least)
{
	uint64_t rejects = 0;
	for (int r = s->npass; r < s->nrows; r++)
		rejects |= (uint64_t)(sums[r] + a * col[r] < least) << (r - s->npass);
	return rejects;
}

/* Tries the sum plus a times one more part. */
static void try_sum(search *s, const int64_t *sums, const int64_t *col, int64_t a)
{
	int64_t least = MAX_SLACK + 1;
	if (!may_reject(s, sums, col, a))
		return;
	int low = column_first_below(sums, a, col, -MAX_SLACK, 0, s->npass);
	if (low < s->npass) {
		*s->killer = low;
		return;
	}
	for (int r = 0; r < s->npass; r++)
		least = sums[r] + a * col[r] < least ? sums[r] + a * col[r] : least;
	if (least > MAX_SLACK)
		return;
	uint64_t rejects = rejected(s, sums, col, a, least);
	if (rejects)
		keep(s, least, rejects);
}

/* One value per record, for `left` terms among the parts from i on. */
static int64_t *reach_of(const search *s, int left, int i)
{
	return s->reach + ((ptrdiff_t)(left - 1) * (s->nsingle + 1) + i) * s->nrows;
}

/* A product is the last term and has coefficient ±1. */
static void find_reach(search *s, int left, int i)
{
	int64_t *to = reach_of(s, left, i);
	for (int r = 0; r < s->nrows; r++)
		to[r] = i < s->nsingle ? reach_of(s, left, i + 1)[r] : 0;
	for (int k = i; k < (i < s->nsingle ? i + 1 : left == 1 ? s->nparts : i); k++)
		for (int r = 0; r < s->nrows; r++) {
			int64_t x = s->parts[k].col[r], far = (x < 0 ? -x : x) * (k < s->nsingle ? 2 : 1);
			far += left > 1 ? reach_of(s, left - 1, i + 1)[r] : 0;
			to[r] = far > to[r] ? far : to[r];
		}
}

/* The number of sums that `visit` would try from here. */
static long count_tries(const search *s, int left, int i, int critical)
{
	long n = 0;
	for (int k = i; k < (left == 1 ? s->nparts : s->nsingle); k++)
		if (left > 1)
			n += 4 * s->tries[left - 1][k + 1][critical || s->parts[k].critical];
		else if (critical || s->parts[k].critical)
			n += k < s->nsingle ? 4 : 2;
	return n;
}

static void precompute_reach(search *s)
{
	s->reach = arena_alloc(s->of->scratch, sizeof *s->reach * (MAX_TERMS - 1) * (size_t)(s->nsingle + 1) * (size_t)s->nrows);
	for (int left = 1; left < MAX_TERMS; left++)
		for (int i = s->nsingle; i >= 0; i--) {
			find_reach(s, left, i);
			s->tries[left][i][0] = count_tries(s, left, i, 0);
			s->tries[left][i][1] = count_tries(s, left, i, 1);
		}
}

/* Whether all sums of `left` more terms from part i on are too small on a passing record, or too large on all stuck records. */
static bool ends_here(search *s, const int64_t *sums, int i, int left)
{
	const int64_t *reach = reach_of(s, left, i);
	if (column_first_below(sums, -1, reach, MAX_SLACK, s->npass, s->nrows) == s->nrows)
		return true;
	int low = column_first_below(sums, 1, reach, -MAX_SLACK, 0, s->npass);
	if (low < s->npass)
		s->killer[left] = low;
	return low < s->npass;
}

/* The same test with a times one more column, only on the passing record that ended the last sum. */
static bool ends_as_before(const search *s, const int64_t *sums, const int64_t *col, int64_t a, int i, int left)
{
	int r = s->killer[left];
	return sums[r] + a * col[r] + reach_of(s, left, i)[r] < -MAX_SLACK;
}

/* The value of a part on the record that ended the last sum. */
static int64_t last_value(const search *s, int i)
{
	return s->values[(ptrdiff_t)*s->killer * MAX_PARTS + i];
}

static void try_last(search *s, const int64_t *sums, int i, bool critical)
{
	for (; i < s->nparts && s->work < BUDGET; i++) {
		int most = i < s->nsingle ? 2 : 1;
		if (!critical && !s->parts[i].critical)
			continue;
		s->work += 2 * most;
		if (sums[*s->killer] + most * llabs(last_value(s, i)) < -MAX_SLACK)
			continue;
		for (int a = -most; a <= most; a++) {
			if (a == 0 || sums[*s->killer] + a * last_value(s, i) < -MAX_SLACK)
				continue;
			s->a[i] = (int8_t)a;
			try_sum(s, sums, s->parts[i].col, a);
		}
		s->a[i] = 0;
	}
}

/* Chooses `left` more terms among the parts from i on. The last may be a product. */
static void visit(search *s, int i, int depth, int left, bool critical)
{
	const int64_t *sums = s->sums + (ptrdiff_t)depth * s->nrows;
	int64_t *to = s->sums + (ptrdiff_t)(depth + 1) * s->nrows;
	if (left == 1) {
		try_last(s, sums, i, critical);
		return;
	}
	for (; i < s->nsingle && s->work < BUDGET; i++) {
		const part *x = &s->parts[i];
		long all = s->tries[left - 1][i + 1][critical || x->critical];
		for (int a = -2; a <= 2; a++) {
			bool skips = s->work + all <= BUDGET, ends = a == 0 || all == 0 || (skips && ends_as_before(s, sums, x->col, a, i + 1, left - 1));
			if (!ends) {
				column_subtract(sums, -a, x->col, to, s->nrows);
				ends = skips && ends_here(s, to, i + 1, left - 1);
			}
			s->a[i] = (int8_t)a;
			if (!ends)
				visit(s, i + 1, depth + 1, left - 1, critical || x->critical);
			else
				s->work += a ? all : 0;
		}
		s->a[i] = 0;
	}
}

void halfspace_generate(solver *of, const uint64_t *stuck, template_offer *offer, void *user)
{
	arena *scratch = of->scratch;
	search *s = ARENA_NEW(scratch, search);
	*s = (search){.of = of, .op = of->op, .npass = of->op->npass, .kept = ARENA_ARRAY(scratch, bound, MAX_KEPT)};
	int all = 0;
	for (int f = 0; f < of->op->nfail; f++)
		all += stuck[f / 64] >> f % 64 & 1;
	for (int f = 0, k = 0; f < of->op->nfail; f++) /* an evenly spaced sample */
		if ((stuck[f / 64] >> f % 64 & 1) && k++ % ((all + MAX_STUCK - 1) / MAX_STUCK) == 0)
			s->rows[s->nstuck++] = f;
	if (!s->nstuck || !s->npass)
		return;
	s->nrows = s->npass + s->nstuck;
	s->sums = ARENA_ARRAY(scratch, int64_t, s->nrows * MAX_TERMS);
	cover_weights(s->weights, MAX_PRICE);
	add_singles(s);
	add_products(s);
	list_values(s);
	precompute_reach(s);
	for (int terms = 2; terms <= MAX_TERMS; terms++)
		visit(s, 0, 0, terms, false);
	for (int k = 0; k < s->nkept; k++)
		offer(user, text(s, &s->kept[k]), s->kept[k].cost);
}
