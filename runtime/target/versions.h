/* What workers said they are made of ({"torch":"2.13.0",…}), so that one run has one version of each: a framework may be
 * upgraded under a campaign, and what follows is then another run's. Names that only one side says do not count. */
#ifndef VERSIONS_H
#define VERSIONS_H

#include <stdbool.h>
#include <pthread.h>
#include <cjson/cJSON.h>

#include "diag.h"

/* What all that started until now said; shared by the threads of a run. */
typedef struct versions {
	pthread_mutex_t lock;
	cJSON *said; /* NULL: nothing yet */
	bool changed; /* something said another version since */
} versions;

void versions_init(versions *v);
void versions_free(versions *v);

/* Takes what one more says. False and d where a version is another than before: "torch was 2.12.1, now it is 2.13.0"; also
 * when out of memory. */
bool versions_take(versions *v, const cJSON *said, diag *d);
/* Whether what was said agrees with a JSON object; d likewise where not. What is no object agrees. */
bool versions_agree(versions *v, const char *json, diag *d);

#endif
