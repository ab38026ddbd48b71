#include "equality_classes.h"

#include <assert.h>
#include <stdlib.h>

#include "need.h"
#include "simplify.h"

enum {
	MIN_TENSORS = 4, /* tensors of a list; shorter lists stay as they are */
	MAX_TIMES = 1 << 20 /* maximum factor; rules of real APIs have smaller ones */
};

/* A symbol as a multiple of its representative. A representative has times 1 and of = itself. */
typedef struct multiple {
	int64_t times;
	int of;
} multiple;

/* Reads e as a symbol, or as a constant (2 or more) times a symbol. False if it is neither. */
static bool multiple_of(const expr *e, multiple *to)
{
	bool product = e->op == OP_MUL && (e->a->op == OP_CONST || e->b->op == OP_CONST);
	const expr *factor = !product ? NULL : e->a->op == OP_CONST ? e->a : e->b, *of = !product ? e : factor == e->a ? e->b : e->a;
	if (of->op != OP_SYM || (factor && (factor->value < 2 || factor->value > MAX_TIMES)))
		return false;
	*to = (multiple){factor ? factor->value : 1, (int)of->value};
	return true;
}

/* Reads e as an equation between multiples of two symbols, both expressed by their representatives. */
static bool equation_of(const expr *e, const multiple *classes, multiple *a, multiple *b)
{
	if (e->op != OP_EQ || !multiple_of(e->a, a) || !multiple_of(e->b, b))
		return false;
	*a = (multiple){a->times * classes[a->of].times, classes[a->of].of};
	*b = (multiple){b->times * classes[b->of].times, classes[b->of].of};
	return true;
}

/* Joins a class to another: `symbol` and all members of its class become multiples of is.of. False, with `classes`
 * unchanged, if a factor would exceed MAX_TIMES. */
static bool join_class(multiple *classes, int nsym, int symbol, multiple is)
{
	assert(classes[symbol].of == symbol && classes[is.of].of == is.of); /* both are representatives */
	for (int i = 0; i < nsym; i++)
		if (classes[i].of == symbol && classes[i].times * is.times > MAX_TIMES)
			return false;
	for (int i = 0; i < nsym; i++)
		if (classes[i].of == symbol)
			classes[i] = (multiple){classes[i].times * is.times, is.of};
	return true;
}

/* Joins the classes of an equation; the lower symbol is the representative. A factor above 1 is allowed only if the
 * higher symbol is a dimension of a long list and the lower one is not. False if nothing changes. */
static bool join_symbols(const operator *op, multiple *classes, const bool *in_long_list, multiple a, multiple b)
{
	multiple high = a.of > b.of ? a : b, low = a.of > b.of ? b : a;
	if (a.of == b.of || low.times % high.times != 0)
		return false;
	int64_t times = low.times / high.times;
	if (times > 1 && (!in_long_list[high.of] || in_long_list[low.of]))
		return false;
	return join_class(classes, op->nsym, high.of, (multiple){times, low.of});
}

static void find_classes(const operator *op, const rule *r, const bool *in_long_list, multiple *classes)
{
	multiple a, b;
	bool more = true;
	for (int i = 0; i < op->nsym; i++)
		classes[i] = (multiple){1, i};
	while (more) {
		more = false;
		for (int k = 0; k < r->nclauses; k++)
			more |= equation_of(r->clauses[k], classes, &a, &b) && join_symbols(op, classes, in_long_list, a, b);
	}
}

/* Whether a symbol is a dimension of a tensor in a list of MIN_TENSORS or more. */
static bool is_in_long_list(const operator *op, int i)
{
	const role *r = &op->roles[i];
	return r->kind == ROLE_DIM && argument_tensors(op, &op->arguments[r->arg]) >= MIN_TENSORS;
}

/* Whether a dimension of a long list is equated with anything but the same dimension of the list's other tensors. */
static bool ties_other_dimensions(const operator *op, const bool *in_long_list, const multiple *classes)
{
	for (int i = 0; i < op->nsym; i++)
		for (int k = 0; k < op->nsym && in_long_list[i]; k++)
			if (classes[i].of == classes[k].of && (op->roles[k].arg != op->roles[i].arg || op->roles[k].pos != op->roles[i].pos))
				return true;
	return false;
}

/* The constant that a clause equates with the symbol; NULL if there is none. */
static const expr *constant_of(const rule *r, int symbol)
{
	for (int k = 0; k < r->nclauses; k++) {
		const expr *e = r->clauses[k];
		if (e->op == OP_EQ && e->a->op == OP_SYM && e->a->value == symbol && e->b->op == OP_CONST)
			return e->b;
	}
	return NULL;
}

static const expr *representative_expr(expr_pool *pool, const rule *r, multiple is, bool use_constant)
{
	const expr *constant = use_constant ? constant_of(r, is.of) : NULL, *of = constant ? constant : expr_sym(pool, is.of);
	return is.times == 1 ? of : expr_make(pool, OP_MUL, expr_const(pool, is.times), of);
}

/* Substitutes representatives. An equation that becomes `term == constant` by known constants is written with these
 * instead. */
static const expr *rewrite_clause(expr_pool *pool, const operator *op, const expr *e, const expr *const *representatives,
    const expr *const *constants)
{
	const expr *n = e->op == OP_EQ && e->b->op != OP_CONST ? expr_substitute(pool, e, constants) : NULL;
	if (n && (expr_max_sym(n->a) < 0) != (expr_max_sym(n->b) < 0))
		return simplify_expr(pool, op, n);
	return expr_substitute(pool, e, representatives);
}

static void rewrite(rule_store store, const operator *op, rule *r, const multiple *classes)
{
	const expr **representatives = NEED_ARRAY(store.memory, const expr *, op->nsym);
	const expr **constants = NEED_ARRAY(store.memory, const expr *, op->nsym);
	const expr **clauses = NEED_ARRAY(store.memory, const expr *, op->nsym + r->nclauses);
	int n = 0;
	for (int i = 0; i < op->nsym; i++) {
		const expr *symbol = expr_sym(store.pool, i);
		representatives[i] = representative_expr(store.pool, r, classes[i], false);
		constants[i] = representative_expr(store.pool, r, classes[i], true);
		if (classes[i].of != i)
			clauses[n++] = expr_make(store.pool, OP_EQ, classes[i].times > 1 ? symbol : representatives[i],
			    classes[i].times > 1 ? representatives[i] : symbol);
	}
	for (int k = 0; k < r->nclauses; k++) {
		multiple a, b;
		const expr *e = r->clauses[k];
		bool redundant = equation_of(e, classes, &a, &b) && a.of == b.of && a.times == b.times;
		if (!redundant)
			clauses[n++] = rewrite_clause(store.pool, op, e, representatives, constants);
	}
	for (int d = 0; d < r->nodim; d++)
		r->out[d] = expr_substitute(store.pool, r->out[d], representatives);
	r->clauses = clauses;
	r->nclauses = n;
}

void equality_classes_rewrite(rule_store store, const operator *op, rule *r)
{
	size_t n = (size_t)op->nsym + 1;
	bool *in_long_list = need(calloc(n, sizeof *in_long_list), n);
	multiple *classes = need(calloc(n, sizeof *classes), n);
	for (int i = 0; i < op->nsym; i++)
		in_long_list[i] = is_in_long_list(op, i);
	find_classes(op, r, in_long_list, classes);
	if (ties_other_dimensions(op, in_long_list, classes))
		rewrite(store, op, r, classes);
	free(classes);
	free(in_long_list);
}
