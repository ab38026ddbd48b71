/* What `rulefuzz coverage` reports about a set of models; coverage_text.h and coverage_html.h write it. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metrics.h"

/* One of Isra's metrics, and what its paper reports for 10,000 models of 1 to 200 operators. */
typedef struct coverage_metric {
	const char *key, *name, *meaning;
	size_t place; /* of its double in metrics_isra */
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
	const char *framework, *corpus, *source; /* of the models: one line */
	uint32_t operators;			 /* of the table that belong to the corpus */
	uint32_t samplers[METRICS_SAMPLERS];	 /* of these operators */
	const metrics_type **types;		 /* ntypes, by name */
	uint32_t ntypes;
	const char *passes; /* what passes of a compiler did, in the report's language; NULL: not asked */
} coverage;

/* Types of the corpus that saw a dtype, a rank. */
uint32_t coverage_types_of_dtype(const coverage *c, unsigned dtype);
uint32_t coverage_types_of_rank(const coverage *c, unsigned rank);
uint32_t coverage_types_of_zero(const coverage *c);
uint32_t coverage_types_of_one(const coverage *c);

/* Fills types; false when out of memory. */
bool coverage_sort(coverage *c);

#endif
