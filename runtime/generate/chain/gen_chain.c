/* Inserts chains: a share as recorded, others as patterns. A pattern keeps which output feeds which input. Signatures, shapes,
 * attributes and constants of its calls come from the rules, and a call that finds none ends it. */
#include "gen_chain.h"

#include "chain_call.h"
#include "chain_draw.h"

enum {
	EXACT = 200,  /* per mille of insertions as recorded */
	DRAWS = 3,    /* chains tried until one has a call that fits */
	WHOLE = 300,  /* of insertions that may exceed the calls left, since decomposed layers have 6 to 20 */
	ROOM = 20,    /* maximum calls then */
};

/* ---- as recorded */

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

static uint32_t copy_call(gen *g, const chain_line *c, uint32_t node, const uint32_t *map)
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
static bool insert_all(gen *g, const chain_line *c, uint32_t *map)
{
	const graph *from = &c->model;
	for (uint32_t i = from->first; i != GRAPH_NONE; i = from->nodes[i].next) {
		uint32_t node = copy_call(g, c, i, map);
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

static uint32_t insert_exact(gen *g, const chain_line *c)
{
	uint32_t map[CHAIN_TENSORS];
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

/* ---- as a pattern */

/* Passes the first input on. False: the node has none, or several outputs. */
static bool drop(const chain_line *c, uint32_t node, uint32_t *map)
{
	const graph_node *n = &c->model.nodes[node];
	for (unsigned i = 0; i < n->nin && n->nout == 1; i++) {
		uint32_t x = map[graph_node_input(&c->model, n, i)];
		if (x == GRAPH_NONE)
			continue;
		map[n->outputs] = x;
		return true;
	}
	return false;
}

/* Repeats the call on its result. */
static bool insert_again(gen *g, const chain_line *c, uint32_t node, const chain_plan *plan, uint32_t *map)
{
	const graph_node *n = &c->model.nodes[node];
	if (!n->nin)
		return false;
	uint32_t first = graph_node_input(&c->model, n, 0), before = map[first];
	map[first] = map[n->outputs];
	bool again = chain_insert_call(g, c, node, plan, map);
	map[first] = before;
	return again;
}

/* Inserts a call, changed as planned. Returns the number of inserted calls. */
static uint32_t insert_one(gen *g, const chain_line *c, uint32_t node, const chain_plan *p, uint32_t at, uint32_t most, uint32_t *map)
{
	const chain_plan plan = chain_plan_of(p, at);
	enum chain_change change = at == p->changed ? p->change : CHAIN_KEEP;
	if (change == CHAIN_DROP && drop(c, node, map))
		return 0;
	bool other = change == CHAIN_EXCHANGE && chain_insert_other(g, c, node, &plan, map);
	if (!other && (g->failed || !chain_insert_call(g, c, node, &plan, map)))
		return 0;
	uint32_t made = map[c->model.nodes[node].outputs];
	if (at == p->result && made != GRAPH_NONE)
		g->graph->tensors[made].kept = true;
	return 1 + (change == CHAIN_TWICE && most > 1 && !g->failed && insert_again(g, c, node, &plan, map));
}

static uint32_t insert_pattern(gen *g, const chain_part *part, uint32_t most)
{
	uint32_t map[CHAIN_TENSORS], made = 0, at = 0;
	const chain_line *c = part->line;
	const chain_plan p = chain_plan_draw(g, part);
	for (uint32_t i = 0; i < c->model.ntensors; i++)
		map[i] = GRAPH_NONE;
	for (uint64_t rest = part->calls; rest && made < most && !g->failed; rest &= rest - 1, at++)
		made += insert_one(g, c, (uint32_t)__builtin_ctzll(rest), &p, at, most - made, map);
	return g->failed ? 0 : made;
}

static uint32_t insert(gen *g, uint32_t left, uint32_t most)
{
	chain_part part;
	if (!chain_draw(g, left, most, &part))
		return 0;
	bool fits = chain_part_is_whole(&part) && g->elements + part.line->elements <= g->budget;
	if (fits && gen_per_mille(g, EXACT) && chains_exact(g->chains, part.number, &g->index))
		return insert_exact(g, part.line);
	return insert_pattern(g, &part, most);
}

uint32_t gen_insert_chain(gen *g, uint32_t left)
{
	uint32_t n = 0;
	if (!g->chains || !g->chains->npairs || !gen_per_mille(g, g->chain_share))
		return 0;
	uint32_t most = left < ROOM && gen_per_mille(g, WHOLE) ? ROOM : left;
	for (int i = 0; i < DRAWS && !n && !g->failed; i++)
		n = insert(g, left, most);
	return n;
}
