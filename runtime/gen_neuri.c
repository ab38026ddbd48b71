/* Hybrid concolic generation (NeuRI section 3.3).
 *
 * A model grows node by node. Each step draws an API, so that none dominates, and inserts one of
 * its operators:
 *
 *   forward    an existing tensor becomes an input, the node goes to the end
 *   backward   an input of the model becomes an output, the node goes before that input's first
 * user fresh      no tensor fits: all of its inputs are new inputs of the model
 *
 * By its rule, where it has one that can be trusted (symbolic), else by a stored record whose
 * shapes fit exactly (concrete). The model is concrete at all times.
 *
 * Symbolic insertion needs no solver. A trial starts from a stored record, in which everything is
 * valid; the shapes of the tensors to be connected overwrite some of its numbers, and the others
 * follow: a number that was equal to an overwritten one in all of the operator's records takes its
 * new value (a tie), then one that was equal in this record only. What the rule accepts is
 * inserted.
 *
 *   matmul's record  s = 2 3 | 3 4     a tensor [5,7] for the first input
 *   overwritten          5 7 | 3 4     s1 and s2 are equal in all records
 *   tied                 5 7 | 7 4     valid; out 5 4
 *
 * Then attributes and free dimensions are changed within what the records show, as long as the rule
 * accepts. Every loop has a constant bound, so that no seed can hang. */
#include "gen_neuri.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "gen_index.h"
#include "vary.h"

enum {
	DRAWS = 6,     /* APIs drawn before a node is inserted that can always be */
	TENSORS = 3,   /* tensors tried for an API */
	PLACES = 2,    /* operators tried for a tensor */
	RECORDS = 2,   /* records tried for an operator */
	RECENT = 8,    /* tensors that are preferred */
	SCAN = 8,      /* tensors looked at for an exact shape */
	REPAIRS = 3,   /* corrections of a backward trial */
	MUTATIONS = 3, /* at most, of one call */
	BUCKETS = (INDEX_RANK_MAX + 1) * RS_DTYPE_COUNT,
};

/* A call in the making. */
typedef struct trial {
	const index_op *o;
	const uint8_t *row;         /* dtypes of inputs and outputs */
	const int64_t *record;      /* where the numbers come from */
	int64_t v[INDEX_WIDTH_MAX]; /* symbols, then output dimensions */
	bool fixed[INDEX_WIDTH_MAX];
	uint16_t fixes[INDEX_WIDTH_MAX]; /* the places that are fixed */
	unsigned nfixes;
	uint32_t inputs[INDEX_TENSORS_MAX]; /* existing tensors, GRAPH_NONE: not decided */
	uint32_t before;                    /* the place of the node */
	uint32_t occupied;                  /* the model's input that an output is to replace */
	bool symbolic, mutated;
} trial;

typedef struct bucket {
	uint64_t model; /* stamp: of another model is empty */
	uint32_t head;
} bucket;

struct gen {
	gen_index index;
	uint32_t nodes_low, nodes_high;
	int64_t max_numel;
	gen_stats stats;
	const char **texts; /* scratch: the constants of a call */
	/* of the current model */
	graph *graph;
	rng rng;
	uint64_t model;   /* stamp */
	int64_t elements; /* of all tensors so far */
	int64_t limit;    /* elements a tensor now */
	int64_t budget;   /* elements a model */
	bool zero;        /* whether this step may make a tensor without elements */
	bool failed;      /* out of memory */
	bucket buckets[BUCKETS];
	uint32_t *links;  /* by tensor: the next older of its bucket */
	uint32_t *inputs; /* inputs of the model, */
	uint32_t *places; /* and where each stands there */
	uint32_t ninputs, room;
	trial trial;
};

static bool chance(gen *g, uint32_t one_in)
{
	return rng_below(&g->rng, one_in) == 0;
}

/* ---- the tensors of the model */

