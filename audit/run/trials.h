/* Samplers of the compiled table, run: docs/audit.md, Samplers. */
#ifndef AUDIT_TRIALS_H
#define AUDIT_TRIALS_H

#include "compiled.h"

enum { TRIALS_FORWARD = 64, TRIALS_BACK = 32 };

typedef struct trials {
	unsigned forward, dead;	    /* calls asked for with nothing known; dead ends */
	unsigned back, back_dead;   /* calls asked for with an output wanted that some call has */
	unsigned wrong;		    /* calls that `valid` refuses, or without the wanted output */
	char detail[300];	    /* of the first that is wrong */
} trials;

/* The same every time: seeded by the operator's name. */
trials trials_run(const rs_op *op, const audited_rule *r);

#endif
