/* The summary at the end of `rulefuzz run`, as text or JSON. */
#ifndef RUN_SUMMARY_H
#define RUN_SUMMARY_H

#include <stdbool.h>

#include "buf.h"
#include "spent.h"
#include "store.h"
#include "runs.h"
#include "tiers.h"

typedef struct run_summary {
	const run_row *run;  /* Of the phase fuzzing, with all parts of a resumed run. */
	const char *db;
	const char *ended;   /* "done" or "stopped early" */
	const char *command; /* options for the next commands: " --db x.db" or "" */
	int64_t found; /* New findings of this command. */
	int64_t probing, replay; /* Of these, while probing and in corpus replay. */
	int64_t first; /* The lowest id of these. */
	int64_t duplicates; /* Of stored findings, in the phases before fuzzing. */
	int64_t waiting;    /* Failures of the backend that wait for triage. */
	const tiers *tiers; /* or NULL */
	const spent *cpu;
	bool verbose;
} run_summary;

/* Four lines; more with verbose or if failures wait. Counts of 0 are omitted. */
void run_summary_text(const run_summary *r, store *s, buf *to);
/* One object, "schema":2. */
void run_summary_json(const run_summary *r, store *s, buf *to);

#endif
