/* The options for generated models, shared by `gen`, `coverage` and `run`. A command adds GEN_LONG_OPTIONS to its own and passes
 * results of next_option to gen_option. */
#ifndef GEN_OPTIONS_H
#define GEN_OPTIONS_H

#include <getopt.h>

#include "arena.h"
#include "capabilities.h"
#include "rulesmith.h"
#include "runs.h"

typedef struct gen_choice {
	const char *framework, *rules; /* rules: a library; NULL: the built-in one */
	const char *api, *ops;	       /* a glob; a set or a file; NULL: all */
	char *names;		       /* the text of an --ops file */
	const char **apis;	       /* the napis names in it */
	const char *capabilities;      /* a file or "none"; NULL: not given */
	struct capabilities *known;    /* its content, after gen_choice_read_capabilities */
	bool learning;		       /* capabilities change during the run */
	uint32_t napis;
	enum rs_strategy strategy;
	uint32_t picking; /* per mille; 0: the default */
	enum rs_chooser chooser;
	enum rs_topology topology;
	enum rs_keep values;
	enum rs_elements elements;
	uint32_t sizes; /* enum rs_sizes plus 1; 0: not given */
	uint32_t initializers; /* per mille; 0: the default, or none */
	bool no_initializers;
	uint32_t chains; /* the same */
	bool no_chains;
	int64_t shape_instances;
	int64_t opset_from, opset_to; /* --opset; 0: not given */
	enum { OPSET_TOLD, OPSET_AUTO, OPSET_MIXED } opset; /* mixed: half of the models in the newest set, half in any */
	int64_t opset_low, opset_high; /* the sets of the models; 0: operators of the newest */
	bool no_mutations, graph; /* graph: an option of that strategy was given */
	uint32_t dynamic_shapes, invalid; /* per mille plus 1; 0: not given */
	rs_features features;		/* the same */
	int64_t low, high, count, seed, first, max_numel, dim_max, rank_max;
	rs_table *joined;	       /* --rules and the built-in rules, if merged */
	bool told; /* an option other than --framework and --rules was given */
	const char *command; /* for messages; set by gen_choice_finish */
	int status;	     /* the exit code after gen_choice_table or gen_choice_open failed */
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
	GEN_VALUES,
	GEN_ELEMENTS,
	GEN_SIZES,
	GEN_INITIALIZERS,
	GEN_CHAINS,
	GEN_DYNAMIC_SHAPES,
	GEN_SHAPE_INSTANCES,
	GEN_INVALID,
	GEN_CAPABILITIES,
	GEN_OPSET,
	GEN_MAX_NUMEL,
	GEN_DIM_MAX,
	GEN_RANK_MAX,
#define GEN_NUMBER(field, option, needs, run, stage, stream, function, help) GEN_FEATURE_##field,
	RS_FEATURES(GEN_NUMBER)
#undef GEN_NUMBER
	GEN_OPTION_END
};

/* clang-format off */
#define GEN_LONG_OPTION(field, option, needs, run, stage, stream, function, help) {option, required_argument, NULL, GEN_FEATURE_##field},
#define GEN_LONG_OPTIONS                                                                           \
	RS_FEATURES(GEN_LONG_OPTION)                                                                \
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
	{"sizes", required_argument, NULL, GEN_SIZES},                                             \
	{"initializers", required_argument, NULL, GEN_INITIALIZERS},                                \
	{"chains", required_argument, NULL, GEN_CHAINS},                                            \
	{"dynamic-shapes", required_argument, NULL, GEN_DYNAMIC_SHAPES},                                        \
	{"shape-instances", required_argument, NULL, GEN_SHAPE_INSTANCES},                                  \
	{"invalid", required_argument, NULL, GEN_INVALID},                                  \
	{"capabilities", required_argument, NULL, GEN_CAPABILITIES},                                \
	{"opset", required_argument, NULL, GEN_OPSET},                                              \
	{"max-numel", required_argument, NULL, GEN_MAX_NUMEL},                                     \
	{"dim-max", required_argument, NULL, GEN_DIM_MAX},                                         \
	{"rank-max", required_argument, NULL, GEN_RANK_MAX}

