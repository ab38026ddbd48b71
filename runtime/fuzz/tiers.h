/* Several targets of one worker, cheap ones first: what each has had of the models, and whose turn it is.
 *
 *   model ──► reference ──► tier 1 ──agrees──► tier 2 ──agrees──► …
 *                           always             while it has had less than its share of the processor time
 *
 * A refusal is no fault: the next tier has its turn. A model's verdict is that of the first tier that fails, else of the
 * last that does not refuse.
 */
#ifndef TIERS_H
#define TIERS_H

#include "buf.h"
#include "verdict.h"

enum { MOST_TIERS = 16, TIER_NAME = 80 };

typedef struct tier {
	char name[TIER_NAME];
	/* models = unsupported + compared + failed + those with no verdict on the target */
	int64_t models, unsupported, compared;
	int64_t inconsistent; /* of the compared */
	int64_t failed;	      /* an error, crash, hang … */
	int64_t operators;    /* in compared models */
	double cpu;	   /* seconds of the target and of what it started */
} tier;

typedef struct tiers {
	int n; /* 1 or 0: there is nothing to choose */
	tier tier[MOST_TIERS];
} tiers;

/* Of names with commas between. False: too many, or one that is too long. */
bool tiers_init(tiers *t, const char *names);
/* A model of so many operators was judged. */
void tiers_count(tiers *t, const judgement *j, uint32_t operators);
/* Adds those whose turn it is, as a JSON list: the first, and those behind it that have not had an equal share. */
void tiers_choose(const tiers *t, buf *to);

#endif
