#include "gen_chain.h"

/* The first chain whose cumulative weight exceeds a number. */
static const chain *chain_at(const chains *c, uint32_t number)
{
	uint32_t low = 0, high = c->n - 1;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (c->list[middle].upto > number)
			high = middle;
		else
			low = middle + 1;
	}
	return &c->list[low];
}

/* A random chain of at most that many calls, by weight; NULL: none, or it is too large now. */
static const chain *draw(gen *g, uint32_t most)
{
	const chains *c = &g->chains;
	uint32_t low = 0, high = c->n;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (c->list[middle].model.live_nodes <= most)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	const chain *found = chain_at(c, rng_below(&g->rng, c->list[low - 1].upto));
	return g->elements + found->elements <= g->budget ? found : NULL;
}

/* A tensor of the model that can be the chain's input; GRAPH_NONE: none. */
static uint32_t find_like(gen *g, const graph_tensor *t)
{
	uint32_t id = t->low || t->high || t->constant ? GRAPH_NONE : gen_draw_of_type(g, t->rank, t->dtype);
	if (id == GRAPH_NONE || !gen_has_shape(gen_tensor(g, id), t->rank, t->shape) || gen_tensor(g, id)->values > t->values)
		return GRAPH_NONE;
	return id;
}

static uint32_t make_like(gen *g, const graph_tensor *t)
{
	uint32_t id = gen_input_like(g, t);
	if (id != GRAPH_NONE && !t->constant)
		gen_enrol(g, id, !t->low && !t->high);
	return id;
}

static uint32_t insert(gen *g, const chain *c, uint32_t node, const uint32_t *map)
{
	const graph *from = &c->model;
	const graph_node *n = &from->nodes[node];
	uint32_t inputs[CHAIN_TENSORS];
	uint8_t dtypes[CHAIN_TENSORS];
	int64_t out[CHAIN_NUMBERS], *o = out;
	for (unsigned i = 0; i < n->nin; i++)
		inputs[i] = map[graph_node_input(from, n, i)];
	for (unsigned i = 0; i < n->nout; i++) {
		const graph_tensor *t = &from->tensors[n->outputs + i];
		dtypes[i] = t->dtype;
		for (unsigned k = 0; k < t->rank; k++)
			*o++ = t->shape[k];
	}
	graph_call call = {.op = n->op, .symbols = n->symbols, .inputs = inputs, .consts = n->consts, .out = out,
	    .out_dtypes = dtypes, .form = &c->forms[node]};
	return graph_insert(g->graph, &call, GRAPH_NONE);
}

/* Inserts the calls, in order; map: from the chain's tensors to the model's. */
static bool insert_all(gen *g, const chain *c, uint32_t *map)
{
	const graph *from = &c->model;
	for (uint32_t i = from->first; i != GRAPH_NONE; i = from->nodes[i].next) {
		uint32_t node = insert(g, c, i, map);
		if (node == GRAPH_NONE)
			return false;
		for (unsigned k = 0; k < from->nodes[i].nout; k++) {
			uint32_t id = g->graph->nodes[node].outputs + k;
			map[from->nodes[i].outputs + k] = id;
			g->elements += gen_tensor(g, id)->numel;
			gen_enrol(g, id, false);
		}
	}
	return !g->failed;
}

uint32_t gen_insert_chain(gen *g, uint32_t most)
{
	uint32_t map[CHAIN_TENSORS];
	const chain *c = g->chain_share && g->chains.n && gen_per_mille(g, g->chain_share) ? draw(g, most) : NULL;
	if (!c)
		return 0;
	const graph *from = &c->model;
	for (uint32_t i = 0; i < from->ntensors; i++) {
		const graph_tensor *t = &from->tensors[i];
		if (t->producer != GRAPH_NONE)
			continue;
		map[i] = find_like(g, t);
		if (map[i] == GRAPH_NONE)
			map[i] = make_like(g, t);
		if (map[i] == GRAPH_NONE || g->failed) {
			g->failed = true;
			return 0;
		}
	}
	if (!insert_all(g, c, map)) {
		g->failed = true;
		return 0;
	}
	g->stats.concrete += from->live_nodes;
	g->stats.fresh += from->live_nodes;
	return from->live_nodes;
}
