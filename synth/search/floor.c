/* Floor templates: t = (Σ a_i·x_i + b) // q.
 *
 * The x_i are leaves and products of two leaves; q is 1, 2 or a leaf. With L = Σ a_i·x_i and q > 0, each record
 * bounds b by q·t ≤ L + b < q·t + q. So b is computed for given a and q, never enumerated.
 *
 * Without a divisor, and on records where the divisor is 1, the template is a linear system over the parts.
 * Elimination modulo a prime solves it for any number of terms, and the result is checked in integers. If too few
 * records have q = 1, vectors a in -2 … 2 are visited depth first, fewest terms first, with partial sums as columns.
 * A branch that can no longer contain every relevant symbol is pruned.
 *
 * A clamp, such as the last window with ceil_mode, is min(F, G) of two templates. Every F that is nowhere below the
 * target is kept with its tightest b and the set of records where it equals the target. Two such templates that cover
 * all records are an answer.
 */
#include "floor.h"

#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "eliminate.h"
#include "costs.h"

enum { MAX_PARTS = 48, MAX_BOUNDS = 400, MAX_COEFFICIENT = 8 };

typedef struct part {
	const expr *e;
	const int64_t *col;
	uint32_t covers;
	int cost;
} part;

typedef struct bound { /* one side of a clamp */
	int8_t a[MAX_PARTS];
	int64_t b;
	int q, cost, equal;
	uint64_t bits[ROWS / 64];
} bound;

typedef struct floor_search {
	problem *p;
	part parts[MAX_PARTS];
	int nparts, nsingle; /* the first nsingle parts are not products */
	int64_t values[ROWS][MAX_PARTS]; /* columns of the parts, transposed to visit all parts of one record */
	part q; /* the divisor; e is NULL for 1 */
	int qindex;
	int64_t divisors[ROWS], floors[ROWS]; /* the divisor, and divisor times target */
	int low_row, high_row;		      /* the records that made the last interval empty */
	uint8_t order[ROWS];		      /* records, those that reject most vectors first */
	int64_t shifts[ROWS];		      /* minimum b of each record, valid if all were visited */
	int8_t a[MAX_PARTS];
	int64_t sums[MAX_PARTS + 1][ROWS];
	uint32_t covered[MAX_PARTS + 1];
	uint32_t tail[MAX_PARTS + 1]; /* symbols that the parts from i on can still cover */
	answer best;
	int side; /* 0: equality; 1: F ≥ t (for min); -1: F ≤ t (for max) */
	bound *bounds;
	int nbounds, worst; /* worst: the bound with the fewest equal records, once the array is full */
} floor_search;

static const int COEFFICIENTS[] = {1, -1, 2, -2};

/* ---- the expression of a template */

static const expr *add_term(expr_pool *pool, const expr *sum, const expr *e, int a)
{
	int size = a < 0 ? -a : a;
	if (size != 1)
		e = expr_make(pool, OP_MUL, expr_const(pool, size), e);
	if (!sum)
		return a < 0 ? expr_make(pool, OP_SUB, expr_const(pool, 0), e) : e;
	return expr_make(pool, a < 0 ? OP_SUB : OP_ADD, sum, e);
}

