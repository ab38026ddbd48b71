#include "topology.h"

#include <stdlib.h>
#include <string.h>

enum {
	NONE = UINT32_MAX,
	DRAWS = 8, /* partners drawn for an edge */
};

void topology_free(topology *t)
{
	free(t->edges);
	free(t->first);
	free(t->preds);
	*t = (topology){0};
}

/* Allocates the arrays of nodes as one block. */
static bool reserve_nodes(topology *t, uint32_t n)
{
	if (n <= t->cnodes)
		return true;
	uint32_t *p = realloc(t->first, ((size_t)n * 6 + 1) * sizeof *p);
	if (!p)
		return false;
	t->first = p;
	t->in = p + n;
	t->out = p + (size_t)n * 2;
	t->open = p + (size_t)n * 3;
	t->places = p + (size_t)n * 4;
	t->starts = p + (size_t)n * 5; /* n + 1 */
	t->cnodes = n;
	return true;
}

static bool reserve_edges(topology *t, uint32_t n)
{
	if (n <= t->cedges)
		return true;
	n = n < t->cedges * 2 ? t->cedges * 2 : n;
	topology_edge *e = realloc(t->edges, (size_t)n * sizeof *e);
	if (e)
		t->edges = e;
	uint32_t *p = realloc(t->preds, (size_t)n * sizeof *p);
	if (p)
		t->preds = p;
	if (!e || !p)
		return false;
	t->cedges = n;
	return true;
}

bool topology_begin(topology *t, uint32_t n)
{
	t->n = t->nedges = 0;
	if (!reserve_nodes(t, n))
		return false;
	t->n = n;
	memset(t->first, 0xff, n * sizeof *t->first);
	memset(t->in, 0, n * sizeof *t->in);
	memset(t->out, 0, n * sizeof *t->out);
	return true;
}

/* ---- edges */

bool topology_joined(const topology *t, uint32_t a, uint32_t b)
{
	uint32_t from = a < b ? a : b, to = a < b ? b : a;
	for (uint32_t e = t->first[from]; e != NONE; e = t->edges[e].next)
		if (t->edges[e].to == to)
			return true;
	return false;
}

bool topology_join(topology *t, uint32_t a, uint32_t b)
{
	uint32_t from = a < b ? a : b, to = a < b ? b : a;
	if (!reserve_edges(t, t->nedges + 1))
		return false;
	t->edges[t->nedges] = (topology_edge){from, to, t->first[from]};
	t->first[from] = t->nedges++;
	t->out[from]++;
	t->in[to]++;
	return true;
}

/* The link to an edge: the head of its list, or another edge. */
static uint32_t *link_to(topology *t, uint32_t edge)
{
	uint32_t *link = &t->first[t->edges[edge].from];
	while (*link != edge)
		link = &t->edges[*link].next;
	return link;
}

void topology_cut(topology *t, uint32_t edge)
{
	t->out[t->edges[edge].from]--;
	t->in[t->edges[edge].to]--;
	*link_to(t, edge) = t->edges[edge].next;
	uint32_t last = t->nedges - 1;
	if (edge != last) {
		*link_to(t, last) = edge;
		t->edges[edge] = t->edges[last];
	}
	t->nedges--;
}

bool topology_finish(topology *t)
{
	if (!reserve_edges(t, t->nedges + 1))
		return false;
	uint32_t sum = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		t->starts[i] = sum;
		sum += t->in[i];
	}
	t->starts[t->n] = sum;
	/* Counting sort by `from`, so that predecessors are in order: starts[i] moves to the end of its list … */
	for (uint32_t from = 0; from < t->n; from++)
		for (uint32_t e = t->first[from]; e != NONE; e = t->edges[e].next)
			t->preds[t->starts[t->edges[e].to]++] = from;
	for (uint32_t i = t->n; i; i--) /* … and back */
		t->starts[i] = t->starts[i - 1];
	t->starts[0] = 0;
	return true;
}

