/* Clauses that were judged: whether each holds on all passing records of an operator.
 *
 * Readings of different statements, and statements of different leaders, meet in the same expressions, so most of what
 * family_rule.c asks was asked before.
 */
#ifndef JUDGED_H
#define JUDGED_H

#include "memo.h"
#include "solve.h"

/* judged: what was judged so far; i: the operator's number. */
bool judged_holds(memo *judged, int i, const operator *op, const expr *clause);

#endif
