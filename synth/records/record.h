/* Records: the observed results of calling a signature (docs/reference/file-formats.md).
 *
 * A signature (`operator`) is NeuRI's partial operator (section 3.2): an API with all arguments fixed except
 * integers. These integers are the symbols s0 …. A record is one run: the values of the symbols, and the output
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

/* The position of a symbol in the call. The search knows positions only, never names. */
enum role_kind { ROLE_DIM, ROLE_INT, ROLE_ITEM };

typedef struct role {
	uint8_t kind;
	uint16_t arg;	 /* index of the argument */
	uint16_t tensor; /* ROLE_DIM: index of the input tensor */
	uint16_t list;	 /* ROLE_ITEM: its list, from 1; ROLE_DIM: the list that has the tensor; 0: none */
	uint16_t pos;	 /* ROLE_DIM: dimension; ROLE_ITEM: index in its list; else 0 */
	uint16_t len;	 /* ROLE_DIM: rank; ROLE_ITEM: length of its list; else 1 */
	uint16_t outer, outer_len; /* in a nested list: index of the inner list, length of the outer list */
	bool end; /* ROLE_ITEM: a bound of a tensor's elements, which form a list of two */
} role;

/* An argument. Its name serves only to find the same argument in other signatures of the API. */
typedef struct argument {
	const char *name;
	int first, count; /* its symbols */
	bool fixed;	  /* an integer constant */
	bool counts;	  /* the number of output tensors, not a size */
	int64_t value;
} argument;

typedef struct operator {
	const char *name, *api, *framework, *version;
	const call *call;
	const char *args, *outputs, *dtypes, *writes; /* compact JSON, copied to the output unchanged */
	const char *constants; /* values of arguments that are neither tensors nor integers */
	const char *ranks;  /* ranks of the input tensors, as text */
	const char *structure; /* structure of the arguments, as text: signatures with equal ones may share rules */
	const char *path;   /* the file and line that it was read from */
	long line;
	bool random;	    /* results differ between equal calls; copied to the output */
	bool delicate;	    /* fails on zeros, ones or non-finite elements; copied to the output */
	uint64_t hash;	    /* of everything that the search depends on */
	role *roles;	    /* nsym */
	argument *arguments; /* nargs */
	uint16_t *out_tensor, *out_pos; /* nodim: the output tensor, and the dimension in it */
	uint16_t *out_rank;		/* nodim: rank of that tensor */
	bool from_end;			/* output tensors are numbered from the last one, in out_tensor and in call */
	int nsym, nodim, nin, nout, nlists, nargs;
	int npass, nfail;
	int empty;	    /* number of passing records with empty tensors that were excluded (record_subset.h) */
	bool empty_outputs; /* the outputs of these records are empty, too */
	int outside;	    /* number of accepted records excluded as outliers (record_subset.h) */
	int64_t *apart;	    /* the outliers, rows of nsym + nodim */
	int beside;	    /* the last `beside` failing records are outliers */
	int conflicts;	    /* number of failing records dropped because the same input also passed */
	int64_t *pass;	    /* npass rows of nsym + nodim, sorted, distinct */
	int64_t *fail;	    /* nfail rows of nsym, sorted, distinct */
} operator;

/* Passing record k: its symbols, then the output dimensions. */
static inline const int64_t *passing_record(const operator *op, int k)
{
	return op->pass + (size_t)k * (op->nsym + op->nodim);
}

/* Outlier k: its symbols, then the output dimensions. */
static inline const int64_t *outlier_record(const operator *op, int k)
{
	return op->apart + (size_t)k * (op->nsym + op->nodim);
}

/* The number of tensors in an argument that is a list of tensors; else 0. */
int argument_tensors(const operator *op, const argument *a);
/* The index of an argument; -1 if the signature has no such argument. */
int operator_argument(const operator *op, const char *name);
/* Returns a copy of op with an integer constant for an argument that op omits. The copy is in `memory` and shares
 * everything else with op. */
const operator *operator_assuming(arena *memory, const operator *op, const char *name, int64_t value);
/* Returns a copy of op with its output tensors numbered from the last one. `count` names the argument that states how
 * many there are, or is NULL. The copy is in `memory` and shares everything else with op. */
const operator *operator_from_end(arena *memory, const operator *op, const char *count);

/* Hash of everything that the search depends on. */
uint64_t operator_hash(const operator *op);

/* The symbols of record k: passing ones first, then failing ones. */
static inline const int64_t *record_symbols(const operator *op, int k)
{
	return k < op->npass ? passing_record(op, k) : op->fail + (size_t)(k - op->npass) * op->nsym;
}

/* Whether a call with these symbols has an empty tensor. */
bool record_is_of_empty(const operator *op, const int64_t *symbols);
/* The product of n symbols; -1 if an intermediate product is negative or overflows. */
int64_t record_product(const int64_t *symbols, const int *which, int n);

typedef struct records {
	arena *memory;
	operator *ops; /* sorted by name (bytes) */
	int n;
	size_t room;
	long lines, bad; /* lines read; lines rejected, each of which was reported */
	long beyond, below; /* records excluded for integers beyond int64, and for negative output dimensions */
} records;

/* Called for each invalid line; the reader continues with the next line. */
typedef void records_report(const diag *d, void *user);

/* Reads record files; for a folder, all its *.jsonl. Returns false if a file cannot be read or any line is invalid;
 * each error was reported. The caller frees r in either case. */
bool records_read(records *r, const char *const *paths, int npaths, records_report *report, void *user);
void records_free(records *r);

#endif
