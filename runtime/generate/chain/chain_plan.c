/* Patterns of lines that an optimizer pass changes mostly stay close to the record, since the pass needs most of it. Each
 * variation is of a kind that conditions of passes tend to miss. */
#include "chain_plan.h"

enum {
	CLOSE = 700,  /* per mille of patterns of lines that a pass changes: with few variations. */
	KEPT = 500,   /* of other patterns with the recorded attributes. */
	ELEMENTS = 800, /* … with the recorded elements of constants. */
	RANKS = 350,  /* … with the recorded ranks. */
	SHAPES = 350, /* … with the recorded equalities of sizes. */
	BROADCASTS = 200, /* … with operands that broadcast. */
	DTYPES = 650, /* … with the recorded dtypes. */
	REORDERED = 300, /* … that may exchange operands. */
	SWAPS = 250, /* of the calls of these. */
	SWAPPED = 800, /* of the attempts for the one call of a close pattern that has exchanged operands. */
	VARIATIONS = 4, /* maximum of a close pattern. */
	PARAMETERS = 400, /* of other patterns in which one parameter gets another rank, or makes the result larger. */
	CHANGED = 250, /* of patterns of more than two calls with one exchanged, dropped or doubled. */
	RANK_MOST = 4, /* maximum rank drawn for a pattern. */
};

static const chain_plan NONE = {.swapped = GRAPH_NONE, .expanded = GRAPH_NONE, .rescaled = GRAPH_NONE, .free = GRAPH_NONE, .result = GRAPH_NONE};

/* ---- variations of a close pattern */

typedef void variation(gen *g, const chain_part *part, chain_plan *p);

/* A random one of the drawn calls. */
static uint32_t draw_call(gen *g, const chain_part *part)
{
	return rng_below(&g->rng, (uint32_t)__builtin_popcountll(part->calls));
}

/* Another rank for the inputs with the most dimensions; half of the time the minimum rank. */
static void lift(gen *g, const chain_part *part, chain_plan *p)
{
	const graph *m = &part->line->model;
	for (uint32_t i = 0; i < m->ntensors; i++)
		if (m->tensors[i].producer == GRAPH_NONE && m->tensors[i].rank > p->top)
			p->top = m->tensors[i].rank;
	p->lifted = (uint8_t)(gen_chance(g, 2) ? 1 : 1 + rng_below(&g->rng, RANK_MOST));
}

static void broadcast(gen *g, const chain_part *part, chain_plan *p)
{
	(void)g, (void)part;
	p->broadcasts = true;
	p->shapes = false;
}

/* Whether a call has written floats, as scales are. */
static bool has_floats(const rs_op *op)
{
	bool any = false;
	for (unsigned i = 0; i < op->nvalues; i++)
		any |= op->values[i].kind == RS_ELEMENTS && op->values[i].dtype >= RS_FLOAT16;
	return any;
}

/* One call with written floats: a pass that needs several constants mostly needs the others as recorded. */
static void rescale(gen *g, const chain_part *part, chain_plan *p)
{
	const graph *m = &part->line->model;
	uint32_t at = 0, seen = 0;
	for (uint64_t rest = part->calls; rest; rest &= rest - 1, at++) {
		if (has_floats(m->nodes[__builtin_ctzll(rest)].op) && rng_below(&g->rng, ++seen) == 0)
			p->rescaled = at;
	}
}

static void loosen(gen *g, const chain_part *part, chain_plan *p)
{
	(void)g, (void)part;
	p->ranks = p->shapes = false;
}

/* Whether a tensor broadcasts to a result of the same record: its dimensions are those at the end, or 1. */
static bool is_broadcast(const graph_tensor *t, const graph_tensor *result)
{
	bool fits = t->rank && t->rank <= result->rank;
	for (unsigned i = 1; fits && i <= t->rank; i++)
		fits = t->shape[t->rank - i] == 1 || t->shape[t->rank - i] == result->shape[result->rank - i];
	return fits;
}

/* Grades a call that takes a result and a parameter. 0: it takes no result of another drawn call, or nothing else. 1: a
 * parameter. 2: weights, such as a scale or a bias. */
