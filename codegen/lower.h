/* Lowers expressions to total C conditions: no overflow or division by zero for any symbols. lower.c describes the
 * method. */
#ifndef LOWER_H
#define LOWER_H

#include "arena.h"
#include "expr.h"

/* The body of a function: `return lines[0] && lines[1] && …`. */
typedef struct body {
	const char *const *lines; /* conditions, usable as operands of && */
	unsigned nlines;
	unsigned ntemps;  /* wide t0, t1, …, set and used by the conditions */
	bool may_skip;    /* some temporaries may stay unset (and unread): initialize them */
	const bool *used; /* nsym: the symbols that occur, as wide locals */
	unsigned nsym;
} body;

/* True if all clauses hold; a clause without a value is false. names: of the locals. */
body lower_valid(arena *a, const expr *const *clauses, unsigned n, unsigned nsym, const char *const *names);
/* Stores each expression by set_dim(&out[i], …); false if one has no value in 0 … 2^63 - 1. */
body lower_propagate(arena *a, const expr *const *dims, unsigned n, unsigned nsym, const char *const *names);

/* The text of a symbol in the functions of an API (codegen/api). */
typedef struct lower_symbol {
	const char *text;
	bool checked; /* a call without its last argument, `numel(x`, which may fail and otherwise sets that argument */
	wide low, high;
} lower_symbol;

/* The same for such symbols. Temporaries are numbered from `temps` and stay below the result's ntemps. */
body lower_clauses(arena *a, const expr *const *clauses, unsigned n, unsigned nsym, const lower_symbol *symbols, unsigned temps);
/* True if e has a value and `store`, such as "store(out, i", accepts it. */
body lower_stored(arena *a, const expr *e, unsigned nsym, const lower_symbol *symbols, const char *store, unsigned temps);
/* The interval of e's values; false: some part of it may exceed 128 bits. symbols NULL: any 64-bit numbers. */
bool lower_range(const expr *e, unsigned nsym, const lower_symbol *symbols, wide *low, wide *high);

#endif
