#include "expr.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "need.h"

enum { KNOWN_SYMBOLS = 64, KNOWN_NUMBERS = 16 };

struct expr_pool {
	arena *memory;
	const expr *symbols[KNOWN_SYMBOLS], *numbers[KNOWN_NUMBERS]; /* cached, since most requests are for the first
								      * ones */
	const expr **slots; /* open addressing; the capacity is a power of two */
	size_t capacity, count;
};

bool expr_is_bool(const expr *e)
{
	return op_is_comparison(e->op) || e->op == OP_AND || e->op == OP_OR;
}

bool expr_is_zero_test(const expr *e)
{
	return e->op == OP_EQ && e->b->op == OP_CONST && e->b->value == 0;
}

bool expr_is_factor(const expr *one, const expr *product)
{
	return one == product || (product->op == OP_MUL && (expr_is_factor(one, product->a) || expr_is_factor(one, product->b)));
}

bool expr_is_tautology(const expr *e)
{
	if (e->op == OP_OR)
		return expr_is_tautology(e->a) || expr_is_tautology(e->b);
	if (op_is_comparison(e->op) && e->a->op == OP_CONST && e->b->op == OP_CONST)
		return expr_holds(e, NULL);
	return (e->op == OP_EQ || e->op == OP_LE || e->op == OP_GE) && e->a == e->b && e->a->op == OP_SYM;
}

/* ---- the pool */

expr_pool *expr_pool_new(void)
{
	expr_pool *p = need(calloc(1, sizeof *p), sizeof *p);
	p->memory = arena_new();
	p->capacity = 256;
	p->slots = need(calloc(p->capacity, sizeof *p->slots), p->capacity * sizeof *p->slots);
	return p;
}

void expr_pool_free(expr_pool *p)
{
	if (!p)
		return;
	arena_free(p->memory);
	free(p->slots);
	free(p);
}

static uint32_t mix(uint32_t h, uint64_t v)
{
	uint64_t x = (h ^ v) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(x >> 32) ^ (uint32_t)x;
}

static void enlarge(expr_pool *p)
{
	size_t capacity = p->capacity * 2;
	const expr **slots = need(calloc(capacity, sizeof *slots), capacity * sizeof *slots);
	for (size_t i = 0; i < p->capacity; i++) {
		const expr *e = p->slots[i];
		if (!e)
			continue;
		size_t at = e->hash & (capacity - 1);
		while (slots[at])
			at = (at + 1) & (capacity - 1);
		slots[at] = e;
	}
	free(p->slots);
	p->slots = slots;
	p->capacity = capacity;
}

static const expr *intern(expr_pool *p, expr e)
{
	uint32_t h = mix(e.op, (uint64_t)e.value);
	h = e.a ? mix(h, e.a->hash) : h;
	h = e.b ? mix(h, e.b->hash + 1u) : h;
	e.hash = e.c ? mix(h, e.c->hash + 2u) : h;
	size_t at = e.hash & (p->capacity - 1);
	for (const expr *o; (o = p->slots[at]); at = (at + 1) & (p->capacity - 1))
		if (o->hash == e.hash && o->op == e.op && o->value == e.value && o->a == e.a
		    && o->b == e.b && o->c == e.c)
			return o;
	expr *kept = arena_alloc(p->memory, sizeof e);
	*kept = e;
	p->slots[at] = kept;
	if (++p->count * 2 > p->capacity)
		enlarge(p);
	return kept;
}

const expr *expr_const(expr_pool *p, int64_t value)
{
	if (value < 0 || value >= KNOWN_NUMBERS)
		return intern(p, (expr){.op = OP_CONST, .value = value});
	const expr **known = &p->numbers[value];
	return *known ? *known : (*known = intern(p, (expr){.op = OP_CONST, .value = value}));
}

const expr *expr_sym(expr_pool *p, int index)
{
	if (index < 0 || index >= KNOWN_SYMBOLS)
		return intern(p, (expr){.op = OP_SYM, .value = index});
	const expr **known = &p->symbols[index];
	return *known ? *known : (*known = intern(p, (expr){.op = OP_SYM, .value = index}));
}

const expr *expr_make(expr_pool *p, enum op op, const expr *a, const expr *b)
{
	if (op_is_derived((int)op))
		return expr_substitute(p, expr_definition(op), (const expr *const[]){a, b});
	unsigned size = (unsigned)a->size + b->size + op_is_arith(op);
	return intern(p,
	    (expr){.op = (uint8_t)op, .a = a, .b = b, .size = (uint16_t)(size > 65535 ? 65535 : size)});
}

