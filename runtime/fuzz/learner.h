/* Learning, while models are run, which calls a target cannot do: what it refuses, gets wrong or dies of for some
 * dimensions or attributes only, single calls before the campaign do not show.
 *
 *   a model that failed ──► its calls, one at a time ──► the first that fails alike ──► capabilities
 *                      refused, though none is ──► two at a time ──► the maker of the first two
 *
 * One serves all jobs of a campaign. */
#ifndef LEARNER_H
#define LEARNER_H

#include <pthread.h>

#include "capabilities.h"
#include "graph.h"
#include "verdict.h"

typedef struct learner {
	pthread_mutex_t lock; /* of all below */
	capabilities *known;
	const char *path; /* where that is written */
	double changed;   /* clock when something came that is not written; 0: nothing did */
	int64_t news;     /* calls that came and were not reported */
	/* Links a call to the finding that it shows, in the database; NULL: nobody does. Called without the lock. */
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
/* Writes what is not written. False and d. */
bool learner_close(learner *l, diag *d);

/* Takes a model of one call that failed; models of several are ignored. finding: its id, 0: it is none. Writes, at most every
 * few seconds. False and d. */
bool learner_take(learner *l, const graph *call, const judgement *failed, int64_t finding, diag *d);

/* How many calls came since it was asked last. */
int64_t learner_news(learner *l);

enum learned { LEARNED_DONE, LEARNED_STOPPED, LEARNED_BACKEND, LEARNED_INPUT };

/* Of a model that failed: judges its calls on inputs of their own, up to the first that ends with the same verdict, and
 * takes that. Of one that was refused and whose calls are not, those with a call that makes something they take: the latter
 * is what others are refused for. */
enum learned learner_blame(
    learner *l, judge *by, const graph *model, const judgement *failed, int64_t finding, diag *d);

/* A generator without the calls that are known to fail in place of *gen, where there are more than `of` says; after 16
 * times, where there are an eighth as many more as times it was made. False and d. */
bool learner_renew(
    learner *l, const rs_table *table, rs_gen_options options, rs_gen **gen, renewal *of, diag *d);

#endif
