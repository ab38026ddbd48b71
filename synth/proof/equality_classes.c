#include "equality_classes.h"

#include <stdlib.h>

#include "need.h"
#include "simplify.h"

enum {
	LEAST_TENSORS = 4, /* of a list: fewer are told one by one */
	MOST_TIMES = 1 << 20 /* a greater multiple is none that people would write */
};

/* What a symbol is: so many times another one, or itself once. */
typedef struct multiple {
	int64_t times;
	int of;
} multiple;

/* e as a multiple of a symbol. */
static bool multiple_of(const expr *e, multiple *to)
{
	bool product = e->op == OP_MUL && (e->a->op == OP_CONST || e->b->op == OP_CONST);
	const expr *factor = !product ? NULL : e->a->op == OP_CONST ? e->a : e->b, *of = !product ? e : factor == e->a ? e->b : e->a;
	if (of->op != OP_SYM || (factor && (factor->value < 2 || factor->value > MOST_TIMES)))
		return false;
	*to = (multiple){factor ? factor->value : 1, (int)of->value};
	return true;
}

/* An equation between multiples of two symbols, as what these are known to be. */
static bool equation_of(const expr *e, const multiple *known, multiple *a, multiple *b)
{
	if (e->op != OP_EQ || !multiple_of(e->a, a) || !multiple_of(e->b, b))
		return false;
	*a = (multiple){a->times * known[a->of].times, known[a->of].of};
	*b = (multiple){b->times * known[b->of].times, known[b->of].of};
	return true;
}

/* False, and nothing is told, where some multiple would be too great. */
static bool tell(multiple *known, int nsym, int symbol, multiple is)
{
	for (int i = 0; i < nsym; i++)
		if (known[i].of == symbol && known[i].times * is.times > MOST_TIMES)
			return false;
	for (int i = 0; i < nsym; i++)
		if (known[i].of == symbol)
			known[i] = (multiple){known[i].times * is.times, is.of};
	return true;
}

/* Tells the greater of two symbols by the lesser one where they are equal, or it is a dimension of many and a multiple of another. */
static bool tell_by(const operator *op, multiple *known, const bool *many, multiple a, multiple b)
{
	multiple greater = a.of > b.of ? a : b, lesser = a.of > b.of ? b : a;
	if (a.of == b.of || lesser.times % greater.times != 0)
		return false;
	int64_t times = lesser.times / greater.times;
	if (times > 1 && (!many[greater.of] || many[lesser.of]))
		return false;
	return tell(known, op->nsym, greater.of, (multiple){times, lesser.of});
}

static void find_known(const operator *op, const rule *r, const bool *many, multiple *known)
{
	multiple a, b;
	bool more = true;
	for (int i = 0; i < op->nsym; i++)
		known[i] = (multiple){1, i};
	while (more) {
		more = false;
		for (int k = 0; k < r->nclauses; k++)
			more |= equation_of(r->clauses[k], known, &a, &b) && tell_by(op, known, many, a, b);
	}
}

/* Whether a symbol is a dimension of one of many tensors of a list. */
static bool is_of_many(const operator *op, int i)
{
	const role *r = &op->roles[i];
	return r->kind == ROLE_DIM && argument_tensors(op, &op->arguments[r->arg]) >= LEAST_TENSORS;
}

/* Whether such tensors are tied to what stands elsewhere: not only to those dimensions of the list's others that are at their place. */
static bool ties_places(const operator *op, const bool *many, const multiple *known)
{
	for (int i = 0; i < op->nsym; i++)
		for (int k = 0; k < op->nsym && many[i]; k++)
			if (known[i].of == known[k].of && (op->roles[k].arg != op->roles[i].arg || op->roles[k].pos != op->roles[i].pos))
				return true;
	return false;
}

/* The number that a clause says a symbol is; NULL: none does. */
static const expr *number_of(const rule *r, int symbol)
{
	for (int k = 0; k < r->nclauses; k++) {
		const expr *e = r->clauses[k];
		if (e->op == OP_EQ && e->a->op == OP_SYM && e->a->value == symbol && e->b->op == OP_CONST)
			return e->b;
	}
	return NULL;
}

static const expr *make(expr_pool *pool, const rule *r, multiple is, bool as_number)
{
	const expr *number = as_number ? number_of(r, is.of) : NULL, *of = number ? number : expr_sym(pool, is.of);
	return is.times == 1 ? of : expr_make(pool, OP_MUL, expr_const(pool, is.times), of);
}

/* With what stands for the symbols; an equation that says what number something is, by the numbers that others are. */
static const expr *say_clause(expr_pool *pool, const operator *op, const expr *e, const expr *const *with, const expr *const *numbers)
{
	const expr *n = e->op == OP_EQ && e->b->op != OP_CONST ? expr_substitute(pool, e, numbers) : NULL;
	if (n && (expr_max_sym(n->a) < 0) != (expr_max_sym(n->b) < 0))
		return tidy(pool, op, n);
	return expr_substitute(pool, e, with);
}

static void say(rule_store store, const operator *op, rule *r, const multiple *known)
{
	const expr **with = NEED_ARRAY(store.memory, const expr *, op->nsym);
	const expr **numbers = NEED_ARRAY(store.memory, const expr *, op->nsym);
	const expr **clauses = NEED_ARRAY(store.memory, const expr *, op->nsym + r->nclauses);
	int n = 0;
	for (int i = 0; i < op->nsym; i++) {
		const expr *symbol = expr_sym(store.pool, i);
		with[i] = make(store.pool, r, known[i], false);
		numbers[i] = make(store.pool, r, known[i], true);
		if (known[i].of != i)
			clauses[n++] = expr_make(store.pool, OP_EQ, known[i].times > 1 ? symbol : with[i], known[i].times > 1 ? with[i] : symbol);
	}
	for (int k = 0; k < r->nclauses; k++) {
		multiple a, b;
		const expr *e = r->clauses[k];
		bool told = equation_of(e, known, &a, &b) && a.of == b.of && a.times == b.times;
		if (!told)
			clauses[n++] = say_clause(store.pool, op, e, with, numbers);
	}
	for (int d = 0; d < r->nodim; d++)
		r->out[d] = expr_substitute(store.pool, r->out[d], with);
	r->clauses = clauses;
	r->nclauses = n;
}

void star_say(rule_store store, const operator *op, rule *r)
{
	size_t n = (size_t)op->nsym + 1;
	bool *many = need(calloc(n, sizeof *many), n);
	multiple *known = need(calloc(n, sizeof *known), n);
	for (int i = 0; i < op->nsym; i++)
		many[i] = is_of_many(op, i);
	find_known(op, r, many, known);
	if (ties_places(op, many, known))
		say(store, op, r, known);
	free(known);
	free(many);
}
