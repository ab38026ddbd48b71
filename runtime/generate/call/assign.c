#include "assign.h"

#include <stdlib.h>
#include <string.h>

#include "computed.h"
#include "sizes.h"

enum {
	DIMS = 64,    /* maximum varying dimensions of a model: bits of a set */
	GROUPS = 6,   /* maximum groups of varying dimensions */
	TRIES = 64,   /* evaluations to find these groups */
	REDRAWS = 4,  /* attempts for an instance that differs from the earlier ones */
	WIDEST = 256, /* maximum symbols and output dimensions of a call */
	ONE_ONE_IN = 32,   /* one in this many new sizes is 1: compilers specialize on 1 and recompile */
	MIXED_GROWTH = 8, /* how much larger a mixed size of another instance may be, so that its calls take similar time */
	FIRST_ONE_IN = 8, /* maximum varying dimensions of size 1, if others vary */
};

typedef struct dimension {
	uint32_t tensor, axis;
	int64_t size;
} dimension;

/* Dimensions that vary together, and a size that they can have while all others are fixed. */
typedef struct group {
	uint64_t set;
	int64_t size, other;
} group;

struct assigner {
	gen *gen;
	const graph *model;
	dimension dims[DIMS];
	unsigned ndims, tries;
	group groups[GROUPS];
	unsigned ngroups;
	const int64_t **now; /* per tensor: its shape in the current instance */
	uint64_t *needs;     /* per node: the dimensions that its inputs depend on */
	const rs_op **rules; /* per node: its signature if that has a rule, or the one it is computed from; NULL: none */
	uint32_t tensors, nodes; /* capacity */
	int64_t *room;		 /* shapes that differ from the model's own */
	size_t nroom, used;
	int64_t elements; /* elements of all tensors in the current instance */
};

/* ---- room */

static bool grow(void **array, size_t n, size_t size)
{
	void *p = realloc(*array, 2 * n * size);
	*array = p ? p : *array;
	return p;
}

static bool make_room(struct assigner *a, const graph *m)
{
	size_t numbers = 0;
	for (uint32_t i = 0; i < m->ntensors; i++)
		numbers += m->tensors[i].rank;
	if (m->ntensors >= a->tensors) {
		if (!grow((void **)&a->now, m->ntensors + (size_t)1, sizeof *a->now))
			return false;
		a->tensors = 2 * (m->ntensors + 1);
	}
	if (m->nnodes >= a->nodes) {
		if (!grow((void **)&a->needs, m->nnodes + (size_t)1, sizeof *a->needs)
		    || !grow((void **)&a->rules, m->nnodes + (size_t)1, sizeof *a->rules))
			return false;
		a->nodes = 2 * (m->nnodes + 1);
	}
	if (numbers >= a->nroom) {
		if (!grow((void **)&a->room, numbers + 1, sizeof *a->room))
			return false;
		a->nroom = 2 * (numbers + 1);
	}
	return true;
}

/* ---- one assignment: sizes of the dimensions */

static int64_t *own_shape(struct assigner *a, uint32_t tensor)
{
	unsigned rank = a->model->tensors[tensor].rank;
	int64_t *shape = a->room + a->used;
	a->used += rank;
	memcpy(shape, a->now[tensor], rank * sizeof *shape);
	a->now[tensor] = shape;
	return shape;
}

/* Whether the elements of this tensor fit the limit. */
static bool fits(struct assigner *a, uint32_t tensor)
{
	int64_t n = 1;
	for (unsigned i = 0; i < a->model->tensors[tensor].rank; i++)
		if (__builtin_mul_overflow(n, a->now[tensor][i], &n) || n > a->gen->max_numel)
			return false;
	a->elements += n;
	return a->elements <= 2 * a->gen->budget;
}

static bool is_fed(const graph_tensor *t)
{
	return t->live && t->producer == GRAPH_NONE && !t->constant && t->nuses;
}

/* Sets the inputs of the model. False: one is too large. */
static bool set_inputs(struct assigner *a, const int64_t *sizes)
{
	a->used = 0;
	a->elements = 0;
	for (uint32_t i = 0; i < a->model->ntensors; i++)
		a->now[i] = a->model->tensors[i].shape;
	for (unsigned i = 0; i < a->ndims; i++) {
		const dimension *d = &a->dims[i];
		if (sizes[i] == a->now[d->tensor][d->axis])
			continue;
		int64_t *shape = a->now[d->tensor] == a->model->tensors[d->tensor].shape ? own_shape(a, d->tensor)
											 : a->room + (a->now[d->tensor] - a->room);
		shape[d->axis] = sizes[i];
	}
	for (unsigned i = 0; i < a->ndims; i++)
		if (a->dims[i].axis == 0 && !fits(a, a->dims[i].tensor))
			return false;
	return true;
}

