/* Programs that mutate tensors: calls that write to inputs, intermediate results and views of these, which live on.
 *
 *   base        a tensor of the model that is no constant, and whose elements no call bounds
 *   views       calls whose results share memory with it, or with another view
 *   writes      calls that change the base or a view in place
 *   reads       calls on the base and other views afterwards
 *
 * They are inserted together, at the end of the model or before a later call that then reads other elements. A write has a
 * defined meaning: no two elements of its target share an address, and its other operands share no memory with it. Some
 * in-place calls that the model has already write to their operand instead of a copy. */
#include "features.h"

#include <stdlib.h>
#include <string.h>

#include "effect_calls.h"
#include "effects.h"

enum {
	EPISODES = 3,	 /* maximum number of bases */
	TRIES = 8,	 /* bases drawn before a model is left as it is */
	CALLS = 4,	 /* signatures tried for a place */
	VIEWS = 3,	 /* maximum number of views, writes and reads of a base */
	MEMBERS = 16,	 /* remembered tensors of an episode */
	ORGANIC = 400,	 /* per mille of in-place calls of the model that write to their operand */
	AT_END = 500,	 /* per mille of episodes that are inserted at the end */
	WHOLE = 500,	 /* per mille of views with all elements that are drawn again: writes to a part are harder to follow */
	KEPT = 850,	 /* per mille of unused results that are results of the model */
};

/* The state of a model's mutation. Arrays have room for `room` tensors. */
typedef struct mutation {
	gen *g;
	uint32_t *group;
	uint8_t *declared; /* classes of elements before */
	uint32_t room, inputs; /* tensors that `declared` has */
	uint32_t members[MEMBERS], nmembers; /* the base and its views in this episode */
	uint32_t before;
} mutation;

static bool make_room(mutation *m)
{
	uint32_t want = m->g->graph->ctensors;
	if (m->room >= want && m->group)
		return true;
	uint32_t *group = realloc(m->group, (want + (size_t)1) * sizeof *group);
	if (group)
		m->group = group;
	m->room = group ? want : m->room;
	return group != NULL;
}

/* Finds the groups again. False: out of memory (failed is set). */
static bool regroup(mutation *m)
{
	if (!make_room(m)) {
		m->g->failed = true;
		return false;
	}
	effects_group(m->g->graph, m->group);
	return true;
}

/* ---- writable memory */

static bool is_undeclared(const graph *g, const graph_tensor *t)
{
	unsigned input;
	return t->producer != GRAPH_NONE && alias_of(alias_find(g->nodes[t->producer].op), t->output, &input) == ALIAS_UNDECLARED;
}

/* Whether a tensor's memory may be written: it has no constant and no undeclared alias, and no call bounds the elements or fails
 * on some. */
static bool may_write(const mutation *m, uint32_t tensor)
{
	const graph *g = m->g->graph;
	for (uint32_t i = 0; i < g->ntensors; i++) {
		const graph_tensor *t = &g->tensors[i];
		if (!t->live || m->group[i] != m->group[tensor])
			continue;
		bool added = t->producer == GRAPH_NONE && i >= m->inputs; /* its class is not in `declared` */
		if (t->constant || !t->numel || added || is_undeclared(g, t) || graph_is_ranged(g, i))
			return false;
		for (uint32_t u = t->uses; u != GRAPH_NONE; u = g->uses[u].next)
			if (g->nodes[g->uses[u].node].op->flags & RS_DELICATE)
				return false;
	}
	return true;
}

/* The widest class among a node's operands; false: it does not accept them. */
static bool takes(const graph *g, const graph_node *n, uint8_t *widest)
{
	*widest = RS_VALUES_UNIT;
	for (unsigned i = 0; i < n->nin; i++) {
		uint8_t class = g->tensors[graph_node_input(g, n, i)].values;
		if (graph_input_value(n->op, i)->kind == RS_RANGED)
			continue;
		if (n->op->classes ? class > n->op->classes[i] : class > RS_VALUES_LARGE)
			return false;
		*widest = class > *widest ? class : *widest;
	}
	return true;
}

/* Widens the classes of a tensor's memory, and of later results computed from it. False: one of them does not accept it; the
 * classes are unspecified then. */
static bool widen(const mutation *m, uint32_t tensor, uint8_t class)
{
	graph *g = m->g->graph;
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (m->group[i] == m->group[tensor] && g->tensors[i].values < class)
			g->tensors[i].values = class;
	for (uint32_t i = m->before; i != GRAPH_NONE; i = g->nodes[i].next) {
		const graph_node *n = &g->nodes[i];
		uint8_t widest;
		if (!takes(g, n, &widest))
			return false;
		for (unsigned k = 0; n->op->classes && k < n->nout; k++) {
			graph_tensor *t = &g->tensors[n->outputs + k];
			uint8_t gives = n->op->classes[n->nin + widest];
			t->values = gives > t->values ? gives : t->values;
		}
	}
	return true;
}

