/* A rule table in the form that generators need, built once (gen_index.h).
 *
 *   api ──► signatures ──► inputs (first symbol, rank), dtype rows, usable records
 *
 *   (api, rank)  ──► places: signature with a rule, input or output of that rank
 *
 *   (api, shape) ──► places: signature without one, record, input or output of exactly that shape
 *
 * Places are runs of one array; runs by shape are found by 64-bit hashes. Users check the rest (a dtype row, the whole
 * shape), so a wrong place only costs a failed attempt.
 */
#ifndef INDEX_DATA_H
#define INDEX_DATA_H

#include "arena.h"
#include "index_op.h"

typedef struct index_span {
	uint32_t first, count;
} index_span;

/* The inputs or outputs of a rank in an API's rules, and the dtypes (bits) of any of them. */
typedef struct index_type {
	uint64_t dtypes : RS_DTYPE_COUNT;
	uint64_t count : 16; /* places */
	uint64_t first : 48 - RS_DTYPE_COUNT;
} index_type;

typedef struct index_api {
	index_type takes[INDEX_RANK_MAX + 1], returns[INDEX_RANK_MAX + 1]; /* one cache line for ranks up to 7 */
	uint32_t first, count; /* Signatures, by in-degree and rank of the first input. */
	index_span degrees;    /* One per in-degree. */
	uint32_t inputs, outputs; /* Begin of their places. */
	/* Ranks (bits) that are found by the shape of a record. */
	uint16_t record_inputs, record_outputs;
	uint32_t strings; /* The number of different string attributes of its signatures. */
	uint32_t unused[8]; /* Pads to whole cache lines. */
} index_api;

typedef struct gen_scope {
	uint32_t apis, operators; /* APIs and signatures in the index. */
	uint32_t symbolic; /* Those sampled by rule. The others are sampled by records. */
	/* Excluded: constants or names not safe; no dtypes that a model can have; no record within the limits. */
	uint32_t unsafe, dtypes, records;
	uint32_t elements; /* Excluded: random outputs, tensors inside other values, or no usable class of elements. */
	uint32_t old;	   /* Excluded: superseded by a later operator set, or not in the requested one. */
} gen_scope;

enum index_kind { INDEX_INPUT, INDEX_OUTPUT, INDEX_RECORD_INPUT, INDEX_RECORD_OUTPUT };

typedef struct index_place {
	uint32_t op;
	uint16_t slot; /* index of an input or output */
	uint16_t what; /* index of a record */
} index_place;

typedef struct index_run {
	uint64_t key;
	index_span span; /* a run of places; count 0: an empty slot of the table */
} index_run;

typedef struct gen_index {
	arena *arena;
	struct index_bases *bases; /* own its signatures (index_base.h) */
	const rs_table *table;
	void *pack; /* one block with the data that steps read: the arrays below, and the arrays of the signatures */
	index_op *ops;
	index_api *apis;
	index_place *places;
	index_run *runs;   /* runs of places by shape */
	uint32_t *cheap; /* signatures with a small record; never empty */
	index_span *degrees; /* each a range of ranks, one per rank of the first input */
	index_span *ranks;   /* each a range of signatures */
	uint32_t nops, napis, nplaces, ncheap, ndegrees, nranks;
	uint32_t mask; /* of the hash table of runs */
	uint32_t max_consts, max_width;
	int opset;    /* the operator set of its calls; 0: the newest */
	bool classes; /* whether the table has classes of element values */
	gen_scope scope;
} gen_index;

/* The places of an API: by rank, if one of them has the dtype; or by shape. */
static inline const index_place *gen_index_type(const gen_index *x, enum index_kind kind,
    uint32_t api, unsigned rank, unsigned dtype, uint32_t *count)
{
	const index_api *a = &x->apis[api];
	const index_type *t = &(kind == INDEX_INPUT ? a->takes : a->returns)[rank];
	*count = t->dtypes >> dtype & 1 ? t->count : 0;
	return x->places + t->first;
}

/* Whether gen_index_shape can find any; most APIs have rules only. */
static inline bool gen_index_has_rank(
    const gen_index *x, enum index_kind kind, uint32_t api, unsigned rank)
{
	const index_api *a = &x->apis[api];
	return (kind == INDEX_RECORD_INPUT ? a->record_inputs : a->record_outputs) >> rank & 1;
}

#endif