static const int64_t *shape_now(const void *context, uint32_t tensor)
{
	const struct assigner *a = context;
	return a->now[tensor];
}

/* The symbols of a call by its rule, with the current shapes. */
static bool find_symbols(const struct assigner *a, const graph_node *n, const rs_op *rule, int64_t *symbols)
{
	const graph *m = a->model;
	unsigned input = 0;
	if (rule != n->op)
		return computed_symbols(m, n, rule, (shape_source){shape_now, a}, symbols);
	memcpy(symbols, n->symbols, n->nsym * sizeof *symbols);
	for (unsigned i = 0; i < n->op->nvalues; i++) {
		const rs_value *v = &n->op->values[i];
		if (rs_is_tensor(v->kind))
			memcpy(symbols + v->first, a->now[graph_node_input(m, n, input++)], v->count * sizeof *symbols);
	}
	return true;
}

/* Whether a call computes elements from shapes, with an unchanged number of elements. */
static bool is_known(const struct assigner *a, const graph_node *n)
{
	shape_values v;
	return n->nout == 1 && shape_values_of(a->model, n->outputs, (shape_source){shape_now, a}, &v)
	       && v.count == a->model->tensors[n->outputs].numel;
}

/* Evaluates a call with the current shapes: whether its rule accepts it, and its output shapes. */
static bool call_accepts(struct assigner *a, uint32_t node)
{
	const graph_node *n = &a->model->nodes[node];
	const rs_op *rule = a->rules[node];
	int64_t symbols[WIDEST], out[WIDEST];
	if (!rule)
		return is_known(a, n);
	if (rule->flags & RS_BY_RECORD || rule->nsym > WIDEST || rule->nodim > WIDEST || !find_symbols(a, n, rule, symbols)
	    || !rs_eval(rule, symbols, out))
		return false;
	const int64_t *o = out;
	for (unsigned i = 0; i < n->nout; o += n->op->out_ranks[i], i++) {
		uint32_t t = n->outputs + i;
		if (memcmp(a->now[t], o, n->op->out_ranks[i] * sizeof *o) != 0)
			memcpy(own_shape(a, t), o, n->op->out_ranks[i] * sizeof *o);
		if (!fits(a, t))
			return false;
	}
	return true;
}

/* Whether the inputs of a call, or the elements of its computed arguments, may differ from the model's. */
static bool takes_other_shapes(const struct assigner *a, uint32_t node)
{
	const graph_node *n = &a->model->nodes[node];
	if (a->rules[node] && a->rules[node] != n->op && a->used)
		return true;
	for (unsigned i = 0; i < n->nin; i++) {
		uint32_t t = graph_node_input(a->model, n, i);
		if (a->now[t] != a->model->tensors[t].shape)
			return true;
	}
	return false;
}

/* The first node that rejects these sizes, GRAPH_NONE if all accept; *fed: an input of the model is too large. */
static uint32_t refusing(struct assigner *a, const int64_t *sizes, bool *fed)
{
	const graph *m = a->model;
	a->tries++;
	*fed = !set_inputs(a, sizes);
	if (*fed)
		return m->first;
	for (uint32_t i = m->first; i != GRAPH_NONE; i = m->nodes[i].next)
		if (takes_other_shapes(a, i) && !call_accepts(a, i))
			return i;
	return GRAPH_NONE;
}

static void set_sizes(const struct assigner *a, uint64_t set, int64_t size, int64_t *sizes)
{
	for (unsigned i = 0; i < a->ndims; i++)
		if (set >> i & 1)
			sizes[i] = size;
}

/* ---- dimensions that vary */

static void find_dims(struct assigner *a)
{
	const graph *m = a->model;
	a->ndims = 0;
	for (uint32_t i = 0; i < m->ntensors; i++)
		for (uint32_t k = 0; is_fed(&m->tensors[i]) && k < m->tensors[i].rank && a->ndims < DIMS; k++)
			a->dims[a->ndims++] = (dimension){i, k, m->tensors[i].shape[k]};
}

