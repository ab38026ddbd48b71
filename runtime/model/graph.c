#include "graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define STEP ((uint64_t)1 << 40)   /* distance in order at the ends of the list */
#define RESHAPED_MAX 256	   /* maximum symbols and output dimensions of a call whose input is reshaped */
#define MIDDLE ((uint64_t)1 << 63) /* the order of the first node */

/* ---- create, destroy */

bool graph_init(graph *g)
{
	*g =
	    (graph){.arena = arena_new(), .framework = "", .first = GRAPH_NONE, .last = GRAPH_NONE};
	return g->arena != NULL;
}

void graph_destroy(graph *g)
{
	arena_free(g->arena);
	free(g->tensors);
	free(g->nodes);
	free(g->uses);
	*g = (graph){0};
}

void graph_reset(graph *g)
{
	arena_release(g->arena, (arena_mark){0});
	g->ntensors = g->nnodes = g->nuses = g->live_nodes = 0;
	g->random = g->near_miss = g->gradients = g->module = false;
	g->change = (graph_change){.kind = CHANGE_NONE};
	g->assignments = g->nbodies = g->opset = g->nsettings = g->session[0].n = g->session[1].n = 0;
	g->first = g->last = GRAPH_NONE;
	g->framework = "";
}

/* Makes room for more elements behind the used ones; the array is kept from model to model. */
static bool reserve(void **array, uint32_t *room, uint32_t used, uint32_t more, size_t size)
{
	uint64_t want = *room ? (uint64_t)*room * 2 : 64;
	while (want < (uint64_t)used + more)
		want *= 2;
	void *p = want < GRAPH_NONE ? realloc(*array, want * size) : NULL;
	if (!p)
		return false;
	*array = p;
	*room = (uint32_t)want;
	return true;
}

static bool reserve_all(graph *g, uint32_t tensors, uint32_t nodes, uint32_t uses)
{
	return (g->ctensors - g->ntensors >= tensors
		   || reserve((void **)&g->tensors, &g->ctensors, g->ntensors, tensors,
		       sizeof *g->tensors))
	       && (g->cnodes - g->nnodes >= nodes
		   || reserve((void **)&g->nodes, &g->cnodes, g->nnodes, nodes, sizeof *g->nodes))
	       && (g->cuses - g->nuses >= uses
		   || reserve((void **)&g->uses, &g->cuses, g->nuses, uses, sizeof *g->uses));
}

static void *keep(graph *g, const void *data, size_t size)
{
	void *p = arena_alloc(g->arena, size);
	return p && size ? memcpy(p, data, size) : p;
}

uint64_t graph_name_hash(const char *name)
{
	return XXH3_64bits(name, strlen(name));
}

bool graph_find_form(graph_form *f, const rs_op *op, arena *a)
{
	uint64_t *consts = arena_alloc(a, (op->nvalues + (size_t)1) * sizeof *consts);
	if (!consts)
		return false;
	*f = (graph_form){.name = graph_name_hash(op->name),
	    .consts = consts,
	    .out_ranks = op->out_ranks,
	    .nsym = op->nsym,
	    .nin = op->nin,
	    .nout = op->nout,
	    .nodim = op->nodim,
	    .random = (op->flags & RS_RANDOM) != 0};
	for (unsigned i = 0; i < op->nvalues; i++)
		if (op->values[i].kind == RS_CONST)
			consts[f->nconsts++] = graph_name_hash(op->values[i].text);
	return true;
}

static bool copy_tensors(graph *to, const graph *from)
{
	for (uint32_t i = 0; i < from->ntensors; i++) {
		const graph_tensor *t = &from->tensors[i];
		to->tensors[i] = *t;
		to->tensors[i].shape = keep(to, t->shape, t->rank * sizeof *t->shape);
		if (t->also)
			to->tensors[i].also = keep(to, t->also, (from->assignments - 1) * t->rank * sizeof *t->also);
		if (t->layout)
			to->tensors[i].layout = keep(to, t->layout, sizeof *t->layout + t->rank * sizeof *t->layout->strides);
		if (!to->tensors[i].shape || (t->also && !to->tensors[i].also) || (t->layout && !to->tensors[i].layout))
			return false;
	}
	return true;
}

