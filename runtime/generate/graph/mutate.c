#include "mutate.h"

enum { DRAWS = 8 }; /* pairs drawn for a new edge */

static unsigned draw_rate(rng *r)
{
	return rng_below(r, 3) * 100;
}

mutation mutate_select(rng *r)
{
	mutation m = {.gea = draw_rate(r),
	    .ger = draw_rate(r),
	    .bna = draw_rate(r),
	    .bnr = draw_rate(r),
	    .tsm = rng_below(r, 8) != 0,
	    .pm = rng_below(r, 8) != 0};
	return m;
}

/* ---- edges */

static bool add_edge(topology *t, rng *r)
{
	for (int tries = 0; tries < DRAWS; tries++) {
		uint32_t a = rng_below(r, t->n), b = rng_below(r, t->n);
		if (a != b && !topology_joined(t, a, b))
			return topology_join(t, a, b);
	}
	return true;
}

bool mutate_add_edges(topology *t, unsigned p, rng *r)
{
	for (uint64_t left = ((uint64_t)t->n * p + 999) / 1000; left; left--)
		if (!add_edge(t, r))
			return false;
	return true;
}

void mutate_remove_edges(topology *t, unsigned p, rng *r)
{
	for (uint64_t left = (uint64_t)t->n * p / 1000; left && t->nedges; left--)
		topology_cut(t, rng_below(r, t->nedges));
}

/* ---- nodes of a subgraph */

static bool wanted(const block *b, unsigned p, rng *r)
{
	return rng_below(r, 1000) < p && b->nnodes > 1;
}

/* The copy is inserted behind the node and takes over its users. */
void mutate_add_node(block *b, unsigned p, rng *r)
{
	if (!wanted(b, p, r) || b->nnodes == BLOCK_NODES_MAX || b->nedges == BLOCK_EDGES_MAX)
		return;
	unsigned node = rng_below(r, b->nnodes);
	for (unsigned i = b->nnodes++; i > node; i--)
		b->apis[i] = b->apis[i - 1];
	for (unsigned e = 0; e < b->nedges; e++) {
		b->edges[e].from += b->edges[e].from >= node;
		b->edges[e].to += b->edges[e].to > node;
	}
	b->edges[b->nedges].from = (uint8_t)node;
	b->edges[b->nedges++].to = (uint8_t)(node + 1);
}

void mutate_remove_node(block *b, unsigned p, rng *r)
{
	if (!wanted(b, p, r))
		return;
	unsigned node = rng_below(r, b->nnodes), kept = 0;
	for (unsigned e = 0; e < b->nedges; e++) {
		if (b->edges[e].from == node || b->edges[e].to == node)
			continue;
		b->edges[kept].from = (uint8_t)(b->edges[e].from - (b->edges[e].from > node));
		b->edges[kept++].to = (uint8_t)(b->edges[e].to - (b->edges[e].to > node));
	}
	b->nedges = kept;
	b->nnodes--;
	for (unsigned i = node; i < b->nnodes; i++)
		b->apis[i] = b->apis[i + 1];
}
