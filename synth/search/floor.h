/* Floor templates: (Σ a_i·x_i + b) // q, and clamps of them. */
#ifndef FLOOR_H
#define FLOOR_H

#include "problem.h"

answer floor_exact_search(problem *p);		 /* by elimination, for any number of terms */
answer floor_linear_search(problem *p, int max_terms); /* by enumeration */
answer floor_clamp_search(problem *p, int max_terms);	 /* min(F, G) or max(F, G) of two templates */

#endif
