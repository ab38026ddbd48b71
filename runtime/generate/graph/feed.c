#include "feed.h"

#include <stdlib.h>
#include <string.h>

#include "cover.h"
#include "sizes.h"

enum {
	HELPERS_TRIED = 4, /* converters or aggregators that are considered */
	HELPERS_SEEN = 12, /* the best of them that are tried */
	REDRAWS = 4,       /* attempts for new shapes and parameters */
	SHAPES = 5,        /* number of input shapes without TSM (section V.C) */
};

/* ---- shapes and parameters of a trial */

void gg_draw_base(gen *g)
{
	static const uint8_t PLAIN[SHAPES][4] = {
	    {1, 8, 8, 3}, {2, 4, 4, 2}, {4, 6, 5, 4}, {1, 7, 7, 1}, {3, 5, 6, 2}};
	static const uint8_t MOST[BASE] = {1, 1, 2, 4, 8, 8, 12, 16};
	graphing *w = own(g);
	const uint8_t *plain = PLAIN[rng_below(&g->rng, SHAPES)];
	for (unsigned i = 0; i < BASE; i++)
		w->base[i] = w->mutation.tsm && g->box.mixed ? sizes_draw(&g->rng, MOST[i] > 2 ? g->box.mixed : MOST[i])
			     : w->mutation.tsm ? rng_range(&g->rng, g->box.low, MOST[i])
			     : i < BASE - 4  ? 1
					     : plain[i - (BASE - 4)];
	for (unsigned i = 0; i < BASE && bounded_numel(BASE, w->base, w->share) > w->share; i++)
		w->base[i] = 1;
}

void gg_begin_step(gen *g)
{
	gen_begin_step(g);
	if (g->box.numel > own(g)->share)
		g->box.numel = own(g)->share;
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

bool gg_sample_source(gen *g, trial *t)
{
	const graphing *w = own(g);
	unsigned rank = t->o->nin ? t->o->inputs[0].rank : BASE + 1;
	const int64_t *shape = w->base + BASE - (rank > BASE ? 0 : rank);
	if (rank > BASE || bounded_numel(rank, shape, g->box.numel) > g->box.numel
	    || (w->mutation.tsm && gen_chance(g, 4)))
		return gen_sample(g, t);
	set_known(t, 0, shape);
	bool ok = gen_sample(g, t);
	set_unknown(t, 0);
	return ok || gen_sample(g, t);
}

/* Numbers for a connected call. "The padding of these operators is calculated to keep the shapes of input and output
 * consistent" (section III.G): mostly so, if possible. */
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

void gg_redraw(gen *g, trial *t, bool fed)
{
	graphing *w = own(g);
	int64_t saved[INDEX_WIDTH_MAX];
	size_t size = t->o->width * sizeof *saved;
	if (!w->steer || !(fed ? w->mutation.pm : w->mutation.tsm) || !t->o->nsym)
		return;
	memcpy(saved, t->v, size);
	for (int i = 0;
	     i < REDRAWS && olc_has_vector(&w->cover, t->o->api, gg_vector_of(g, t->o->op, t->v));
	     i++)
		if (gen_sample(g, t))
			memcpy(saved, t->v, size);
		else
			memcpy(t->v, saved, size);
}

/* ---- converters and aggregators */

/* The first way whose key is at least this. */
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

/* The best few of HELPERS_SEEN ways from one type to another, in descending order; with `two` inputs. */
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
			worth +=
			    gg_worth_edge(g, gg_maker(g, tensor), o->api) + gg_worth_call(g, o);
		insert_helper(list, &n, (helper){x, worth});
	}
	return n;
}

/* Prepares a call that takes the tensor and returns elements of a class. False: impossible. */
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

/* The first output of an inserted trial; GRAPH_NONE: none. */
static uint32_t output_of(gen *g, uint32_t node)
{
	return node == GRAPH_NONE ? GRAPH_NONE : g->graph->nodes[node].outputs;
}

