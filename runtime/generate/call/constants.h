/* Makes constants of some of a finished model's inputs: weights, as compilers are given them. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include "gen.h"

/* Of what real models have as weights, as many as g->initializers says. Each result of the model still depends on an
 * input that is fed, and so does what each node takes, but for nodes whose users all take something else that does.
 * Where the rules accept it a constant becomes one of few elements: one, or as many as one dimension. False: out of
 * memory. */
bool gen_make_constants(gen *g);

#endif
