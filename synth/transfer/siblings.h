/* What one operator's records leave open, those of its siblings often settle (design, synth points 7, 8).
 *
 * Siblings are operators whose argument structure is the same, constants aside. Every rule found among them is a contender
 * for each of them. An operator takes the contender that agrees with all of its own records and, among those, with the
 * whole records of the most APIs; then the shorter one. So an operator that was never seen to fail learns from its
 * siblings how it would.
 */
#ifndef SIBLINGS_H
#define SIBLINGS_H

#include "buf.h"
#include "rule.h"

enum { MAX_CONTENDERS = 400 }; /* of one structure; rules beyond are no contenders */

/* Chooses for the operators list[0 … n-1], in the order of names; rules has one for each of the records' operators. A rule
 * that is taken shares its expressions with the one that it is taken from. Says why in logs[i], where there is a log
 * (logs may be NULL). Returns how many operators took another's rule. */
int siblings_choose(const records *r, const int *list, int n, rule *rules, buf *const *logs);

/* Marks, for each of the records' operators that `of` marks, all of its siblings and itself. */
void siblings_mark(const records *r, const bool *of, bool *marked);

#endif