/* Draws numbers for a helper call until they are new, a few times. */
static bool sample_helper(gen *g, trial *t, const int64_t *shape)
{
	const graphing *w = own(g);
	bool ok = false;
	for (int i = 0; i < REDRAWS / 2; i++) {
		ok = gen_sample_back(g, t, 0, shape);
		if (!ok || !olc_has_vector(&w->cover, t->o->api, gg_vector_of(g, t->o->op, t->v)))
			break;
	}
	return ok;
}

/* Connects an input to a call whose output has the current shape of the trial. */
static bool feed_fitted(gen *g, trial *t, unsigned slot, uint32_t tensor)
{
	helper list[HELPERS_TRIED];
	trial c;
	const index_input *in = &t->o->inputs[slot];
	unsigned n = draw_helpers(
	    g, tensor, type_of_tensor(g, tensor), type_of(in->rank, t->row[slot]), false, list);
	for (unsigned i = 0; i < n; i++) {
		if (!begin_helper(g, &c, &list[i], tensor, gen_accepts(g, t, slot))
		    || !sample_helper(g, &c, t->v + in->first))
			continue;
		uint32_t made = output_of(g, gg_commit(g, &c));
		if (made != GRAPH_NONE)
			trial_fix_input(g, t, slot, made);
		return made != GRAPH_NONE;
	}
	return false;
}

bool gg_feed_directly(gen *g, trial *t, uint32_t tensor)
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

/* Connects an input to a call whose output the trial's rule accepts, in any shape. */
static bool feed_through(gen *g, trial *t, unsigned slot, uint32_t tensor)
{
	helper list[HELPERS_TRIED];
	trial c;
	const index_input *in = &t->o->inputs[slot];
	int64_t saved[INDEX_WIDTH_MAX];
	unsigned n = draw_helpers(
	    g, tensor, type_of_tensor(g, tensor), type_of(in->rank, t->row[slot]), false, list);
	memcpy(saved, t->v, t->o->width * sizeof *saved);
	for (unsigned i = 0; i < n; i++) {
		if (!begin_helper(g, &c, &list[i], tensor, gen_accepts(g, t, slot))
		    || !sample_fed(g, &c, list[i].way->slot))
			continue;
		set_known(t, slot, c.v + c.o->nsym);
		if (gen_sample(g, t)) {
			t->inputs[slot] = output_of(g, gg_commit(g, &c));
			return t->inputs[slot] != GRAPH_NONE;
		}
		memcpy(t->v, saved, t->o->width * sizeof *saved);
		set_unknown(t, slot);
	}
	return false;
}

bool gg_feed_converted(gen *g, trial *t, uint32_t tensor)
{
	unsigned nin = t->o->nin, start = nin ? rng_below(&g->rng, nin) : 0;
	for (int through = 0; through < 2; through++)
		for (unsigned i = 0; i < nin && !g->failed; i++) {
			unsigned slot = (start + i) % nin;
			if (t->inputs[slot] != GRAPH_NONE || !gen_takes_results(t, slot))
				continue;
			if (through ? feed_through(g, t, slot, tensor)
				    : feed_fitted(g, t, slot, tensor))
				return true;
		}
	return false;
}

uint32_t gg_aggregate(gen *g, uint32_t a, uint32_t b)
{
	helper list[HELPERS_TRIED];
	trial t;
	uint32_t type = type_of_tensor(g, a);
	unsigned n = draw_helpers(g, a, type, type, true, list);
	for (int convert = 0; convert < 2; convert++)
		for (unsigned i = 0; i < n && !g->failed; i++) {
			if (!begin_helper(g, &t, &list[i], a, RS_VALUES_ANY) || !gen_sample(g, &t))
				continue;
			if (convert ? gg_feed_converted(g, &t, b) : gg_feed_directly(g, &t, b))
				return output_of(g, gg_commit(g, &t));
		}
	return GRAPH_NONE;
}

/* ---- the ways */

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

/* Lists or counts the input and output types of a signature. */
static void add_ways(const gen *g, uint32_t op, graphing *w)
{
	const index_op *o = &g->index.ops[op];
	if (index_isolated(o))
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
				w->ways[w->nways] =
				    (way){in * TYPES + type_of(o->out_ranks[0], row[o->nin]), op,
					(uint16_t)r, (uint16_t)i};
			}
			w->nways++;
		}
}

bool gg_list_ways(const gen *g, graphing *w)
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
