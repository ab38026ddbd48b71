/* Compares kernels of older operator versions with those of the newest.
 *
 * The fast path runs the same kernels on both sides, so it does not see a kernel that is wrong. The full oracle takes an older
 * kernel to be wrong if the reference evaluator and the newest kernel agree on another result. So if both kernels return the same
 * bits, the full oracle is not needed. If the newest version has other inputs or attributes, there is nothing to compare with, as
 * in the full oracle.
 *
 *   node, values of a run ──► file of this call in the newest set ──► session ──► the same bits as in the run?
 */
#ifndef KERNEL_CHECKS_H
#define KERNEL_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "graph.h"
#include "ort_engine.h"

enum {
	KERNEL_CHECKS_FIRST = 8,     /* occurrences of a signature that are all compared; later the 16th, 32nd and so on */
	KERNEL_CHECKS_ONE_IN = 2,    /* at most one call for this number of models, since each takes a session */
	KERNEL_CHECKS_SLOTS = 1 << 16, /* signatures in the same slot share a count */
};

typedef struct kernel_checks {
	uint32_t models, chosen;
	uint32_t met[KERNEL_CHECKS_SLOTS]; /* occurrences, by signature */
} kernel_checks;

/* Whether a call is due. */
bool kernel_checks_due(kernel_checks *k, const graph_node *n);

/* Compares the calls of a model that are due. inputs, made: the values of a run of the reference, over which a kernel may write.
 * False and d: a kernel differs, or memory ran out. */
bool kernel_checks_run(
    kernel_checks *k, engine *e, const graph *g, const engine_ports *inputs, const engine_ports *made, arena *scratch, diag *d);

#endif
