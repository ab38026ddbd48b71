/* What `rulefuzz coverage` reports about a set of models, as text, JSON or a page with charts. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "buf.h"
#include "gen_index.h"
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
} coverage;

/* Types of the corpus that saw a dtype, a rank. */
uint32_t coverage_types_of_dtype(const coverage *c, unsigned dtype);
uint32_t coverage_types_of_rank(const coverage *c, unsigned rank);
uint32_t coverage_types_of_zero(const coverage *c);
uint32_t coverage_types_of_one(const coverage *c);

/* Fills types; false when out of memory. */
bool coverage_sort(coverage *c);

void coverage_print_text(const coverage *c, bool list, buf *out);
void coverage_print_json(const coverage *c, buf *out);
void coverage_print_html(const coverage *c, buf *out);

/* ---- the corpus: which APIs count, and which degrees each may have */

/* What a generator's index holds: its APIs, with the numbers of tensor inputs of their operators.
 * Counts the operators. */
bool coverage_corpus_index(coverage *c, metrics *m, const gen_index *x);

/* All of a set, also those that no generator can use. */
bool coverage_corpus_set(metrics *m, const char *set, const char *framework);

/* Lines `API [IN-DEGREES [OUT-DEGREES]]`, degrees as 1,2 or 0..5 or - (the table's, the options').
 * False and d. */
bool coverage_corpus_file(metrics *m, const char *path, diag *d);

#endif
