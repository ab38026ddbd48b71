/* A counterexample of the terms, run: what the compiled functions say of it beside what the rule's text says. */
#ifndef AUDIT_SHOWN_H
#define AUDIT_SHOWN_H

#include <stdio.h>

#include "compiled.h"

/* detail: `… at [symbols]`. False: it names no symbols, or the rule's text has an expression that is none. A function that
 * ends its process is said to. */
bool shown_by_running(FILE *f, const rs_op *op, const audited_rule *r, const char *detail);

#endif
