/* Flags: calls get another constant argument that other calls of the operator have, such as count_include_pad=1. A flag is one if
 * pairs of signatures that differ in nothing else accept the same records with the same results: so the rule of the call still
 * holds. The pairs may be of other versions of the operator. */
#ifndef FLAGS_H
#define FLAGS_H

#include "gen.h"
#include "rng.h"

/* Gives some calls of a model a flag. False: out of memory. */
bool gen_add_flags(gen *g, rng *r);
void flags_close(gen *g);

#endif
