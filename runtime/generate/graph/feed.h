/* Tensors into the inputs of a call: directly, converted, aggregated. */
#ifndef FEED_H
#define FEED_H

#include "graphing.h"

/* The shape that the model's inputs share, from its end: those of rank 2 have its last two
 * dimensions. Equal shapes meet again in calls of two tensors. One of a few without TSM (section
 * V.C). */
void gg_draw_base(gen *g);
/* Before each call; a tensor gets no more than its share of the model's elements. */
void gg_begin_step(gen *g);
/* Numbers for a call none of whose inputs is fed. */
bool gg_sample_source(gen *g, trial *t);
/* PM, and TSM for what is not fed: draws numbers again until their vector is new. */
void gg_redraw(gen *g, trial *t, bool fed);
/* A second tensor for one of a trial's open inputs, where the rule accepts it. */
bool gg_feed_directly(gen *g, trial *t, uint32_t tensor);
/* Another tensor by conversion, into any of the open inputs. */
bool gg_feed_converted(gen *g, trial *t, uint32_t tensor);
/* One tensor of two; GRAPH_NONE: no operator was found that takes both. */
uint32_t gg_aggregate(gen *g, uint32_t a, uint32_t b);
/* What the operators of the index take and give, into w->ways and w->takers. */
bool gg_list_ways(const gen *g, graphing *w);

#endif
