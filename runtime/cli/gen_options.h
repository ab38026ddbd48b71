/* What to generate: the options that `gen`, `coverage` and `run` share, and what they ask for. A
 * command puts GEN_LONG_OPTIONS among its own and hands on what getopt returns. */
#ifndef GEN_OPTIONS_H
#define GEN_OPTIONS_H

#include <getopt.h>

#include "arena.h"
#include "capabilities.h"
#include "rulesmith.h"
#include "runs.h"

typedef struct gen_choice {
	const char *framework, *rules; /* rules: a library, NULL: the one linked in */
	const char *api, *ops;	       /* a glob, a set or a file; NULL: all */
	char *names;		       /* the text of an --ops file, */
	const char **apis;	       /* and the napis names in it */
	const char *capabilities;      /* a file or "none"; NULL: not told */
	struct capabilities *known;    /* what it says, once the table is there */
	bool learning;		       /* it grows while models are made */
	uint32_t napis;
	enum rs_strategy strategy;
	uint32_t picking; /* per mille; 0: the generator's own */
	enum rs_chooser chooser;
	enum rs_topology topology;
	bool solver;
	enum rs_keep values;
	enum rs_elements elements;
	uint32_t initializers; /* per mille; 0: the generator's own, or none */
	bool no_initializers;
	uint32_t chains; /* likewise */
	bool no_chains;
	int64_t assignments;
	bool no_mutations, graph; /* graph: an option of that strategy was told */
	uint32_t symbolic, near_misses; /* per mille and 1; 0: not told */
	rs_features features;		/* likewise */
	int64_t low, high, count, seed, first, max_numel, dim_max, rank_max;
	rs_table *joined;	       /* of --rules and the built-in one, once it is there */
	bool told; /* an option that is about generating, so not --framework or --rules */
} gen_choice;

#define GEN_CHOICE {.low = 5, .high = 5, .count = 1}

enum gen_option {
	GEN_FRAMEWORK = 512,
	GEN_RULES,
	GEN_STRATEGY,
	GEN_NODES,
	GEN_COUNT,
	GEN_SEED,
	GEN_FIRST,
	GEN_API,
	GEN_OPS,
	GEN_PICKING,
	GEN_CHOOSER,
	GEN_TOPOLOGY,
	GEN_MUTATIONS,
	GEN_SOLVER,
	GEN_VALUES,
	GEN_ELEMENTS,
	GEN_INITIALIZERS,
	GEN_CHAINS,
	GEN_SYMBOLIC,
	GEN_ASSIGNMENTS,
	GEN_NEAR_MISSES,
	GEN_LAYOUTS,
	GEN_GRADIENTS,
	GEN_MODULES,
	GEN_REPEATS,
	GEN_FUNCTIONS,
	GEN_SUBGRAPHS,
	GEN_CAPABILITIES,
	GEN_MAX_NUMEL,
	GEN_DIM_MAX,
	GEN_RANK_MAX,
	GEN_OPTION_END
};

/* clang-format off */
#define GEN_LONG_OPTIONS                                                                           \
	{"framework", required_argument, NULL, GEN_FRAMEWORK},                                     \
	{"rules", required_argument, NULL, GEN_RULES},                                             \
	{"strategy", required_argument, NULL, GEN_STRATEGY},                                       \
	{"nodes", required_argument, NULL, GEN_NODES},                                             \
	{"count", required_argument, NULL, GEN_COUNT},                                             \
	{"seed", required_argument, NULL, GEN_SEED},                                               \
	{"first", required_argument, NULL, GEN_FIRST},                                             \
	{"api", required_argument, NULL, GEN_API},                                                 \
	{"ops", required_argument, NULL, GEN_OPS},                                                 \
	{"picking", required_argument, NULL, GEN_PICKING},                                         \
	{"chooser", required_argument, NULL, GEN_CHOOSER},                                         \
	{"model", required_argument, NULL, GEN_TOPOLOGY},                                          \
	{"mutations", required_argument, NULL, GEN_MUTATIONS},                                     \
	{"values", required_argument, NULL, GEN_VALUES},                                            \
	{"elements", required_argument, NULL, GEN_ELEMENTS},                                       \
	{"initializers", required_argument, NULL, GEN_INITIALIZERS},                                \
	{"chains", required_argument, NULL, GEN_CHAINS},                                            \
	{"symbolic", required_argument, NULL, GEN_SYMBOLIC},                                        \
	{"assignments", required_argument, NULL, GEN_ASSIGNMENTS},                                  \
	{"near-misses", required_argument, NULL, GEN_NEAR_MISSES},                                  \
	{"layouts", required_argument, NULL, GEN_LAYOUTS},                                          \
	{"gradients", required_argument, NULL, GEN_GRADIENTS},                                      \
	{"modules", required_argument, NULL, GEN_MODULES},                                          \
	{"repeats", required_argument, NULL, GEN_REPEATS},                                          \
	{"functions", required_argument, NULL, GEN_FUNCTIONS},                              \
	{"subgraphs", required_argument, NULL, GEN_SUBGRAPHS},                              \
	{"capabilities", required_argument, NULL, GEN_CAPABILITIES},                                \
	{"solver", no_argument, NULL, GEN_SOLVER},                                                  \
	{"max-numel", required_argument, NULL, GEN_MAX_NUMEL},                                     \
	{"dim-max", required_argument, NULL, GEN_DIM_MAX},                                         \
	{"rank-max", required_argument, NULL, GEN_RANK_MAX}

