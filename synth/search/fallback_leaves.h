/* Fallback leaves: rarely correct, offered if the regular search found nothing. */
#ifndef FALLBACK_LEAVES_H
#define FALLBACK_LEAVES_H

#include "target.h"

/* Offers reshape lists (with -1 and 0), shifted and trimmed broadcasting, all dimensions but one (the selected one,
 * or one of size 1), and fractions of a symbol. */
target_more_leaves fallback_leaves_offer;

#endif
