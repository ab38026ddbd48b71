/* How often rules are right on live calls: rates with confidence intervals, by stratum.
 *
 *   precision   fraction of the inputs predicted valid that the framework accepts
 *   recall      fraction of the inputs that the framework accepts that are predicted valid
 *   right       fraction of the correctly accepted inputs with the predicted outputs
 *
 * All inputs of a signature are predicted by one rule, so they are not independent: ten wrong answers for one signature are
 * weaker evidence than one for each of ten. The intervals therefore treat signatures as clusters. The design effect is the
 * variance of the rate as a ratio of sums over signatures, divided by that of as many independent inputs, and at least 1.
 * Wilson's score interval is computed for the number of inputs divided by it. If all answers are equal, the variance cannot be
 * estimated, and the number of signatures replaces the number of inputs.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stdint.h>

enum stratum {
	STRATUM_TOTAL,
	STRATUM_ORDINARY, /* none of the next three */
	STRATUM_ZERO,	  /* an input tensor has a dimension of 0 */
	STRATUM_RANK4,	  /* an input tensor has rank 4 or more */
	STRATUM_RANK0,	  /* an input tensor has rank 0 */
	STRATUM_THIN,	  /* low support: generators do not use the rule */
	STRATUM_PLAIN,	  /* a sample or a mutant */
	STRATUM_JOINT,	  /* a joint move */
	STRATA
};
enum measure { PRECISION, RECALL, RIGHT, MEASURES };

extern const char *const STRATUM_NAMES[STRATA], *const MEASURE_NAMES[MEASURES];

/* Numbers of inputs by prediction (said) and outcome (was). */
typedef struct counts {
	uint32_t both, said_only, was_only, neither; /* predicted valid */
	uint32_t right; /* of `both`: with the predicted outputs */
} counts;

/* Sums over signatures: hits x and inputs n of a rate, and the terms of its variance. */
typedef struct sums {
	double x, n, xx, xn, nn;
	uint32_t clusters; /* signatures with n > 0 */
} sums;

typedef struct rate {
	double value, low, high; /* 0 … 1; without inputs 0, 0 and 1 */
	double inputs, hits, effect;
} rate;

typedef struct tally {
	counts all[STRATA];
	sums sums[STRATA][MEASURES];
} tally;

/* Adds the counts of one signature (all strata). */
void tally_add(tally *t, const counts *operator_counts);
rate tally_rate(const tally *t, enum stratum s, enum measure m);

/* Wilson's 95 % interval for hits of n; n need not be whole. */
void wilson(double hits, double n, double *low, double *high);
rate sums_rate(const sums *s);
void sums_add(sums *s, double hits, double n);

#endif
