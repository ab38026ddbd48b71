/* Twins: a function and a method with one name and the same parameters, such as torch.std(input, …) and torch.Tensor.std(self,
 * …). Rules and records of one hold for the other. */
#ifndef CALL_TWIN_H
#define CALL_TWIN_H

#include "api_signatures.h"

enum { TWINS_MOST = 4 };

/* The same call for each twin of its API. Returns how many. */
unsigned call_twins(const call *c, arena *memory, call out[TWINS_MOST]);

#endif
