/* Gives some inputs of a finished model another memory layout: permuted (such as channels last), with steps, gaps or an
 * offset in a larger buffer, expanded, or as an alias of another input. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "gen.h"

/* Changes g->features.layouts per mille of the inputs, constants included; draws only from r. Shapes and dtypes stay, and
 * classes of elements stay or become narrower, so all rules hold. Calls that write to an input or need contiguous memory
 * get a copy. False: out of memory. */
bool gen_lay_out(gen *g, rng *r);

#endif
