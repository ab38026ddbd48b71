/* The calls that both sides of a diff run.
 *
 *   records ──► some accepted, some rejected, evenly spread ──────┐
 *   files of questions ──► those of known signatures ─────────────┼──► each input once, by signature
 *   mutants and joint moves of records, drawn from a seed ────────┤
 *   the same signatures with other dtypes (other_dtypes.h) ───────┘
 */
#ifndef ASKED_CALLS_H
#define ASKED_CALLS_H

#include "input_set.h"
#include "side.h"

typedef struct asked_calls {
	const records *records;
	arena *memory;
	input_set *seen; /* one per signature */
	asked_call *list; /* by the signature's name, once sorted */
	int n;
	size_t room;
	long skipped; /* lines of files about unknown signatures, or with another number of symbols */
} asked_calls;

typedef struct asked_options {
	const char *op; /* a glob of signatures; NULL: all */
	int each;	/* accepted records of a signature, and as many rejected ones */
	int draws;	/* mutants per signature */
	uint64_t seed;
	bool no_dtypes; /* without other dtypes */
} asked_options;

void asked_calls_start(asked_calls *a, const records *r);
void asked_calls_free(asked_calls *a);

/* Adds a call of a signature of the records, unless it is present. */
void asked_calls_add(asked_calls *a, const operator *op, const int64_t *x);
/* Adds a call of any signature; op must outlive the list. */
void asked_calls_append(asked_calls *a, const operator *op, const int64_t *x);
void asked_calls_draw(asked_calls *a, const asked_options *o);
/* Reads lines {"op":NAME,"in":[…]}, as written by `rulesmith questions`. False and d if the file cannot be read or a
 * line is malformed. */
bool asked_calls_read(asked_calls *a, const asked_options *o, const char *path, diag *d);
void asked_calls_sort(asked_calls *a);

#endif
