/* Coverage of the models of a run, and estimates of the remaining coverage. */
#ifndef COVER_H
#define COVER_H

#include "graphing.h"

/* The API that computes a tensor; NONE: a model input. */
uint32_t gg_maker(const gen *g, uint32_t tensor);
/* The number of uses of a node's outputs. */
uint32_t gg_node_uses(const graph *m, uint32_t node);
/* Whether an API can accept a tensor: by a rule for its type, or by a record of its exact shape. */
bool gg_may_take(const gen *g, uint32_t api, uint32_t tensor);
/* Whether the edge is covered, or there is none: from a model input. */
bool gg_has_edge(const gen *g, uint32_t from, uint32_t to);
/* Whether any API accepts one of the call's outputs by rule. */
bool gg_leads_on(const gen *g, const index_op *o, const uint8_t *row, unsigned class);
/* The maximum over the call's output types of the number of uses, up to a limit, by APIs that have not followed its API
 * yet; and the value of that. The value decreases the longer the API got no new successor, since some APIs of a fitting
 * type cannot be connected. */
uint32_t gg_prospects(
    const gen *g, const index_op *o, const uint8_t *row, unsigned class, uint32_t uses);
uint64_t gg_worth_prospects(const gen *g, uint32_t api, uint32_t prospects);
/* The value that a call adds by new shapes and parameters, if it can still have any; by its in-degree; by an edge. In units
 * of OLC_ONE. */
uint32_t gg_worth_vector(const gen *g, uint32_t api);
uint32_t gg_worth_call(const gen *g, const index_op *o);
uint32_t gg_worth_edge(const gen *g, uint32_t from, uint32_t to);
/* Hash of a signature's symbols: shapes and integer parameters. */
uint64_t gg_vector_of(const gen *g, const rs_op *op, const int64_t *v);
/* Counts out-degrees, which are known at the end of a model only. */
void gg_count_node(gen *g, uint32_t node, uint32_t uses);
void gg_count_edges(gen *g, uint32_t node);
/* Inserts a call and counts it immediately, so that the next one does not add the same. Returns the node; GRAPH_NONE: out
 * of memory. */
uint32_t gg_commit(gen *g, trial *t);

#endif
