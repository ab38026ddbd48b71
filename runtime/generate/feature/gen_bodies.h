/* Marks runs of a finished model's calls that a file has as functions, branches or bodies of loops (bodies.h). The model stays
 * the graph that it was, but for the inputs that tell an If and a Loop. */
#ifndef GEN_BODIES_H
#define GEN_BODIES_H

#include "gen.h"

/* As many of the models as g->features says, by the numbers of each r alone. A run begins anywhere and goes on, for a drawn
 * number of calls, as long as each call takes something that the run made. What stands elsewhere as the same calls is the same
 * function once more. Comes behind graph_keep_unused. False: out of memory. */
bool gen_functions(gen *g, rng *r);
bool gen_subgraphs(gen *g, rng *r);

#endif
