/* A rule R of clauses C1 … Cn was simplified from R' of clauses W1 … Wn, of which most are the same. They are equal when
 * each Ck agrees with Wk where C1 … Ck-1 and Wk+1 … Wn hold: one clause after the other is exchanged. Outputs are looked
 * at only where all clauses hold. (That Ck agrees with Wk where the other C hold would not do: two may be wrong
 * together.)
 */
#include "equivalence.h"

#include <string.h>

#include "need.h"
#include "rng.h"

enum {
	BOX_POINTS = 4000,
	BOX_LEAST = -3, /* of what is no dimension; those begin at 0 */
	BOX_MOST = 8,
};

typedef struct settling {
	solver *s;
	prover *prover;
	bool *domain;
	const expr **context; /* the clauses that hold where two texts are compared */
	int n;
} settling;

static const expr *was_of(const rule *r, const expr *e)
{
	for (int k = 0; k < r->nnotes; k++)
		if (r->notes[k].now == e)
			return r->notes[k].was;
	return NULL;
}

/* ---- on records and in a box */

static bool same_value(const expr *a, const expr *b, const int64_t *x)
{
	wide v, w;
	if (expr_is_bool(a))
		return expr_holds(a, x) == expr_holds(b, x);
	bool has_v = expr_eval(a, x, &v), has_w = expr_eval(b, x, &w);
	return has_v == has_w && (!has_v || v == w);
}

static bool agree_at(const settling *t, const expr *a, const expr *b, const int64_t *x)
{
	for (int k = 0; k < t->n; k++)
		if (!expr_holds(t->context[k], x))
			return true;
	return same_value(a, b, x);
}

static bool agree_on_records(const settling *t, const expr *a, const expr *b)
{
	const operator *op = t->s->op;
	for (int k = 0; k < op->npass; k++)
		if (!agree_at(t, a, b, passing_record(op, k)))
			return false;
	for (int k = 0; k < op->nfail; k++)
		if (!agree_at(t, a, b, op->fail + (size_t)k * op->nsym))
			return false;
	return true;
}

static bool agree_in_box(const settling *t, const expr *a, const expr *b)
{
	const operator *op = t->s->op;
	int64_t *x = ARENA_ARRAY(t->s->scratch, int64_t, op->nsym + 1);
	rng r = rng_seed(3);
	for (int k = 0; k < BOX_POINTS; k++) {
		for (int i = 0; i < op->nsym; i++)
			x[i] = rng_range(&r, t->domain[i] ? 0 : BOX_LEAST, BOX_MOST + 1);
		if (!agree_at(t, a, b, x))
			return false;
	}
	return true;
}

/* ---- one simplification */

static enum proof settle(const settling *t, const expr *now, const expr *was)
{
	where anywhere = {NULL, 0, t->domain, t->s->op->nsym}, here = {t->context, t->n, t->domain, t->s->op->nsym};
	verdict v = prove_agree(t->prover, now, was, &anywhere);
	if (v != PROVED && t->n)
		v = prove_agree(t->prover, now, was, &here);
	if (v != UNKNOWN) /* what is refuted is no simplification, whatever records say */
		return v == PROVED ? PROOF_PROVED : PROOF_UNKNOWN;
	return agree_on_records(t, now, was) && agree_in_box(t, now, was) ? PROOF_CHECKED : PROOF_UNKNOWN;
}

static void settle_and_tell(const settling *t, const expr *now, const expr *was)
{
	static const char *const SAID[] = {[PROOF_PROVED] = "proved", [PROOF_CHECKED] = "checked", [PROOF_UNKNOWN] = "unknown"};
	rule *r = t->s->rule;
	enum proof found = settle(t, now, was);
	log_expr(t->s, "simplified: ", now, "  (%s)", SAID[found]);
	log_expr(t->s, "      from: ", was, "%s", "");
	r->proof = found > r->proof ? found : r->proof;
}

/* ---- the rule */

/* The whole conjunctions that were simplified and then split into clauses. */
static bool holds_parts(const rule *r, const expr *e)
{
	if (e->op == OP_AND)
		return holds_parts(r, e->a) && holds_parts(r, e->b);
	for (int k = 0; k < r->nclauses; k++)
		if (r->clauses[k] == e)
			return true;
	return false;
}

static void settle_clauses(settling *t)
{
	rule *r = t->s->rule;
	for (int k = 0; k < r->nclauses; k++) {
		const expr *was = was_of(r, r->clauses[k]);
		t->n = 0;
		for (int j = 0; j < r->nclauses; j++) {
			const expr *before = j > k ? was_of(r, r->clauses[j]) : NULL;
			if (j != k)
				t->context[t->n++] = before ? before : r->clauses[j];
		}
		if (was)
			settle_and_tell(t, r->clauses[k], was);
	}
	t->n = 0; /* a part of a conjunction may decide another: they are compared whole, and anywhere */
	for (int k = 0; k < r->nnotes; k++)
		if (r->notes[k].now->op == OP_AND && holds_parts(r, r->notes[k].now))
			settle_and_tell(t, r->notes[k].now, r->notes[k].was);
}

static void settle_outputs(settling *t)
{
	rule *r = t->s->rule;
	for (t->n = 0; t->n < r->nclauses; t->n++)
		t->context[t->n] = r->clauses[t->n];
	for (int d = 0; d < r->nodim; d++) {
		const expr *was = was_of(r, r->out[d]);
		bool known = false;
		for (int e = 0; e < d && !known; e++)
			known = r->out[e] == r->out[d];
		if (was && !known)
			settle_and_tell(t, r->out[d], was);
	}
}

void prove_simplified(solver *s, prover *prover)
{
	rule *r = s->rule;
	if (!r->nnotes)
		return;
	arena_mark mark = arena_save(s->scratch);
	settling t = {.s = s, .prover = prover, .domain = NEED_ARRAY(s->scratch, bool, s->op->nsym),
	    .context = NEED_ARRAY(s->scratch, const expr *, r->nclauses)};
	for (int i = 0; i < s->op->nsym; i++)
		t.domain[i] = s->op->roles[i].kind == ROLE_DIM;
	settle_clauses(&t);
	settle_outputs(&t);
	r->nnotes = 0;
	arena_release(s->scratch, mark);
}
