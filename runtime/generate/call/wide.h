/* Wide integers: elements of inputs beyond 2^24 or 2^31. A target that computes in float32 or int32 loses them. */
#ifndef WIDE_H
#define WIDE_H

#include "graph.h"
#include "rng.h"

/* Gives an integer input of 32 or 64 bits a range of wide integers, and the class of finite elements. to_long: the call converts
 * floats to int64, so a float input of 32 or 64 bits gets a range, too. False: the dtype has none. */
bool wide_make(graph_tensor *t, bool to_long, rng *r);

#endif
