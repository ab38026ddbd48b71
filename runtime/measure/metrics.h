/* Diversity of a set of models, counted model by model: Isra's eleven metrics (section 4.3), operator-level coverage
 * (graph-based fuzz testing, section III.B), and shares by dtype and rank.
 *
 *   model ──► metrics_add ──► types     a row per API: nodes, distinct degrees, successors, vectors
 *                         ├─► keys      one set of hashes: items seen in all models
 *                         └─► sums      over models (NOO, NOT …), over tensors (dtypes, ranks)
 *
 * The type of an operator is its API. Its in-degree is its number of input tensors, its out-degree the number of uses of
 * its outputs. An edge leads from the producer of a tensor to each user. docs/reference/metrics.md defines each figure.
 * Distinct items are counted by 64-bit hashes.
 *
 * The cost of a model is the sum, over its edges, of the in-degrees at both ends; no memory is allocated once the sets have
 * grown. Counts are integers, the same on every machine; only metrics_sum and metrics_olc compute floating-point numbers.
 */
#ifndef METRICS_H
#define METRICS_H

#include "graph.h"

enum metrics_olc { METRICS_OTC, METRICS_IDC, METRICS_ODC, METRICS_SEC, METRICS_SPC, METRICS_OLC_PARTS };

enum { METRICS_RANKS = 17, METRICS_SAMPLERS = RS_SAMPLER_DIRECT + 1, METRICS_POINTS = 128 };

typedef struct metrics_options {
	uint32_t maxspc;		     /* vectors of an operator that count as 100 %; 0: 200 */
	uint32_t weights[METRICS_OLC_PARTS]; /* weights of formulas 6 and 7; all 0: all 1 */
	uint32_t out_low, out_high; /* possible out-degrees of a type; 0 and 0: 0 to 5 */
} metrics_options;

/* Counts of one API. `corpus`: it counts in the averages. */
typedef struct metrics_type {
	const char *api;
	uint64_t nodes;
	bool corpus;
	uint32_t in_possible, out_possible; /* number of possible degrees; in_possible 0: unknown */
	uint32_t in_seen, out_seen;	    /* covered ones of these */
	uint32_t in_all, out_all;	    /* distinct ones seen, possible or not */
	uint32_t successors;		    /* distinct types of the corpus that use its outputs */
	uint32_t doubles; /* distinct pairs (b, c) of the corpus in a path a → b → c from it */
	uint32_t vectors; /* distinct vectors of input shapes and attributes */
	uint32_t dtypes;  /* bits: dtypes of its input and output tensors */
	uint32_t ranks;	  /* bits: ranks; the last, METRICS_RANKS - 1, stands for that rank and all above */
	bool zero, one;	  /* a tensor has a dimension of 0, of 1 */
} metrics_type;

/* Numbers of tensors, and of nodes with such an input or output. */
typedef struct metrics_share {
	uint64_t tensors, nodes;
} metrics_share;

typedef struct metrics_sums {
	uint64_t models, nodes, outside; /* outside: nodes whose type is not in the corpus */
	uint64_t edges, paths;		 /* edges between nodes; paths a → b → c */
	uint64_t types, pairs, triples;	 /* NOT, NOP, NTR: distinct in a model, summed over models */
	uint64_t vectors, typed_vectors; /* NSA; the same with types distinguished */
	uint64_t tensors, inputs;	 /* inputs: model inputs among the tensors */
	metrics_share dtypes[RS_DTYPE_COUNT], ranks[METRICS_RANKS], zero, one;
	uint64_t samplers[METRICS_SAMPLERS]; /* nodes by enum rs_sampler of their signature */
} metrics_sums;

/* Isra's averages over the corpus. OTC, IDC, SEC and DEC in percent, the others are counts. */
typedef struct metrics_isra {
	double otc, idc, odc, sec, dec, spc;
	double noo, types, nop, ntr, nsa; /* per model */
} metrics_isra;

/* Operator-level coverage: each share in 0 … 1, and their weighted mean. */
typedef struct metrics_coverage {
	double part[METRICS_OLC_PARTS], olc;
} metrics_coverage;

/* The coverage after a number of models. */
typedef struct metrics_point {
	uint64_t models;
	metrics_isra isra;
	double olc;
} metrics_point;

typedef struct metrics metrics;

/* ---- create, destroy */

metrics *metrics_new(const metrics_options *options); /* NULL: out of memory */
void metrics_free(metrics *m);			      /* accepts NULL */

/* Restricts the corpus to the named APIs; call them before the first model. Without them every API that occurs joins the
 * corpus. A call adds one possible degree of the API; after an out-degree is named, the options' out-degrees no longer
 * apply to that API. False: out of memory. */
bool metrics_corpus(metrics *m, const char *api);
bool metrics_corpus_in(metrics *m, const char *api, uint32_t degree);
bool metrics_corpus_out(metrics *m, const char *api, uint32_t degree);

/* ---- count */

/* Counts one more model. False: out of memory; all counts are then invalid. */
bool metrics_add(metrics *m, const graph *g);

/* ---- ask */

/* All APIs of the corpus and the models, in the order of first occurrence. Valid until the next change of m. */
const metrics_type *metrics_types(const metrics *m, uint32_t *n);
const metrics_options *metrics_get_options(const metrics *m); /* with the defaults filled in */
uint32_t metrics_corpus_size(const metrics *m);
const metrics_sums *metrics_get_sums(const metrics *m);
metrics_isra metrics_get_isra(const metrics *m);
metrics_coverage metrics_type_coverage(const metrics *m, const metrics_type *t);
metrics_coverage metrics_get_coverage(const metrics *m);

/* At most METRICS_POINTS points, each a sixth further than the last; the final one is the current state. */
uint32_t metrics_growth(const metrics *m, metrics_point *points);

#endif
