/* The shapes of models: directed acyclic graphs of n block nodes (graph-fuzz section III.G).
 *
 * Both models draw undirected edges; an edge runs from its lower node to its higher one, so that
 * the nodes' numbers are an order of execution.
 *
 *   WS(k, p, n)   a ring in which each node knows k neighbours; each edge's far end moves to a
 *                 random node with probability p (Watts and Strogatz)
 *   RN(k, p, n)   a line, and edges that skip along it: each node with fewer than k neighbours
 *                 asks, as often as it lacks one, for a later node that lacks one too, and gets it
 *                 with probability p (residual networks)
 *
 * Probabilities are per mille: no floating point takes part in what a model looks like. */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "rng.h"

enum topology_model { TOPOLOGY_WS, TOPOLOGY_RN };

typedef struct topology_edge {
	uint32_t from, to; /* from < to */
	uint32_t next;     /* edge of the same `from` */
} topology_edge;

typedef struct topology {
	uint32_t n, nedges;
	topology_edge *edges;
	uint32_t *first;    /* [n]: a list of edges from each node */
	uint32_t *in, *out; /* [n]: degrees */
	/* after topology_finish: the predecessors of node i are preds[starts[i] … starts[i + 1] -
	 * 1] */
	uint32_t *starts, *preds;
	uint32_t *open, *places; /* RN: nodes that lack neighbours, and where each stands there */
	uint32_t cnodes, cedges; /* room */
} topology;

void topology_free(topology *t); /* all zero is an empty one */

/* n nodes, n > 0, and at most k neighbours each where the model says so; the memory is reused.
 * False when out of memory. */
bool topology_draw(
    topology *t, enum topology_model model, uint32_t n, unsigned k, unsigned p, rng *r);
bool topology_begin(topology *t, uint32_t n); /* no edges */

bool topology_joined(const topology *t, uint32_t a, uint32_t b);
/* An edge between two nodes that are not joined yet. False when out of memory. */
bool topology_join(topology *t, uint32_t a, uint32_t b);
void topology_cut(topology *t, uint32_t edge); /* the last edge takes its number */

/* Lists the predecessors, in order; call it after the last change. False when out of memory. */
bool topology_finish(topology *t);

#endif
