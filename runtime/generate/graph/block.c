#include "block.h"

#include <string.h>

#include "cover.h"
#include "feed.h"

enum {
	BLOCKS_TRIED = 48, /* size of the search's random sample of the corpus */
	FREE_ONE_IN =
	    16,          /* random blocks in the sample; otherwise only the last uncovered items would be chosen */
	BLOCKS_KEPT = 8, /* the best of them that are tried */
	CALLS_TRIED = 3, /* signatures and dtype rows of an API */
	ROWS_MAX = 64,   /* signatures times rows of an API that are all considered */
	CALLS_SEEN = 16, /* for larger APIs: samples for a tensor, and of any */
	AIMS = 8,        /* records that a call aims at */
};

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

/* The estimated value of a signature with a dtype row: mainly that it accepts the tensors of its predecessors. */
static uint64_t worth_choice(
    gen *g, const index_op *o, const uint8_t *row, const uint32_t *feeds, unsigned n, uint32_t uses)
{
	uint64_t worth = (uint64_t)count_matches(g, o, row, feeds, n) << 32;
	if (!own(g)->steer)
		return worth + rng_below(&g->rng, 1 << 20);
	worth += gg_worth_call(g, o);
	if (uses)
		worth +=
		    gg_worth_prospects(g, o->api, gg_prospects(g, o, row, likely_class(o), uses));
	return worth + rng_below(&g->rng, OLC_ONE / MAXSPC);
}

typedef struct choices {
	call_choice list[CALLS_TRIED]; /* the best, in descending order */
	unsigned count;
	const uint32_t *feeds;
	unsigned nfeeds;
	uint32_t uses;
} choices;

static void consider(gen *g, choices *c, const index_op *o, unsigned row)
{
	call_choice new = {o, index_row(o, row), 0};
	new.worth = worth_choice(g, o, new.row, c->feeds, c->nfeeds, c->uses);
	unsigned at = c->count;
	while (at && c->list[at - 1].worth < new.worth)
		at--;
	for (unsigned i = 0; i < c->count; i++)
		if (c->list[i].row == new.row)
			return;
	if (at == CALLS_TRIED)
		return;
	c->count += c->count < CALLS_TRIED;
	memmove(c->list + at + 1, c->list + at, (c->count - 1 - at) * sizeof *c->list);
	c->list[at] = new;
}

/* Some of the signatures that accept a tensor's type by rule, each with such a dtype row. */
static void consider_takers(gen *g, choices *c, uint32_t api, const graph_tensor *x)
{
	uint32_t count;
	const index_place *p =
	    gen_index_type(&g->index, INDEX_INPUT, api, x->rank, x->dtype, &count);
	for (unsigned i = 0; i < CALLS_SEEN && i < count; i++) {
		const index_place *q = p + rng_below(&g->rng, count);
		const index_op *o = &g->index.ops[q->op];
		uint32_t start = rng_below(&g->rng, o->nrows), r = 0;
		if (q->slot >= o->nin)
			continue;
		while (r < o->nrows && index_row(o, (start + r) % o->nrows)[q->slot] != x->dtype)
			r++;
		if (r < o->nrows)
			consider(g, c, o, (start + r) % o->nrows);
	}
}

/* All signatures and rows of an API, or a sample of many. */
static void consider_api(gen *g, choices *c, uint32_t api)
{
	const index_api *a = &g->index.apis[api];
	uint32_t rows = 0;
	for (uint32_t k = 0; k < a->count && rows <= ROWS_MAX; k++)
		rows += g->index.ops[a->first + k].nrows;
	for (uint32_t k = 0; k < a->count && rows <= ROWS_MAX; k++)
		for (unsigned r = 0; r < g->index.ops[a->first + k].nrows; r++)
			consider(g, c, &g->index.ops[a->first + k], r);
	if (rows <= ROWS_MAX)
		return;
	for (unsigned j = 0; j < c->nfeeds; j++)
		consider_takers(g, c, api, gen_tensor(g, c->feeds[j]));
	for (unsigned i = 0; i < CALLS_SEEN; i++) {
		const index_op *o = &g->index.ops[a->first + rng_below(&g->rng, a->count)];
		consider(g, c, o, rng_below(&g->rng, o->nrows));
	}
}