static uint32_t *bucket_head(gen *g, unsigned rank, unsigned dtype)
{
	bucket *b = &g->buckets[rank * RS_DTYPE_COUNT + dtype];
	if (b->model != g->model)
		*b = (bucket){g->model, GRAPH_NONE};
	return &b->head;
}

static bool make_room(gen *g)
{
	uint32_t want = g->graph->ctensors;
	if (g->room >= want)
		return true;
	uint32_t *links = realloc(g->links, want * sizeof *links);
	if (links)
		g->links = links;
	uint32_t *inputs = realloc(g->inputs, want * sizeof *inputs);
	if (inputs)
		g->inputs = inputs;
	uint32_t *places = realloc(g->places, want * sizeof *places);
	if (places)
		g->places = places;
	if (!links || !inputs || !places)
		return false;
	g->room = want;
	return true;
}

/* Makes a new tensor known to later steps. */
static void enrol(gen *g, uint32_t tensor)
{
	const graph_tensor *t = &g->graph->tensors[tensor];
	if (!make_room(g)) {
		g->failed = true;
		return;
	}
	uint32_t *head = bucket_head(g, t->rank, t->dtype);
	g->links[tensor] = *head;
	*head = tensor;
	if (t->producer == GRAPH_NONE) {
		g->places[tensor] = g->ninputs;
		g->inputs[g->ninputs++] = tensor;
	}
	g->elements += t->numel;
}

/* A tensor of the model: recent and unused ones more often. */
static uint32_t draw_tensor(gen *g)
{
	const graph *m = g->graph;
	uint32_t span = m->ntensors > RECENT && !chance(g, 4) ? RECENT : m->ntensors;
	uint32_t found = GRAPH_NONE;
	for (int i = 0; i < 3; i++) {
		uint32_t t = m->ntensors - 1 - rng_below(&g->rng, span);
		if (!m->tensors[t].live)
			continue;
		found = t;
		if (!m->tensors[t].nuses)
			break;
	}
	return found;
}

static bool has_shape(const graph_tensor *t, unsigned rank, const int64_t *shape)
{
	if (t->rank != rank)
		return false;
	for (unsigned i = 0; i < rank; i++)
		if (t->shape[i] != shape[i])
			return false;
	return true;
}

/* A tensor of exactly that type older than `end` that exists before the call; GRAPH_NONE: none. */
static uint32_t find_exact(
    gen *g, const trial *c, unsigned rank, const int64_t *shape, unsigned dtype, uint32_t end)
{
	uint32_t found = GRAPH_NONE, t = *bucket_head(g, rank, dtype);
	for (int i = 0; i < SCAN && t != GRAPH_NONE; i++, t = g->links[t]) {
		const graph_tensor *x = &g->graph->tensors[t];
		if (t < end && t != c->occupied && x->live && has_shape(x, rank, shape)
		    && graph_precedes(g->graph, t, c->before)) {
			if (found == GRAPH_NONE || !x->nuses)
				found = t;
			if (chance(g, 2))
				break;
		}
	}
	return found;
}

/* One of the newer tensors of a rank and dtype. */
static uint32_t draw_of_type(gen *g, unsigned rank, unsigned dtype)
{
	uint32_t found = GRAPH_NONE, t = *bucket_head(g, rank, dtype);
	for (int i = 0; i < SCAN && t != GRAPH_NONE; i++, t = g->links[t]) {
		if (!g->graph->tensors[t].live)
			continue;
		found = t;
		if (chance(g, 3))
			break;
	}
	return found;
}

/* ---- a trial */

static const int64_t *draw_record(gen *g, const index_op *o)
{
	bool zero = g->zero && o->nrecords > o->nfull;
	return index_record(o, zero ? o->nfull + rng_below(&g->rng, o->nrecords - o->nfull)
				    : rng_below(&g->rng, o->nfull));
}

static void begin(trial *t, const index_op *o, const uint8_t *row, const int64_t *record)
{
	t->o = o;
	t->row = row;
	t->record = record;
	t->before = t->occupied = GRAPH_NONE;
	t->symbolic = t->mutated = false;
	t->nfixes = 0;
	memcpy(t->v, record, o->width * sizeof *record);
	memset(t->fixed, 0, o->width * sizeof *t->fixed);
	for (unsigned i = 0; i < o->nin; i++)
		t->inputs[i] = GRAPH_NONE;
}