static bool copy_nodes(graph *to, const graph *from)
{
	for (uint32_t i = 0; i < from->nnodes; i++) {
		const graph_node *n = &from->nodes[i];
		graph_node *m = &to->nodes[i];
		*m = *n;
		m->symbols = keep(to, n->symbols, n->nsym * sizeof *n->symbols);
		if (n->consts)
			m->consts = keep(to, n->consts, n->nconsts * sizeof *n->consts);
		else
			m->hashes = keep(to, n->hashes, n->nconsts * sizeof *n->hashes);
		if (!m->symbols || !(n->consts ? (const void *)m->consts : m->hashes))
			return false;
	}
	return true;
}

static bool copy_settings(graph *to, const graph *from)
{
	for (unsigned i = 0; i < from->nsettings; i++) {
		const graph_setting *s = &from->settings[i];
		to->settings[i] = (graph_setting){arena_strdup(to->arena, s->name), arena_strdup(to->arena, s->value)};
		if (!to->settings[i].name || !to->settings[i].value)
			return false;
	}
	to->nsettings = from->nsettings;
	return true;
}

const char *graph_change_name(uint8_t kind)
{
	static const char *const NAMES[CHANGE_KINDS] = {"", "number", "dtype", "rank", "elements", "missing"};
	assert(kind < CHANGE_KINDS);
	return NAMES[kind];
}

static bool copy_change(graph *to, const graph *from)
{
	to->change = from->change;
	if (from->change.kind == CHANGE_NONE)
		return true;
	to->change.argument = arena_strdup(to->arena, from->change.argument);
	to->change.to = arena_strdup(to->arena, from->change.to);
	return to->change.argument && to->change.to;
}

static bool copy_session(graph *to, const graph *from)
{
	for (unsigned list = 0; list < 2; list++) {
		to->session[list] = from->session[list];
		for (unsigned i = 0; i < from->session[list].n; i++) {
			to->session[list].items[i].name = arena_strdup(to->arena, from->session[list].items[i].name);
			if (!to->session[list].items[i].name)
				return false;
		}
	}
	return true;
}

bool graph_copy(graph *to, const graph *from)
{
	graph_reset(to);
	if (!reserve_all(to, from->ntensors, from->nnodes, from->nuses))
		return false;
	if (!copy_tensors(to, from) || !copy_nodes(to, from) || !copy_settings(to, from) || !copy_session(to, from)
	    || !copy_change(to, from)) {
		graph_reset(to);
		return false;
	}
	if (from->nuses)
		memcpy(to->uses, from->uses, from->nuses * sizeof *to->uses);
	to->ntensors = from->ntensors, to->nnodes = from->nnodes, to->nuses = from->nuses;
	to->first = from->first, to->last = from->last, to->live_nodes = from->live_nodes;
	to->framework = from->framework;
	to->seed = from->seed, to->index = from->index, to->values = from->values;
	to->random = from->random, to->gradients = from->gradients, to->module = from->module;
	to->assignments = from->assignments;
	to->near_miss = from->near_miss;
	to->opset = from->opset;
	to->nbodies = from->nbodies;
	memcpy(to->bodies, from->bodies, sizeof to->bodies);
	return true;
}

/* ---- uses */

static void link_use(graph *g, uint32_t use, uint32_t tensor)
{
	graph_use *u = &g->uses[use];
	graph_tensor *t = &g->tensors[tensor];
	u->tensor = tensor;
	u->previous = GRAPH_NONE;
	u->next = t->uses;
	if (t->uses != GRAPH_NONE)
		g->uses[t->uses].previous = use;
	t->uses = use;
	t->nuses++;
}

static void unlink_use(graph *g, uint32_t use)
{
	graph_use *u = &g->uses[use];
	graph_tensor *t = &g->tensors[u->tensor];
	if (u->previous == GRAPH_NONE)
		t->uses = u->next;
	else
		g->uses[u->previous].next = u->next;
	if (u->next != GRAPH_NONE)
		g->uses[u->next].previous = u->previous;
	t->nuses--;
}

/* ---- order */

static void renumber_order(graph *g)
{
	uint64_t order = MIDDLE - (g->live_nodes / 2) * STEP;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next, order += STEP)
		g->nodes[i].order = order;
}

/* An order between two neighbours in the list, which may be GRAPH_NONE; 0: none is left. */
static uint64_t order_between(const graph *g, uint32_t previous, uint32_t next)
{
	if (previous == GRAPH_NONE && next == GRAPH_NONE)
		return MIDDLE;
	if (next == GRAPH_NONE) {
		uint64_t low = g->nodes[previous].order;
		return low > UINT64_MAX - STEP ? 0 : low + STEP;
	}
	uint64_t high = g->nodes[next].order;
	if (previous == GRAPH_NONE)
		return high < STEP ? 0 : high - STEP;
	uint64_t low = g->nodes[previous].order;
	return high - low < 2 ? 0 : low + (high - low) / 2;
}

