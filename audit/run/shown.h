/* Executes a counterexample: prints the compiled functions' answer beside the answer of the rule's text. */
#ifndef AUDIT_SHOWN_H
#define AUDIT_SHOWN_H

#include <stdio.h>

#include "compiled.h"

/* detail: `… at [symbols]`. False if it names no symbols or an expression of the rule's text cannot be
 * read. Reports a function that kills its process. */
bool shown_by_running(FILE *f, const rs_op *op, const audited_rule *r, const char *detail);

#endif
