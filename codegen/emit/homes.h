/* Where functions are at home: on the page of the first API, by name, that has them as a line of its functions. */
#ifndef HOMES_H
#define HOMES_H

#include "plan.h"

/* Gives the plans' rows their API rules, the APIs their functions, and functions their homes: after plan_make. False and d
 * ("path:line: error: …") if an API rule is not well-formed, or some signature's rule is no instance of it. */
bool homes_find_all(const rule_set *rules, plan *plans, size_t nplans, diag *d);

#endif
