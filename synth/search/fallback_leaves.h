/* Leaves that are seldom right, offered where the search found nothing else. */
#ifndef FALLBACK_LEAVES_H
#define FALLBACK_LEAVES_H

#include "target.h"

/* Sizes of which one may be -1 and others 0; broadcasting over what remains of longer tensors, or over all but one
 * element; the dimensions but the one that an integer names, or but the one that is 1; a fraction of a symbol. */
more_leaves uncommon_leaves;

#endif
