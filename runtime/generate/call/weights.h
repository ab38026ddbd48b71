/* How often real models call an API, and the probability that an input of a call is a weight, by its frequency as a constant in
 * them (traces/FRAMEWORK/WEIGHTS.tsv, docs/explanation/rules.md). For other APIs, the probability depends only on the position of
 * the input. */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ruletable.h"

enum { WEIGHTS_PLACES = 4 }; /* inputs with their own probability; later ones count as the last */

typedef struct weights {
	const rs_op *ops;			 /* owned by the table */
	uint32_t nops;
	uint16_t (*shares)[WEIGHTS_PLACES]; /* per mille, per signature of the table */
	uint32_t *calls; /* of its API in real models, per signature */
} weights;

/* False: out of memory. */
bool weights_open(weights *w, const rs_table *table);
void weights_close(weights *w);

/* The probability, per mille, that an input of a call is a constant; 0 for a signature that is not in the table. */
static inline uint32_t weights_share(const weights *w, const rs_op *op, unsigned input)
{
	uintptr_t at = (uintptr_t)op - (uintptr_t)w->ops;
	return at >= w->nops * sizeof *op ? 0 : w->shares[at / sizeof *op][input < WEIGHTS_PLACES ? input : WEIGHTS_PLACES - 1];
}

/* How often real models call the API of a signature; 0 for a signature that is not in the table. */
static inline uint32_t weights_calls(const weights *w, const rs_op *op)
{
	uintptr_t at = (uintptr_t)op - (uintptr_t)w->ops;
	return at >= w->nops * sizeof *op ? 0 : w->calls[at / sizeof *op];
}

#endif
