/* What two sides answer otherwise, by API and cause, each with the smallest call that shows it.
 *
 *   calls ──► both sides, at once ──► changes ──► groups: API, change, cause ──► smallest calls asked again ──► confirmed
 *                                                                  (eight times, each by a process asked nothing else before)
 */
#ifndef DIFFERENCES_H
#define DIFFERENCES_H

#include "asked_calls.h"
#include "side.h"

enum { DIFFERENCE_EXAMPLES = 3, CONFIRMATIONS = 8 }; /* twice let chance through: TensorFlow answers by what memory holds */

/* A call, and what both said of it. */
typedef struct example {
	asked_call call;
	int64_t size; /* sum of what its numbers are, without signs */
	reply a, b;
} example;

typedef struct difference {
	const char *api, *cause;
	enum change change;
	long calls;
	example examples[DIFFERENCE_EXAMPLES]; /* the smallest first; once confirmed, the first is one that was */
	int n;
	int tried; /* examples that did not show it again */
	bool confirmed;
} difference;

/* An API's calls. */
typedef struct api_count {
	const char *api;
	long asked;
} api_count;

typedef struct differences {
	arena *memory;
	difference *list; /* those confirmed by API, change and cause; no others */
	int n;
	size_t room;
	api_count *apis; /* asked about, sorted */
	int napis;
	long asked, same, undecided, dropped; /* calls; undecided by a side; dropped: groups not shown again */
} differences;

typedef void differences_progress(void *user, const char *stage, long done, long of);

/* False and d where a side does not stay alive; what came before is in the result. The calls are sorted. The caller frees
 * r either way. */
bool differences_find(side *a, side *b, const asked_calls *calls, differences_progress *progress, void *user,
    differences *r, diag *d);
void differences_free(differences *r);

/* How many calls of an API were asked. */
long differences_asked(const differences *r, const char *api);

#endif
