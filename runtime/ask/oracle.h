/* The oracle: a live framework that answers questions about calls, a process that speaks JSON lines (docs/reference/file-formats.md,
 * "Questions to a framework"). It answers each line with one object, in order. If it dies, the exchange ends with a message that
 * reports how; with restarts, it starts again, the question that killed it is lost, and the later ones are sent again. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <cjson/cJSON.h>

#include "diag.h"

typedef struct oracle oracle; /* one per thread */

typedef struct oracle_options {
	const char *command; /* run by `sh -c`; copied */
	double silence;	     /* seconds for one answer; 0: 600. The oracle bounds its calls itself */
	bool restarts;
} oracle_options;

/* It is started on first use. NULL: out of memory. */
oracle *oracle_new(const oracle_options *options);
/* Closes its input and gives it ten seconds to end. Accepts NULL. */
void oracle_free(oracle *o);

/* Called for each line in order with its answer, NULL if the question was lost. False and d end the exchange. */
typedef bool oracle_answer(void *user, int line, const cJSON *answer, diag *d);

/* Sends n lines without waiting for answers in between. With `whole` the lines belong together: none may be lost, and
 * after a death all are sent again. False and d if the oracle does not start, keeps dying, does not answer in time or answers
 * with something else than an object, or if take returned false. */
bool oracle_ask(oracle *o, const char *const *lines, int n, bool whole, oracle_answer *take,
    void *user, diag *d);

#endif
