#include "reasons.h"

#include <string.h>

#include "need.h"
#include "ops.h"
#include "points.h"
#include "rivals.h"
#include "symbol_place.h"

enum { SHOWN = 3, SHOWN_LITERALS = 5, QUERIES = 150 };

typedef struct reasons {
	buf *to;
	const operator *op; /* with all records */
	operator agreed;    /* with the records that the rule agrees with */
	const rule *rule;
	expr_pool *pool;
	arena *memory;
	const symbol_place *places;
	rivals *rivals;
	prover *finder;
	int64_t *low, *high; /* nsym: bounds of the inputs for Z3 */
	int queries;	     /* Z3 queries left */
} reasons;

clause_reason clause_reason_of(const operator *op, const rule *r, int clause)
{
	clause_reason c = {.such = NULL};
	for (int k = 0; k < op->npass; k++)
		c.wrongly += !expr_holds(r->clauses[clause], passing_record(op, k));
	for (int k = op->npass; k < op->npass + op->nfail; k++) {
		const int64_t *x = record_symbols(op, k);
		if (expr_holds(r->clauses[clause], x))
			continue;
		rule_view v = rule_look(op, r, x);
		bool alone = v.only == clause && v.outside < 0;
		if (!c.such || (alone && !c.alone))
			c.such = x;
		c.rejects++;
		c.alone += alone;
	}
	return c;
}

/* The records that the rule agrees with: others cannot refute a rival. */
static operator agreed_records(const operator *op, const rule *r, arena *memory)
{
	operator to = *op;
	size_t row = (size_t)(op->nsym + op->nodim), columns = (size_t)op->nsym;
	to.pass = ARENA_ARRAY(memory, int64_t, row * (size_t)op->npass + 1);
	to.fail = ARENA_ARRAY(memory, int64_t, columns * (size_t)op->nfail + 1);
	to.npass = to.nfail = 0;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *x = passing_record(op, k);
		if (rule_accepts(op, r, x, x + op->nsym))
			memcpy(to.pass + row * (size_t)to.npass++, x, row * sizeof *x);
	}
	for (int k = op->npass; k < op->npass + op->nfail; k++) {
		const int64_t *x = record_symbols(op, k);
		if (!rule_accepts(op, r, x, NULL))
			memcpy(to.fail + columns * (size_t)to.nfail++, x, columns * sizeof *x);
	}
	return to;
}

/* ---- text */

static void put_record(const reasons *s, const int64_t *x)
{
	for (int i = 0; i < s->op->nsym; i++)
		buf_printf(s->to, "%s%lld", i ? "," : "[", (long long)x[i]);
	buf_puts(s->to, s->op->nsym ? "]" : "[]");
}

static void put_symbol(buf *to, int symbol, const void *user)
{
	const symbol_place *places = user;
	symbol_place_put(to, &places[symbol]);
}

/* Prints an expression, and its meaning in terms of the call as a comment. */
static void put_part(const reasons *s, const expr *e)
{
	expr_print(s->to, e);
	buf_puts(s->to, "   # ");
	expr_print_named(s->to, e, put_symbol, s->places);
	buf_putc(s->to, '\n');
}

static void put_rival(const reasons *s, const rival *r)
{
	switch ((enum rival_kind)r->kind) {
	case RIVAL_DOMAIN:
		buf_puts(s->to, "accept calls in which only this dimension is negative or undefined");
		return;
	case RIVAL_WITHOUT:
		buf_puts(s->to, "omit the clause");
		return;
	case RIVAL_OUTPUT:
	case RIVAL_CLAUSE:
	case RIVAL_LITERAL:
		break;
	}
	expr_print(s->to, r->e);
}

/* Whether Z3 proves a rival equal to the rule. If not, *known tells whether x (nsym) is a call on which they differ. */
static bool is_equivalent(reasons *s, int k, int64_t *x, bool *known)
{
	const expr **conditions = ARENA_ARRAY(s->memory, const expr *, s->rule->nclauses + s->op->nodim + 1);
	distinction d = {.low = s->low, .high = s->high, .nsym = s->op->nsym, .seed = 1};
	*known = false;
	if (s->queries-- <= 0)
		return false;
	rival_distinction(s->rivals, k, false, conditions, &d);
	verdict v = prover_distinguish(s->finder, &d, x);
	*known = v == REFUTED;
	return v == PROVED;
}

/* Prints the rivals of one output or clause, or additional clauses (at = -1): at most `shown`, each with a call that would
 * decide. */
