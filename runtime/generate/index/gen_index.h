/* Builds the index of a rule table (index_data.h). */
#ifndef GEN_INDEX_H
#define GEN_INDEX_H

#include "diag.h"
#include "index_data.h"
#include "rulesmith.h"

/* The requested signatures; others are not counted in the scope. */
typedef struct index_filter {
	const char *api;	 /* a glob that APIs must match; NULL: all */
	const char *set;	 /* a set of opset.h; NULL: all */
	const char *const *apis; /* only these; NULL: all */
	uint32_t napis;
	const uint64_t *without; /* nwithout hashes (rs_call_hash) of excluded dtype rows, ascending */
	size_t nwithout;
	struct index_bases *bases; /* of another index with the same limits, to share (index_base.h); NULL: its own */
	const struct gen_index *within; /* only dtype rows whose first input and output this index has for the API; NULL: all */
	int64_t max_numel;	 /* maximum elements per tensor of a record */
	unsigned rank_max;	 /* maximum rank of a tensor */
	int64_t low, high;	 /* range of free dimensions */
	bool four_bits;		 /* also rows with 4-bit integers, recorded or by ONNX's type constraints */
	bool random;		 /* also calls whose results differ each time */
	bool other_ranks;	 /* also signatures of ranks that were not recorded (index_ranks.h) */
	int opset;		 /* only calls of this operator set; 0: those in force at the newest */
} index_filter;

/* False and d: out of memory, or no signature is left. */
bool gen_index_build(gen_index *x, const rs_table *table, const index_filter *f, diag *d);
void gen_index_free(gen_index *x);

/* The API of that name; NULL: the index has none. */
const index_api *gen_index_api(const gen_index *x, const char *api);
/* Whether a call of the API has these dtypes as first input and output; `in` is RS_DTYPE_COUNT without inputs. */
bool gen_index_has_call(const gen_index *x, const index_api *api, unsigned in, unsigned out);

#endif
