#include "expr.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

struct expr_pool {
	arena *memory;
	const expr **slots; /* open addressing, capacity a power of two */
	size_t capacity, count;
};

/* ---- what each operation is called, from ops.h */

enum form { INFIX, CALL };

static const struct arith_info {
	const char *text;
	enum form form;
	int precedence;
} ARITH[OP_COUNT] = {
#define X(NAME, text, form, precedence, ...) [OP_##NAME] = {text, form, precedence},
    ARITH_OPS(X)
#undef X
};

static const char *const COMPARE[OP_COUNT] = {
#define X(NAME, text, ...) [OP_##NAME] = text,
    COMPARE_OPS(X)
#undef X
};

static bool is_arith(int op)
{
	return op >= FIRST_ARITH && op <= LAST_ARITH;
}

bool op_is_comparison(int op)
{
	return op >= FIRST_COMPARE && op <= LAST_COMPARE;
}

enum op op_negated(enum op op)
{
	static const enum op NOT[OP_COUNT] = {[OP_EQ] = OP_NE,
	    [OP_NE] = OP_EQ,
	    [OP_LT] = OP_GE,
	    [OP_GE] = OP_LT,
	    [OP_GT] = OP_LE,
	    [OP_LE] = OP_GT};
	return NOT[op];
}

enum op op_mirrored(enum op op)
{
	static const enum op MIRROR[OP_COUNT] = {[OP_EQ] = OP_EQ,
	    [OP_NE] = OP_NE,
	    [OP_LT] = OP_GT,
	    [OP_GT] = OP_LT,
	    [OP_LE] = OP_GE,
	    [OP_GE] = OP_LE};
	return MIRROR[op];
}

bool expr_is_bool(const expr *e)
{
	return op_is_comparison(e->op) || e->op == OP_AND || e->op == OP_OR;
}

bool expr_says_nothing(const expr *e)
{
	if (e->op == OP_OR)
		return expr_says_nothing(e->a) || expr_says_nothing(e->b);
	return (e->op == OP_EQ || e->op == OP_LE || e->op == OP_GE) && e->a == e->b
	       && (e->a->op == OP_SYM || e->a->op == OP_CONST);
}

/* ---- the pool */

static void die(size_t bytes)
{
	fprintf(stderr, "error: out of memory for expressions (%zu bytes asked)\n", bytes);
	exit(1);
}

expr_pool *expr_pool_new(void)
{
	expr_pool *p = calloc(1, sizeof *p);
	if (!p)
		die(sizeof *p);
	p->memory = arena_new();
	p->capacity = 256;
	p->slots = calloc(p->capacity, sizeof *p->slots);
	if (!p->memory || !p->slots)
		die(p->capacity * sizeof *p->slots);
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
	const expr **slots = calloc(capacity, sizeof *slots);
	if (!slots)
		die(capacity * sizeof *slots);
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
	if (!kept)
		die(sizeof e);
	*kept = e;
	p->slots[at] = kept;
	if (++p->count * 2 > p->capacity)
		enlarge(p);
	return kept;
}

const expr *expr_const(expr_pool *p, int64_t value)
{
	return intern(p, (expr){.op = OP_CONST, .value = value});
}

const expr *expr_sym(expr_pool *p, int index)
{
	return intern(p, (expr){.op = OP_SYM, .value = index});
}

const expr *expr_make(expr_pool *p, enum op op, const expr *a, const expr *b)
{
	unsigned size = (unsigned)a->size + b->size + is_arith(op);
	return intern(p,
	    (expr){.op = (uint8_t)op, .a = a, .b = b, .size = (uint16_t)(size > 65535 ? 65535 : size)});
}

const expr *expr_ite(expr_pool *p, const expr *condition, const expr *yes, const expr *no)
{
	unsigned size = (unsigned)condition->size + yes->size + no->size + 1;
	return intern(p, (expr){.op = OP_ITE, .a = yes, .b = no, .c = condition,
			     .size = (uint16_t)(size > 65535 ? 65535 : size)});
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

/* ---- evaluation */

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
		return expr_eval(expr_holds(e->c, s) ? e->a : e->b, s, value);
#define X(NAME, text, form, precedence, commutes, checked, z3)                                     \
	case OP_##NAME:                                                                            \
		return expr_eval(e->a, s, &a) && expr_eval(e->b, s, &b) && checked(a, b, value);
		ARITH_OPS(X)
#undef X
	default:
		return false; /* a comparison is not a number */
	}
}

