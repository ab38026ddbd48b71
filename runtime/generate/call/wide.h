/* Wide integers: elements of inputs beyond 2^24, 2^31 or 2^53, in the whole range of narrow dtypes, or beside an end of the dtype.
 * A target that computes in float32 or int32 loses them, and sums and products wrap around. */
#ifndef WIDE_H
#define WIDE_H

#include "graph.h"
#include "rng.h"

/* Gives an integer input of 8 to 64 bits a range of wide integers, and the class of finite elements. to_long: the call converts
 * floats to int64, so a float input of 32 or 64 bits gets a range, too. False: the dtype has none. */
bool wide_make(graph_tensor *t, bool to_long, rng *r);

#endif
