/* The layout of a rule table; generated code fills it.
 *
 *   rs_table ──► rs_op[]  one row per signature, sorted by name (bytes)
 *                 ├─► args ──► values   the call: tensors, integers, lists, constants
 *                 ├─► valid, propagate  the rule; NULL: no rule, and `why` is the reason
 *                 ├─► dtypes            tuples of element types that were accepted
 *                 └─► records           some accepted records: symbols; without a rule also output dimensions
 *
 * A table carries RS_ABI; rs_library_check in rulesmith.h rejects tables of other versions. The functions of a row are defined
 * for all int64 inputs, access only the symbols and outputs of their signature, and keep no state.
 */
#ifndef RULETABLE_H
#define RULETABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RS_ABI 9	    /* version of this header and of the code of samplers */
#define RS_ABI_OLDEST 9 /* the oldest version that this runtime reads */

/* Whether all clauses hold for s[nsym], the symbols in argument order. */
typedef bool rs_valid_fn(const int64_t *s);
/* Writes the dimensions of all outputs, in order, to out[nodim]. False: a dimension has no value, is negative or exceeds int64;
 * out is then unspecified. Call it with symbols that `valid` accepts. */
typedef bool rs_propagate_fn(const int64_t *s, int64_t *out);

/* How a rule is sampled. */
enum rs_sampler {
	RS_SAMPLER_RECORD,  /* from a stored passing record only */
	RS_SAMPLER_BOUNDED, /* symbol by symbol; restarts a few times after a dead end */
	RS_SAMPLER_DIRECT,  /* symbol by symbol, never a dead end */
};

/* Classes of element values; each includes the ones before it (docs/explanation/models.md). */
enum rs_values {
	RS_VALUES_UNIT,	    /* 0.1 … 0.9; integers: 1 */
	RS_VALUES_POSITIVE, /* 0.1 … 5; 1 … 5 */
	RS_VALUES_SMALL,    /* -5 … 5; unsigned: 0 … 5. The default for inputs */
	RS_VALUES_LARGE,    /* at most 10,000 in magnitude */
	RS_VALUES_FINITE,
	RS_VALUES_ANY,	    /* may include NaN and infinities */
	RS_VALUES_COUNT,
	RS_VALUES_NONE = 255 /* every class leads to errors or non-finite elements */
};

enum rs_kind {
	RS_TENSOR, /* count dimensions, the symbols first … first + count - 1 */
	RS_INT,	   /* the symbol first */
	RS_CONST,  /* text: a Python literal (None, True, 'mean', torch.float32, 2.0). Its recorded alternatives are
		      the count texts of `floats` from first on. count 0: only this literal was recorded. */
	RS_LIST,   /* a list of the count values that follow, each with its own items */
	RS_RANGED, /* a tensor of integers. Two more symbols bound its elements: low (inclusive) and high (exclusive).
		      Both are 0 if the tensor is empty. */
	RS_ELEMENTS /* a tensor of dtype. Its value follows: RS_INT, RS_CONST or an RS_LIST of these. */
};

static inline bool rs_is_tensor(uint8_t kind)
{
	return kind == RS_TENSOR || kind == RS_RANGED;
}

typedef struct rs_value {
	uint8_t kind;
	uint8_t dtype; /* RS_TENSOR, RS_RANGED, RS_ELEMENTS: the rs_dtype in the first record */
	uint16_t count, first;
	const char *text;
} rs_value;

typedef struct rs_arg {
	const char *name;  /* an identifier */
	uint16_t value;	   /* index of its value in op->values (a tree in preorder) */
	uint16_t by_position;
} rs_arg;

/* Name, text, bytes per element in memory. Elements of 4 bits have a byte each, except in ONNX files. */
#define RS_DTYPES(X)                                                                               \
	X(BOOL, "bool", 1)                                                                         \
	X(UINT4, "uint4", 1)                                                                       \
	X(UINT8, "uint8", 1)                                                                       \
	X(UINT16, "uint16", 2)                                                                     \
	X(UINT32, "uint32", 4)                                                                     \
	X(UINT64, "uint64", 8)                                                                     \
	X(INT4, "int4", 1)                                                                         \
	X(INT8, "int8", 1)                                                                         \
	X(INT16, "int16", 2)                                                                       \
	X(INT32, "int32", 4)                                                                       \
	X(INT64, "int64", 8)                                                                       \
	X(FLOAT16, "float16", 2)                                                                   \
	X(BFLOAT16, "bfloat16", 2)                                                                 \
	X(FLOAT32, "float32", 4)                                                                   \
	X(FLOAT64, "float64", 8)                                                                   \
	X(COMPLEX32, "complex32", 4)                                                               \
	X(COMPLEX64, "complex64", 8)                                                               \
	X(COMPLEX128, "complex128", 16)                                                            \
	X(STRING, "string", 0)                                                                     \
	X(OTHER, "other", 0)

typedef enum rs_dtype {
#define X(NAME, text, bytes) RS_##NAME,
	RS_DTYPES(X)
#undef X
	RS_DTYPE_COUNT
} rs_dtype;

