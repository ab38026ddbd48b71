/* Builds the index of a rule table (index_data.h says what it holds). */
#ifndef GEN_INDEX_H
#define GEN_INDEX_H

#include "diag.h"
#include "index_data.h"
#include "rulesmith.h"

/* Which operators are asked for; the rest is not counted in the scope. */
typedef struct index_filter {
	const char *api;	 /* a glob that APIs must match; NULL: all */
	const char *set;	 /* a set of opset.h; NULL: all */
	const char *const *apis; /* these only; NULL: all */
	uint32_t napis;
	const uint64_t *without; /* nwithout, ascending: rs_call_hash of rows that are left out */
	size_t nwithout;
	int64_t max_numel;	 /* records whose tensors have at most so many elements */
	unsigned rank_max;	 /* of every tensor */
	int64_t low, high;	 /* free dimensions */
} index_filter;

/* False and d when memory ran out or no operator is left. */
bool gen_index_build(gen_index *x, const rs_table *table, const index_filter *f, diag *d);
void gen_index_free(gen_index *x);

#endif
