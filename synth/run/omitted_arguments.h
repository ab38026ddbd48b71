/* The dimensions that some call forms leave out (design, "Families in the output"): an absent argument is its default.
 *
 *   chunk(input, chunks, dim=1), chunk(input, chunks)  ─►  the second with dim = 0, if that is said in fewer words
 */
#ifndef OMITTED_ARGUMENTS_H
#define OMITTED_ARGUMENTS_H

#include "family_rule.h"

/* family_rules() and the pages of all who lead, where call forms take a dimension that they leave out for the 0 or -1 with which the
 * pages come out shortest, if they come out shorter. f's solvers then have the operators that take it so. */
void defaults_rules(family *f, membership *to);

#endif
