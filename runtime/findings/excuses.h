/* The excuses that the answers of a run name (docs/reference/excuses.md): further rows of `counters`.
 *
 *   counters: excuse:NAME   models whose answer names it
 *             covered:NAME  elements that it covered
 */
#ifndef EXCUSES_H
#define EXCUSES_H

#include <cjson/cJSON.h>

#include "store.h"

enum { EXCUSES_MAX = 256, EXCUSE_NAME = 48 };

typedef struct excuse_count {
	char name[EXCUSE_NAME]; /* of [a-z0-9-] */
	int64_t models, elements;
} excuse_count;

typedef struct excuses {
	excuse_count at[EXCUSES_MAX];
	int n;
} excuses;

/* Counts a worker's answer; NULL has none. Names beyond EXCUSES_MAX, or with other characters, come only from workers of other
 * programs and are not counted. */
void excuses_count(excuses *e, const cJSON *answer);
/* The count of a name; NULL without one. */
excuse_count *excuses_find(excuses *e, const char *name);
/* Sorts by models, the most used first, then by name. */
void excuses_sort(excuses *e);
/* Stores or loads those of a run. False and d on failure. */
bool excuses_store(store *s, int64_t run, const excuses *e, diag *d);
bool excuses_load(store *s, int64_t run, excuses *e, diag *d);

/* A judged model, for inspection. */
typedef struct excuse_sample {
	const char *folder; /* made if missing */
	const char *backend, *verdict;
	const char *model; /* JSON */
	const cJSON *answer;
	uint64_t seed, index;
} excuse_sample;

/* Writes FOLDER/NAME/SEED-INDEX.json for each excuse of the answer that at most `limit` models have had, this one included. Call
 * it after excuses_count. False and d on failure. */
bool excuses_keep(excuses *e, int64_t limit, const excuse_sample *x, diag *d);

#endif
