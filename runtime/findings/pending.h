/* Failures that wait for triage because the budget of their run was spent (campaign.c): the table `pending` of the database.
 *
 *   failure ──► pending_add ──► row ──► pending_first ──► triage ──┬─► pending_settle: a finding, a duplicate, or not reproduced
 *                                                                └─► pending_postpone: it needs more time
 *
 * Few failures with one key keep their model. The others are only counted: they almost always have the same cause. */
#ifndef PENDING_H
#define PENDING_H

#include "store.h"

typedef struct pending {
	int64_t id, run;
	const char *backend, *framework; /* of the run */
	const char *versions;		 /* of the run, JSON */
	const char *key, *kind;		 /* as of findings */
	const char *model;		 /* as generated, a JSON line with its settings */
	int64_t count;			 /* failures: this one, and later ones with the key that did not get a row */
} pending;

/* Adds a failing model of a run, or counts it if enough models with its key wait. A key names its backend. */
bool pending_add(store *s, const pending *p, diag *d);
#define PENDING_POSTPONED 100 /* the minimum rank of a postponed failure */
/* The rank of the next postponed failure: above all that wait now. */
bool pending_end(store *s, int64_t *rank, diag *d);
/* The first failure of a backend that waits with a rank below `end`, except the n ids in `except`. Models of new keys come first,
 * then others, then postponed ones. At equal rank, accepted invalid calls come last. Returns 1 and *p, with texts in the arena; 0
 * if there is none; -1 and d. */
int pending_first(store *s, const char *backend, int64_t end, const int64_t *except, int n, pending *p, arena *a, diag *d);
/* Removes a failure. finding: its finding, which gets the counted failures; 0: it has none. */
bool pending_settle(store *s, const pending *p, int64_t finding, diag *d);
/* Puts a failure behind all others. */
bool pending_postpone(store *s, int64_t id, diag *d);
/* The failures that wait for a backend; NULL: for all. */
bool pending_count(store *s, const char *backend, int64_t *n, diag *d);
/* Calls fn for each backend and framework for which failures wait, until it returns false. */
typedef bool pending_fn(void *context, const char *backend, const char *framework, int64_t n);
bool pending_each_backend(store *s, pending_fn *fn, void *context, diag *d);

#endif
