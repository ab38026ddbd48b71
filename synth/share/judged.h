/* Clauses that were judged: whether each holds on all passing records of an operator.
 *
 * Readings of different statements, and statements of different leaders, meet in the same expressions, so most of what
 * family_rule.c asks was asked before. Expressions are of one pool and known by their addresses.
 */
#ifndef JUDGED_H
#define JUDGED_H

#include "solve.h"

typedef struct judged judged;

judged *judged_new(void); /* the caller's */
void judged_free(judged *j);
/* i: the operator's number. */
bool judged_holds(judged *j, int i, const operator *op, const expr *clause);

#endif
