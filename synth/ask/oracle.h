/* A framework that answers questions about calls: a process that speaks JSON lines (docs/traces.md, "The oracle").
 *
 * It may die. Then it is started again; the question that it died of is lost, those behind it are asked anew.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <cjson/cJSON.h>

#include "diag.h"

typedef struct oracle oracle; /* one a thread */

/* A process of `sh -c command`, not started before it is needed. */
oracle *oracle_new(const char *command);
void oracle_free(oracle *o);

/* Called for each line in order: what it was answered; NULL where the question was lost. */
typedef void oracle_answer(void *user, int line, const cJSON *answer);

/* Sends n lines, without waiting for one answer before the next line. With `whole` the lines belong together: none may
 * be lost, and after a death all are sent again. False and d when the oracle does not start, or does not stay. */
bool oracle_ask(oracle *o, const char *const *lines, int n, bool whole, oracle_answer *take, void *user, diag *d);

#endif
