/* Changes a call's numbers within what its operator's records show; whether the rule accepts the
 * result is for the caller to ask. */
#ifndef VARY_H
#define VARY_H

#include "base/rng.h"
#include "gen_index.h"

bool vary_is_dimension(const index_op *o, unsigned symbol); /* of an input tensor */

/* A value for a symbol between the least and the most that the records without zero-size tensors
 * have; a dimension is 1 to 8, or to the most. */
int64_t vary_value(const index_op *o, unsigned symbol, rng *r);

/* Sets a symbol and those that equal it in every record. fixed[nsym]: which others stay (NULL: none). */
void vary_tied(const index_op *o, unsigned symbol, int64_t value, const bool *fixed, int64_t *v);

#endif
