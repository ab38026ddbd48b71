/* The rule of one signature as a case, for signatures that are no instance of the API rule: its clauses and output dimensions with
 * the places of its symbols.
 *
 *   s1 > 0 and s3 == s0 + 1   ──►   at(x, 1) > 0, item(padding, 0) == at(x, 0) + 1
 *
 * NULL: a symbol has no place, or a tensor has too many dimensions.
 */
#ifndef OWN_CASE_H
#define OWN_CASE_H

#include "api_rule.h"

const api_clauses *own_clauses(const api_calls *f, const api_call *form);
const api_shapes *own_shapes(const api_calls *f, const api_call *form);

#endif