const expr *expr_join(expr_pool *p, enum op op, const expr *all, const expr *one)
{
	return all ? expr_make(p, op, all, one) : one;
}

const expr *expr_ite(expr_pool *p, const expr *condition, const expr *yes, const expr *no)
{
	unsigned size = (unsigned)condition->size + yes->size + no->size + 1;
	return intern(p, (expr){.op = OP_ITE, .a = yes, .b = no, .c = condition,
			     .size = (uint16_t)(size > 65535 ? 65535 : size)});
}

const expr *expr_trimmed_broadcast(expr_pool *p, const expr *a, const expr *b, int64_t one)
{
	return expr_ite(p, expr_make(p, OP_EQ, a, expr_const(p, one)), b, a);
}

const expr *expr_broadcast(expr_pool *p, const expr *a, const expr *b)
{
	return expr_trimmed_broadcast(p, a, b, 1);
}

const expr *expr_product(expr_pool *p, int64_t times, const int *symbols, int n)
{
	const expr *e = times == 1 && n ? NULL : expr_const(p, times);
	for (int k = 0; k < n; k++)
		e = expr_join(p, OP_MUL, e, expr_sym(p, symbols[k]));
	return e;
}

const expr *expr_copy(expr_pool *to, const expr *e, const int *map)
{
	if (e->op == OP_CONST)
		return expr_const(to, e->value);
	if (e->op == OP_SYM)
		return expr_sym(to, map ? map[e->value] : (int)e->value);
	const expr *a = expr_copy(to, e->a, map), *b = expr_copy(to, e->b, map);
	if (e->op == OP_ITE)
		return expr_ite(to, expr_copy(to, e->c, map), a, b);
	return expr_make(to, e->op, a, b);
}

const expr *expr_substitute(expr_pool *p, const expr *e, const expr *const *with)
{
	if (e->op == OP_CONST)
		return expr_const(p, e->value);
	if (e->op == OP_SYM)
		return with[e->value];
	const expr *a = expr_substitute(p, e->a, with), *b = expr_substitute(p, e->b, with);
	if (e->op == OP_ITE)
		return expr_ite(p, expr_substitute(p, e->c, with), a, b);
	return expr_make(p, e->op, a, b);
}

const expr *expr_replace(expr_pool *p, const expr *e, const expr *old, const expr *new)
{
	if (e == old)
		return new;
	if (e->op == OP_SYM || e->op == OP_CONST)
		return e;
	const expr *a = expr_replace(p, e->a, old, new), *b = expr_replace(p, e->b, old, new);
	if (e->op == OP_ITE)
		return expr_ite(p, expr_replace(p, e->c, old, new), a, b);
	return expr_make(p, e->op, a, b);
}

/* ---- derived operations */

#define LEAF(name, number) (&(const expr){.op = OP_##name, .value = (number)})
#define A LEAF(SYM, 0)
#define B LEAF(SYM, 1)
#define NUMBER(n) LEAF(CONST, n)
#define APPLY(NAME, x, y) (&(const expr){.op = OP_##NAME, .a = (x), .b = (y)})
#define CHOOSE(NAME, x, y, yes, no) (&(const expr){.op = OP_ITE, .a = (yes), .b = (no), .c = APPLY(NAME, x, y)})
#define X(name, commutes, search, clause, definition) definition,
static const expr *const DEFINITIONS[DERIVED_COUNT + 1] = {DERIVED_OPS(X) NULL};
#undef X
#undef LEAF
#undef A
#undef B
#undef NUMBER
#undef APPLY
#undef CHOOSE

const expr *expr_definition(enum op derived)
{
	assert(op_is_derived((int)derived) && (int)derived <= LAST_DERIVED);
	return DEFINITIONS[(int)derived - FIRST_DERIVED];
}

/* Whether e is an instance of a definition; sets the operands, which are NULL before. */
static bool is_instance(const expr *definition, const expr *e, const expr *operands[2])
{
	if (definition->op == OP_SYM) {
		const expr **operand = &operands[definition->value];
		*operand = *operand ? *operand : e;
		return *operand == e;
	}
	return e->op == definition->op && e->value == definition->value && (!e->a || is_instance(definition->a, e->a, operands))
	    && (!e->b || is_instance(definition->b, e->b, operands)) && (!e->c || is_instance(definition->c, e->c, operands));
}