static void fix(trial *t, unsigned first, unsigned rank, const int64_t *shape)
{
	for (unsigned i = first; i < first + rank; i++) {
		t->v[i] = shape[i - first];
		if (!t->fixed[i])
			t->fixes[t->nfixes++] = (uint16_t)i;
		t->fixed[i] = true;
	}
}

static void fix_input(gen *g, trial *t, unsigned slot, uint32_t tensor)
{
	const graph_tensor *x = &g->graph->tensors[tensor];
	fix(t, t->o->inputs[slot].first, x->rank, x->shape);
	t->inputs[slot] = tensor;
}

/* The fixed number that another one follows: equal in the record, and in most of the others. */
static unsigned leader(const trial *t, unsigned j, bool strict)
{
	unsigned w = t->o->width, best = w, most = strict ? t->o->nrecords - 1u : 0;
	const uint8_t *ties = t->o->ties + (size_t)j * w;
	for (unsigned i = 0; i < t->nfixes; i++) {
		unsigned k = t->fixes[i];
		if (ties[k] > most && t->record[k] == t->record[j]) {
			most = ties[k];
			best = k;
		}
	}
	return best;
}

/* Numbers that are not fixed follow the fixed ones. */
static void follow(trial *t, bool strict)
{
	unsigned nsym = t->o->nsym;
	for (unsigned j = 0; j < nsym; j++) {
		if (t->fixed[j])
			continue;
		unsigned k = t->o->ties ? leader(t, j, strict) : t->o->width;
		t->v[j] = k < t->o->width ? t->v[k] : t->record[j];
	}
}

static bool size_allowed(const gen *g, unsigned rank, const int64_t *shape)
{
	int64_t n = bounded_numel(rank, shape, g->limit);
	return n <= g->limit && (n > 0 || g->zero);
}

static bool sizes_allowed(const gen *g, const trial *t)
{
	const index_op *o = t->o;
	const int64_t *out = t->v + o->nsym;
	for (unsigned i = 0; i < o->nout; out += o->out_ranks[i], i++)
		if (!size_allowed(g, o->out_ranks[i], out))
			return false;
	for (unsigned i = 0; i < o->nin; i++)
		if (t->inputs[i] == GRAPH_NONE
		    && !size_allowed(g, o->inputs[i].rank, t->v + o->inputs[i].first))
			return false;
	return true;
}

/* Whether the rule accepts the symbols; then the output dimensions stand behind them. As rs_eval,
 * whose check for negative dimensions is among that of the sizes. */
static bool accepted(const gen *g, trial *t)
{
	return t->o->valid(t->v) && t->o->propagate(t->v, t->v + t->o->nsym) && sizes_allowed(g, t);
}

static bool solve(const gen *g, trial *t)
{
	follow(t, true);
	if (accepted(g, t))
		return true;
	follow(t, false);
	return accepted(g, t);
}

/* ---- mutation */

static bool tied_to_fixed(const trial *t, unsigned symbol)
{
	const index_op *o = t->o;
	for (unsigned j = 0; j < o->nsym; j++)
		if (t->fixed[j] && o->ties && o->ties[(size_t)symbol * o->width + j] == o->nrecords)
			return true;
	return false;
}

static void mutate_once(gen *g, trial *t)
{
	unsigned nsym = t->o->nsym, symbol = rng_below(&g->rng, nsym);
	if (t->fixed[symbol] || tied_to_fixed(t, symbol))
		return;
	int64_t saved[INDEX_WIDTH_MAX], value = vary_value(t->o, symbol, &g->rng);
	if (value == t->v[symbol])
		return;
	memcpy(saved, t->v, t->o->width * sizeof *saved);
	vary_tied(t->o, symbol, value, t->fixed, t->v);
	if (accepted(g, t))
		t->mutated = true;
	else
		memcpy(t->v, saved, t->o->width * sizeof *saved);
}

