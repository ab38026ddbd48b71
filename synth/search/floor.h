/* Floor templates: (Σ a_i·x_i + b) // q and its relatives. */
#ifndef FLOOR_H
#define FLOOR_H

#include "problem.h"

answer exact_search(problem *p);		 /* by elimination, however many terms */
answer linear_search(problem *p, int max_terms); /* by enumeration */
answer clamp_search(problem *p, int max_terms);	 /* min(F, G) or max(F, G) of two such */

#endif
