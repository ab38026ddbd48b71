/* The table of operations: each row has all facts about one operation. Evaluator, printer, parser, prover, columns,
 * the bank's kernels, intervals, the emitted C and costs expand it. So an operation has one meaning
 * everywhere, and a new one is added everywhere. A row that is incomplete, or whose functions are missing, does not
 * compile (tests/cli/synth/ops_table.sh).
 *
 * The second cell of a row, its name, selects these functions:
 *
 *   checked_NAME   base/arith.h       the meaning: the value of a op b, or no value
 *   z3_NAME        prove.c            the same as a Z3 term
 *   interval_NAME  codegen/lower.c    the interval of a op b for operands in two intervals
 *   lanes_NAME     search/column.c    four rows at once, exact for operands of NARROW_NAME bits
 *   value_NAME     baseline/bank_kernel.h the same in doubles
 *
 * ARITH, of two numbers:
 *
 *   text, form, level    in the text of a rule, which is Python: INFIX `a text b`, CALL `text(a, b)`; precedence
 *   commutes, divides    a op b is b op a; no value if b is 0 (for any operation: none if it does not fit 128 bits)
 *   search, clause, pool costs (costs.h explains the three columns)
 *   c, c_level           in C on `wide`: the operator, or the function if form is CALL there; precedence in lower.c
 *
 * COMPARE, of two numbers to true or false; false if one has no value:
 *
 *   operator             in C
 *   negated, mirrored    the negation; the operation with exchanged sides
 *   near1, near2         similar comparisons that rivals use instead (rivals.c)
 *
 * DERIVED, of two numbers, defined by other operations. Expressions consist of the others only: expr_make expands a
 * derived operation, and printing recognizes its definition. So evaluator, prover, C text and intervals need no part of it:
 *
 *   name, commutes       in the text of a rule: `name(a, b)`; a op b is b op a
 *   search, clause       costs
 *   definition           A, B, NUMBER(n), APPLY(NAME, x, y) for a row of ARITH, CHOOSE(NAME, x, y, yes, no) for
 *                        `yes if x NAME y else no` with a row of COMPARE; both A and B occur
 *
 * CONNECTIVE, of two conditions. CHOICE: `a if c else b`; the branch not taken need not have a value. LEAF: symbols
 * and constants.
 */
#ifndef OPS_H
#define OPS_H

#include <stdbool.h>

/* clang-format off */
#define LEAF_OPS(LEAF)                                                                                                 \
	LEAF(CONST) /* an integer literal: value */                                                                    \
	LEAF(SYM)   /* the symbol s<value> */

#define ARITH_OPS(ARITH)                                                                                               \
/*	      NAME name text  form   level          comm.  div.   search clause pool c           c_level */ \
	ARITH(ADD, add, "+",   INFIX, LEVEL_SUM,     true,  false, 10,    8,     7,   "+",        P_ADD)    \
	ARITH(SUB, sub, "-",   INFIX, LEVEL_SUM,     false, false, 10,    8,     7,   "-",        P_ADD)    \
	ARITH(MUL, mul, "*",   INFIX, LEVEL_PRODUCT, true,  false, 12,    9,     8,   "*",        P_MUL)    \
	ARITH(DIV, div, "//",  INFIX, LEVEL_PRODUCT, false, true,  14,    12,    11,  "floordiv", P_PRIMARY) \
	ARITH(MOD, mod, "%",   INFIX, LEVEL_PRODUCT, false, true,  32,    10,    9,   "floormod", P_PRIMARY) \
	ARITH(MIN, min, "min", CALL,  LEVEL_ATOM,    true,  false, 26,    18,    12,  "wide_min", P_PRIMARY) \
	ARITH(MAX, max, "max", CALL,  LEVEL_ATOM,    true,  false, 26,    18,    12,  "wide_max", P_PRIMARY)

#define DERIVED_OPS(DERIVED)                                                                                           \
/*	        name commutes search clause definition */

