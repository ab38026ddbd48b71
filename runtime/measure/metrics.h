/* How diverse a set of models is, counted model by model: Isra's eleven metrics (section 4.3),
 * graph-fuzz's operator-level coverage (section III.B), and shares by dtype and rank.
 *
 *   model ──► metrics_add ──► types     a row an API: nodes, distinct degrees, successors, vectors
 *                         ├─► keys      one set of hashes: what was seen before, over all models
 *                         └─► sums      over models (NOO, NOT …), over tensors (dtypes, ranks)
 *
 * An operator's type is its API. Its in-degree is its number of input tensors; its out-degree the
 * number of uses of its outputs; an edge leads from the node that made a tensor to each that uses
 * it. docs/reference/metrics.md defines each figure. Everything that is distinct is counted by 64-bit hashes.
 *
 * Counting a model costs the sum over its edges of the in-degrees at both ends, and no memory once
 * the sets have grown. The counts are integers, the same on every machine; only what metrics_sum and
 * metrics_olc make of them is floating-point.
 */
#ifndef METRICS_H
#define METRICS_H

#include "graph.h"

enum metrics_olc { METRICS_OTC, METRICS_IDC, METRICS_ODC, METRICS_SEC, METRICS_SPC, METRICS_OLC_PARTS };

enum { METRICS_RANKS = 17, METRICS_SAMPLERS = RS_SAMPLER_DIRECT + 1, METRICS_POINTS = 128 };

typedef struct metrics_options {
	uint32_t maxspc;		     /* vectors of an operator that count as all; 0: 200 */
	uint32_t weights[METRICS_OLC_PARTS]; /* of formulas 6 and 7; all 0: all 1 */
	uint32_t out_low, out_high; /* out-degrees that a type may have; 0 and 0: 0 to 5 */
} metrics_options;

/* One API. `corpus`: counts in the averages. */
typedef struct metrics_type {
	const char *api;
	uint64_t nodes;
	bool corpus;
	uint32_t in_possible, out_possible; /* degrees that it may have; in_possible 0: not known */
	uint32_t in_seen, out_seen;	    /* of these */
	uint32_t in_all, out_all;	    /* distinct ones seen, possible or not */
	uint32_t successors;		    /* distinct types of the corpus that use its outputs */
	uint32_t doubles; /* distinct pairs (b, c) of the corpus in a path a → b → c from it */
	uint32_t vectors; /* distinct vectors of input shapes and attributes */
	uint32_t dtypes;  /* bits: of its input and output tensors */
	uint32_t ranks;	  /* bits; the last, METRICS_RANKS - 1: that rank and all above */
	bool zero, one;	  /* a tensor with a dimension of 0, of 1 */
} metrics_type;

/* Of tensors, and of nodes that have such an input or output. */
typedef struct metrics_share {
	uint64_t tensors, nodes;
} metrics_share;

typedef struct metrics_sums {
	uint64_t models, nodes, outside; /* outside: nodes whose type is not of the corpus */
	uint64_t edges, paths;		 /* between two nodes; a → b → c */
	uint64_t types, pairs, triples;	 /* NOT, NOP, NTR: distinct in a model, summed over models */
	uint64_t vectors, typed_vectors; /* NSA; the same where types are told apart */
	uint64_t tensors, inputs;	 /* inputs: of models, among the tensors */
	metrics_share dtypes[RS_DTYPE_COUNT], ranks[METRICS_RANKS], zero, one;
	uint64_t samplers[METRICS_SAMPLERS]; /* nodes by their operator's enum rs_sampler */
} metrics_sums;

/* Isra's averages over the corpus; OTC, IDC, SEC and DEC in per cent, the others counts. */
typedef struct metrics_isra {
	double otc, idc, odc, sec, dec, spc;
	double noo, types, nop, ntr, nsa; /* a model */
} metrics_isra;

/* Operator-level coverage: each share in 0 … 1, and their weighted mean. */
typedef struct metrics_coverage {
	double part[METRICS_OLC_PARTS], olc;
} metrics_coverage;

/* What was reached after so many models. */
typedef struct metrics_point {
	uint64_t models;
	metrics_isra isra;
	double olc;
} metrics_point;

typedef struct metrics metrics;

/* ---- create, destroy */

metrics *metrics_new(const metrics_options *options); /* NULL when out of memory */
void metrics_free(metrics *m);			      /* NULL is fine */

/* Closes the corpus to the APIs named by these, before the first model; without them every API that
 * is met joins it. A call adds one degree that the API may have; once an out-degree is named, those
 * of the options no longer hold for that API. False when out of memory. */
bool metrics_corpus(metrics *m, const char *api);
bool metrics_corpus_in(metrics *m, const char *api, uint32_t degree);
bool metrics_corpus_out(metrics *m, const char *api, uint32_t degree);

/* ---- count */

/* One more model. False when out of memory; the counts are then of no use. */
bool metrics_add(metrics *m, const graph *g);

/* ---- ask */

/* Every API of the corpus or met, in the order of their first mention. Valid until the next call
 * that changes m. */
const metrics_type *metrics_types(const metrics *m, uint32_t *n);
const metrics_options *metrics_get_options(const metrics *m); /* with the defaults filled in */
uint32_t metrics_corpus_size(const metrics *m);
const metrics_sums *metrics_get_sums(const metrics *m);
metrics_isra metrics_get_isra(const metrics *m);
metrics_coverage metrics_type_coverage(const metrics *m, const metrics_type *t);
metrics_coverage metrics_get_coverage(const metrics *m);

/* At most METRICS_POINTS, each a sixth further than the one before; the last is the present state. */
uint32_t metrics_growth(const metrics *m, metrics_point *points);

#endif
