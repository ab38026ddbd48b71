/* Which inputs of calls are weights: as often as they were constants in models of people (traces/FRAMEWORK/WEIGHTS.tsv,
 * docs/explanation/rules.md). Of an API that none of these has, by the place among the inputs alone. */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ruletable.h"

enum { WEIGHTS_PLACES = 4 }; /* inputs that are told apart; those behind count as the last */

typedef struct weights {
	const rs_op *ops;			 /* the table's */
	uint32_t nops;
	uint16_t (*shares)[WEIGHTS_PLACES]; /* per mille, by operator of the table */
} weights;

/* False: out of memory. */
bool weights_open(weights *w, const rs_table *table);
void weights_close(weights *w);

/* How often, per mille, an input of a call of the table's operator is a constant; 0 of a call that is not the table's. */
static inline uint32_t weights_share(const weights *w, const rs_op *op, unsigned input)
{
	uintptr_t at = (uintptr_t)op - (uintptr_t)w->ops;
	return at >= w->nops * sizeof *op ? 0 : w->shares[at / sizeof *op][input < WEIGHTS_PLACES ? input : WEIGHTS_PLACES - 1];
}

#endif