static unsigned parameters(const chain_part *part, unsigned node)
{
	const graph *m = &part->line->model;
	const graph_node *n = &m->nodes[node];
	unsigned results = 0, weights = 0;
	for (unsigned i = 0; i < n->nin; i++) {
		const graph_tensor *t = &m->tensors[graph_node_input(m, n, i)];
		results += t->producer != GRAPH_NONE && (part->calls >> t->producer & 1);
		weights += t->producer == GRAPH_NONE && t->constant && is_broadcast(t, &m->tensors[n->outputs]);
	}
	return results != 1 || (n->nin != 2 && n->op->nvalues <= n->nin) ? 0 : 1 + (weights > 0);
}

/* One of the drawn calls, mostly one with weights, or else with another parameter. */
static uint32_t draw_parameter(gen *g, const chain_part *part)
{
	uint32_t found = draw_call(g, part), at = 0, seen = 0;
	unsigned most = 0;
	for (uint64_t rest = part->calls; rest; rest &= rest - 1, at++) {
		unsigned has = parameters(part, (unsigned)__builtin_ctzll(rest));
		if (has > most)
			most = has, seen = 0;
		if (has && has == most && rng_below(&g->rng, ++seen) == 0)
			found = at;
	}
	return found;
}

/* One call has its operands exchanged. */
static void reorder(gen *g, const chain_part *part, chain_plan *p)
{
	p->swapped = draw_parameter(g, part);
}

/* The weights of one call make its result larger: passes that merge calls expect weights that fit the first operand. */
static void expand(gen *g, const chain_part *part, chain_plan *p)
{
	p->expanded = draw_parameter(g, part);
}

static void convert(gen *g, const chain_part *part, chain_plan *p)
{
	(void)g, (void)part;
	p->dtypes = false;
}

static void set_free(gen *g, const chain_part *part, chain_plan *p)
{
	p->free = draw_call(g, part);
}

static void return_one(gen *g, const chain_part *part, chain_plan *p)
{
	p->result = draw_call(g, part);
}

static chain_plan draw_close(gen *g, const chain_part *part)
{
	static variation *const ALL[] = {lift, lift, lift, broadcast, broadcast, expand, expand, expand, reorder, reorder, reorder, rescale, rescale, rescale, loosen, convert, convert, set_free, return_one};
	chain_plan p = NONE;
	p.attributes = p.elements = p.ranks = p.dtypes = p.shapes = true;
	for (uint32_t n = rng_below(&g->rng, VARIATIONS + 1); n; n--)
		ALL[rng_below(&g->rng, sizeof ALL / sizeof *ALL)](g, part, &p);
	return p;
}

/* ---- other patterns */

chain_plan chain_plan_draw(gen *g, const chain_part *part)
{
	if (part->changed && gen_per_mille(g, CLOSE))
		return draw_close(g, part);
	chain_plan p = NONE;
	p.attributes = gen_per_mille(g, KEPT);
	p.elements = gen_per_mille(g, ELEMENTS);
	p.ranks = gen_per_mille(g, RANKS);
	p.dtypes = gen_per_mille(g, DTYPES);
	p.shapes = gen_per_mille(g, SHAPES);
	p.broadcasts = !p.shapes && gen_per_mille(g, BROADCASTS);
	p.swaps = gen_per_mille(g, REORDERED) ? SWAPS : 0;
	if (gen_per_mille(g, PARAMETERS))
		(gen_chance(g, 2) ? rescale : expand)(g, part, &p);
	if (__builtin_popcountll(part->calls) > 2 && gen_per_mille(g, CHANGED)) {
		p.change = CHAIN_EXCHANGE + (enum chain_change)rng_below(&g->rng, 3);
		p.changed = draw_call(g, part);
	}
	return p;
}

chain_plan chain_plan_of(const chain_plan *p, uint32_t call)
{
	chain_plan own = *p;
	if (call == p->free)
		own.attributes = own.elements = false;
	if (call == p->swapped)
		own.swaps = SWAPPED;
	own.rescales = call == p->rescaled;
	own.expands = call == p->expanded;
	return own;
}
