/* Where functions are at home: in the file of an API that has them as lines of its functions, in few files. */
#ifndef HOMES_H
#define HOMES_H

#include "plan.h"

/* Gives the plans' rows their API rules, the APIs their functions, and functions their homes: after plan_make. False and d
 * ("path:line: error: …") if an API rule is not well-formed, or some signature's rule is no instance of it. */
bool homes_find_all(const rule_set *rules, plan *plans, size_t nplans, diag *d);

#endif
