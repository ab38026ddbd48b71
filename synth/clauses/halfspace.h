/* Linear bounds, `a·x + … + b >= 0`, over up to five terms. At most one term is a product of two symbols. */
#ifndef HALFSPACE_H
#define HALFSPACE_H

#include "templates.h"

/* Offers bounds that hold on every passing record and reject most of the failing records marked in `stuck`, a bit per failing
 * record. */
void halfspace_generate(solver *s, const uint64_t *stuck, template_offer *offer, void *user);

#endif
