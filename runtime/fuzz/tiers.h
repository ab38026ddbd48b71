/* Several targets of one worker, cheap ones first: their counts, and the choice of the targets to run.
 *
 *   model ──► reference ──► tier 1 ──agrees──► tier 2 ──agrees──► …
 *                           always if it has used less than its share of processor time
 *
 * A rejection is not a fault: the next tier runs. The verdict of a model is that of the first tier that fails, else of
 * the last tier that supports it.
 */
#ifndef TIERS_H
#define TIERS_H

#include "buf.h"
#include "verdict.h"

enum { MOST_TIERS = 16, TIER_NAME = 80 };

typedef struct tier {
	char name[TIER_NAME];
	/* models = unsupported + compared + failed + duplicates + those with no verdict on the target */
	int64_t models, unsupported, compared;
	int64_t duplicates; /* not compiled: a graph that differs only in sizes was compiled before */
	int64_t inconsistent; /* of the compared */
	int64_t failed;	      /* an error, crash, hang … */
	int64_t operators;    /* in compared models */
	double cpu;	   /* seconds of the target and its child processes */
} tier;

typedef struct tiers {
	int n; /* below 2: no choice */
	int always; /* the number of first tiers in which each model runs */
	tier tier[MOST_TIERS];
} tiers;

/* From names separated by commas. False: too many, or a name is too long. */
bool tiers_init(tiers *t, const char *names);
/* Counts a judged model with this number of operators. */
void tiers_count(tiers *t, const judgement *j, uint32_t operators);
/* Writes the tiers whose turn it is, as a JSON list: the first `always`, and later ones with less than an equal share of CPU time. */
void tiers_choose(const tiers *t, buf *to);

#endif
