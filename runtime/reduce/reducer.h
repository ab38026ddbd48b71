/* Reduces a model step by step as long as it fails in the same way, which a callback checks.
 *
 *   best ──► nodes: the first sufficient prefix, then without each ──► numbers: dimensions, ranges, attributes
 *     ▲      ──► signatures ──► dtypes ──► constants ──► elements ──► again, until no smaller model fails the same way
 *     └── each step: another model by the rules ──► fails the same way? ──yes──► it is the best
 *
 * Equal numbers change together. If a rule rejects a call, the call's inputs change, too. Invalid and already tried models are
 * not run.
 */
#ifndef REDUCER_H
#define REDUCER_H

#include "graph.h"

typedef struct reducer {
	graph *best; /* numbered; replaced by each smaller model that fails the same way */
	arena *ops; /* for signatures that steps make; it must outlive best. NULL: none are made */
	const rs_table *table; /* for other signatures; NULL: none are tried */
	/* Whether a smaller model fails the same way. */
	bool (*alike)(void *context, const graph *smaller);
	/* Whether to continue. */
	bool (*goes_on)(void *context);
	void *context;
	/* Private to the reducer. */
	graph next, scratch;
	uint64_t *seen; /* hashes of models that were tried */
	bool failed;	/* out of memory */
} reducer;

/* Call it first, with the fields above filled. False: out of memory. Close it in any case. */
bool reducer_open(reducer *r);
void reducer_close(reducer *r);
/* Only removes nodes; forgets the models that were tried. */
void reducer_nodes(reducer *r);
/* Reduces in every way. True if no smaller model is left to try; false if goes_on or alike ended it, or r->failed. */
bool reducer_run(reducer *r);

#endif
