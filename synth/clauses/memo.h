/* What was found out of expressions, a number for each: asked again and again, found out once.
 *
 * The same expression is asked of several operators, which are told apart by a number. Expressions are of one pool and known by
 * their addresses. Stops the program when memory runs out.
 */
#ifndef MEMO_H
#define MEMO_H

#include "expr.h"

typedef struct memo memo;

memo *memo_new(void); /* the caller's */
void memo_free(memo *m);
/* Where what is known of e stands, for operator `of`, until the next call. *known: whether it is known; else the caller writes it
 * there, before it asks anything else. */
int *memo_of(memo *m, int of, const expr *e, bool *known);

#endif
