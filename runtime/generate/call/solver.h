/* Z3 for calls that no sampler finds. Optional: loaded when a generator requests it.
 *
 * The table has rules without a direct sampler as SMT-LIB (rs_op.smt). A query states the known symbols and wanted outputs
 * and bounds the others. The answer is a call, "none exists", or "budget spent". The budget is Z3's resource
 * limit, not time, so that one version of Z3 always gives the same answer. Other versions may differ, so models generated
 * with a solver depend on the version of Z3. */
#ifndef SOLVER_H
#define SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ruletable.h"

typedef struct solver solver;

typedef struct solver_stats {
	uint64_t asked, found, none, unknown;
} solver_stats;

/* NULL and a message: libz3 is missing or incompatible. */
solver *solver_open(char *message, size_t size);
void solver_close(solver *s); /* accepts NULL */

/* Completes d->s like a sampler, within low and high of the unknown symbols. The caller must check the result with the
 * rule. */
bool solver_complete(solver *s, const rs_op *op, rs_draw *d);
solver_stats solver_get_stats(const solver *s);

#endif
