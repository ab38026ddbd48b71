/* The report of `rulefuzz coverage`; coverage_text.h and coverage_html.h write it. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metrics.h"

/* One of Isra's metrics, with the paper's figure for 10,000 models of 1 to 200 operators. */
typedef struct coverage_metric {
	const char *key, *name, *meaning;
	size_t place; /* offset of its double in metrics_isra */
	bool percent, per_model;
	double isra;
} coverage_metric;

enum { COVERAGE_ISRA = 11 };
extern const coverage_metric COVERAGE_METRICS[COVERAGE_ISRA];
double coverage_value(const metrics_isra *r, unsigned metric);

extern const char *const COVERAGE_PARTS[METRICS_OLC_PARTS]; /* "OTC" … */
extern const char *const COVERAGE_SAMPLERS[METRICS_SAMPLERS];
extern const char *const COVERAGE_RANKS[METRICS_RANKS]; /* "0" … "16+" */

/* Operator-level coverage of the paper's 400 models with 5, 10 and 15 blocks. */
extern const double COVERAGE_PAPER_OLC[2][3]; /* MCTS and mutations; random search */

typedef struct coverage {
	const metrics *m;
	metrics_options options;
	const char *framework, *corpus, *source; /* origin of the models, one line */
	uint32_t operators;			 /* signatures of the table in the corpus */
	uint32_t samplers[METRICS_SAMPLERS];	 /* of these signatures, by sampler */
	const metrics_type **types;		 /* ntypes, sorted by name */
	uint32_t ntypes;
	const char *passes; /* counts of compiler passes, in the report's format; NULL: not requested */
} coverage;

/* Numbers of types of the corpus with a dtype, with a rank. */
uint32_t coverage_types_of_dtype(const coverage *c, unsigned dtype);
uint32_t coverage_types_of_rank(const coverage *c, unsigned rank);
uint32_t coverage_types_of_zero(const coverage *c);
uint32_t coverage_types_of_one(const coverage *c);

/* Fills types. False: out of memory. */
bool coverage_sort(coverage *c);

#endif
