/* Which samplers a rule gets: of the ways to derive one, and of the numbers of projections, those that fare
 * best in a trial; of equally good ones the smallest. */
#ifndef SAMPLER_CHOOSE_H
#define SAMPLER_CHOOSE_H

#include "sampler.h"

typedef struct sampler_pair {
	enum rs_sampler kind; /* RS_SAMPLER_RECORD: none is any good */
	sampler forward, back;
	bool one; /* forward is good backwards too; there is no back */
} sampler_pair;

sampler_pair sampler_choose(const rule_set *rules, const rule_op *op);

/* Whether samplers, as text, meet no dead end in further trials, in the box of this operator's records, which is another one
 * than that of the operator of the same rule that they were chosen for. */
bool sampler_is_direct(const rule_op *op, const char *forward, const char *back);

#endif
