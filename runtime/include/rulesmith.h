/* librulesmith: compiled operator rules, and models built from them.
 *
 * Usage:
 *     const rs_library *lib = &rs_rules;          // linked in, or rs_library_load(path, …)
 *     const rs_table *t = rs_library_table(lib, "torch");
 *     const rs_op *op = rs_table_find(t, "torch.max_pool2d-0");
 *     if (rs_eval(op, symbols, out)) …            // accepted, with these output dimensions
 *     rs_caller *c = rs_caller_new(op, NULL);     // calls that it accepts
 *     while (rs_sample_forward(c, seed++, symbols, known, out)) …
 *     rs_gen *gen = rs_gen_new(t, &(rs_gen_options){.strategy = RS_NEURI}, message, sizeof message);
 *     rs_gen_model(gen, seed, index, graph);      // a model (model.h)
 *
 * Nothing here needs a solver or a framework. No function keeps global state; a table is read-only
 * and may be shared by threads.
 */
#ifndef RULESMITH_H
#define RULESMITH_H

#include "model.h"
#include "ruletable.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RS_VERSION "0.1.0"

/* Which library these headers are of. It grows with whatever a program was compiled with and the library no longer keeps:
 * the layout of a struct, a number, what a function takes. The shared library is librulesmith.so.RS_LIBRARY_ABI, so that a
 * program never starts with another one; who loads the library by hand asks rs_library_abi(RS_LIBRARY_ABI). */
#define RS_LIBRARY_ABI 2

/* Whether this library serves a program that was built for `wanted`: NULL, or a message that says which side is old and what
 * to do. rs_library_check says the same of a table of rules. */
const char *rs_library_abi(uint32_t wanted);

/* ---- tables */

/* Whether this runtime can read the library and its tables: NULL, or a message that says which side
 * is old and what to run. Call it before anything else with a library that was loaded. */
const char *rs_library_check(const rs_library *lib);

/* Loads a shared library that exports `rs_rules` (as make bench-neuri builds it). Returns NULL and
 * fills message (at most size bytes) when it cannot be opened or its ABI is not readable. The
 * library stays loaded until the program ends. */
const rs_library *rs_library_load(const char *path, char *message, size_t size);

/* The table of a framework, NULL when there is none. */
const rs_table *rs_library_table(const rs_library *lib, const char *framework);

/* An operator by name, in one table or in all; NULL when unknown. O(log n). */
const rs_op *rs_table_find(const rs_table *table, const char *name);
const rs_op *rs_library_find(const rs_library *lib, const char *name);

/* ---- rules */

/* Whether the operator accepts symbols s[op->nsym]; then out[op->nodim] has its output dimensions.
 * False also for an operator without a rule. NeuRI section 2: input constraints and shape
 * propagation. */
bool rs_eval(const rs_op *op, const int64_t *s, int64_t *out);

/* What the names of a framework's APIs begin with; of one that is not known, its own name. */
const char *rs_framework_module(const char *framework);

/* Whether a call changes its i-th input tensor. */
static inline bool rs_writes(const rs_op *op, unsigned i)
{
	return i < 64 && op->writes >> i & 1;
}

/* "float32" … ; rs_dtype_parse gives RS_OTHER for a name it does not know. */
const char *rs_dtype_name(rs_dtype dtype);
rs_dtype rs_dtype_parse(const char *name);
unsigned rs_dtype_size(rs_dtype dtype); /* bytes an element */

/* "unit" … "any" of a class of element values; -1 for a name that is none. */
const char *rs_values_name(uint8_t values);
int rs_values_parse(const char *name);

/* ---- calls */

/* An operator made ready for sampling. Reads the table, which must outlive it; one serves one thread. */
typedef struct rs_caller rs_caller;

/* Where free numbers are drawn; those that others force may lie beyond. */
typedef struct rs_box {
	int64_t low, high; /* dimensions; 0 and 0: 1 … 8. Attributes lie in what the records show */
	int64_t max_numel; /* elements a tensor; 0: 65536 */
	bool empty;	   /* tensors without elements are allowed */
} rs_box;

/* box: NULL for the defaults. NULL when memory ran out, or for an operator that cannot be sampled: wider
 * than 256 symbols and output dimensions, or without a record whose tensors all have elements, at most
 * max_numel. Free it by rs_caller_free. */
rs_caller *rs_caller_new(const rs_op *op, const rs_box *box);
void rs_caller_free(rs_caller *c); /* NULL is fine */

/* Completes a call: symbols[op->nsym], of which those are given whose known[i] is 1 (known NULL: none; the
 * symbols of one tensor are known together). On success all are set, the given ones unchanged, such that
 * the rule accepts them (an operator without a rule, or one of RS_BY_RECORD: such that they are a record), and
 * out[op->nodim] has the output dimensions. False when nothing was found; what was not given is then
 * unspecified. The answer depends on the operator, the box, what is given and the seed only. The work is
 * bounded (Isra, section 3.3.1; docs/explanation/rules.md). */
bool rs_sample_forward(rs_caller *c, uint64_t seed, int64_t *symbols, const uint8_t *known, int64_t *out);

/* The same such that output number `output` has this shape, of op->out_ranks[output] dimensions. */
bool rs_sample_backward(rs_caller *c, uint64_t seed, int64_t *symbols, const uint8_t *known,
    unsigned output, const int64_t *shape, int64_t *out);

