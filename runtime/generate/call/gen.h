/* State shared by all strategies: the tensors of the current model, a call under construction (trial), and its insertion.
 * generator.c runs a strategy.
 *
 *   strategy            draws an API, a signature, and the tensors to connect
 *     trial_begin         a call of that signature, with nothing decided
 *     trial_fix_input     connects an existing tensor to an input
 *     gen_sample(_back)   numbers for the rest (sample.h)
 *     gen_commit          new inputs for unconnected ones; the call becomes a node
 *
 * Nothing backtracks, and every loop has a constant bound. */
#ifndef GEN_H
#define GEN_H

#include "gen_index.h"
#include "graph.h"
#include "rng.h"
#include "sample.h"
#include "uses.h"
#include "weights.h"

enum {
	GEN_RING = 32, /* remembered tensors per rank and dtype */
	GEN_AHEAD = 3, /* APIs drawn ahead */
	GEN_BUCKETS = (INDEX_RANK_MAX + 1) * RS_DTYPE_COUNT,
};

typedef struct rs_gen gen;

typedef struct gen_stats {
	uint64_t models, nodes;
	uint64_t forward, backward;  /* insertions that use a tensor, that replace an input */
	uint64_t fresh;		     /* insertions with new inputs only */
	uint64_t symbolic, concrete; /* calls by rule, by record */
	uint64_t asked_to_vary, varying; /* models for which shape instances were looked for, and found */
} gen_stats;

/* A row of enum rs_strategy. open and close (NULL: nothing) run once per generator; the strategy keeps its state in g->own.
 * first (NULL: the model itself) returns the first model that must be generated, in order, to get a given one: for
 * strategies that learn from their models. model builds a model of that many nodes (blocks for RS_GRAPH) in g->graph.
 * False: out of memory; for open with a message. */
typedef struct gen_strategy {
	bool (*open)(gen *g, const rs_gen_options *options, diag *d);
	uint64_t (*first)(gen *g, uint64_t seed, uint64_t index);
	bool (*model)(gen *g, uint32_t nodes);
	uint64_t (*count)(const gen *g); /* rs_gen_count; NULL: 0 */
	void (*close)(gen *g);
	int64_t dim_max; /* default maximum of free dimensions */
	uint32_t rank_max; /* default maximum rank */
	bool any_values;   /* element values may leave the finite classes */
} gen_strategy;

/* The kind of most calls of a model (theme.h). */
enum gen_theme { GEN_ANY, GEN_INTEGERS, GEN_KEEPING, GEN_WEIGHTED, GEN_THEMES };

/* A call under construction. */
typedef struct trial {
	const index_op *o;
	const uint8_t *row;             /* dtypes of inputs and outputs */
	int64_t v[INDEX_WIDTH_MAX];     /* symbols, then output dimensions */
	uint8_t known[INDEX_WIDTH_MAX]; /* per symbol: 1 if v has been decided */
	uint32_t inputs[INDEX_TENSORS_MAX]; /* existing tensors; GRAPH_NONE: not decided */
	uint32_t before;   /* the node is inserted before this one; GRAPH_NONE: at the end */
	uint32_t occupied; /* the model input that an output replaces, or GRAPH_NONE */
	uint16_t reuse;    /* per mille: how often an undecided input is an existing tensor of its type instead of a new input */
	uint8_t widest;    /* the widest class of element values of inputs */
	bool symbolic;     /* its numbers come from the rule */
} trial;

typedef struct gen_bucket {
	uint64_t model; /* a ring with another stamp is empty */
	uint32_t count; /* at most GEN_RING */
	uint32_t tensors[GEN_RING];
} gen_bucket;

