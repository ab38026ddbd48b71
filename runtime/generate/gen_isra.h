/* The strategy of Isra: node by node in topological order (Isra, sections 3.2 and 3.3). */
#ifndef GEN_ISRA_H
#define GEN_ISRA_H

#include "gen.h"

extern const gen_strategy isra_strategy;

#endif
