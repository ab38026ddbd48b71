/* Z3 for the calls that no sampler finds: optional, loaded when a generator is asked for it.
 *
 * The table carries the rules whose sampler is not direct as SMT-LIB (rs_op.smt). A question gives
 * the known symbols and the wanted outputs and bounds the others; the answer is a call, or that there
 * is none, or that the budget was spent. The budget is Z3's own resource limit, not time, so that a
 * version of Z3 always answers alike; another version may answer otherwise, so models generated with
 * a solver are the same only where Z3 is. */
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

/* NULL and a message when there is no libz3, or one that is not as expected. */
solver *solver_open(char *message, size_t size);
void solver_close(solver *s); /* NULL is fine */

/* Completes d->s as a sampler does, within low and high of the unknown symbols. The rule is not asked
 * again: the caller checks what it gets. */
bool solver_complete(solver *s, const rs_op *op, rs_draw *d);
solver_stats solver_get_stats(const solver *s);

#endif
