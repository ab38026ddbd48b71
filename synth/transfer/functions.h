/* Shape functions: expressions that recur across APIs, mined from what was solved and offered to what
 * was not, or was solved by a form that hardly any other API uses (design, synth point 8). */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "solve.h"

typedef struct functions functions;

/* Mines the complete rules of the operators list[0 … n-1], in the order of names; rules has one for each of the records'
 * operators. What at least two APIs use, most used first. */
functions *functions_mine(const records *r, const int *list, int n, const rule *rules);
void functions_free(functions *f);
uint64_t functions_hash(const functions *f); /* of their texts: part of a cache key */

/* The most used function that gives output dimension d on every record, with twice the APIs behind it
 * that `own` (the expression found without help, or NULL) has; NULL: there is none. */
const expr *functions_match(const functions *f, solver *s, int d, const expr *own);

/* The product of one function over the positions of a shape and the lists aligned with it, when that gives
 * output dimension d on every record; NULL otherwise. */
const expr *functions_product(const functions *f, solver *s, int d);

#endif