bool expr_holds(const expr *e, const int64_t *s)
{
	wide a, b;
	switch ((enum op)e->op) {
#define X(NAME, text, operator, z3)                                                                \
	case OP_##NAME:                                                                            \
		return expr_eval(e->a, s, &a) && expr_eval(e->b, s, &b) && a operator b;
		COMPARE_OPS(X)
#undef X
	case OP_AND:
		return expr_holds(e->a, s) && expr_holds(e->b, s);
	case OP_OR:
		return expr_holds(e->a, s) || expr_holds(e->b, s);
	default:
		return false;
	}
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

enum { P_CHOICE = 1, P_OR = 2, P_AND = 3, P_COMPARE = 4 }; /* sums bind at 5, see ops.h */

static int precedence(const expr *e)
{
	switch ((enum op)e->op) {
	case OP_CONST:
		return e->value < 0 ? 5 : 9;
	case OP_SYM:
		return 9;
	case OP_ITE:
		return P_CHOICE;
	case OP_OR:
		return P_OR;
	case OP_AND:
		return P_AND;
	default:
		return is_arith(e->op) ? ARITH[e->op].precedence : P_COMPARE;
	}
}

static void print(buf *out, const expr *e, int above)
{
	bool wrap = precedence(e) < above;
	if (wrap)
		buf_putc(out, '(');
	if (e->op == OP_CONST) {
		buf_int(out, e->value);
	} else if (e->op == OP_SYM) {
		buf_putc(out, 's');
		buf_int(out, e->value);
	} else if (e->op == OP_ITE) {
		print(out, e->a, P_CHOICE + 1);
		buf_puts(out, " if ");
		print(out, e->c, P_OR);
		buf_puts(out, " else ");
		print(out, e->b, P_CHOICE);
	} else if (e->op == OP_OR || e->op == OP_AND) {
		print(out, e->a, precedence(e));
		buf_puts(out, e->op == OP_OR ? " or " : " and ");
		print(out, e->b, precedence(e) + 1);
	} else if (op_is_comparison(e->op)) {
		print(out, e->a, P_COMPARE + 1);
		buf_printf(out, " %s ", COMPARE[e->op]);
		print(out, e->b, P_COMPARE + 1);
	} else if (ARITH[e->op].form == CALL) {
		buf_printf(out, "%s(", ARITH[e->op].text);
		print(out, e->a, P_CHOICE);
		buf_puts(out, ", ");
		print(out, e->b, P_CHOICE);
		buf_putc(out, ')');
	} else {
		int p = ARITH[e->op].precedence;
		print(out, e->a, p);
		buf_printf(out, p == 5 ? " %s " : "%s", ARITH[e->op].text);
		print(out, e->b, p + 1);
	}
	if (wrap)
		buf_putc(out, ')');
}

void expr_print(buf *out, const expr *e)
{
	print(out, e, 0);
}

/* ---- parsing */

enum { MAX_DEPTH = 400 }; /* of nesting, so that a hostile text cannot exhaust the stack */

typedef struct parser {
	expr_pool *pool;
	const char *text, *at;
	int nsym, depth;
	const char *path;
	long line;
	diag *d;
	bool failed;
} parser;

static const expr *fail(parser *p, const char *what)
{
	if (!p->failed)
		diag_at(p->d, p->path, p->line, "expression \"%.200s\", column %d: %s", p->text,
		    (int)(p->at - p->text) + 1, what);
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

/* An integer, with its sign. */
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
		return fail(p, "min and max take numbers");
	return expr_make(p->pool, op, a, b);
}

static const expr *parse_atom(parser *p)
{
	if (++p->depth > MAX_DEPTH)
		return fail(p, "nested too deeply");
	const expr *e = NULL;
	skip(p);
	if (accept(p, "(")) {
		e = parse_or(p);
		if (e && !accept(p, ")"))
			e = fail(p, "expected ')'");
	} else if (accept(p, "min")) {
		e = parse_call(p, OP_MIN);
	} else if (accept(p, "max")) {
		e = parse_call(p, OP_MAX);
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

/* A chain of infix operations of one precedence (5: sums, 6: products), from the left. */
static const expr *parse_infix(parser *p, int level)
{
	const expr *e = level == 6 ? parse_atom(p) : parse_infix(p, 6);
	while (e) {
		int op = -1;
		for (int o = FIRST_ARITH; o <= LAST_ARITH && op < 0; o++)
			if (ARITH[o].form == INFIX && ARITH[o].precedence == level
			    && accept(p, ARITH[o].text))
				op = o;
		if (op < 0)
			return e;
		const expr *b = level == 6 ? parse_atom(p) : parse_infix(p, 6);
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
	static const enum op ORDER[] = {OP_EQ, OP_NE, OP_LE, OP_GE, OP_LT, OP_GT};
	const expr *a = parse_infix(p, 5);
	for (size_t i = 0; a && i < sizeof ORDER / sizeof *ORDER; i++) {
		if (!accept(p, COMPARE[ORDER[i]]))
			continue;
		const expr *b = parse_infix(p, 5);
		if (!b)
			return NULL;
		if (expr_is_bool(a) || expr_is_bool(b))
			return fail(p, "a comparison takes numbers");
		return expr_make(p->pool, ORDER[i], a, b);
	}
	return a;
}

static const expr *parse_chain(parser *p, enum op op)
{
	const expr *e = op == OP_OR ? parse_chain(p, OP_AND) : parse_compare(p);
	while (e && accept(p, op == OP_OR ? "or" : "and")) {
		const expr *b = op == OP_OR ? parse_chain(p, OP_AND) : parse_compare(p);
		if (!b)
			return NULL;
		if (!expr_is_bool(e) || !expr_is_bool(b))
			return fail(p, "'or' and 'and' take comparisons");
		e = expr_make(p->pool, op, e, b);
	}
	return e;
}

/* The widest form: a clause, a number, or `a if c else b`. */
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
