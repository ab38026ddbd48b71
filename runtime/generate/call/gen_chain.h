/* Inserts calls that stand together in models of people. */
#ifndef GEN_CHAIN_H
#define GEN_CHAIN_H

#include "gen.h"

/* One step in so many as g->chain_share says: at the end of the model, of at most so many calls. What goes in is a tensor of
 * the model, where one has that very shape, or a new input. Returns how many calls were inserted; 0: none, or out of
 * memory (g->failed). */
uint32_t gen_insert_chain(gen *g, uint32_t most);

#endif
