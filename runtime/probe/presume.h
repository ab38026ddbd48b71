/* Extrapolates support: predicts which calls the target accepts from those that were probed.
 *
 * A call resembles others in three respects: its API with the dtypes of its inputs (its kind), its API, and the table as a
 * whole. The probed calls are visited in order. Each is evidence for its likeness to earlier calls, such as "none of its kind
 * was rejected, but some of its API were", and each likeness gets a failure rate. Likenesses are trusted, the safest first,
 * while 99 % of models of five calls are expected to be accepted. All other calls that were not probed are excluded.
 *
 * So a target that rejects a third of the calls gets only calls that it is known to run. A target that rejects almost none, or
 * about which little is known, gets all calls except rejected kinds: each rejection costs a model (learner.h). */
#ifndef PRESUME_H
#define PRESUME_H

#include "capabilities.h"

/* Excludes calls that were not probed unless they are trusted; none if nothing was probed. False and d: out of memory. */
bool presume_untried(const rs_table *table, capabilities *known, diag *d);

#endif
