/* The equations of a rule, each from what all its symbols are told by.
 *
 *   b[0] == c[0], c[0] == d[1], d[1] == a[2]              a[2] == b[0], a[2] == c[0], a[2] == d[1]
 *   w[0][0] == w[2][0], w[2][0] == 4*x[1], w[2][0] == 2*w[4][1]    w[0][0] == 4*x[1], w[2][0] == 4*x[1], w[4][1] == 2*x[1]
 *
 * Which of the many ways to say that n symbols are equal was found first is chance, and differs from one call form to the next. Where
 * the tensors of a list are tied to others (the weights of a recurrent network), each form's rule says it of every symbol by the first
 * one of those that are equal, or by the multiple of an argument before the list, which stands for them in the other clauses and the
 * outputs, too. So the forms have the same statements.
 */
#ifndef EQUALITY_CLASSES_H
#define EQUALITY_CLASSES_H

#include "rule.h"

/* Says r's equations so, if it ties tensors of a list to what stands elsewhere; r is complete, its expressions are in the store. */
void star_say(rule_store store, const operator *op, rule *r);

#endif