static void link_node(graph *g, uint32_t node, uint32_t before)
{
	uint32_t previous = before == GRAPH_NONE ? g->last : g->nodes[before].previous;
	uint64_t order = order_between(g, previous, before);
	if (!order) {
		renumber_order(g);
		order = order_between(g, previous, before);
	}
	graph_node *n = &g->nodes[node];
	n->order = order;
	n->previous = previous;
	n->next = before;
	*(previous == GRAPH_NONE ? &g->first : &g->nodes[previous].next) = node;
	*(before == GRAPH_NONE ? &g->last : &g->nodes[before].previous) = node;
	g->live_nodes++;
}

static void unlink_node(graph *g, uint32_t node)
{
	graph_node *n = &g->nodes[node];
	*(n->previous == GRAPH_NONE ? &g->first : &g->nodes[n->previous].next) = n->next;
	*(n->next == GRAPH_NONE ? &g->last : &g->nodes[n->next].previous) = n->previous;
	n->live = false;
	g->live_nodes--;
}

void graph_move_last(graph *g, uint32_t node)
{
	unlink_node(g, node);
	g->nodes[node].live = true;
	link_node(g, node, GRAPH_NONE);
}

bool graph_precedes(const graph *g, uint32_t tensor, uint32_t node)
{
	uint32_t producer = g->tensors[tensor].producer;
	return producer == GRAPH_NONE || node == GRAPH_NONE
	       || g->nodes[producer].order < g->nodes[node].order;
}

uint32_t graph_first_user(const graph *g, uint32_t tensor)
{
	uint32_t first = GRAPH_NONE;
	for (uint32_t u = g->tensors[tensor].uses; u != GRAPH_NONE; u = g->uses[u].next)
		if (first == GRAPH_NONE || g->nodes[g->uses[u].node].order < g->nodes[first].order)
			first = g->uses[u].node;
	return first;
}

const rs_value *graph_input_value(const rs_op *op, unsigned input)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind) && input-- == 0)
			return &op->values[i];
	return NULL;
}

const rs_value *graph_argument(const rs_op *op, const char *name)
{
	for (unsigned i = 0; i < op->nargs; i++)
		if (strcmp(op->args[i].name, name) == 0)
			return &op->values[op->args[i].value];
	return NULL;
}

bool graph_has_ranges(const rs_op *op)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (op->values[i].kind == RS_RANGED)
			return true;
	return false;
}

bool graph_is_ranged(const graph *g, uint32_t tensor)
{
	for (uint32_t u = g->tensors[tensor].uses; u != GRAPH_NONE; u = g->uses[u].next) {
		const graph_node *n = &g->nodes[g->uses[u].node];
		if (graph_input_value(n->op, u - n->inputs)->kind == RS_RANGED)
			return true;
	}
	return false;
}

/* ---- build */

/* The number of elements, saturating. */
static int64_t count_elements(unsigned rank, const int64_t *shape)
{
	int64_t n = 1;
	for (unsigned i = 0; i < rank; i++)
		if (__builtin_mul_overflow(n, shape[i], &n))
			n = INT64_MAX;
	return n;
}

static void add_tensor(graph *g, unsigned rank, const int64_t *shape, uint8_t dtype,
    uint32_t producer, unsigned output)
{
	g->tensors[g->ntensors++] = (graph_tensor){.shape = shape,
	    .numel = count_elements(rank, shape),
	    .producer = producer,
	    .uses = GRAPH_NONE,
	    .output = (uint16_t)output,
	    .rank = (uint8_t)rank,
	    .dtype = dtype,
	    .values = producer == GRAPH_NONE ? RS_VALUES_SMALL : RS_VALUES_ANY,
	    .live = true};
}

uint32_t graph_input(graph *g, unsigned rank, const int64_t *shape, rs_dtype dtype)
{
	if (rank > GRAPH_RANK_MAX || !reserve_all(g, 1, 0, 0))
		return GRAPH_NONE;
	const int64_t *copy = keep(g, shape, rank * sizeof *shape);
	if (!copy)
		return GRAPH_NONE;
	add_tensor(g, rank, copy, (uint8_t)dtype, GRAPH_NONE, 0);
	return g->ntensors - 1;
}

static void link_inputs(graph *g, uint32_t node, const graph_call *call)
{
	for (unsigned i = 0; i < g->nodes[node].nin; i++) {
		g->uses[g->nuses].node = node;
		link_use(g, g->nuses++, call->inputs[i]);
	}
}

