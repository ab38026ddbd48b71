/* Caches an integer per (operator, expression). Operators are identified by a number. Expressions belong to one pool and are
 * identified by their address. Ends the program if memory runs out. */
#ifndef MEMO_H
#define MEMO_H

#include "expr.h"

typedef struct memo memo;

memo *memo_new(void); /* free with memo_free */
void memo_free(memo *m);
/* The value for e and operator `of`. The pointer is valid until the next call. Sets *known to false for a new entry, which
 * the caller must fill in before the next call. */
int *memo_of(memo *m, int of, const expr *e, bool *known);

#endif
