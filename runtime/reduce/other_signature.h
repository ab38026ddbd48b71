/* Other signatures of an operator's API: fewer arguments, constants that come first in the table. A call of a real
 * model has no rule; with a signature it gets one, and can be reduced further. */
#ifndef OTHER_SIGNATURE_H
#define OTHER_SIGNATURE_H

#include "graph.h"

/* Whether a signature is simpler than the node's: it has fewer values, or equally many and comes first. Every signature is
 * simpler than one outside the table. */
bool signature_is_simpler(const rs_table *table, const rs_op *other, const rs_op *than);

/* Makes `to` (initialized) the model with a node in another signature of the same API, on the same tensors and dtypes.
 * Arguments are matched by name. Those that the signature lacks are omitted, its constants replace numbers, and inputs
 * replace literals. False: the call does not fit, or its outputs have other shapes. */
bool reduce_signature(graph *to, const graph *from, uint32_t node, const rs_op *other);

#endif