/* Shorter parts first, then by symbols, so that a template has the same expression in every signature. */
static void part_order(const floor_search *s, int *order)
{
	for (int i = 0; i < s->nparts; i++) {
		int k = i;
		for (; k > 0 && expr_compare(s->parts[i].e, s->parts[order[k - 1]].e) < 0; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

/* Writes positive terms, then negative ones, then the constant. A divisor that is a term of the dividend is moved out
 * of the division: (L + k·q) // q = L // q + k (proved in test_prove.c; the result is also checked on all records). */
static const expr *template_expr(const floor_search *s, const int8_t *a, int64_t b, const part *q, int qindex)
{
	expr_pool *pool = s->p->pool;
	const expr *sum = NULL;
	int outside = qindex >= 0 ? a[qindex] : 0;
	int64_t divisor = q->e && q->e->op == OP_CONST ? q->e->value : 0;
	int order[MAX_PARTS];
	part_order(s, order);
	for (int sign = 1; sign >= -1; sign -= 2)
		for (int k = 0; k < s->nparts; k++) {
			int i = order[k];
			if (a[i] * sign > 0 && i != qindex)
				sum = add_term(pool, sum, s->parts[i].e, a[i]);
		}
	if (divisor) {
		outside = (int)floordiv(b, divisor);
		b = (int64_t)floormod(b, divisor);
	}
	if (!sum)
		sum = expr_const(pool, b);
	else if (b)
		sum = expr_make(pool, b < 0 ? OP_SUB : OP_ADD, sum, expr_const(pool, b < 0 ? -b : b));
	if (q->e)
		sum = expr_make(pool, OP_DIV, sum, q->e);
	if (outside)
		sum = expr_make(pool, outside < 0 ? OP_SUB : OP_ADD, sum,
		    expr_const(pool, outside < 0 ? -outside : outside));
	return sum;
}

/* ---- testing one vector of coefficients */

static int cost_of(const floor_search *s, int64_t b)
{
	int cost = s->q.e ? OPS[OP_DIV].search + s->q.cost : 0;
	for (int i = 0; i < s->nparts; i++) {
		int a = s->a[i] < 0 ? -s->a[i] : s->a[i];
		if (a)
			cost += COST_TERM + s->parts[i].cost + (s->a[i] < 0 ? COST_NEGATIVE : 0) + (a > 1 ? COST_COEFFICIENT + a : 0);
	}
	int64_t size = b < 0 ? -b : b;
	return cost + (b == 0 ? 0 : size <= 2 ? COST_SHIFT_SMALL : size <= 4 ? COST_SHIFT : COST_SHIFT_LARGE);
}

enum { MAX_SHIFT = 64, CLAMP_SHIFT = 4 }; /* maximum |b| */

/* A candidate: the sum so far, plus `times` × last (NULL: nothing), plus k × divisor. */
typedef struct trial {
	const int64_t *sum, *last;
	int64_t times, k;
} trial;

/* The minimum (and below the maximum) b with which the template matches row r. */
static int64_t min_shift(const floor_search *s, const trial *v, int r)
{
	return s->floors[r] - v->k * s->divisors[r] - v->sum[r] - (v->last ? v->times * v->last[r] : 0);
}

static int64_t max_shift(const floor_search *s, const trial *v, int r)
{
	return min_shift(s, v, r) + s->divisors[r] - 1;
}

/* Computes min_shift of all records into s->shifts. */
static void min_shifts(floor_search *s, const trial *v)
{
	int rows = s->p->rows;
	column_subtract(s->floors, 1, v->sum, s->shifts, rows);
	if (v->k)
		column_subtract(s->shifts, v->k, s->divisors, s->shifts, rows);
	if (v->last)
		column_subtract(s->shifts, v->times, v->last, s->shifts, rows);
}

/* Moves a record forward in the order of visits. */
static void move_forward(floor_search *s, int k)
{
	uint8_t r = s->order[k];
	s->order[k] = s->order[k / 2];
	s->order[k / 2] = r;
}

/* Computes the interval for b that all records allow. False if it is empty or out of range. Most vectors are rejected
 * by the two records that rejected the previous one, so these are tested first. */
static bool interval(floor_search *s, const trial *v, int64_t *low, int64_t *high)
{
	const problem *p = s->p;
	int64_t lo = -MAX_SHIFT, hi = MAX_SHIFT;
	int64_t a = min_shift(s, v, s->low_row), b = max_shift(s, v, s->high_row);
	if (a > b || a > hi || b < lo)
		return false;
	for (int k = 0; k < p->rows; k++) {
		int r = s->order[k];
		int64_t from = min_shift(s, v, r), to = from + s->divisors[r] - 1;
		if (from > lo) {
			lo = from;
			s->low_row = r;
		}
		if (to < hi) {
			hi = to;
			s->high_row = r;
		}
		if (lo > hi) {
			*p->work += k / 16;
			move_forward(s, k);
			return false;
		}
	}
	*p->work += COLUMN_WORK;
	*low = lo;
	*high = hi;
	return true;
}

/* The b that record r requires of a clamp's bound: at least this if F ≥ t, else at least its negation. */
static int64_t required_shift(const floor_search *s, const trial *v, int r)
{
	return s->side > 0 ? min_shift(s, v, r) : -max_shift(s, v, r);
}

/* The maximum of required_shift over all records; leaves min_shift of each record in s->shifts. */
static int64_t required_shifts(floor_search *s, const trial *v)
{
	int rows = s->p->rows;
	if (v->last && !v->k) {
		int64_t end = column_shift(s->floors, v->sum, v->times, v->last, s->side > 0 ? NULL : s->divisors, s->side, s->shifts, rows);
		return s->side > 0 ? end : 1 - end;
	}
	min_shifts(s, v);
	if (s->side > 0)
		return column_max(s->shifts, rows);
	int64_t last_rejection[ROWS];
	column_subtract(s->shifts, -1, s->divisors, last_rejection, rows);
	return 1 - column_min(last_rejection, rows);
}

/* Computes b of a clamp's bound. False if it is out of range. A few records are tested one by one first, since they
 * reject most candidates. */
static bool bound_shift(floor_search *s, const trial *v, int64_t *b)
{
	enum { FIRST_ROWS = 8 };
	const problem *p = s->p;
	int k = 0, *row = s->side > 0 ? &s->low_row : &s->high_row;
	if (required_shift(s, v, *row) > CLAMP_SHIFT)
		return false;
	while (k < p->rows && k < FIRST_ROWS && required_shift(s, v, s->order[k]) <= CLAMP_SHIFT)
		k++;
	int64_t far = k < p->rows && k < FIRST_ROWS ? CLAMP_SHIFT + 1 : required_shifts(s, v);
	while (far > CLAMP_SHIFT && required_shift(s, v, s->order[k]) <= CLAMP_SHIFT)
		k++;
	if (far > CLAMP_SHIFT) {
		*p->work += k / 16;
		*row = s->order[k];
		move_forward(s, k);
		return false;
	}
	*p->work += COLUMN_WORK;
	*b = s->side * (far > -CLAMP_SHIFT ? far : -CLAMP_SHIFT);
	return true;
}

static int64_t simplest(int64_t low, int64_t high)
{
	return low > 0 ? low : high < 0 ? high : 0;
}

/* Keeps the current template with b as a bound, with the records where it equals the target. */
static void keep_bound(floor_search *s, int64_t b)
{
	const problem *p = s->p;
	bound o = {.b = b, .q = s->qindex};
	o.equal = column_within(s->shifts, s->divisors, b, o.bits, p->rows); /* floor * q <= sum + b < floor * q + q */
	if (o.equal * 4 < p->rows && s->nbounds >= MAX_BOUNDS / 2)
		return;
	if (s->nbounds == MAX_BOUNDS && s->bounds[s->worst].equal >= o.equal)
		return;
	o.cost = cost_of(s, b);
	memcpy(o.a, s->a, sizeof o.a);
	s->bounds[s->nbounds < MAX_BOUNDS ? s->nbounds++ : s->worst] = o;
	s->worst = 0;
	for (int i = 1; s->nbounds == MAX_BOUNDS && i < s->nbounds; i++)
		if (s->bounds[i].equal < s->bounds[s->worst].equal)
			s->worst = i;
}

/* Tests the current template against the target. */
static void try_vector(floor_search *s, const trial *v, uint32_t covered)
{
	problem *p = s->p;
	int64_t low, high;
	++*p->work;
	++*p->tried;
	if (s->side == 0 && (covered & p->relevant) != p->relevant)
		return;
	if (s->side) {
		if (bound_shift(s, v, &low))
			keep_bound(s, low);
		return;
	}
	if (!interval(s, v, &low, &high))
		return;
	int64_t b = simplest(low, high);
	int cost = cost_of(s, b);
	if (!s->best.e || cost <= s->best.cost)
		answer_offer(&s->best, template_expr(s, s->a, b, &s->q, s->qindex), cost);
}

/* Tests the template with a few multiples of the divisor; the divisor is then not a separate term. */
static void try_multiples(floor_search *s, const trial *v, uint32_t covered)
{
	trial with = *v;
	for (with.k = -1; with.k <= 2; with.k++) {
		s->a[s->qindex] = (int8_t)with.k;
		try_vector(s, &with, covered);
	}
	s->a[s->qindex] = 0;
}

/* The two records that rejected the last vector, with the minimum b that one allows and the maximum b that the other
 * allows. They reject most vectors. */
typedef struct last_rejection {
	int low_row, high_row;
	int64_t low, high;
} last_rejection;

static last_rejection last_rejection_of(const floor_search *s, const int64_t *sum)
{
	int lo = s->low_row, hi = s->high_row;
	return (last_rejection){lo, hi, s->floors[lo] - sum[lo], s->floors[hi] - sum[hi] + s->divisors[hi] - 1};
}

/* Whether no b is left after adding times × part i. If 2 and -2 are rejected, 1 and -1 are as well, since they lie
 * between. */
static inline bool is_rejected_by(const floor_search *s, const last_rejection *e, int i, int64_t times)
{
	int64_t low = e->low - times * s->values[e->low_row][i], high = e->high - times * s->values[e->high_row][i];
	return s->side == 0 ? low > high : s->side > 0 ? low > CLAMP_SHIFT : high < -CLAMP_SHIFT;
}

/* Whether the parts from i on can still cover all relevant symbols. */
static bool can_cover(const floor_search *s, uint32_t covered, int i)
{
	return s->side || ((covered | s->tail[i]) & s->p->relevant) == s->p->relevant;
}

/* Chooses the last part, from i on, without computing a column for it. */
static void visit_last(floor_search *s, int i)
{
	problem *p = s->p;
	const int64_t *sum = s->sums[i];
	uint32_t covered = s->covered[i];
	bool multiples = p->kernel_reach && s->qindex >= 0;
	last_rejection last = last_rejection_of(s, sum);
	long rejected = 0;
	for (; i < s->nparts && can_cover(s, covered, i); i++) {
		if (multiples && i == s->qindex)
			continue;
		if (!multiples && is_rejected_by(s, &last, i, 2) && is_rejected_by(s, &last, i, -2)) {
			rejected += 4;
			continue;
		}
		for (int c = 0; c < 4; c++) {
			trial v = {.sum = sum, .last = s->parts[i].col, .times = COEFFICIENTS[c]};
			s->a[i] = (int8_t)v.times;
			if (multiples) {
				try_multiples(s, &v, covered | s->parts[i].covers);
			} else if (is_rejected_by(s, &last, i, v.times)) {
				rejected++;
			} else {
				try_vector(s, &v, covered | s->parts[i].covers);
				last = last_rejection_of(s, sum);
			}
		}
		s->a[i] = 0;
	}
	*p->work += rejected;
	*p->tried += rejected;
}

/* Chooses nonzero coefficients for `left` parts from i on. */
static void visit(floor_search *s, int i, int left)
{
	problem *p = s->p;
	if (*p->work > p->budget)
		return;
	if (left == 0) {
		try_vector(s, &(trial){.sum = s->sums[i]}, s->covered[i]);
		return;
	}
	if (left == 1) {
		visit_last(s, i);
		return;
	}
	bool multiples = p->kernel_reach && s->qindex >= 0;
	for (; i + left <= s->nparts && can_cover(s, s->covered[i], i); i++) {
		const int64_t *col = s->parts[i].col, *from = s->sums[i];
		int64_t *to = s->sums[i + 1];
		if (p->kernel_reach && i >= s->nsingle) /* at most one kernel */
			break;
		for (int c = 0; c < 4 && !(multiples && i == s->qindex); c++) {
			int64_t a = COEFFICIENTS[c];
			s->a[i] = (int8_t)a;
			*p->work += COLUMN_WORK;
			column_subtract(from, -a, col, to, p->rows);
			s->covered[i + 1] = s->covered[i] | s->parts[i].covers;
			visit(s, i + 1, left - 1);
		}
		s->a[i] = 0;
		memcpy(to, from, sizeof *to * (size_t)p->rows);
		s->covered[i + 1] = s->covered[i];
	}
}

/* ---- parts: leaves with small values, and products of two integers */

static bool small(const problem *p, const int64_t *col)
{
	for (int r = 0; r < p->rows; r++)
		if (col[r] == NOVAL || col[r] > (int64_t)1 << 40 || col[r] < -((int64_t)1 << 40))
			return false;
	return true;
}

static void add_part(floor_search *s, const expr *e, const int64_t *col, uint32_t covers, int cost)
{
	if (s->nparts == MAX_PARTS || !small(s->p, col))
		return;
	for (int i = 0; i < s->nparts; i++)
		if (memcmp(s->parts[i].col, col, sizeof *col * (size_t)s->p->rows) == 0)
			return;
	s->parts[s->nparts++] = (part){e, col, covers, cost};
}

/* Which parts to use. With evidence, parts without relevant symbols are tried last. */
enum parts {
	RELEVANT,	   /* relevant symbols and folds of them */
	RELEVANT_PRODUCTS, /* and products of two relevant integers, without dimensions */
	EVERYTHING
};

/* (a - less)·b */
static void add_product(floor_search *s, const leaf *a, const leaf *b, int less)
{
	problem *p = s->p;
	const expr *e = less ? expr_make(p->pool, OP_SUB, a->e, expr_const(p->pool, less)) : a->e;
	int64_t *col = arena_alloc(p->scratch, sizeof *col * (size_t)p->rows);
	for (int r = 0; r < p->rows; r++)
		if (__builtin_mul_overflow(a->col[r] - less, b->col[r], &col[r]))
			col[r] = NOVAL;
	add_part(s, expr_make(p->pool, OP_MUL, e, b->e), col, a->covers | b->covers, OPS[OP_MUL].search + a->cost + b->cost);
}

static void add_products(floor_search *s, int max_parts, enum parts which)
{
	problem *p = s->p;
	for (int i = 0; i < p->nleaves; i++)
		for (int j = i + 1; j < p->nleaves && s->nparts < max_parts; j++) {
			const leaf *a = &p->leaves[i], *b = &p->leaves[j];
			if (!a->covers || !b->covers || a->fold || b->fold || (a->is_dim && b->is_dim))
				continue;
			if (which != EVERYTHING && !p->derived && (a->is_dim || b->is_dim))
				continue;
			if (!small(p, a->col) || !small(p, b->col))
				continue;
			if (p->kernel_reach) {
				add_product(s, a, b, 1);
				add_product(s, b, a, 1);
			} else {
				add_product(s, a, b, 0);
			}
		}
}

static void collect_parts(floor_search *s, int max_parts, enum parts which, int extra)
{
	problem *p = s->p;
	for (int i = 0; i < p->nleaves && s->nparts < max_parts; i++)
		if (p->leaves[i].e->op != OP_CONST && (which == EVERYTHING || p->leaves[i].covers || i == extra))
			add_part(s, p->leaves[i].e, p->leaves[i].col, p->leaves[i].covers, p->leaves[i].cost);
	s->nsingle = s->nparts;
	if (which != RELEVANT)
		add_products(s, max_parts + 12, which);
}

/* Sets the divisor: none for index -1, 2 for nparts, else parts[index]. False if it is not positive in every record. */
static bool set_divisor(floor_search *s, int index, const int64_t *twos)
{
	problem *p = s->p;
	s->qindex = index >= 0 && index < s->nparts ? index : -1;
	s->q = (part){0};
	if (index == s->nparts)
		s->q = (part){expr_const(p->pool, 2), twos, 0, COST_DIVISOR_TWO};
	else if (index >= 0)
		s->q = s->parts[index];
	for (int r = 0; r < p->rows; r++) {
		s->divisors[r] = s->q.e ? s->q.col[r] : 1;
		if (s->divisors[r] <= 0)
			return false;
		s->floors[r] = s->divisors[r] * p->target[r];
	}
	s->low_row = s->high_row = 0;
	return true;
}

static void with_divisor(floor_search *s, int index, int terms, const int64_t *twos)
{
	if (!set_divisor(s, index, twos))
		return;
	s->covered[0] = s->q.e ? s->q.covers : 0;
	s->tail[s->nparts] = 0;
	for (int i = s->nparts - 1; i >= 0; i--)
		s->tail[i] = s->tail[i + 1] | s->parts[i].covers;
	memset(s->a, 0, sizeof s->a);
	memset(s->sums[0], 0, sizeof s->sums[0]);
	visit(s, 0, terms);
}

/* ---- exact solution by elimination */

/* Solves for the coefficients on the records where q is 1 (all, without a divisor). False if there is no solution in
 * small integers, or too few records for the number of unknowns. */
static bool exact_fit(floor_search *s, int parts)
{
	problem *p = s->p;
	int n = 0, rank, pivot[MAX_PARTS + 1], step = parts + 2;
	uint64_t *m = arena_alloc(p->scratch, sizeof *m * (size_t)(p->rows * step));
	for (int r = 0; r < p->rows; r++) {
		if (s->q.e && s->q.col[r] != 1)
			continue;
		m[n * step] = 1;
		for (int i = 0; i < parts; i++)
			m[n * step + 1 + i] = elimination_reduce(s->parts[i].col[r]);
		m[n++ * step + parts + 1] = elimination_reduce(p->target[r]);
	}
	*p->work += COLUMN_WORK * parts;
	if (n < 4 || !eliminate(m, n, parts + 1, pivot, &rank))
		return false;
	int terms = 0;
	for (int i = 0; i < parts; i++) {
		uint64_t v = pivot[i + 1] < 0 ? 0 : m[pivot[i + 1] * step + parts + 1];
		int64_t a = v > ELIMINATION_PRIME / 2 ? (int64_t)v - (int64_t)ELIMINATION_PRIME : (int64_t)v;
		if (a > MAX_COEFFICIENT || a < -MAX_COEFFICIENT)
			return false;
		s->a[i] = (int8_t)a;
		terms += a != 0;
	}
	return n >= rank + 1 && n >= 2 * terms;
}

/* The same with one more part, which may be constant in the records where the divisor is 1. */
static void try_one_more(floor_search *s, const int64_t *sum, int k, uint32_t covered)
{
	for (int i = 0; i < s->nparts; i++)
		for (int sign = -1; sign <= 1 && !s->a[i] && i != s->qindex; sign += 2) {
			s->a[i] = (int8_t)sign;
			try_vector(s, &(trial){.sum = sum, .last = s->parts[i].col, .times = sign, .k = k}, covered | s->parts[i].covers);
			s->a[i] = 0;
		}
}

/* Tests the exact coefficients on all records, with a few multiples of the divisor added. */
static void try_exact(floor_search *s, int parts)
{
	problem *p = s->p;
	arena_mark mark = arena_save(p->scratch);
	memset(s->a, 0, sizeof s->a);
	if (exact_fit(s, parts)) {
		uint32_t covered = s->q.e ? s->q.covers : 0;
		int64_t sum[ROWS] = {0};
		for (int i = 0; i < s->nparts; i++) {
			covered |= s->a[i] ? s->parts[i].covers : 0;
			for (int r = 0; s->a[i] && r < p->rows; r++)
				sum[r] += s->a[i] * s->parts[i].col[r];
		}
		for (int k = -2; k <= 2; k++) {
			if (s->qindex < 0 && k)
				continue;
			if (s->qindex >= 0)
				s->a[s->qindex] = (int8_t)k;
			try_vector(s, &(trial){.sum = sum, .k = k}, covered);
			if (p->all_symbols)
				try_one_more(s, sum, k, covered);
		}
	}
	memset(s->a, 0, sizeof s->a);
	arena_release(p->scratch, mark);
}

static bool divisor_allowed(const floor_search *s, int index)
{
	if (index < 0 || index == s->nparts)
		return true;
	const expr *e = s->parts[index].e;
	return (e->op == OP_SYM || (e->op == OP_DIV && e->size == 1)) && (s->parts[index].covers || s->p->all_symbols);
}

static void exact_with_divisor(floor_search *s, int index)
{
	if (!set_divisor(s, index, NULL))
		return;
	try_exact(s, s->nsingle);
	if ((!s->best.e || s->side) && s->nparts > s->nsingle)
		try_exact(s, s->nparts);
}

/* `extra`: index of a leaf to include without evidence; -1: none. */
static floor_search *start(problem *p, int side, int max_parts, enum parts which, int extra)
{
	floor_search *s = arena_zalloc(p->scratch, sizeof *s);
	s->p = p;
	s->side = side;
	for (int r = 0; r < p->rows; r++)
		s->order[r] = (uint8_t)r;
	collect_parts(s, max_parts, which, extra);
	for (int r = 0; r < p->rows; r++)
		for (int i = 0; i < s->nparts; i++)
			s->values[r][i] = s->parts[i].col[r];
	if (side)
		s->bounds = arena_zalloc(p->scratch, sizeof *s->bounds * MAX_BOUNDS);
	return s;
}

static int64_t *constant_column(problem *p, int64_t value)
{
	int64_t *col = arena_alloc(p->scratch, sizeof *col * (size_t)p->rows);
	for (int r = 0; r < p->rows; r++)
		col[r] = value;
	return col;
}

static answer exact_over(problem *p, enum parts which, int extra)
{
	arena_mark mark = arena_save(p->scratch);
	floor_search *s = start(p, 0, 34, which, extra);
	for (int q = -1; q < s->nparts; q++)
		if (divisor_allowed(s, q))
			exact_with_divisor(s, q);
	answer best = s->best;
	arena_release(p->scratch, mark);
	return best;
}

answer floor_exact_search(problem *p)
{
	answer best = {0};
	for (int which = p->relevant ? RELEVANT : EVERYTHING; which <= EVERYTHING && !best.e; which++)
		best = exact_over(p, (enum parts)which, -1);
	for (int i = 0; p->all_symbols && p->relevant && !best.e && i < p->nleaves; i++) /* one extra unknown at a time,
											  * since few records determine
											  * few unknowns */
		if (!p->leaves[i].covers && p->leaves[i].e->op != OP_CONST)
			best = exact_over(p, RELEVANT, i);
	return best;
}

answer floor_linear_search(problem *p, int max_terms)
{
	arena_mark mark = arena_save(p->scratch);
	bool relevant = p->relevant && max_terms > 2 && !p->all_symbols;
	floor_search *s = start(p, 0, 12, relevant ? RELEVANT_PRODUCTS : EVERYTHING, -1);
	int64_t *twos = constant_column(p, 2);
	for (int terms = 1; terms <= max_terms && !s->best.e; terms++)
		for (int q = -1; q <= s->nparts; q++)
			if (divisor_allowed(s, q))
				with_divisor(s, q, terms, twos);
	answer best = s->best;
	arena_release(p->scratch, mark);
	return best;
}

static const expr *bound_expr(const floor_search *s, const bound *o, const expr *two)
{
	part q = {0};
	if (o->q == s->nparts)
		q.e = two;
	else if (o->q >= 0)
		q = s->parts[o->q];
	return template_expr(s, o->a, o->b, &q, o->q < s->nparts ? o->q : -1);
}

static uint32_t bound_covers(const floor_search *s, const bound *o)
{
	uint32_t covers = o->q >= 0 && o->q < s->nparts ? s->parts[o->q].covers : 0;
	for (int i = 0; i < s->nparts; i++)
		covers |= o->a[i] ? s->parts[i].covers : 0;
	return covers;
}

static void pair_bounds(floor_search *s, enum op op)
{
	problem *p = s->p;
	const expr *two = expr_const(p->pool, 2);
	int words = (p->rows + 63) / 64;
	uint64_t last = p->rows % 64 ? ((uint64_t)1 << p->rows % 64) - 1 : ~(uint64_t)0;
	for (int i = 0; i < s->nbounds; i++)
		for (int j = i + 1; j < s->nbounds; j++) {
			const bound *x = &s->bounds[i], *y = &s->bounds[j];
			bool all = true;
			for (int w = 0; all && w < words; w++)
				all = (x->bits[w] | y->bits[w]) == (w == words - 1 ? last : ~(uint64_t)0);
			int cost = x->cost + y->cost + COST_CLAMP;
			if (!all || (s->best.e && cost > s->best.cost)
			    || ((bound_covers(s, x) | bound_covers(s, y)) & p->relevant) != p->relevant)
				continue;
			const expr *f = bound_expr(s, x, two), *g = bound_expr(s, y, two);
			bool ordered = expr_compare(f, g) <= 0;
			answer_offer(&s->best, expr_make(p->pool, op, ordered ? f : g, ordered ? g : f), cost);
		}
}

static answer clamp_over(problem *p, enum parts which, int max_terms)
{
	answer best = {0};
	for (int side = 1; side >= -1; side -= 2) {
		arena_mark mark = arena_save(p->scratch);
		floor_search *s = start(p, side, 8, which, -1);
		for (int q = 0; q < s->nparts; q++)
			if (divisor_allowed(s, q))
				exact_with_divisor(s, q);
		with_divisor(s, -1, 0, NULL); /* a constant: max(…, 0) */
		for (int terms = 1; terms <= max_terms; terms++)
			for (int q = -1; q < s->nparts; q++)
				if (divisor_allowed(s, q))
					with_divisor(s, q, terms, NULL);
		pair_bounds(s, side > 0 ? OP_MIN : OP_MAX);
		if (s->best.e)
			answer_offer(&best, s->best.e, s->best.cost);
		arena_release(p->scratch, mark);
	}
	return best;
}

answer floor_clamp_search(problem *p, int max_terms)
{
	answer best = clamp_over(p, p->relevant ? RELEVANT_PRODUCTS : EVERYTHING, max_terms);
	if (!best.e && p->relevant) /* a bound that is rarely active may lack evidence */
		best = clamp_over(p, EVERYTHING, 2);
	return best;
}
