/* rules.jsonl, the hand-over from synthesis (docs/reference/file-formats.md): its writer, and its reader.
 *
 * The reader checks once what later stages rely on: names, arities, the order of symbols, that every expression
 * parses, and that every count fits its type in the table.
 */
#ifndef RULES_FILE_H
#define RULES_FILE_H

#include <cjson/cJSON.h>

#include "arena.h"
#include "buf.h"
#include "rule.h"
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
	const call *call;
	cJSON *api_rule; /* the rule of its API (synth/api), as read; NULL: it represents none */
	cJSON *dtype_rule; /* the dtypes of its API (synth/dtypes/dtype_rule.h), as read; NULL: not known, or another operator has it */
	rule rule;	/* rule.out is NULL without one, and rule.why then says the reason */
	const char *id; /* of the rule */
	bool delicate, random;
	unsigned empty; /* calls with empty tensors that pass, where the rule is for tensors with elements only */
	unsigned outside; /* accepted calls that the rule excludes as outliers */
	bool held;  /* a tensor goes inside of something else */
	bool unfit; /* what ran says: not to be used at all */
	bool by_records; /* what ran says: not to be used by its rule */
	uint64_t writes; /* bit i: the call changes input tensor i */
	const uint8_t *classes; /* as in rs_op; NULL until classes_read finds some */
} rule_op;

typedef struct rule_set {
	arena *memory;
	expr_pool *exprs;
	const char *path; /* of the file */
	rule_op *ops; /* sorted by framework, then name (bytes) */
	size_t nops;
} rule_set;

/* False and d ("path:line: error: …") when the file cannot be read or a line is not as it should
 * be. Free the set in both cases. */
bool rules_read(rule_set *rules, const char *path, diag *d);
/* The same for some operators: those for which `wanted` is true. Other lines are checked to be JSON only. */
typedef bool rules_wanted(const char *op, const char *api, const void *user);
bool rules_read_some(rule_set *rules, const char *path, rules_wanted *wanted, const void *user, diag *d);
void rules_free(rule_set *rules);

/* Appends the first line. tool: this program's version; z3: Z3's; complete: operators with a rule. */
void rules_write_header(buf *to, const char *tool, const char *z3, int operators, int complete);
/* Appends the line of one operator. api_rule: the rule of its API as JSON, if it represents one; else NULL. dtype_rule: that of
 * its dtypes, or NULL. */
void rules_write(buf *to, const operator *op, const rule *r, const char *api_rule, const char *dtype_rule);

#endif
