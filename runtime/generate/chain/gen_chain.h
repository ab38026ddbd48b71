/* Inserts chains: calls that occur together in real models. */
#ifndef GEN_CHAIN_H
#define GEN_CHAIN_H

#include "gen.h"

/* With probability g->chain_share, inserts a chain at the end of a model with room for `left` calls; some chains exceed that. Its
 * input is a tensor of the model with exactly the recorded shape, or a new input. Returns the number of calls; 0: none, or out of
 * memory (g->failed). */
uint32_t gen_insert_chain(gen *g, uint32_t left);

#endif
