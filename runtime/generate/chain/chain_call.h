/* Inserts one call of a chain as a call of the index. */
#ifndef CHAIN_CALL_H
#define CHAIN_CALL_H

#include "chain_plan.h"

/* Inserts the node of a chain. map: from the chain's tensors to the model's, GRAPH_NONE for those without; the node's outputs
 * and new inputs are added. False: no signature fits the tensors, or g->failed. */
bool chain_insert_call(gen *g, const chain_line *c, uint32_t node, const chain_plan *plan, uint32_t *map);

/* The same with a call of another API with equally many tensors. */
bool chain_insert_other(gen *g, const chain_line *c, uint32_t node, const chain_plan *plan, uint32_t *map);

#endif
