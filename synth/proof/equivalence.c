/* Let rule R with clauses C1 … Cn be simplified from R' with clauses W1 … Wn; most clauses are unchanged. R and R'
 * are equivalent if each Ck agrees with Wk where C1 … Ck-1 and Wk+1 … Wn hold, since the clauses can then be
 * exchanged one after the other. Outputs need to agree only where all clauses hold.
 *
 * It is not enough that Ck agrees with Wk where the other C hold: two clauses may be wrong together.
 */
#include "equivalence.h"

#include <string.h>

#include "need.h"
#include "rng.h"

enum {
	BOX_POINTS = 4000,
	BOX_MIN = -3, /* minimum of symbols that are not dimensions; dimensions start at 0 */
	BOX_MAX = 8,
};

typedef struct comparison {
	solver *s;
	prover *prover;
	bool *domain;
	const expr **context; /* the clauses that hold where two expressions are compared */
	int n;
} comparison;

static const expr *original_of(const rule *r, const expr *e)
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

static bool agree_at(const comparison *t, const expr *a, const expr *b, const int64_t *x)
{
	for (int k = 0; k < t->n; k++)
		if (!expr_holds(t->context[k], x))
			return true;
	return same_value(a, b, x);
}

static bool agree_on_records(const comparison *t, const expr *a, const expr *b)
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

static bool agree_in_box(const comparison *t, const expr *a, const expr *b)
{
	const operator *op = t->s->op;
	int64_t *x = ARENA_ARRAY(t->s->scratch, int64_t, op->nsym + 1);
	rng r = rng_seed(3);
	for (int k = 0; k < BOX_POINTS; k++) {
		for (int i = 0; i < op->nsym; i++)
			x[i] = rng_range(&r, t->domain[i] ? 0 : BOX_MIN, BOX_MAX + 1);
		if (!agree_at(t, a, b, x))
			return false;
	}
	return true;
}

/* ---- one simplification */

static enum proof compare(const comparison *t, const expr *now, const expr *was)
{
	where anywhere = {NULL, 0, t->domain, t->s->op->nsym}, here = {t->context, t->n, t->domain, t->s->op->nsym};
	verdict v = prove_agree(t->prover, now, was, &anywhere);
	if (v != PROVED && t->n)
		v = prove_agree(t->prover, now, was, &here);
	if (v != UNKNOWN) /* a refuted simplification stays refuted, even if all records agree */
		return v == PROVED ? PROOF_PROVED : PROOF_UNKNOWN;
	return agree_on_records(t, now, was) && agree_in_box(t, now, was) ? PROOF_CHECKED : PROOF_UNKNOWN;
}

static void compare_and_log(const comparison *t, const expr *now, const expr *was)
{
	static const char *const NAMES[] = {[PROOF_PROVED] = "proved", [PROOF_CHECKED] = "checked", [PROOF_UNKNOWN] = "unknown"};
	rule *r = t->s->rule;
	enum proof found = compare(t, now, was);
	solver_log(t->s, "simplified: ", now, "  (%s)", NAMES[found]);
	solver_log(t->s, "      from: ", was, "%s", "");
	r->proof = found > r->proof ? found : r->proof;
}

/* ---- the rule */

/* Whether the rule still has all clauses of a conjunction that was simplified and then split. */
static bool has_parts(const rule *r, const expr *e)
{
	if (e->op == OP_AND)
		return has_parts(r, e->a) && has_parts(r, e->b);
	for (int k = 0; k < r->nclauses; k++)
		if (r->clauses[k] == e)
			return true;
	return false;
}

static void compare_clauses(comparison *t)
{
	rule *r = t->s->rule;
	for (int k = 0; k < r->nclauses; k++) {
		const expr *was = original_of(r, r->clauses[k]);
		t->n = 0;
		for (int j = 0; j < r->nclauses; j++) {
			const expr *before = j > k ? original_of(r, r->clauses[j]) : NULL;
			if (j != k)
				t->context[t->n++] = before ? before : r->clauses[j];
		}
		if (was)
			compare_and_log(t, r->clauses[k], was);
	}
	t->n = 0; /* conjunctions are compared whole and without context, since one of their parts may imply another */
	for (int k = 0; k < r->nnotes; k++)
		if (r->notes[k].now->op == OP_AND && has_parts(r, r->notes[k].now))
			compare_and_log(t, r->notes[k].now, r->notes[k].was);
}

static void compare_outputs(comparison *t)
{
	rule *r = t->s->rule;
	for (t->n = 0; t->n < r->nclauses; t->n++)
		t->context[t->n] = r->clauses[t->n];
	for (int d = 0; d < r->nodim; d++) {
		const expr *was = original_of(r, r->out[d]);
		bool known = false;
		for (int e = 0; e < d && !known; e++)
			known = r->out[e] == r->out[d];
		if (was && !known)
			compare_and_log(t, r->out[d], was);
	}
}

void equivalence_prove(solver *s, prover *prover)
{
	rule *r = s->rule;
	if (!r->nnotes)
		return;
	arena_mark mark = arena_save(s->scratch);
	comparison t = {.s = s, .prover = prover, .domain = NEED_ARRAY(s->scratch, bool, s->op->nsym),
	    .context = NEED_ARRAY(s->scratch, const expr *, r->nclauses)};
	for (int i = 0; i < s->op->nsym; i++)
		t.domain[i] = s->op->roles[i].kind == ROLE_DIM;
	compare_clauses(&t);
	compare_outputs(&t);
	r->nnotes = 0;
	arena_release(s->scratch, mark);
}
