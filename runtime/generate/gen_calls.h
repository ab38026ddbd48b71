/* The strategy "calls": models of one call each, one for every signature and dtype combination, in an order that visits
 * every API before it visits one again. Runs use them to probe the support of a backend (fuzz/capabilities.h). */
#ifndef GEN_CALLS_H
#define GEN_CALLS_H

#include "gen.h"

extern const gen_strategy calls_strategy;

#endif
