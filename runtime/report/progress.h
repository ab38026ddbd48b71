/* The progress of a run, as one line on standard error:
 *
 *   fuzzing, 120 s: 4,220 models (35.2/s), target accepts 97.1 %, reference 99.6 %, 3 new findings, 61.0 % of 6262
 *   signatures, reducing model 4219, 8 min left
 *
 * On a terminal the line is rewritten twice a second; elsewhere, as in a job's log, one is added every 30 s. A run has several
 * phases (probing, corpus replay, fuzzing), each with its own counts; seconds and findings are those of the whole command. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "buf.h"
#include "rulesmith.h"
#include "runs.h"

#define PROGRESS_SECONDS 30.0 /* between the lines of a log */

typedef struct progress {
	double every;	 /* seconds; 0: none */
	bool rewrite;	 /* the line replaces the last one */
	double *drawn;	 /* time of the last line */
	double own;	 /* used if there is only one phase */
	uint8_t *seen;	 /* signatures of the table, a bit each; NULL: they are not counted */
	const rs_table *table;
	uint32_t signatures; /* that were seen */
} progress;

/* seconds: 0: none; below 0: as it fits standard error. drawn: time of the last line, shared by the phases of a command so that
 * the interval holds across them; NULL: there is one phase. Set it to the current time at first. If memory runs out, signatures
 * are not counted. Do not move p. */
void progress_open(progress *p, double seconds, const rs_table *table, double *drawn);
void progress_close(progress *p); /* removes the line from a terminal */

/* Counts the signatures of a model that was run. */
void progress_see(progress *p, const rs_graph *model);

typedef struct progress_goal {
	const char *phase;	     /* NULL: there is one */
	double elapsed, seconds;     /* of the whole command; seconds: 0: no limit */
	double phase_elapsed;	     /* of this phase, as all below */
	uint64_t models, all_models; /* begun, and those there are; UINT64_MAX: no limit */
	int64_t ran;		     /* models run, with those of other sources beside them */
	bool last;		     /* no phase follows: the command ends when all models are run */
	int64_t found;		     /* new findings of the whole command */
	int64_t waiting;	     /* failures that wait for triage */
	const char *work;	     /* "reducing model 12"; "" or NULL: models are run */
} progress_goal;

void progress_line(const progress *p, const run_row *r, const progress_goal *g, buf *out);
void progress_draw(progress *p, const run_row *r, const progress_goal *g, double now);
void progress_clear(const progress *p); /* before something else is written to standard error */

#endif
