/* Whether the outputs of a signature have a value wherever its clauses hold.
 *
 *   stride > 0, out[0] > 0           out[0] = window(input[0], …, stride, …)          yes
 *   input[0] > 0 or out[0] > 0       the same                                         no: stride may be 0 if input[0] > 0
 *
 * The C of clauses that refer to outputs computes the outputs first. It returns false if an output has no value.
 */
#ifndef DEFINED_H
#define DEFINED_H

#include "api_calls.h"

bool outputs_are_defined(const api_signature *s);

#endif
