/* Repeats some calls of a finished model, as test cases for common subexpression and dead code elimination. */
#ifndef REPEATS_H
#define REPEATS_H

#include "gen.h"

/* Repeats g->features.repeats per mille of the calls, on average. Below one half, only half of the models have repetitions,
 * twice as many. The other models keep long patterns, in which each result has one use.
 *
 * Each repetition is one more call, of one of these kinds:
 *
 *   the same       Its results are results of the model, or later calls take them instead of the original's.
 *
 *   nearly         It has another attribute, if the rule accepts it. Its results are results of the model.
 *
 *   other input    It has a new model input of the same shape, dtype and class. If memory is reused or calls are merged
 *                  wrongly, one result may replace the other.
 *
 *   round trip     It casts the result to another dtype and back (round_trips.h).
 *
 *   dead           It is any of these, and its results are unused.
 *
 * Random calls are not repeated. It draws only from r. Call it after graph_keep_unused. False: out of memory. */
bool gen_repeat(gen *g, rng *r);

#endif
