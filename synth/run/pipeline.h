/* From records to rules: the one pipeline, for synth, holdout, refine and explain.
 *
 *   records ──► families: outputs ──► functions ──► families: outputs, clauses, proof ──► siblings ──► one rule for call forms
 *               (an API a task)      (of all APIs)      (an API a task)             (of one structure)   (an API a task)
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "family.h"
#include "shard.h"

typedef struct pipeline_options {
	int threads;
	const char *glob;  /* only operators whose name matches, as if there were no others; NULL: all */
	const char *cache; /* folder; NULL: nothing is kept */
	bool quiet;	   /* no progress line */
	/* Only this share of the APIs is solved, a pass at a time, and kept in the cache; the next pass begins when what the others
	 * keep is there, too. A run without shards then finds all in the cache but a few last steps. */
	shard shard;
	options search;
	/* For rulesmith explain: where the search of each of the records' operators is told, or NULL. An operator with a log is
	 * not taken from the cache, and others are solved only as far as it needs them: their results are for nothing else. NULL:
	 * all are solved. */
	buf *const *logs;
} pipeline_options;

typedef struct pipeline_cost {
	double seconds; /* spent now; 0 from the cache */
	long work;	/* units of work spent now (problem.h) */
	bool cached;
} pipeline_cost;

typedef struct pipeline_result {
	int *list, n; /* the operators chosen, as indices into the records, in order */
	rule *rules;  /* one for each of the records' operators */
	pipeline_cost *costs; /* likewise */
	double wall; /* seconds */
	int from_siblings; /* operators that took another's rule */
	stage stages[STAGE_COUNT];
	rule_store *stores; /* where the rules live */
	int nstores;
	const char *pass; /* the last one that ran, in words */
	int missing;	  /* operators of other shards that are not in the cache: all ends with that pass. 0: it is whole */
} pipeline_result;

/* Solves what matches. The result is the same for any number of threads. Operators whose rule is for tensors with elements
 * only have no passing records any more that it refuses (record_subset.h). */
pipeline_result pipeline_run(records *r, const pipeline_options *o);
void pipeline_free(pipeline_result *p);

/* One API from start to end, siblings aside: f was started and is alone with its pool and prover. */
void pipeline_solve(family *f, const functions *library, prover *p);

#endif
