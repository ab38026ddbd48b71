/* Data of one signature for generators: inputs, dtype rows and usable records, read from the table's row once. An arena or
 * the table owns the memory. */
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
	INDEX_RANK_MAX = 15,   /* maximum rank of a tensor in a model */
	INDEX_WIDTH_MAX = 256, /* maximum symbols and output dimensions of a signature */
	INDEX_TENSORS_MAX = 64,
	INDEX_LINE = 64, /* bytes of a cache line */
	INDEX_TIES_MAX = 96, /* maximum width of signatures with ties */
};

typedef struct index_input {
	uint16_t first; /* the first symbol */
	uint8_t rank;
	bool ranged; /* RS_RANGED: two symbols behind its dimensions bound its elements */
} index_input;

/* A constant of a call: one of the texts recorded in its place; count 0: only the first. */
typedef struct index_const {
	const char *const *texts;
	uint32_t count;
} index_const;

/* Data that a step needs about a signature, stored together: a table of thousands of signatures exceeds the caches, and
 * each pointer costs a wait. The first 64 bytes have the data of most attempts, the next the data of a call. The arrays that
 * these point to, except records, are one block per signature in the same order (gen_index_pack):
 *
 *   inputs, out_ranks, classes, rows, groups, dimension | form | consts | bounds */
typedef struct index_op {
	const index_input *inputs; /* nin */
	const uint8_t *classes; /* of element values, as in rs_op; NULL: unknown */
	const uint8_t *rows;	/* nrows of nin + nout dtypes */
	const program *sample, *back; /* the programs of these rs_op functions (index_programs.h); NULL: none, or not looked up */
	rs_propagate_fn *propagate;
	uint16_t nsym, nin, nout;
	uint16_t width; /* symbols and output dimensions */
	uint16_t nrows, nrecords;
	uint16_t nconsts; /* RS_CONST values; 0 if none of them varies */
	bool symbolic : 1; /* has a rule with enough support */
	bool delicate : 1; /* RS_DELICATE without classes: takes new inputs of the model only */
	bool ranged : 1;   /* some input has a range */
	bool cheap : 1;	   /* the small record can be inserted as a fallback */
	bool plain : 1;	   /* no dtype row has a dtype that narrows the classes */
	uint8_t crowd; /* signatures of its API per signature with the same string attributes; 1: these are the rarest */

	const rs_op *op;
	const uint8_t *out_ranks;  /* nout */
	const graph_form *form;
	const index_const *consts; /* nconsts */
	/* nsym minima, then nsym maxima over the non-empty records, 0 without any; for input dimensions, after the index is built,
	 * the filter's range */
	const int64_t *bounds;
	const int64_t *records;	   /* nrecords of width numbers; non-empty ones first */
	rs_valid_fn *valid;
	uint32_t api;
	uint16_t nfull; /* number of records without an empty tensor */
	uint16_t small;	/* the record with the fewest elements */
} index_op;

/* [width * width] The number of records in which two places are equal; NULL if that is too large. */
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

/* [nsym] Whether a symbol, or one of its group, is a dimension of an input. */
static inline const bool *index_dimensions(const index_op *o)
{
	return (const bool *)(index_groups(o) + o->width);
}

/* Whether its inputs must be new model inputs without other uses: it fails on some unknown elements. */
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
/* The first dimension of an output among the numbers of a record. */
unsigned index_output_place(const index_op *o, unsigned output);
/* The preferred range of each symbol (nsym). Dimensions of inputs lie in low..high, attributes in their recorded range. */
void index_box(const index_op *o, int64_t low, int64_t high, int64_t *lows, int64_t *highs);

/* Flags that are all 0: no output is wanted. */
extern const uint8_t index_none[INDEX_WIDTH_MAX];

/* Clears the first flags of an array of INDEX_WIDTH_MAX, and up to 15 more. Faster than memset for the few symbols of a
 * signature. */
static inline void index_clear(uint8_t *flags, unsigned count)
{
	for (unsigned i = 0; i < count; i += 16)
		memset(flags + i, 0, 16);
}

/* Describes a signature, whether or not models can use it: symbols, inputs, records whose tensors have at most max_numel
 * elements, ties. The arena owns the memory. False: out of memory. */
bool index_describe(arena *a, const rs_op *op, int64_t max_numel, index_op *o);

/* The elements of a shape; limit + 1 if there are more or a dimension is negative. */
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
