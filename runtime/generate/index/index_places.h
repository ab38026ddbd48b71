/* The second step of building an index: sorts its signatures, and records where each type and shape is found. */
#ifndef INDEX_PLACES_H
#define INDEX_PLACES_H

#include "index_data.h"

/* Sorts the signatures in x->ops, and finds APIs, in-degrees, ranks and places. False: out of memory. */
bool index_find_places(gen_index *x);

/* The places of an API where a record has that shape; NULL and 0: none. Found by hash: the caller must compare the shape. */
const index_place *gen_index_shape(const gen_index *x, enum index_kind kind, uint32_t api,
    unsigned rank, const int64_t *shape, uint32_t *count);

#endif
