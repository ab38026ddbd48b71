/* The strategy of graph-based fuzz testing (graph-fuzz section III); gen_graph.c says how it works. */
#ifndef GEN_GRAPH_H
#define GEN_GRAPH_H

#include "gen.h"
#include "olc.h"

extern const gen_strategy graph_strategy;

/* What the models of the run so far cover; false where the generator has another strategy. */
bool gen_graph_coverage(const rs_gen *g, olc_report *r);

#endif
