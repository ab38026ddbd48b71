/* Graph-based generation (graph-fuzz, section III).
 *
 *   topology     n blocks as a directed acyclic graph, WS or RN; GEA and GER change its edges
 *   chooser      a path of the search tree: blocks that the model must hold, and that others prefer
 *   blocks       node by node: one whose inputs suit the predecessors; BNA, BNR change subgraphs
 *   calls        the predecessors' tensors into the call's inputs, by the rules:
 *                  direct      the rule accepts them as they are
 *                  converted   a call that makes, of a tensor, exactly what an input wants
 *                  aggregated  a call of two tensors that gives one, where there are too many
 *                  dropped     else; what is not fed is a new input of the model
 *   coverage     what the model added (olc.h); back to the tree
 *
 * Converters and aggregators are any operators whose dtype rows and rules fit: none is known by
 * name. Where a choice is free, it goes to what the coverage lacks: an edge, a degree, a vector.
 *
 * So a model depends on those before it, back to where its run began. A run is RUN models of one
 * seed; who asks for another model than the next gets the ones before it made again, which bounds
 * the work and keeps the promise that seed and index decide. Decisions are made in integers. */
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "gen.h"
#include "mcts.h"
#include "mutate.h"
#include "olc.h"
#include "topology.h"

enum {
	RUN = 4096,	   /* models after which coverage and tree begin anew */
	TC1 = 10,	   /* levels of the tree */
	CHILDREN = 3,
	MAXSPC = 200,
	FEEDS_MAX = 8,	   /* predecessors of a block that are looked at */
	BLOCKS_TRIED = 48, /* of the corpus, where it is larger */
	BLOCKS_KEPT = 8,   /* of which the best are tried */
	CALLS_TRIED = 3,   /* operators and dtype rows of an API */
	HELPERS_TRIED = 4, /* converters or aggregators */
	HELPERS_SEEN = 12, /* of which the best are tried */
	PATIENCE = 4,	   /* calls without a new successor that halve the hope of one */
	AIMS = 8,	   /* records that a call is aimed at */
	REDRAWS = 4,	   /* for shapes and parameters that are new */
	SHAPES = 5,	   /* input shapes without TSM (section V.C) */
	BASE = 8,	   /* rank of the shape that inputs share */
	TYPES = GEN_BUCKETS,
	NOT_YET = OLC_DEGREES, /* an out-degree that counts as none */
	NONE = UINT32_MAX,
};

/* An operator with a dtype row that takes a type at an input and gives a type at output 0. */
typedef struct way {
	uint32_t key; /* input type * TYPES + output type */
	uint32_t op;
	uint16_t row, slot;
} way;

/* A call that could be inserted. */
typedef struct prepared {
	uint64_t gain; /* 0: nothing is prepared */
	uint32_t fed;  /* bits */
	trial trial;
} prepared;

typedef struct graphing {
	corpus corpus;
	olc cover;
	mcts tree;
	topology topo;
	mutation mutation;
	bool steer, mutate;	/* options */
	uint8_t models;		/* enum rs_topology */
	uint32_t words;		/* of a set of APIs */
	uint64_t *takers;	/* [TYPES][RS_VALUES_COUNT][words]: APIs that take a type by a rule */
	uint32_t *api_of;	/* by operator of the table; NONE: takes no part */
	bool *recorded;		/* [apis]: some of its operators have records only */
	uint32_t *shy;		/* nshy APIs with operators that have records only */
	uint32_t nshy;
	uint32_t *misses;	/* [apis]: calls that were used since one got a new successor */
	uint32_t *reach;	/* [apis]: vectors that can be had: all, or what records hold */
	way *ways;		/* sorted by key */
	uint32_t nways;
	uint32_t *exits; /* by block of the model: its last node */
	uint32_t room;
	uint32_t path[MCTS_LEVELS_MAX]; /* blocks, the newest first */
	unsigned npath;
	int64_t base[BASE]; /* the shape that the model's inputs share */
	prepared best; /* scratch */
	/* the run */
	graph *again; /* models that are made once more */
	uint64_t seed, next;
	bool running;
	bool grew; /* the coverage, by the current model */
} graphing;

static graphing *own(const gen *g)
{
	return g->own;
}

/* ---- types, edges */

static uint32_t type_of(unsigned rank, unsigned dtype)
{
	return rank * RS_DTYPE_COUNT + dtype;
}

static uint32_t type_of_tensor(const gen *g, uint32_t tensor)
{
	return type_of(gen_tensor(g, tensor)->rank, gen_tensor(g, tensor)->dtype);
}

static uint32_t api_of_node(const gen *g, uint32_t node)
{
	return own(g)->api_of[g->graph->nodes[node].op - g->index.table->ops];
}

/* The API that made a tensor; NONE: an input of the model. */
static uint32_t maker(const gen *g, uint32_t tensor)
{
	uint32_t node = gen_tensor(g, tensor)->producer;
	return node == GRAPH_NONE ? NONE : api_of_node(g, node);
}

static uint32_t node_uses(const graph *m, uint32_t node)
{
	uint32_t sum = 0;
	for (unsigned i = 0; i < m->nodes[node].op->nout; i++)
		sum += m->tensors[m->nodes[node].outputs + i].nuses;
	return sum;
}

/* The APIs that take a type with elements of a class, by a rule. */
static uint64_t *takers_of(const graphing *w, uint32_t type, unsigned class)
{
	return w->takers + ((size_t)type * RS_VALUES_COUNT + class) * w->words;
}

/* Whether an API may take a tensor: by a rule for its type, or by a record of its very shape. */
static bool may_take(const gen *g, uint32_t api, uint32_t tensor)
{
	const graphing *w = own(g);
	const graph_tensor *x = gen_tensor(g, tensor);
	uint32_t count;
	if (takers_of(w, type_of_tensor(g, tensor), x->values)[api / 64] >> (api % 64) & 1)
		return true;
	if (!w->recorded[api])
		return false;
	gen_index_shape(&g->index, INDEX_RECORD_INPUT, api, x->rank, x->shape, &count);
	return count;
}

