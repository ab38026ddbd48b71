/* Turns some calls of a finished model into functions, branches or loop bodies of its file (bodies.h). The graph is
 * unchanged, except for the control inputs of If and Loop. */
#ifndef GEN_BODIES_H
#define GEN_BODIES_H

#include "gen.h"

/* Adds bodies to g->features per mille of the models; draws only from r. A body begins at a random node and extends for a
 * random number of calls, as long as each call takes a result of the body. Equal sequences of calls become the same
 * function. Call it after graph_keep_unused. False: out of memory. */
bool gen_functions(gen *g, rng *r);
bool gen_subgraphs(gen *g, rng *r);
/* Adds regions (bodies.h). Only for models without dynamic shapes whose calls do not write to memory that lives on. */
void gen_regions(gen *g, rng *r);

#endif
