/* Capability learning during fuzzing. Some calls fail only for certain dimensions or attributes, which probing does not find.
 *
 *   a failed model ──► its calls, one at a time ──► the first that fails the same way ──► capabilities
 *                      rejected, but no call is ──► two at a time ──► the producer of the first pair
 *
 * All jobs of a campaign share one learner. */
#ifndef LEARNER_H
#define LEARNER_H

#include <pthread.h>

#include "capabilities.h"
#include "graph.h"
#include "verdict.h"

/* How often the reference rejected a call, and accepted it since then. */
typedef struct strike {
	uint64_t call;
	unsigned times;
	uint64_t accepted;
} strike;

typedef struct learner {
	pthread_mutex_t lock; /* of all below */
	capabilities *known;
	const char *path; /* its file */
	double changed;   /* time (clock_seconds) of the first unwritten change; 0: none */
	int64_t news;     /* newly excluded calls since learner_news */
	strike *strikes;
	size_t nstrikes, room;
	/* Links a call to its finding in the database; may be NULL. Called without the lock. */
	bool (*link)(void *context, const graph *call, int64_t finding, diag *d);
	void *context;
} learner;

/* Of a job's generator. */
typedef struct renewal {
	size_t without; /* excluded calls */
	size_t times;	/* how often it was replaced */
} renewal;

/* known and path must outlive it. */
void learner_open(learner *l, capabilities *known, const char *path);
/* Writes pending changes. False and d. */
bool learner_close(learner *l, diag *d);

/* Excludes the call of a failed model of one call. Larger models are ignored. A call that the reference rejects is excluded at
 * the third rejection, or later if it is accepted more than nine times as often. finding: its id; 0: none. Writes the file every
 * few seconds at most. False and d. */
bool learner_take(learner *l, const graph *call, const judgement *failed, int64_t finding, diag *d);

/* Counts the calls of a model that the reference accepts: those that it rejected before. */
void learner_accepted(learner *l, const graph *model);

/* Notes the judgement of a probed call. A mispredicted shape is one rejection, as in learner_take. next: the first call
 * that was not probed. Writes the file every few seconds at most. False and d. */
bool learner_probed(learner *l, const graph *call, const judgement *j, uint64_t next, diag *d);

/* The number of newly excluded calls since the last query. */
int64_t learner_news(learner *l);

enum learned { LEARNED_DONE, LEARNED_STOPPED, LEARNED_BACKEND, LEARNED_INPUT };

/* Judges each call of a failed model alone, and excludes the first with the same verdict. If each call of a rejected model is
 * accepted alone, tests each together with the producers of its inputs. The producer of the first rejected pair is excluded. */
enum learned learner_blame(
    learner *l, judge *by, const graph *model, const judgement *failed, int64_t finding, diag *d);

/* Replaces *gen by a generator without the excluded calls if there are new ones. After 16 replacements, each further one needs
 * more new calls: one per eight earlier replacements. False and d. */
bool learner_renew(
    learner *l, const rs_table *table, rs_gen_options options, rs_gen **gen, renewal *of, diag *d);

#endif
