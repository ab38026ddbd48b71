/* The results of reference and target for a model, from the worker's answer. */
#ifndef RESULTS_H
#define RESULTS_H

#include "arena.h"
#include "store.h"

/* The parts of the worker's sentence on a difference; "" for a part that it does not have. */
typedef struct results_values {
	const char *got, *expected; /* of the target, of the reference */
	const char *where;	    /* "[0, 1]", the first place */
	const char *share;	    /* "3 of 24 elements" */
} results_values;

/* Splits "3 of 24 elements, first at [0, 1]: 1.0 instead of 2.0; …". */
results_values results_split(const char *how, arena *a);

/* The results of both sides, as rows of a name and a text. A row is named "expected" only if the result is right. */
typedef struct result_fact {
	const char *name, *text;
} result_fact;

enum { RESULTS_MOST = 6 };
int results_of(const finding *f, arena *a, result_fact facts[RESULTS_MOST]); /* how many */

#endif
