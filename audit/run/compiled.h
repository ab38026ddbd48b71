/* The compiled table, loaded and asked. Of the product the audit sees the layout of a table here (ruletable.h), no code. */
#ifndef AUDIT_COMPILED_H
#define AUDIT_COMPILED_H

#include <stdint.h>

#include "ruletable.h"
#include "rules.h"

typedef struct compiled compiled;

/* NULL: no such library, or one of another ABI, with `path: error: what` on stderr. */
compiled *compiled_open(const char *path);
const rs_op *compiled_find(const compiled *c, const char *framework, const char *op);

/* Whether a row can be asked of this rule: its id and its numbers of symbols and output dimensions are the rule's. */
bool compiled_fits(const rs_op *op, const audited_rule *r);

/* What the row's functions say of a call (docs/formats.md, Expressions): accepted, with these output dimensions. */
bool compiled_accepts(const rs_op *op, const audited_rule *r, const int64_t *s, int64_t *out);

#endif
