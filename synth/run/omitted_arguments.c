#include "omitted_arguments.h"

#include <limits.h>
#include <string.h>

#include "costs.h"
#include "need.h"

enum { MAX_NAMES = 8 };

static const int64_t VALUES[] = {0, -1};

static const operator **operators_of(const api_solver *f)
{
	const operator **ops = NEED_ARRAY(f->memory, const operator *, f->n);
	for (int i = 0; i < f->n; i++)
		ops[i] = f->solvers[i].op;
	return ops;
}

static void use(api_solver *f, const operator *const *ops)
{
	for (int i = 0; i < f->n; i++)
		f->solvers[i].op = ops[i];
}

/* Unifies the rules in `before` into API rules and returns their description length. */
static api_length solve(api_solver *f, const rule *before, api_membership *to)
{
	for (int i = 0; i < f->n; i++)
		f->rules[i] = rule_copy((rule_store){f->pool, f->memory}, &before[i]);
	api_unify(f, to);
	return api_unify_length(f, to);
}

/* ---- arguments that may be omitted */

static bool has_integer(const operator *op, const char *name)
{
	int64_t value;
	const call_value *v = call_named(op->call, name);
	return !call_is_none(v) && call_integer(v, &value);
}

/* Whether signature i omits the argument and some signature that has it also has each other argument of i. */
static bool omits(const operator *const *ops, int n, int i, const char *name)
{
	if (!call_is_none(call_named(ops[i]->call, name)))
		return false;
	for (int k = 0; k < ops[i]->nargs; k++) {
		const char *mine = ops[i]->arguments[k].name;
		bool there = call_is_none(call_named(ops[i]->call, mine));
		for (int j = 0; j < n && !there; j++)
			there = has_integer(ops[j], name) && !call_is_none(call_named(ops[j]->call, mine));
		if (!there)
			return false;
	}
	return true;
}

/* The largest rank of a tensor among the call's inputs. */
static int rank_of(const operator *op)
{
	int rank = 0;
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM && op->roles[i].len > rank)
			rank = op->roles[i].len;
	return rank;
}

/* Whether the argument is 0 or 1 wherever it is given: a flag, which is never -1. */
static bool is_flag(const operator *const *ops, int n, const char *name)
{
	int64_t value;
	for (int i = 0; i < n; i++) {
		const call_value *v = call_named(ops[i]->call, name);
		if (!call_is_none(v) && call_integer(v, &value) && (value < 0 || value > 1))
			return false;
	}
	return true;
}

/* Whether some signature has the argument as an integer and another, which has output dimensions, omits it with a rank at which the value is
 * unambiguous: at rank 1, -1 is 0; at rank 2, -1 is 1. */
static bool can_assume(const operator *const *ops, int n, const char *name, int64_t value)
{
	bool there = false, clear = false;
	for (int i = 0; i < n; i++) {
		there |= has_integer(ops[i], name);
		clear |= omits(ops, n, i, name) && ops[i]->nodim && rank_of(ops[i]) > (value < 0 ? 2 : 1);
	}
	return there && clear && (value == 0 || !is_flag(ops, n, name));
}

/* The arguments to try a default for; returns their number. */
static int find_names(const operator *const *ops, int n, const char **names)
{
	int count = 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < ops[i]->nargs && count < MAX_NAMES; k++) {
			const char *name = ops[i]->arguments[k].name;
			bool is = can_assume(ops, n, name, 0);
			for (int j = 0; j < count; j++)
				is &= strcmp(names[j], name) != 0;
			if (is)
				names[count++] = name;
		}
	return count;
}

/* The signatures, where those that omit the argument get this value. */
static const operator **assume_value(const api_solver *f, const operator *const *ops, const char *name, int64_t value)
{
	const operator **to = NEED_ARRAY(f->memory, const operator *, f->n);
	for (int i = 0; i < f->n; i++)
		to[i] = omits(ops, f->n, i, name) ? operator_assuming(f->memory, ops[i], name, value) : ops[i];
	return to;
}

/* Signatures, their rules and the description length. */
typedef struct solution {
	const operator *const *ops;
	rule *rules;
	api_membership *members;
	api_length n;
} solution;

/* Solves the API with these signatures and saves the result. */
static solution solution_of(api_solver *f, const operator *const *ops, const rule *before, api_membership *to)
{
	solution x = {ops, NEED_ARRAY(f->memory, rule, f->n), NEED_ARRAY(f->memory, api_membership, f->n), {0}};
	use(f, ops);
	x.n = solve(f, before, to);
	memcpy(x.rules, f->rules, sizeof *x.rules * (size_t)f->n);
	memcpy(x.members, to, sizeof *to * (size_t)f->n);
	return x;
}

