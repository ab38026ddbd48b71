/* What the collector saw of calls with other dtypes: traces/FRAMEWORK/DTYPES.tsv (traces/SCHEMA.md). */
#ifndef DTYPE_TRIALS_H
#define DTYPE_TRIALS_H

#include "diag.h"
#include "dtype_rule.h"

typedef struct dtype_trial {
	uint8_t kinds[DTYPE_SLOTS];
	const char *outputs; /* letters of their dtypes; NULL: rejected */
} dtype_trial;

typedef struct dtype_setting { /* an argument without a slot: its value; of a tensor: how its rank compares with the first one's */
	const char *argument, *text;
} dtype_setting;

/* The calls of one recorded signature. */
typedef struct dtype_situation {
	const char *slots[DTYPE_SLOTS]; /* items of a list share the argument */
	int nslots, nsettings, nout;
	dtype_setting *settings;
	dtype_trial *trials; /* sorted by kinds, no duplicates */
	int n;
} dtype_situation;

typedef struct dtype_api { /* its situations in the table */
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

/* Reads a table. False and d ("path:line: error: …"): it cannot be read, or a line is malformed. Free it in both cases. */
bool dtype_trials_read(dtype_trials *t, const char *path, diag *d);
void dtype_trials_free(dtype_trials *t);

#endif
