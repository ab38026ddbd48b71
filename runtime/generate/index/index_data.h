/* A rule table as generators ask it, built once (gen_index.h).
 *
 *   api ──► operators ──► inputs (first symbol, rank), dtype rows, usable records
 *   (api, rank)  ──► places: operator with a rule, input or output of that rank
 *   (api, shape) ──► places: operator without, record, input or output of exactly that shape
 *
 * Places are runs of one array; runs of a shape are found by 64-bit hashes. Whoever uses a place checks
 * what it needs (a dtype row, all of a shape), so that a wrong one costs a refused attempt only.
 */
#ifndef INDEX_DATA_H
#define INDEX_DATA_H

#include "arena.h"
#include "index_op.h"

typedef struct index_span {
	uint32_t first, count;
} index_span;

/* The inputs or outputs of a rank that an API's rules have, and the dtypes (bits) of any of them. */
typedef struct index_type {
	uint16_t dtypes;
	uint16_t count; /* places */
	uint32_t first;
} index_type;

typedef struct index_api {
	index_type takes[INDEX_RANK_MAX + 1], returns[INDEX_RANK_MAX + 1]; /* a line of a cache for
									      ranks to 7 */
	uint32_t first, count; /* operators, by in-degree and the first input's rank */
	index_span degrees;    /* one for each in-degree that they have */
	uint32_t inputs, outputs; /* where their places begin */
	/* ranks (bits) of what is found by a record's shape */
	uint16_t record_inputs, record_outputs;
	uint32_t unused[9]; /* to whole lines */
} index_api;

typedef struct gen_scope {
	uint32_t apis, operators; /* that take part */
	uint32_t symbolic; /* of these operators: by their rule, the others by records only */
	uint32_t unsafe, dtypes, records; /* left out: constants or names not safe; no dtypes that a
					     model can hold; no record that fits the limits */
	uint32_t elements; /* left out: outputs that no run repeats, tensors inside something else, or elements
			      that no class serves */
	uint32_t old;	   /* left out: of an earlier version of the operator set */
} gen_scope;

enum index_kind { INDEX_INPUT, INDEX_OUTPUT, INDEX_RECORD_INPUT, INDEX_RECORD_OUTPUT };

typedef struct index_place {
	uint32_t op;
	uint16_t slot; /* input or output */
	uint16_t what; /* record */
} index_place;

typedef struct index_run {
	uint64_t key;
	index_span span; /* places; count 0: an empty slot of the table */
} index_run;

typedef struct gen_index {
	arena *arena;
	const rs_table *table;
	void *pack; /* what steps read, in one piece: the arrays below, and what the operators'
		       point to */
	index_op *ops;
	index_api *apis;
	index_place *places;
	index_run *runs;   /* of places, by shape */
	uint32_t *cheap; /* operators whose small record is cheap; never empty */
	index_span *degrees; /* each a span of ranks: one for each rank of the first input */
	index_span *ranks;   /* each a span of operators */
	uint32_t nops, napis, nplaces, ncheap, ndegrees, nranks;
	uint32_t mask; /* of the hash table of runs */
	uint32_t max_consts, max_width;
	bool classes; /* whether the table knows classes of element values */
	gen_scope scope;
} gen_index;

/* The places of a kind for one API: of a rank, where one of them has the dtype; or of a shape. */
static inline const index_place *gen_index_type(const gen_index *x, enum index_kind kind,
    uint32_t api, unsigned rank, unsigned dtype, uint32_t *count)
{
	const index_api *a = &x->apis[api];
	const index_type *t = &(kind == INDEX_INPUT ? a->takes : a->returns)[rank];
	*count = t->dtypes >> dtype & 1 ? t->count : 0;
	return x->places + t->first;
}

/* Whether gen_index_shape can find any: most APIs have rules only. */
static inline bool gen_index_has_rank(
    const gen_index *x, enum index_kind kind, uint32_t api, unsigned rank)
{
	const index_api *a = &x->apis[api];
	return (kind == INDEX_RECORD_INPUT ? a->record_inputs : a->record_outputs) >> rank & 1;
}

#endif
