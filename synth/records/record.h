/* Records: what was seen when an operator was called (docs/reference/file-formats.md).
 *
 * An operator is NeuRI's partial operator (section 3.2): an API with all fixed but integers. Its
 * integers are the symbols s0 … ; a record is one run: the symbols' values, and the output
 * dimensions or a failure.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "call.h"
#include "diag.h"

/* Where a symbol stands in the call. Only positions are known to the search, never names. */
enum role_kind { ROLE_DIM, ROLE_INT, ROLE_ITEM };

typedef struct role {
	uint8_t kind;
	uint16_t arg;	 /* which argument */
	uint16_t tensor; /* ROLE_DIM: which input tensor, from 0 */
	uint16_t list;	 /* ROLE_ITEM: which list; a ROLE_DIM whose tensor is in a list: that list; else 0 */
	uint16_t pos;	 /* ROLE_DIM: dimension; ROLE_ITEM: position in its list; else 0 */
	uint16_t len;	 /* ROLE_DIM: rank; ROLE_ITEM: length of its list; else 1 */
	uint16_t outer, outer_len; /* a list within a list: the inner list's position and the outer's length */
	bool end; /* ROLE_ITEM: an end of the range of a tensor's elements, which are a list of two */
} role;

/* An argument: what it is called, and its value where that is an integer constant. Names serve to find the
 * same argument in other calls of the API, by equality only. */
typedef struct argument {
	const char *name;
	int first, count; /* its symbols */
	bool fixed;	  /* an integer constant */
	bool counts;	  /* this is how many outputs there are, and no dimension */
	int64_t value;
} argument;

typedef struct operator {
	const char *name, *api, *framework, *version;
	const call *call;
	const char *args, *outputs, *dtypes, *writes; /* as compact JSON, to be handed on */
	const char *constants; /* the arguments that are neither tensors nor integers, as text */
	const char *ranks;  /* of the input tensors, as text */
	const char *structure; /* of the arguments, as text: operators of equal ones may share rules */
	const char *path;   /* where it was read */
	long line;
	bool random;	    /* other elements at every call: handed on */
	bool delicate;	    /* fails on zeros, ones or non-finite elements: handed on */
	uint64_t hash;	    /* of all that the search may depend on */
	role *roles;	    /* nsym */
	argument *arguments; /* nargs */
	uint16_t *out_tensor, *out_pos; /* nodim: which output tensor, which dimension of it */
	uint16_t *out_rank;		/* nodim: that tensor's rank */
	bool from_end;			/* output tensors are numbered from the last one on, in out_tensor as in the call */
	int nsym, nodim, nin, nout, nlists, nargs;
	int npass, nfail;
	int empty;	    /* passing records of empty tensors that it goes without (record_subset.h) */
	bool empty_outputs; /* of tensors that come out empty as well */
	int outside;	    /* accepted records that are excluded as outliers (record_subset.h) */
	int64_t *apart;	    /* these, rows of nsym + nodim */
	int beside;	    /* of the nfail failing records the last, which are of these */
	int conflicts;	    /* failing records dropped because the same input is also recorded as passing */
	int64_t *pass;	    /* npass rows of nsym + nodim, sorted, distinct */
	int64_t *fail;	    /* nfail rows of nsym, sorted, distinct */
} operator;

/* Passing record k: its symbols, then the output dimensions. */
static inline const int64_t *passing_record(const operator *op, int k)
{
	return op->pass + (size_t)k * (op->nsym + op->nodim);
}

/* Outlier k: its symbols, then the output dimensions. */
static inline const int64_t *apart_record(const operator *op, int k)
{
	return op->apart + (size_t)k * (op->nsym + op->nodim);
}

/* How many tensors the list has that the argument is; 0: it is none. */
int argument_tensors(const operator *op, const argument *a);
/* The index of the argument of that name; -1: there is none. */
int operator_argument(const operator *op, const char *name);
/* op with an integer constant for an argument that it leaves out, all else shared with it; in `memory`. */
const operator *operator_assuming(arena *memory, const operator *op, const char *name, int64_t value);
/* op with its output tensors numbered from the last one on, all else shared with it; in `memory`. count: the argument that says how
 * many there are; NULL: none does. */
const operator *operator_from_end(arena *memory, const operator *op, const char *count);

/* Of all that the search may depend on. */
uint64_t operator_hash(const operator *op);

/* The symbols of record k: passing ones first, then failing ones. */
static inline const int64_t *record_symbols(const operator *op, int k)
{
	return k < op->npass ? passing_record(op, k) : op->fail + (size_t)(k - op->npass) * op->nsym;
}

/* Whether a call of these symbols has a tensor without elements. */
bool record_is_of_empty(const operator *op, const int64_t *symbols);
/* The product of n of its symbols; -1 where it comes to less than 0 on the way, or to too much. */
int64_t record_product(const int64_t *symbols, const int *which, int n);

typedef struct records {
	arena *memory;
	operator *ops; /* sorted by name, bytes */
	int n;
	size_t room;
	long lines, bad; /* lines read, and lines rejected (each was reported) */
	long beyond, below; /* excluded records: with integers beyond int64; with an output dimension below 0 */
} records;

/* Called for each bad line; the reader goes on with the next. */
typedef void records_report(const diag *d, void *user);

/* Reads record files; a path that is a folder stands for its *.jsonl. False when a file could not be
 * read or any line was bad (each was reported). The caller frees r either way. */
bool records_read(records *r, const char *const *paths, int npaths, records_report *report, void *user);
void records_free(records *r);

#endif
