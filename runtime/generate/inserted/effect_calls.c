#include "effect_calls.h"

#include <stdlib.h>

#include "effects.h"

enum {
	DRAWS = 32,	/* signatures tried for a tensor */
	REUSE = 600,	/* per mille: other operands that are existing tensors */
	NEW_NUMEL = 4096, /* maximum elements of new inputs and results */
};

/* ---- signatures */

/* The only input that a signature writes to; -1: none, several, or it changes shapes. */
static int written_input(const rs_op *op, const alias_row *row)
{
	uint64_t mask = alias_mask(row, op->nin);
	return !mask || alias_reshapes(row) || mask & (mask - 1) ? -1 : __builtin_ctzll(mask);
}

/* The input that the first result is an alias of; -1: none, or the call changes an input or its metadata. */
static int viewed_input(const rs_op *op, const alias_row *row)
{
	unsigned input;
	enum alias kind = op->nout && !alias_writes_any(row) ? alias_of(row, 0, &input) : ALIAS_NONE;
	bool is = kind != ALIAS_NONE && kind != ALIAS_UNDECLARED && input < op->nin;
	bool changes = is && rs_writes(op, input) && kind == ALIAS_SELF;
	return is && !changes ? (int)input : -1;
}

static bool usable(const index_op *o)
{
	return o->symbolic && !index_isolated(o) && !(o->op->flags & RS_RANDOM);
}

static void add(effect_call *list, uint32_t *count, uint32_t op, int slot)
{
	if (slot >= 0)
		list[(*count)++] = (effect_call){op, (uint16_t)slot};
}

bool effect_calls_open(gen *g)
{
	effect_calls *found = calloc(1, sizeof *found);
	g->effects = found;
	if (!found)
		return false;
	found->views = malloc((g->index.nops + (size_t)1) * sizeof *found->views);
	found->writes = malloc((g->index.nops + (size_t)1) * sizeof *found->writes);
	if (!found->views || !found->writes)
		return false;
	for (uint32_t i = 0; i < g->index.nops; i++) {
		const index_op *o = &g->index.ops[i];
		const alias_row *row = alias_find(o->op);
		if (!row || !usable(o))
			continue;
		add(found->views, &found->nviews, i, viewed_input(o->op, row));
		add(found->writes, &found->nwrites, i, written_input(o->op, row));
	}
	return true;
}

void effect_calls_close(gen *g)
{
	if (!g->effects)
		return;
	free(g->effects->views);
	free(g->effects->writes);
	free(g->effects);
}

/* A dtype row with the tensor's dtype. */
static const uint8_t *find_row(gen *g, const index_op *o, unsigned slot, unsigned dtype)
{
	uint32_t start = rng_below(&g->rng, o->nrows);
	for (uint32_t i = 0; i < o->nrows; i++) {
		const uint8_t *row = index_row(o, (start + i) % o->nrows);
		if (row[slot] == dtype)
			return row;
	}
	return NULL;
}

const effect_call *effect_call_draw(gen *g, const effect_call *list, uint32_t count, uint32_t tensor)
{
	const graph_tensor *t = gen_tensor(g, tensor);
	for (int i = 0; i < DRAWS && count; i++) {
		const effect_call *c = &list[rng_below(&g->rng, count)];
		const index_op *o = &g->index.ops[c->op];
		if (o->inputs[c->slot].rank == t->rank && !o->inputs[c->slot].ranged && find_row(g, o, c->slot, t->dtype))
			return c;
	}
	return NULL;
}

/* ---- calls */

/* An existing tensor for an operand, of another group; GRAPH_NONE: none. */
static uint32_t find_operand(gen *g, const effect_place *p, unsigned slot)
{
	const trial *t = &g->trial;
	const index_input *x = &t->o->inputs[slot];
	uint32_t n = p->ngroup, start = rng_below(&g->rng, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t id = (start + i) % n;
		const graph_tensor *y = gen_tensor(g, id);
		if (y->live && y->dtype == t->row[slot] && p->group[id] != p->group[p->tensor] && gen_has_shape(y, x->rank, t->v + x->first)
		    && gen_may_take(g, t, slot, id))
			return id;
	}
	return GRAPH_NONE;
}

static bool small_enough(const trial *t)
{
	const int64_t *out = t->v + t->o->nsym;
	for (unsigned i = 0; i < t->o->nout; out += t->o->out_ranks[i], i++) {
		int64_t n = bounded_numel(t->o->out_ranks[i], out, NEW_NUMEL);
		if (n < 1 || n > NEW_NUMEL)
			return false;
	}
	return true;
}

bool effect_call_may_be_direct(const gen *g, const rs_op *op, const uint32_t *inputs, unsigned nin)
{
	const alias_row *row = alias_find(op);
	for (unsigned i = 0; i < nin; i++)
		if (rs_writes(op, i) && !alias_writes(row, i) && inputs[i] != GRAPH_NONE && !effects_dense(g->graph, inputs[i]))
			return false;
	return true;
}

bool effect_call_begin(gen *g, const effect_call *c, const effect_place *p)
{
	trial *t = &g->trial;
	const index_op *o = &g->index.ops[c->op];
	const uint8_t *row = find_row(g, o, c->slot, gen_tensor(g, p->tensor)->dtype);
	if (!row)
		return false;
	trial_begin(t, o, row);
	t->before = p->before;
	t->reuse = 0;
	if (!gen_may_take(g, t, c->slot, p->tensor))
		return false;
	trial_fix_input(g, t, c->slot, p->tensor);
	if (!gen_sample(g, t) || !small_enough(t))
		return false;
	for (unsigned i = 0; i < o->nin; i++)
		if (i != c->slot && !o->inputs[i].ranged && gen_per_mille(g, REUSE))
			t->inputs[i] = find_operand(g, p, i);
	return effect_call_may_be_direct(g, o->op, t->inputs, o->nin);
}

uint32_t effect_call_commit(gen *g, bool direct)
{
	uint32_t node = gen_commit(g, &g->trial);
	if (node != GRAPH_NONE)
		g->graph->nodes[node].direct = direct && g->trial.o->op->writes;
	return node;
}
