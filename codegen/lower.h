/* From expressions to C conditions that are total: no overflow, no division by zero, whatever the
 * symbols. lower.c opens with how. */
#ifndef LOWER_H
#define LOWER_H

#include "arena.h"
#include "expr.h"

/* The body of a function: `return lines[0] && lines[1] && …`. */
typedef struct body {
	const char *const *lines; /* conditions, each fit to stand between && */
	unsigned nlines;
	unsigned ntemps;  /* wide t0, t1, …, which the conditions set and use */
	bool may_skip;    /* some temporaries may not be set, nor read: initialise them */
	const bool *used; /* nsym: the symbols that occur, as wide locals */
	unsigned nsym;
} body;

/* All clauses hold, each false where it has no value. names: what the locals are called. */
body lower_valid(arena *a, const expr *const *clauses, unsigned n, unsigned nsym, const char *const *names);
/* Every expression has a value in 0 … 2^63 - 1, which is stored: set_dim(&out[i], …). */
body lower_propagate(arena *a, const expr *const *dims, unsigned n, unsigned nsym, const char *const *names);

/* The text of a symbol in the functions of an API (codegen/api). */
typedef struct lower_symbol {
	const char *text;
	bool checked; /* a call without its last argument, `numel(x`, which may fail and else sets that */
	wide low, high;
} lower_symbol;

/* The same over such symbols; temporaries are numbered from `temps` on, and stay below b.ntemps. */
body lower_clauses(arena *a, const expr *const *clauses, unsigned n, unsigned nsym, const lower_symbol *symbols, unsigned temps);
/* e has a value and `store`, "store(out, i", takes it. */
body lower_stored(arena *a, const expr *e, unsigned nsym, const lower_symbol *symbols, const char *store, unsigned temps);
/* The interval of e's values; false: some part of it may leave 128 bits. symbols NULL: any numbers of 64 bits. */
bool lower_range(const expr *e, unsigned nsym, const lower_symbol *symbols, wide *low, wide *high);

#endif
