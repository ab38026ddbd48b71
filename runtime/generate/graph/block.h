/* Chooses the next block of the corpus and the calls of its operators. */
#ifndef BLOCK_H
#define BLOCK_H

#include "graphing.h"

/* Inserts block number `at` of the topology. False: out of memory. */
bool gg_build_block(gen *g, uint32_t at);

#endif
