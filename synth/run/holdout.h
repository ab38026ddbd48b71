/* Cross-validation on the records: how well do rules generalize?
 *
 * In each fold, rules are learned without the held-out records and then checked on them. A hash of a record's symbols
 * decides its fold, so folds are the same on every machine. Signatures without held-out records do not count.
 */
#ifndef HOLDOUT_H
#define HOLDOUT_H

#include "pipeline.h"

/* RATE(name, key in JSON, text printed before the figure). HOLDOUT_RIGHT… count signatures, once per fold in which
 * they have held-out records. A signature without a rule counts as wrong. */
#define HOLDOUT_RATES(SHARE)                                                                      \
	SHARE(PASSING, "passing", "accepted records with the right output")                        \
	SHARE(PASSING_ALL, "passing_of_all", "counting signatures without a rule")                  \
	SHARE(FAILING, "failing", "rejected records that the rule rejects")                                              \
	SHARE(WITH_RULE, "with_rule", "\n    signatures with a rule")                               \
	SHARE(RIGHT, "right", "\n    signatures right on every held-out record: with a rule")        \
	SHARE(RIGHT_ALL, "right_of_all", "all")                                                 \
	SHARE(RIGHT_FAILING, "right_with_failing", "with a rule and rejected records")        \
	SHARE(RIGHT_FAILING_ALL, "right_with_failing_of_all", "with rejected records")

#define X(name, key, what) HOLDOUT_##name,
enum { HOLDOUT_RATES(X) HOLDOUT_NRATES };
#undef X

typedef struct holdout_rate {
	long part, whole;
} holdout_rate;

typedef struct holdout_framework {
	char *name;
	holdout_rate fold[HOLDOUT_NRATES]; /* of the latest fold */
	holdout_rate total[HOLDOUT_NRATES];
	holdout_rate always_right; /* signatures that were right in every fold so far */
} holdout_framework;

typedef struct holdout {
	/* set by the caller */
	const char *const *traces;
	int ntraces, folds;
	pipeline_options pipeline;
	/* Called for each kind of wrong record of a signature, with an example; NULL: not called. */
	void (*wrong)(const operator *op, const rule *r, const int64_t *row, const char *kind);
	/* figures */
	holdout_framework *frameworks;
	int nframeworks, folds_run, nfates;
	struct holdout_fate *fates; /* one per signature of the records */
	double seconds;		    /* spent on learning */
} holdout;

/* Runs one fold of h->folds. Bad records are reported. False and d if no operator matches or the records cannot be
 * read. */
bool holdout_fold(holdout *h, int fold, records_report *report, diag *d);
void holdout_free(holdout *h);

#endif
