/* Has some of a finished model's inputs lie in memory in another way than the usual: permuted (channels last among it),
 * in a larger buffer with a step, gaps or an offset, expanded, or as the very tensor that another input is. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "gen.h"

/* Of the inputs, constants included, as many as g->features.layouts says, by the numbers of `r` alone. Shapes, dtypes and
 * classes of elements stay, or become narrower, so that all rules hold; a call that writes to what it takes, or takes no gaps, has a copy.
 * False: out of memory. */
bool gen_lay_out(gen *g, rng *r);

#endif
