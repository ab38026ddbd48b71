/* The versions that workers report ({"torch":"2.13.0",…}). A run has one version of each: if a framework is upgraded during a
 * campaign, the rest is another run. Names that only one side reports are ignored. */
#ifndef VERSIONS_H
#define VERSIONS_H

#include <stdbool.h>
#include <pthread.h>
#include <cjson/cJSON.h>

#include "diag.h"

/* The versions reported so far; shared by the threads of a run. */
typedef struct versions {
	pthread_mutex_t lock;
	cJSON *said; /* NULL: none yet */
	bool changed; /* something reported another version */
} versions;

void versions_init(versions *v);
void versions_free(versions *v);

/* Adds a report. False and d if a version changed ("torch was 2.12.1, now it is 2.13.0") or out of memory. */
bool versions_take(versions *v, const cJSON *said, diag *d);
/* Whether the versions agree with a JSON object; d as above if not. Anything that is not an object agrees. */
bool versions_agree(versions *v, const char *json, diag *d);

/* The reported version of a distribution or a backend: that of the longest name that it begins with, up to a '-', a ',' or the
 * end. tensorflow-cpu is reported as tensorflow. NULL: none. */
const char *versions_of(const cJSON *said, const char *name);

#endif
