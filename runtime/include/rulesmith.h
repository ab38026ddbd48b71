/* librulesmith: compiled operator rules, and models generated from them.
 *
 * Usage:
 *     const rs_library *lib = &rs_rules;          // linked in, or rs_library_load(path, …)
 *     const rs_table *t = rs_library_table(lib, "torch");
 *     const rs_op *op = rs_table_find(t, "torch.max_pool2d-0");
 *     if (rs_eval(op, symbols, out)) …            // valid; out has the output dimensions
 *     rs_caller *c = rs_caller_new(op, NULL);     // samples valid calls
 *     while (rs_sample_forward(c, seed++, symbols, known, out)) …
 *     rs_gen *gen = rs_gen_new(t, &(rs_gen_options){.strategy = RS_NEURI}, message, sizeof message);
 *     rs_gen_model(gen, seed, index, graph);      // a model (model.h)
 *
 * No function needs a solver or a framework, unless its comment states so. No function keeps global state. Tables are read-only
 * and may be shared by threads; every other object serves one thread at a time. Sizes of tensors are numbers of elements; sizes
 * of buffers are bytes. Functions report failure by false, NULL, or a message of at most the given size.
 */
#ifndef RULESMITH_H
#define RULESMITH_H

#include "apirules.h"
#include "modelfeatures.h"
#include "model.h"
#include "ruletable.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RS_VERSION "0.1.0"

/* Version of the binary interface of this library: struct layouts, constants, parameters. It grows with every incompatible
 * change. The shared library is named librulesmith.so.RS_LIBRARY_ABI, so that a program does not start with another version. A
 * program that loads the library with dlopen calls rs_library_abi(RS_LIBRARY_ABI) first. */
#define RS_LIBRARY_ABI 5

/* Checks whether this library serves a program built for version `wanted`. Returns NULL if it does, else a message that names
 * the older side and the remedy. The message is static. rs_library_check does the same for a table of rules. */
const char *rs_library_abi(uint32_t wanted);

/* ---- tables */

/* Checks whether this runtime can read a rule library and its tables. Returns NULL if it can, else a static message that names
 * the older side and the remedy. Call it before any other use of a library that was not loaded by rs_library_load. */
const char *rs_library_check(const rs_library *lib);

/* Loads a shared library that exports `rs_rules`, such as the one that `rulesmith learn` writes, and checks its version.
 * Returns NULL and a message (at most size bytes, NUL-terminated) if it cannot be opened or read. The library stays loaded
 * until the program ends; nothing is to be freed. */
const rs_library *rs_library_load(const char *path, char *message, size_t size);

/* The table of a framework; NULL: the library has none. */
const rs_table *rs_library_table(const rs_library *lib, const char *framework);

/* A signature by name, in one table or in the first table that has it; NULL: unknown. Takes O(log n) string comparisons. */
const rs_op *rs_table_find(const rs_table *table, const char *name);
const rs_op *rs_library_find(const rs_library *lib, const char *name);

/* ---- rules */

/* Evaluates a rule (NeuRI, section 2: input constraints and shape propagation). s[op->nsym] are the symbols of the call. True:
 * the call is valid, and out[op->nodim] has the dimensions of all outputs, in order. False: the call is invalid, or the
 * signature has no rule; out is unspecified. */
bool rs_eval(const rs_op *op, const int64_t *s, int64_t *out);

/* Answers a call in text form (docs/reference/python-api.md): `torch.nn.functional.max_pool2d(f32[1,3,8,8], 2)`. Arguments are
 * bound as the framework binds them. The answer is a JSON object, to be freed with free():
 *     {"api":…,"valid":true,"outputs":[[1,3,4,4]],"signature":…}   accepted, with the shapes of the outputs
 *     {"api":…,"valid":false,"why":…}                              rejected
 *     {"api":…,"unknown":…}                                        nothing recorded decides: what is missing
 *     {"error":…}                                                  the text is not a call
 * apis: the rules of whole APIs, rs_apis beside rs_rules; NULL: only recorded signatures count. Returns NULL if memory runs out. */
char *rs_answer(const rs_library *lib, const rs_api_library *apis, const char *call);

/* The module that API names of a framework begin with, such as "tf"; the name itself for an unknown framework. */
const char *rs_framework_module(const char *framework);

