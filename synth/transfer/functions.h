/* Shape functions: output expressions that recur across APIs. They are mined from solved signatures and offered to signatures
 * without an answer or with a rarer one. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "solve.h"

typedef struct functions functions;

/* Mines the complete rules of the operators list[0 … n-1], sorted by name. `rules` is indexed like the records' operators.
 * Keeps functions that at least two APIs use, most used first. Free with functions_free. */
functions *functions_mine(const records *r, const int *list, int n, const rule *rules);
void functions_free(functions *f);
uint64_t functions_hash(const functions *f); /* hash of their texts, for cache keys */

/* The most used function that gives output dimension d on every record. It must have twice as many APIs as `own`, the
 * expression found without help (or NULL). NULL if there is none. */
const expr *functions_match(const functions *f, solver *s, int d, const expr *own);

/* The product of one function over the positions of a shape and the lists aligned with it, if it gives output dimension d on
 * every record; otherwise NULL. */
const expr *functions_product(const functions *f, solver *s, int d);

#endif
