/* The effects of a model's calls. A call whose operands are the tensors themselves (graph_node.direct) may write to them, so the
 * order of calls matters: later reads of a tensor, its base or another view get other elements. */
#ifndef EFFECTS_H
#define EFFECTS_H

#include "aliases.h"
#include "graph.h"

/* Whether an operand of a node is a copy. */
static inline bool effects_copies(const graph_node *n, unsigned input)
{
	return rs_writes(n->op, input) && !n->direct;
}
/* Whether a node changes an operand itself. */
bool effects_writes(const graph_node *n, unsigned input);
/* Whether a node changes any of its operands. */
bool effects_writes_any(const graph_node *n);
/* Whether any node does. */
bool effects_any(const graph *g);

/* Groups tensors that may share memory: group[i] is the first tensor of i's group. Room for g->ntensors. */
void effects_group(const graph *g, uint32_t *group);

/* Whether the elements of a tensor have an address each, and whether it is dense, as far as is known. */
bool effects_disjoint(const graph *g, uint32_t tensor);
bool effects_dense(const graph *g, uint32_t tensor);

/* Removes dead calls and inputs, as graph_remove_unused does. A call that writes to memory is live if a later live call
 * reads that memory, or if it is a result or an input of the model. False: out of memory. */
bool effects_remove_unused(graph *g);
/* Removes all nodes after a node (GRAPH_NONE: none), and all others but two; nothing may use their results. */
void effects_remove_after(graph *g, uint32_t node);

#endif
