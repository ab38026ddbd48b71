#include "cover.h"

#include "bits.h"
#include "index_places.h"

enum {
	PATIENCE = 4, /* calls without a new successor that halve the estimate */
};

/* ---- types, edges */

static uint32_t api_of_node(const gen *g, uint32_t node)
{
	return own(g)->api_of[g->graph->nodes[node].op - g->index.table->ops];
}

uint32_t gg_maker(const gen *g, uint32_t tensor)
{
	uint32_t node = gen_tensor(g, tensor)->producer;
	return node == GRAPH_NONE ? NONE : api_of_node(g, node);
}

uint32_t gg_node_uses(const graph *m, uint32_t node)
{
	uint32_t sum = 0;
	for (unsigned i = 0; i < m->nodes[node].op->nout; i++)
		sum += m->tensors[m->nodes[node].outputs + i].nuses;
	return sum;
}

bool gg_may_take(const gen *g, uint32_t api, uint32_t tensor)
{
	const graphing *w = own(g);
	const graph_tensor *x = gen_tensor(g, tensor);
	uint32_t count;
	if (takers_of(w, type_of_tensor(g, tensor), x->values)[api / 64] >> (api % 64) & 1)
		return true;
	if (!w->recorded[api])
		return false;
	gen_index_shape(&g->index, INDEX_RECORD_INPUT, api, x->rank, x->shape, &count);
	return count;
}

bool gg_has_edge(const gen *g, uint32_t from, uint32_t to)
{
	return from == NONE || olc_has_edge(&own(g)->cover, from, to);
}

/* ---- worth */

/* The number of APIs that accept a type and have not followed this one yet, up to a limit. */
static uint32_t prospects(const gen *g, uint32_t api, uint32_t type, unsigned class, uint32_t most)
{
	const graphing *w = own(g);
	const uint64_t *takes = takers_of(w, type, class),
		       *seen = w->cover.edges + (size_t)api * w->words;
	uint32_t n = 0;
	for (uint32_t i = 0; i < w->words && n < most; i++)
		n += (uint32_t)bit_count(takes[i] & ~seen[i]);
	return n < most ? n : most;
}

uint32_t gg_prospects(
    const gen *g, const index_op *o, const uint8_t *row, unsigned class, uint32_t uses)
{
	uint32_t most = 0;
	for (unsigned i = 0; i < o->nout && most < uses; i++) {
		uint32_t type = type_of(o->out_ranks[i], row[o->nin + i]),
			 n = prospects(g, o->api, type, class, uses);
		most = n > most ? n : most;
	}
	return most;
}

bool gg_leads_on(const gen *g, const index_op *o, const uint8_t *row, unsigned class)
{
	const graphing *w = own(g);
	for (unsigned i = 0; i < o->nout; i++) {
		const uint64_t *takes =
		    takers_of(w, type_of(o->out_ranks[i], row[o->nin + i]), class);
		for (uint32_t k = 0; k < w->words; k++)
			if (takes[k])
				return true;
	}
	return false;
}

uint64_t gg_worth_prospects(const gen *g, uint32_t api, uint32_t prospects)
{
	const graphing *w = own(g);
	uint64_t worth = (uint64_t)olc_worth_edge(&w->cover) * prospects / 2;
	return worth * PATIENCE / (PATIENCE + w->misses[api]);
}

uint32_t gg_worth_vector(const gen *g, uint32_t api)
{
	const graphing *w = own(g);
	return w->cover.types[api].vectors < w->reach[api] ? olc_worth_vector(&w->cover, api) : 0;
}

uint32_t gg_worth_call(const gen *g, const index_op *o)
{
	return olc_worth_in(&own(g)->cover, o->api, o->nin)
	       + (o->symbolic ? gg_worth_vector(g, o->api) : gg_worth_vector(g, o->api) / 4);
}

uint32_t gg_worth_edge(const gen *g, uint32_t from, uint32_t to)
{
	return gg_has_edge(g, from, to) ? 0 : olc_worth_edge(&own(g)->cover);
}

uint64_t gg_vector_of(const gen *g, const rs_op *op, const int64_t *v)
{
	uint64_t h = (uint64_t)(op - g->index.table->ops);
	for (unsigned i = 0; i < op->nsym; i++) {
		h = (h ^ (uint64_t)v[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h;
}

/* ---- counting */

/* Hash of the numbers and the varying constants. */
static uint64_t node_vector(const graph_node *n, uint64_t h)
{
	unsigned constant = 0;
	for (unsigned i = 0; n->consts && i < n->op->nvalues; i++)
		if (n->op->values[i].kind == RS_CONST)
			for (const char *p = n->consts[constant++]; *p; p++)
				h = (h ^ (uint8_t)*p) * 0x100000001b3u;
	return h;
}

void gg_count_node(gen *g, uint32_t node, uint32_t uses)
{
	graphing *w = own(g);
	const graph_node *n = &g->graph->nodes[node];
	uint32_t api = api_of_node(g, node);
	uint64_t numbers = gg_vector_of(g, n->op, n->symbols), all = node_vector(n, numbers);
	bool new = !olc_has_vector(&w->cover, api, all);
	w->grew |= olc_add_node(&w->cover, api, n->op->nin, uses, all);
	if (new &&all != numbers) /* a trial is hashed by its numbers only */
		olc_mark(&w->cover, api, numbers);
}

void gg_count_edges(gen *g, uint32_t node)
{
	graphing *w = own(g);
	const graph_node *n = &g->graph->nodes[node];
	for (unsigned i = 0; i < n->op->nin; i++) {
		uint32_t from = gg_maker(g, graph_node_input(g->graph, n, i));
		if (from == NONE)
			continue;
		w->misses[from]++;
		if (olc_add_edge(&w->cover, from, api_of_node(g, node))) {
			w->misses[from] = 0;
			w->grew = true;
		}
	}
}

static bool takes_any(const trial *t)
{
	for (unsigned i = 0; i < t->o->nin; i++)
		if (t->inputs[i] != GRAPH_NONE)
			return true;
	return false;
}

uint32_t gg_commit(gen *g, trial *t)
{
	*(takes_any(t) ? &g->stats.forward : &g->stats.fresh) += 1;
	uint32_t node = gen_commit(g, t);
	if (node == GRAPH_NONE)
		return node;
	gg_count_node(g, node, NOT_YET);
	gg_count_edges(g, node);
	return node;
}
