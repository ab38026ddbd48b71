#include "single_violation.h"

#include <string.h>

int single_violation_of(const operator *op, const rule *r, const int64_t *x)
{
	rule_view v = rule_look(op, r, x);
	return v.failing == 1 && v.outside < 0 ? v.only : -1;
}

void single_violation_start(single_violation *s, const box *b, const rule *r, uint64_t seed, arena *memory)
{
	*s = (single_violation){.box = b, .rule = r, .rng = rng_seed(seed), .memory = memory};
}

/* Keeps an accepted input; replaces an older one if the list is full. */
static void remember(single_violation *s, const int64_t *x)
{
	size_t size = sizeof *x * (size_t)s->box->op->nsym;
	int at = s->nrecent < SINGLE_RECENT ? s->nrecent++ : (int)rng_below(&s->rng, SINGLE_RECENT);
	if (!s->recent[at])
		s->recent[at] = ARENA_ARRAY(s->memory, int64_t, s->box->op->nsym + 1);
	memcpy(s->recent[at], x, size);
}

int single_violation_draw(single_violation *s, int64_t *x)
{
	const operator *op = s->box->op;
	const int64_t *const *recent = (const int64_t *const *)s->recent;
	if (rng_below(&s->rng, 4) || !point_move(s->box, &s->rng, recent, s->nrecent, x))
		point_draw(s->box, &s->rng, recent, s->nrecent, false, x);
	if (!box_allows(s->box, x))
		return -1;
	rule_view v = rule_look(op, s->rule, x);
	if (v.accepts)
		remember(s, x);
	return v.failing == 1 && v.outside < 0 ? v.only : -1;
}

verdict single_violation_solve(const box *b, const rule *r, int k, expr_pool *pool, prover *finder, unsigned seed, arena *scratch,
    int64_t *x)
{
	const operator *op = b->op;
	const expr *zero = expr_const(pool, 0), **holds = ARENA_ARRAY(scratch, const expr *, r->nclauses + r->nodim + 1);
	int64_t *low = ARENA_ARRAY(scratch, int64_t, op->nsym + 1), *high = ARENA_ARRAY(scratch, int64_t, op->nsym + 1);
	distinction d = {.holds = holds, .a = r->clauses[k], .low = low, .high = high, .nsym = op->nsym, .seed = seed};
	for (int j = 0; j < r->nclauses; j++)
		if (j != k)
			holds[d.n++] = r->clauses[j];
	for (int j = 0; j < r->nodim; j++)
		holds[d.n++] = expr_make(pool, OP_GE, r->out[j], zero);
	verdict v = UNKNOWN;
	for (int whole = 0; whole < 2; whole++) {
		box_bounds(b, whole ? -1 : box_small_side(b), low, high);
		v = prover_distinguish(finder, &d, x);
		if (v != REFUTED)
			continue;
		box_repair(b, x);
		if (box_allows(b, x) && single_violation_of(op, r, x) == k)
			return REFUTED;
		v = UNKNOWN; /* there may be only inputs that may not be queried */
	}
	return v;
}
