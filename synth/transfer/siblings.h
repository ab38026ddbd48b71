/* Siblings: operators with the same argument structure, constants aside. Each rule found among siblings is a candidate for
 * all of them. An operator takes the candidate that agrees with all of its own records and with the complete records of most
 * APIs; ties go to the shorter rule. So an operator without failing records learns its constraints from siblings. */
#ifndef SIBLINGS_H
#define SIBLINGS_H

#include "buf.h"
#include "rule.h"

enum { MAX_CANDIDATES = 400 }; /* per structure; further rules are ignored */

/* Chooses for the operators list[0 … n-1], sorted by name. `rules` is indexed like the records' operators. A rule that is
 * taken shares its expressions with the original. Writes reasons to logs[i], where not NULL (logs may be NULL). Returns the
 * number of operators that took another's rule. */
int siblings_choose(const records *r, const int *list, int n, rule *rules, buf *const *logs);

/* Marks all siblings of the records' operators that `of` marks, and these themselves. */
void siblings_mark(const records *r, const bool *of, bool *marked);

#endif
