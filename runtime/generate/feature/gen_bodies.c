/* Turns some calls of a finished model into functions, branches or loop bodies of its file (bodies.h). The graph is
 * unchanged, except for the control inputs of If and Loop. */
#include "features.h"

#include "bodies.h"
#include "op_versions.h"
#include "sessions.h"
#include "shape_calls.h"

enum {
	LONGEST = 6,   /* calls of a body */
	CALLS = 3,     /* maximum calls of a function */
	SUBGRAPHS = 2, /* maximum outermost subgraphs of a model */
	REGIONS = 3, REGION_TRIES = 6, /* maximum outermost regions of a model; kinds tried per region */
	DOUBLED = 1, /* variant without further results: its derivative is twice that of the calls, so it shows if it is not used */
	NESTED_ONE_IN = 2,
	NO_TRIP_ONE_IN = 16, /* of loops: a target that runs each loop at least once is wrong */
	FORM_TRIES = 2, /* half of the bodies have the plain form, or more */
	WAYS = 4, NEARLY = 1, /* kind of a function: calls that occur twice, equal or nearly, or any calls */
};

static bool draws(const graph *m, uint32_t node)
{
	return m->nodes[node].op->flags & RS_RANDOM;
}

/* Whether a node takes the result of a node of the body before it. */
static bool takes_of(const graph *m, uint32_t node, uint32_t first)
{
	for (unsigned i = 0; i < m->nodes[node].nin; i++) {
		uint32_t producer = m->tensors[graph_node_input(m, &m->nodes[node], i)].producer;
		if (producer != GRAPH_NONE && m->nodes[producer].order >= m->nodes[first].order)
			return true;
	}
	return false;
}

/* The number of nodes of the body that begins at `first`, at most `most`. */
static uint32_t grow(const graph *m, uint32_t first, uint32_t most)
{
	uint32_t n = 0;
	for (uint32_t i = first; i != GRAPH_NONE && n < most && !draws(m, i) && (!n || takes_of(m, i, first)); i = m->nodes[i].next)
		n++;
	return n;
}

static uint32_t draw_node(const graph *m, rng *r)
{
	uint32_t i = m->first;
	for (uint32_t n = m->live_nodes ? rng_below(r, m->live_nodes) : 0; n; n--)
		i = m->nodes[i].next;
	return i;
}

/* Whether two calls of a signature have different attributes. */
static bool attributes_differ(const graph_node *a, const graph_node *b)
{
	bool differ = false;
	for (unsigned i = 0; i < a->op->nvalues; i++) {
		const rs_value *v = &a->op->values[i];
		differ |= v->kind == RS_INT && a->symbols[v->first] != b->symbols[v->first];
	}
	return differ;
}

/* The first node, cyclically from one on, that is followed by the same call; nearly: with other attributes. GRAPH_NONE:
 * none. */
static uint32_t find_twin(const graph *m, uint32_t from, bool nearly)
{
	uint32_t i = from, next;
	do {
		next = m->nodes[i].next;
		if (next != GRAPH_NONE && m->nodes[i].op == m->nodes[next].op
		    && (!nearly || attributes_differ(&m->nodes[i], &m->nodes[next])))
			return i;
		i = next == GRAPH_NONE ? m->first : next;
	} while (i != from);
	return GRAPH_NONE;
}

static bool same_calls(const graph *m, uint32_t a, uint32_t b, uint32_t count)
{
	for (; count && a != GRAPH_NONE && b != GRAPH_NONE && m->nodes[a].op == m->nodes[b].op; count--)
		a = m->nodes[a].next, b = m->nodes[b].next;
	return !count;
}

/* The begin of a function and its maximum number of calls: a call that occurs twice if there is one, else any. */
static uint32_t draw_function(const graph *m, rng *r, uint32_t *most)
{
	uint32_t start = draw_node(m, r), way = rng_below(r, WAYS), twin = GRAPH_NONE;
	*most = 1 + rng_below(r, LONGEST);
	if (start != GRAPH_NONE && way <= NEARLY)
		twin = find_twin(m, start, way == NEARLY);
	if (twin == GRAPH_NONE && way == NEARLY && start != GRAPH_NONE)
		twin = find_twin(m, start, false);
	*most = twin == GRAPH_NONE ? *most : 1;
	return twin == GRAPH_NONE ? start : twin;
}

/* Whether the file of a model can have functions and subgraphs. */
static bool has_bodies(const graph *m)
{
	return !m->opset || m->opset >= OP_SET_BODIES;
}

/* A function begins at a random node and extends for a random number of calls, as long as each call takes a result of it.
 * Equal sequences of calls become the same function. */
