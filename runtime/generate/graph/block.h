/* Which block of the corpus comes next, and which of its operators' calls. */
#ifndef BLOCK_H
#define BLOCK_H

#include "graphing.h"

/* Block number `at` of the topology. False when out of memory. */
bool gg_build_block(gen *g, uint32_t at);

#endif
