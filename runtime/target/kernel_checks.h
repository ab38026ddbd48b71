/* Chooses models that the fast path must not decide. It runs the same kernels on both sides, but the full oracle also compares
 * kernels of older operator versions with a second implementation. It judges the first models with each signature of an older
 * version, and then ever fewer of them. */
#ifndef KERNEL_CHECKS_H
#define KERNEL_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "graph.h"

enum {
	KERNEL_CHECKS_FIRST = 8,     /* occurrences of a signature that are all judged; later the 16th, 32nd and so on */
	KERNEL_CHECKS_ONE_IN = 8,    /* limit: one of so many models is chosen */
	KERNEL_CHECKS_SLOTS = 1 << 16, /* signatures in one slot share their count */
};

typedef struct kernel_checks {
	uint32_t models, chosen;
	uint32_t met[KERNEL_CHECKS_SLOTS]; /* occurrences, by signature */
} kernel_checks;

/* Whether the full oracle must judge a model. */
bool kernel_checks_choose(kernel_checks *k, const graph *model);

#endif