/* ---- generators of models */

enum rs_strategy { RS_NEURI, RS_ISRA, RS_GRAPH, RS_CALLS };
enum rs_chooser { RS_CHOOSER_MCTS, RS_CHOOSER_RANDOM };
enum rs_topology { RS_TOPOLOGY_BOTH, RS_TOPOLOGY_WS, RS_TOPOLOGY_RN };

/* What operators are connected by, besides shapes and dtypes: the classes of element values that keep
 * all elements finite, or nothing, except where an operator was seen to refuse values. By default
 * finite, for RS_ISRA any: in the paper's setting every pair of operators can meet. */
enum rs_keep { RS_KEEP_DEFAULT, RS_KEEP_FINITE, RS_KEEP_ANY };

/* What the float inputs of a model hold: whole numbers, so few and small that sums of products are exact and
 * every order of adding gives the same bits, or real ones. Mixed: every second model has whole numbers. */
enum rs_elements { RS_ELEMENTS_MIXED, RS_ELEMENTS_REAL, RS_ELEMENTS_WHOLE };

/* What models have besides calls; per mille, 0: none. Each is drawn from numbers of its own, so that nothing else of a model
 * depends on it. Layouts, gradients and modules are for frameworks that have them, functions and subgraphs for those whose models are files. */
typedef struct rs_features {
	uint32_t layouts;   /* of inputs: lie in memory in another way than without gaps and in order */
	uint32_t gradients; /* of models: the gradients of their float inputs are results as well */
	uint32_t modules;   /* of models: are objects whose parameters are their constants */
	uint32_t repeats;   /* of calls: are made again, the same or nearly */
	uint32_t functions; /* of models: a run of calls is a function that the file calls */
	uint32_t subgraphs; /* of models: runs of calls are branches of an If or bodies of a Loop */
} rs_features;

typedef struct rs_gen_options {
	enum rs_strategy strategy;
	uint32_t nodes_low, nodes_high; /* operators a model, both included; 0 and 0: 5 */
	int64_t max_numel;		/* elements a tensor; 0: 65536 */
	const char *api;		/* a glob that APIs must match; NULL: all. Not kept */
	uint32_t picking;  /* RS_ISRA: per mille of inputs that are existing tensors; 0: 970 */
	const char *set;   /* a set of operators, "isra65", "graph50"; NULL: all. Not kept */
	int64_t dim_max;   /* of dimensions that are free to choose; 0: the strategy's own */
	uint32_t rank_max; /* of tensors; 0: the strategy's own */
	const char *const *apis; /* napis: these only; NULL: all. Not kept */
	uint32_t napis;
	enum rs_chooser chooser;   /* RS_GRAPH: of blocks */
	enum rs_topology topology; /* RS_GRAPH */
	bool no_mutations;	   /* RS_GRAPH */
	enum rs_keep values;
	enum rs_elements elements;
	const uint64_t *without; /* nwithout, ascending: rs_call_hash of calls to leave out. Not kept */
	size_t nwithout;
	uint32_t initializers; /* per mille of the inputs that real models have as weights: so many are constants of the
				  model; 0: 750, but none for RS_CALLS */
	bool no_initializers;
	uint32_t chains; /* RS_NEURI, RS_ISRA: per mille of steps that insert calls as real models have them together; 0: 150.
			    Such calls are the generator's: a model that has some must not outlive it */
	bool no_chains;
	uint32_t symbolic; /* not RS_CALLS: per mille of models that have several shape assignments, where they are found */
	uint32_t assignments; /* so many, 2 to 16, the model's own among them; 0: 3 */
	uint32_t near_misses; /* per mille of models whose last call is broken by one number: a reference must refuse it; 0: none */
	rs_features features;
	bool solver; /* asks libz3, loaded now, for calls that no sampler finds */
} rs_gen_options;

/* Names an operator's calls with tensors of these dtypes: nin of inputs, then nout of outputs (rs_dtype). The same on
 * every machine. */
uint64_t rs_call_hash(const rs_op *op, const uint8_t *dtypes);

/* A generator for one table, which must outlive it. Builds an index of the table once (megabytes,
 * tens of milliseconds). NULL and a message (at most size bytes) when no operator can take part, the
 * strategy is not there, or memory ran out. One generator serves one thread. */
typedef struct rs_gen rs_gen;
rs_gen *rs_gen_new(
    const rs_table *table, const rs_gen_options *options, char *message, size_t size);
void rs_gen_free(rs_gen *gen); /* NULL is fine */
/* How many models there are before they repeat themselves with other numbers (RS_CALLS); 0: they do not. */
uint64_t rs_gen_count(const rs_gen *gen);

/* Model number index of the run seed, into out, whose content is forgotten. It depends on nothing
 * but table, options, seed and index. The work is bounded. False when out of memory only.
 * RS_NEURI: hybrid concolic insertion, forward and backward (NeuRI section 3.3). RS_ISRA: node by
 * node in topological order (Isra sections 3.2, 3.3). RS_GRAPH: blocks on random graphs, chosen by
 * what the models before it in its run cover (graph-fuzz section III); asked for another than
 * the next, it makes those once more. RS_CALLS: one call, of every operator with every row of dtypes in turn. */
bool rs_gen_model(rs_gen *gen, uint64_t seed, uint64_t index, rs_graph *out);

#ifdef __cplusplus
}
#endif

#endif
