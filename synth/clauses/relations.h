/* Relations between symbols at any positions, derived from the passing records instead of enumerated. A dimension is a
 * constant multiple of a product of others (weights of a recurrent layer: 3·hidden; bias of a transposed convolution:
 * channels·groups). Two dimensions at different positions broadcast. The solver's tolerated number of records may disagree
 * (solve.h). */
#ifndef RELATIONS_H
#define RELATIONS_H

#include "templates.h"

void relations_generate(solver *s, template_offer *offer, void *user);

#endif
