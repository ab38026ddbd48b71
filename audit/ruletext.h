/* Reads the expressions of rules.jsonl (docs/reference/file-formats.md) as terms, with the exact condition
 * under which they have a value.
 *
 *   ruletext_clause    a clause, which is false if one of its numbers has no value
 *   ruletext_output    an output's value, and the condition that it is a dimension (0 … 2^63 - 1)
 */
#ifndef AUDIT_RULETEXT_H
#define AUDIT_RULETEXT_H

#include "term.h"

/* Symbols are s0 … s(nsym - 1). terms_give_up is called if the text is not an expression. */
term *ruletext_clause(const char *text, unsigned nsym);
term *ruletext_output(const char *text, unsigned nsym, term **value);

#endif
