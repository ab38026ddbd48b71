/* Inserts one call of a chain as a call of the index. */
#ifndef CHAIN_CALL_H
#define CHAIN_CALL_H

#include "chains.h"
#include "gen.h"

/* What a chain keeps of its record when it is inserted. */
typedef struct chain_plan {
	bool attributes; /* prefers the recorded attributes */
	bool elements;	 /* prefers the recorded elements of constants */
	bool ranks;	 /* prefers the recorded ranks */
	bool dtypes;	 /* prefers the recorded dtypes */
	bool shapes;	 /* prefers the recorded sizes of 1, and the recorded equalities of sizes */
	bool reorder;	 /* may exchange the first two operands of a call */
} chain_plan;

/* Inserts the node of a chain. map: from the chain's tensors to the model's, GRAPH_NONE for those without; the node's outputs
 * and new inputs are added. False: no signature fits the tensors, or g->failed. */
bool chain_insert_call(gen *g, const chain_line *c, uint32_t node, const chain_plan *plan, uint32_t *map);

/* The same with a call of another API of as many tensors. */
bool chain_insert_other(gen *g, const chain_line *c, uint32_t node, const chain_plan *plan, uint32_t *map);

#endif
