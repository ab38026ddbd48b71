/* Chooses the samplers of a rule: of all ways and limits on projections, the best in a trial; of equally good ones
 * the smallest. */
#ifndef SAMPLER_CHOOSE_H
#define SAMPLER_CHOOSE_H

#include "sampler.h"

typedef struct sampler_pair {
	enum rs_sampler kind; /* RS_SAMPLER_RECORD: none is good enough */
	sampler forward, back;
	bool one; /* forward works backward, too; there is no back */
} sampler_pair;

sampler_pair sampler_choose(const rule_set *rules, const rule_op *op);

/* Whether the samplers (as text) have no dead end in further trials in the box of this signature's records. It may
 * differ from the box of the signature that they were chosen for. */
bool sampler_is_direct(const rule_op *op, const char *forward, const char *back);

#endif
