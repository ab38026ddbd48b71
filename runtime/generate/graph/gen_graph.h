/* The strategy of graph-based fuzz testing (section III); see gen_graph.c. */
#ifndef GEN_GRAPH_H
#define GEN_GRAPH_H

#include "gen.h"
#include "olc.h"

extern const gen_strategy graph_strategy;

/* The coverage of the run's models so far; false: the generator has another strategy. */
bool gen_graph_coverage(const rs_gen *g, olc_report *r);

#endif