/* Whether a call modifies its i-th input tensor in place. */
static inline bool rs_writes(const rs_op *op, unsigned i)
{
	return i < 64 && op->writes >> i & 1;
}

/* "float32" and so on. rs_dtype_parse returns RS_OTHER for an unknown name. */
const char *rs_dtype_name(rs_dtype dtype);
rs_dtype rs_dtype_parse(const char *name);
unsigned rs_dtype_size(rs_dtype dtype); /* bytes per element in memory; 1 for 4-bit integers (signed ones sign-extended) */

/* The name of a class of element values, "unit" to "any" (enum rs_values). rs_values_parse returns -1 for an unknown name. */
const char *rs_values_name(uint8_t values);
int rs_values_parse(const char *name);

/* ---- calls */

/* A sampler of valid calls of one signature. The table must outlive it. */
typedef struct rs_caller rs_caller;

/* The range of freely chosen numbers. Numbers that clauses determine may lie outside. */
typedef struct rs_box {
	int64_t low, high; /* of dimensions; 0 and 0: 1 to 8. Attributes stay in their recorded range */
	int64_t max_numel; /* maximum elements per tensor; 0: 65536 */
	bool empty;	   /* allow zero-size dimensions */
} rs_box;

/* Makes a sampler; box NULL: the defaults. Returns NULL if memory runs out or the signature cannot be sampled: it has more than
 * 256 symbols and output dimensions, or no record whose tensors all have 1 to max_numel elements. Free it with rs_caller_free,
 * which accepts NULL. */
rs_caller *rs_caller_new(const rs_op *op, const rs_box *box);
void rs_caller_free(rs_caller *c);

/* Completes a call (Isra, section 3.3.1). symbols[i] is an input if known[i] is 1, else an output; known NULL: all are
 * outputs. The symbols of one tensor are known together. True: symbols[op->nsym] is a valid call with the given symbols
 * unchanged, and out[op->nodim] has the output dimensions. Signatures without a rule or with RS_BY_RECORD only yield recorded
 * calls. False: none was found; outputs are then unspecified. The result depends on signature, box, given symbols and seed
 * only. The work is bounded. */
bool rs_sample_forward(rs_caller *c, uint64_t seed, int64_t *symbols, const uint8_t *known, int64_t *out);

/* The same, so that output number `output` has the given shape of op->out_ranks[output] dimensions. */
bool rs_sample_backward(rs_caller *c, uint64_t seed, int64_t *symbols, const uint8_t *known,
    unsigned output, const int64_t *shape, int64_t *out);

/* ---- generators of models */

enum rs_strategy { RS_NEURI, RS_ISRA, RS_GRAPH, RS_CALLS };
enum rs_chooser { RS_CHOOSER_MCTS, RS_CHOOSER_RANDOM };
enum rs_topology { RS_TOPOLOGY_BOTH, RS_TOPOLOGY_WS, RS_TOPOLOGY_RN };

/* Which operators may be connected, besides matching shapes and dtypes. RS_KEEP_FINITE: only if their classes of element
 * values keep all elements finite. RS_KEEP_ANY: always, unless the consumer was seen to raise on such values.
 * RS_KEEP_DEFAULT: finite, but any for RS_ISRA, as in the paper. */
enum rs_keep { RS_KEEP_DEFAULT, RS_KEEP_FINITE, RS_KEEP_ANY };

/* The elements of float inputs. RS_ELEMENTS_WHOLE: small integers, so that sums of products are exact in any order.
 * RS_ELEMENTS_REAL: real numbers. RS_ELEMENTS_MIXED: every second model has integers. */
enum rs_elements { RS_ELEMENTS_MIXED, RS_ELEMENTS_REAL, RS_ELEMENTS_WHOLE };

/* Sizes of freely chosen dimensions. RS_SIZES_SMALL: 1 to dim_max. RS_SIZES_MIXED: most models have sizes from a
 * heavy-tailed mixture, up to some thousands; dim_max limits both if it is given. */
enum rs_sizes { RS_SIZES_SMALL, RS_SIZES_MIXED };

/* Features of models besides their calls, in per mille; 0: none. modelfeatures.h describes each field. Each feature draws from
 * its own random stream, so that it changes nothing else in a model. The generator must outlive models with `quantized` or
 * `shape_arithmetic`. */
