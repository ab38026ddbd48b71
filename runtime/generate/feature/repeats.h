/* Repeats some of a finished model's calls: what an optimiser that looks for common sub-expressions merges, must not merge,
 * or need not compute. */
#ifndef REPEATS_H
#define REPEATS_H

#include "gen.h"

/* Of the calls, as many as g->features.repeats says, by the numbers of `r` alone, each by one more call:
 *   the same       its results are the model's; or later calls take them instead of the first one's
 *   nearly         with another attribute, where the rule accepts that; its results are the model's
 *   of another     with a new input of the model in place of one of its inputs, of the same shape, dtype and class: where
 *                  memory is used again, or calls are merged, the one's result may become the other's
 *   dead           any of these, and nothing uses its results
 * Calls that draw their elements are not repeated. Comes behind graph_keep_unused. False: out of memory. */
bool gen_repeat(gen *g, rng *r);

#endif
