/* Draws a chain, or a part of it. */
#ifndef CHAIN_DRAW_H
#define CHAIN_DRAW_H

#include "chains.h"
#include "gen.h"

typedef struct chain_part {
	const chain_line *line;
	uint32_t number;   /* of the line */
	uint64_t calls;	   /* the drawn ones: a bit each */
	bool changed;	   /* a whole line that an optimizer pass changes */
} chain_part;

/* Draws at most that many calls: a pair of APIs, each equally likely, a line that has it, and calls around it. False: none, or
 * out of memory (g->failed). */
bool chain_draw(gen *g, uint32_t most, chain_part *p);

static inline bool chain_part_is_whole(const chain_part *p)
{
	return (uint32_t)__builtin_popcountll(p->calls) == p->line->model.live_nodes;
}

#endif
