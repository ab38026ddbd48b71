/* Linear bounds, `a·x + … + b >= 0`, over up to five symbols, one product of two among them. */
#ifndef HALFSPACE_H
#define HALFSPACE_H

#include "templates.h"

/* Offers those that hold on every passing record and reject most of the failing records that `stuck` marks; a bit for each
 * failing record. */
void halfspaces(solver *s, const uint64_t *stuck, pattern_offer *offer, void *user);

#endif
