/* Connects tensors to the inputs of a call: directly, converted or aggregated. */
#ifndef FEED_H
#define FEED_H

#include "graphing.h"

/* Draws the shape that model inputs share, aligned at its end: inputs of rank 2 have its last two dimensions. So calls of
 * two tensors find equal shapes. Without TSM it is one of a few (section V.C). */
void gg_draw_base(gen *g);
/* Call before each call: limits tensors to their share of the model's elements. */
void gg_begin_step(gen *g);
/* Numbers for a call without connected inputs. */
bool gg_sample_source(gen *g, trial *t);
/* PM, and TSM for unconnected inputs: redraws numbers until their vector is new. */
void gg_redraw(gen *g, trial *t, bool fed);
/* Connects a second tensor to an open input of a trial, if the rule accepts it. */
bool gg_feed_directly(gen *g, trial *t, uint32_t tensor);
/* Connects another tensor by conversion to any open input. */
bool gg_feed_converted(gen *g, trial *t, uint32_t tensor);
/* Merges two tensors into one; GRAPH_NONE: no signature was found that takes both. */
uint32_t gg_aggregate(gen *g, uint32_t a, uint32_t b);
/* Collects the input and output types of all signatures in w->ways and w->takers. */
bool gg_list_ways(const gen *g, graphing *w);

#endif
