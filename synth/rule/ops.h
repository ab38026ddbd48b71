/* The one table of expression operations. The evaluator, parser, printer, prover and emitter expand
 * it, so that an operation cannot mean two things.
 *
 * ARITH(NAME, text, form, precedence, commutes, checked function, Z3 constructor)
 *   form: INFIX `a text b`, CALL `text(a, b)`. Precedence binds tighter when larger.
 *   Every operation takes two arguments and has a value only where its checked function says so.
 * COMPARE(NAME, text, C operator, Z3 constructor)
 */
#ifndef OPS_H
#define OPS_H

#define ARITH_OPS(ARITH)                                                                           \
	ARITH(ADD, "+", INFIX, 5, true, checked_add, z3_add)                                       \
	ARITH(SUB, "-", INFIX, 5, false, checked_sub, z3_sub)                                      \
	ARITH(MUL, "*", INFIX, 6, true, checked_mul, z3_mul)                                       \
	ARITH(DIV, "//", INFIX, 6, false, checked_div, z3_floordiv)                                \
	ARITH(MOD, "%", INFIX, 6, false, checked_mod, z3_floormod)                                 \
	ARITH(MIN, "min", CALL, 9, true, checked_min, z3_min)                                      \
	ARITH(MAX, "max", CALL, 9, true, checked_max, z3_max)

#define COMPARE_OPS(COMPARE)                                                                       \
	COMPARE(EQ, "==", ==, z3_eq)                                                               \
	COMPARE(NE, "!=", !=, z3_ne)                                                               \
	COMPARE(LT, "<", <, z3_lt)                                                                 \
	COMPARE(LE, "<=", <=, z3_le)                                                               \
	COMPARE(GT, ">", >, z3_gt)                                                                 \
	COMPARE(GE, ">=", >=, z3_ge)

enum op {
	OP_CONST, /* an integer literal: value */
	OP_SYM,	  /* the symbol s<value> */
#define X(NAME, ...) OP_##NAME,
	ARITH_OPS(X)
#undef X
	OP_ITE, /* `a if c else b`: the branch not taken need not have a value */
#define X(NAME, ...) OP_##NAME,
	COMPARE_OPS(X)
#undef X
	OP_AND, /* `c and d` */
	OP_OR,	/* `c or d` */
	OP_COUNT
};

#define FIRST_ARITH OP_ADD
#define LAST_ARITH OP_MAX
#define FIRST_COMPARE OP_EQ
#define LAST_COMPARE OP_GE

#endif