static void add_outputs(
    graph *g, uint32_t node, const graph_form *f, const uint8_t *dtypes, const int64_t *out)
{
	for (unsigned i = 0; i < f->nout; out += f->out_ranks[i], i++)
		add_tensor(g, f->out_ranks[i], out, dtypes[i], node, i);
}

static void copy_numbers(int64_t *to, const int64_t *from, unsigned n)
{
	for (unsigned i = 0; i < n; i++) /* a loop, since calling memcpy takes longer for a few elements */
		to[i] = from[i];
}

/* Makes a node with its arrays, outside the list. False: out of memory. */
static bool add_node(graph *g, const graph_call *call, const graph_form *f)
{
	unsigned nhashes = call->consts ? 0 : f->nconsts;
	int64_t *symbols =
	    arena_alloc(g->arena, (f->nsym + (size_t)f->nodim + nhashes) * sizeof *symbols);
	int64_t *out = symbols + f->nsym, *hashes = out + f->nodim;
	const char *const *consts = NULL;
	if (symbols && call->consts)
		consts = keep(g, call->consts, f->nconsts * sizeof *consts);
	if (!symbols || (call->consts && !consts))
		return false;
	copy_numbers(symbols, call->symbols, f->nsym);
	copy_numbers(out, call->out, f->nodim);
	copy_numbers(hashes, (const int64_t *)f->consts, nhashes);
	g->random |= f->random;
	g->nodes[g->nnodes++] = (graph_node){.op = call->op,
	    .symbols = symbols,
	    .consts = consts,
	    .hashes = (const uint64_t *)hashes,
	    .name_hash = f->name,
	    .inputs = g->nuses,
	    .outputs = g->ntensors,
	    .nsym = f->nsym,
	    .nin = f->nin,
	    .nout = f->nout,
	    .nconsts = f->nconsts,
	    .live = true};
	return true;
}

uint32_t graph_insert(graph *g, const graph_call *call, uint32_t before)
{
	graph_form found;
	const graph_form *f = call->form ? call->form : &found;
	if (f == &found && !graph_find_form(&found, call->op, g->arena))
		return GRAPH_NONE;
	if (!reserve_all(g, f->nout, 1, f->nin) || !add_node(g, call, f))
		return GRAPH_NONE;
	uint32_t node = g->nnodes - 1;
	link_inputs(g, node, call);
	add_outputs(g, node, f, call->out_dtypes, g->nodes[node].symbols + f->nsym);
	link_node(g, node, before);
	return node;
}

void graph_replace_alluse(graph *g, uint32_t old, uint32_t new)
{
	while (g->tensors[old].uses != GRAPH_NONE) {
		uint32_t use = g->tensors[old].uses;
		unlink_use(g, use);
		link_use(g, use, new);
	}
	g->tensors[new].kept |= g->tensors[old].kept;
	g->tensors[old].kept = false;
}

/* Sets the shapes and dtypes of a call's results to those of a node. */
static bool take_outputs(const graph *g, const graph_node *n, graph_call *call)
{
	size_t ndims = 0;
	for (unsigned i = 0; i < n->nout; i++)
		ndims += g->tensors[n->outputs + i].rank;
	int64_t *out = arena_alloc(g->arena, (ndims + 1) * sizeof *out);
	uint8_t *dtypes = arena_alloc(g->arena, n->nout + (size_t)1);
	call->out = out;
	call->out_dtypes = dtypes;
	if (!out || !dtypes)
		return false;
	for (unsigned i = 0; i < n->nout; i++) {
		const graph_tensor *t = &g->tensors[n->outputs + i];
		copy_numbers(out, t->shape, t->rank);
		out += t->rank;
		dtypes[i] = t->dtype;
	}
	return true;
}

uint32_t graph_replace_node(graph *g, uint32_t node, graph_call call)
{
	const graph_node old = g->nodes[node];
	uint32_t new = take_outputs(g, &old, &call) ? graph_insert(g, &call, node) : GRAPH_NONE;
	if (new == GRAPH_NONE)
		return new;
	g->nodes[new].direct = old.direct;
	g->nodes[new].function = old.function;
	g->nodes[new].subgraph = old.subgraph;
	for (unsigned i = 0; i < old.nout; i++) {
		uint32_t from = old.outputs + i, to = g->nodes[new].outputs + i;
		g->tensors[to].values = g->tensors[from].values;
		g->tensors[to].also = g->tensors[from].also;
		graph_replace_alluse(g, from, to);
	}
	return new;
}

