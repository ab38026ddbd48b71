/* The expressions of rules.jsonl (docs/formats.md, Expressions), read anew as terms with the exact condition under which
 * they have a value: docs/audit.md, What a rule says.
 *
 *   ruletext_clause    a clause, which is false where one of its numbers has no value
 *   ruletext_output    an output's value, and when it has one that is a dimension (0 … 2^63 - 1)
 */
#ifndef AUDIT_RULETEXT_H
#define AUDIT_RULETEXT_H

#include "term.h"

/* terms_give_up is called for a text that is no expression; symbols are s0 … s(nsym - 1). */
term *ruletext_clause(const char *text, unsigned nsym);
term *ruletext_output(const char *text, unsigned nsym, term **value);

#endif
