#include "chain_draw.h"

#include <string.h>

enum {
	BY_PASS = 400, /* Per mille of draws that choose a pass first. */
	PASSES = 3,    /* Passes to draw; one of them is chosen. */
	LINES = 3,     /* Lines to draw for a pass; the shortest is chosen. */
	CHANGED = 720, /* Per mille of the other draws that take a pair which a pass changes alone. */
	WHOLE = 250,   /* Per mille of pairs with their whole line, and of the rest with as many calls as fit. */
	AROUND = 3,    /* Maximum calls around all other pairs. */
};

/* A random call of a set that is not empty. */
static unsigned draw_bit(gen *g, uint64_t set)
{
	for (uint32_t n = rng_below(&g->rng, (uint32_t)__builtin_popcountll(set)); n; n--)
		set &= set - 1;
	return (unsigned)__builtin_ctzll(set);
}

static bool read_line(gen *g, uint32_t number, chain_part *p)
{
	diag d = {""};
	*p = (chain_part){.line = chain_lines_read(g->chains->lines, number, &d), .number = number};
	g->failed |= !p->line; /* the lines are compiled in and tested */
	return p->line && p->line->model.ntensors <= CHAIN_TENSORS;
}

static uint64_t calls_from(uint32_t first, uint32_t n)
{
	return (n < CHAIN_CALLS ? (UINT64_C(1) << n) - 1 : UINT64_MAX) << first;
}

/* ---- a pass of an optimizer, each equally likely, and a line that it changes */

/* Draws some passes with lines of at most `most` calls, and keeps the one whose shortest line is longest. Passes with short lines
 * also fire in models made of pairs. */
static uint32_t draw_rare(gen *g, uint32_t most)
{
	uint32_t found = GRAPH_NONE;
	for (int i = 0; i < PASSES; i++) {
		uint32_t pass = rng_below(&g->rng, chain_passes_count()), calls = chain_pass_shortest(pass);
		if (calls <= most && (found == GRAPH_NONE || calls > chain_pass_shortest(found)))
			found = pass;
	}
	return found;
}

/* Draws some lines of a pass and returns the shortest. Most calls of a short line are those that the pass merges. */
static uint32_t draw_short(gen *g, uint32_t pass, uint32_t n)
{
	uint32_t found = rng_below(&g->rng, n);
	for (int i = 1; i < LINES; i++) {
		uint32_t other = rng_below(&g->rng, n);
		if (chain_line_calls(chain_pass_line(pass, other)) < chain_line_calls(chain_pass_line(pass, found)))
			found = other;
	}
	return found;
}

static bool draw_pass(gen *g, uint32_t most, chain_part *p)
{
	uint32_t pass = draw_rare(g, most), n = pass == GRAPH_NONE ? 0 : chain_pass_lines(pass), start = n ? draw_short(g, pass, n) : 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t line = chain_pass_line(pass, (start + i) % n), calls = chain_line_calls(line);
		if (calls > most || strcmp(chain_line_framework(line), g->index.table->framework) != 0)
			continue;
		if (!read_line(g, line, p))
			return false;
		p->calls = calls_from(0, calls);
		return p->changed = true;
	}
	return false;
}

/* ---- a pair of APIs, each equally likely, and calls around it */

/* Adds calls, each connected to one before it, until there are `most`. */
static void grow(gen *g, chain_part *p, uint32_t most)
{
	const chain_node *nodes = p->line->nodes;
	uint64_t near = 0;
	for (uint64_t rest = p->calls; rest; rest &= rest - 1)
		near |= nodes[__builtin_ctzll(rest)].near;
	near &= ~p->calls;
	for (uint32_t n = 2; n < most && near; n++) {
		unsigned call = draw_bit(g, near);
		p->calls |= UINT64_C(1) << call;
		near = (near | nodes[call].near) & ~p->calls;
	}
}

static bool draw_pair(gen *g, uint32_t left, uint32_t most, chain_part *p)
{
	chains *c = g->chains;
	uint32_t n = c->nchanged && gen_per_mille(g, CHANGED) ? c->nchanged : c->npairs;
	uint32_t pair = c->pairs[rng_below(&g->rng, n)], first = chain_pair_at(pair)->first;
	chain_edge e = chain_edge_at(first + rng_below(&g->rng, chain_pair_at(pair + 1)->first - first));
	if (!read_line(g, e.line, p))
		return false;
	uint32_t calls = chain_line_calls(e.line), around = left < AROUND ? left : AROUND;
	if (calls <= most && gen_per_mille(g, WHOLE)) {
		p->calls = calls_from(0, calls);
		return true;
	}
	p->calls = UINT64_C(1) << e.from | UINT64_C(1) << e.to;
	grow(g, p, gen_per_mille(g, WHOLE) ? left : 2 + rng_below(&g->rng, around - 1));
	return true;
}

bool chain_draw(gen *g, uint32_t left, uint32_t most, chain_part *p)
{
	if (!g->chains->npairs)
		return false;
	if (chain_passes_count() && gen_per_mille(g, BY_PASS) && draw_pass(g, most, p))
		return true;
	return !g->failed && left > 1 && draw_pair(g, left, most, p);
}