/* Connects the tensors that fit directly. Returns their number, one bit each in *fed; -1: no solution was found. */
static int try_choice(
    gen *g, trial *t, const call_choice *c, const uint32_t *feeds, unsigned n, uint32_t *fed)
{
	int count = 0;
	trial_begin(t, c->o, c->row);
	t->reuse = 0;
	*fed = 0;
	for (unsigned j = 0; j < n; j++)
		if (gg_feed_directly(g, t, feeds[j])) {
			*fed |= 1u << j;
			count++;
		}
	return count || gg_sample_source(g, t) ? count : -1;
}

/* The coverage that inserting a trial certainly adds. */
static uint64_t gain_of(
    const gen *g, const trial *t, const uint32_t *feeds, unsigned n, uint32_t fed, uint32_t uses)
{
	const graphing *w = own(g);
	const index_op *o = t->o;
	uint64_t gain =
	    olc_worth_in(&w->cover, o->api, o->nin) + olc_worth_out(&w->cover, o->api, uses);
	if (!olc_has_vector(&w->cover, o->api, gg_vector_of(g, o->op, t->v)))
		gain += olc_worth_vector(&w->cover, o->api);
	for (unsigned j = 0; j < n; j++)
		if (fed >> j & 1)
			gain += gg_worth_edge(g, gg_maker(g, feeds[j]), o->api);
	if (!uses)
		return gain;
	uint8_t class = gen_output_class(g, t);
	if (gg_leads_on(g, o, t->row, class)) /* blocks should connect even if everything is covered */
		gain += OLC_ONE / MAXSPC / 2;
	return gain + gg_worth_prospects(g, o->api, gg_prospects(g, o, t->row, class, uses));
}

/* Stores the trial of an API with these tensors in *best if it adds more. Random search stores the trial that takes most of the
 * tensors. */
