/* Shape assignments of a finished model: other sizes of what it is fed for which every call's rule accepts, with all
 * constants, weights and attributes as they are. A compiler is given the model once, with those dimensions as symbols,
 * and runs all of them (docs/explanation/models.md). */
#ifndef ASSIGN_H
#define ASSIGN_H

#include "gen.h"

struct assigner; /* scratch, kept from model to model */

/* Looks for as many assignments as g->assignments says, the model's own among them, in a bounded number of tries, and
 * notes them in the model where there are so many; else nothing of it changes. False: out of memory. */
bool gen_assign(gen *g);
void gen_assign_close(gen *g);

#endif