#define CHOICE_OPS(CHOICE)                                                                                             \
/*	       NAME pool */                                                                                        \
	CHOICE(ITE, 12)

#define COMPARE_OPS(COMPARE)                                                                                           \
/*		NAME name text  operator negated mirrored near1 near2 clause pool */                               \
	COMPARE(EQ,  eq,  "==", ==,      NE,     EQ,      LE,  GE,    0,     1)                                 \
	COMPARE(NE,  ne,  "!=", !=,      EQ,     NE,      LT,  GT,    6,     4)                          \
	COMPARE(LT,  lt,  "<",  <,       GE,     GT,      LE,  NE,    1,     1)                                 \
	COMPARE(LE,  le,  "<=", <=,      GT,     GE,      LT,  EQ,    1,     1)                                \
	COMPARE(GT,  gt,  ">",  >,       LE,     LT,      GE,  NE,    1,     1)                                 \
	COMPARE(GE,  ge,  ">=", >=,      LT,     LE,      GT,  EQ,    1,     1)

#define CONNECTIVE_OPS(CONNECTIVE)                                                                                     \
/*		   NAME name text   level      pool */                                                             \
	CONNECTIVE(AND, and, "and", LEVEL_AND, 2)                                                             \
	CONNECTIVE(OR,  or,  "or",  LEVEL_OR,  5)
/* clang-format on */

/* Number of operations of each kind. */
enum {
#define X(NAME, ...) +1
	LEAF_COUNT = 0 LEAF_OPS(X),
	ARITH_COUNT = 0 ARITH_OPS(X),
	CHOICE_COUNT = 0 CHOICE_OPS(X),
	COMPARE_COUNT = 0 COMPARE_OPS(X),
	CONNECTIVE_COUNT = 0 CONNECTIVE_OPS(X),
	DERIVED_COUNT = 0 DERIVED_OPS(X),
#undef X
	OP_COUNT = LEAF_COUNT + ARITH_COUNT + CHOICE_COUNT + COMPARE_COUNT + CONNECTIVE_COUNT,
};

enum op {
#define X(NAME, ...) OP_##NAME,
	LEAF_OPS(X) ARITH_OPS(X) CHOICE_OPS(X) COMPARE_OPS(X) CONNECTIVE_OPS(X)
#undef X
	FIRST_ARITH = LEAF_COUNT,
	LAST_ARITH = FIRST_ARITH + ARITH_COUNT - 1,
	FIRST_COMPARE = LAST_ARITH + 1 + CHOICE_COUNT,
	LAST_COMPARE = FIRST_COMPARE + COMPARE_COUNT - 1,
};

/* Derived operations follow. No expression has them, so a switch need not name them. */
enum { FIRST_DERIVED = OP_COUNT, LAST_DERIVED = FIRST_DERIVED + DERIVED_COUNT - 1 };

/* Cases for a switch over all operations without default: `COMPARE_OPS(OP_CASE) return false;`. */
#define OP_CASE(NAME, ...) case OP_##NAME:

enum op_form { INFIX, CALL };

/* Precedence in text. Infix operations have one of two levels. */
enum op_level { LEVEL_CHOICE = 1, LEVEL_OR, LEVEL_AND, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_ATOM };

typedef struct op_row { /* properties that a kind of operation lacks are 0 */
	const char *text;
	enum op_form form;
	enum op_level level;
	bool commutes, divides;
	int search, clause, pool;
	enum op negated, mirrored, near[2];
} op_row;

extern const op_row OPS[OP_COUNT + DERIVED_COUNT];

bool op_is_arith(int op);
bool op_is_comparison(int op);
static inline bool op_is_derived(int op)
{
	return DERIVED_COUNT > 0 && op >= FIRST_DERIVED;
}
bool op_is_bound(int op); /* <, <=, > or >= */
enum op op_negated(enum op op);	 /* negation of a comparison: < and >= */
enum op op_mirrored(enum op op); /* comparison with exchanged sides: < and > */

#endif
