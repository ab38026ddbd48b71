/* How a run is going, as one line: models a second, how many the target accepts, how many are valid, findings, how many of
 * the operators were in models, and how long it may take.
 *
 *   120 s: 4,220 models, 35.2/s, 97.1 % accepted, 99.6 % valid, 3 new findings, 61.0 % of 6262 operators, 8 min left
 *
 * On a terminal the line is rewritten twice a second; elsewhere, as in a job's log, one is added now and then. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "buf.h"
#include "rulesmith.h"
#include "runs.h"

#define PROGRESS_SECONDS 60.0 /* between the lines of a log */

typedef struct progress {
	double every;	 /* seconds; 0: none */
	bool rewrite;	 /* the line stands in place of the last one */
	double drawn;	 /* clock of the last line */
	uint8_t *seen;	 /* operators of the table, a bit each; NULL: they are not counted */
	const rs_table *table;
	uint32_t operators; /* that were seen */
} progress;

/* seconds: 0: none; below 0: as it fits standard error. Without memory operators are not counted. */
void progress_open(progress *p, double seconds, const rs_table *table);
void progress_close(progress *p); /* takes a line that stands away */

/* The operators of a model that was judged. */
void progress_see(progress *p, const rs_graph *model);

/* What there is to do: the time and models of this part, as far as they are limited. */
typedef struct progress_goal {
	double elapsed, seconds;     /* seconds: 0: no limit */
	uint64_t models, all_models; /* of this part; all_models: UINT64_MAX: no limit */
} progress_goal;

void progress_line(const progress *p, const run_row *r, const progress_goal *g, buf *out);
void progress_draw(progress *p, const run_row *r, const progress_goal *g, double now);
void progress_clear(const progress *p); /* before something else is written to standard error */

#endif
