/* Other call forms of an operator's API: fewer arguments, constants that come first in the table. What has no rule, as a
 * call that real models make, gets one by it, and can then be made smaller. */
#ifndef FORMS_H
#define FORMS_H

#include "graph.h"

/* Whether a form is plainer than the one that a node has: it has fewer values, or as many and comes before; any is plainer than
 * one that is not in the table. */
bool form_is_plainer(const rs_table *table, const rs_op *form, const rs_op *than);

/* `to` (initialised) is the model with a node called in another form, of the same API, on the same tensors of the same dtypes:
 * arguments go by their names, those that the form has not are left out, its constants take the place of numbers, and inputs
 * that of elements. False:
 * it cannot be called so, or its outputs have other shapes. */
bool reduce_form(graph *to, const graph *from, uint32_t node, const rs_op *form);

#endif
