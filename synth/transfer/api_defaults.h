/* The defaults of arguments that some signatures of an API rule omit: another argument, as in stride = kernel_size, or an integer. */
#ifndef API_DEFAULTS_H
#define API_DEFAULTS_H

#include "attempt.h"

/* Sets the defaults of a representative's rule, in the API's memory. in: the signatures that follow it; list: what their outputs use
 * in place of omitted arguments. An argument has a default if all that omit it use the same. */
void api_defaults_find(const api_solver *f, int representative, const bool *in, const instead_of *list, int n, rule *to);

#endif