void graph_retarget(graph *g, uint32_t use, uint32_t tensor)
{
	unlink_use(g, use);
	link_use(g, use, tensor);
}

void graph_remove_input(graph *g, uint32_t tensor)
{
	g->tensors[tensor].live = false;
}

static bool idle(const graph *g, const graph_node *n)
{
	for (unsigned i = 0; i < n->op->nout; i++)
		if (g->tensors[n->outputs + i].nuses || g->tensors[n->outputs + i].kept)
			return false;
	return true;
}

void graph_remove_node(graph *g, uint32_t node)
{
	const graph_node *n = &g->nodes[node];
	for (unsigned i = 0; i < n->op->nin; i++)
		unlink_use(g, n->inputs + i);
	for (unsigned i = 0; i < n->op->nout; i++)
		g->tensors[n->outputs + i].live = false;
	unlink_node(g, node);
}

static bool is_control(const graph *g, uint32_t tensor)
{
	for (unsigned i = 0; i < g->nbodies; i++)
		if (g->bodies[i].control == tensor)
			return true;
	return false;
}

uint32_t graph_remove_unused(graph *g)
{
	uint32_t before = g->live_nodes;
	for (uint32_t i = g->last, previous; i != GRAPH_NONE; i = previous) {
		previous = g->nodes[i].previous;
		if (idle(g, &g->nodes[i]))
			graph_remove_node(g, i);
	}
	graph_remove_unused_inputs(g);
	return before - g->live_nodes;
}

void graph_remove_unused_inputs(graph *g)
{
	for (uint32_t i = 0; i < g->ntensors; i++) {
		graph_tensor *t = &g->tensors[i];
		if (t->producer == GRAPH_NONE && !t->nuses && !t->kept && !is_control(g, i))
			t->live = false;
	}
}

/* Whether the rule of a node predicts the same outputs for these symbols. */
static bool gives_the_same(const graph *g, const graph_node *n, const int64_t *symbols)
{
	int64_t out[RESHAPED_MAX];
	const int64_t *o = out;
	if (!rs_eval(n->op, symbols, out))
		return false;
	for (unsigned i = 0; i < n->nout; o += n->op->out_ranks[i], i++)
		for (unsigned k = 0; k < n->op->out_ranks[i]; k++)
			if (g->tensors[n->outputs + i].shape[k] != o[k])
				return false;
	return true;
}

bool graph_reshape_input(graph *g, uint32_t tensor, const int64_t *shape, bool *failed)
{
	graph_tensor *t = &g->tensors[tensor];
	if (t->producer != GRAPH_NONE || t->nuses != 1)
		return false;
	graph_node *n = &g->nodes[g->uses[t->uses].node];
	if (!n->op->valid || n->op->flags & RS_BY_RECORD || n->op->nodim > RESHAPED_MAX || n->nsym > RESHAPED_MAX)
		return false;
	int64_t symbols[RESHAPED_MAX];
	copy_numbers(symbols, n->symbols, n->nsym);
	copy_numbers(symbols + graph_input_value(n->op, t->uses - n->inputs)->first, shape, t->rank);
	if (!gives_the_same(g, n, symbols))
		return false;
	const int64_t *kept = keep(g, symbols, n->nsym * sizeof *symbols), *of_input = keep(g, shape, t->rank * sizeof *shape);
	if (!kept || !of_input) {
		*failed = true;
		return false;
	}
	n->symbols = kept;
	t->shape = of_input;
	t->numel = count_elements(t->rank, shape);
	return true;
}

void graph_keep_unused(graph *g)
{
	for (uint32_t i = 0; i < g->ntensors; i++) {
		graph_tensor *t = &g->tensors[i];
		if (t->live && t->producer != GRAPH_NONE && !t->nuses)
			t->kept = true;
	}
}

/* Whether the operator of a node is random, or an input comes from a random node. */
static bool is_random(const graph *g, const graph_node *n)
{
	bool random = n->op->flags & RS_RANDOM;
	for (unsigned i = 0; i < n->nin && !random; i++) {
		uint32_t producer = g->tensors[graph_node_input(g, n, i)].producer;
		random = producer != GRAPH_NONE && g->nodes[producer].random;
	}
	return random;
}

/* An alias of a removed input becomes a separate tensor. */
static void number_input(graph *g, uint32_t input, uint32_t number)
{
	graph_tensor *t = &g->tensors[input];
	t->number = number;
	if (t->layout && t->layout->same != GRAPH_NONE && !g->tensors[t->layout->same].live)
		t->layout = NULL;
}