/* Only forward: a backward trial's outputs are given. */
static void mutate(gen *g, trial *t)
{
	if (!t->o->nsym)
		return;
	for (uint32_t n = rng_below(&g->rng, MUTATIONS + 1); n; n--)
		mutate_once(g, t);
}

/* ---- insertion */

static void draw_texts(gen *g, const rs_op *op)
{
	unsigned n = 0;
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		if (v->kind == RS_CONST)
			g->texts[n++] = v->count
					    ? op->floats[v->first + rng_below(&g->rng, v->count)]
					    : v->text;
	}
}

/* Existing tensors or new inputs for what is not decided yet. */
static void complete_inputs(gen *g, trial *t)
{
	uint32_t end = g->graph->ntensors;
	for (unsigned i = 0; i < t->o->nin && !g->failed; i++) {
		if (t->inputs[i] != GRAPH_NONE)
			continue;
		unsigned rank = t->o->inputs[i].rank;
		const int64_t *shape = t->v + t->o->inputs[i].first;
		if (!t->o->delicate && !chance(g, 8))
			t->inputs[i] = find_exact(g, t, rank, shape, t->row[i], end);
		if (t->inputs[i] == GRAPH_NONE) {
			t->inputs[i] = graph_input(g->graph, rank, shape, t->row[i]);
			if (t->inputs[i] == GRAPH_NONE)
				g->failed = true;
			else if (t->o->delicate) /* not enrolled: no other call may come before it */
				g->elements += g->graph->tensors[t->inputs[i]].numel;
			else
				enrol(g, t->inputs[i]);
		}
	}
}

/* Inserts the call. Returns its node, GRAPH_NONE when out of memory (g->failed). */
static uint32_t commit(gen *g, trial *t)
{
	const rs_op *op = t->o->op;
	complete_inputs(g, t);
	if (g->failed)
		return GRAPH_NONE;
	graph_call call = {.op = op,
	    .symbols = t->v,
	    .inputs = t->inputs,
	    .out = t->v + op->nsym,
	    .out_dtypes = t->row + op->nin};
	if (t->o->nconsts) {
		draw_texts(g, op);
		call.consts = g->texts;
	}
	uint32_t node = graph_insert(g->graph, &call, t->before);
	if (node == GRAPH_NONE) {
		g->failed = true;
		return node;
	}
	for (unsigned i = 0; i < op->nout && !g->failed; i++)
		enrol(g, g->graph->nodes[node].outputs + i);
	*(t->symbolic ? &g->stats.symbolic : &g->stats.concrete) += 1;
	g->stats.mutated += t->mutated;
	return node;
}

/* ---- forward */

/* Other inputs from existing tensors, some of them. */
static bool fix_others(gen *g, trial *t)
{
	bool any = false;
	for (unsigned i = 0; i < t->o->nin; i++) {
		if (t->inputs[i] != GRAPH_NONE || chance(g, 3))
			continue;
		uint32_t x = draw_of_type(g, t->o->inputs[i].rank, t->row[i]);
		if (x != GRAPH_NONE) {
			fix_input(g, t, i, x);
			any = true;
		}
	}
	return any;
}

static bool forward_symbolic(gen *g, const index_place *p, uint32_t tensor)
{
	trial *t = &g->trial;
	const index_op *o = &g->index.ops[p->op];
	const uint8_t *row = index_row(o, p->what);
	const graph_tensor *x = &g->graph->tensors[tensor];
	if (o->delicate || o->inputs[p->slot].rank != x->rank || row[p->slot] != x->dtype)
		return false;
	for (int i = 0; i < RECORDS; i++) {
		begin(t, o, row, draw_record(g, o));
		fix_input(g, t, p->slot, tensor);
		bool solved = o->nin > 1 && fix_others(g, t) && solve(g, t);
		if (!solved && o->nin > 1) {
			begin(t, o, row, t->record);
			fix_input(g, t, p->slot, tensor);
		}
		if (!solved && !solve(g, t))
			continue;
		t->symbolic = true;
		mutate(g, t);
		return commit(g, t) != GRAPH_NONE;
	}
	return false;
}

