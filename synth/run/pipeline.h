/* All operators, on all threads: every operator alone first, then each beside its siblings. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "rules.h"
#include "solve.h"

typedef struct crew_options {
	int threads;
	const char *glob;  /* only operators whose name matches; NULL: all */
	const char *cache; /* folder; NULL: nothing is kept */
	bool quiet;	   /* no progress line */
	options search;
} crew_options;

typedef struct crew_result {
	int *todo, n;	 /* the operators chosen, as indices into the records, in order */
	solved *results; /* one for each of the records' operators */
	double wall;	 /* seconds */
	int from_siblings;
	stage stages[STAGE_COUNT];
} crew_result;

/* Solves what matches. The result is the same for any number of threads. */
crew_result crew_solve(const records *r, const crew_options *o);
void crew_free(crew_result *c, const records *r);

/* siblings.c: among the rules found for operators of the same argument structure, each operator takes the
 * one that agrees with all of its own records and with the most APIs (design, synth points 7 and 8).
 * Returns how many operators took another's rule. */
int siblings_choose(const records *r, crew_result *c);

#endif