static void put_rivals(reasons *s, bool output, int at, int shown)
{
	int64_t *x = ARENA_ARRAY(s->memory, int64_t, s->op->nsym + 1);
	int n = 0;
	for (int k = 0; k < s->rivals->n; k++) {
		const rival *r = &s->rivals->list[k];
		if ((r->kind == RIVAL_OUTPUT || r->kind == RIVAL_DOMAIN) != output || r->at != at)
			continue;
		bool known = false;
		if (n < shown && is_equivalent(s, k, x, &known))
			continue;
		if (n++ >= shown)
			continue;
		buf_puts(s->to, "  rival: ");
		put_rival(s, r);
		if (known) {
			buf_puts(s->to, ", a call that decides is ");
			put_record(s, x);
		}
		buf_putc(s->to, '\n');
	}
	if (n > shown)
		buf_printf(s->to, "  rivals: %d more\n", n - shown);
}

/* ---- clauses */

/* Prints the first record that refutes a clause in place of another, if any. */
static void put_refuted(const reasons *s, int clause, const expr *e)
{
	rivals one = {.op = &s->agreed, .rule = s->rule, .pool = s->pool, .n = 1};
	one.list[0] = (rival){.kind = RIVAL_CLAUSE, .at = clause, .e = e};
	for (int k = 0; k < s->agreed.npass + s->agreed.nfail; k++) {
		const int64_t *x = record_symbols(&s->agreed, k);
		rule_view v = rule_look(&s->agreed, s->rule, x);
		if (!rival_differs(&one, 0, &v, x))
			continue;
		buf_puts(s->to, "  refuted: ");
		expr_print(s->to, e);
		buf_puts(s->to, k < s->agreed.npass ? ", which rejects the accepted record " : ", which accepts the rejected record ");
		put_record(s, x);
		buf_putc(s->to, '\n');
		return;
	}
}

static void put_clause(reasons *s, int k)
{
	const expr *e = s->rule->clauses[k];
	clause_reason c = clause_reason_of(s->op, s->rule, k);
	buf_puts(s->to, "valid: ");
	put_part(s, e);
	if (c.such) {
		buf_printf(s->to, "  rejects %d (%d uniquely), such as ", c.rejects, c.alone);
		put_record(s, c.such);
		buf_putc(s->to, '\n');
	} else
		buf_puts(s->to, "  rejects no record of this signature; it follows from other signatures of the API\n");
	if (c.wrongly)
		buf_printf(s->to, "  wrongly rejects %d accepted records\n", c.wrongly);
	if (op_is_comparison(e->op))
		for (int j = 0; j < 2; j++)
			put_refuted(s, k, expr_make(s->pool, OPS[e->op].near[j], e->a, e->b));
	if (e->op == OP_OR || e->op == OP_AND) {
		put_refuted(s, k, e->a);
		put_refuted(s, k, e->b);
	}
	put_rivals(s, false, k, SHOWN);
}

void reasons_print(buf *to, const operator *op, const rule *r, expr_pool *pool)
{
	reasons s = {.to = to, .op = op, .rule = r, .pool = pool, .memory = arena_new(), .finder = prover_new_finder(),
	    .queries = QUERIES};
	s.low = ARENA_ARRAY(s.memory, int64_t, op->nsym + 1);
	s.high = ARENA_ARRAY(s.memory, int64_t, op->nsym + 1);
	for (int i = 0; i < op->nsym; i++) {
		s.low[i] = op->roles[i].kind == ROLE_DIM ? 0 : BOX_LOW;
		s.high[i] = BOX_HIGH;
	}
	s.places = symbol_places(s.memory, op->call);
	s.agreed = agreed_records(op, r, s.memory);
	s.rivals = ARENA_NEW(s.memory, rivals);
	rivals_collect(s.rivals, &s.agreed, r, pool, s.memory, NULL, NULL, 0);
	for (int d = 0; d < op->nodim; d++) {
		buf_printf(to, "out%d[%d] = ", op->out_tensor[d], op->out_pos[d]);
		put_part(&s, r->out[d]);
		put_rivals(&s, true, d, SHOWN);
	}
	for (int k = 0; k < r->nclauses; k++)
		put_clause(&s, k);
	bool further = false;
	for (int k = 0; k < s.rivals->n; k++)
		further |= s.rivals->list[k].kind == RIVAL_LITERAL;
	if (further) {
		buf_puts(to, "further clauses, not in the rule, that no record refutes:\n");
		put_rivals(&s, false, -1, SHOWN_LITERALS);
	}
	prover_free(s.finder);
	arena_free(s.memory);
}
