/* Guards of the cases of an API's rules: properties of a call that distinguish the signatures of a case from all others. If
 * several guards hold, the first case applies. Signatures without output dimensions fit many shape cases, so they follow the
 * guards of the other signatures. */
#ifndef API_GUARDS_H
#define API_GUARDS_H

#include "api_rule.h"

/* Finds the guards of an API's rules among all n signatures of the API that have a rule. Assigns signatures without output
 * dimensions to shape cases. */
void api_guards_find(api_rule *const *rules, int nrules, const api_signature *all, int n);

#endif
