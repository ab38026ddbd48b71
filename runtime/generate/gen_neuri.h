/* The strategy of NeuRI: hybrid concolic insertion, forward and backward (NeuRI, section 3.3). */
#ifndef GEN_NEURI_H
#define GEN_NEURI_H

#include "gen.h"

extern const gen_strategy neuri_strategy;

#endif
