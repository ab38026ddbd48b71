/* The oracle: a live framework that answers questions about calls, a process that speaks JSON lines
 * (docs/reference/file-formats.md, "Framework oracle"). It answers each line with one object, in order.
 *
 * It may die. Without restarts that ends the exchange, with a message that says how it died. With
 * restarts it is started again: the question that it died of is lost, those behind it are asked anew.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <cjson/cJSON.h>

#include "diag.h"

typedef struct oracle oracle; /* one a thread */

typedef struct oracle_options {
	const char *command; /* run by `sh -c`; copied */
	double silence;	     /* seconds for one answer; 0: 600. The oracle bounds its calls itself */
	bool restarts;
} oracle_options;

/* Not started before it is needed. NULL: out of memory. */
oracle *oracle_new(const oracle_options *options);
/* It reads the end of its input, then has ten seconds to go. NULL is fine. */
void oracle_free(oracle *o);

/* Called for each line in order: what it was answered, NULL where the question was lost. False and
 * d end the exchange. */
typedef bool oracle_answer(void *user, int line, const cJSON *answer, diag *d);

/* Sends n lines, without waiting for one answer before the next line. With `whole` the lines belong
 * together: none may be lost, and after a death all are sent again. False and d when the oracle does
 * not start or does not stay, is silent for too long, answers what is no object, or take said so. */
bool oracle_ask(oracle *o, const char *const *lines, int n, bool whole, oracle_answer *take,
    void *user, diag *d);

#endif
