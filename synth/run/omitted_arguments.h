/* Signatures that omit a dimension argument: finds the default that such a signature uses.
 *
 *   chunk(input, chunks, dim=1), chunk(input, chunks)  ─►  the second with dim = 0, if the API rule is shorter then
 */
#ifndef OMITTED_ARGUMENTS_H
#define OMITTED_ARGUMENTS_H

#include "api_unify.h"

/* As api_unify(). Assumes the default 0 or -1 for an omitted argument if the API rules are shorter with it. Counts outputs from
 * the last one if the rules are shorter then. Afterwards f's solvers refer to signatures with these defaults. */
void omitted_arguments_solve(api_solver *f, api_membership *to);

#endif