/* The help of options before and after those of features. */
#define GEN_HELP_MODELS \
	"Operators:\n"                                                                                              \
	"  --ops SET|FILE        only the operators of a set (isra65, graph50) or of a file with one\n"             \
	"                        API name per line\n"                                                               \
	"  --api GLOB            only APIs that match, such as '*.nn.*'\n"                                      \
	"  --capabilities F      exclude the calls that a backend does not support, as `rulefuzz run`\n"            \
	"                        recorded them in F; none: exclude no call\n"                                       \
	"  --rules SO            use this compiled rule library instead of the built-in one; a\n"                   \
	"                        library from `rulesmith learn` adds its functions to the built-in\n"               \
	"                        rules\n\n"                                                                         \
	"Models:\n"                                                                                                 \
	"  --strategy S          neuri: insert calls forward and backward (default); isra: node by\n"               \
	"                        node in topological order; graph: blocks on random graphs; calls:\n"               \
	"                        one call, each operator and dtype combination in turn\n"                           \
	"  --nodes N|A..B        calls per model (default 5); blocks with --strategy graph\n"                       \
	"  --seed S              random seed, >= 0 (default 0); same seed, same models\n"                           \
	"  --first I             index of the first model (default 0), to repeat part of a run\n"                   \
	"  --chains R            fraction of steps that insert a pattern of calls seen in real models\n"            \
	"                        (default 0.15; run: 0.4; neuri and isra only)\n"                                   \
	"  --initializers R      fraction of weight inputs that are constants (default 0.75, with\n"               \
	"                        --strategy calls 0)\n"                                                             \
	"  --dynamic-shapes R    fraction of models with dynamic shapes: several input shapes that\n"               \
	"                        all calls accept (default 0; run: 0.1; not with --strategy calls)\n"               \
	"  --shape-instances N   shape instances per model, 2 to 16 (default 3)\n"                            \
	"  --invalid R           fraction of models whose last call violates one constraint; both\n"                \
	"                        sides must reject it (default 0; run: 0.05)\n"                                   \
	"  --opset N|A..B|auto   operator set of each model and its file, 7 to 26; a range draws one;\n"            \
	"                        auto: the newest that the backend supports (frameworks whose models\n"             \
	"                        are files; default: operators of set 26, in a file of the oldest set\n"           \
	"                        that has them; run: half of the models in the newest, half in any set)\n\n"

#define GEN_HELP_VALUES \
	"Values and sizes:\n"                                                                                       \
	"  --values V            finite: connect only operators that keep values finite (default, but\n"            \
	"                        not for isra); any: all operators that run\n"                                      \
	"  --elements E          float inputs. whole: small integers, so that sums are exact in any\n"              \
	"                        order; real; mixed: alternate (default)\n"                                         \
	"  --sizes S             small: 1 to --dim-max (default); mixed: in most models, also\n"                  \
	"                        sizes around powers of two up to 256, and some thousands (run: mixed)\n"           \
	"  --max-numel M         maximum elements per tensor (default 65536)\n"                                     \
	"  --dim-max D           maximum of freely chosen sizes (default: neuri 8, isra 5, graph 12)\n"             \
	"  --rank-max R          maximum rank (default: isra 5, else 15)\n\n"                                       \
	"Strategies:\n"                                                                                             \
	"  --picking R           isra: fraction of inputs that are existing tensors (default 0.97)\n"               \
	"  --chooser C           graph: choose blocks by mcts (default) or random\n"                                \
	"  --model M             graph: topology ws, rn or both (default)\n"                                        \
	"  --mutations M         graph: on (default) or off\n\n"                                                    \
	"R is a fraction from 0 to 1.\n"

/* clang-format on */

/* Prints the help lines of --framework and --count. */
void gen_help_models(void);
/* Prints the help of all other options: GEN_HELP_MODELS, features, GEN_HELP_VALUES. */
void gen_help_options(void);

/* Handles one of the options above; keeps optarg. False after a message, and for '?', which next_option has reported. */
bool gen_option(const char *command, int option, gen_choice *c);

/* Parses a fraction, "0.97", into thousandths. Decimal digits only: strtod rounds, and models must be the same on every
 * machine. False after a message. */
bool parse_share(const char *command, const char *option, const char *text, uint32_t least, uint32_t *value);

/* Call it after the last option: reports options that exclude each other. framework: the default, or NULL if it is known only
 * later. Returns an exit code. */
int gen_choice_finish(const char *command, gen_choice *c, const char *framework);
/* Decides the operator sets of the models, given the newest one of the backend. False and d: --opset requests a newer one. */
bool gen_choice_set_newest(gen_choice *c, int newest, diag *d);
/* Sets the defaults of `run` for options that were not given; the framework must be known. */
void gen_choice_for_run(gen_choice *c);
void gen_choice_free(gen_choice *c);

const char *gen_strategy_name(enum rs_strategy strategy);

/* The framework's table, once the framework is known. Reads the file of --ops and checks names and features against the
 * table. NULL after a message; c->status is then the exit code. */
const rs_table *gen_choice_table(gen_choice *c);
/* Reads the file of --capabilities, of any backend and version. False after a message. gen_choice_open calls it. */
bool gen_choice_read_capabilities(gen_choice *c, const rs_table *t);
/* The options for rs_gen_new; they refer to the choice. */
rs_gen_options gen_choice_options(const gen_choice *c);
/* gen_choice_table, gen_choice_read_capabilities and rs_gen_new. NULL after a message; c->status is then the exit code. */
rs_gen *gen_choice_open(gen_choice *c);

/* The *n settings that models depend on besides framework and seed, as text in the arena. NULL: out of memory. */
const setting *gen_choice_settings(const gen_choice *c, const rs_table *t, arena *a, int *n);

#endif
