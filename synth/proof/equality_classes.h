/* Equality classes: rewrites the equations of a rule so that each symbol is equated with one representative of its
 * class (union-find).
 *
 *   b[0] == c[0], c[0] == d[1], d[1] == a[2]              a[2] == b[0], a[2] == c[0], a[2] == d[1]
 *   w[0][0] == w[2][0], w[2][0] == 4*x[1], w[2][0] == 2*w[4][1]    w[0][0] == 4*x[1], w[2][0] == 4*x[1], w[4][1] == 2*x[1]
 *
 * There are many ways to state that n symbols are equal. Which one the search finds first depends on the records, and
 * so differs between signatures. The rewrite applies if the tensors of a long list are tied to other arguments, as
 * the weights of a recurrent network are. The representative is the first symbol of the class, or a multiple of an
 * argument before the list. It replaces the other members in all clauses and outputs. As a result, all signatures of
 * the API have the same equations.
 */
#ifndef EQUALITY_CLASSES_H
#define EQUALITY_CLASSES_H

#include "rule.h"

/* Rewrites the equations of r, if they tie tensors of a long list to other arguments. r must be complete, with its
 * expressions in the store. */
void equality_classes_rewrite(rule_store store, const operator *op, rule *r);

#endif