/* The same, or nothing changes. *failed: out of memory. */
static bool try_widen(mutation *m, uint32_t tensor, uint8_t class)
{
	graph *g = m->g->graph;
	uint8_t *before = malloc(g->ntensors + (size_t)1);
	if (!before) {
		m->g->failed = true;
		return false;
	}
	for (uint32_t i = 0; i < g->ntensors; i++)
		before[i] = g->tensors[i].values;
	bool ok = widen(m, tensor, class);
	for (uint32_t i = 0; !ok && i < g->ntensors; i++)
		g->tensors[i].values = before[i];
	free(before);
	return ok;
}

/* ---- calls */

static void remember(mutation *m, uint32_t tensor)
{
	if (m->nmembers < MEMBERS)
		m->members[m->nmembers++] = tensor;
}

static uint32_t draw_member(mutation *m)
{
	return m->members[rng_below(&m->g->rng, m->nmembers)];
}

/* Some results are results of the model; the others are dead unless a later call takes them. */
static void keep_results(mutation *m, uint32_t node)
{
	graph *g = m->g->graph;
	for (unsigned i = 0; i < g->nodes[node].nout; i++)
		g->tensors[g->nodes[node].outputs + i].kept |= gen_per_mille(m->g, KEPT);
}

enum kind { READS, VIEWS_IT, WRITES };

/* Whether the first result of the call at work has as many elements as a tensor. */
static bool is_whole(const gen *g, uint32_t tensor)
{
	const trial *t = &g->trial;
	const int64_t numel = g->graph->tensors[tensor].numel;
	return t->o->nout && bounded_numel(t->o->out_ranks[0], t->v + t->o->nsym, numel) == numel;
}

/* Inserts a call of the list on a tensor. A call that shall only read gets copies of operands that it writes to. The node;
 * GRAPH_NONE: none, or out of memory. */
static uint32_t insert(mutation *m, const effect_call *list, uint32_t count, uint32_t tensor, enum kind kind)
{
	gen *g = m->g;
	for (int i = 0; i < CALLS && !g->failed; i++) {
		const effect_call *c = effect_call_draw(g, list, count, tensor);
		if (!regroup(m))
			return GRAPH_NONE;
		const effect_place place = {.tensor = tensor, .before = m->before, .group = m->group, .ngroup = g->graph->ntensors};
		gen_begin_step(g);
		if (!c || !effect_call_begin(g, c, &place))
			continue;
		if (kind == VIEWS_IT && is_whole(g, tensor) && gen_per_mille(g, WHOLE))
			continue;
		if (kind == WRITES && !try_widen(m, tensor, gen_output_class(g, &g->trial)))
			continue;
		uint32_t node = effect_call_commit(g, kind != READS);
		if (node != GRAPH_NONE)
			keep_results(m, node);
		return node;
	}
	return GRAPH_NONE;
}

static void view(mutation *m, uint32_t tensor)
{
	const effect_calls *e = m->g->effects;
	uint32_t node = insert(m, e->views, e->nviews, tensor, VIEWS_IT);
	for (unsigned i = 0; node != GRAPH_NONE && i < m->g->graph->nodes[node].nout; i++)
		remember(m, m->g->graph->nodes[node].outputs + i);
}

/* Returns whether a call was inserted. */
static bool write(mutation *m, uint32_t tensor)
{
	const effect_calls *e = m->g->effects;
	if (!regroup(m) || !may_write(m, tensor) || !effects_disjoint(m->g->graph, tensor))
		return false;
	uint32_t node = insert(m, e->writes, e->nwrites, tensor, WRITES);
	if (node != GRAPH_NONE && m->g->graph->nodes[node].nout)
		remember(m, m->g->graph->nodes[node].outputs);
	return node != GRAPH_NONE;
}

/* Inserts any call that takes a tensor. */
static void read_it(mutation *m, uint32_t tensor)
{
	gen *g = m->g;
	for (int i = 0; i < TRIES && !g->failed; i++) {
		uint32_t count, api = rng_below(&g->rng, g->index.napis);
		const graph_tensor *t = gen_tensor(g, tensor);
		const index_place *p = gen_index_type(&g->index, INDEX_INPUT, api, t->rank, t->dtype, &count);
		if (!count || t->rank > INDEX_RANK_MAX)
			continue;
		p += rng_below(&g->rng, count);
		const effect_call c = {p->op, p->slot};
		const index_op *o = &g->index.ops[c.op];
		if (!o->inputs[c.slot].ranged && insert(m, &c, 1, tensor, READS) != GRAPH_NONE)
			return;
	}
}

/* ---- episodes */

