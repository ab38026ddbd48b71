/* Equations that hang together, as one line of a page:
 *
 *   params[0][0] == params[1][0]
 *   params[1][0] == params[3][0]        params[0][0] == params[1][0] == params[3][0] == 4*hx[1][2]
 *   params[0][0] == 4*hx[1][2]
 *
 * Which equations a rule has is a choice among many, since any that connect all sides say the same. */
#ifndef CHAIN_H
#define CHAIN_H

#include <stdbool.h>

#include "notation.h"

/* A clause as text; `is` says whether it is an equation. Its `where` says all of where it holds. */
typedef struct chain_link {
	equation e;
	bool is;
} chain_link;

/* Gives each of n clauses the first of its chain, itself where it is of none: chains have four sides or more. */
void chain_find(const chain_link *links, int n, int *first);
/* The sides of the chain that begins with clause k, each once, those of an argument together and calculations last; and where it
 * holds. */
void chain_put(buf *to, const chain_link *links, int n, const int *first, int k);

#endif
