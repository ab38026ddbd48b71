/* The layout of a rule table; generated code fills it.
 *
 *   rs_table ──► rs_op[]  one row an operator, sorted by name (bytes)
 *                 ├─► args ──► values   the call: tensors, integers, lists, constants
 *                 ├─► valid, propagate  the rule (NULL: none, and `why` says why)
 *                 ├─► dtypes            tuples of element types that were seen to work
 *                 └─► records           some passing records: symbols; without a rule output dimensions, too
 *
 * A table carries RS_ABI; rs_library_check in rulesmith.h refuses one that was built for another.
 * Functions never read or write beyond the symbols and outputs of their operator, are total for
 * every int64 input and keep no state.
 */
#ifndef RULETABLE_H
#define RULETABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RS_ABI 5	    /* of this header and of what samplers call; 5 made samplers programs for rs_run */
#define RS_ABI_OLDEST 5 /* the oldest that this runtime still reads */

/* s[nsym]: the symbols in argument order. Whether the clauses hold. */
typedef bool rs_valid_fn(const int64_t *s);
/* out[nodim]: the dimensions of all outputs in order. False when one of them has no value, is
 * negative or does not fit; out is then unspecified. Meant for symbols that valid accepts. */
typedef bool rs_propagate_fn(const int64_t *s, int64_t *out);

/* A call to be completed (sampling.h): known symbols, wanted output dimensions, bounds. */
typedef struct rs_draw rs_draw;
/* Gives the unknown symbols values that `valid` accepts together with the known ones, backwards
 * also such that the wanted output dimensions come out. False when none were found. */
typedef bool rs_sample_fn(rs_draw *d);

/* How a rule is sampled. */
enum rs_sampler {
	RS_SAMPLER_RECORD,  /* from a stored passing record only */
	RS_SAMPLER_BOUNDED, /* symbol by symbol; may meet a dead end, then begins again, a few times */
	RS_SAMPLER_DIRECT,  /* symbol by symbol, without a dead end */
};

/* Classes of element values, each holding those before it (docs/explanation/models.md). */
enum rs_values {
	RS_VALUES_UNIT,	    /* 0.1 … 0.9; integers: 1 */
	RS_VALUES_POSITIVE, /* 0.1 … 5; 1 … 5 */
	RS_VALUES_SMALL,    /* -5 … 5; unsigned: 0 … 5. What inputs have by default */
	RS_VALUES_LARGE,    /* at most 10,000 in magnitude */
	RS_VALUES_FINITE,
	RS_VALUES_ANY,	    /* may hold NaN and infinities */
	RS_VALUES_COUNT,
	RS_VALUES_NONE = 255 /* no class is taken without an error or non-finite elements */
};

enum rs_kind {
	RS_TENSOR, /* count dimensions, the symbols first … first + count - 1 */
	RS_INT,	   /* the symbol first */
	RS_CONST,  /* text: a Python literal (None, True, 'mean', torch.float32, 2.0); count: how many
		      texts of the table's floats, from first, were seen in its place (0: only this) */
	RS_LIST,   /* a list of the count values that follow (each with its own descendants) */
	RS_RANGED, /* RS_TENSOR of integers; two more symbols bound its elements: low, included, and
		      high, excluded; both 0 where it has none */
	RS_ELEMENTS /* the value that follows, an RS_INT, RS_CONST or RS_LIST of such, as a tensor of dtype */
};

static inline bool rs_is_tensor(uint8_t kind)
{
	return kind == RS_TENSOR || kind == RS_RANGED;
}

typedef struct rs_value {
	uint8_t kind;
	uint8_t dtype; /* RS_TENSOR, RS_RANGED, RS_ELEMENTS: an rs_dtype, of the operator's first record */
	uint16_t count, first;
	const char *text;
} rs_value;

typedef struct rs_arg {
	const char *name;  /* an identifier */
	uint16_t value;	   /* index of its value in the operator's values (a tree in preorder) */
	uint16_t by_position;
} rs_arg;

#define RS_DTYPES(X)                                                                               \
	X(BOOL, "bool", 1)                                                                         \
	X(UINT8, "uint8", 1)                                                                       \
	X(UINT16, "uint16", 2)                                                                     \
	X(UINT32, "uint32", 4)                                                                     \
	X(UINT64, "uint64", 8)                                                                     \
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

enum rs_flags {
	RS_THIN = 1,	 /* supported by few records: use with care */
	RS_PROVED = 2,	 /* simplified, and each simplification was proved for all integers */
	RS_DELICATE = 4, /* was seen to fail on zeros, ones or non-finite elements: feed it new inputs */
	RS_RANDOM = 8,	 /* other elements at every call, or in another implementation: no comparison */
	RS_UNFIT = 32,	 /* was seen to crash, to hang or to depend on more than is known: generators leave
			    it out */
	RS_HELD = 16,	 /* takes a tensor inside something else: a variable, a list of tensors */
	RS_UNPROVED = 64, /* simplified, and not each simplification was proved */
	RS_RECORDED = 128, /* its rule, or the framework by it, was seen to fail in models: generators use its records */
	RS_BY_RECORD = RS_THIN | RS_RECORDED
};

typedef struct rs_op {
	const char *name; /* "torch.max_pool2d-0" */
	const char *api;
	const char *rule; /* the rule's id, NULL without a rule */
	const char *why;  /* without a rule: the reason */
	rs_valid_fn *valid;
	rs_propagate_fn *propagate;
	const rs_arg *args;
	const rs_value *values;
	const char *const *floats;  /* texts that RS_CONST values refer to */
	const uint8_t *out_ranks;   /* nout */
	const uint8_t *dtypes;	    /* ndtypes rows of nin + nout rs_dtype */
	const int64_t *records;	    /* nrecords rows of rs_record_width: nsym; without a rule nodim more,
				       else the outputs are what propagate gives */
	uint32_t passed, failed;    /* records that the rule agrees with */
	uint16_t nargs, nvalues;
	uint16_t nsym;		    /* symbols */
	uint16_t nin, nout;	    /* input and output tensors */
	uint16_t nodim;		    /* output dimensions, of all outputs together */
	uint16_t ndtypes, nrecords;
	uint16_t flags;
	uint64_t writes; /* bit i: the call changes input tensor i; a model calls it on a copy */
	rs_sample_fn *sample;  /* some tensors known; NULL: RS_SAMPLER_RECORD */
	rs_sample_fn *back;    /* outputs wanted, nothing known */
	const uint8_t *classes; /* nin: the widest class that each input takes; then
				  RS_VALUES_COUNT: the class of the outputs when no input is wider
				  than this one. NULL: not known */
	uint8_t sampler;       /* enum rs_sampler */
	const char *smt;       /* the rule in SMT-LIB, where the sampler is not direct; else NULL */
} rs_op;

static inline unsigned rs_record_width(const rs_op *op)
{
	return op->propagate ? op->nsym : (unsigned)op->nsym + op->nodim;
}

typedef struct rs_table {
	uint32_t abi;
	const char *framework;	 /* "torch" */
	const char *version;	 /* of the framework that was traced, "" when not known */
	const char *fingerprint; /* hash of the rules, 16 hexadecimal digits */
	const rs_op *ops;	 /* sorted by name, bytes */
	uint32_t nops;
} rs_table;

/* All tables of one librules: the symbol that a loader looks for is `rs_rules`. */
typedef struct rs_library {
	uint32_t abi;
	uint32_t ntables;
	const rs_table *const *tables;
} rs_library;

extern const rs_library rs_rules;

#ifdef __cplusplus
}
#endif

#endif
