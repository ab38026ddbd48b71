/* Accept cases as C has them: clauses that refer to outputs, with the outputs' lines in place of these.
 *
 *   out[i] > 0, i = -2, -1        the outputs' case has out[i] = window(input[i], …), i = -2, -1
 *                            ──►  window(input[i], …) > 0, i = -2, -1
 *
 * A function of clauses has no outputs at hand. Signatures of one accept case that have different shape cases become several
 * functions. Clauses that cannot be composed (numel(out)) have none: their signatures are written out.
 */
#ifndef COMPOSE_H
#define COMPOSE_H

#include "api_rule.h"

/* The accept cases of a rule without references to outputs, each with the signatures that it is of; at most `most`. */
int compose_cases(const api_rule *r, api_clauses *to, int most);

#endif
