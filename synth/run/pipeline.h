/* From records to rules: the pipeline behind synth, holdout, refine and explain.
 *
 *   records ──► outputs ──► shape functions ──► outputs, clauses, proof ──► siblings ──► API rules ──► record subsets
 *              (per API)     (all APIs)            (per API)             (same structure)  (per API)
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include "api_solver.h"
#include "shard.h"

typedef struct pipeline_options {
	int threads;
	const char *glob;  /* only signatures whose name matches, as if there were no others; NULL: all */
	const char *cache; /* folder; NULL: no cache */
	bool quiet;	   /* no progress line */
	/* Solves only this shard's APIs and stores them in the cache. A pass starts only if the cache has the
	 * results of all shards for the pass before. A last run without a shard then reads nearly everything from
	 * the cache. */
	shard shard;
	options search;
	/* For rulesmith explain: one log per signature, or NULL. A signature with a log is not read from the cache.
	 * Other signatures are solved only as far as it needs them, and their results are not complete. NULL: no
	 * logs; all are solved. */
	buf *const *logs;
} pipeline_options;

typedef struct pipeline_cost {
	double seconds; /* spent in this run; 0 if cached */
	long work;	/* units of work spent in this run (problem.h) */
	bool cached;
} pipeline_cost;

typedef struct pipeline_result {
	int *list, n; /* the chosen signatures, as ascending indices into the records */
	rule *rules;  /* one per signature of the records */
	pipeline_cost *costs; /* likewise */
	double wall; /* seconds */
	int from_siblings; /* signatures whose rule was transferred from another API */
	stage stages[STAGE_COUNT];
	rule_store *stores; /* own the rules */
	int nstores;
	const char *pass; /* name of the last pass that ran */
	int missing;	  /* signatures that the cache lacks (other shards): later passes did not run */
} pipeline_result;

/* Solves the signatures that match. The result does not depend on the number of threads. Signatures solved on a
 * subset of their records lose the passing records that their rule rejects (record_subset.h). */
pipeline_result pipeline_run(records *r, const pipeline_options *o);
void pipeline_free(pipeline_result *p);

/* Solves one API, without transfer from siblings. f was started, and nothing else uses its pool and prover. */
void pipeline_solve(api_solver *f, const functions *library, prover *p);

#endif
