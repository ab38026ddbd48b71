/* The third part of an index: what steps read, copied into one piece of memory in the order of the
 * operators. What an operator needs then lies on lines and a page of its own, beside that of its
 * API's others, and in large pages where the system has them: a step reads a few of thousands of
 * operators, so that most of its time would go into waiting for memory and for the addresses of
 * pages. */
#ifndef INDEX_PACK_H
#define INDEX_PACK_H

#include "index_data.h"

/* After index_find_places. The piece is x->pack, to free(). False: out of memory. */
bool index_pack(gen_index *x);

#endif