static bool has_edge(const gen *g, uint32_t from, uint32_t to)
{
	return from == NONE || olc_has_edge(&own(g)->cover, from, to);
}

/* ---- worth */

/* APIs that take a type and have not followed this one yet. */
static uint32_t prospects(const gen *g, uint32_t api, uint32_t type, unsigned class)
{
	const graphing *w = own(g);
	const uint64_t *takes = takers_of(w, type, class),
		       *seen = w->cover.edges + (size_t)api * w->words;
	uint32_t n = 0;
	for (uint32_t i = 0; i < w->words; i++)
		n += (uint32_t)__builtin_popcountll(takes[i] & ~seen[i]);
	return n;
}

/* What new successors are worth that a call of so many users may get; the less, the longer its API got
 * none: some of those whose type fits cannot be had. */
static uint64_t worth_prospects(const gen *g, uint32_t api, uint32_t n, uint32_t uses)
{
	const graphing *w = own(g);
	uint64_t worth = (uint64_t)olc_worth_edge(&w->cover) * (n < uses ? n : uses) / 2;
	return worth * PATIENCE / (PATIENCE + w->misses[api]);
}

static uint32_t most_prospects_of(
    const gen *g, const index_op *o, const uint8_t *row, unsigned class)
{
	uint32_t most = 0;
	for (unsigned i = 0; i < o->nout; i++) {
		uint32_t n = prospects(g, o->api, type_of(o->out_ranks[i], row[o->nin + i]), class);
		most = n > most ? n : most;
	}
	return most;
}

/* Whether a call of an API may still have new shapes and parameters. */
static uint32_t worth_vector(const gen *g, uint32_t api)
{
	const graphing *w = own(g);
	return w->cover.types[api].vectors < w->reach[api] ? olc_worth_vector(&w->cover, api) : 0;
}

static uint32_t worth_call(const gen *g, const index_op *o)
{
	return olc_worth_in(&own(g)->cover, o->api, o->nin)
	       + (o->symbolic ? worth_vector(g, o->api) : worth_vector(g, o->api) / 4);
}

static uint32_t worth_edge(const gen *g, uint32_t from, uint32_t to)
{
	return has_edge(g, from, to) ? 0 : olc_worth_edge(&own(g)->cover);
}

