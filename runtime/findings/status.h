/* The status of a finding, the change of a finding within a job, and graph-based fuzz testing's class of a failure
 * (section IV-B, "Inference Runtime": model conversion failure, inference failure, data comparison failure).
 *
 *   status        set by             seen again in a run   recheck: reproduces       recheck: does not reproduce
 *   open          run                counted               stays                     fixed
 *   known         mark               counted               stays                     fixed
 *   fixed         mark, recheck      open                  open                      stays
 *   flaky         run, recheck       counted               open if it does each time stays
 *   not-a-bug     mark               counted               stays                     stays
 *   unsupported   run, mark          counted               stays                     stays
 */
#ifndef STATUS_H
#define STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

/* STATUS(name, text) */
#define STATUSES(STATUS)                                                                                              \
	STATUS(OPEN, "open") STATUS(KNOWN, "known") STATUS(FIXED, "fixed") STATUS(FLAKY, "flaky")                     \
	    STATUS(NOT_A_BUG, "not-a-bug") STATUS(UNSUPPORTED, "unsupported")

enum status {
#define X(name, text) STATUS_##name,
	STATUSES(X)
#undef X
	    STATUS_NONE
};

const char *status_name(enum status s);
enum status status_parse(const char *name); /* STATUS_NONE for an unknown name */
const char *status_list(void);              /* "open, known, …", for messages */
const char *status_renamed(const char *name); /* the end of a message about an unknown name: its new name, or "" */
/* not-a-bug or unsupported: hidden by default, never rechecked, unaffected by rechecks. */
bool status_is_dismissed(enum status s);
/* fixed, not-a-bug or unsupported: needs no work. */
bool status_is_closed(enum status s);

/* "34 findings: 30 open, 2 known, 2 unsupported"; counts has STATUS_NONE + 1 items. */
void status_counts(const int64_t *counts, buf *out);

/* CHANGE(name, text): the change of a finding within a job; the most important first. */
#define CHANGES(CHANGE)                                                                                                \
	CHANGE(NEW, "new")             /* first seen in this job, or flaky before and now reproducible */              \
	CHANGE(REGRESSED, "regressed") /* it was fixed, and fails again */                                             \
	CHANGE(FIXED, "fixed")         /* it failed before, and does not fail any more */              \
	CHANGE(UNCHANGED, "unchanged") /* it failed before, and still does as far as anyone knows */                   \
	CHANGE(CLOSED, "closed")       /* fixed before this job, not-a-bug, or unsupported */

enum change {
#define X(name, text) CHANGE_##name,
	CHANGES(X)
#undef X
	    CHANGE_COUNT
};

const char *change_name(enum change c);
/* The change from one status to another. before STATUS_NONE: the job found it. */
enum change change_of(enum status before, enum status after);

/* The outcome of running a finding's model again. */
enum recheck_outcome {
	RECHECK_REPRODUCES,     /* fails as stored, each time */
	RECHECK_NOT_REPRODUCED, /* never fails */
	RECHECK_FLAKY,          /* fails sometimes */
	RECHECK_DIFFERENT,      /* fails in another way, each time */
	RECHECK_INCONCLUSIVE,   /* the reference rejected the model, or a worker ended */
	RECHECK_COUNT
};

const char *recheck_name(enum recheck_outcome o);
/* The status that follows, by the table above. A different failure leaves the status alone, but reopens a fixed finding;
 * an inconclusive recheck leaves it alone. */
enum status status_after(enum status s, enum recheck_outcome o);

/* The class of a failure, by the verdict's name and the stage that the target was in. */
const char *failure_class(const char *kind, const char *stage);

#endif
