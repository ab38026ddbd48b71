/* Makes a model as small as it can be while it fails alike, step by step; whoever asks says whether it does.
 *
 *   best ──► nodes: the first that is enough, then without each ──► numbers: dimensions, ranges, attributes
 *     ▲      ──► call forms ──► dtypes ──► constants ──► elements ──► once more, until nothing smaller fails alike
 *     └── each step: another model by the rules ──► alike? ──yes──► it is the best
 *
 * Numbers that are equal move together; where a rule refuses, what the refused call takes moves along. A step that gives
 * no valid model, or one that was tried, costs no run.
 */
#ifndef REDUCER_H
#define REDUCER_H

#include "graph.h"

typedef struct reducer {
	graph *best; /* numbered; what fails alike takes its place */
	const rs_table *table; /* of the operators, for other forms of them; NULL: none are tried */
	/* Whether a smaller model fails alike. */
	bool (*alike)(void *context, const graph *smaller);
	/* Whether another may be tried. */
	bool (*goes_on)(void *context);
	void *context;
	/* The rest is the reducer's. */
	graph next, scratch;
	uint64_t *seen; /* hashes of what was tried */
	bool failed;	/* out of memory */
} reducer;

/* Before the first, with the fields before filled; false: out of memory. Close it in any case. */
bool reducer_open(reducer *r);
void reducer_close(reducer *r);
/* The first row alone; what was tried counts as not tried. */
void reducer_nodes(reducer *r);
/* All of it. True when nothing smaller is left to try, false when it does not go on before, or r->failed. */
bool reducer_run(reducer *r);

#endif