/* The type of the numbers of records: the narrowest that holds all of a signature. */
enum rs_record_type {
	RS_RECORD_INT64,
	RS_RECORD_INT32,
	RS_RECORD_INT16,
	RS_RECORD_CHARS /* unsigned characters: the number plus RS_RECORD_ZERO, so that small numbers are digits */
};

enum { RS_RECORD_ZERO = '0' };

enum rs_flags {
	RS_THIN = 1,	 /* low support: the rule rests on few records */
	RS_PROVED = 2,	 /* simplified, and each simplification is proved for all integers */
	RS_DELICATE = 4, /* fails on zeros, ones or non-finite elements: give it fresh inputs */
	RS_RANDOM = 8,	 /* random, or dependent on the implementation: do not compare its results */
	RS_UNFIT = 32,	 /* crashes, hangs or depends on unknown state: generators exclude it */
	RS_HELD = 16,	 /* takes a tensor inside another value: a variable, a list of tensors */
	RS_UNPROVED = 64, /* simplified, but not every simplification is proved */
	RS_RECORDED = 128, /* failed in models: generators only use its recorded calls */
	RS_BY_RECORD = RS_THIN | RS_RECORDED
};

typedef struct rs_op {
	const char *name; /* "torch.max_pool2d-0" */
	const char *api;
	const char *rule; /* the id of the rule; NULL: no rule */
	const char *why;  /* the reason if there is no rule */
	rs_valid_fn *valid;
	rs_propagate_fn *propagate;
	const rs_arg *args;
	const rs_value *values;
	const char *const *floats;  /* the texts that RS_CONST values refer to */
	const uint8_t *out_ranks;   /* nout */
	const uint8_t *dtypes;	    /* ndtypes rows of nin + nout rs_dtype */
	const void *records;	    /* nrecords rows of rs_record_width numbers of record_type: nsym symbols;
				       without a rule also nodim output dimensions. Read it with rs_record. */
	uint32_t passed, failed;    /* numbers of accepted and rejected records. The rule reproduces all. */
	uint16_t nargs, nvalues;
	uint16_t nsym;		    /* symbols */
	uint16_t nin, nout;	    /* input and output tensors */
	uint16_t nodim;		    /* output dimensions of all outputs */
	uint16_t ndtypes, nrecords;
	uint16_t flags;
	uint64_t writes; /* bit i: the call modifies input tensor i; models pass a copy */
	/* Samplers: programs for rs_run (sampling.h). NULL: RS_SAMPLER_RECORD. `valid` must check the call that one makes. */
	const char *sample; /* forward, some tensors known */
	const char *back;   /* backward: outputs wanted, nothing known */
	const uint8_t *classes; /* nin: the widest class that each input accepts. Then RS_VALUES_COUNT:
				  the class of the outputs if no input is wider than this one.
				  NULL: unknown. */
	uint8_t sampler;       /* enum rs_sampler */
	uint8_t record_type;   /* enum rs_record_type */
} rs_op;

static inline unsigned rs_record_width(const rs_op *op)
{
	return op->propagate ? op->nsym : (unsigned)op->nsym + op->nodim;
}

/* The number at place i of all records, row after row; i < nrecords * rs_record_width(op). */
static inline int64_t rs_record_number(const rs_op *op, size_t i)
{
	switch (op->record_type) {
	case RS_RECORD_CHARS:
		return ((const unsigned char *)op->records)[i] - RS_RECORD_ZERO;
	case RS_RECORD_INT16:
		return ((const int16_t *)op->records)[i];
	case RS_RECORD_INT32:
		return ((const int32_t *)op->records)[i];
	default:
		return ((const int64_t *)op->records)[i];
	}
}

/* Writes row < nrecords to numbers[rs_record_width(op)]. */
static inline void rs_record(const rs_op *op, size_t row, int64_t *numbers)
{
	unsigned width = rs_record_width(op);
	for (unsigned i = 0; i < width; i++)
		numbers[i] = rs_record_number(op, row * width + i);
}

/* Whether s[nsym] are the symbols of row < nrecords. */
static inline bool rs_record_is(const rs_op *op, size_t row, const int64_t *s)
{
	size_t first = row * rs_record_width(op);
	for (unsigned i = 0; i < op->nsym; i++)
		if (rs_record_number(op, first + i) != s[i])
			return false;
	return true;
}

typedef struct rs_table {
	uint32_t abi;
	const char *framework;	 /* "torch" */
	const char *version;	 /* version of the recorded framework, "" if unknown */
	const char *fingerprint; /* hash of the rules: 16 hexadecimal digits */
	const rs_op *ops;	 /* sorted by name, bytes */
	uint32_t nops;
} rs_table;

/* All tables of one rule library, which exports it as `rs_rules`. */
typedef struct rs_library {
	uint32_t abi;
	uint32_t ntables;
	const rs_table *const *tables;
} rs_library;

extern const rs_library rs_rules;
extern const rs_library rs_forms; /* the calls of recorded chains (docs/explanation/models.md): tables like those of rs_rules */

#ifdef __cplusplus
}
#endif

#endif
