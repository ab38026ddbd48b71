/* The topologies of models: directed acyclic graphs of n block nodes (graph-based fuzz testing, section III.G).
 *
 * Both draw undirected edges; an edge goes from its lower to its higher node, so node numbers are an order of execution.
 *
 *   WS(k, p, n)   a ring in which each node has k neighbours; the far end of each edge moves to a
 *                 random node with probability p (Watts and Strogatz)
 *   RN(k, p, n)   a line with skip edges: each node with fewer than k neighbours asks, once per
 *                 missing neighbour, for a later node that also lacks one, and gets it with
 *                 probability p (residual networks)
 *
 * Probabilities are per mille, since models must not depend on floating point. */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "rng.h"

enum topology_model { TOPOLOGY_WS, TOPOLOGY_RN };

typedef struct topology_edge {
	uint32_t from, to; /* from < to */
	uint32_t next;     /* edge with the same `from` */
} topology_edge;

typedef struct topology {
	uint32_t n, nedges;
	topology_edge *edges;
	uint32_t *first;    /* [n]: a list of edges from each node */
	uint32_t *in, *out; /* [n]: degrees */
	/* after topology_finish: the predecessors of node i are preds[starts[i] … starts[i + 1] -
	 * 1] */
	uint32_t *starts, *preds;
	uint32_t *open, *places; /* RN: nodes that lack neighbours, and the position of each */
	uint32_t cnodes, cedges; /* capacity */
} topology;

void topology_free(topology *t); /* an empty topology is all zero */

/* Makes a topology of n > 0 nodes, with at most k neighbours each if the model limits them; reuses the memory. False: out
 * of memory. */
bool topology_draw(
    topology *t, enum topology_model model, uint32_t n, unsigned k, unsigned p, rng *r);
bool topology_begin(topology *t, uint32_t n); /* no edges */

bool topology_joined(const topology *t, uint32_t a, uint32_t b);
/* Adds an edge between two nodes that are not connected. False: out of memory. */
bool topology_join(topology *t, uint32_t a, uint32_t b);
void topology_cut(topology *t, uint32_t edge); /* the last edge gets its number */

/* Lists the predecessors, in order; call it after the last change. False: out of memory. */
bool topology_finish(topology *t);

#endif
