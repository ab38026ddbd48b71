/* What is held of a finding: its status, which a person sets or a recheck comes to; and the class that graph-based fuzz
 * testing gives to how a test ends (section IV-B, "Inference Runtime": model conversion failure, inference failure, data
 * comparison failure; a data comparison pass is no finding).
 *
 *   status        set by             met again in a run   recheck: it fails            recheck: it does not
 *   new           run                counted              stays                        fixed
 *   known         mark               counted              stays                        fixed
 *   fixed         mark, recheck      new                  new                          stays
 *   flaky         run, recheck       counted              new when it does each time   stays
 *   not-a-bug     mark               counted              stays                        stays
 *   unsupported   run, mark          counted              stays                        stays
 */
#ifndef STATUS_H
#define STATUS_H

#include <stdbool.h>

/* STATUS(name, text) */
#define STATUSES(STATUS)                                                                                              \
	STATUS(NEW, "new") STATUS(KNOWN, "known") STATUS(FIXED, "fixed") STATUS(FLAKY, "flaky")                       \
	    STATUS(NOT_A_BUG, "not-a-bug") STATUS(UNSUPPORTED, "unsupported")

enum status {
#define X(name, text) STATUS_##name,
	STATUSES(X)
#undef X
	    STATUS_NONE
};

const char *status_name(enum status s);
enum status status_parse(const char *name); /* STATUS_NONE for what is none */
const char *status_list(void);              /* "new, known, …", for messages */
/* Whether a status keeps a finding out of what is to be looked at: what is no bug, or none of the target's. */
bool status_is_settled(enum status s);

/* What running a finding's model again showed, each time or at times. */
enum recheck_outcome {
	RECHECK_FAILS, /* as it is stored */
	RECHECK_GONE,  /* never */
	RECHECK_FLAKY, /* at times */
	RECHECK_OTHER, /* it fails in another way, each time */
	RECHECK_UNCLEAR, /* nothing can be said: the reference refuses it, or ended */
};

const char *recheck_name(enum recheck_outcome o);
/* The status that follows, by the table above. Another failure leaves the status alone, but a fixed one is new;
 * what is unclear leaves it alone. */
enum status status_after(enum status s, enum recheck_outcome o);

/* The class of a failure by the verdict's name and the stage that the target was in. */
const char *failure_class(const char *kind, const char *stage);

#endif
