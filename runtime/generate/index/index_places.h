/* The second part of an index: its operators in order, and where each type and shape is found. */
#ifndef INDEX_PLACES_H
#define INDEX_PLACES_H

#include "index_data.h"

/* Sorts the operators, which are in x->ops, and finds APIs, degrees, ranks and places. False: out of memory. */
bool index_find_places(gen_index *x);

/* The places of a kind for one API where a record has that shape; NULL and 0: none. Shapes are found by a
 * hash: the caller checks. */
const index_place *gen_index_shape(const gen_index *x, enum index_kind kind, uint32_t api,
    unsigned rank, const int64_t *shape, uint32_t *count);

#endif
