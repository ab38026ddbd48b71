/* Gives some inputs of a finished model another memory layout: permuted (such as channels last), with steps, gaps or an
 * offset in a larger buffer, expanded, or as an alias of another input. */
#include "features.h"

#include "layout.h"

enum {
	RANK = INDEX_RANK_MAX,
	SAME_TRIES = 32, /* earlier inputs that are tried as alias */
	OFFSET_MAX = 7,
	GAP_MAX = 3,
	ODD_STRIDE = 7, /* strides of a dimension of one element, which have no effect */
};

/* A layout under construction. */
typedef struct draft {
	unsigned rank;
	const int64_t *shape;
	unsigned order[RANK]; /* dimensions, densest first */
	int64_t gap[RANK];    /* per dimension: step between elements, in extents of the denser dimensions */
	int64_t tail[RANK];   /* per dimension: unused places behind the last element, in the same unit */
	bool expanded[RANK];
	int64_t offset;
} draft;

static void begin(draft *d, const graph_tensor *t)
{
	*d = (draft){.rank = t->rank, .shape = t->shape};
	for (unsigned i = 0; i < d->rank; i++) {
		d->order[i] = d->rank - 1 - i;
		d->gap[i] = 1;
	}
}

static void permute(draft *d, rng *r)
{
	for (unsigned i = d->rank; i > 1; i--) {
		unsigned k = rng_below(r, i), other = d->order[k];
		d->order[k] = d->order[i - 1];
		d->order[i - 1] = other;
	}
}

/* For (batch, channels, …): channels last. */
static void channels_last(draft *d)
{
	d->order[0] = 1;
	for (unsigned i = 1; i < d->rank; i++)
		d->order[i] = d->rank - i == 1 ? 0 : d->rank - i;
}

static void step(draft *d, rng *r)
{
	d->gap[rng_below(r, d->rank)] = 2 + rng_below(r, GAP_MAX - 1);
}

static void pad(draft *d, rng *r)
{
	d->tail[rng_below(r, d->rank)] = 1 + rng_below(r, GAP_MAX);
}

static void expand(draft *d, rng *r)
{
	bool all = rng_below(r, 4) == 0;
	unsigned one = rng_below(r, d->rank);
	for (unsigned i = 0; i < d->rank; i++)
		d->expanded[i] = all || i == one;
}

static void strides_of(const draft *d, rng *r, int64_t *strides)
{
	int64_t extent = 1;
	for (unsigned k = 0; k < d->rank; k++) {
		unsigned i = d->order[k];
		strides[i] = d->expanded[i] ? 0 : extent * d->gap[i];
		if (d->shape[i] == 1 && rng_below(r, 4) == 0)
			strides[i] = rng_below(r, ODD_STRIDE + 1);
		if (!d->expanded[i] && d->shape[i] > 0)
			extent = extent * d->gap[i] * d->shape[i] + extent * d->tail[i];
	}
}

static void draw(draft *d, bool delicate, rng *r)
{
	switch (rng_below(r, 8)) {
	case 0:
	case 1:
		permute(d, r);
		break;
	case 2:
		if (d->rank > 3)
			channels_last(d);
		else
			permute(d, r);
		break;
	case 3:
		step(d, r);
		break;
	case 4:
		pad(d, r);
		break;
	case 5:
		permute(d, r);
		step(d, r);
		d->offset = rng_below(r, OFFSET_MAX + 1);
		break;
	case 6:
		if (delicate) /* a matrix of equal rows is singular */
			permute(d, r);
		else
			expand(d, r);
		break;
	default:
		d->offset = 1 + rng_below(r, OFFSET_MAX);
	}
}

/* Whether the elements of another input suit the users of this one: both float, and its class is not wider. */
static bool suits(const graph_tensor *t, const graph_tensor *other)
{
	bool floats = t->dtype >= RS_FLOAT16 && t->dtype <= RS_FLOAT64;
	bool alike = t->values == other->values && t->low == other->low && t->high == other->high;
	return alike || (floats && t->dtype == other->dtype && other->values <= t->values);
}

/* An earlier input that this one can be an alias of, among a few from a random one on; the alias takes over its elements.
 * GRAPH_NONE: none. */
static uint32_t find_same(const gen *g, uint32_t tensor, rng *r)
{
	graph_tensor *t = &g->graph->tensors[tensor], before = *t;
	uint32_t other = tensor ? rng_below(r, tensor) : 0;
	for (uint32_t i = 0; i < SAME_TRIES && i < tensor; i++, other = other + 1 < tensor ? other + 1 : 0) {
		const graph_tensor *o = gen_tensor(g, other);
		if (o->producer != GRAPH_NONE || !suits(t, o))
			continue;
		t->values = o->values, t->low = o->low, t->high = o->high;
		if (layout_may_share(g->graph, tensor, other))
			return other;
		*t = before;
	}
	return GRAPH_NONE;
}

static bool is_usual(const draft *d, const int64_t *strides)
{
	int64_t extent = 1;
	bool usual = d->offset == 0;
	for (unsigned i = d->rank; i-- > 0; extent *= d->shape[i])
		usual &= strides[i] == extent;
	return usual;
}

/* Whether a user of the tensor fails on elements such as zeros and ones. */
static bool is_delicate(const graph *g, uint32_t tensor)
{
	for (uint32_t u = g->tensors[tensor].uses; u != GRAPH_NONE; u = g->uses[u].next)
		if (g->nodes[g->uses[u].node].op->flags & RS_DELICATE)
			return true;
	return false;
}

static bool lay_out(gen *g, uint32_t tensor, rng *r)
{
	draft d;
	int64_t strides[RANK];
	const graph_tensor *t = gen_tensor(g, tensor);
	begin(&d, t);
	if (d.rank)
		draw(&d, is_delicate(g->graph, tensor), r);
	else
		d.offset = 1 + rng_below(r, OFFSET_MAX);
	strides_of(&d, r, strides);
	return is_usual(&d, strides) || layout_set(g->graph, tensor, strides, d.offset);
}

/* Changes g->features.layouts per mille of the inputs, constants included. Shapes and dtypes stay, and classes of elements
 * stay or become narrower, so all rules hold. Calls that write to an input or need contiguous memory get a copy. */
bool gen_lay_out(gen *g, rng *r)
{
	for (uint32_t i = 0; i < g->graph->ntensors; i++) {
		const graph_tensor *t = gen_tensor(g, i);
		if (!t->live || t->producer != GRAPH_NONE || t->dtype >= RS_STRING || t->rank > RANK)
			continue;
		if (rng_below(r, 1000) >= g->features.layouts)
			continue;
		uint32_t same = rng_below(r, 4) ? find_same(g, i, r) : GRAPH_NONE; /* rarely true */
		if (same != GRAPH_NONE ? !layout_share(g->graph, i, same) : !lay_out(g, i, r))
			return false;
	}
	return true;
}