/* A dtype row with this dtype at a place; NULL: none. */
static const uint8_t *draw_row(gen *g, const index_op *o, unsigned place, unsigned dtype)
{
	uint32_t start = rng_below(&g->rng, o->nrows);
	for (unsigned i = 0; i < o->nrows; i++) {
		const uint8_t *row = index_row(o, (start + i) % o->nrows);
		if (row[place] == dtype)
			return row;
	}
	return NULL;
}

static bool forward_concrete(gen *g, const index_place *p, uint32_t tensor)
{
	trial *t = &g->trial;
	const index_op *o = &g->index.ops[p->op];
	const graph_tensor *x = &g->graph->tensors[tensor];
	const uint8_t *row = p->slot < o->nin ? draw_row(g, o, p->slot, x->dtype) : NULL;
	if (!row || o->delicate
	    || !has_shape(
		x, o->inputs[p->slot].rank, index_record(o, p->what) + o->inputs[p->slot].first))
		return false;
	begin(t, o, row, index_record(o, p->what));
	t->inputs[p->slot] = tensor;
	return sizes_allowed(g, t) && commit(g, t) != GRAPH_NONE;
}

typedef bool insert_fn(gen *g, const index_place *p, uint32_t tensor);

static bool try_places(
    gen *g, const index_place *p, uint32_t count, uint32_t tensor, insert_fn *insert)
{
	for (uint32_t i = 0; i < PLACES && i < count && !g->failed; i++)
		if (insert(g, p + rng_below(&g->rng, count), tensor))
			return true;
	return false;
}

static bool forward(gen *g, uint32_t api)
{
	for (int i = 0; i < TENSORS && !g->failed; i++) {
		uint32_t count, tensor = draw_tensor(g);
		if (tensor == GRAPH_NONE)
			continue;
		unsigned rank = g->graph->tensors[tensor].rank,
			 dtype = g->graph->tensors[tensor].dtype;
		const index_place *p =
		    gen_index_type(&g->index, INDEX_INPUT, api, rank, dtype, &count);
		if (try_places(g, p, count, tensor, forward_symbolic))
			return true;
		p = gen_index_shape(&g->index, INDEX_RECORD_INPUT, api, rank,
		    g->graph->tensors[tensor].shape, &count);
		if (try_places(g, p, count, tensor, forward_concrete))
			return true;
	}
	return false;
}

/* ---- backward */

static unsigned output_place(const index_op *o, unsigned slot)
{
	unsigned at = o->nsym;
	for (unsigned i = 0; i < slot; i++)
		at += o->out_ranks[i];
	return at;
}

/* Corrects the first input that has the output's rank by how far the output is off. */
static bool repair(gen *g, trial *t, unsigned place, const graph_tensor *want)
{
	const index_op *o = t->o;
	unsigned first = 0, i = 0;
	while (i < o->nin && o->inputs[i].rank != want->rank)
		i++;
	if (i == o->nin)
		return false;
	first = o->inputs[i].first;
	for (unsigned d = 0; d < want->rank; d++) {
		int64_t off = want->shape[d] - t->v[place + d];
		if (off > g->limit || off < -g->limit)
			return false;
		t->v[first + d] += off;
	}
	return accepted(g, t);
}

static bool solve_backward(gen *g, trial *t, unsigned place, const graph_tensor *want)
{
	for (int strict = 1; strict >= 0; strict--) {
		follow(t, strict);
		bool ok = accepted(g, t);
		for (int i = 0; ok && i <= REPAIRS; i++) {
			if (memcmp(t->v + place, want->shape, want->rank * sizeof *want->shape)
			    == 0)
				return true;
			ok = i < REPAIRS && repair(g, t, place, want);
		}
		fix(t, place, want->rank, want->shape); /* the rule has overwritten it */
	}
	return false;
}