void graph_number(graph *g)
{
	uint32_t number = 0;
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].live && g->tensors[i].producer == GRAPH_NONE)
			number_input(g, i, number++);
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		for (unsigned k = 0; k < g->nodes[i].nout; k++)
			g->tensors[g->nodes[i].outputs + k].number = number++;
	for (uint32_t i = g->first; g->random && i != GRAPH_NONE; i = g->nodes[i].next)
		g->nodes[i].random = is_random(g, &g->nodes[i]);
}

/* ---- the hash: XXH3 of little-endian numbers and of names, in the written order */

typedef struct hasher {
	uint64_t digest; /* hash of the earlier buffers, the seed of the next */
	size_t used;
	unsigned char buffer[4096];
} hasher;

static void hash_flush(hasher *h)
{
	h->digest = XXH3_64bits_withSeed(h->buffer, h->used, h->digest);
	h->used = 0;
}

static void hash_number(hasher *h, uint64_t value)
{
	if (h->used + 8 > sizeof h->buffer)
		hash_flush(h);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap64(value);
#endif
	memcpy(h->buffer + h->used, &value, 8);
	h->used += 8;
}

static void hash_numbers(hasher *h, const int64_t *values, unsigned n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (n * 8u <= sizeof h->buffer - h->used) { /* as they are */
		unsigned char *to = h->buffer + h->used;
		for (unsigned i = 0; i < n; i++, to += 8)
			memcpy(to, &values[i], 8);
		h->used += n * 8u;
		return;
	}
#endif
	for (unsigned i = 0; i < n; i++)
		hash_number(h, (uint64_t)values[i]);
}

static void hash_tensor(hasher *h, const graph_tensor *t)
{
	hash_number(h, (uint64_t)t->number << 32 | (uint64_t)t->rank << 16 | (uint64_t)t->dtype << 8
			   | t->kept);
	hash_numbers(h, t->shape, t->rank);
}

/* Adds nothing for defaults that a file omits, so that older models keep their hash. */
static void hash_elements(hasher *h, const graph_tensor *t)
{
	if (t->values != RS_VALUES_SMALL)
		hash_number(h, t->values);
	if (t->low || t->high) {
		hash_number(h, (uint64_t)t->low);
		hash_number(h, (uint64_t)t->high);
	}
	if (t->divisor)
		hash_number(h, t->divisor);
	if (t->constant)
		hash_number(h, UINT64_MAX);
}

/* Of further shape instances only the inputs: the rest follows from them. */
static void hash_assignments(hasher *h, const graph *g)
{
	for (uint32_t i = 0; i < g->ntensors && g->assignments > 1; i++) {
		const graph_tensor *t = &g->tensors[i];
		for (uint32_t k = 1; t->live && t->producer == GRAPH_NONE && k < g->assignments; k++)
			hash_numbers(h, graph_shape_in(t, k), t->rank);
	}
}

static void hash_layout(hasher *h, const graph *g, const graph_tensor *t)
{
	const graph_layout *l = t->layout;
	if (!l)
		return;
	hash_number(h, l->same == GRAPH_NONE ? UINT64_MAX - 1 : g->tensors[l->same].number);
	hash_number(h, (uint64_t)l->offset);
	hash_numbers(h, l->strides, t->rank);
}

static void hash_consts(hasher *h, const graph_node *n)
{
	for (unsigned i = 0; i < n->nconsts; i++)
		hash_number(h, n->consts ? graph_name_hash(n->consts[i]) : n->hashes[i]);
}

static void hash_node(hasher *h, const graph *g, const graph_node *n)
{
	hash_number(h, n->direct ? ~n->name_hash : n->name_hash);
	hash_numbers(h, n->symbols, n->nsym);
	for (unsigned i = 0; i < n->nin; i++)
		hash_number(h, g->tensors[graph_node_input(g, n, i)].number);
	hash_consts(h, n);
	for (unsigned i = 0; i < n->nout; i++)
		hash_tensor(h, &g->tensors[n->outputs + i]);
}

/* Adds nothing for a model without bodies. */
static void hash_bodies(hasher *h, const graph *g)
{
	for (unsigned i = 0; i < g->nbodies; i++) {
		const graph_body *b = &g->bodies[i];
		hash_number(h, (uint64_t)b->constants << 40 | (uint64_t)b->kind << 32 | (b->control == GRAPH_NONE ? UINT32_MAX : g->tensors[b->control].number));
		hash_number(h, (uint64_t)b->parent << 32 | (uint64_t)b->form << 24 | (uint64_t)b->trips << 16 | (uint64_t)(uint8_t)b->axis << 8 | b->reverse);
	}
	for (uint32_t i = g->first; g->nbodies && i != GRAPH_NONE; i = g->nodes[i].next)
		hash_number(h, (uint64_t)g->nodes[i].function << 8 | g->nodes[i].subgraph);
}