/* A hash of an operator's symbols: its shapes and parameters but for those that are no integers. */
static uint64_t vector_of(const gen *g, const rs_op *op, const int64_t *v)
{
	uint64_t h = (uint64_t)(op - g->index.table->ops);
	for (unsigned i = 0; i < op->nsym; i++) {
		h = (h ^ (uint64_t)v[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h;
}

/* ---- counting */

static uint64_t node_vector(const gen *g, const graph_node *n)
{
	uint64_t h = vector_of(g, n->op, n->symbols);
	unsigned constant = 0;
	for (unsigned i = 0; n->consts && i < n->op->nvalues; i++)
		if (n->op->values[i].kind == RS_CONST)
			for (const char *p = n->consts[constant++]; *p; p++)
				h = (h ^ (uint8_t)*p) * 0x100000001b3u;
	return h;
}

/* Out-degrees are known at the end of a model only. */
static void count_node(gen *g, uint32_t node, uint32_t uses)
{
	graphing *w = own(g);
	const graph_node *n = &g->graph->nodes[node];
	w->grew |= olc_add_node(&w->cover, api_of_node(g, node), n->op->nin, uses, node_vector(g, n));
}

static void count_edges(gen *g, uint32_t node)
{
	graphing *w = own(g);
	const graph_node *n = &g->graph->nodes[node];
	for (unsigned i = 0; i < n->op->nin; i++) {
		uint32_t from = maker(g, graph_node_input(g->graph, n, i));
		if (from == NONE)
			continue;
		w->misses[from]++;
		if (olc_add_edge(&w->cover, from, api_of_node(g, node))) {
			w->misses[from] = 0;
			w->grew = true;
		}
	}
}

/* Inserts a call and counts it at once, so that the next one does not add the same. Returns its node,
 * GRAPH_NONE when out of memory. */
static uint32_t commit(gen *g, trial *t)
{
	uint32_t node = gen_commit(g, t);
	if (node == GRAPH_NONE)
		return node;
	count_node(g, node, NOT_YET);
	count_edges(g, node);
	return node;
}

/* ---- shapes and parameters of a trial */

/* The shape that the model's inputs share, from its end: those of rank 2 have its last two dimensions.
 * Equal shapes meet again in calls of two tensors. One of a few without TSM (section V.C). */
static void draw_base(gen *g)
{
	static const uint8_t PLAIN[SHAPES][4] = {
	    {1, 8, 8, 3}, {2, 4, 4, 2}, {4, 6, 5, 4}, {1, 7, 7, 1}, {3, 5, 6, 2}};
	static const uint8_t MOST[BASE] = {1, 1, 2, 4, 8, 8, 12, 16};
	graphing *w = own(g);
	const uint8_t *plain = PLAIN[rng_below(&g->rng, SHAPES)];
	for (unsigned i = 0; i < BASE; i++)
		w->base[i] = w->mutation.tsm ? rng_range(&g->rng, g->box.low, MOST[i])
			     : i < BASE - 4  ? 1
					     : plain[i - (BASE - 4)];
}

static void set_known(trial *t, unsigned slot, const int64_t *shape)
{
	const index_input *x = &t->o->inputs[slot];
	memcpy(t->v + x->first, shape, x->rank * sizeof *shape);
	memset(t->known + x->first, 1, x->rank);
}

static void set_unknown(trial *t, unsigned slot)
{
	memset(t->known + t->o->inputs[slot].first, 0, t->o->inputs[slot].rank);
}

/* Numbers for a call none of whose inputs is fed. */
static bool sample_source(gen *g, trial *t)
{
	const graphing *w = own(g);
	if (!t->o->nin || t->o->inputs[0].rank > BASE || (w->mutation.tsm && gen_chance(g, 4)))
		return gen_sample(g, t);
	set_known(t, 0, w->base + BASE - t->o->inputs[0].rank);
	bool ok = gen_sample(g, t);
	set_unknown(t, 0);
	return ok || gen_sample(g, t);
}

/* Numbers for a call that is fed. "The padding of these operators is calculated to keep the shapes of
 * input and output consistent" (section III.G): where that can be, mostly. */
static bool sample_fed(gen *g, trial *t, unsigned slot)
{
	const index_input *x = &t->o->inputs[slot];
	if (x->rank != t->o->out_ranks[0] || gen_chance(g, 3))
		return gen_sample(g, t);
	int64_t saved[INDEX_WIDTH_MAX], shape[INDEX_RANK_MAX];
	memcpy(saved, t->v, t->o->nsym * sizeof *saved);
	memcpy(shape, t->v + x->first, x->rank * sizeof *shape);
	if (gen_sample_back(g, t, 0, shape))
		return true;
	memcpy(t->v, saved, t->o->nsym * sizeof *saved);
	return gen_sample(g, t);
}

/* PM, and TSM for what is not fed: draws numbers again until their vector is new. */
static void redraw(gen *g, trial *t, bool fed)
{
	graphing *w = own(g);
	int64_t saved[INDEX_WIDTH_MAX];
	size_t size = t->o->width * sizeof *saved;
	if (!w->steer || !(fed ? w->mutation.pm : w->mutation.tsm) || !t->o->nsym)
		return;
	memcpy(saved, t->v, size);
	for (int i = 0; i < REDRAWS
			&& olc_has_vector(&w->cover, t->o->api, vector_of(g, t->o->op, t->v));
	    i++)
		if (gen_sample(g, t))
			memcpy(saved, t->v, size);
		else
			memcpy(t->v, saved, size);
}

/* ---- converters and aggregators */

/* The first way whose key is not less. */
static uint32_t find_way(const graphing *w, uint32_t key)
{
	uint32_t low = 0, high = w->nways;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (w->ways[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

typedef struct helper {
	const way *way;
	uint32_t worth;
} helper;

static void insert_helper(helper *list, unsigned *n, helper h)
{
	unsigned i = *n < HELPERS_TRIED ? (*n)++ : HELPERS_TRIED - 1;
	if (i == HELPERS_TRIED - 1 && list[i].way && list[i].worth >= h.worth)
		return;
	for (; i && list[i - 1].worth < h.worth; i--)
		list[i] = list[i - 1];
	list[i] = h;
}

/* Of HELPERS_SEEN ways from one type to another, the best few, best first; with `two` inputs. */
static unsigned draw_helpers(
    gen *g, uint32_t tensor, uint32_t from, uint32_t to, bool two, helper list[HELPERS_TRIED])
{
	graphing *w = own(g);
	uint32_t first = find_way(w, from * TYPES + to), end = find_way(w, from * TYPES + to + 1);
	unsigned n = 0;
	memset(list, 0, HELPERS_TRIED * sizeof *list);
	for (int i = 0; i < HELPERS_SEEN && first < end; i++) {
		const way *x = &w->ways[first + rng_below(&g->rng, end - first)];
		const index_op *o = &g->index.ops[x->op];
		if (two && o->nin < 2)
			continue;
		uint32_t worth = 1 + rng_below(&g->rng, 256);
		if (w->steer)
			worth += worth_edge(g, maker(g, tensor), o->api) + worth_call(g, o);
		insert_helper(list, &n, (helper){x, worth});
	}
	return n;
}

/* A call that takes the tensor and gives elements of a class. False: it cannot. */
static bool begin_helper(gen *g, trial *t, const helper *h, uint32_t tensor, uint8_t class)
{
	const index_op *o = &g->index.ops[h->way->op];
	trial_begin(t, o, index_row(o, h->way->row));
	t->reuse = 0;
	if (!gen_hold(g, t, class) || !gen_may_take(g, t, h->way->slot, tensor))
		return false;
	trial_fix_input(g, t, h->way->slot, tensor);
	return true;
}

/* The first output of a committed trial; GRAPH_NONE: none. */
static uint32_t output_of(gen *g, uint32_t node)
{
	return node == GRAPH_NONE ? GRAPH_NONE : g->graph->nodes[node].outputs;
}

/* Numbers for a helper's call that are new, if a few draws find such. */
static bool sample_helper(gen *g, trial *t, const int64_t *shape)
{
	const graphing *w = own(g);
	bool ok = false;
	for (int i = 0; i < REDRAWS / 2; i++) {
		ok = gen_sample_back(g, t, 0, shape);
		if (!ok || !olc_has_vector(&w->cover, t->o->api, vector_of(g, t->o->op, t->v)))
			break;
	}
	return ok;
}

/* Feeds an input by a call whose output has the shape that the trial has now. */
static bool feed_fitted(gen *g, trial *t, unsigned slot, uint32_t tensor)
{
	helper list[HELPERS_TRIED];
	trial c;
	const index_input *in = &t->o->inputs[slot];
	unsigned n = draw_helpers(g, tensor, type_of_tensor(g, tensor),
	    type_of(in->rank, t->row[slot]), false, list);
	for (unsigned i = 0; i < n; i++) {
		if (!begin_helper(g, &c, &list[i], tensor, gen_accepts(g, t, slot))
		    || !sample_helper(g, &c, t->v + in->first))
			continue;
		uint32_t made = output_of(g, commit(g, &c));
		if (made != GRAPH_NONE)
			trial_fix_input(g, t, slot, made);
		return made != GRAPH_NONE;
	}
	return false;
}

/* A second tensor for one of a trial's open inputs, where the rule accepts it. */
static bool feed_directly(gen *g, trial *t, uint32_t tensor)
{
	const graph_tensor *x = gen_tensor(g, tensor);
	int64_t saved[INDEX_WIDTH_MAX];
	unsigned nin = t->o->nin, start = nin ? rng_below(&g->rng, nin) : 0;
	memcpy(saved, t->v, t->o->width * sizeof *saved);
	for (unsigned i = 0; i < nin; i++) {
		unsigned slot = (start + i) % nin;
		const index_input *in = &t->o->inputs[slot];
		if (t->inputs[slot] != GRAPH_NONE || in->rank != x->rank || t->row[slot] != x->dtype
		    || !gen_may_take(g, t, slot, tensor))
			continue;
		trial_fix_input(g, t, slot, tensor);
		if (sample_fed(g, t, slot))
			return true;
		memcpy(t->v, saved, t->o->width * sizeof *saved);
		set_unknown(t, slot);
		t->inputs[slot] = GRAPH_NONE;
	}
	return false;
}

/* By a call whose output the trial's rule accepts, whatever its shape. */
static bool feed_through(gen *g, trial *t, unsigned slot, uint32_t tensor)
{
	helper list[HELPERS_TRIED];
	trial c;
	const index_input *in = &t->o->inputs[slot];
	int64_t saved[INDEX_WIDTH_MAX];
	unsigned n = draw_helpers(g, tensor, type_of_tensor(g, tensor),
	    type_of(in->rank, t->row[slot]), false, list);
	memcpy(saved, t->v, t->o->width * sizeof *saved);
	for (unsigned i = 0; i < n; i++) {
		if (!begin_helper(g, &c, &list[i], tensor, gen_accepts(g, t, slot))
		    || !sample_fed(g, &c, list[i].way->slot))
			continue;
		set_known(t, slot, c.v + c.o->nsym);
		if (gen_sample(g, t)) {
			t->inputs[slot] = output_of(g, commit(g, &c));
			return t->inputs[slot] != GRAPH_NONE;
		}
		memcpy(t->v, saved, t->o->width * sizeof *saved);
		set_unknown(t, slot);
	}
	return false;
}

/* Another tensor by conversion, into any of the open inputs. */
static bool feed_converted(gen *g, trial *t, uint32_t tensor)
{
	unsigned nin = t->o->nin, start = nin ? rng_below(&g->rng, nin) : 0;
	for (int through = 0; through < 2; through++)
		for (unsigned i = 0; i < nin && !g->failed; i++) {
			unsigned slot = (start + i) % nin;
			if (t->inputs[slot] != GRAPH_NONE || t->o->inputs[slot].ranged)
				continue;
			if (through ? feed_through(g, t, slot, tensor)
				    : feed_fitted(g, t, slot, tensor))
				return true;
		}
	return false;
}

/* One tensor of two; GRAPH_NONE: no operator was found that takes both. */
static uint32_t aggregate(gen *g, uint32_t a, uint32_t b)
{
	helper list[HELPERS_TRIED];
	trial t;
	uint32_t type = type_of_tensor(g, a);
	unsigned n = draw_helpers(g, a, type, type, true, list);
	for (int convert = 0; convert < 2; convert++)
		for (unsigned i = 0; i < n && !g->failed; i++) {
			if (!begin_helper(g, &t, &list[i], a, RS_VALUES_ANY) || !gen_sample(g, &t))
				continue;
			if (convert ? feed_converted(g, &t, b) : feed_directly(g, &t, b))
				return output_of(g, commit(g, &t));
		}
	return GRAPH_NONE;
}

/* ---- a call */

static unsigned count_matches(
    const gen *g, const index_op *o, const uint8_t *row, const uint32_t *feeds, unsigned n)
{
	uint64_t taken = 0;
	unsigned found = 0;
	for (unsigned j = 0; j < n; j++) {
		const graph_tensor *x = gen_tensor(g, feeds[j]);
		for (unsigned i = 0; i < o->nin; i++) {
			if (taken >> i & 1 || o->inputs[i].rank != x->rank || row[i] != x->dtype
			    || o->inputs[i].ranged)
				continue;
			taken |= (uint64_t)1 << i;
			found++;
			break;
		}
	}
	return found;
}

typedef struct call_choice {
	const index_op *o;
	const uint8_t *row;
	uint64_t worth;
} call_choice;

/* What an operator with a row of dtypes promises: most of all that it takes what feeds it. */
static uint64_t worth_choice(gen *g, const index_op *o, const uint8_t *row, const uint32_t *feeds,
    unsigned n, uint32_t uses)
{
	uint64_t worth = (uint64_t)count_matches(g, o, row, feeds, n) << 32;
	if (!own(g)->steer)
		return worth + rng_below(&g->rng, 1 << 20);
	worth += worth_call(g, o);
	if (uses)
		worth += worth_prospects(g, o->api, most_prospects_of(g, o, row, RS_VALUES_SMALL), uses);
	return worth + rng_below(&g->rng, OLC_ONE / MAXSPC);
}

/* The best operators and rows of an API, best first. */
static unsigned draw_choices(gen *g, uint32_t api, const uint32_t *feeds, unsigned n, uint32_t uses,
    call_choice list[CALLS_TRIED])
{
	const index_api *a = &g->index.apis[api];
	unsigned found = 0;
	for (uint32_t k = 0; k < a->count; k++) {
		const index_op *o = &g->index.ops[a->first + k];
		for (unsigned r = 0; r < o->nrows; r++) {
			const uint8_t *row = index_row(o, r);
			call_choice c = {o, row, worth_choice(g, o, row, feeds, n, uses)};
			unsigned i = found < CALLS_TRIED ? found++ : CALLS_TRIED - 1;
			if (found == CALLS_TRIED && i == CALLS_TRIED - 1 && list[i].o
			    && list[i].worth >= c.worth)
				continue;
			for (; i && list[i - 1].worth < c.worth; i--)
				list[i] = list[i - 1];
			list[i] = c;
		}
	}
	return found;
}

/* Feeds what can be fed directly. Returns how many were, a bit each in *fed; -1: no numbers. */
static int try_choice(
    gen *g, trial *t, const call_choice *c, const uint32_t *feeds, unsigned n, uint32_t *fed)
{
	int count = 0;
	trial_begin(t, c->o, c->row);
	t->reuse = 0;
	*fed = 0;
	for (unsigned j = 0; j < n; j++)
		if (feed_directly(g, t, feeds[j])) {
			*fed |= 1u << j;
			count++;
		}
	return count || sample_source(g, t) ? count : -1;
}

/* What inserting a trial would add for sure. */
static uint64_t gain_of(const gen *g, const trial *t, const uint32_t *feeds, unsigned n, uint32_t fed,
    uint32_t uses)
{
	const graphing *w = own(g);
	const index_op *o = t->o;
	uint64_t gain = olc_worth_in(&w->cover, o->api, o->nin) + olc_worth_out(&w->cover, o->api, uses);
	if (!olc_has_vector(&w->cover, o->api, vector_of(g, o->op, t->v)))
		gain += olc_worth_vector(&w->cover, o->api);
	for (unsigned j = 0; j < n; j++)
		if (fed >> j & 1)
			gain += worth_edge(g, maker(g, feeds[j]), o->api);
	if (uses)
		gain += worth_prospects(g, o->api, most_prospects_of(g, o, t->row, gen_output_class(g, t)), uses);
	return gain;
}

/* Keeps in *best the trial of an API with these tensors that adds most, if it adds more than what is
 * there. Random search takes the one that takes most of the tensors. */
static void prepare_call(
    gen *g, uint32_t api, const uint32_t *feeds, unsigned n, uint32_t uses, prepared *best)
{
	graphing *w = own(g);
	trial *t = &g->trial;
	call_choice list[CALLS_TRIED] = {0};
	unsigned nlist = draw_choices(g, api, feeds, n, uses, list);
	for (unsigned i = 0; i < nlist; i++) {
		uint32_t fed;
		int count = try_choice(g, t, &list[i], feeds, n, &fed);
		if (count < 0)
			continue;
		redraw(g, t, count > 0);
		uint64_t gain = (uint64_t)count + 1;
		if (w->steer)
			gain += count || !n ? 8 * gain_of(g, t, feeds, n, fed, uses) : 0;
		if (gain > best->gain) {
			best->gain = gain;
			best->fed = fed;
			best->trial = *t;
		}
		if (!w->steer && count == (int)n)
			return;
	}
}

/* Inserts what was prepared; what is not fed yet is converted, where it can be. Returns the node. */
static uint32_t finish_call(gen *g, const uint32_t *feeds, unsigned n, prepared *p)
{
	for (unsigned j = 0; j < n && !g->failed; j++)
		if (!(p->fed >> j & 1))
			feed_converted(g, &p->trial, feeds[j]);
	return g->failed ? GRAPH_NONE : commit(g, &p->trial);
}

/* Two of too many tensors become one, or one of them goes. */
static unsigned reduce_feeds(gen *g, uint32_t *feeds, unsigned n, unsigned most)
{
	while (n > most && n > 1 && !g->failed) {
		gen_begin_step(g);
		uint32_t one = aggregate(g, feeds[n - 2], feeds[n - 1]);
		n--;
		if (one != GRAPH_NONE)
			feeds[n - 1] = one;
	}
	return n;
}

static unsigned degree_of(const gen *g, uint32_t api, unsigned n)
{
	unsigned most = own(g)->corpus.blocks[api].in_high;
	return n < most ? n : most;
}

/* GRAPH_NONE: none of its operators could be inserted, or memory ran out. */
static uint32_t place_operator(gen *g, uint32_t api, uint32_t *feeds, unsigned n, uint32_t uses)
{
	prepared *best = &own(g)->best;
	n = reduce_feeds(g, feeds, n, degree_of(g, api, n) ? degree_of(g, api, n) : 1);
	n = degree_of(g, api, n);
	best->gain = 0;
	gen_begin_step(g);
	if (!g->failed)
		prepare_call(g, api, feeds, n, uses, best);
	return best->gain ? finish_call(g, feeds, n, best) : GRAPH_NONE;
}

/* ---- a block */

/* A tensor of a node for another one to take, as long as it has few users. GRAPH_NONE: none. */
static uint32_t draw_output(gen *g, uint32_t node)
{
	const graph_node *x = &g->graph->nodes[node];
	if (node_uses(g->graph, node) >= BLOCK_OUT_MAX)
		return GRAPH_NONE;
	return x->outputs + (gen_chance(g, 2) ? 0 : rng_below(&g->rng, x->op->nout));
}

/* The tensors that reach one node of a subgraph: of its inner predecessors, and its share of what
 * reaches the block. */
static unsigned inner_feeds(gen *g, const block *b, unsigned at, unsigned entry, unsigned entries,
    const uint32_t *nodes, const uint32_t *outer, unsigned nouter, uint32_t feeds[FEEDS_MAX])
{
	unsigned n = 0;
	for (unsigned e = 0; e < b->nedges && n < FEEDS_MAX; e++) {
		if (b->edges[e].to != at || nodes[b->edges[e].from] == GRAPH_NONE)
			continue;
		feeds[n] = draw_output(g, nodes[b->edges[e].from]);
		n += feeds[n] != GRAPH_NONE;
	}
	for (unsigned i = entry; entries && i < nouter && n < FEEDS_MAX; i += entries)
		feeds[n++] = outer[i];
	return n;
}

static uint32_t inner_uses(const block *b, unsigned node)
{
	uint32_t n = 0;
	for (unsigned e = 0; e < b->nedges; e++)
		n += b->edges[e].from == node;
	return n;
}

/* Returns the block's last node that could be inserted. */
static uint32_t place_block(gen *g, const block *b, const uint32_t *outer, unsigned nouter, uint32_t uses)
{
	uint32_t nodes[BLOCK_NODES_MAX], feeds[FEEDS_MAX], exit = GRAPH_NONE;
	unsigned entries = 0, entry = 0;
	for (unsigned i = 0; i < b->nnodes; i++)
		entries += block_entry(b, i);
	for (unsigned i = 0; i < b->nnodes && !g->failed; i++) {
		bool first = block_entry(b, i), last = i + 1 == b->nnodes;
		unsigned n = inner_feeds(g, b, i, entry, first ? entries : 0, nodes, outer, nouter, feeds);
		entry += first;
		nodes[i] =
		    place_operator(g, b->apis[i], feeds, n, last ? uses : inner_uses(b, i));
		if (nodes[i] != GRAPH_NONE)
			exit = nodes[i];
	}
	return exit;
}

/* ---- the choice of a block */

/* The most APIs that could follow this one for the first time, over all types that it gives. */
static uint32_t most_prospects(const gen *g, uint32_t api)
{
	const index_api *a = &g->index.apis[api];
	uint32_t most = 0;
	for (uint32_t k = 0; k < a->count; k++) {
		const index_op *o = &g->index.ops[a->first + k];
		uint32_t n = most_prospects_of(g, o, index_row(o, 0), RS_VALUES_SMALL);
		most = n > most ? n : most;
	}
	return most;
}

/* What an operator at this place of the topology would add. */
static uint64_t worth_api(gen *g, uint32_t api, const uint32_t *feeds, unsigned n, uint32_t uses)
{
	const olc *c = &own(g)->cover;
	uint64_t worth = worth_vector(g, api) + olc_worth_out(c, api, uses);
	unsigned taken = 0;
	for (unsigned j = 0; j < n; j++) {
		if (!may_take(g, api, feeds[j]))
			continue;
		taken++;
		worth += worth_edge(g, maker(g, feeds[j]), api);
	}
	if (uses)
		worth += worth_prospects(g, api, most_prospects(g, api), uses) / 2;
	if (!c->types[api].seen)
		worth += OLC_ONE;
	/* one that takes nothing of what is there would only be fed by others */
	return n && !taken ? worth / 4 : worth;
}

static uint64_t worth_block(gen *g, const block *b, const uint32_t *feeds, unsigned n, uint32_t uses)
{
	if (b->nnodes == 1)
		return worth_api(g, b->apis[0], feeds, n, uses);
	uint64_t sum = 0;
	for (unsigned i = 0; i < b->nnodes; i++)
		sum += worth_vector(g, b->apis[i]);
	return sum;
}

static bool in_path(const graphing *w, uint32_t id)
{
	for (unsigned i = 0; i < w->npath; i++)
		if (w->path[i] == id)
			return true;
	return false;
}

/* Random search takes any block; "a block with the same in-degree is selected". */
static uint32_t draw_block(gen *g, unsigned n)
{
	const corpus *c = &own(g)->corpus;
	uint32_t id = rng_below(&g->rng, c->nblocks);
	for (int i = 0; i < 16 && c->blocks[id].in_high < n; i++)
		id = rng_below(&g->rng, c->nblocks);
	return id;
}

/* The blocks of most worth, best first. */
static void choose_blocks(gen *g, const uint32_t *feeds, unsigned n, uint32_t uses,
    uint32_t list[BLOCKS_KEPT])
{
	graphing *w = own(g);
	const corpus *c = &w->corpus;
	bool all = c->nblocks <= 64;
	uint32_t count = all ? c->nblocks : BLOCKS_TRIED + w->npath;
	uint64_t worths[BLOCKS_KEPT] = {0};
	for (unsigned i = 0; i < BLOCKS_KEPT; i++)
		list[i] = NONE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t id = all		 ? i
			      : i < BLOCKS_TRIED ? rng_below(&g->rng, c->nblocks)
						 : w->path[i - BLOCKS_TRIED];
		uint64_t worth = worth_block(g, &c->blocks[id], feeds, n, uses) * 256;
		if (in_path(w, id))
			worth += worth / 2;
		worth += rng_below(&g->rng, 256 * (OLC_ONE / MAXSPC)) + 1;
		unsigned at = BLOCKS_KEPT;
		while (at && worths[at - 1] < worth)
			at--;
		if (at == BLOCKS_KEPT)
			continue;
		memmove(worths + at + 1, worths + at, (BLOCKS_KEPT - 1 - at) * sizeof *worths);
		memmove(list + at + 1, list + at, (BLOCKS_KEPT - 1 - at) * sizeof *list);
		worths[at] = worth;
		list[at] = id;
	}
}

/* ---- a model */

static unsigned find_feeds(gen *g, uint32_t at, uint32_t feeds[FEEDS_MAX])
{
	graphing *w = own(g);
	unsigned n = 0;
	for (uint32_t i = w->topo.starts[at]; i < w->topo.starts[at + 1] && n < FEEDS_MAX; i++) {
		uint32_t node = w->exits[w->topo.preds[i]];
		feeds[n] = node == GRAPH_NONE ? GRAPH_NONE : draw_output(g, node);
		n += feeds[n] != GRAPH_NONE;
	}
	return n;
}

static uint32_t place_changed(gen *g, uint32_t id, uint32_t *feeds, unsigned n, uint32_t uses)
{
	graphing *w = own(g);
	block b = w->corpus.blocks[id];
	if (w->mutate) {
		mutate_add_node(&b, w->mutation.bna, &g->rng);
		mutate_remove_node(&b, w->mutation.bnr, &g->rng);
	}
	return place_block(g, &b, feeds, n, uses);
}

/* One of an API's operators that have records only, for an input of which this type would do; NULL. */
static const int64_t *draw_wanted(gen *g, uint32_t api, unsigned rank, unsigned dtype)
{
	const index_api *a = &g->index.apis[api];
	const index_op *o = &g->index.ops[a->first + rng_below(&g->rng, a->count)];
	if (o->symbolic || !o->nin)
		return NULL;
	unsigned slot = rng_below(&g->rng, o->nin);
	const uint8_t *row = index_row(o, rng_below(&g->rng, o->nrows));
	if (o->inputs[slot].ranged || o->inputs[slot].rank != rank || row[slot] != dtype)
		return NULL;
	return index_record(o, rng_below(&g->rng, o->nfull)) + o->inputs[slot].first;
}

/* An operator that has records only is fed by nobody who does not know them: gives the call, where it
 * can have it, an output of the very shape that one wants which has not followed it yet. */
static void aim(gen *g, prepared *p)
{
	graphing *w = own(g);
	const index_op *o = p->trial.o;
	for (int i = 0; i < AIMS && w->nshy; i++) {
		uint32_t api = w->shy[rng_below(&g->rng, w->nshy)];
		const int64_t *shape =
		    has_edge(g, o->api, api)
			? NULL
			: draw_wanted(g, api, o->out_ranks[0], p->trial.row[o->nin]);
		if (!shape)
			continue;
		g->trial = p->trial;
		if (gen_sample_back(g, &g->trial, 0, shape)) {
			p->trial = g->trial;
			return;
		}
	}
}

/* Of the blocks that promise most, the one that does add most. */
static uint32_t place_steered(gen *g, uint32_t *feeds, unsigned n, uint32_t uses)
{
	graphing *w = own(g);
	uint32_t list[BLOCKS_KEPT];
	w->best.gain = 0;
	gen_begin_step(g);
	choose_blocks(g, feeds, n, uses, list);
	for (unsigned i = 0; i < BLOCKS_KEPT && list[i] != NONE; i++) {
		if (w->corpus.blocks[list[i]].nnodes == 1)
			prepare_call(g, list[i], feeds, degree_of(g, list[i], n), uses, &w->best);
		else if (!i)
			return place_changed(g, list[i], feeds, n, uses);
	}
	if (w->best.gain <= 1)
		return place_changed(g, list[0], feeds, n, uses);
	if (uses)
		aim(g, &w->best);
	return finish_call(g, feeds, degree_of(g, w->best.trial.o->api, n), &w->best);
}

static bool build_block(gen *g, uint32_t at, uint32_t wanted)
{
	graphing *w = own(g);
	uint32_t feeds[FEEDS_MAX], uses = w->topo.out[at];
	unsigned n = find_feeds(g, at, feeds);
	if (w->steer)
		n = reduce_feeds(g, feeds, n, 1 + rng_below(&g->rng, 2));
	w->exits[at] = wanted != NONE ? place_changed(g, wanted, feeds, n, uses)
		       : w->steer     ? place_steered(g, feeds, n, uses)
				      : place_changed(g, draw_block(g, n), feeds, n, uses);
	if (w->exits[at] == GRAPH_NONE && !g->failed) {
		gen_begin_step(g);
		if (gen_last_resort(g)) {
			w->exits[at] = g->graph->last;
			count_node(g, g->graph->last, NOT_YET);
			count_edges(g, g->graph->last);
		}
	}
	return !g->failed;
}

static bool draw_topology(gen *g, uint32_t n)
{
	graphing *w = own(g);
	static const unsigned NEIGHBOURS[] = {2, 4, 6};
	bool rn = w->models == RS_TOPOLOGY_RN || (w->models == RS_TOPOLOGY_BOTH && gen_chance(g, 2));
	unsigned k = NEIGHBOURS[rng_below(&g->rng, 3)];
	w->mutation = w->mutate ? mutate_select(&g->rng) : (mutation){0};
	if (!topology_draw(&w->topo, rn ? TOPOLOGY_RN : TOPOLOGY_WS, n, k, rn ? 900 : 500, &g->rng)
	    || !mutate_add_edges(&w->topo, w->mutation.gea, &g->rng))
		return false;
	mutate_remove_edges(&w->topo, w->mutation.ger, &g->rng);
	draw_base(g);
	return topology_finish(&w->topo);
}

static bool reserve_exits(graphing *w, uint32_t n)
{
	if (n <= w->room)
		return true;
	uint32_t *exits = realloc(w->exits, n * sizeof *exits);
	if (!exits)
		return false;
	w->exits = exits;
	w->room = n;
	return true;
}

/* ---- the search */

/* What no call can cover counts as covered, or the search would ask for nothing else. */
static uint32_t unreachable(const graphing *w, uint32_t api)
{
	return w->reach[api] < MAXSPC ? (MAXSPC - w->reach[api]) * (OLC_ONE / MAXSPC) : 0;
}

/* The API of least coverage that a leaf's path does not hold; NONE: all are taken. */
static uint32_t least_covered(const graphing *w, uint32_t leaf)
{
	uint32_t best = NONE, least = UINT32_MAX;
	for (uint32_t i = 0; i < w->corpus.napis; i++) {
		uint32_t covered = olc_of_type(&w->cover, i) + unreachable(w, i);
		if (covered < least && !mcts_taken(&w->tree, leaf, i)) {
			least = covered;
			best = i;
		}
	}
	return best;
}

/* The operator itself, or a subgraph that holds it. */
static uint32_t block_with(gen *g, uint32_t leaf, uint32_t api)
{
	const graphing *w = own(g);
	uint32_t found = api;
	for (uint32_t i = w->corpus.napis; i < w->corpus.nblocks; i++)
		for (unsigned k = 0; k < w->corpus.blocks[i].nnodes; k++)
			if (w->corpus.blocks[i].apis[k] == api && gen_chance(g, 2)
			    && !mcts_taken(&w->tree, leaf, i))
				found = i;
	return found;
}

/* Selection and expansion: the tree's node whose path the model is made of. */
static uint32_t choose_path(gen *g)
{
	graphing *w = own(g);
	uint32_t leaf = mcts_select(&w->tree);
	if (!mcts_terminal(&w->tree, leaf)) {
		uint32_t api = least_covered(w, leaf);
		uint32_t child =
		    api == NONE ? leaf : mcts_expand(&w->tree, leaf, block_with(g, leaf, api));
		leaf = child == MCTS_NONE ? leaf : child;
	}
	w->npath = mcts_path(&w->tree, leaf, w->path);
	return leaf;
}

static bool build(gen *g, uint32_t nodes)
{
	graphing *w = own(g);
	w->npath = 0;
	w->grew = false;
	uint32_t leaf = w->steer ? choose_path(g) : MCTS_ROOT;
	uint32_t must = w->npath ? rng_below(&g->rng, nodes) : NONE;
	if (!reserve_exits(w, nodes) || !draw_topology(g, nodes))
		return false;
	for (uint32_t i = 0; i < nodes; i++)
		if (!build_block(g, i, i == must ? w->path[0] : NONE))
			return false;
	for (uint32_t i = g->graph->first; i != GRAPH_NONE; i = g->graph->nodes[i].next)
		count_node(g, i, node_uses(g->graph, i));
	mcts_back(&w->tree, leaf, w->grew);
	return true;
}

/* ---- runs */

static void begin_run(graphing *w, uint64_t seed, uint64_t first)
{
	olc_reset(&w->cover);
	mcts_reset(&w->tree);
	memset(w->misses, 0, w->corpus.napis * sizeof *w->misses);
	w->seed = seed;
	w->next = first;
	w->running = true;
}

/* Makes the models of a run before this one, unless they were the last that were made; then this
 * one. What they count is not this model's. */
static bool catch_up(gen *g, uint64_t seed, uint64_t index)
{
	graphing *w = own(g);
	graph *wanted = g->graph;
	gen_stats stats = g->stats;
	if (!w->running || w->seed != seed || w->next > index || w->next / RUN != index / RUN)
		begin_run(w, seed, index - index % RUN);
	while (w->next < index)
		if (!rs_gen_model(g, seed, w->next, w->again))
			return false;
	g->stats = stats;
	if (!rs_gen_model(g, seed, index, wanted))
		return false;
	g->stats.models--; /* rs_gen_model, which has called this, counts it too */
	g->stats.nodes -= wanted->live_nodes;
	return true;
}

static bool graph_model(gen *g, uint32_t nodes)
{
	graphing *w = own(g);
	uint64_t seed = g->graph->seed, index = g->graph->index;
	if (index % RUN == 0)
		begin_run(w, seed, index);
	else if (!w->running || w->seed != seed || w->next != index)
		return catch_up(g, seed, index);
	w->next++;
	return build(g, nodes);
}

/* ---- create, destroy */

static int by_key(const void *a, const void *b)
{
	const way *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

static int widest_class(const gen *g, const index_op *o, unsigned input)
{
	trial t;
	trial_begin(&t, o, index_row(o, 0));
	uint8_t class = gen_accepts(g, &t, input);
	return class < RS_VALUES_COUNT ? class : -1;
}

/* Lists or counts what an operator takes and gives. */
static void add_ways(const gen *g, uint32_t op, graphing *w)
{
	const index_op *o = &g->index.ops[op];
	if (o->delicate && !o->classes)
		return;
	for (unsigned r = 0; r < o->nrows; r++)
		for (unsigned i = 0; i < o->nin; i++) {
			const uint8_t *row = index_row(o, r);
			uint32_t in = type_of(o->inputs[i].rank, row[i]);
			if (o->inputs[i].ranged)
				continue;
			if (w->ways) {
				for (int c = 0; o->symbolic && c <= widest_class(g, o, i); c++)
					takers_of(w, in, c)[o->api / 64] |= (uint64_t)1
									    << (o->api % 64);
				w->ways[w->nways] = (way){
				    in * TYPES + type_of(o->out_ranks[0], row[o->nin]), op,
				    (uint16_t)r, (uint16_t)i};
			}
			w->nways++;
		}
}

static bool list_ways(const gen *g, graphing *w)
{
	for (uint32_t i = 0; i < g->index.nops; i++)
		add_ways(g, i, w);
	w->ways = malloc((w->nways + (size_t)1) * sizeof *w->ways);
	w->takers = calloc((size_t)TYPES * RS_VALUES_COUNT * w->words + 1, sizeof *w->takers);
	if (!w->ways || !w->takers)
		return false;
	w->nways = 0;
	for (uint32_t i = 0; i < g->index.nops; i++)
		add_ways(g, i, w);
	qsort(w->ways, w->nways, sizeof *w->ways, by_key);
	return true;
}

static bool map_apis(const gen *g, graphing *w)
{
	const rs_table *t = g->index.table;
	w->api_of = malloc((t->nops + (size_t)1) * sizeof *w->api_of);
	w->reach = calloc(g->index.napis + (size_t)1, sizeof *w->reach);
	w->shy = calloc(g->index.napis + (size_t)1, sizeof *w->shy);
	w->misses = calloc(g->index.napis + (size_t)1, sizeof *w->misses);
	w->recorded = calloc(g->index.napis + (size_t)1, sizeof *w->recorded);
	if (!w->api_of || !w->reach || !w->misses || !w->recorded || !w->shy)
		return false;
	memset(w->api_of, 0xff, t->nops * sizeof *w->api_of);
	for (uint32_t i = 0; i < g->index.nops; i++) {
		const index_op *o = &g->index.ops[i];
		w->api_of[o->op - t->ops] = o->api;
		w->recorded[o->api] |= !o->symbolic;
		w->reach[o->api] += o->symbolic && o->nsym ? MAXSPC : o->nfull;
	}
	for (uint32_t i = 0; i < g->index.napis; i++)
		if (w->recorded[i])
			w->shy[w->nshy++] = i;
	return true;
}

static void graph_close(gen *g)
{
	graphing *w = own(g);
	if (!w)
		return;
	corpus_free(&w->corpus);
	olc_free(&w->cover);
	mcts_free(&w->tree);
	topology_free(&w->topo);
	free(w->takers);
	free(w->api_of);
	free(w->reach);
	free(w->recorded);
	free(w->misses);
	free(w->shy);
	free(w->ways);
	free(w->exits);
	rs_graph_free(w->again);
	free(w);
}

static bool graph_open(gen *g, const rs_gen_options *options, diag *d)
{
	graphing *w = g->own = calloc(1, sizeof *w);
	if (!w)
		return diag_set(d, "out of memory");
	w->steer = options->chooser == RS_CHOOSER_MCTS;
	w->mutate = !options->no_mutations;
	w->models = (uint8_t)options->topology;
	w->words = (g->index.napis + 63) / 64;
	w->again = rs_graph_new();
	if (!w->again || !corpus_build(&w->corpus, &g->index)
	    || !olc_init(&w->cover, g->index.napis, w->corpus.in_degrees, MAXSPC)
	    || !mcts_init(&w->tree, TC1, CHILDREN) || !map_apis(g, w) || !list_ways(g, w))
		return diag_set(d, "out of memory");
	return true;
}

bool gen_get_coverage(const rs_gen *g, olc_report *r)
{
	if (g->strategy != &graph_strategy)
		return false;
	*r = olc_sum(&own(g)->cover);
	return true;
}

const gen_strategy graph_strategy = {
    .open = graph_open, .model = graph_model, .close = graph_close, .dim_max = 12, .rank_max = INDEX_RANK_MAX};
