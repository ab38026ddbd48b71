/* Which calls the cases of an API's rules are of: the properties of a call that tell their signatures from all others.
 *
 * Of several cases whose guards hold, the first one counts. Signatures without an output dimension fit many shape cases, so they
 * follow the guards of the others.
 */
#ifndef API_GUARDS_H
#define API_GUARDS_H

#include "api_rule.h"

/* Finds the guards of an API's rules, among all n signatures of the API that have a rule, and the shape cases of signatures
 * without output dimensions. */
void api_guards_find(api_rule *const *rules, int nrules, const api_signature *all, int n);

#endif
