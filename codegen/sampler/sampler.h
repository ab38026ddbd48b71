/* The sampler of a rule (docs/explanation/rules.md): the order of its symbols, and the bounds of each. */
#ifndef SAMPLER_H
#define SAMPLER_H

#include "polynomial.h"
#include "rules_file.h"
#include "sampling.h"

enum sampler_way {
	SAMPLER_FORWARD,    /* Some tensors may be known. */
	SAMPLER_BOTH,	    /* The same order; outputs may be given instead. */
	SAMPLER_BACK_FIRST, /* The same order; outputs are given, and nothing is known. */
	SAMPLER_BACK_LAST,  /* Attributes, then tensors from the last one. The first one is solved for. */
};

static inline bool sampler_is_forward(enum sampler_way way)
{
	return way == SAMPLER_FORWARD || way == SAMPLER_BOTH;
}

enum sampler_kind {
	STEP_LOW,  /* symbol >= e */
	STEP_HIGH, /* symbol <= e */
	STEP_HINT, /* e is a candidate */
	STEP_TEST, /* e must hold */
};

enum { SAMPLER_CONDITIONS = 3, SAMPLER_NEEDS = 8 };

typedef struct sampler_step {
	enum sampler_kind kind;
	const expr *e;
	const expr *when[SAMPLER_CONDITIONS]; /* comparisons; the step applies if all hold */
	uint16_t needs[SAMPLER_NEEDS];	      /* symbols that must be known, or outputs that must be given */
	uint8_t nwhen, nneeds;
	bool implied; /* implied by the clauses: a test that fails earlier */
} sampler_step;

typedef struct sampler_symbol {
	unsigned symbol;
	bool dimension;
	sampler_step *steps; /* bounds, hints, then tests */
	unsigned nsteps;
} sampler_symbol;

/* The symbols of its expressions are s0 …, then the output dimensions, then the lowest value of each dimension. */
typedef struct sampler {
	unsigned nsym, nodim;
	sampler_symbol *order; /* nsym */
	bool whole;	       /* has all projections: a larger limit would not change it */
	unsigned *first;       /* nsym: the first symbol of its tensor, which is known with it; else itself */
} sampler;

#endif
