/* What a target is presumed to do with calls that were not tried, by what it did with those that were.
 *
 * A call is like others in three respects: its API with the dtypes of its inputs (its kind), its API, and the table as a
 * whole. Tried calls are gone through in their order, and each tells of those that were like it by then: "none of its
 * kind was refused, but some of its API were" is a likeness, and has a share of calls that are no good. Likenesses are
 * trusted, the safest first, as long as models of five calls may be expected to be taken in 99 of 100; all other calls
 * that were not tried are left out. A target that refuses a third so gets what it is known to run. One that refuses next to
 * nothing, or of which next to nothing is known, gets all calls but those of kinds that were refused: what it does refuse
 * costs a model each (learner.h). */
#ifndef PRESUME_H
#define PRESUME_H

#include "capabilities.h"

/* Has calls that were not tried left out unless they may be trusted; where none was tried, nothing. False and d: out of
 * memory. */
bool presume_untried(const rs_table *table, capabilities *known, diag *d);

#endif
