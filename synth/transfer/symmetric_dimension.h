/* An output dimension like another one of its tensor, with the two exchanged wherever they stand: what the one has of a height
 * and a width the other has of a width and a height. Nothing else finds what one of the two is not seen to be by its own records.
 */
#ifndef SYMMETRIC_DIMENSION_H
#define SYMMETRIC_DIMENSION_H

#include "solve.h"

/* The expression of output dimension d, which none was found for, that another one's is with both exchanged, where it holds on all
 * passing records; NULL: there is none. */
const expr *mirror_search(solver *s, int d);

#endif
