/* The calls that both sides of a difference are asked about.
 *
 *   records ──► some that pass, some that fail, spread evenly ──┐
 *   files of questions ──► those of operators that are known ───┼──► each input once, by operator
 *   mutants and joint moves of records, drawn by a seed ────────┤
 *   the same operators with other dtypes (other_dtypes.h) ──────┘
 */
#ifndef ASKED_CALLS_H
#define ASKED_CALLS_H

#include "input_set.h"
#include "side.h"

typedef struct asked_calls {
	const records *records;
	arena *memory;
	input_set *seen; /* one an operator */
	asked_call *list; /* by operator's name once it is sorted */
	int n;
	size_t room;
	long skipped; /* lines of files about operators that are not known, or with another number of symbols */
} asked_calls;

typedef struct asked_options {
	const char *op; /* a glob of operators; NULL: all */
	int each;	/* records of an operator that pass, and as many that fail */
	int draws;	/* mutants of an operator */
	uint64_t seed;
	bool no_dtypes; /* not with other dtypes */
} asked_options;

void asked_calls_start(asked_calls *a, const records *r);
void asked_calls_free(asked_calls *a);

/* One call of an operator of the records, unless it is there. */
void asked_calls_add(asked_calls *a, const operator *op, const int64_t *x);
/* One call of any operator that outlives the list. */
void asked_calls_append(asked_calls *a, const operator *op, const int64_t *x);
void asked_calls_draw(asked_calls *a, const asked_options *o);
/* Lines {"op":NAME,"in":[…]}, as `rulesmith questions` writes them. False and d where the file cannot be read or a line is
 * none. */
bool asked_calls_read(asked_calls *a, const asked_options *o, const char *path, diag *d);
void asked_calls_sort(asked_calls *a);

#endif