/* The derived operation that e is an instance of, with its operands; or -1. */
static int derived_of(const expr *e, const expr *operands[2])
{
	for (int k = 0; k < DERIVED_COUNT; k++) {
		operands[0] = operands[1] = NULL;
		if (is_instance(DEFINITIONS[k], e, operands))
			return FIRST_DERIVED + k;
	}
	return -1;
}

/* ---- evaluation */

/* Evaluates like expr_eval, without a call for symbols and constants. */
static inline bool operand(const expr *e, const int64_t *s, wide *value)
{
	if (e->op != OP_SYM && e->op != OP_CONST)
		return expr_eval(e, s, value);
	*value = e->op == OP_SYM ? s[e->value] : e->value;
	return true;
}

bool expr_eval(const expr *e, const int64_t *s, wide *value)
{
	wide a, b;
	switch ((enum op)e->op) {
	case OP_CONST:
		*value = e->value;
		return true;
	case OP_SYM:
		*value = s[e->value];
		return true;
	case OP_ITE:
		return operand(expr_holds(e->c, s) ? e->a : e->b, s, value);
#define X(NAME, name, ...)                                                                         \
	case OP_##NAME:                                                                            \
		return operand(e->a, s, &a) && operand(e->b, s, &b) && checked_##name(a, b, value);
		ARITH_OPS(X)
#undef X
	COMPARE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		return false; /* not arithmetic */
	}
	return false;
}

bool expr_holds(const expr *e, const int64_t *s)
{
	wide a, b;
	switch ((enum op)e->op) {
#define X(NAME, name, text, operator, ...)                                                         \
	case OP_##NAME:                                                                            \
		return operand(e->a, s, &a) && operand(e->b, s, &b) && a operator b;
		COMPARE_OPS(X)
#undef X
	case OP_AND:
		return expr_holds(e->a, s) && expr_holds(e->b, s);
	case OP_OR:
		return expr_holds(e->a, s) || expr_holds(e->b, s);
	LEAF_OPS(OP_CASE)
	ARITH_OPS(OP_CASE)
	CHOICE_OPS(OP_CASE)
		return false; /* arithmetic */
	}
	return false;
}

int expr_max_sym(const expr *e)
{
	if (e->op == OP_CONST)
		return -1;
	if (e->op == OP_SYM)
		return (int)e->value;
	int a = expr_max_sym(e->a), b = expr_max_sym(e->b), c = e->c ? expr_max_sym(e->c) : -1;
	a = a > b ? a : b;
	return a > c ? a : c;
}

void expr_mark_syms(const expr *e, bool *used)
{
	if (e->op == OP_SYM)
		used[e->value] = true;
	if (e->a)
		expr_mark_syms(e->a, used);
	if (e->b)
		expr_mark_syms(e->b, used);
	if (e->c)
		expr_mark_syms(e->c, used);
}

int expr_compare(const expr *a, const expr *b)
{
	if (a == b)
		return 0;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	if (a->op != b->op)
		return a->op < b->op ? -1 : 1;
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	int order = a->a ? expr_compare(a->a, b->a) : 0;
	if (order == 0 && a->b)
		order = expr_compare(a->b, b->b);
	if (order == 0 && a->c)
		order = expr_compare(a->c, b->c);
	return order;
}

/* ---- printing: parentheses only where the grammar needs them */

static enum op_level level_of(const expr *e)
{
	if (e->op == OP_CONST)
		return e->value < 0 ? LEVEL_SUM : LEVEL_ATOM;
	const expr *operands[2];
	return e->op == OP_SYM || derived_of(e, operands) >= 0 ? LEVEL_ATOM : OPS[e->op].level;
}

/* Output, and names of symbols (NULL: s0, s1, …). */
typedef struct printer {
	buf *out;
	expr_name *name;
	const void *user;
} printer;

static void print(const printer *p, const expr *e, enum op_level above);

static void print_infix(const printer *p, const expr *e)
{
	const op_row *row = &OPS[e->op];
	bool comparison = op_is_comparison(e->op);
	print(p, e->a, comparison ? row->level + 1 : row->level); /* comparisons cannot be chained */
	buf_printf(p->out, row->level == LEVEL_PRODUCT ? "%s" : " %s ", row->text);
	print(p, e->b, row->level + 1);
}

