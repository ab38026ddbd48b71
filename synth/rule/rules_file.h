/* The hand-over from synthesis: rules.jsonl in memory (docs/formats.md).
 *
 * Whatever later stages rely on is checked here, once: names, arities, that symbols stand in order,
 * that every expression parses, and that every count fits the type it has in the table.
 */
#ifndef RULES_FILE_H
#define RULES_FILE_H

#include "arena.h"
#include "expr.h"
#include "ruletable.h"

typedef struct rule_arg {
	const char *name; /* an identifier */
	unsigned value;   /* index in values */
	bool by_position;
} rule_arg;

typedef struct rule_tensor {
	uint8_t dtype, rank;
} rule_tensor;

typedef struct rule_op {
	const char *name, *api, *framework, *version;
	long line; /* in rules.jsonl */
	const rule_arg *args;
	const rs_value *values; /* as they will stand in the table */
	const char *const *floats;
	const rule_tensor *outputs;
	const uint8_t *dtypes;  /* ndtypes rows of nin + nout */
	const int64_t *records; /* nrecords rows of nsym + nodim */
	unsigned nargs, nvalues, nfloats, nsym, nin, nout, nodim, ndtypes, nrecords;
	uint32_t passed, failed;
	/* the rule; out is NULL without one, and why then says the reason */
	const expr *const *out;   /* nodim, arithmetic */
	const expr *const *valid; /* nvalid, boolean */
	unsigned nvalid;
	bool thin, delicate, random, held, unfit;
	uint64_t writes; /* bit i: the call changes input tensor i */
	const char *why, *id, *layer, *proof;
	const uint8_t *classes; /* as in rs_op; NULL until classes_read finds some */
} rule_op;

typedef struct rule_set {
	arena *memory;
	expr_pool *exprs;
	rule_op *ops; /* sorted by framework, then name (bytes) */
	size_t nops;
} rule_set;

/* False and d ("path:line: error: …") when the file cannot be read or a line is not as it should
 * be. Free the set in both cases. */
bool rules_read(rule_set *rules, const char *path, diag *d);
void rules_free(rule_set *rules);

#endif
