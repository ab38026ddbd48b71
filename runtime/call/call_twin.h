/* Twins: a function and a method with one name and the same parameters, as torch.std(input, …) and torch.Tensor.std(self, …). What
 * is known of one is known of the other. */
#ifndef CALL_TWIN_H
#define CALL_TWIN_H

#include "api_signatures.h"

enum { TWINS_MOST = 4 };

/* A call as calls of the twins of its API. Returns how many. */
unsigned call_twins(const call *c, arena *memory, call out[TWINS_MOST]);

#endif
