/* Where a campaign spends processor time.
 *
 *   all: rulefuzz, its workers, and their children
 *     ├─ start     of workers: imports, a first model
 *     ├─ triage    of failures: localisation, reduction, confirmation
 *     ├─ generate  models
 *     ├─ reference, target, judge   as workers report with their answers, for themselves and their children
 *     └─ supervision: the rest. Requests, answers, forks, memory checks, the database
 *
 * The overhead is judge and supervision, compared with the target.
 */
#ifndef SPENT_H
#define SPENT_H

#include <cjson/cJSON.h>

#include "buf.h"

typedef struct spent { /* seconds */
	double start, triage, generate, reference, target, judge;
	double all;
} spent;

/* Adds the stages of a worker's answer. answer NULL: the worker died or was killed in this stage, `seconds` after the request. */
void spent_take(spent *s, const cJSON *answer, const char *stage, double seconds);
double spent_supervision(const spent *s); /* the rest; never negative */
void spent_json(const spent *s, buf *to); /* an object */
/* One line without a newline: seconds, and the overhead in per cent of the target's time. */
void spent_text(const spent *s, buf *to);

#endif
