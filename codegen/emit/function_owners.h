/* Assigns each function an owner: a row of the API whose file has the function. A greedy cover needs few files. */
#ifndef FUNCTION_OWNERS_H
#define FUNCTION_OWNERS_H

#include "plan.h"

/* Sets the API rules of rows, the functions of APIs and the owners of functions. Call it after plan_make. False and d
 * ("path:line: error: …"): an API rule is not well-formed, or the rule of a signature is not an instance of it. */
bool function_owners_find(const rule_set *rules, plan *plans, size_t nplans, diag *d);

#endif
