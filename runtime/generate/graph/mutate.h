/* The six mutations of graph-based fuzz testing, section III.F.
 *
 *   GEA, GER   add, remove edges of the topology
 *   BNA, BNR   duplicate, remove an operator of a subgraph
 *   TSM        draw shapes of model inputs freely, not from a few
 *   PM         redraw parameters of a call
 *
 * The first four act on graphs of blocks and are in this file; the last two act on calls, and feed.c applies them where it
 * draws numbers. Probabilities are per mille. */
#ifndef MUTATE_H
#define MUTATE_H

#include "corpus.h"
#include "topology.h"

typedef struct mutation {
	unsigned gea, ger, bna, bnr; /* 0, 100 or 200 */
	bool tsm, pm;
} mutation;

mutation mutate_select(rng *r);

bool mutate_add_edges(topology *t, unsigned p, rng *r);    /* ⌈n p⌉; false when out of memory */
void mutate_remove_edges(topology *t, unsigned p, rng *r); /* ⌊n p⌋ */

/* With probability p, on a subgraph; blocks of one operator are unchanged. */
void mutate_add_node(block *b, unsigned p, rng *r);
void mutate_remove_node(block *b, unsigned p, rng *r);

#endif
