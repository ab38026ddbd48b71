/* Turns some inputs of a finished model into constants, such as the weights that compilers get. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include "gen.h"

/* Makes g->initializers per mille of the inputs constants that are weights in real models. Each result still depends on a model
 * input, and so do the inputs of each node, except for nodes whose users have another input that does. Some constants are reduced
 * to one element or one dimension if the rules accept that. False: out of memory. */
bool gen_make_constants(gen *g);

#endif
