/* Dtype trials: calls with other dtypes that the collector made; traces/FRAMEWORK/DTYPES.tsv (traces/SCHEMA.md). */
#ifndef DTYPE_TRIALS_H
#define DTYPE_TRIALS_H

#include "diag.h"
#include "dtype_rule.h"

typedef struct dtype_trial {
	uint8_t kinds[DTYPE_SLOTS];
	const char *outputs; /* one letter per output dtype; NULL: rejected */
} dtype_trial;

typedef struct dtype_setting { /* the value of an argument without a slot, or a comparison of a tensor's rank with the
			        * first tensor's */
	const char *argument, *text;
} dtype_setting;

/* The trials of one recorded signature. */
typedef struct dtype_situation {
	const char *slots[DTYPE_SLOTS]; /* names of arguments; the items of a list share one */
	int nslots, nsettings, nout;
	dtype_setting *settings;
	dtype_trial *trials; /* sorted by kinds, distinct */
	int n;
} dtype_situation;

typedef struct dtype_api { /* its range of situations */
	const char *name;
	int from, n;
} dtype_api;

typedef struct dtype_trials {
	arena *memory;
	dtype_situation *situations;
	dtype_api *apis; /* sorted by name */
	int n, napis;
	size_t room, api_room;
	const char *codes; /* as in dtype_rule */
} dtype_trials;

/* Reads a table. False, with d filled ("path:line: error: …"), if it cannot be read or a line is malformed. Free t in
 * either case. */
bool dtype_trials_read(dtype_trials *t, const char *path, diag *d);
void dtype_trials_free(dtype_trials *t);

#endif