static void prepare_call(
    gen *g, uint32_t api, const uint32_t *feeds, unsigned n, uint32_t uses, prepared *best)
{
	graphing *w = own(g);
	trial *t = &g->trial;
	choices c = {.feeds = feeds, .nfeeds = n, .uses = uses};
	consider_api(g, &c, api);
	for (unsigned i = 0; i < c.count; i++) {
		uint32_t fed;
		int count = try_choice(g, t, &c.list[i], feeds, n, &fed);
		if (count < 0)
			continue;
		gg_redraw(g, t, count > 0);
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

/* Inserts the prepared trial; converts the tensors that do not fit directly, if possible. Returns the node. */
static uint32_t finish_call(gen *g, const uint32_t *feeds, unsigned n, prepared *p)
{
	for (unsigned j = 0; j < n && !g->failed; j++)
		if (!(p->fed >> j & 1))
			gg_feed_converted(g, &p->trial, feeds[j]);
	return g->failed ? GRAPH_NONE : gg_commit(g, &p->trial);
}

/* Reduces too many tensors: merges two of them, or drops one. */
static unsigned reduce_feeds(gen *g, uint32_t *feeds, unsigned n, unsigned most)
{
	while (n > most && n > 1 && !g->failed) {
		gg_begin_step(g);
		uint32_t one = gg_aggregate(g, feeds[n - 2], feeds[n - 1]);
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

/* GRAPH_NONE: no signature could be inserted, or out of memory. */
static uint32_t place_operator(gen *g, uint32_t api, uint32_t *feeds, unsigned n, uint32_t uses)
{
	prepared *best = &own(g)->best;
	n = reduce_feeds(g, feeds, n, degree_of(g, api, n) ? degree_of(g, api, n) : 1);
	n = degree_of(g, api, n);
	best->gain = 0;
	gg_begin_step(g);
	if (!g->failed)
		prepare_call(g, api, feeds, n, uses, best);
	return best->gain ? finish_call(g, feeds, n, best) : GRAPH_NONE;
}

/* ---- a block */

/* An output of a node for another node, as long as it has few users. GRAPH_NONE: none. */
static uint32_t draw_output(gen *g, uint32_t node)
{
	const graph_node *x = &g->graph->nodes[node];
	if (gg_node_uses(g->graph, node) >= BLOCK_OUT_MAX)
		return GRAPH_NONE;
	return x->outputs + (gen_chance(g, 2) ? 0 : rng_below(&g->rng, x->op->nout));
}

/* The tensors for a node of a subgraph: those of its inner predecessors, and its share of the block's inputs. */
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

/* Returns the last node of the block that could be inserted. */
static uint32_t place_block(
    gen *g, const block *b, const uint32_t *outer, unsigned nouter, uint32_t uses)
{
	uint32_t nodes[BLOCK_NODES_MAX], feeds[FEEDS_MAX], exit = GRAPH_NONE;
	unsigned entries = 0, entry = 0;
	for (unsigned i = 0; i < b->nnodes; i++)
		entries += block_entry(b, i);
	for (unsigned i = 0; i < b->nnodes && !g->failed; i++) {
		bool first = block_entry(b, i), last = i + 1 == b->nnodes;
		unsigned n =
		    inner_feeds(g, b, i, entry, first ? entries : 0, nodes, outer, nouter, feeds);
		entry += first;
		nodes[i] = place_operator(g, b->apis[i], feeds, n, last ? uses : inner_uses(b, i));
		if (nodes[i] != GRAPH_NONE)
			exit = nodes[i];
	}
	return exit;
}

/* ---- the choice of a block */

/* The maximum number of APIs that could follow this one for the first time, over all its output types. */
static uint32_t most_prospects(const gen *g, uint32_t api, uint32_t uses)
{
	const index_api *a = &g->index.apis[api];
	uint32_t most = 0;
	for (uint32_t k = 0; k < a->count && most < uses; k++) {
		const index_op *o = &g->index.ops[a->first + k];
		uint32_t n = gg_prospects(g, o, index_row(o, 0), likely_class(o), uses);
		most = n > most ? n : most;
	}
	return most;
}

/* The estimated coverage that an operator adds at this place of the topology. */
static uint64_t worth_api(gen *g, uint32_t api, const uint32_t *feeds, unsigned n, uint32_t uses)
{
	const olc *c = &own(g)->cover;
	uint64_t worth = gg_worth_vector(g, api) + olc_worth_out(c, api, uses);
	unsigned taken = 0;
	for (unsigned j = 0; j < n; j++) {
		if (!gg_may_take(g, api, feeds[j]))
			continue;
		taken++;
		worth += gg_worth_edge(g, gg_maker(g, feeds[j]), api);
	}
	if (uses)
		worth += gg_worth_prospects(g, api, most_prospects(g, api, uses)) / 2;
	if (!c->types[api].seen)
		worth += OLC_ONE;
	worth += taken * (OLC_ONE / MAXSPC / 2);
	/* an operator that accepts none of the available tensors would need conversions for all inputs */
	return n && !taken ? worth / 4 : worth;
}

static uint64_t worth_block(
    gen *g, const block *b, const uint32_t *feeds, unsigned n, uint32_t uses)
{
	if (b->nnodes == 1)
		return worth_api(g, b->apis[0], feeds, n, uses);
	uint64_t sum = 0;
	for (unsigned i = 0; i < b->nnodes; i++)
		sum += gg_worth_vector(g, b->apis[i]);
	return sum;
}

/* Whether a block is the newest of the path and not in the model yet. */
static bool is_due(const graphing *w, uint32_t id)
{
	return w->npath && !w->placed && w->path[0] == id;
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

/* The blocks with the highest estimates, in descending order. */
static void choose_blocks(
    gen *g, const uint32_t *feeds, unsigned n, uint32_t uses, uint32_t list[BLOCKS_KEPT])
{
	graphing *w = own(g);
	const corpus *c = &w->corpus;
	bool all = c->nblocks <= 64;
	uint32_t count = all ? c->nblocks : BLOCKS_TRIED + w->npath;
	uint64_t worths[BLOCKS_KEPT] = {0};
	for (unsigned i = 0; i < BLOCKS_KEPT; i++)
		list[i] = NONE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t id = all                ? i
			      : i < BLOCKS_TRIED ? rng_below(&g->rng, c->nblocks)
						 : w->path[i - BLOCKS_TRIED];
		uint64_t worth = worth_block(g, &c->blocks[id], feeds, n, uses) * 256;
		if (is_due(w, id))
			worth *= 4;
		else if (in_path(w, id))
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
	w->placed |= is_due(w, id);
	if (w->mutate) {
		mutate_add_node(&b, w->mutation.bna, &g->rng);
		mutate_remove_node(&b, w->mutation.bnr, &g->rng);
	}
	return place_block(g, &b, feeds, n, uses);
}

/* A signature of an API without a rule that has an input of this type; NULL: none. */
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

/* Signatures without a rule only accept recorded shapes. Chooses numbers for the call, if possible, so that an output has a
 * shape that such a signature needs and that has not followed it yet. */
static void aim(gen *g, prepared *p)
{
	graphing *w = own(g);
	const index_op *o = p->trial.o;
	for (int i = 0; i < AIMS && w->nshy; i++) {
		uint32_t api = w->shy[rng_below(&g->rng, w->nshy)];
		const int64_t *shape =
		    gg_has_edge(g, o->api, api)
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

/* The block that really adds most, among those with the highest estimates; the due block if it is the first of them and can be
 * connected. */
static uint32_t place_steered(gen *g, uint32_t *feeds, unsigned n, uint32_t uses)
{
	graphing *w = own(g);
	prepared *best = &w->best;
	uint32_t list[BLOCKS_KEPT];
	best->gain = 0;
	gg_begin_step(g);
	choose_blocks(g, feeds, n, uses, list);
	bool due = is_due(w, list[0]);
	if (w->corpus.blocks[list[0]].nnodes > 1)
		return place_changed(g, list[0], feeds, n, uses);
	for (unsigned i = 0; i < BLOCKS_KEPT && list[i] != NONE; i++)
		if (w->corpus.blocks[list[i]].nnodes == 1 && !(i && due && best->gain > 1))
			prepare_call(g, list[i], feeds, degree_of(g, list[i], n), uses, best);
	if (best->gain <= 1)
		return place_changed(g, list[0], feeds, n, uses);
	uint32_t api = best->trial.o->api;
	w->placed |= is_due(w, api);
	if (uses)
		aim(g, best);
	return finish_call(g, feeds, degree_of(g, api, n), best);
}

bool gg_build_block(gen *g, uint32_t at)
{
	graphing *w = own(g);
	uint32_t feeds[FEEDS_MAX], uses = w->topo.out[at];
	unsigned n = find_feeds(g, at, feeds);
	if (w->steer)
		n = reduce_feeds(g, feeds, n, 1 + rng_below(&g->rng, 2));
	bool last = at + 1 == w->topo.n && w->npath && !w->placed;
	bool steer = w->steer && !gen_chance(g, FREE_ONE_IN);
	w->exits[at] = last    ? place_changed(g, w->path[0], feeds, n, uses)
		       : steer ? place_steered(g, feeds, n, uses)
			       : place_changed(g, draw_block(g, n), feeds, n, uses);
	if (w->exits[at] == GRAPH_NONE && !g->failed) {
		gg_begin_step(g);
		if (gen_last_resort(g)) {
			g->stats.fresh++;
			w->exits[at] = g->graph->last;
			gg_count_node(g, g->graph->last, NOT_YET);
			gg_count_edges(g, g->graph->last);
		}
	}
	return !g->failed;
}
