/* Samplers as C functions; what they are written in stands in samplercode.h. */
#ifndef SAMPLER_EMIT_H
#define SAMPLER_EMIT_H

#include "sampler.h"

/* The function's statements in C. */
void sampler_emit(buf *out, arena *scratch, const sampler *s);

#endif
