/* Signatures that omit a dimension argument: finds the default that such a signature uses.
 *
 *   chunk(input, chunks, dim=1), chunk(input, chunks)  ─►  the second with dim = 0, if the API page is shorter then
 */
#ifndef OMITTED_ARGUMENTS_H
#define OMITTED_ARGUMENTS_H

#include "api_unify.h"

/* api_unify() and the pages of all representatives. Assumes the default 0 or -1 for omitted dimension arguments
 * if that makes the pages shorter, and uses the value with the shortest pages. Afterwards f's solvers refer to
 * signatures with these defaults. */
void omitted_arguments_solve(api_solver *f, api_membership *to);

#endif
