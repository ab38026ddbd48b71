/* What generators know of one operator: its inputs, its dtype rows and its records that fit, read from
 * the table's row once. Memory is an arena's or the table's. */
#ifndef INDEX_OP_H
#define INDEX_OP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "arena.h"
#include "graph.h"
#include "program.h"
#include "ruletable.h"

enum {
	INDEX_RANK_MAX = 15,   /* of a tensor in a model */
	INDEX_WIDTH_MAX = 256, /* symbols and output dimensions of an operator */
	INDEX_TENSORS_MAX = 64,
	INDEX_LINE = 64, /* bytes of a cache line */
	INDEX_TIES_MAX = 96, /* width of operators that have ties */
};

typedef struct index_input {
	uint16_t first; /* symbol */
	uint8_t rank;
	bool ranged; /* two symbols behind its dimensions bound its elements: RS_RANGED */
} index_input;

/* A constant of a call: one of the texts that were seen in its place; count 0: the first only. */
typedef struct index_const {
	const char *const *texts;
	uint32_t count;
} index_const;

/* What a step needs of an operator, copied together: a table of thousands of operators does not fit
 * the caches, and every pointer followed there is a wait. What most attempts read is in the first 64
 * bytes, what a call needs in the next; and what these point to, but for records, is one piece for
 * each operator, in the same order (gen_index_pack):
 *
 *   inputs, out_ranks, classes, rows, groups, dimension | form | consts | bounds */
typedef struct index_op {
	const index_input *inputs; /* nin */
	const uint8_t *classes; /* of element values, as in rs_op; NULL: not known */
	const uint8_t *rows;	/* nrows of nin + nout dtypes */
	const program *sample, *back; /* what these of rs_op run (index_programs.h); NULL: none, or not looked for */
	rs_propagate_fn *propagate;
	uint16_t nsym, nin, nout;
	uint16_t width; /* symbols and output dimensions */
	uint16_t nrows, nrecords;
	uint16_t nconsts; /* RS_CONST values; 0 where none of them varies */
	bool symbolic : 1; /* has a rule that can be trusted */
	bool delicate : 1; /* takes new inputs of the model only, where classes are not known:
			      RS_DELICATE */
	bool ranged : 1;   /* has an input that is */
	bool cheap : 1;	   /* the small record may be inserted where all else failed */
	bool plain : 1;	   /* no dtype row has a type whose element values follow other laws */

	const rs_op *op;
	const uint8_t *out_ranks;  /* nout */
	const graph_form *form;
	const index_const *consts; /* nconsts */
	const int64_t *bounds; /* nsym least, nsym greatest numbers of the records without zero-size
				  tensors, 0 without any; of input dimensions, once the index is built,
				  what the filter says */
	const int64_t *records;	   /* nrecords of width numbers; without zero-size tensors first */
	rs_valid_fn *valid;
	uint32_t api;
	uint16_t nfull; /* records without a zero-size tensor */
	uint16_t small;	/* the record with the fewest elements */
} index_op;

/* [width * width] In how many of the records two of a record's numbers are equal; NULL where that is
 * too many. */
static inline const uint8_t *index_ties(const index_op *o)
{
	const int64_t *end = o->records + (size_t)o->nrecords * o->width;
	return o->width <= INDEX_TIES_MAX ? (const uint8_t *)end : NULL;
}

/* [width] The first place that is equal in every record. */
static inline const uint8_t *index_groups(const index_op *o)
{
	return o->rows + (size_t)o->nrows * (o->nin + o->nout);
}

/* [nsym] Whether a symbol, or one of its group, is one of an input. */
static inline const bool *index_dimensions(const index_op *o)
{
	return (const bool *)(index_groups(o) + o->width);
}

/* Whether its inputs are new ones of the model that no other call touches: it fails on some elements, and
 * which is not known. */
static inline bool index_isolated(const index_op *o)
{
	return o->delicate && !o->classes;
}

static inline int64_t index_low(const index_op *o, unsigned symbol)
{
	return o->bounds[symbol];
}

static inline int64_t index_high(const index_op *o, unsigned symbol)
{
	return o->bounds[o->nsym + symbol];
}

static inline const uint8_t *index_row(const index_op *o, uint32_t i)
{
	return o->rows + (size_t)i * (o->nin + o->nout);
}

static inline const int64_t *index_record(const index_op *o, uint32_t i)
{
	return o->records + (size_t)i * o->width;
}

/* Whether a symbol is a dimension of an input. */
bool index_is_dimension(const index_op *o, unsigned symbol);
/* Where an output's dimensions begin, among a record's numbers. */
unsigned index_output_place(const index_op *o, unsigned output);
/* The box of a call, nsym each: where values are looked for first. Dimensions of inputs lie in low..high,
 * attributes in what the records show. */
void index_box(const index_op *o, int64_t low, int64_t high, int64_t *lows, int64_t *highs);

/* Flags none of which is set: no output is wanted. */
extern const uint8_t index_none[INDEX_WIDTH_MAX];

/* Clears the first flags of an array of INDEX_WIDTH_MAX, and up to 15 more: operators have few symbols,
 * for which a call of memset takes longer. */
static inline void index_clear(uint8_t *flags, unsigned count)
{
	for (unsigned i = 0; i < count; i += 16)
		memset(flags + i, 0, 16);
}

/* Describes an operator without asking whether a model can hold it: symbols, inputs, the records
 * whose tensors have at most max_numel elements, ties. Memory is the arena's. False: out of memory. */
bool index_describe(arena *a, const rs_op *op, int64_t max_numel, index_op *o);

/* Elements of a shape, or limit + 1 when there are more or a dimension is negative. */
static inline int64_t bounded_numel(unsigned rank, const int64_t *shape, int64_t limit)
{
	int64_t n = 1;
	bool zero = false;
	for (unsigned i = 0; i < rank; i++) {
		if ((uint64_t)shape[i] > (uint64_t)limit)
			return limit + 1;
		zero |= shape[i] == 0;
		if (n <= limit)
			n *= shape[i] + (shape[i] == 0);
	}
	return zero ? 0 : n > limit ? limit + 1 : n;
}

#endif