/* The node's output takes the place of a model's input. */
static bool occupy(gen *g, trial *t, unsigned slot, uint32_t input)
{
	t->before = graph_first_user(g->graph, input);
	t->occupied = input;
	uint32_t node = commit(g, t);
	if (node == GRAPH_NONE)
		return false;
	graph_replace_alluse(g->graph, input, g->graph->nodes[node].outputs + slot);
	graph_remove_input(g->graph, input);
	g->elements -= g->graph->tensors[input].numel;
	uint32_t last = g->inputs[--g->ninputs];
	g->inputs[g->places[input]] = last;
	g->places[last] = g->places[input];
	return true;
}

static bool backward_symbolic(gen *g, const index_place *p, uint32_t tensor)
{
	trial *t = &g->trial;
	const index_op *o = &g->index.ops[p->op];
	const uint8_t *row = index_row(o, p->what);
	const graph_tensor *x = &g->graph->tensors[tensor];
	if (o->out_ranks[p->slot] != x->rank || row[o->nin + p->slot] != x->dtype)
		return false;
	unsigned place = output_place(o, p->slot);
	for (int i = 0; i < RECORDS; i++) {
		begin(t, o, row, draw_record(g, o));
		fix(t, place, x->rank, x->shape);
		if (!solve_backward(g, t, place, x))
			continue;
		t->symbolic = true;
		return occupy(g, t, p->slot, tensor);
	}
	return false;
}

static bool backward_concrete(gen *g, const index_place *p, uint32_t tensor)
{
	trial *t = &g->trial;
	const index_op *o = &g->index.ops[p->op];
	const graph_tensor *x = &g->graph->tensors[tensor];
	if (p->slot >= o->nout)
		return false;
	const uint8_t *row = draw_row(g, o, o->nin + p->slot, x->dtype);
	const int64_t *record = index_record(o, p->what);
	if (!row || !has_shape(x, o->out_ranks[p->slot], record + output_place(o, p->slot)))
		return false;
	begin(t, o, row, record);
	return sizes_allowed(g, t) && occupy(g, t, p->slot, tensor);
}

static bool backward(gen *g, uint32_t api)
{
	for (int i = 0; i < TENSORS && g->ninputs && !g->failed; i++) {
		uint32_t count, tensor = g->inputs[rng_below(&g->rng, g->ninputs)];
		unsigned rank = g->graph->tensors[tensor].rank,
			 dtype = g->graph->tensors[tensor].dtype;
		const index_place *p =
		    gen_index_type(&g->index, INDEX_OUTPUT, api, rank, dtype, &count);
		if (try_places(g, p, count, tensor, backward_symbolic))
			return true;
		p = gen_index_shape(&g->index, INDEX_RECORD_OUTPUT, api, rank,
		    g->graph->tensors[tensor].shape, &count);
		if (try_places(g, p, count, tensor, backward_concrete))
			return true;
	}
	return false;
}

/* ---- fresh */

static bool insert_record(gen *g, const index_op *o, const int64_t *record)
{
	trial *t = &g->trial;
	begin(t, o, index_row(o, rng_below(&g->rng, o->nrows)), record);
	if (!sizes_allowed(g, t))
		return false;
	if (o->symbolic && accepted(g, t)) {
		t->symbolic = true;
		mutate(g, t);
	} else {
		memcpy(t->v, record, o->width * sizeof *record);
	}
	return commit(g, t) != GRAPH_NONE;
}

static bool fresh(gen *g, uint32_t api)
{
	const index_api *a = &g->index.apis[api];
	const index_op *o = &g->index.ops[a->first + rng_below(&g->rng, a->count)];
	return insert_record(g, o, draw_record(g, o));
}

