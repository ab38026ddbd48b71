/* Capability learning during fuzzing: calls that a target rejects, gets wrong or crashes on for some dimensions or attributes
 * only, which probing does not show.
 *
 *   a model that failed ──► its calls, one at a time ──► the first that fails alike ──► capabilities
 *                      rejected, though none is ──► two at a time ──► the producer of the first pair
 *
 * One serves all jobs of a campaign. */
#ifndef LEARNER_H
#define LEARNER_H

#include <pthread.h>

#include "capabilities.h"
#include "graph.h"
#include "verdict.h"

/* How often the reference rejected a call. */
typedef struct strike {
	uint64_t call;
	unsigned times;
} strike;

typedef struct learner {
	pthread_mutex_t lock; /* of all below */
	capabilities *known;
	const char *path; /* where that is written */
	double changed;   /* clock of the first change that is not written; 0: none */
	int64_t news;     /* calls that came and were not reported */
	strike *strikes;
	size_t nstrikes, room;
	/* Links a call to its finding in the database; may be NULL. Called without the lock. */
	bool (*link)(void *context, const graph *call, int64_t finding, diag *d);
	void *context;
} learner;

/* Of a job's generator. */
typedef struct renewal {
	size_t without; /* how many calls it leaves out */
	size_t times;	/* how often it was made anew */
} renewal;

/* known and path must outlive it. */
void learner_open(learner *l, capabilities *known, const char *path);
/* Writes pending changes. False and d. */
bool learner_close(learner *l, diag *d);

/* Excludes the call of a failed model of one call; larger models are ignored. A call that the reference rejects is excluded when
 * that happens for the third time. finding: its id, 0: none. Writes the file every few seconds at most. False and d. */
bool learner_take(learner *l, const graph *call, const judgement *failed, int64_t finding, diag *d);

/* The number of newly excluded calls since the last query. */
int64_t learner_news(learner *l);

enum learned { LEARNED_DONE, LEARNED_STOPPED, LEARNED_BACKEND, LEARNED_INPUT };

/* Judges each call of a failed model alone, up to the first with the same verdict, and excludes that. If a model is rejected but
 * each of its calls is accepted alone, tests each call together with the producers of its inputs, and excludes the producer of
 * the first rejected pair. */
enum learned learner_blame(
    learner *l, judge *by, const graph *model, const judgement *failed, int64_t finding, diag *d);

/* Replaces *gen by a generator without the excluded calls if there are new ones; after 16 times, only if the new ones are an
 * eighth of the times it was replaced. False and d. */
bool learner_renew(
    learner *l, const rs_table *table, rs_gen_options options, rs_gen **gen, renewal *of, diag *d);

#endif
