/* The part of indexes (gen_index.h) that does not depend on the operator set and the excluded calls: the usable signatures, their
 * records, dtype rows and samplers. So generators of twenty sets, and their successors when calls are excluded during a run,
 * describe each signature once.
 *
 *   table ──► entries, described at first use ──► index: the entries and rows of a set that are not excluded
 */
#ifndef INDEX_BASE_H
#define INDEX_BASE_H

#include "diag.h"
#include "index_op.h"
#include "op_versions.h"

typedef struct index_limits {
	int64_t max_numel; /* maximum elements per tensor of a record */
	unsigned rank_max; /* maximum rank of a tensor */
	int64_t low, high; /* range of free dimensions */
	bool four_bits;	   /* also rows with 4-bit integers, recorded or by ONNX's type constraints */
	bool random;	   /* also calls whose results differ each time */
} index_limits;

enum index_use { INDEX_UNCHECKED, INDEX_USABLE, INDEX_UNSAFE, INDEX_ELEMENTS }; /* the reason if not usable, as in gen_scope */

typedef struct index_entry {
	const rs_op *op;
	enum index_use use;
	bool versioned; /* its API has a version in its name */
	int newest;	/* op_newest_set of its API */
	bool described;
	index_op o;	       /* once it is described, with all rows that models can have; its api is unset */
	const op_sets *sets;   /* per row, once index_base_sets found them */
	const uint64_t *calls; /* per row: rs_call_hash, once index_base_calls found it */
	bool ranked;
	struct index_entry *ranks; /* once it is ranked: signatures of other ranks, nranks of them */
	unsigned nranks;
} index_entry;

typedef struct index_base index_base;

/* The bases of the tables that a generator uses. For one thread at a time. */
typedef struct index_bases index_bases;

index_bases *index_bases_new(void); /* for one user; NULL: out of memory */
index_bases *index_bases_share(index_bases *b); /* for one more user */
void index_bases_drop(index_bases *b); /* for one user less; frees it with the last one; accepts NULL */
/* The base of a table, made at first use. All users of it have the same limits. NULL: out of memory. */
index_base *index_bases_of(index_bases *b, const rs_table *table, const index_limits *limits);

/* The entry of a signature, by its number in the table, with `use` found. */
index_entry *index_base_entry(index_base *b, uint32_t at);
/* Describes a usable entry. False and d: out of memory, or a program is malformed. */
bool index_base_describe(index_base *b, index_entry *e, diag *d);
/* Fill in the fields of each row of a described entry. False: out of memory. */
bool index_base_sets(index_base *b, index_entry *e);
bool index_base_calls(index_base *b, index_entry *e);
/* Finds the signatures of other ranks that stand for an entry of the table (index_ranks.h). False: out of memory. */
bool index_base_rank(index_base *b, index_entry *e);

#endif
