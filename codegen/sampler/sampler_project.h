/* Projections: what clauses on later symbols imply for earlier ones. Symbols are eliminated from the last, by
 * Fourier-Motzkin with floors and divisibility (docs/explanation/rules.md). */
#ifndef SAMPLER_PROJECT_H
#define SAMPLER_PROJECT_H

#include "sampler_clauses.h"

/* Adds at most `most` projections to the clauses; true if these are all. */
bool project_clauses(deriver *d, unsigned most);

#endif
