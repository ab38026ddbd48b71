#include "halfspace.h"

#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "prices.h"
#include "weight.h"

enum { MOST_SINGLE = 11, MOST_PARTS = 36, MOST_TERMS = 5, MOST_SLACK = 4, MOST_KEPT = 48, BUDGET = 3000000, MOST_STUCK = 64 };

typedef struct part {
	const expr *e;
	int64_t *pass, *stuck; /* values on the passing records, and on the stuck ones */
	bool bears;	       /* some stuck record differs from a passing one in it alone */
} part;

typedef struct bound {
	int8_t a[MOST_PARTS];
	int64_t least; /* of the sum, on the passing records */
	int cost;
	uint64_t rejects; /* stuck records, as bits */
	uint64_t score;
} bound;

typedef struct search {
	solver *of;
	const operator *op;
	int npass, nstuck;
	int rows[MOST_STUCK]; /* the stuck records */
	part parts[MOST_PARTS];
	int nparts, nsingle;
	int8_t a[MOST_PARTS];
	int64_t *pass;	       /* partial sums on the passing records: a row of them for each number of terms */
	bound *kept;
	int nkept;
	long work;
	int killer; /* the passing record that ended the last sum: most end there */
} search;

/* ---- parts */

static const int64_t *stuck_row(const search *s, int f)
{
	return s->op->fail + (size_t)s->rows[f] * s->op->nsym;
}

static bool fill(search *s, const expr *e, part *to)
{
	*to = (part){.e = e, .pass = ARENA_ARRAY(s->of->scratch, int64_t, s->npass + 1),
	    .stuck = ARENA_ARRAY(s->of->scratch, int64_t, s->nstuck + 1)};
	for (int r = 0; r < s->npass + s->nstuck; r++) {
		wide v;
		bool failing = r >= s->npass;
		if (!expr_eval(e, failing ? stuck_row(s, r - s->npass) : passing_record(s->op, r), &v)
		    || v > (wide)1 << 40 || v < -((wide)1 << 40)) {
			if (!failing)
				return false;
			v = 0;
		}
		*(failing ? &to->stuck[r - s->npass] : &to->pass[r]) = (int64_t)v;
	}
	for (int k = 0; k < s->nparts; k++)
		if (memcmp(s->parts[k].pass, to->pass, sizeof *to->pass * (size_t)s->npass) == 0
		    && memcmp(s->parts[k].stuck, to->stuck, sizeof *to->stuck * (size_t)s->nstuck) == 0)
			return false;
	return true;
}

/* How many stuck records differ from a passing one in each symbol alone. */
static void count_bearing(const search *s, int *count)
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

/* Whether some symbol that bears stands at the same place of another shape or list. */
static bool stands_with(const operator *op, const int *count, int i)
{
	const role *r = &op->roles[i];
	for (int k = 0; k < op->nsym; k++) {
		const role *q = &op->roles[k];
		if (count[k] && q->kind != ROLE_INT && r->kind != ROLE_INT && q->len - q->pos == r->len - r->pos)
			return true;
	}
	return false;
}

/* Those that bear first, then those that stand with one, then the rest. */
static void add_singles(search *s)
{
	const operator *op = s->op;
	int *count = ARENA_ARRAY(s->of->scratch, int, op->nsym + 1);
	count_bearing(s, count);
	for (int pass = 0; pass < 3; pass++)
		for (int i = 0; i < op->nsym && s->nparts < MOST_SINGLE; i++)
			if ((count[i] ? 0 : stands_with(op, count, i) ? 1 : 2) == pass
			    && fill(s, expr_sym(s->of->pool, i), &s->parts[s->nparts])) {
				s->parts[s->nparts].bears = pass == 0;
				s->nparts++;
			}
	s->nsingle = s->nparts;
}

static void add_products(search *s)
{
	const operator *op = s->op;
	for (int i = 0; i < s->nsingle; i++)
		for (int j = i; j < s->nsingle && s->nparts < MOST_PARTS; j++) {
			const part *x = &s->parts[i], *y = &s->parts[j];
			bool dims = op->roles[x->e->value].kind == ROLE_DIM && op->roles[y->e->value].kind == ROLE_DIM;
			if (dims || i == j || (!x->bears && !y->bears))
				continue;
			if (fill(s, expr_make(s->of->pool, OP_MUL, x->e, y->e), &s->parts[s->nparts])) {
				s->parts[s->nparts].bears = true;
				s->nparts++;
			}
		}
}

/* ---- what is tried */

