/* Equations that hang together, as one line of a page:
 *
 *   params[0][0] == params[1][0]
 *   params[1][0] == params[3][0]        params[0][0] == params[1][0] == params[3][0] == 4*hx[1][2]
 *   params[0][0] == 4*hx[1][2]
 *
 * Which equations a rule has is a choice among many, since any that connect all sides say the same. */
#ifndef CHAIN_H
#define CHAIN_H

#include "notation.h"

/* Gives each of n clauses the first of its chain, itself where it is of none: chains have three sides or more. Of each clause the
 * equation that it is, whose `where` says all of where it holds; one without sides is none. */
void chain_find(const equation *equations, int n, int *first);
/* The sides of the chain that begins with clause k, each once, those of an argument together and calculations last; and where it
 * holds. `words` (NULL: nothing is known of lists) says how many items a list has, of which all that stand so far apart are one side:
 * x[k][i] == x[0][i] for each i, each k; w[3*k][0] == w[3*k + 1][0] == 4*h[2] for each k. */
void chain_put(buf *to, const equation *equations, int n, const int *first, int k, const notation *words);

#endif