static void print_call(const printer *p, const char *name, const expr *a, const expr *b)
{
	buf_printf(p->out, "%s(", name);
	print(p, a, LEVEL_CHOICE);
	buf_puts(p->out, ", ");
	print(p, b, LEVEL_CHOICE);
	buf_putc(p->out, ')');
}

static void print_bare(const printer *p, const expr *e)
{
	const expr *operands[2];
	int derived = derived_of(e, operands);
	if (derived >= 0) {
		print_call(p, OPS[derived].text, operands[0], operands[1]);
		return;
	}
	switch ((enum op)e->op) {
	case OP_CONST:
		buf_int(p->out, e->value);
		return;
	case OP_SYM:
		if (p->name) {
			p->name(p->out, (int)e->value, p->user);
			return;
		}
		buf_putc(p->out, 's');
		buf_int(p->out, e->value);
		return;
	case OP_ITE:
		print(p, e->a, LEVEL_CHOICE + 1);
		buf_puts(p->out, " if ");
		print(p, e->c, LEVEL_OR);
		buf_puts(p->out, " else ");
		print(p, e->b, LEVEL_CHOICE);
		return;
	ARITH_OPS(OP_CASE)
	COMPARE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		if (OPS[e->op].form == CALL)
			print_call(p, OPS[e->op].text, e->a, e->b);
		else
			print_infix(p, e);
	}
}

static void print(const printer *p, const expr *e, enum op_level above)
{
	bool wrap = level_of(e) < above;
	if (wrap)
		buf_putc(p->out, '(');
	print_bare(p, e);
	if (wrap)
		buf_putc(p->out, ')');
}

void expr_print_named(buf *out, const expr *e, expr_name *name, const void *user)
{
	print(&(printer){out, name, user}, e, LEVEL_CHOICE);
}

void expr_print(buf *out, const expr *e)
{
	expr_print_named(out, e, NULL, NULL);
}

/* ---- parsing */

enum { MAX_DEPTH = 400 }; /* maximum nesting, so that hostile text cannot exhaust the stack */

typedef struct parser {
	expr_pool *pool;
	const char *text, *at;
	int nsym, depth;
	const char *path;
	long line;
	diag *d;
	bool failed;
} parser;

static const expr *fail(parser *p, const char *message)
{
	if (!p->failed)
		diag_at(p->d, p->path, p->line, "expression \"%.200s\", column %d: %s", p->text,
		    (int)(p->at - p->text) + 1, message);
	p->failed = true;
	return NULL;
}

static void skip(parser *p)
{
	while (*p->at == ' ')
		p->at++;
}

static bool accept(parser *p, const char *token)
{
	skip(p);
	size_t n = strlen(token);
	if (strncmp(p->at, token, n) != 0)
		return false;
	if (isalpha((unsigned char)token[0]) && (isalnum((unsigned char)p->at[n]) || p->at[n] == '_'))
		return false;
	p->at += n;
	return true;
}

static const expr *parse_or(parser *p);

/* Accepts the longest matching operation of this form and level between first and last. Returns it, or -1. */
static int accept_op(parser *p, int first, int last, enum op_form form, enum op_level level)
{
	skip(p);
	int found = -1;
	const char *from = p->at, *end = from;
	for (int op = first; op <= last; op++) {
		p->at = from;
		if (OPS[op].form == form && OPS[op].level == level && accept(p, OPS[op].text) && p->at > end) {
			found = op;
			end = p->at;
		}
	}
	p->at = end;
	return found;
}

/* An integer with optional sign. */
static const expr *parse_integer(parser *p)
{
	char *end;
	errno = 0;
	long long v = strtoll(p->at, &end, 10);
	if (errno == ERANGE)
		return fail(p, "the integer does not fit 64 bits");
	p->at = end;
	return expr_const(p->pool, v);
}

static const expr *parse_call(parser *p, enum op op)
{
	const expr *a = accept(p, "(") ? parse_or(p) : fail(p, "expected '('");
	if (!a || !accept(p, ","))
		return fail(p, "expected ','");
	const expr *b = parse_or(p);
	if (!b || !accept(p, ")"))
		return fail(p, "expected ')'");
	if (expr_is_bool(a) || expr_is_bool(b))
		return fail(p, "a function takes numbers");
	return expr_make(p->pool, op, a, b);
}