static void hash_session(hasher *h, const graph *g)
{
	for (unsigned list = 0; list < 2; list++)
		for (unsigned i = 0; i < g->session[list].n; i++) {
			const graph_session_item *item = &g->session[list].items[i];
			hash_number(h, graph_name_hash(item->name));
			hash_number(h, (uint64_t)(list + 1) << 32 | item->pick);
		}
}

uint64_t graph_hash(const graph *g)
{
	hasher h;
	h.digest = h.used = 0;
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].live && g->tensors[i].producer == GRAPH_NONE) {
			hash_tensor(&h, &g->tensors[i]);
			hash_elements(&h, &g->tensors[i]);
			hash_layout(&h, g, &g->tensors[i]);
		}
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		hash_node(&h, g, &g->nodes[i]);
	hash_assignments(&h, g);
	hash_bodies(&h, g);
	if (g->gradients || g->module)
		hash_number(&h, UINT64_MAX - g->gradients - 2u * g->module);
	if (g->opset)
		hash_number(&h, UINT64_MAX - 8u - g->opset);
	for (unsigned i = 0; i < g->nsettings; i++) {
		hash_number(&h, graph_name_hash(g->settings[i].name));
		hash_number(&h, graph_name_hash(g->settings[i].value));
	}
	hash_session(&h, g);
	hash_flush(&h);
	return h.digest;
}

/* ---- check */

static bool check_chain(const graph *g, uint32_t tensor, diag *d)
{
	const graph_tensor *t = &g->tensors[tensor];
	uint32_t n = 0, previous = GRAPH_NONE;
	for (uint32_t u = t->uses; u != GRAPH_NONE && n <= t->nuses; u = g->uses[u].next, n++) {
		if (g->uses[u].tensor != tensor || g->uses[u].previous != previous)
			return diag_set(d, "tensor %u: use %u is not linked back", tensor, u);
		if (!g->nodes[g->uses[u].node].live)
			return diag_set(d, "tensor %u: used by a removed node", tensor);
		previous = u;
	}
	if (n != t->nuses)
		return diag_set(d, "tensor %u: %u uses, counted %u", tensor, n, t->nuses);
	for (unsigned i = 0; i < t->rank; i++)
		if (t->shape[i] < 0)
			return diag_set(d, "tensor %u: a negative dimension", tensor);
	return true;
}

static bool check_input(const graph *g, uint32_t node, uint32_t tensor, const rs_value *v, diag *d)
{
	const graph_node *n = &g->nodes[node];
	const graph_tensor *t = &g->tensors[tensor];
	if (!t->live)
		return diag_set(d, "node %u (%s): uses a removed tensor", node, n->op->name);
	if (!graph_precedes(g, tensor, node) || t->producer == node)
		return diag_set(d, "node %u (%s): uses a later value", node, n->op->name);
	if (t->rank != v->count)
		return diag_set(d, "node %u (%s): an input of rank %u, expected %u", node,
		    n->op->name, t->rank, v->count);
	if (memcmp(t->shape, n->symbols + v->first, t->rank * sizeof *t->shape) != 0)
		return diag_set(
		    d, "node %u (%s): an input's shape differs from its symbols", node, n->op->name);
	const int64_t *bounds = n->symbols + v->first + v->count;
	if (v->kind == RS_RANGED && (t->low != bounds[0] || t->high != bounds[1]))
		return diag_set(
		    d, "node %u (%s): an input's range differs from its symbols", node, n->op->name);
	return true;
}

static bool check_inputs(const graph *g, uint32_t node, diag *d)
{
	const graph_node *n = &g->nodes[node];
	unsigned input = 0;
	for (unsigned i = 0; i < n->op->nvalues; i++)
		if (rs_is_tensor(n->op->values[i].kind)
		    && !check_input(g, node, graph_node_input(g, n, input++), &n->op->values[i], d))
			return false;
	if (input != n->op->nin)
		return diag_set(d, "%s: %u input tensors, expected %u", n->op->name, input, n->op->nin);
	return true;
}

