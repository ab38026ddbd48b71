#include "defined.h"

#include "lower.h"

/* Whether a condition that holds has a value of x: where x stands in it without an `or` around. */
static bool has_value(const expr *condition, const expr *x)
{
	if (condition == x)
		return true;
	if (!condition->a || condition->op == OP_OR)
		return false;
	if (condition->op == OP_ITE)
		return has_value(condition->c, x);
	return has_value(condition->a, x) || has_value(condition->b, x);
}

static bool divides_by(const expr *condition, const expr *x)
{
	if (!condition->a || condition->op == OP_OR)
		return false;
	if (condition->op == OP_ITE)
		return divides_by(condition->c, x);
	return (OPS[condition->op].divides && condition->b == x) || divides_by(condition->a, x) || divides_by(condition->b, x);
}

/* x > 0, x >= 1, x == 2, x != 0 and the like. */
static bool excludes_zero(const expr *condition, const expr *x)
{
	if (condition->op == OP_AND)
		return excludes_zero(condition->a, x) || excludes_zero(condition->b, x);
	if (condition->a != x || !condition->b || condition->b->op != OP_CONST)
		return false;
	int64_t k = condition->b->value;
	switch (condition->op) {
	case OP_GT: return k >= 0;
	case OP_GE: return k > 0;
	case OP_LT: return k <= 0;
	case OP_LE: return k < 0;
	case OP_EQ: return k != 0;
	case OP_NE: return k == 0;
	default: return false;
	}
}

static bool is_nonzero(const rule *r, const expr *x)
{
	if (x->op == OP_CONST)
		return x->value != 0;
	for (int k = 0; k < r->nclauses; k++)
		if (divides_by(r->clauses[k], x) || excludes_zero(r->clauses[k], x))
			return true;
	return false;
}

static bool divisors_are_nonzero(const rule *r, const expr *e)
{
	if (!e->a)
		return true;
	if (OPS[e->op].divides && !is_nonzero(r, e->b))
		return false;
	return divisors_are_nonzero(r, e->a) && divisors_are_nonzero(r, e->b) && (!e->c || divisors_are_nonzero(r, e->c));
}

static bool is_defined(const rule *r, const expr *e)
{
	for (int k = 0; k < r->nclauses; k++)
		if (has_value(r->clauses[k], e))
			return true;
	wide low, high;
	return lower_range(e, 0, NULL, &low, &high) && divisors_are_nonzero(r, e);
}

bool outputs_are_defined(const api_signature *s)
{
	for (int k = 0; k < s->call->nodim; k++)
		if (!is_defined(s->rule, s->rule->out[k]))
			return false;
	return true;
}
