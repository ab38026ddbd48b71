/* Expressions over the symbols of an operator: immutable, hash-consed trees.
 *
 * Within a pool equal expressions are one pointer. Their text is a subset of Python's expressions and
 * means the same there, on integers without bound:
 *
 *   clause  := test ("or" test)*           test := both ("and" both)*
 *   both    := sum ("==" | "!=" | "<" | "<=" | ">" | ">=") sum | "(" clause ")"
 *   choice  := sum ["if" clause "else" choice]
 *   sum     := term (("+" | "-") term)*    term := atom (("*" | "//" | "%") atom)*
 *   atom    := INTEGER | "s" NUMBER | "min(" choice "," choice ")" | "max(…)" | "(" choice ")"
 *
 * Example: "(s2 + 2*s6 - s4)//s8 + 1". base/arith.h says what the operations do, ops.h what there is to
 * know of them.
 */
#ifndef EXPR_H
#define EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arith.h"
#include "buf.h"
#include "diag.h"
#include "ops.h"

typedef struct expr {
	int64_t value;		/* OP_CONST: the integer; OP_SYM: the symbol's index */
	const struct expr *a, *b; /* the arguments; OP_ITE: a if c else b */
	const struct expr *c;
	uint32_t hash;
	uint16_t size; /* number of operations in the tree (comparisons and connectives not counted) */
	uint8_t op;
} expr;

typedef struct expr_pool expr_pool;

/* A pool stops the program when memory runs out: only offline tools use it. Not thread-safe: one
 * pool a thread. */
expr_pool *expr_pool_new(void);
void expr_pool_free(expr_pool *p);

const expr *expr_const(expr_pool *p, int64_t value);
const expr *expr_sym(expr_pool *p, int index);
/* Any operation, comparison or connective of two arguments, exactly as given (not simplified). */
const expr *expr_make(expr_pool *p, enum op op, const expr *a, const expr *b);
/* One more operand of a sum, a product or a connective: `one` alone where `all` is NULL, nothing yet. */
const expr *expr_join(expr_pool *p, enum op op, const expr *all, const expr *one);
const expr *expr_ite(expr_pool *p, const expr *condition, const expr *yes, const expr *no);
/* What two sizes broadcast to: `b if a == 1 else a`; and where their ends are off before: `b if a == one else a`. */
const expr *expr_broadcast(expr_pool *p, const expr *a, const expr *b);
const expr *expr_trimmed_broadcast(expr_pool *p, const expr *a, const expr *b, int64_t one);
/* So many times the product of n symbols, in their order; once is not said. */
const expr *expr_product(expr_pool *p, int64_t times, const int *symbols, int n);
/* The same tree in another pool, with symbol i replaced by map[i] (map may be NULL: unchanged). */
const expr *expr_copy(expr_pool *to, const expr *e, const int *map);
/* Trees in place of symbols: symbol i becomes with[i]. */
const expr *expr_substitute(expr_pool *p, const expr *e, const expr *const *with);
/* One tree in place of another, wherever it stands. */
const expr *expr_replace(expr_pool *p, const expr *e, const expr *old, const expr *new);

/* The value on symbols s, or false when it has none. e is arithmetic. */
bool expr_eval(const expr *e, const int64_t *s, wide *value);
/* Whether a comparison or connective holds; what has no value does not hold. */
bool expr_holds(const expr *e, const int64_t *s);

bool expr_is_bool(const expr *e);
bool expr_is_nought(const expr *e); /* whether it says that something is 0 */
bool expr_is_factor(const expr *one, const expr *product);
bool expr_is_tautology(const expr *e); /* s0 == s0, alone or in an `or` */
int expr_max_sym(const expr *e); /* the largest symbol index, -1 without symbols */
/* Sets used[i] for each symbol; used has room for expr_max_sym + 1. */
void expr_mark_syms(const expr *e, bool *used);
/* A total order that depends on the text of the trees only, never on addresses. */
int expr_compare(const expr *a, const expr *b);

void expr_print(buf *out, const expr *e);
/* Prints symbol s<index> by another name. */
typedef void expr_name(buf *out, int index, const void *user);
void expr_print_named(buf *out, const expr *e, expr_name *name, const void *user);
/* Parses a whole text whose symbols are below nsym; NULL and d (with path and line) otherwise. */
const expr *expr_parse(
    expr_pool *p, const char *text, int nsym, const char *path, long line, diag *d);

#endif
