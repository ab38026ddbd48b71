/* Trials of samplers, before they are printed. */
#ifndef SAMPLER_TRIAL_H
#define SAMPLER_TRIAL_H

#include "sampler.h"

/* Runs a sampler as the runtime does (sampler_program.h); d->s and d->known have nsym elements. */
bool sampler_run(const char *text, const rule_op *op, rs_draw *d);

enum { SAMPLER_CALLS = 48 };

/* A trial of samplers on calls similar to the signature's records. */
typedef struct sampler_trial {
	const rule_op *op;
	arena *memory;
	int64_t *values, *low, *high, *out, *calls;
	uint8_t *known, *wanted;
	bool *dimension; /* nsym */
	unsigned sides;	 /* of a call: at most so many tensors given and outputs wanted */
	rng random;
	unsigned ncalls, found; /* calls kept; found with nothing known */
	unsigned asked;		/* attempts since this was set to 0 */
} sampler_trial;

enum { SAMPLER_FRESH = 96 }; /* calls tried with nothing known */

void sampler_trial_open(sampler_trial *t, const rule_op *op, arena *a);
/* Switches to confirming trials: no dimension is 0, as in the default box, every tensor is given and every output
 * wanted. */
void sampler_trial_confirms(sampler_trial *t);
/* Appends the attributes' box: the only part of the signature's records that confirming trials use. */
void sampler_trial_box(buf *to, const rule_op *op);
/* The number of failed attempts, with nothing known and with each tensor known. */
unsigned sampler_try(sampler_trial *t, const char *text);
/* The same backward, from each output of the calls that were found, with dimensions up to `dimension`. */
unsigned sampler_try_back(sampler_trial *t, const char *text, int64_t dimension);

#endif
