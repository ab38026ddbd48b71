/* Samplers as programs (samplercode.h), for trials and output. */
#ifndef SAMPLER_PROGRAM_H
#define SAMPLER_PROGRAM_H

#include "sampler.h"

/* The program's text, in the arena. NULL: it would need too large a stack. */
const char *sampler_program(arena *a, const sampler *s);

#endif