static const expr *parse_atom(parser *p)
{
	if (++p->depth > MAX_DEPTH)
		return fail(p, "nested too deeply");
	const expr *e = NULL;
	int call = accept_op(p, FIRST_ARITH, LAST_ARITH, CALL, LEVEL_ATOM);
	call = call < 0 ? accept_op(p, FIRST_DERIVED, LAST_DERIVED, CALL, LEVEL_ATOM) : call;
	if (call >= 0) {
		e = parse_call(p, (enum op)call);
	} else if (accept(p, "(")) {
		e = parse_or(p);
		if (e && !accept(p, ")"))
			e = fail(p, "expected ')'");
	} else if (isdigit((unsigned char)*p->at) || (*p->at == '-' && isdigit((unsigned char)p->at[1]))) {
		e = parse_integer(p);
	} else if (*p->at == 's' && isdigit((unsigned char)p->at[1])) {
		long index = strtol(p->at + 1, NULL, 10);
		if (index >= p->nsym)
			return fail(p, "no such symbol");
		for (p->at++; isdigit((unsigned char)*p->at);)
			p->at++;
		e = expr_sym(p->pool, (int)index);
	} else {
		e = fail(p, "expected a number, a symbol or '('");
	}
	p->depth--;
	return e;
}

/* A left-associative chain of infix operations of one level (sums or products). */
static const expr *parse_infix(parser *p, enum op_level level)
{
	const expr *e = level == LEVEL_PRODUCT ? parse_atom(p) : parse_infix(p, LEVEL_PRODUCT);
	while (e) {
		int op = accept_op(p, FIRST_ARITH, LAST_ARITH, INFIX, level);
		if (op < 0)
			return e;
		const expr *b = level == LEVEL_PRODUCT ? parse_atom(p) : parse_infix(p, LEVEL_PRODUCT);
		if (!b)
			return NULL;
		if (expr_is_bool(e) || expr_is_bool(b))
			return fail(p, "arithmetic takes numbers");
		e = expr_make(p->pool, (enum op)op, e, b);
	}
	return e;
}

static const expr *parse_compare(parser *p)
{
	const expr *a = parse_infix(p, LEVEL_SUM);
	int op = a ? accept_op(p, FIRST_COMPARE, LAST_COMPARE, INFIX, LEVEL_COMPARE) : -1;
	if (op < 0)
		return a;
	const expr *b = parse_infix(p, LEVEL_SUM);
	if (!b)
		return NULL;
	if (expr_is_bool(a) || expr_is_bool(b))
		return fail(p, "a comparison takes numbers");
	return expr_make(p->pool, (enum op)op, a, b);
}

static const expr *parse_chain(parser *p, enum op op)
{
	const expr *e = op == OP_OR ? parse_chain(p, OP_AND) : parse_compare(p);
	while (e && accept(p, OPS[op].text)) {
		const expr *b = op == OP_OR ? parse_chain(p, OP_AND) : parse_compare(p);
		if (!b)
			return NULL;
		if (!expr_is_bool(e) || !expr_is_bool(b))
			return fail(p, "'or' and 'and' take comparisons");
		e = expr_make(p->pool, op, e, b);
	}
	return e;
}

/* The top level: a clause, a number, or `a if c else b`. */
static const expr *parse_or(parser *p)
{
	const expr *yes = parse_chain(p, OP_OR);
	if (!yes || !accept(p, "if"))
		return yes;
	if (++p->depth > MAX_DEPTH)
		return fail(p, "nested too deeply");
	const expr *c = parse_chain(p, OP_OR);
	if (!c || !accept(p, "else"))
		return fail(p, "expected 'else'");
	const expr *no = parse_or(p);
	p->depth--;
	if (!no)
		return NULL;
	if (!expr_is_bool(c) || expr_is_bool(yes) || expr_is_bool(no))
		return fail(p, "'a if c else b' takes a comparison c and numbers a, b");
	return expr_ite(p->pool, c, yes, no);
}

const expr *expr_parse(
    expr_pool *pool, const char *text, int nsym, const char *path, long line, diag *d)
{
	parser p = {.pool = pool, .text = text, .at = text, .nsym = nsym, .path = path, .line = line, .d = d};
	const expr *e = parse_or(&p);
	skip(&p);
	if (e && *p.at)
		return fail(&p, "unexpected text");
	return e;
}
