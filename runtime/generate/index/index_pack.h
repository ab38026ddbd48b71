/* The third step of building an index: copies the data that steps read into one block, in the order of the signatures. The
 * data of a signature then lies on its own cache lines and page, next to that of its API's others, and in large pages if
 * the system has them. Otherwise most of a step's time is spent on cache and TLB misses, since a step reads a few of
 * thousands of signatures. */
#ifndef INDEX_PACK_H
#define INDEX_PACK_H

#include "index_data.h"

/* Call it after index_find_places. The block is x->pack, to be freed with free(). False: out of memory. */
bool index_pack(gen_index *x);

#endif
