/* How samplers fare, before they are printed. */
#ifndef SAMPLER_TRIAL_H
#define SAMPLER_TRIAL_H

#include "sampler.h"

/* The sampler as it is when it is compiled (sampler_program.h); d->s and d->known have room for nsym. */
bool sampler_run(const char *text, const rule_op *op, rs_draw *d);

enum { SAMPLER_CALLS = 48 };

/* How samplers fare on calls like the operator's records. */
typedef struct sampler_trial {
	const rule_op *op;
	arena *memory;
	int64_t *values, *low, *high, *out, *calls;
	uint8_t *known, *wanted;
	bool *dimension; /* nsym */
	unsigned sides;	 /* of a call: tensors given and outputs wanted at most each */
	rng random;
	unsigned ncalls, found; /* calls kept; found with nothing known */
	unsigned asked;		/* since this was 0 */
} sampler_trial;

enum { SAMPLER_FRESH = 96 }; /* calls tried with nothing known */

void sampler_trial_open(sampler_trial *t, const rule_op *op, arena *a);
/* From now on no dimension is 0, as in the box that callers ask for, and every tensor is given and every output wanted. */
void sampler_trial_confirms(sampler_trial *t);
/* Appends the attributes' box: all that trials which confirm a sampler take from the operator's records. */
void sampler_trial_box(buf *to, const rule_op *op);
/* How many of the attempts fail, with nothing known and with each tensor known. */
unsigned sampler_try(sampler_trial *t, const char *text);
/* The same backwards, with each output of the calls that were found wanted, and dimensions looked for up to one. */
unsigned sampler_try_back(sampler_trial *t, const char *text, int64_t dimension);

#endif