static void take(api_solver *f, const solution *x, api_membership *to)
{
	use(f, x->ops);
	memcpy(f->rules, x->rules, sizeof *x->rules * (size_t)f->n);
	memcpy(to, x->members, sizeof *to * (size_t)f->n);
}

/* Whether solution a, which states a number more, is shorter than b. */
static bool is_shorter(const api_length *a, const api_length *b)
{
	return a->rules <= b->rules && a->cost + COST_ZERO < b->cost;
}

/* Tries each default of each omitted argument, if the API has several rules or conditions, and keeps the one with the lowest cost.
 * Returns the solution. */
static solution find_defaults(api_solver *f, const operator *const *ops, const rule *before, api_membership *to)
{
	const char *names[MAX_NAMES];
	solution best = solution_of(f, ops, before, to);
	int n = find_names(ops, f->n, names);
	for (int k = 0; k < n && best.n.conditional; k++) {
		const solution base = best;
		for (size_t v = 0; v < sizeof VALUES / sizeof *VALUES; v++) {
			if (!can_assume(base.ops, f->n, names[k], VALUES[v]))
				continue;
			solution x = solution_of(f, assume_value(f, base.ops, names[k], VALUES[v]), before, to);
			if (is_shorter(&x.n, &base.n) && x.n.cost < best.n.cost)
				best = x;
		}
	}
	take(f, &best, to);
	return best;
}

/* ---- outputs counted from the end */

/* Whether signatures differ in their number of outputs and one has more than two, as when a tensor is split. Scalars
 * rule it out. */
static bool may_count_from_end(const operator *const *ops, int n)
{
	int most = 0, least = INT_MAX;
	for (int i = 0; i < n; i++) {
		most = ops[i]->nout > most ? ops[i]->nout : most;
		least = ops[i]->nout < least ? ops[i]->nout : least;
		for (int t = 0; t < ops[i]->nout; t++)
			if (ops[i]->call->outputs[t].rank == 0)
				return false;
	}
	return most > 2 && least > 0 && least < most;
}

/* Whether the argument equals the number of outputs in all signatures. */
static bool is_count(const operator *const *ops, int n, const char *name)
{
	for (int i = 0; i < n; i++) {
		int at = operator_argument(ops[i], name);
		if (at < 0 || !ops[i]->arguments[at].fixed || ops[i]->arguments[at].value != ops[i]->nout)
			return false;
	}
	return true;
}

/* Whether two dimensions are the same, or items of one list. */
static bool is_like(const operator *op, const expr *a, const expr *b)
{
	if (a == b || a->op != OP_SYM || b->op != OP_SYM)
		return a == b;
	const role *x = &op->roles[a->value], *y = &op->roles[b->value];
	return x->kind == ROLE_ITEM && y->kind == ROLE_ITEM && x->list == y->list;
}

/* Whether all outputs but the last, from which they are counted, are like output 1. */
static bool is_of_pieces(const operator *op, const expr *const *out)
{
	for (int d = 0; d < op->nodim; d++) {
		bool found = op->out_tensor[d] <= 1;
		for (int e = 0; e < op->nodim && !found; e++)
			found = op->out_tensor[e] == 1 && op->out_rank[e] == op->out_rank[d] && op->out_pos[e] == op->out_pos[d]
				&& is_like(op, out[e], out[d]);
		if (!found)
			return false;
	}
	return true;
}

static bool are_of_pieces(const api_solver *f)
{
	for (int i = 0; i < f->n; i++)
		if (!f->rules[i].why && f->rules[i].out && !is_of_pieces(f->solvers[i].op, f->rules[i].out))
			return false;
	return true;
}

static const operator **count_from_end(const api_solver *f, const operator *const *ops)
{
	const operator **to = NEED_ARRAY(f->memory, const operator *, f->n);
	const char *count = NULL;
	for (int k = 0; k < ops[0]->nargs && !count; k++)
		count = is_count(ops, f->n, ops[0]->arguments[k].name) ? ops[0]->arguments[k].name : NULL;
	for (int i = 0; i < f->n; i++)
		to[i] = operator_from_end(f->memory, ops[i], count);
	return to;
}

void omitted_arguments_solve(api_solver *f, api_membership *to)
{
	rule *before = NEED_ARRAY(f->memory, rule, f->n);
	for (int i = 0; i < f->n; i++)
		before[i] = rule_copy((rule_store){f->pool, f->memory}, &f->rules[i]);
	const operator *const *ops = operators_of(f);
	solution best = find_defaults(f, ops, before, to);
	if (!may_count_from_end(ops, f->n))
		return;
	solution other = find_defaults(f, count_from_end(f, ops), before, to);
	if (is_shorter(&other.n, &best.n) && are_of_pieces(f))
		return;
	take(f, &best, to);
}
