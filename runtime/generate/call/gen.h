/* What all strategies of generation share: the tensors of the model at work, a call in the making,
 * and its insertion. generator.c runs a strategy.
 *
 *   strategy            draws an API, an operator of it, and which tensors to connect
 *     trial_begin         a call of that operator, with nothing decided
 *     trial_fix_input     an existing tensor for one of its inputs
 *     gen_sample(_back)   numbers for the rest (sample.h)
 *     gen_commit          new inputs for what is not connected; the call becomes a node
 *
 * Nothing here backtracks, and every loop has a constant bound. */
#ifndef GEN_H
#define GEN_H

#include "chains.h"
#include "gen_index.h"
#include "graph.h"
#include "rng.h"
#include "sample.h"
#include "weights.h"

enum {
	GEN_RING = 32, /* tensors of a rank and dtype that are remembered */
	GEN_AHEAD = 3, /* APIs drawn before they are needed */
	GEN_BUCKETS = (INDEX_RANK_MAX + 1) * RS_DTYPE_COUNT,
};

typedef struct rs_gen gen;

typedef struct gen_stats {
	uint64_t models, nodes;
	uint64_t forward, backward;  /* insertions that consume a tensor, that replace an input */
	uint64_t fresh;		     /* and that need neither */
	uint64_t symbolic, concrete; /* by a rule, by a stored record */
	uint64_t asked_to_vary, varying; /* models that were to have several shape assignments, and that have */
} gen_stats;

gen_stats gen_get_stats(const rs_gen *g);
solver_stats gen_get_solver_stats(const rs_gen *g); /* zeros without a solver */
gen_scope gen_get_scope(const rs_gen *g);

/* One of enum rs_strategy. open and close (NULL: nothing to do) run once a generator, with what the
 * strategy keeps in g->own. first (NULL: the model itself) says from which model on they must be made,
 * one after another, to get one: what a strategy learns from models is part of the next. model builds
 * one model of so many nodes (blocks, for the strategy graph) in g->graph. False: out of memory, and
 * for open also a message. */
typedef struct gen_strategy {
	bool (*open)(gen *g, const rs_gen_options *options, diag *d);
	uint64_t (*first)(gen *g, uint64_t seed, uint64_t index);
	bool (*model)(gen *g, uint32_t nodes);
	uint64_t (*count)(const gen *g); /* rs_gen_count; NULL: 0 */
	void (*close)(gen *g);
	int64_t dim_max; /* by default: of free dimensions, */
	uint32_t rank_max; /* and of tensors */
	bool any_values;   /* element values may leave the classes that keep them finite */
} gen_strategy;

/* A call in the making. */
typedef struct trial {
	const index_op *o;
	const uint8_t *row;             /* dtypes of inputs and outputs */
	int64_t v[INDEX_WIDTH_MAX];     /* symbols, then output dimensions */
	uint8_t known[INDEX_WIDTH_MAX]; /* symbols: 1 where v has been decided */
	uint32_t inputs[INDEX_TENSORS_MAX]; /* existing tensors, GRAPH_NONE: not decided */
	uint32_t before;   /* the place of the node; GRAPH_NONE: at the end */
	uint32_t occupied; /* the model's input that an output is to replace, or GRAPH_NONE */
	uint16_t reuse;    /* per mille: how often an input that is not decided is looked for among the
			      tensors of its type, rather than made new */
	uint8_t widest;    /* class of element values that inputs may have at most */
	bool symbolic;     /* its numbers come from the rule */
} trial;

typedef struct gen_bucket {
	uint64_t model; /* stamp: of another model is empty */
	uint32_t count; /* at most GEN_RING */
	uint32_t tensors[GEN_RING];
} gen_bucket;

