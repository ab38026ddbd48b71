/* Shape instances of a finished model: other input sizes that all calls accept with unchanged constants, weights and
 * attributes. A compiler gets the model once, with these dimensions as symbols, and runs all instances (docs/explanation/models.md). */
#ifndef ASSIGN_H
#define ASSIGN_H

#include "gen.h"

struct assigner; /* scratch, kept from model to model */

/* Searches g->assignments instances, the model's own included, with bounded work. If found, stores them in the model; else the
 * model is unchanged. False: out of memory. */
bool gen_assign(gen *g);
void gen_assign_close(gen *g);

#endif
