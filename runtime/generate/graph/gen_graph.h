/* Inside the strategy graph: what its files share (gen_graph.c says how it works).
 *
 *   gen_graph_cover.c   what was covered, and what is worth covering
 *   gen_graph_feed.c    tensors into the inputs of a call: directly, converted, aggregated
 *   gen_graph_block.c   which call, which block
 *   gen_graph.c         models, the search, runs
 */
#ifndef GEN_GRAPH_H
#define GEN_GRAPH_H

#include "corpus.h"
#include "gen.h"
#include "mcts.h"
#include "mutate.h"
#include "olc.h"
#include "topology.h"

enum {
	MAXSPC = 200,
	FEEDS_MAX = 8, /* predecessors of a block that are looked at */
	BASE = 8,      /* rank of the shape that inputs share */
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
	bool steer, mutate; /* options */
	uint8_t models;     /* enum rs_topology */
	uint32_t words;     /* of a set of APIs */
	uint64_t *takers;   /* [TYPES][RS_VALUES_COUNT][words]: APIs that take a type by a rule */
	uint32_t *api_of;   /* by operator of the table; NONE: takes no part */
	bool *recorded;     /* [apis]: some of its operators have records only */
	uint32_t *shy;      /* nshy APIs with operators that have records only */
	uint32_t nshy;
	uint32_t *misses; /* [apis]: calls that were used since one got a new successor */
	uint32_t *reach;  /* [apis]: vectors that can be had: all, or what records hold */
	way *ways;        /* sorted by key */
	uint32_t nways;
	uint32_t *exits; /* by block of the model: its last node */
	uint32_t room;
	uint32_t path[MCTS_LEVELS_MAX]; /* blocks, the newest first */
	unsigned npath;
	bool placed;        /* the newest of them */
	int64_t share;      /* elements that a tensor of this model may have */
	int64_t base[BASE]; /* the shape that the model's inputs share */
	prepared best;      /* scratch */
	/* the run */
	graph *again; /* models that are made once more */
	uint64_t seed, next;
	uint32_t run; /* models */
	bool running;
	bool grew; /* the coverage, by the current model */
} graphing;

static inline graphing *own(const gen *g)
{
	return g->own;
}

/* Rank and dtype in one number. */
static inline uint32_t type_of(unsigned rank, unsigned dtype)
{
	return rank * RS_DTYPE_COUNT + dtype;
}

static inline uint32_t type_of_tensor(const gen *g, uint32_t tensor)
{
	return type_of(gen_tensor(g, tensor)->rank, gen_tensor(g, tensor)->dtype);
}

/* The APIs that take a type with elements of a class, by a rule. */
static inline uint64_t *takers_of(const graphing *w, uint32_t type, unsigned class)
{
	return w->takers + ((size_t)type * RS_VALUES_COUNT + class) * w->words;
}

/* The class of an operator's outputs from inputs of the model. */
static inline unsigned likely_class(const index_op *o)
{
	return o->classes ? o->classes[o->nin + RS_VALUES_SMALL] : (unsigned)RS_VALUES_ANY;
}

/* ---- gen_graph_cover.c */

/* The API that made a tensor; NONE: an input of the model. */
uint32_t gg_maker(const gen *g, uint32_t tensor);
/* How often other nodes take its outputs. */
uint32_t gg_node_uses(const graph *m, uint32_t node);
/* Whether an API may take a tensor: by a rule for its type, or by a record of its very shape. */
bool gg_may_take(const gen *g, uint32_t api, uint32_t tensor);
/* Whether the edge was seen, or there is none to see: from an input of the model. */
bool gg_has_edge(const gen *g, uint32_t from, uint32_t to);
/* Whether any API takes one of a call's outputs by a rule. */
bool gg_leads_on(const gen *g, const index_op *o, const uint8_t *row, unsigned class);
/* How many of so many uses of a call could be by APIs that have not followed its own yet: over the
 * types of its outputs, the most. And what that is worth; the less, the longer its API got no new
 * successor: some of those whose type fits cannot be had. */
uint32_t gg_prospects(
    const gen *g, const index_op *o, const uint8_t *row, unsigned class, uint32_t uses);
uint64_t gg_worth_prospects(const gen *g, uint32_t api, uint32_t prospects);
/* What a call adds by new shapes and parameters, if it can still have such; by its in-degree too;
 * by an edge. In parts of OLC_ONE. */
uint32_t gg_worth_vector(const gen *g, uint32_t api);
uint32_t gg_worth_call(const gen *g, const index_op *o);
uint32_t gg_worth_edge(const gen *g, uint32_t from, uint32_t to);
/* A hash of an operator's symbols: its shapes and parameters but for those that are no integers. */
uint64_t gg_vector_of(const gen *g, const rs_op *op, const int64_t *v);
/* Out-degrees are known at the end of a model only. */
void gg_count_node(gen *g, uint32_t node, uint32_t uses);
void gg_count_edges(gen *g, uint32_t node);
/* Inserts a call and counts it at once, so that the next one does not add the same. Returns its
 * node, GRAPH_NONE when out of memory. */
uint32_t gg_commit(gen *g, trial *t);

/* ---- gen_graph_feed.c */

/* The shape that the model's inputs share, from its end: those of rank 2 have its last two
 * dimensions. Equal shapes meet again in calls of two tensors. One of a few without TSM (section
 * V.C). */
void gg_draw_base(gen *g);
/* Before each call; a tensor gets no more than its share of the model's elements. */
void gg_begin_step(gen *g);
/* Numbers for a call none of whose inputs is fed. */
bool gg_sample_source(gen *g, trial *t);
/* PM, and TSM for what is not fed: draws numbers again until their vector is new. */
void gg_redraw(gen *g, trial *t, bool fed);
/* A second tensor for one of a trial's open inputs, where the rule accepts it. */
bool gg_feed_directly(gen *g, trial *t, uint32_t tensor);
/* Another tensor by conversion, into any of the open inputs. */
bool gg_feed_converted(gen *g, trial *t, uint32_t tensor);
/* One tensor of two; GRAPH_NONE: no operator was found that takes both. */
uint32_t gg_aggregate(gen *g, uint32_t a, uint32_t b);
/* What the operators of the index take and give, into w->ways and w->takers. */
bool gg_list_ways(const gen *g, graphing *w);

/* ---- gen_graph_block.c */

/* Block number `at` of the topology. False when out of memory. */
bool gg_build_block(gen *g, uint32_t at);

#endif