static const expr *side(const search *s, const bound *o, int sign, int64_t more)
{
	expr_pool *p = s->of->pool;
	const expr *e = NULL;
	for (int k = 0; k < s->nparts; k++) {
		int a = o->a[k] * sign;
		if (a <= 0)
			continue;
		const expr *x = a == 1 ? s->parts[k].e : expr_make(p, OP_MUL, expr_const(p, a), s->parts[k].e);
		e = e ? expr_make(p, OP_ADD, e, x) : x;
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
	int cost = PRICE_EQUATION + (least < 0 || least > 1 ? PRICE_SHIFT_SMALL : 0);
	for (int k = 0; k < s->nparts; k++)
		if (s->a[k])
			cost += PRICE_HALFSPACE_TERM * (1 + s->parts[k].e->size) + (s->a[k] == 1 || s->a[k] == -1 ? 0 : PRICE_COEFFICIENT);
	return cost;
}

/* Of those that reject the same records the cheapest; of all, those that reject most for their length. */
static void keep(search *s, int64_t least, uint64_t rejects)
{
	bound o = {.least = least, .rejects = rejects, .cost = cost_of(s, least)};
	memcpy(o.a, s->a, sizeof o.a);
	o.score = weight_of(o.cost) * (uint64_t)__builtin_popcountll(rejects);
	int at = 0;
	while (at < s->nkept && s->kept[at].rejects != rejects)
		at++;
	if (at < s->nkept) {
		if (s->kept[at].cost <= o.cost)
			return;
	} else if (s->nkept == MOST_KEPT) {
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

/* The stuck records whose sum is less than `least`. */
static uint64_t rejected(const search *s, int64_t least)
{
	int64_t sums[MOST_STUCK] = {0};
	uint64_t rejects = 0;
	for (int k = 0; k < s->nparts; k++)
		if (s->a[k])
			column_subtract(sums, -s->a[k], s->parts[k].stuck, sums, s->nstuck);
	for (int f = 0; f < s->nstuck; f++)
		rejects |= (uint64_t)(sums[f] < least) << f;
	return rejects;
}

/* The sum before, with a times one more part. */
static void try_sum(search *s, const int64_t *pass, const part *x, int64_t a)
{
	int64_t least = MOST_SLACK + 1;
	s->work++;
	if (pass[s->killer] + a * x->pass[s->killer] < -MOST_SLACK)
		return;
	for (int r = 0; r < s->npass; r++) {
		int64_t v = pass[r] + a * x->pass[r];
		if (v < -MOST_SLACK) {
			s->killer = r;
			return;
		}
		least = v < least ? v : least;
	}
	if (least > MOST_SLACK)
		return;
	uint64_t rejects = rejected(s, least);
	if (rejects)
		keep(s, least, rejects);
}

/* Chooses `left` more terms among the parts from i on. */
static void visit(search *s, int i, int depth, int left, bool bears, bool product)
{
	int64_t *pass = s->pass + (ptrdiff_t)depth * s->npass;
	for (; i < s->nparts && s->work < BUDGET; i++) {
		const part *x = &s->parts[i];
		bool is_product = i >= s->nsingle;
		if ((is_product && product) || (left == 1 && !bears && !x->bears))
			continue;
		for (int64_t a = -2; a <= 2; a++) {
			if (a == 0 || (is_product && (a == 2 || a == -2)))
				continue;
			s->a[i] = (int8_t)a;
			if (left == 1) {
				try_sum(s, pass, x, a);
				continue;
			}
			column_subtract(pass, -a, x->pass, pass + s->npass, s->npass);
			visit(s, i + 1, depth + 1, left - 1, bears || x->bears, product || is_product);
		}
		s->a[i] = 0;
	}
}

void halfspaces(solver *of, const uint64_t *stuck, pattern_offer *offer, void *user)
{
	arena *scratch = of->scratch;
	search *s = ARENA_NEW(scratch, search);
	*s = (search){.of = of, .op = of->op, .npass = of->op->npass, .kept = ARENA_ARRAY(scratch, bound, MOST_KEPT)};
	int all = 0;
	for (int f = 0; f < of->op->nfail; f++)
		all += stuck[f / 64] >> f % 64 & 1;
	for (int f = 0, k = 0; f < of->op->nfail; f++) /* a sample of them, from first to last */
		if ((stuck[f / 64] >> f % 64 & 1) && k++ % ((all + MOST_STUCK - 1) / MOST_STUCK) == 0)
			s->rows[s->nstuck++] = f;
	if (!s->nstuck || !s->npass)
		return;
	s->pass = ARENA_ARRAY(scratch, int64_t, s->npass * MOST_TERMS);
	add_singles(s);
	add_products(s);
	for (int terms = 2; terms <= MOST_TERMS; terms++)
		visit(s, 0, 0, terms, false, false);
	for (int k = 0; k < s->nkept; k++)
		offer(user, text(s, &s->kept[k]), s->kept[k].cost);
}
