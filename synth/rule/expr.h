/* Expressions over the symbols of a signature: immutable, hash-consed trees.
 *
 * Equal expressions of a pool are one pointer. The text of an expression is a subset of Python's expressions with the
 * same meaning, on unbounded integers:
 *
 *   clause  := test ("or" test)*           test := both ("and" both)*
 *   both    := sum ("==" | "!=" | "<" | "<=" | ">" | ">=") sum | "(" clause ")"
 *   choice  := sum ["if" clause "else" choice]
 *   sum     := term (("+" | "-") term)*    term := atom (("*" | "//" | "%") atom)*
 *   atom    := INTEGER | "s" NUMBER | "min(" choice "," choice ")" | "max(…)" | "(" choice ")"
 *
 * Example: "(s2 + 2*s6 - s4)//s8 + 1". base/arith.h defines the operations, ops.h has their table.
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
	int64_t value;		/* OP_CONST: the integer; OP_SYM: index of the symbol */
	const struct expr *a, *b; /* the operands; OP_ITE: a if c else b */
	const struct expr *c;
	uint32_t hash;
	uint16_t size; /* number of operations in the tree, without comparisons and connectives */
	uint8_t op;
} expr;

typedef struct expr_pool expr_pool;

/* The process ends if memory runs out, so pools are for offline tools only. Not thread-safe: use one pool per thread. */
expr_pool *expr_pool_new(void);
void expr_pool_free(expr_pool *p);

const expr *expr_const(expr_pool *p, int64_t value);
const expr *expr_sym(expr_pool *p, int index);
/* Any binary operation, comparison or connective, exactly as given (not simplified). A derived operation is expanded. */
const expr *expr_make(expr_pool *p, enum op op, const expr *a, const expr *b);
/* Appends an operand to a sum, product or connective; `all` is NULL for the first one. */
const expr *expr_join(expr_pool *p, enum op op, const expr *all, const expr *one);
const expr *expr_ite(expr_pool *p, const expr *condition, const expr *yes, const expr *no);
/* Broadcasting of two sizes: `b if a == 1 else a`. Trimmed by both ends: `b if a == one else a`. */
const expr *expr_broadcast(expr_pool *p, const expr *a, const expr *b);
const expr *expr_trimmed_broadcast(expr_pool *p, const expr *a, const expr *b, int64_t one);
/* times · product of n symbols, in order; a factor of 1 is omitted. */
const expr *expr_product(expr_pool *p, int64_t times, const int *symbols, int n);
/* The same tree in another pool, with symbol i replaced by map[i] (NULL: unchanged). */
const expr *expr_copy(expr_pool *to, const expr *e, const int *map);
/* Replaces symbol i by with[i]. */
const expr *expr_substitute(expr_pool *p, const expr *e, const expr *const *with);
/* Replaces every occurrence of a subtree. */
const expr *expr_replace(expr_pool *p, const expr *e, const expr *old, const expr *new);

/* The definition of a derived operation; its operands are symbols 0 and 1. It is in no pool. */
const expr *expr_definition(enum op derived);

/* Evaluates an arithmetic expression on symbols s. False if it has no value. */
bool expr_eval(const expr *e, const int64_t *s, wide *value);
/* Whether a comparison or connective holds; false if it has no value. */
bool expr_holds(const expr *e, const int64_t *s);

bool expr_is_bool(const expr *e);
bool expr_is_zero_test(const expr *e); /* whether e has the form x == 0 */
bool expr_is_factor(const expr *one, const expr *product);
bool expr_is_tautology(const expr *e); /* contains s0 == s0 alone or in an `or` */
int expr_max_sym(const expr *e); /* the maximum symbol index, or -1 */
/* Sets used[i] for each symbol; `used` has at least expr_max_sym + 1 entries. */
void expr_mark_syms(const expr *e, bool *used);
/* A total order that depends on the text of the trees only, not on addresses. */
int expr_compare(const expr *a, const expr *b);

void expr_print(buf *out, const expr *e);
/* Prints a name for symbol s<index>. */
typedef void expr_name(buf *out, int index, const void *user);
void expr_print_named(buf *out, const expr *e, expr_name *name, const void *user);
/* Parses a whole text with symbols below nsym. On failure returns NULL and fills d (with path and line). */
const expr *expr_parse(
    expr_pool *p, const char *text, int nsym, const char *path, long line, diag *d);

#endif
