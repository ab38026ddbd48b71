/* What the models of a run covered, and what is worth covering. */
#ifndef COVER_H
#define COVER_H

#include "graphing.h"

/* The API that made a tensor; NONE: an input of the model. */
uint32_t gg_maker(const gen *g, uint32_t tensor);
/* How often other nodes take its outputs. */
uint32_t gg_node_uses(const graph *m, uint32_t node);
/* Whether an API may take a tensor: by a rule for its type, or by a record of its very shape. */
bool gg_may_take(const gen *g, uint32_t api, uint32_t tensor);
/* Whether the edge was seen, or there is none to see: from an input of the model. */
bool gg_has_edge(const gen *g, uint32_t from, uint32_t to);
/* Whether any API takes one of a call's outputs by a rule. */
bool gg_leads_on(const gen *g, const index_op *o, const uint8_t *row, unsigned class);
/* How many of so many uses of a call could be by APIs that have not followed its own yet: over the
 * types of its outputs, the most. And what that is worth; the less, the longer its API got no new
 * successor: some of those whose type fits cannot be had. */
uint32_t gg_prospects(
    const gen *g, const index_op *o, const uint8_t *row, unsigned class, uint32_t uses);
uint64_t gg_worth_prospects(const gen *g, uint32_t api, uint32_t prospects);
/* What a call adds by new shapes and parameters, if it can still have such; by its in-degree too;
 * by an edge. In parts of OLC_ONE. */
uint32_t gg_worth_vector(const gen *g, uint32_t api);
uint32_t gg_worth_call(const gen *g, const index_op *o);
uint32_t gg_worth_edge(const gen *g, uint32_t from, uint32_t to);
/* A hash of an operator's symbols: its shapes and parameters but for those that are no integers. */
uint64_t gg_vector_of(const gen *g, const rs_op *op, const int64_t *v);
/* Out-degrees are known at the end of a model only. */
void gg_count_node(gen *g, uint32_t node, uint32_t uses);
void gg_count_edges(gen *g, uint32_t node);
/* Inserts a call and counts it at once, so that the next one does not add the same. Returns its
 * node, GRAPH_NONE when out of memory. */
uint32_t gg_commit(gen *g, trial *t);

#endif
