/* What clauses on later symbols imply for earlier ones: symbols are eliminated from the last, as
 * Fourier and Motzkin do, with floors and divisibility (docs/explanation/rules.md). For samplers.
 */
#ifndef SAMPLER_PROJECT_H
#define SAMPLER_PROJECT_H

#include "sampler_clauses.h"

/* Adds projections to the clauses, so many at most; true when these are all. */
bool project_clauses(deriver *d, unsigned most);

#endif
