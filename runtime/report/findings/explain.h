/* Why a finding is one, in words: what was compared, both values, how far they might have lain apart, and who was asked.
 *
 * All of it is read off what is stored of the finding; nothing is run. The texts are the model's and the worker's, with
 * what a terminal would obey taken out. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "buf.h"
#include "store.h"

/* What the two said, taken out of the worker's answer; "" where it does not say. */
typedef struct explain_values {
	const char *got, *expected; /* of the target, of the reference */
	const char *where;	    /* "[0, 1]", the first place */
	const char *share;	    /* "3 of 24 elements" */
} explain_values;

/* Of the sentence that compare.py writes: "3 of 24 elements, first at [0, 1]: 1.0 instead of 2.0; …". */
explain_values explain_split(const char *how, arena *a);

/* Several paragraphs. False: out of memory. */
bool explain_finding(const finding *f, arena *a, buf *out);

/* How long ago a UTC time as the database writes it was: "3 d", "5 h", "just now"; "" for what is no such time. */
void explain_age(const char *found, long long now, buf *out);

#endif
