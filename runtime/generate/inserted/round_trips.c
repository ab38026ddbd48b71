#include "round_trips.h"

#include <stdlib.h>

enum {
	CHOICES_MIN = 3, /* dtypes that an API of casts returns for one input dtype */
	TRIES = 4,	 /* attempts to find a cast back */
	VISITS = 100,	 /* uses looked at to find calls that bound elements */
};

/* A cast in one of its dtype rows; o: NULL: none. */
typedef struct cast {
	const index_op *o;
	const uint8_t *row;
} cast;

/* ---- the casts of the index */

static bool keeps_shape(const index_op *o)
{
	int64_t dims[INDEX_RANK_MAX], out[INDEX_RANK_MAX];
	if (!o->symbolic || o->nin != 1 || o->nout != 1 || o->nsym != o->inputs[0].rank || o->out_ranks[0] != o->nsym
	    || o->nsym > INDEX_RANK_MAX || o->op->flags & RS_RANDOM || index_isolated(o))
		return false;
	for (unsigned i = 0; i < o->nsym; i++)
		dims[i] = i + 2;
	if (!rs_eval(o->op, dims, out))
		return false;
	for (unsigned i = 0; i < o->nsym; i++)
		if (out[i] != dims[i])
			return false;
	return true;
}

/* Whether the signatures of an API that keep the shape return several dtypes for one input dtype. */
static bool chooses_dtype(const gen_index *x, const index_api *a)
{
	uint32_t gives[RS_DTYPE_COUNT] = {0};
	bool chooses = false;
	for (uint32_t i = a->first; i < a->first + a->count; i++)
		for (unsigned k = 0; keeps_shape(&x->ops[i]) && k < x->ops[i].nrows; k++) {
			const uint8_t *row = index_row(&x->ops[i], k);
			gives[row[0]] |= 1u << row[1];
			chooses |= __builtin_popcount(gives[row[0]]) >= CHOICES_MIN;
		}
	return chooses;
}

bool round_trips_open(gen *g)
{
	const gen_index *x = &g->index;
	g->casts = malloc((x->nops + (size_t)1) * sizeof *g->casts);
	for (uint32_t a = 0; g->casts && a < x->napis; a++)
		for (uint32_t i = x->apis[a].first, n = chooses_dtype(x, &x->apis[a]) ? x->apis[a].count : 0; n; n--, i++)
			if (keeps_shape(&x->ops[i]))
				g->casts[g->ncasts++] = i;
	return g->casts;
}

void round_trips_close(gen *g)
{
	free(g->casts);
}

/* ---- a round trip */

/* Whether a row casts a tensor: from its dtype, and to `to` unless that is RS_DTYPE_COUNT. */
static bool fits(const uint8_t *row, uint8_t from, unsigned to)
{
	return row[0] == from && (to == RS_DTYPE_COUNT ? row[1] != from : row[1] == to);
}

/* A random cast of tensors of this rank and dtype; to: RS_DTYPE_COUNT: to any other dtype. */
static cast draw_cast(const gen *g, unsigned rank, uint8_t from, unsigned to, rng *r)
{
	cast found = {0};
	uint32_t seen = 0;
	for (uint32_t i = 0; i < g->ncasts; i++) {
		const index_op *o = &g->index.ops[g->casts[i]];
		for (unsigned k = 0; o->nsym == rank && k < o->nrows; k++)
			if (fits(index_row(o, k), from, to) && rng_below(r, ++seen) == 0)
				found = (cast){o, index_row(o, k)};
	}
	return found;
}

/* Inserts a cast of a tensor before a node: its output, which has its class of elements; GRAPH_NONE: out of memory, or
 * the cast does not take the tensor. */
static uint32_t insert(gen *g, cast c, uint32_t tensor, uint32_t before)
{
	trial *t = &g->trial;
	graph *m = g->graph;
	trial_begin(t, c.o, c.row);
	t->before = before;
	if (!gen_may_take(g, t, 0, tensor))
		return GRAPH_NONE;
	t->inputs[0] = tensor;
	const int64_t *shape = m->tensors[tensor].shape;
	graph_call call = {.op = c.o->op, .symbols = shape, .inputs = &tensor, .out = shape, .out_dtypes = c.row + 1, .form = c.o->form};
	uint8_t class = gen_output_class(g, t);
	uint32_t node = graph_insert(m, &call, before);
	g->failed |= node == GRAPH_NONE;
	if (node == GRAPH_NONE)
		return GRAPH_NONE;
	m->tensors[m->nodes[node].outputs].values = class;
	return m->nodes[node].outputs;
}

bool may_bound_elements(const rs_op *op, unsigned slot)
{
	return !op->rule /* a call of a chain */ || graph_input_value(op, slot)->kind == RS_RANGED;
}

/* Whether elements of a tensor may become an index of a call that bounds it; also true after `visits` uses. */
static bool reaches_range(const graph *m, uint32_t tensor, unsigned *visits)
{
	for (uint32_t u = m->tensors[tensor].uses; u != GRAPH_NONE; u = m->uses[u].next) {
		const graph_node *n = &m->nodes[m->uses[u].node];
		if (!*visits || may_bound_elements(n->op, u - n->inputs))
			return true;
		--*visits;
		for (unsigned i = 0; i < n->nout; i++)
			if (reaches_range(m, n->outputs + i, visits))
				return true;
	}
	return false;
}

/* Half of the tensor's earlier uses take the new one. */
static void divert(graph *m, uint32_t first, uint32_t before, uint32_t last, rng *r)
{
	uint32_t next;
	for (uint32_t u = m->tensors[first].uses; u != GRAPH_NONE; u = next) {
		next = m->uses[u].next;
		if (m->uses[u].node != before && rng_below(r, 2))
			graph_retarget(m, u, last);
	}
}

bool gen_round_trip(gen *g, uint32_t node, rng *r)
{
	graph *m = g->graph;
	uint32_t first = m->nodes[node].outputs, before = m->nodes[node].next;
	unsigned rank = m->tensors[first].rank;
	uint8_t dtype = m->tensors[first].dtype;
	cast there = {0}, back = {0};
	for (int i = 0; i < TRIES && !back.o; i++) {
		there = draw_cast(g, rank, dtype, RS_DTYPE_COUNT, r);
		if (!there.o)
			return true;
		back = draw_cast(g, rank, there.row[1], dtype, r);
	}
	if (!back.o)
		return true;
	uint32_t middle = insert(g, there, first, before);
	uint32_t last = middle == GRAPH_NONE ? GRAPH_NONE : insert(g, back, middle, before);
	if (last == GRAPH_NONE) {
		if (middle != GRAPH_NONE)
			m->tensors[middle].kept = true;
		return !g->failed;
	}
	unsigned visits = VISITS;
	if (dtype >= RS_FLOAT16 || !reaches_range(m, first, &visits))
		divert(m, first, m->tensors[middle].producer, last, r);
	m->tensors[last].kept = !m->tensors[last].nuses;
	m->tensors[first].kept |= !m->tensors[first].nuses;
	return true;
}