bool gen_functions(gen *g, rng *r)
{
	graph *m = g->graph;
	if (!has_bodies(m) || rng_below(r, 1000) >= g->features.functions)
		return true;
	uint32_t most, first = draw_function(m, r, &most), calls = 1;
	uint32_t count = first == GRAPH_NONE ? 0 : grow(m, first, most);
	if (!bodies_add(m, BODY_FUNCTION, GRAPH_NONE, first, count))
		return true;
	for (uint32_t i = m->first; i != GRAPH_NONE && calls < CALLS; i = m->nodes[i].next)
		calls += same_calls(m, first, i, count) && bodies_add(m, BODY_FUNCTION, GRAPH_NONE, i, count);
	return true;
}

/* The control input of an If or a Loop; GRAPH_NONE: out of memory. */
static uint32_t make_control(graph *m, enum body_kind kind, rng *r)
{
	bool loop = kind == BODY_LOOP;
	uint32_t control = graph_input(m, 0, NULL, loop ? RS_INT64 : RS_BOOL);
	if (control == GRAPH_NONE)
		return control;
	graph_tensor *t = &m->tensors[control];
	t->low = loop ? 1 + (int64_t)rng_below(r, BODIES_TRIPS_MAX) : (int64_t)rng_below(r, 2);
	if (loop && rng_below(r, NO_TRIP_ONE_IN) == 0)
		t->low = 0;
	t->high = t->low + 1;
	t->constant = rng_below(r, 2);
	return control;
}

/* Whether a body that begins at `first` takes a float that a shape is computed from: a loop may change the floats that it
 * carries. */
static bool splits_shape(const graph *m, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; count; count--, i = m->nodes[i].next)
		for (unsigned k = 0; k < m->nodes[i].nin; k++) {
			const graph_tensor *t = &m->tensors[graph_node_input(m, &m->nodes[i], k)];
			const graph_node *by = t->producer == GRAPH_NONE ? NULL : &m->nodes[t->producer];
			if (by && t->dtype > RS_INT64 && by->order < m->nodes[first].order && shape_is_made(by->op))
				return true;
		}
	return false;
}

/* Whether calls make 4-bit integers. A loop stacks the results of its trips, and Gather does not support 4 bits. */
static bool makes_four_bits(const graph *m, uint32_t first, uint32_t count)
{
	bool any = false;
	for (uint32_t i = first; count; count--, i = m->nodes[i].next)
		for (unsigned k = 0; k < m->nodes[i].nout; k++) {
			uint8_t dtype = m->tensors[m->nodes[i].outputs + k].dtype;
			any |= dtype == RS_INT4 || dtype == RS_UINT4;
		}
	return any;
}

static void draw_form(graph_body *b, rng *r)
{
	b->constants = (uint8_t)rng_below(r, BODY_CONSTANTS_KINDS);
	for (int i = 0; i < FORM_TRIES && !b->form; i++) {
		enum body_form form = (enum body_form)rng_below(r, BODY_FORMS);
		b->form = (uint8_t)(body_form_fits((enum body_kind)b->kind, form) ? form : BODY_PLAIN);
	}
	if (b->kind != BODY_SCAN)
		return;
	b->trips = (uint8_t)(1 + rng_below(r, BODIES_TRIPS_MAX));
	b->axis = (int8_t)((int)rng_below(r, 2 * BODIES_AXIS_MAX + 1) - BODIES_AXIS_MAX);
	b->reverse = rng_below(r, 2);
}

/* Makes calls from `first` on a subgraph, at most `most`, and maybe some of these one within it. False: out of memory. */
static bool draw_subgraph(graph *m, uint32_t first, uint32_t most, rng *r)
{
	enum body_kind kind = (enum body_kind)(BODY_IF + rng_below(r, BODY_REGIONS - BODY_IF));
	if (m->assignments && body_carries(kind))
		kind = BODY_IF;
	uint32_t control = kind == BODY_SCAN ? GRAPH_NONE : make_control(m, kind, r), count = grow(m, first, most);
	if (kind != BODY_SCAN && control == GRAPH_NONE)
		return false;
	bool fits = !body_carries(kind) || (!splits_shape(m, first, count) && !makes_four_bits(m, first, count));
	if (!fits || !bodies_add(m, kind, control, first, count)) {
		if (control != GRAPH_NONE)
			graph_remove_input(m, control);
		return true;
	}
	draw_form(&m->bodies[m->nbodies - 1], r);
	if (bodies_depth(m, first) == BODIES_DEPTH_MAX || rng_below(r, NESTED_ONE_IN))
		return true;
	uint32_t skip = rng_below(r, count), inner = first;
	for (uint32_t i = 0; i < skip; i++)
		inner = m->nodes[inner].next;
	return draw_subgraph(m, inner, 1 + rng_below(r, count - skip), r);
}

