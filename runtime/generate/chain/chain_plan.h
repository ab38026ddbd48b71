/* Draws which parts of a record a chain keeps when it is inserted as a pattern. */
#ifndef CHAIN_PLAN_H
#define CHAIN_PLAN_H

#include "chain_draw.h"

enum chain_change { CHAIN_KEEP, CHAIN_EXCHANGE, CHAIN_DROP, CHAIN_TWICE };

typedef struct chain_plan {
	/* The parts of the record to prefer. */
	bool attributes;
	bool elements; /* Elements of constants. */
	bool ranks;
	bool dtypes;
	bool shapes; /* Sizes of 1, and equalities of sizes. */

	/* Variations. `rescales` and `expands` are set in the plan of one call only (chain_plan_of). */
	bool rescales;	 /* Constants of one element have other ranks, if a signature has them. */
	bool broadcasts; /* New inputs broadcast with the other operands, in both directions. */
	bool expands;	 /* New inputs are larger than the other operands in dimensions of 1. */
	uint8_t top, lifted; /* Inputs recorded with rank `top` have rank `lifted` instead. */
	uint32_t swaps; /* Per mille of calls with the first two operands exchanged. */
	enum chain_change change; /* The change of the call `changed`. */

	/* Positions among the drawn calls. GRAPH_NONE: no call. */
	uint32_t swapped;  /* Its operands are mostly exchanged. */
	uint32_t expanded; /* Its weights are larger than its other operand, whose last dimension is 1. */
	uint32_t changed;
	uint32_t rescaled; /* It has `rescales`. */
	uint32_t free;	   /* It has other attributes and elements than recorded. */
	uint32_t result;   /* One of its results is also an output of the model. */
} chain_plan;

chain_plan chain_plan_draw(gen *g, const chain_part *part);
/* The plan for one of the drawn calls. */
chain_plan chain_plan_of(const chain_plan *p, uint32_t call);

/* The rank that the plan gives to an input recorded with this rank. */
static inline unsigned chain_plan_rank(const chain_plan *p, unsigned recorded)
{
	return p->top && recorded == p->top ? p->lifted : recorded;
}

#endif