#define GEN_HELP_MODELS                                                                            \
	"  --framework F      whose operators (default: the first in frameworks.def)\n"             \
	"  --count C          models (default 1)\n"

#define GEN_HELP                                                                                   \
	"  --strategy S       neuri: hybrid concolic insertion (default); isra: node by node, on\n" \
	"                     demand; graph: blocks on random topologies; calls: one call, of every\n" \
	"                     operator and row of dtypes in turn\n"                                 \
	"  --nodes N|A..B     operator calls a model (default 5); graph: blocks\n"                 \
	"  --seed S           of the run (default 0)\n"                                            \
	"  --first I          number of the first model (default 0), to repeat a part of a run\n"  \
	"  --ops SET|FILE     only these operators: a set (isra65, graph50), or a file with the\n" \
	"                     name of an API a line\n"                                                  \
	"  --api GLOB         only operators of these APIs\n"                                      \
	"  --picking R        isra: share of inputs that are existing tensors (default 0.97)\n"    \
	"  --chooser C        graph: mcts (default) or random\n"                                   \
	"  --model M          graph: topologies: ws, rn or both (default)\n"                       \
	"  --mutations M      graph: on (default) or off\n"                                        \
	"  --values V         finite: connect what keeps elements finite (default, but for isra);\n" \
	"                     any: also what does not, unless it raises\n"                          \
	"  --elements E       of float inputs: whole: small whole numbers, whose sums of products\n"  \
	"                     are exact in any order; real; mixed (default): by turns\n"            \
	"  --initializers R   share of the inputs that real models have as weights which are\n"    \
	"                     constants (default 0.75, calls 0); 0: all are inputs\n"              \
	"  --chains R         neuri, isra: share of steps that insert calls which stand together\n"  \
	"                     in real models (default 0.15); 0: none\n"                             \
	"  --symbolic R       share of models for which several shape assignments are looked for:\n" \
	"                     sizes of their inputs that all their calls accept (default 0, of\n" \
	"                     `run` 0.1; calls 0)\n"                                              \
	"  --assignments N    so many of such a model, 2 to 16 (default 3)\n"                     \
	"  --near-misses R    share of models that end with a call that one number breaks: reference\n" \
	"                     and compiler must refuse it (default 0.05 in `run`, else 0)\n"          \
	"  --layouts R        share of inputs that are permuted, expanded, sliced, or the same\n" \
	"                     tensor as another, where tensors have strides (default 0; run: 0.3)\n"                       \
	"  --gradients R      likewise, of models whose inputs' gradients are results, too\n"   \
	"                     (default 0; run: 0.3)\n"                                              \
	"  --modules R        likewise, of models that are modules, constants their parameters\n" \
	"                     (default 0; run: 0.3)\n"                                              \
	"  --repeats R        share of calls that are made again: the same, with another attribute,\n" \
	"                     of another input, or for nothing (default 0; run: 0.1)\n"             \
	"  --functions R      share of models that are files in which a run of calls is a function\n" \
	"                     that they call (default 0; run: 0.1)\n"                               \
	"  --subgraphs R      likewise, a branch of an If or the body of a Loop (default 0;\n"     \
	"                     run: 0.1)\n"                                                         \
	"  --capabilities F   leave out the calls that a target cannot do, as `rulefuzz run` wrote\n" \
	"                     them to F; none: leave out none\n"                                    \
	"  --solver           ask libz3, if it is installed, for calls that no sampler finds;\n"   \
	"                     the same seed then gives the same bytes with the same Z3 only\n"     \
	"  --max-numel M      elements a tensor at most (default 65536)\n"                         \
	"  --dim-max D        free dimensions at most (default: neuri 8, isra 5, graph 12)\n"     \
	"  --rank-max R       ranks at most (default: isra 5, else 15)\n"                         \
	"  --rules SO         a compiled rule library instead of the one built in, or, where\n"    \
	"                     `rulesmith learn` made it, beside that: models call its functions\n"
/* clang-format on */

/* One of the options above; optarg is kept. False after a message. */
bool gen_option(const char *command, int option, gen_choice *c);

/* After the last option: what does not fit together, and the framework where none was told (may be
 * NULL). An exit code. */
int gen_choice_finish(const char *command, gen_choice *c, const char *framework);
/* What a run's models have where nothing else was told; once the framework is known. */
void gen_choice_for_run(gen_choice *c);
void gen_choice_free(gen_choice *c);

const char *gen_strategy_name(enum rs_strategy strategy);

/* The framework's table, NULL after a message. Reads the file of --ops. */
const rs_table *gen_choice_table(gen_choice *c);
/* Reads what --capabilities names, of whatever backend and versions; false after a message. gen_choice_open does. */
bool gen_choice_read_capabilities(gen_choice *c, const rs_table *t);
/* What a generator is to be made with, once the table is there; it refers to the choice. */
rs_gen_options gen_choice_options(const gen_choice *c);
/* Both, and the generator; NULL after a message. */
rs_gen *gen_choice_open(gen_choice *c);

/* What the models depend on besides framework and seed, as text in the arena; they are n. NULL: out
 * of memory. */
const setting *gen_choice_settings(const gen_choice *c, const rs_table *t, arena *a, int *n);

#endif