/* Computes the dimensions that each node's inputs depend on. */
static void find_needs(struct assigner *a)
{
	const graph *m = a->model;
	for (uint32_t i = m->first; i != GRAPH_NONE; i = m->nodes[i].next) {
		a->needs[i] = 0;
		for (unsigned k = 0; k < m->nodes[i].nin; k++) {
			uint32_t t = graph_node_input(m, &m->nodes[i], k), by = m->tensors[t].producer;
			if (by != GRAPH_NONE)
				a->needs[i] |= a->needs[by];
			for (unsigned d = 0; by == GRAPH_NONE && d < a->ndims; d++)
				if (a->dims[d].tensor == t)
					a->needs[i] |= (uint64_t)1 << d;
		}
	}
}

static void find_rules(struct assigner *a)
{
	const graph *m = a->model;
	for (uint32_t i = m->first; i != GRAPH_NONE; i = m->nodes[i].next) {
		const rs_op *op = m->nodes[i].op;
		a->rules[i] = op->valid ? op : computed_rule(a->gen->index.table, op);
	}
}

static unsigned from_end(const struct assigner *a, unsigned dim)
{
	return a->model->tensors[a->dims[dim].tensor].rank - a->dims[dim].axis;
}

/* After a node rejected a dimension's new size: the dimensions to vary along with it. These have the same size, and are in the
 * selection of the current step. */