/* ---- Watts and Strogatz */

static bool chance(rng *r, unsigned p)
{
	return rng_below(r, 1000) < p;
}

static uint32_t degree(const topology *t, uint32_t i)
{
	return t->in[i] + t->out[i];
}

/* A random node that i is not connected to; NONE after DRAWS failures. */
static uint32_t draw_stranger(const topology *t, uint32_t i, rng *r)
{
	for (int tries = 0; tries < DRAWS; tries++) {
		uint32_t j = rng_below(r, t->n);
		if (j != i && !topology_joined(t, i, j))
			return j;
	}
	return NONE;
}

static uint32_t find_edge(const topology *t, uint32_t a, uint32_t b)
{
	uint32_t from = a < b ? a : b, to = a < b ? b : a, e = t->first[from];
	while (e != NONE && t->edges[e].to != to)
		e = t->edges[e].next;
	return e;
}

static bool rewire(topology *t, uint32_t i, uint32_t j, rng *r)
{
	uint32_t edge = find_edge(t, i, j), other;
	if (edge == NONE || degree(t, i) + 1 >= t->n || (other = draw_stranger(t, i, r)) == NONE)
		return true;
	topology_cut(t, edge);
	return topology_join(t, i, other);
}

static bool watts_strogatz(topology *t, unsigned k, unsigned p, rng *r)
{
	uint32_t n = t->n, half = k / 2;
	for (uint32_t d = 1; d <= half; d++)
		for (uint32_t i = 0; i < n; i++) {
			uint32_t j = (i + d) % n; /* in a small ring it may be i or a neighbour */
			if (j != i && !topology_joined(t, i, j) && !topology_join(t, i, j))
				return false;
		}
	for (uint32_t d = 1; d <= half; d++)
		for (uint32_t i = 0; i < n; i++)
			if (chance(r, p) && !rewire(t, i, (i + d) % n, r))
				return false;
	return true;
}

/* ---- residual networks */

static void close_node(topology *t, uint32_t i, uint32_t *nopen)
{
	uint32_t at = t->places[i], last = t->open[--*nopen];
	t->open[at] = last;
	t->places[last] = at;
	t->places[i] = NONE;
}

/* An open node that i is not connected to. All open nodes come after i. */
static uint32_t draw_open(const topology *t, uint32_t i, uint32_t nopen, rng *r)
{
	for (int tries = 0; nopen && tries < DRAWS; tries++) {
		uint32_t j = t->open[rng_below(r, nopen)];
		if (!topology_joined(t, i, j))
			return j;
	}
	return NONE;
}

static bool residual(topology *t, unsigned k, unsigned p, rng *r)
{
	uint32_t n = t->n, nopen = n;
	for (uint32_t i = 0; i < n; i++)
		t->open[i] = t->places[i] = i;
	for (uint32_t i = 1; i < n; i++)
		if (!topology_join(t, i - 1, i))
			return false;
	for (uint32_t i = 0; i < n; i++) {
		if (t->places[i] != NONE)
			close_node(t, i, &nopen);
		uint32_t lacks = degree(t, i) < k ? k - degree(t, i) : 0;
		for (; lacks; lacks--) {
			uint32_t j = chance(r, p) ? draw_open(t, i, nopen, r) : NONE;
			if (j == NONE)
				continue;
			if (degree(t, j) >= k) { /* the line alone may use up its degree */
				close_node(t, j, &nopen);
				continue;
			}
			if (!topology_join(t, i, j))
				return false;
			if (degree(t, j) >= k)
				close_node(t, j, &nopen);
		}
	}
	return true;
}

bool topology_draw(
    topology *t, enum topology_model model, uint32_t n, unsigned k, unsigned p, rng *r)
{
	if (!topology_begin(t, n))
		return false;
	return model == TOPOLOGY_RN ? residual(t, k, p, r) : watts_strogatz(t, k, p, r);
}
