/* How a rule is sampled (docs/explanation/rules.md): the order of its symbols, and the bounds of each. */
#ifndef SAMPLER_H
#define SAMPLER_H

#include "polynomial.h"
#include "rules_file.h"
#include "sampling.h"

enum sampler_way {
	SAMPLER_FORWARD,    /* some tensors may be known */
	SAMPLER_BOTH,	    /* or outputs wanted; the same order */
	SAMPLER_BACK_FIRST, /* outputs are wanted, nothing is known; the same order */
	SAMPLER_BACK_LAST,  /* attributes, then tensors from the last: the first is solved for */
};

static inline bool sampler_is_forward(enum sampler_way way)
{
	return way == SAMPLER_FORWARD || way == SAMPLER_BOTH;
}

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
	const expr *when[SAMPLER_CONDITIONS]; /* comparisons; the step applies if all hold */
	uint16_t needs[SAMPLER_NEEDS];	      /* symbols or outputs that must be known or wanted */
	uint8_t nwhen, nneeds;
	bool implied; /* by the clauses; a test that fails earlier than they do */
} sampler_step;

typedef struct sampler_symbol {
	unsigned symbol;
	bool dimension;
	sampler_step *steps; /* bounds, hints, then tests */
	unsigned nsteps;
} sampler_symbol;

/* Symbols of its expressions: s0 …, then the output dimensions, then the lowest value of each dimension. */
typedef struct sampler {
	unsigned nsym, nodim;
	sampler_symbol *order; /* nsym */
	bool whole;	       /* with all projections there are: more would not change it */
	unsigned *first;       /* nsym: the first symbol of its tensor, with which it is known; else itself */
} sampler;

#endif