struct rs_gen {
	gen_index index;
	struct gen_sets *sets; /* a range of operator sets (gen_sets.h); NULL: none */
	const gen_strategy *strategy;
	void *own; /* state of the strategy */
	uint32_t nodes_low, nodes_high;
	uint32_t picking; /* per mille */
	bool any_values;
	enum rs_elements elements_of; /* of model inputs */
	int64_t mixed; /* maximum of mixed sizes (sizes.h); 0: no model has any */
	uint32_t initializers; /* per mille of weight inputs */
	weights weights;
	uses uses; /* n: 0 without g->features.weights */
	uint32_t chain_share; /* per mille of steps */
	struct chains *chains; /* NULL: none */
	uint32_t symbolic; /* models with dynamic shapes, per mille */
	uint32_t assignments; /* shape instances of a dynamic model */
	struct assigner *assigner; /* scratch of assign.h */
	uint32_t near_misses; /* invalid models, per mille */
	rs_features features;
	uint32_t *casts; /* signatures that round trips use (round_trips.h) */
	uint32_t ncasts;
	struct quantizers *quantizers; /* see quantizer.h */
	struct flags *flags; /* see flags.h */
	struct shape_operators *shapes; /* see shape_calls.h */
	struct effect_calls *effects; /* see effect_calls.h; NULL: no model is mutated */
	struct themes *themes; /* see theme.h; NULL: no model has one */
	int64_t max_numel;
	gen_stats stats;
	const char **texts; /* scratch: the constants of a call */
	graph *again; /* earlier models that are generated again for the strategy's state */
	/* the current model */
	graph *graph;
	rng rng;
	uint64_t model;   /* stamp of the current model */
	int64_t elements; /* of all tensors so far */
	int64_t budget;   /* maximum elements of a model */
	sample_box box;   /* maximum elements of this step */
	bool whole;	  /* float inputs hold integers */
	enum gen_theme theme;
	uint32_t wide;	  /* per mille of integer inputs: have wide elements */
	uint32_t *fed;	  /* scratch: per node, the number of inputs that depend on model inputs */
	uint32_t fed_room;
	bool failed;      /* out of memory */
	bool mutated;	  /* calls write to memory that lives on (mutation.c) */
	gen_bucket buckets[GEN_BUCKETS];
	uint32_t *inputs; /* model inputs that an output may replace */
	uint32_t *places; /* position of each of these */
	uint32_t ninputs, room;
	uint32_t next[GEN_AHEAD]; /* APIs drawn ahead */
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

/* Call before each call: bounds its tensors by the remaining elements of the model; rarely allows an empty tensor. */
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

/* A new input with another tensor's shape, dtype, class and range, constant if that is constant. Later steps do not see it yet.
 * `like` must be a copy or belong to another graph, since this graph's tensors may move. GRAPH_NONE: out of memory. */
uint32_t gen_input_like(gen *g, const graph_tensor *like);
/* Makes a new tensor visible to later steps; replaceable: an input that an output may replace. */
void gen_enrol(gen *g, uint32_t tensor, bool replaceable);
/* A random tensor, recent and unused ones preferred; of any type, or of a rank and dtype. GRAPH_NONE: none. */
uint32_t gen_draw_tensor(gen *g);
uint32_t gen_draw_of_type(gen *g, unsigned rank, unsigned dtype);
bool gen_has_shape(const graph_tensor *t, unsigned rank, const int64_t *shape);

/* ---- a trial */

void trial_begin(trial *t, const index_op *o, const uint8_t *row);
/* Connects an existing tensor for which gen_may_take holds. Its shape must have the input's rank. */
void trial_fix_input(gen *g, trial *t, unsigned slot, uint32_t tensor);
/* Whether an input may be the output of a call, instead of a new model input. */
bool gen_takes_results(const trial *t, unsigned slot);
/* Whether the element values of a tensor suit an input, and the tensor exists before the call. */
bool gen_may_take(const gen *g, const trial *t, unsigned slot, uint32_t tensor);
/* Whether an output may replace a model input, whose users rely on its element values. If so, the trial's inputs are
 * restricted accordingly. */
bool gen_may_replace(const gen *g, trial *t, uint32_t input);
/* The widest class that an input accepts in this trial; the class of the outputs, after the numbers are decided. */
uint8_t gen_accepts(const gen *g, const trial *t, unsigned slot);
uint8_t gen_output_class(const gen *g, const trial *t);
/* Restricts the trial's inputs to classes that keep its outputs in this class. False: no class does. */
bool gen_hold(const gen *g, trial *t, uint8_t class);

bool gen_sample(gen *g, trial *t); /* sample_forward on the trial, in g->box */
bool gen_sample_back(gen *g, trial *t, unsigned output, const int64_t *shape);
/* Uses a stored record unchanged. False: its tensors are too large now. */
bool gen_take_record(gen *g, trial *t, const int64_t *record);

/* A new model input for an undecided input. Later steps do not see it yet. GRAPH_NONE: out of memory (g->failed). */
uint32_t gen_new_input(gen *g, const trial *t, unsigned slot);
/* Draws the constants of a call into g->texts. */
void gen_draw_texts(gen *g, const index_op *o);
/* Makes the outputs of an inserted call visible to later steps. */
void gen_enrol_outputs(gen *g, const trial *t, uint32_t node);

/* Inserts the call; undecided inputs are connected or made. Returns the node; GRAPH_NONE: out of memory (g->failed). */
uint32_t gen_commit(gen *g, trial *t);
/* The same; an output replaces t->occupied. */
uint32_t gen_commit_back(gen *g, trial *t, unsigned output);
/* Inserts a small record, which always fits. */
bool gen_last_resort(gen *g);

#endif
