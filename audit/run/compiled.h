/* The compiled table, loaded and called. The audit knows the layout of a table (ruletable.h) and no code
 * of the product. */
#ifndef AUDIT_COMPILED_H
#define AUDIT_COMPILED_H

#include <stdint.h>

#include "ruletable.h"
#include "rules.h"
#include "sampling.h"

typedef struct compiled compiled;

/* NULL if there is no such library or its ABI differs, with `path: error: what` on stderr. */
compiled *compiled_open(const char *path);
const rs_op *compiled_find(const compiled *c, const char *framework, const char *op);

/* True if the row's id and its numbers of symbols and output dimensions are the rule's. */
bool compiled_fits(const rs_op *op, const audited_rule *r);

/* Runs a sampler's program. False: a dead end. */
typedef bool sampler_run(rs_draw *d, const char *program);
sampler_run *compiled_sampler_run(const compiled *c);

/* Calls the row's functions: true if they accept the call, with its output dimensions in *out. */
bool compiled_accepts(const rs_op *op, const audited_rule *r, const int64_t *s, int64_t *out);

#endif
