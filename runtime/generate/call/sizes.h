/* Sizes of dimensions from a heavy-tailed mixture. Small sizes find edge cases fast; sizes beside powers of two reach the
 * remainders of vector loops, tiles and thread splits; few sizes are in the thousands. A tensor's sizes share a budget of
 * elements, so that one large dimension leaves small ones for the others. */
#ifndef SIZES_H
#define SIZES_H

#include "index_op.h"
#include "rng.h"

enum { SIZES_MOST = 4100 }; /* maximum size of the mixture */

/* A size of at most `most`, which is at least 1. */
int64_t sizes_draw(rng *r, int64_t most);

/* Sizes to aim at for the unknown dimensions of a call's inputs: aim[nsym], 0 for the other symbols. Dimensions that are
 * equal in every record get equal sizes. A tensor has about numel elements at most, a dimension at most `most`. */
void sizes_aim(const index_op *o, const int64_t *v, const uint8_t *known, int64_t numel, int64_t most, rng *r, int64_t *aim);

#endif