typedef struct rs_features {
#define RS_FIELD(field, option, needs, run, stage, stream, function, help) uint32_t field;
	RS_FEATURES(RS_FIELD)
#undef RS_FIELD
} rs_features;

/* The name of the i-th field of rs_features; NULL: there are fewer. */
const char *rs_feature_name(unsigned i);

typedef struct rs_gen_options {
	enum rs_strategy strategy;
	uint32_t nodes_low, nodes_high; /* calls per model, inclusive; 0 and 0: 5 */
	int64_t max_numel;		/* maximum elements per tensor; 0: 65536 */
	const char *api;		/* a glob that APIs must match; NULL: all. Not kept */
	uint32_t picking;  /* RS_ISRA: inputs that are existing tensors, per mille; 0: 970 */
	const char *set;   /* a set of operators: "isra65", "graph50"; NULL: all. Not kept */
	int64_t dim_max;   /* maximum of freely chosen dimensions; 0: the strategy's default */
	uint32_t rank_max; /* maximum rank; 0: the strategy's default */
	const char *const *apis; /* only these napis APIs; NULL: all. Not kept */
	uint32_t napis;
	enum rs_chooser chooser;   /* RS_GRAPH: how blocks are chosen */
	enum rs_topology topology; /* RS_GRAPH */
	bool no_mutations;	   /* RS_GRAPH */
	enum rs_keep values;
	enum rs_elements elements;
	enum rs_sizes sizes;
	const uint64_t *without; /* nwithout hashes (rs_call_hash) of excluded calls, ascending. Not kept */
	size_t nwithout;
	uint32_t initializers; /* weight inputs that are constants, per mille; 0: 750, but none for RS_CALLS */
	bool no_initializers;
	uint32_t chains; /* RS_NEURI, RS_ISRA: steps that insert a chain of calls from real models, per mille; 0: 150. The generator
			    owns these calls: it must outlive the models */
	bool no_chains;
	uint32_t symbolic; /* not RS_CALLS: models with dynamic shapes, per mille, if several shape instances are found */
	uint32_t assignments; /* shape instances of a dynamic model, 2 to 16, its own included; 0: 3 */
	uint32_t near_misses; /* models whose last call violates one constraint, per mille: a reference must reject them; 0: none */
	rs_features features;
	/* Frameworks whose models are files: each model is of one operator set, drawn uniformly from these, and has its operators,
	 * attributes and dtypes only; 0 and 0: operators of the newest set. RS_GRAPH needs opset_low == opset_high. */
	uint32_t opset_low, opset_high;
	uint32_t opset_newest; /* models of opset_high instead, per mille */
} rs_gen_options;

/* Hash of a signature with dtypes[op->nin + op->nout] (rs_dtype: inputs, then outputs). The same on every machine. */
uint64_t rs_call_hash(const rs_op *op, const uint8_t *dtypes);

/* A generator for one table, which must outlive it. rs_gen_new builds an index of the table (megabytes, tens of milliseconds).
 * It returns NULL and a message (at most size bytes) if no operator is left, an option is invalid, libz3 is requested and
 * missing, or memory runs out. Free it with rs_gen_free, which accepts NULL. */
typedef struct rs_gen rs_gen;
rs_gen *rs_gen_new(
    const rs_table *table, const rs_gen_options *options, char *message, size_t size);
void rs_gen_free(rs_gen *gen);
/* The number of models before RS_CALLS starts over with other numbers; 0 for other strategies. */
uint64_t rs_gen_count(const rs_gen *gen);

/* Writes model number `index` of run `seed` into out, whose old content is lost. The model depends on table, options, seed and
 * index only. The work is bounded. False: out of memory; out is then unspecified.
 *
 * RS_NEURI: hybrid concolic insertion, forward and backward (NeuRI, section 3.3). RS_ISRA: node by node in topological order
 * (Isra, sections 3.2 and 3.3). RS_GRAPH: blocks on random graphs, chosen by the coverage of the earlier models of the run
 * (graph-based fuzz testing, section III); if index is not the next one, the earlier models are generated again. RS_CALLS: one
 * call, every signature and dtype combination in turn. */
bool rs_gen_model(rs_gen *gen, uint64_t seed, uint64_t index, rs_graph *out);

#ifdef __cplusplus
}
#endif

#endif