struct rs_gen {
	gen_index index;
	const gen_strategy *strategy;
	void *own; /* the strategy's */
	uint32_t nodes_low, nodes_high;
	uint32_t picking; /* per mille */
	bool any_values;
	enum rs_elements elements_of; /* of models */
	uint32_t initializers; /* per mille of what is a weight */
	weights weights;
	uint32_t chain_share; /* per mille of steps */
	chains chains;
	uint32_t symbolic; /* per mille of models that have several shape assignments, */
	uint32_t assignments; /* and how many */
	struct assigner *assigner; /* scratch: assign.h */
	uint32_t near_misses; /* per mille of models */
	rs_features features;
	int64_t max_numel;
	gen_stats stats;
	const char **texts; /* scratch: the constants of a call */
	graph *again; /* models that are made once more, for what the strategy learns from them */
	/* of the current model */
	graph *graph;
	rng rng;
	uint64_t model;   /* stamp */
	int64_t elements; /* of all tensors so far */
	int64_t budget;   /* elements a model */
	sample_box box;   /* of this step */
	bool whole;	  /* its float inputs hold whole numbers */
	uint32_t *fed;	  /* scratch: by node, how many of its inputs depend on what the model is fed */
	uint32_t fed_room;
	bool failed;      /* out of memory */
	gen_bucket buckets[GEN_BUCKETS];
	uint32_t *inputs; /* inputs of the model that an output may replace, */
	uint32_t *places; /* and where each stands there */
	uint32_t ninputs, room;
	uint32_t next[GEN_AHEAD]; /* APIs that are drawn ahead */
	trial trial; /* scratch */
};

static inline bool gen_chance(gen *g, uint32_t one_in)
{
	return rng_below(&g->rng, one_in) == 0;
}

static inline bool gen_per_mille(gen *g, uint32_t share)
{
	return rng_below(&g->rng, 1000) < share;
}

/* Before each call: what is left of the model's elements bounds the tensors of this one; rarely one
 * may have none. */
void gen_begin_step(gen *g);

/* ---- the tensors of the model */

static inline const graph_tensor *gen_tensor(const gen *g, uint32_t tensor)
{
	return &g->graph->tensors[tensor];
}

static inline gen_bucket *gen_of_type(gen *g, unsigned rank, unsigned dtype)
{
	gen_bucket *b = &g->buckets[rank * RS_DTYPE_COUNT + dtype];
	if (b->model != g->model) {
		b->model = g->model;
		b->count = 0;
	}
	return b;
}

/* A new input of the model of another tensor's shape, dtype, class and range, constant where that is, which no later step knows
 * of yet. `like`: a copy, or another graph's, since the graph's own may move. GRAPH_NONE: out of memory. */
uint32_t gen_input_like(gen *g, const graph_tensor *like);
/* Makes a new tensor known to later steps; replaceable: an input that an output may replace. */
void gen_enrol(gen *g, uint32_t tensor, bool replaceable);
/* Any tensor, recent and unused ones more often; one of a rank and dtype. GRAPH_NONE: none. */
uint32_t gen_draw_tensor(gen *g);
uint32_t gen_draw_of_type(gen *g, unsigned rank, unsigned dtype);
bool gen_has_shape(const graph_tensor *t, unsigned rank, const int64_t *shape);

/* ---- a trial */

void trial_begin(trial *t, const index_op *o, const uint8_t *row);
/* Connects an existing tensor, which gen_may_take. Its shape must be of the input's rank. */
void trial_fix_input(gen *g, trial *t, unsigned slot, uint32_t tensor);
/* Whether an input may be what a call returned, rather than a new input of the model. */
bool gen_takes_results(const trial *t, unsigned slot);
/* Whether a tensor's element values suit an input, and it may be used before where the call goes. */
bool gen_may_take(const gen *g, const trial *t, unsigned slot, uint32_t tensor);
/* Whether an output may replace an input of the model, whose users rely on its element values; then
 * the trial's inputs are held to what allows that. */
bool gen_may_replace(const gen *g, trial *t, uint32_t input);
/* The widest class that an input takes in this trial; that of the outputs, once the numbers are there. */
uint8_t gen_accepts(const gen *g, const trial *t, unsigned slot);
uint8_t gen_output_class(const gen *g, const trial *t);
/* Holds the trial's inputs to classes that keep its outputs in this one. False: none does. */
bool gen_hold(const gen *g, trial *t, uint8_t class);

bool gen_sample(gen *g, trial *t); /* sample_forward on the trial, in g->box */
bool gen_sample_back(gen *g, trial *t, unsigned output, const int64_t *shape);
/* Takes a stored record as it is. False when its tensors are too large now. */
bool gen_take_record(gen *g, trial *t, const int64_t *record);

/* Inserts the call; undecided inputs are found or made. Returns its node, GRAPH_NONE when out of
 * memory (g->failed). */
uint32_t gen_commit(gen *g, trial *t);
/* The same, and an output takes the place of t->occupied. */
uint32_t gen_commit_back(gen *g, trial *t, unsigned output);
/* What can always be inserted: a small record, whatever the limits say. */
bool gen_last_resort(gen *g);

#endif
