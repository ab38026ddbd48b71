/* Samplers as C functions; what they call stands in sampling.h. */
#ifndef SAMPLER_EMIT_H
#define SAMPLER_EMIT_H

#include "sampler.h"

/* The function's body in C; valid: the name of the rule's own function. */
void sampler_emit(buf *out, arena *scratch, const sampler *s, bool back, const char *valid);

#endif
