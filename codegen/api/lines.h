/* Clauses and outputs as lines of a function. */
#ifndef LINES_H
#define LINES_H

#include "function_text.h"

/* The clauses among all of the API that are of the function, with references to outputs or without. */
void lines_put_clauses(function_text *f, bool with_outputs);
void lines_put_outputs(function_text *f);
/* Whether some case has lines for an output tensor. */
bool lines_has_tensor(const api_cases *c, unsigned tensor);

#endif
