/* Reader and writer of rules.jsonl, the result of synthesis (docs/reference/file-formats.md).
 *
 * The reader checks what later stages rely on: names, arities, the order of symbols, that every expression parses,
 * and that every count fits its type in the table.
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
	unsigned value;   /* index in `values` */
	bool by_position;
} rule_arg;

typedef struct rule_tensor {
	uint8_t dtype, rank;
} rule_tensor;

typedef struct rule_op {
	const char *name, *api, *framework, *version;
	long line; /* line in rules.jsonl */
	const rule_arg *args;
	const rs_value *values; /* in the layout of the table */
	const char *const *floats;
	const rule_tensor *outputs;
	const uint8_t *dtypes;  /* ndtypes rows of nin + nout */
	const int64_t *records; /* nrecords rows of nsym + nodim */
	unsigned nargs, nvalues, nfloats, nsym, nin, nout, nodim, ndtypes, nrecords;
	const call *call;
	cJSON *api_rule; /* the API rule (synth/api) as read; NULL unless this signature represents it */
	cJSON *dtype_rule; /* the dtypes of the API (synth/dtypes/dtype_rule.h) as read; NULL if unknown or stored with
			    * another signature */
	rule rule;	/* rule.out is NULL if there is no rule; rule.why is then the reason */
	const char *id; /* of the rule */
	bool delicate, random;
	unsigned empty; /* number of passing calls with empty tensors, if the rule covers nonempty tensors only */
	unsigned outside; /* number of accepted calls excluded as outliers */
	bool held;  /* a tensor is passed as part of another object */
	bool unfit; /* crashes, hangs or depends on unknown state: generators exclude it */
	bool by_records; /* failed in models: generators use recorded calls only */
	uint64_t writes; /* bit i: the call writes to input tensor i */
	const uint8_t *classes; /* as in rs_op; NULL unless classes_read sets it */
} rule_op;

typedef struct rule_set {
	arena *memory;
	expr_pool *exprs;
	const char *path; /* of the file */
	rule_op *ops; /* sorted by framework, then name (bytes) */
	size_t nops;
} rule_set;

/* False, with d filled ("path:line: error: …"), if the file cannot be read or a line is invalid. Free the set in
 * either case. */
bool rules_read(rule_set *rules, const char *path, diag *d);
/* Reads only the signatures for which `wanted` is true. Other lines are checked to be JSON only. */
typedef bool rules_wanted(const char *op, const char *api, const void *user);
bool rules_read_some(rule_set *rules, const char *path, rules_wanted *wanted, const void *user, diag *d);
void rules_free(rule_set *rules);

/* Appends the header. tool: version of this program; z3: version of Z3; complete: number of signatures with a rule. */
void rules_write_header(buf *to, const char *tool, const char *z3, int operators, int complete);
/* Appends the line of one signature. api_rule and dtype_rule: the rules of its API as JSON if it represents them,
 * else NULL. */
void rules_write(buf *to, const operator *op, const rule *r, const char *api_rule, const char *dtype_rule);

#endif
