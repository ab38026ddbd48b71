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

/* Draws a line that an optimizer pass changes, or calls around a pair of APIs: at most `left` calls, or a whole line of at most
 * `most`. Each pass and each pair is about equally likely. False: none, or out of memory (g->failed). */
bool chain_draw(gen *g, uint32_t left, uint32_t most, chain_part *p);

static inline bool chain_part_is_whole(const chain_part *p)
{
	return (uint32_t)__builtin_popcountll(p->calls) == p->line->model.live_nodes;
}

#endif
