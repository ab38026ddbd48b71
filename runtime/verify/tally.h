/* How often rules were right on live calls: rates with confidence intervals, by stratum.
 *
 *   precision   of the inputs that the rule called valid, how many were
 *   recall      of the inputs that were valid, how many the rule called so
 *   right       of the inputs that were called valid and were, how many came out as predicted
 *
 * The inputs of one operator are answered by one rule: ten wrong answers of one operator say less of
 * the table than ten of as many. The intervals therefore treat operators as the clusters of a cluster
 * sample: the design effect is the variance of the rate as a ratio of sums over operators, by that
 * of as many independent inputs (at least 1), and Wilson's score interval is taken at the number of
 * inputs divided by it. Where all answers are alike nothing can be estimated, and the number of
 * operators stands for the number of inputs: as if each operator's answers were one.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stdint.h>

enum stratum {
	STRATUM_TOTAL,
	STRATUM_ORDINARY, /* none of the next three */
	STRATUM_ZERO,	  /* a dimension of an input tensor is 0 */
	STRATUM_RANK4,	  /* an input tensor of rank 4 or more */
	STRATUM_RANK0,	  /* of rank 0 */
	STRATUM_THIN,	  /* the rule rests on few records: generators do not use it */
	STRATUM_PLAIN,	  /* a sample or a mutant */
	STRATUM_JOINT,	  /* a joint move */
	STRATA
};
enum measure { PRECISION, RECALL, RIGHT, MEASURES };

extern const char *const STRATUM_NAMES[STRATA], *const MEASURE_NAMES[MEASURES];

/* Inputs by what the rule said and what the call did. */
typedef struct counts {
	uint32_t both, said_only, was_only, neither; /* valid */
	uint32_t right; /* of both: with the predicted outputs */
} counts;

/* Sums over the operators: hits x and inputs n of a rate, and what its variance needs. */
typedef struct sums {
	double x, n, xx, xn, nn;
	uint32_t clusters; /* operators with n > 0 */
} sums;

typedef struct rate {
	double value, low, high; /* 0 … 1; without inputs 0, 0 and 1 */
	double inputs, hits, effect;
} rate;

typedef struct tally {
	counts all[STRATA];
	sums sums[STRATA][MEASURES];
} tally;

/* Adds the counts of one operator (all strata). */
void tally_add(tally *t, const counts *operator_counts);
rate tally_rate(const tally *t, enum stratum s, enum measure m);

/* Wilson's 95 % interval for hits of n (n need not be whole). */
void wilson(double hits, double n, double *low, double *high);
rate sums_rate(const sums *s);
void sums_add(sums *s, double hits, double n);

#endif