/* A node after a tensor's producer; GRAPH_NONE: the end. */
static uint32_t draw_place(mutation *m, uint32_t base)
{
	const graph *g = m->g->graph;
	uint32_t producer = g->tensors[base].producer, count = 0, found = GRAPH_NONE;
	if (gen_per_mille(m->g, AT_END))
		return GRAPH_NONE;
	for (uint32_t i = producer == GRAPH_NONE ? g->first : g->nodes[producer].next; i != GRAPH_NONE; i = g->nodes[i].next)
		if (gen_chance(m->g, ++count))
			found = i;
	return found;
}

/* A tensor to mutate; GRAPH_NONE: the drawn one is not suitable. */
static uint32_t draw_base(mutation *m)
{
	const graph *g = m->g->graph;
	uint32_t tensor = rng_below(&m->g->rng, g->ntensors);
	const graph_tensor *t = &g->tensors[tensor];
	bool fits = t->live && t->dtype < RS_STRING && t->numel > 0 && t->rank <= INDEX_RANK_MAX;
	return fits && may_write(m, tensor) ? tensor : GRAPH_NONE;
}

/* Returns whether it inserted a write. */
static bool episode(mutation *m)
{
	gen *g = m->g;
	bool any = false;
	m->nmembers = 0;
	uint32_t base = regroup(m) ? draw_base(m) : GRAPH_NONE;
	if (base == GRAPH_NONE)
		return false;
	m->before = draw_place(m, base);
	remember(m, base);
	for (uint32_t i = rng_below(&g->rng, VIEWS + 1); i && !g->failed; i--)
		view(m, draw_member(m));
	for (uint32_t i = 1 + rng_below(&g->rng, VIEWS); i && !g->failed; i--)
		any |= write(m, draw_member(m));
	for (uint32_t i = rng_below(&g->rng, VIEWS + 1); i && any && !g->failed; i--)
		read_it(m, draw_member(m));
	graph_tensor *t = &g->graph->tensors[base];
	t->kept |= t->producer != GRAPH_NONE && gen_chance(g, 2);
	return any;
}

/* Makes an in-place call of the model write to its operand, if that is valid. */
static bool write_directly(mutation *m, uint32_t node)
{
	graph *g = m->g->graph;
	graph_node *n = &g->nodes[node];
	const alias_row *row = alias_find(n->op);
	uint64_t mask = alias_mask(row, n->nin);
	if (!n->live || n->direct || !mask || alias_reshapes(row) || n->nin > INDEX_TENSORS_MAX || n->op->flags & RS_RANDOM)
		return false;
	uint32_t inputs[INDEX_TENSORS_MAX];
	for (unsigned i = 0; i < n->nin; i++)
		inputs[i] = graph_node_input(g, n, i);
	if (!effect_call_may_be_direct(m->g, n->op, inputs, n->nin))
		return false;
	m->before = n->next;
	for (unsigned i = 0; i < n->nin; i++)
		for (unsigned k = 0; k < n->nin; k++)
			if (mask >> i & 1 && k != i && m->group[inputs[i]] == m->group[inputs[k]])
				return false;
	for (unsigned i = 0; i < n->nin; i++)
		if (mask >> i & 1
		    && (!may_write(m, inputs[i]) || !effects_disjoint(g, inputs[i])
			|| !try_widen(m, inputs[i], g->tensors[n->outputs].values)))
			return false;
	n->direct = true;
	return true;
}

static bool mutate(mutation *m)
{
	graph *g = m->g->graph;
	bool any = false;
	uint32_t count = g->nnodes;
	for (uint32_t i = 0; i < count && !m->g->failed; i++)
		if (gen_per_mille(m->g, ORGANIC) && regroup(m))
			any |= write_directly(m, i);
	uint32_t episodes = 1 + rng_below(&m->g->rng, EPISODES);
	for (int i = 0; i < TRIES && episodes && g->ntensors && !m->g->failed; i++)
		if (episode(m)) {
			any = true;
			episodes--;
		}
	return any;
}

/* Models of one call, RS_CALLS, have no effect calls to add. */
bool gen_mutate(gen *g, rng *r)
{
	if (!g->effects || rng_below(r, 1000) >= g->features.mutation)
		return true;
	mutation m = {.g = g, .inputs = g->graph->ntensors};
	rng calls = g->rng;
	m.declared = malloc(m.inputs + (size_t)1);
	for (uint32_t i = 0; m.declared && i < m.inputs; i++)
		m.declared[i] = g->graph->tensors[i].values;
	g->rng = *r;
	g->failed |= !m.declared;
	g->mutated = !g->failed && mutate(&m);
	for (uint32_t i = 0; m.declared && i < m.inputs; i++) /* inputs have these elements; later calls get the written ones */
		if (g->graph->tensors[i].producer == GRAPH_NONE)
			g->graph->tensors[i].values = m.declared[i];
	g->rng = calls;
	free(m.declared);
	free(m.group);
	return !g->failed;
}