static uint64_t joined(const struct assigner *a, unsigned dim, uint64_t near, unsigned step)
{
	uint64_t set = (uint64_t)1 << dim;
	for (unsigned i = 0; i < a->ndims; i++) {
		bool alike = a->dims[i].size == a->dims[dim].size;
		bool last = from_end(a, i) == from_end(a, dim), first = a->dims[i].axis == a->dims[dim].axis;
		if (alike && (step > 2 || near >> i & 1) && (step > 1 || last || (step == 1 && first)))
			set |= (uint64_t)1 << i;
	}
	return set;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* A size other than this one. */
static int64_t other_size(gen *g, int64_t size)
{
	if (gen_chance(g, ONE_ONE_IN) && size != 1)
		return 1;
	int64_t mixed = g->box.mixed && gen_chance(g, 2) ? sizes_draw(&g->rng, least(g->box.mixed, MIXED_GROWTH * (size + 8))) : 0;
	if (mixed > 1 && mixed != size)
		return mixed;
	int64_t most = size > 4 ? size + size / 2 : 6, drawn = 2 + (int64_t)rng_below(&g->rng, (uint32_t)most - 1);
	return drawn == size ? size + 1 : drawn;
}

/* Finds the dimensions that must vary along with a dimension so that all calls accept another size. Two sizes are tried: a
 * random one, then twice the old one, since groups and strides need multiples. */
static bool find_group(struct assigner *a, unsigned dim, uint64_t taken)
{
	int64_t sizes[DIMS], size = a->dims[dim].size, tried[] = {other_size(a->gen, size), 2 * size};
	for (unsigned t = 0; t < 2; t++) {
		uint64_t set = (uint64_t)1 << dim, near = 0;
		for (unsigned step = 0; a->tries < TRIES; step++) {
			bool fed;
			for (unsigned i = 0; i < a->ndims; i++)
				sizes[i] = a->dims[i].size;
			set_sizes(a, set, tried[t], sizes);
			uint32_t node = refusing(a, sizes, &fed);
			if (node == GRAPH_NONE) {
				a->groups[a->ngroups++] = (group){set, size, tried[t]};
				return true;
			}
			uint64_t before = set;
			near |= fed ? 0 : a->needs[node];
			for (; step < 4 && set == before; step++)
				set |= joined(a, dim, near, step);
			if (fed || set == before || set & taken)
				break;
		}
	}
	return false;
}

/* Groups of any dimensions, or of those of size 1, starting at a random one. */
static void find_groups_of(struct assigner *a, bool ones)
{
	gen *g = a->gen;
	uint64_t taken = 0;
	unsigned at = rng_below(&g->rng, a->ndims);
	for (unsigned n = 0; n < a->ndims && a->ngroups < GROUPS && a->tries < TRIES; n++, at = at + 1 < a->ndims ? at + 1 : 0) {
		int64_t size = a->dims[at].size;
		if (taken >> at & 1 || size < 1 || (ones ? size > 1 : size == 1 && !gen_chance(g, FIRST_ONE_IN)))
			continue;
		if (find_group(a, at, taken))
			taken |= a->groups[a->ngroups - 1].set;
	}
}

static void find_groups(struct assigner *a)
{
	a->ngroups = a->tries = 0;
	if (a->ndims)
		find_groups_of(a, false);
	if (a->ndims && !a->ngroups)
		find_groups_of(a, true);
}

/* ---- the assignments */

/* Sizes of another instance: each group gets a random size if all calls accept it. */
static void draw_sizes(struct assigner *a, int64_t *sizes)
{
	bool fed;
	int64_t next[DIMS];
	for (unsigned i = 0; i < a->ndims; i++)
		sizes[i] = a->dims[i].size;
	for (unsigned k = 0; k < a->ngroups; k++) {
		const group *x = &a->groups[k];
		int64_t tried[] = {other_size(a->gen, x->size), x->other};
		bool taken = gen_chance(a->gen, 4);
		for (unsigned t = 0; t < 2 && !taken; t++) {
			memcpy(next, sizes, a->ndims * sizeof *next);
			set_sizes(a, x->set, tried[t], next);
			taken = refusing(a, next, &fed) == GRAPH_NONE;
			if (taken)
				memcpy(sizes, next, a->ndims * sizeof *next);
		}
	}
}

/* Only one group gets another size, the one found for it. */
static void single_size(const struct assigner *a, unsigned which, int64_t *sizes)
{
	for (unsigned i = 0; i < a->ndims; i++)
		sizes[i] = a->dims[i].size;
	if (which < a->ngroups)
		set_sizes(a, a->groups[which].set, a->groups[which].other, sizes);
}

static bool is_new(const struct assigner *a, const int64_t *found, unsigned nfound, const int64_t *sizes)
{
	for (unsigned k = 0; k < nfound; k++)
		if (memcmp(found + (size_t)k * DIMS, sizes, a->ndims * sizeof *sizes) == 0)
			return false;
	return true;
}

/* Finds the further instances; returns whether there are enough. */
static bool find_sizes(struct assigner *a, int64_t *found, unsigned wanted)
{
	unsigned n = 1, single = 0;
	for (unsigned i = 0; i < a->ndims; i++)
		found[i] = a->dims[i].size;
	for (unsigned draws = 0; n < wanted && (draws < REDRAWS + wanted || single < a->ngroups);) {
		int64_t *sizes = found + (size_t)n * DIMS;
		if (draws < REDRAWS + wanted)
			draw_sizes(a, sizes), draws++;
		else
			single_size(a, single++, sizes);
		n += is_new(a, found, n, sizes);
	}
	return n == wanted;
}

/* Writes the shapes of a further instance into the model. */
static void note(struct assigner *a, graph *m, const int64_t *sizes, unsigned place)
{
	bool fed;
	refusing(a, sizes, &fed);
	for (uint32_t i = 0; i < m->ntensors; i++) {
		graph_tensor *t = &m->tensors[i];
		if (t->live)
			memcpy((int64_t *)t->also + (size_t)place * t->rank, a->now[i], t->rank * sizeof *t->shape);
	}
}

static bool note_all(struct assigner *a, graph *m, const int64_t *found, unsigned count)
{
	for (uint32_t i = 0; i < m->ntensors; i++) {
		graph_tensor *t = &m->tensors[i];
		t->also = t->live ? arena_alloc(m->arena, (count - (size_t)1) * t->rank * sizeof *t->shape + 1) : NULL;
		if (t->live && !t->also)
			return false;
	}
	for (unsigned k = 1; k < count; k++)
		note(a, m, found + (size_t)k * DIMS, k - 1);
	m->assignments = count;
	return true;
}

bool gen_assign(gen *g)
{
	int64_t found[GRAPH_ASSIGNMENTS_MAX * DIMS];
	if (!g->symbolic || !gen_per_mille(g, g->symbolic))
		return true;
	struct assigner *a = g->assigner ? g->assigner : calloc(1, sizeof *a);
	g->assigner = a;
	if (!a || !make_room(a, g->graph))
		return false;
	a->gen = g, a->model = g->graph;
	g->stats.asked_to_vary++;
	find_dims(a);
	find_needs(a);
	find_rules(a);
	find_groups(a);
	if (!a->ngroups || !find_sizes(a, found, g->assignments))
		return true;
	g->stats.varying++;
	return note_all(a, g->graph, found, g->assignments);
}

void gen_assign_close(gen *g)
{
	struct assigner *a = g->assigner;
	if (!a)
		return;
	free(a->now);
	free(a->needs);
	free(a->rules);
	free(a->room);
	free(a);
}
