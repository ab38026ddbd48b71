/* Differences between two sides, grouped by API and cause, each with its smallest call.
 *
 *   calls ──► both sides, in parallel ──► changes ──► groups: API, change, cause ──► smallest calls run again ──► confirmed
 *                                                                           (eight times, each in a fresh process)
 */
#ifndef DIFFERENCES_H
#define DIFFERENCES_H

#include "asked_calls.h"
#include "side.h"

enum { DIFFERENCE_EXAMPLES = 3, CONFIRMATIONS = 8 }; /* TensorFlow may read uninitialized memory */

/* A call and the replies of both sides. */
typedef struct example {
	asked_call call;
	int64_t size; /* sum of the absolute values of its numbers */
	reply a, b;
} example;

typedef struct difference {
	const char *api, *cause;
	enum change change;
	long calls;
	example examples[DIFFERENCE_EXAMPLES]; /* the smallest first; if confirmed, the first is a confirmed one */
	int n;
	int tried; /* examples that were not reproduced */
	bool confirmed;
} difference;

/* The number of an API's calls. */
typedef struct api_count {
	const char *api;
	long asked;
} api_count;

typedef struct differences {
	arena *memory;
	difference *list; /* confirmed ones only, by API, change and cause */
	int n;
	size_t room;
	api_count *apis; /* that were run, sorted */
	int napis;
	long asked, same, undecided, dropped; /* calls; undecided: by a side; dropped: groups not reproduced */
} differences;

typedef void differences_progress(void *user, const char *stage, long done, long of);

/* Finds the differences. False and d if a side keeps crashing; r then has the results so far. Sorts the calls. The
 * caller frees r in both cases. */
bool differences_find(side *a, side *b, const asked_calls *calls, differences_progress *progress, void *user,
    differences *r, diag *d);
void differences_free(differences *r);

/* How many calls of an API were run. */
long differences_asked(const differences *r, const char *api);

#endif
