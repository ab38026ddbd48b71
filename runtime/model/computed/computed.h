/* Calls of signatures with written integers, such as Reshape's shape, that get these from a tensor instead:
 *
 *   onnx.Reshape-6(x: tensor, shape: elements [4, -1])   a signature of the table, with a rule
 *   onnx.Reshape-6(x: tensor, shape: tensor)             computed: the same name, no rule of its own
 *
 * If the elements are known (shape_values.h), the table's rule holds for the call. */
#ifndef COMPUTED_H
#define COMPUTED_H

#include "shape_values.h"

/* The signature of the table, or of the calls of chains, that a computed signature is made from; NULL: it is not computed. */
const rs_op *computed_rule(const rs_table *t, const rs_op *op);

/* The symbols of `of`, the rule of a node, with these shapes. False: some elements are not known, or not as many. */
bool computed_symbols(const graph *g, const graph_node *n, const rs_op *of, shape_source s, int64_t *symbols);

/* Whether an argument is a list of integers or one integer, all of them symbols. Returns their number; 0: it is not. */
unsigned computed_integers(const rs_op *op, unsigned arg, unsigned *first);

/* A signature like `op` with a tensor for such an argument; `name` as that of `op`. Its symbols are renumbered in the order of
 * values; map[op->nsym + 1] gets the new symbol of each old one (UINT16_MAX: dropped). The arena owns it. NULL: out of memory. */
rs_op *computed_make(arena *a, const rs_op *op, unsigned arg, uint16_t *map);

#endif