/* Whether the call is a record of the signature; records need no rule. */
static bool is_recorded(const rs_op *op, const int64_t *symbols)
{
	if (!op->nsym)
		return op->nrecords > 0;
	for (unsigned r = 0; r < op->nrecords; r++)
		if (rs_record_is(op, r, symbols))
			return true;
	return false;
}

void graph_symbols_in(const graph *g, const graph_node *n, uint32_t assignment, int64_t *symbols)
{
	unsigned input = 0;
	copy_numbers(symbols, n->symbols, n->nsym);
	for (unsigned i = 0; i < n->op->nvalues && assignment; i++) {
		const rs_value *v = &n->op->values[i];
		if (rs_is_tensor(v->kind))
			copy_numbers(symbols + v->first, graph_shape_in(&g->tensors[graph_node_input(g, n, input++)], assignment), v->count);
	}
}

/* Whether the rule predicts these outputs of the node in a shape instance. */
static bool check_outputs(const graph *g, const graph_node *n, uint32_t assignment, const int64_t *out, diag *d)
{
	for (unsigned i = 0; i < n->op->nout; out += n->op->out_ranks[i], i++) {
		const graph_tensor *t = &g->tensors[n->outputs + i];
		if (memcmp(graph_shape_in(t, assignment), out, t->rank * sizeof *out) != 0)
			return diag_set(d, "node %u (%s): output %u has another shape than its rule predicts",
			    (unsigned)(n - g->nodes), n->op->name, i);
	}
	return true;
}

/* The same for all further instances, for nodes whose symbols differ there. */
static bool check_assignments(const graph *g, uint32_t node, diag *d)
{
	const graph_node *n = &g->nodes[node];
	bool ok = true;
	size_t room = (size_t)n->nsym + n->op->nodim + 1;
	int64_t *symbols = g->assignments > 1 ? malloc(room * sizeof *symbols) : NULL;
	if (g->assignments > 1 && !symbols)
		return diag_set(d, "out of memory");
	for (uint32_t k = 1; k < g->assignments && ok; k++) {
		graph_symbols_in(g, n, k, symbols);
		if (memcmp(symbols, n->symbols, n->nsym * sizeof *symbols) == 0)
			continue;
		ok = rs_eval(n->op, symbols, symbols + n->nsym)
			 ? check_outputs(g, n, k, symbols + n->nsym, d)
			 : diag_set(d, "node %u (%s): its rule rejects it in shape instance %u", node, n->op->name, k + 1);
	}
	free(symbols);
	return ok;
}

/* Whether the rule accepts the node and predicts its output shapes. */
static bool check_rule(const graph *g, uint32_t node, diag *d)
{
	const graph_node *n = &g->nodes[node];
	int64_t room[64], *out = n->op->nodim <= 64 ? room : malloc(n->op->nodim * sizeof *out);
	bool ok = out && (is_recorded(n->op, n->symbols) ? n->op->propagate(n->symbols, out)
							 : rs_eval(n->op, n->symbols, out));
	if (!ok)
		diag_set(d, "node %u (%s): its rule rejects it", node, n->op->name);
	ok = ok && check_outputs(g, n, 0, out, d);
	if (out != room)
		free(out);
	return ok && check_assignments(g, node, d);
}

static bool check_node(const graph *g, uint32_t node, diag *d)
{
	const graph_node *n = &g->nodes[node];
	if (!n->live)
		return diag_set(d, "node %u: removed, but in the list", node);
	for (unsigned i = 0; i < n->op->nout; i++) {
		const graph_tensor *t = &g->tensors[n->outputs + i];
		if (t->producer != node || t->output != i || t->rank != n->op->out_ranks[i])
			return diag_set(
			    d, "node %u (%s): output %u is not its own", node, n->op->name, i);
	}
	if (!check_inputs(g, node, d))
		return false;
	return !n->op->valid || (g->near_miss && node == g->last) || check_rule(g, node, d);
}

bool graph_check(const graph *g, diag *d)
{
	uint32_t count = 0, previous = GRAPH_NONE;
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (g->tensors[i].live && !check_chain(g, i, d))
			return false;
	for (uint32_t i = g->first; i != GRAPH_NONE; previous = i, i = g->nodes[i].next, count++) {
		if (g->nodes[i].previous != previous
		    || (previous != GRAPH_NONE && g->nodes[previous].order >= g->nodes[i].order))
			return diag_set(d, "node %u: out of order", i);
		if (!check_node(g, i, d))
			return false;
	}
	if (count != g->live_nodes || previous != g->last)
		return diag_set(d, "%u nodes in the list, counted %u", count, g->live_nodes);
	return true;
}
