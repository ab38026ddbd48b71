/* A finding in words: what was compared, both results, the tolerance, and how it was confirmed.
 *
 * Everything is read from the database; nothing is run. The texts are the model's and the worker's, without the characters
 * that a terminal obeys. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "buf.h"
#include "store.h"

/* The parts of the worker's sentence on a difference; "" for a part that it does not have. */
typedef struct explain_values {
	const char *got, *expected; /* of the target, of the reference */
	const char *where;	    /* "[0, 1]", the first place */
	const char *share;	    /* "3 of 24 elements" */
	bool unstable;		    /* both are the reference's, of two runs: expected of the first, got of the second */
} explain_values;

/* Splits "3 of 24 elements, first at [0, 1]: 1.0 instead of 2.0; …". */
explain_values explain_split(const char *how, arena *a);
/* "the reference's result depends on uninitialized memory (0.0, then 13323083.0)" */
const char *explain_unstable(const explain_values *v, arena *a);

/* What both sides did, as rows of a name and a text. Nothing is called expected that is not. */
typedef struct explain_fact {
	const char *name, *text;
} explain_fact;

enum { EXPLAIN_FACTS = 6 };
int explain_facts(const finding *f, arena *a, explain_fact facts[EXPLAIN_FACTS]); /* how many */

/* Several paragraphs. False: out of memory. */
bool explain_finding(const finding *f, arena *a, buf *out);

/* "once, first 2026-11-28T13:00:00Z" */
void explain_seen(const finding *f, buf *out);

/* The age of a UTC time of the database: "3 d", "5 h", "now"; "" for a text that is no such time. */
void explain_age(const char *found, long long now, buf *out);

#endif
