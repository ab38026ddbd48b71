/* Repeats some calls of a finished model, as test cases for common subexpression and dead code elimination. */
#ifndef REPEATS_H
#define REPEATS_H

#include "gen.h"

/* Repeats g->features.repeats per mille of the calls, twice as many in half of the models if these are less than half.
 * The others keep long patterns whole, whose results have one use each. Draws only from r. Each is one more call:
 *   the same       its results are results of the model, or later calls take them instead of the original's
 *   nearly         with another attribute, if the rule accepts it; its results are results of the model
 *   other input    with a new model input of the same shape, dtype and class in place of an input: if memory
 *                  is reused or calls are merged wrongly, one result may replace the other
 *   round trip     a cast of its result to another dtype and back (round_trips.h)
 *   dead           any of these, and its results are unused
 * Random calls are not repeated. Call it after graph_keep_unused. False: out of memory. */
bool gen_repeat(gen *g, rng *r);

#endif
