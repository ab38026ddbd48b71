/* Cross-validation inside the records: how well do rules generalise?
 *
 * For each fold the records that fall into it are held out, the rules are learned from the others, and asked about those
 * that were held out. Folds are drawn by a hash of the record's symbols, so they are the same everywhere. Operators of which
 * nothing was held out do not count.
 */
#ifndef HOLDOUT_H
#define HOLDOUT_H

#include "pipeline.h"

/* SHARE(name, key in JSON, what is printed before the figure). HOLDOUT_RIGHT… count operators, once for each fold in which
 * something of them is held out; without a rule an operator is wrong. */
#define HOLDOUT_SHARES(SHARE)                                                                      \
	SHARE(PASSING, "passing", "passing accepted with the right output")                        \
	SHARE(PASSING_ALL, "passing_of_all", "counting operators without a rule")                  \
	SHARE(FAILING, "failing", "failing rejected")                                              \
	SHARE(WITH_RULE, "with_rule", "\n    operators with a rule")                               \
	SHARE(RIGHT, "right", "\n    right on every held-out record: of those with a rule")        \
	SHARE(RIGHT_ALL, "right_of_all", "of all")                                                 \
	SHARE(RIGHT_FAILING, "right_with_failing", "of those with a rule and failing ones")        \
	SHARE(RIGHT_FAILING_ALL, "right_with_failing_of_all", "of all with failing ones")

#define X(name, key, what) HOLDOUT_##name,
enum { HOLDOUT_SHARES(X) HOLDOUT_NSHARES };
#undef X

typedef struct holdout_share {
	long part, whole;
} holdout_share;

typedef struct holdout_framework {
	char *name;
	holdout_share fold[HOLDOUT_NSHARES]; /* of the last fold */
	holdout_share total[HOLDOUT_NSHARES];
	holdout_share right_throughout; /* operators right in every fold so far */
} holdout_framework;

typedef struct holdout {
	/* to be set */
	const char *const *traces;
	int ntraces, folds;
	pipeline_options pipeline;
	/* Called for an operator that was wrong, with a record of each kind: NULL: not wanted. */
	void (*wrong)(const operator *op, const rule *r, const int64_t *row, const char *kind);
	/* figures */
	holdout_framework *frameworks;
	int nframeworks, folds_run, nfates;
	struct holdout_fate *fates; /* one for each operator of the records */
	double seconds;		    /* of learning */
} holdout;

/* Runs one fold of h->folds; bad records are reported. False and d when there is nothing to learn from. */
bool holdout_fold(holdout *h, int fold, records_report *report, diag *d);
void holdout_free(holdout *h);

#endif