/* What can always be inserted: a small record, whatever the limits say. */
static bool last_resort(gen *g)
{
	const index_op *o = &g->index.ops[g->index.cheap[rng_below(&g->rng, g->index.ncheap)]];
	trial *t = &g->trial;
	begin(t, o, index_row(o, rng_below(&g->rng, o->nrows)), index_record(o, o->small));
	return commit(g, t) != GRAPH_NONE;
}

/* ---- models */

static bool connect(gen *g, uint32_t api)
{
	bool back = g->ninputs && chance(g, 2);
	for (int i = 0; i < 2 && !g->failed; i++, back = !back)
		if (back ? backward(g, api) : forward(g, api)) {
			*(back ? &g->stats.backward : &g->stats.forward) += 1;
			return true;
		}
	return false;
}

static bool step(gen *g)
{
	int64_t left = g->budget - g->elements, share = left / 8 > 64 ? left / 8 : 64;
	g->limit = share < g->max_numel ? share : g->max_numel;
	g->zero = chance(g, 32);
	for (int i = 0; i < DRAWS && !g->failed; i++) {
		uint32_t api = rng_below(&g->rng, g->index.napis);
		if (g->graph->live_nodes && connect(g, api))
			return true;
		if ((!g->graph->live_nodes || chance(g, 4)) && fresh(g, api)) {
			g->stats.fresh++;
			return true;
		}
	}
	g->stats.fresh++;
	return !g->failed && last_resort(g);
}

static rng model_rng(uint64_t seed, uint64_t index)
{
	uint64_t state = seed;
	state = rng_mix(&state) ^ index * 0xd1342543de82ef95u;
	return rng_seed(rng_mix(&state));
}

bool rs_gen_model(rs_gen *g, uint64_t seed, uint64_t index, rs_graph *out)
{
	graph_reset(out);
	g->graph = out;
	g->rng = model_rng(seed, index);
	g->model++;
	g->elements = g->ninputs = 0;
	g->failed = false;
	uint32_t nodes = g->nodes_low + rng_below(&g->rng, g->nodes_high - g->nodes_low + 1);
	g->budget = g->max_numel * 64 + (int64_t)nodes * 1024;
	out->framework = g->index.table->framework;
	out->seed = seed, out->index = index;
	out->values = rng_next(&g->rng) >> 33;
	for (uint32_t i = 0; i < nodes; i++)
		if (!step(g))
			return false;
	graph_keep_unused(out);
	graph_number(out);
	g->stats.models++;
	g->stats.nodes += nodes;
	return true;
}

/* ---- create, destroy */

static rs_gen *refuse(rs_gen *g, char *message, size_t size, const char *why)
{
	if (size)
		snprintf(message, size, "%s", why);
	rs_gen_free(g);
	return NULL;
}

rs_gen *rs_gen_new(const rs_table *table, const rs_gen_options *options, char *message, size_t size)
{
	diag d = {""};
	uint32_t low = options->nodes_low, high = options->nodes_high;
	if (options->strategy != RS_NEURI)
		return refuse(NULL, message, size, "only the strategy neuri is built so far");
	if (high < low)
		return refuse(NULL, message, size, "more nodes at least than at most");
	rs_gen *g = calloc(1, sizeof *g);
	if (!g)
		return refuse(g, message, size, "out of memory");
	g->nodes_low = high ? low : 5;
	g->nodes_high = high ? high : 5;
	g->max_numel = options->max_numel > 0 ? options->max_numel : 65536;
	if (!gen_index_build(&g->index, table, options->api, g->max_numel, &d))
		return refuse(g, message, size, d.text);
	g->texts = malloc((g->index.max_values + (size_t)1) * sizeof *g->texts);
	return g->texts ? g : refuse(g, message, size, "out of memory");
}

void rs_gen_free(rs_gen *g)
{
	if (!g)
		return;
	gen_index_free(&g->index);
	free(g->texts);
	free(g->links);
	free(g->inputs);
	free(g->places);
	free(g);
}

gen_stats gen_get_stats(const rs_gen *g)
{
	return g->stats;
}

gen_scope gen_get_scope(const rs_gen *g)
{
	return g->index.scope;
}
