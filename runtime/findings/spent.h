/* What a campaign spends processor time on.
 *
 *   all of it: rulefuzz, workers, and what these start
 *     ├─ start     of workers: imports, a first model
 *     ├─ triage    what follows on a failure, the run of all its tensors by the target first
 *     ├─ generate  models
 *     ├─ reference, target, judge   as workers tell with their answers, of what they and those they waited for took
 *     └─ supervision: the rest. Requests, answers, forks, looks at memory, what is stored
 *
 * Judging and supervision are what a user pays for beside the reference and the target: the overhead.
 */
#ifndef SPENT_H
#define SPENT_H

#include <cjson/cJSON.h>

#include "buf.h"

typedef struct spent { /* seconds */
	double start, triage, generate, reference, target, judge;
	double all;
} spent;

/* Adds what a worker's answer tells of stages; answer NULL: it died or was killed in this stage, so many seconds after it was
 * asked. */
void spent_take(spent *s, const cJSON *answer, const char *stage, double seconds);
double spent_supervision(const spent *s); /* of all that is none of the others; not below 0 */
void spent_json(const spent *s, buf *to); /* an object */
/* A line, without newline: seconds, and the overhead in per cent of the target's time. */
void spent_text(const spent *s, buf *to);

#endif
