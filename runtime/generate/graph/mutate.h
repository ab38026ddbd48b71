/* The six mutations of graph-fuzz section III.F.
 *
 *   GEA, GER   edges of the topology are added, removed
 *   BNA, BNR   an operator of a subgraph is doubled, removed
 *   TSM        shapes of the model's inputs are drawn freely, not from a few
 *   PM         parameters of a call are drawn again
 *
 * The first four act on graphs of blocks and are here; the last two act on calls, so gen_graph.c
 * does them where it draws their numbers. Probabilities are per mille. */
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

/* With probability p, on a subgraph; nothing happens to a block of one operator. */
void mutate_add_node(block *b, unsigned p, rng *r);
void mutate_remove_node(block *b, unsigned p, rng *r);

#endif
