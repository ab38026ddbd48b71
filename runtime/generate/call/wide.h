/* Wide integers: model inputs with elements beyond 2^24 or 2^31, which targets that compute in float32 or int32 lose. */
#ifndef WIDE_H
#define WIDE_H

#include "graph.h"
#include "rng.h"

/* Gives an integer input of 32 or 64 bits a range of wide integers, and the class of finite elements; also a float input of
 * these widths if the call turns it into integers of 64 bits (to_long). False: the dtype has none. */
bool wide_make(graph_tensor *t, bool to_long, rng *r);

#endif
