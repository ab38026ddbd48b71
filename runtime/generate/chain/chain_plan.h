/* Draws which parts of a record a chain keeps when it is inserted as a pattern. */
#ifndef CHAIN_PLAN_H
#define CHAIN_PLAN_H

#include "chain_draw.h"

enum chain_change { CHAIN_KEEP, CHAIN_EXCHANGE, CHAIN_DROP, CHAIN_TWICE };

typedef struct chain_plan {
	bool attributes; /* prefers the recorded attributes */
	bool elements;	 /* prefers the recorded elements of constants */
	bool ranks;	 /* prefers the recorded ranks */
	bool dtypes;	 /* prefers the recorded dtypes */
	bool shapes;	 /* prefers the recorded sizes of 1, and the recorded equalities of sizes */
	bool rescales;	 /* of one call: constants of one element have other ranks, if a signature has them */
	bool broadcasts; /* new inputs broadcast with the other operands, in both directions */
	bool expands;	 /* of one call: new inputs are larger than the other operands in dimensions of 1 */
	uint8_t top, lifted; /* inputs recorded with rank `top` have rank `lifted` instead */
	uint32_t swaps; /* per mille of calls with the first two operands exchanged */
	enum chain_change change; /* of `changed` */
	/* Positions among the drawn calls. GRAPH_NONE: no call. */
	uint32_t swapped;  /* the call whose operands are mostly exchanged */
	uint32_t expanded; /* the call whose weights are larger than its other operand, whose last dimension is 1 */
	uint32_t changed;
	uint32_t rescaled; /* the call with `rescales` */
	uint32_t free;	   /* the call without its recorded attributes and elements */
	uint32_t result;   /* the call with a result that is an output of the model, too */
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
