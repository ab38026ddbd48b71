/* Names of C variables for the symbols of an operator: its arguments' names, with the position in a shape or a list. */
#ifndef LOCAL_H
#define LOCAL_H

#include "rules_file.h"

/* nsym names, in the arena: input_2, kernel_size_0, padding, tensors_0_1, index_low; s7 where that is no C identifier or is
 * taken. */
const char *const *local_names(arena *a, const rule_op *op);

#endif