bool gen_subgraphs(gen *g, rng *r)
{
	graph *m = g->graph;
	if (!has_bodies(m) || rng_below(r, 1000) >= g->features.subgraphs)
		return true;
	for (uint32_t n = 1 + rng_below(r, SUBGRAPHS); n; n--) {
		uint32_t first = draw_node(m, r), most = 1 + rng_below(r, LONGEST);
		if (first == GRAPH_NONE)
			return true;
		if (!draw_subgraph(m, first, most, r))
			return false;
	}
	return true;
}

/* ---- regions */

static bool is_float(const graph_tensor *t)
{
	return t->dtype == RS_FLOAT16 || t->dtype == RS_BFLOAT16 || t->dtype == RS_FLOAT32 || t->dtype == RS_FLOAT64;
}

/* Whether `count` nodes from `first` on take a float from outside and make one that none of them takes. */
static bool passes_floats(const graph *m, uint32_t first, uint32_t count)
{
	uint64_t begin = m->nodes[first].order, end = begin;
	bool takes = false, makes = false;
	uint32_t i = first;
	for (uint32_t n = count; n; n--, i = m->nodes[i].next)
		end = m->nodes[i].order;
	i = first;
	for (uint32_t n = count; n; n--, i = m->nodes[i].next) {
		const graph_node *node = &m->nodes[i];
		for (unsigned k = 0; k < node->nin; k++) {
			const graph_tensor *t = &m->tensors[graph_node_input(m, node, k)];
			takes |= is_float(t) && (t->producer == GRAPH_NONE || m->nodes[t->producer].order < begin);
		}
		for (unsigned k = 0; k < node->nout; k++) {
			uint32_t user = graph_first_user(m, node->outputs + k);
			makes |= is_float(&m->tensors[node->outputs + k]) && (user == GRAPH_NONE || m->nodes[user].order > end);
		}
	}
	return takes && makes;
}

/* A kind of region for these nodes. Those that differentiate need floats. BODY_FUNCTION: none was found. */
static enum body_kind draw_region_kind(const graph *m, uint32_t first, uint32_t count, enum body_kind around, rng *r)
{
	const bool floats = passes_floats(m, first, count), derived = region_needs(around) == REGION_DERIVES && rng_below(r, 2);
	for (int i = BODY_REGIONS; floats && derived && i < BODY_KINDS; i++)
		if (region_needs((enum body_kind)i) == REGION_DERIVED)
			return (enum body_kind)i;
	for (int i = 0; i < REGION_TRIES; i++) {
		enum body_kind kind = (enum body_kind)(BODY_REGIONS + rng_below(r, BODY_KINDS - BODY_REGIONS));
		if (floats || region_needs(kind) == REGION_ANY)
			return kind;
	}
	return BODY_FUNCTION;
}

/* Makes calls from `first` on a region, at most `most`, and maybe some or all of these one within it. A derivative of their own has
 * an effect only within a transform that differentiates, so half of the regions there have one, and no further results. */
static void draw_region(graph *m, uint32_t first, uint32_t most, enum body_kind around, rng *r)
{
	uint32_t count = grow(m, first, most);
	enum body_kind kind = count ? draw_region_kind(m, first, count, around, r) : BODY_FUNCTION;
	if (kind == BODY_FUNCTION || !bodies_add(m, kind, GRAPH_NONE, first, count))
		return;
	const bool derived = region_needs(kind) == REGION_DERIVED && region_needs(around) == REGION_DERIVES;
	m->bodies[m->nbodies - 1].trips = (uint8_t)(derived ? DOUBLED : rng_below(r, BODIES_VARIANTS));
	if (bodies_depth(m, first) == BODIES_DEPTH_MAX || rng_below(r, NESTED_ONE_IN))
		return;
	uint32_t skip = rng_below(r, 2) ? 0 : rng_below(r, count), inner = first;
	for (uint32_t i = 0; i < skip; i++)
		inner = m->nodes[inner].next;
	draw_region(m, inner, rng_below(r, 2) ? count - skip : 1 + rng_below(r, count - skip), kind, r);
}

/* A model whose calls write to memory that lives on has none, nor has one with a session. */
bool gen_regions(gen *g, rng *r)
{
	graph *m = g->graph;
	if (g->mutated || session_any(m) || rng_below(r, 1000) >= g->features.regions)
		return true;
	for (uint32_t n = 1 + rng_below(r, REGIONS); n; n--) {
		uint32_t first = draw_node(m, r), most = 1 + rng_below(r, LONGEST);
		if (first != GRAPH_NONE)
			draw_region(m, first, most, BODY_FUNCTION, r);
	}
	return true;
}
