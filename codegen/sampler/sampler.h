/* Derives how a rule is sampled (docs/sampling.md): in which order its symbols get values, and what
 * then bounds each.
 *
 * The order is Isra's (section 3.3.1): the first tensor's symbols, the attributes, the other tensors'.
 * A symbol is bounded by the clauses whose other symbols have values by then, solved for it, and by
 * projections: what clauses on later symbols imply for it, found by eliminating the later ones
 * (Fourier and Motzkin, with floors and divisibility). Wanted output dimensions are equations.
 */
#ifndef SAMPLER_H
#define SAMPLER_H

#include "polynomial.h"
#include "rules_file.h"
#include "sampling.h"

enum sampler_way {
	SAMPLER_FORWARD,    /* some tensors may be known */
	SAMPLER_BACK_FIRST, /* outputs are wanted, nothing is known; the same order */
	SAMPLER_BACK_LAST,  /* attributes, then tensors from the last: the first is solved for */
};

enum sampler_kind {
	STEP_LOW,  /* the symbol is at least e */
	STEP_HIGH, /* at most e */
	STEP_HINT, /* e is worth trying */
	STEP_TEST, /* e must hold */
};

enum { SAMPLER_CONDITIONS = 3, SAMPLER_NEEDS = 8 };

typedef struct sampler_step {
	enum sampler_kind kind;
	const expr *e;
	const expr *when[SAMPLER_CONDITIONS]; /* comparisons: where one fails, the step says nothing */
	uint16_t needs[SAMPLER_NEEDS];	      /* symbols or outputs that must be known or wanted */
	uint8_t nwhen, nneeds;
} sampler_step;

typedef struct sampler_symbol {
	unsigned symbol;
	bool dimension;
	sampler_step *steps; /* bounds, hints, then tests */
	unsigned nsteps;
} sampler_symbol;

/* In its expressions s0 … are symbols, then come the output dimensions, then each symbol's lowest
 * value (of dimensions only). */
typedef struct sampler {
	unsigned nsym, nodim;
	sampler_symbol *order; /* nsym */
} sampler;

/* With so many projections at most. Memory is the rules'. False when the operator is too wide. */
bool sampler_derive(const rule_set *rules, const rule_op *op, enum sampler_way way,
    unsigned projections, sampler *s);

/* The sampler interpreted; d->s and d->known have room for nsym. As rs_sample_fn. */
bool sampler_run(const sampler *s, const rule_op *op, rs_draw *d);

enum { SAMPLER_CALLS = 48 };

/* How samplers fare on calls like the operator's records. */
typedef struct sampler_trial {
	const rule_op *op;
	int64_t *values, *low, *high, *out, *calls;
	uint8_t *known, *wanted;
	rng random;
	unsigned ncalls, found; /* calls kept; found with nothing known */
} sampler_trial;

enum { SAMPLER_FRESH = 96 }; /* calls tried with nothing known */

void sampler_trial_open(sampler_trial *t, const rule_op *op, arena *a);
/* How many of the attempts fail, with nothing known and with each tensor known. */
unsigned sampler_try(sampler_trial *t, const sampler *s);
/* The same backwards, with each output of the calls that were found wanted. */
unsigned sampler_try_back(sampler_trial *t, const sampler *s);

/* The function's body in C; valid: the name of the rule's own function. */
void sampler_emit(buf *out, arena *scratch, const sampler *s, bool back, const char *valid);

#endif
