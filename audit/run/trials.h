/* Executes the samplers of the compiled table. */
#ifndef AUDIT_TRIALS_H
#define AUDIT_TRIALS_H

#include "compiled.h"

enum { TRIALS_FORWARD = 64, TRIALS_BACK = 32 };

typedef struct trials {
	unsigned forward, dead;	    /* Calls without a wanted output, and dead ends among them. */
	unsigned back, back_dead;   /* Calls for an output that some call has, and dead ends among them. */
	unsigned wrong;		    /* Calls without the wanted output. */
	char detail[300];	    /* The first wrong call. */
} trials;

/* A call that the row's acceptance function rejects is a dead end. Deterministic: seeded by the signature's name. */
trials trials_run(sampler_run *run, const rs_op *op, const audited_rule *r);

#endif
