#include "ops.h"

#include <stddef.h>

/* ---- every row is complete */

#define HAS(NAME, cell, property) _Static_assert(sizeof #cell > 1, "ops.h: the operation " #NAME " has no " property);
#define HAS_COST(NAME, cost, use)                                                                                      \
	_Static_assert(sizeof #cost > 1 && (cost + 0) >= 0, "ops.h: the operation " #NAME " has no cost " use);

#define X(NAME, name, text, form, level, commutes, divides, search, clause, pool, c, c_level) \
	HAS(NAME, name, "name")                                                                                        \
	HAS(NAME, text, "text")                                                                                        \
	HAS(NAME, form, "form")                                                                                        \
	HAS(NAME, level, "level")                                                                                      \
	HAS(NAME, commutes, "answer whether it commutes")                                                              \
	HAS(NAME, divides, "answer whether it divides")                                                                \
	HAS_COST(NAME, search, "in outputs")                                                                             \
	HAS_COST(NAME, clause, "in literals")                                                                            \
	HAS_COST(NAME, pool, "in pooled clauses")                                                                        \
	HAS(NAME, c, "C text")                                                                                         \
	HAS(NAME, c_level, "C precedence")
ARITH_OPS(X)
#undef X

#define X(NAME, pool)                                                                                             \
	HAS_COST(NAME, pool, "in pooled clauses")
CHOICE_OPS(X)
#undef X

#define X(NAME, name, text, operator, negated, mirrored, near1, near2, clause, pool)                              \
	HAS(NAME, name, "name")                                                                                        \
	HAS(NAME, text, "text")                                                                                        \
	HAS(NAME, operator, "C operator")                                                                              \
	HAS(NAME, negated, "opposite")                                                                                 \
	HAS(NAME, mirrored, "mirror")                                                                                  \
	HAS(NAME, near1, "neighbour")                                                                                   \
	HAS(NAME, near2, "second neighbour")                                                                          \
	HAS_COST(NAME, clause, "in literals")                                                                            \
	HAS_COST(NAME, pool, "in pooled clauses")
COMPARE_OPS(X)
#undef X

#define X(NAME, name, text, level, pool)                                                                          \
	HAS(NAME, name, "name")                                                                                        \
	HAS(NAME, text, "text")                                                                                        \
	HAS(NAME, level, "level")                                                                                      \
	HAS_COST(NAME, pool, "in pooled clauses")
CONNECTIVE_OPS(X)
#undef X

#define X(name, commutes, search, clause, definition)                                                                  \
	HAS(name, name, "name")                                                                                        \
	HAS(name, commutes, "answer whether it commutes")                                                              \
	HAS_COST(name, search, "in outputs")                                                                           \
	HAS_COST(name, clause, "in literals")                                                                          \
	HAS(name, definition, "definition")
DERIVED_OPS(X)
#undef X

/* ---- the rows */

/* A parser reads infix operations of these levels only. */
#define X(NAME, name, text, form, level, ...)                                                                          \
	_Static_assert((form) == CALL ? (level) == LEVEL_ATOM : (level) == LEVEL_SUM || (level) == LEVEL_PRODUCT,      \
	    "ops.h: the operation " #NAME " is of a level that the grammar does not have");
ARITH_OPS(X)
#undef X

#define ARITH(NAME, name, text, form, level, commutes, divides, search, clause, pool, c, c_level) \
	[OP_##NAME] = {text, form, level, commutes, divides, search, clause, pool, 0, 0, {0}},
#define CHOICE(NAME, pool) [OP_##NAME] = {NULL, CALL, LEVEL_CHOICE, false, false, 0, 0, pool, 0, 0, {0}},
#define COMPARE(NAME, name, text, operator, negated, mirrored, near1, near2, clause, pool)                        \
	[OP_##NAME] = {text, INFIX, LEVEL_COMPARE, false, false, 0, clause, pool, OP_##negated, OP_##mirrored,         \
	    {OP_##near1, OP_##near2}},
#define CONNECTIVE(NAME, name, text, level, pool)                                                                 \
	[OP_##NAME] = {text, INFIX, level, true, false, 0, 0, pool, 0, 0, {0}},

#define DERIVED(name, commutes, search, clause, definition) {#name, CALL, LEVEL_ATOM, commutes, false, search, clause, 0, 0, 0, {0}},

const op_row OPS[OP_COUNT + DERIVED_COUNT] = {
    ARITH_OPS(ARITH) CHOICE_OPS(CHOICE) COMPARE_OPS(COMPARE) CONNECTIVE_OPS(CONNECTIVE) DERIVED_OPS(DERIVED)};

bool op_is_arith(int op)
{
	return op >= FIRST_ARITH && op <= LAST_ARITH;
}

bool op_is_comparison(int op)
{
	return op >= FIRST_COMPARE && op <= LAST_COMPARE;
}

bool op_is_bound(int op)
{
	return op_is_comparison(op) && op != OP_EQ && op != OP_NE;
}

enum op op_negated(enum op op)
{
	return OPS[op].negated;
}

enum op op_mirrored(enum op op)
{
	return OPS[op].mirrored;
}
