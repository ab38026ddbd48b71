/* Graph-based generation (graph-based fuzz testing, section III).
 *
 *   topology     n blocks as a directed acyclic graph, WS or RN; GEA and GER change its edges
 *   chooser      a path of the search tree: the model must contain the newest of its blocks
 *   blocks       node by node: one whose inputs fit the predecessors; BNA and BNR change subgraphs
 *   calls        connect the predecessors' tensors to inputs, by the rules:
 *                  direct      the rule accepts them unchanged
 *                  converted   by a call that makes exactly the needed tensor
 *                  aggregated  by a call that merges two tensors, if there are too many
 *                  dropped     otherwise; unconnected inputs are new model inputs
 *   coverage     what the model adds (olc.h); reported to the tree
 *
 * Converters and aggregators are any signatures with fitting dtype rows and rules; none is known by name. Free choices go
 * to uncovered edges, degrees and vectors.
 *
 * Therefore a model depends on the earlier models of its run. A run is some thousand models of one seed. If the next model
 * is not requested, the earlier ones are generated again, which bounds the work and keeps models a function of seed and
 * index. All decisions use integers.
 */
#include "gen_graph.h"

#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "cover.h"
#include "feed.h"

enum {
	RUN_MODELS = 4096,    /* models after which coverage and tree are reset */
	RUN_BLOCKS = 1 << 16, /* or blocks in models after which they are */
	TC1 = 10,             /* levels of the tree */
	CHILDREN = 3,
};

/* ---- a model */

static bool draw_topology(gen *g, uint32_t n)
{
	graphing *w = own(g);
	static const unsigned NEIGHBOURS[] = {2, 4, 6};
	bool rn =
	    w->models == RS_TOPOLOGY_RN || (w->models == RS_TOPOLOGY_BOTH && gen_chance(g, 2));
	unsigned k = NEIGHBOURS[rng_below(&g->rng, 3)];
	w->mutation = w->mutate ? mutate_select(&g->rng) : (mutation){0};
	if (!topology_draw(&w->topo, rn ? TOPOLOGY_RN : TOPOLOGY_WS, n, k, rn ? 900 : 500, &g->rng)
	    || !mutate_add_edges(&w->topo, w->mutation.gea, &g->rng))
		return false;
	mutate_remove_edges(&w->topo, w->mutation.ger, &g->rng);
	gg_draw_base(g);
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

/* Marks items that no call can cover as covered; otherwise the search would pursue only these. */
static uint32_t unreachable(const graphing *w, uint32_t api)
{
	return w->reach[api] < MAXSPC ? (MAXSPC - w->reach[api]) * (OLC_ONE / MAXSPC) : 0;
}

/* The API of lowest coverage that is not in a leaf's path; NONE: all are. */
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

/* The operator itself, or a subgraph that contains it. */
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

/* Selection and expansion: the node of the tree whose path the model is made of. */
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
	w->share = g->budget / 2 / nodes;
	uint32_t leaf = w->steer ? choose_path(g) : MCTS_ROOT;
	w->placed = false;
	if (!reserve_exits(w, nodes) || !draw_topology(g, nodes))
		return false;
	for (uint32_t i = 0; i < nodes; i++)
		if (!gg_build_block(g, i))
			return false;
	for (uint32_t i = g->graph->first; i != GRAPH_NONE; i = g->graph->nodes[i].next)
		gg_count_node(g, i, gg_node_uses(g->graph, i));
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

/* Whether the next model to be generated is this one, or an earlier one of its run. */
static bool leads_to(const graphing *w, uint64_t seed, uint64_t index)
{
	return w->running && w->seed == seed && w->next <= index && w->next / w->run == index / w->run;
}

static uint64_t graph_first(gen *g, uint64_t seed, uint64_t index)
{
	graphing *w = own(g);
	if (index % w->run == 0 || (w->steer && !leads_to(w, seed, index)))
		begin_run(w, seed, index - index % w->run);
	return w->steer ? w->next : index;
}

static bool graph_model(gen *g, uint32_t nodes)
{
	own(g)->next++;
	return build(g, nodes);
}

/* ---- create, destroy */

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
	w->run = RUN_BLOCKS / g->nodes_high < RUN_MODELS ? RUN_BLOCKS / g->nodes_high : RUN_MODELS;
	w->run = w->run ? w->run : 1;
	w->words = (g->index.napis + 63) / 64;
	if (!corpus_build(&w->corpus, &g->index)
	    || !olc_init(&w->cover, g->index.napis, w->corpus.in_degrees, MAXSPC)
	    || !mcts_init(&w->tree, TC1, CHILDREN) || !map_apis(g, w) || !gg_list_ways(g, w))
		return diag_set(d, "out of memory");
	return true;
}

bool gen_graph_coverage(const rs_gen *g, olc_report *r)
{
	if (g->strategy != &graph_strategy)
		return false;
	*r = olc_sum(&own(g)->cover);
	return true;
}

const gen_strategy graph_strategy = {.open = graph_open,
    .first = graph_first,
    .model = graph_model,
    .close = graph_close,
    .dim_max = 12,
    .rank_max = INDEX_RANK_MAX};
