/* Relations between symbols at any places, read off the passing records and not enumerated: a dimension that is always so
 * many times a product of others (a recurrent layer's weights 3·hidden, a transposed convolution's bias
 * channels·groups), and two dimensions that broadcast although they do not stand at the same place. What a solver tolerates
 * (solve.h) may be otherwise.
 */
#ifndef RELATIONS_H
#define RELATIONS_H

#include "templates.h"

void relations(solver *s, pattern_offer *offer, void *user);

#endif
