/* The strategy "calls": models of one call each, one for every operator and row of dtypes, in an order that comes round
 * to every API before it comes to one again. What a target can do is learned from them (fuzz/capabilities.h). */
#ifndef GEN_CALLS_H
#define GEN_CALLS_H

#include "gen.h"

extern const gen_strategy calls_strategy;

#endif
