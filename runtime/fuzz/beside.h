/* Models that a campaign runs beside its own, such as calls to be probed. They run in batches as long as they have used less than
 * their share of the jobs' time. They have separate numbers, and a resumed run does not repeat them. */
#ifndef BESIDE_H
#define BESIDE_H

#include <stdint.h>

#include "rulesmith.h"
#include "tiers.h"
#include "verdict.h"

typedef struct beside {
	double share;	      /* of the jobs' time without triage, which has a share of its own */
	double seconds;	      /* of all jobs so far, the same */
	uint64_t next, count; /* the next model to be handed out, and the end of the range */
	bool probing;	      /* see judge */
	tiers *tiers;	      /* counted apart from the campaign's; NULL: every target runs every model */
	void *context;
	/* Makes the model of a number, once. One job at a time. */
	bool (*model)(void *context, uint64_t number, rs_graph *to);
	/* Called with each model and its judgement, one at a time. next: the first model that is not done. False and d end the
	 * campaign. May be NULL. */
	bool (*observe)(void *context, const rs_graph *model, const judgement *j, uint64_t next, diag *d);
} beside;

/* The first of n sources whose turn it is after this many seconds of all jobs, without triage; NULL: none. */
beside *beside_due(beside *all, int n, double seconds);

#endif
