/* Assigns each function an owner: the file that contains it. A greedy cover keeps the number of such files small. */
#ifndef FUNCTION_OWNERS_H
#define FUNCTION_OWNERS_H

#include "plan.h"

/* Gives the plans' rows their API rules, the APIs their functions, and functions their owners; call it after plan_make. False and d
 * ("path:line: error: …") if an API rule is not well-formed, or some signature's rule is no instance of it. */
bool function_owners_find(const rule_set *rules, plan *plans, size_t nplans, diag *d);

#endif
