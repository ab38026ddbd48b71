#include "gen_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "framework.h"
#include "cli.h"
#include "gen_index.h"
#include "graph.h"
#include "opset.h"
#include "own_rules.h"
#include "presume.h"
#include "write_python.h"

static const char *const STRATEGIES[] = {
    [RS_NEURI] = "neuri", [RS_ISRA] = "isra", [RS_GRAPH] = "graph", [RS_CALLS] = "calls", NULL};
static const char *const CHOOSERS[] = {
    [RS_CHOOSER_MCTS] = "mcts", [RS_CHOOSER_RANDOM] = "random", NULL};
static const char *const TOPOLOGIES[] = {
    [RS_TOPOLOGY_BOTH] = "both", [RS_TOPOLOGY_WS] = "ws", [RS_TOPOLOGY_RN] = "rn", NULL};
static const char *const VALUES[] = {"finite", "any", NULL};
static const char *const ELEMENTS[] = {
    [RS_ELEMENTS_MIXED] = "mixed", [RS_ELEMENTS_REAL] = "real", [RS_ELEMENTS_WHOLE] = "whole", NULL};
static const char *const SWITCH[] = {"on", "off", NULL};

const char *gen_strategy_name(enum rs_strategy strategy)
{
	return STRATEGIES[strategy];
}

/* Which of the words the option's argument is, -1 after a message. */
static int parse_word(const char *command, const char *option, const char *const *words)
{
	char list[128] = "";
	for (int i = 0; words[i]; i++) {
		if (strcmp(optarg, words[i]) == 0)
			return i;
		strcat(list, !i ? "" : words[i + 1] ? ", " : " or ");
		strcat(list, words[i]);
	}
	usage_error(command, "%s %s: not %s", option, optarg, list);
	return -1;
}

/* "0.97" in thousandths; decimal digits alone, so that no rounding differs between machines. */
static bool parse_share(const char *command, const char *option, const char *text, uint32_t least, uint32_t *value)
{
	uint32_t n = 0, scale = 1000;
	const char *p = text;
	for (; *p >= '0' && *p <= '9' && n <= 1; p++)
		n = n * 10 + (uint32_t)(*p - '0');
	n *= 1000;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9' && scale > 1; p++)
			n += (uint32_t)(*p - '0') * (scale /= 10);
	if (p == text || *p || n < least || n > 1000) {
		usage_error(command, "%s takes a share from %s to 1, not '%s'", option, least ? "0.001" : "0", text);
		return false;
	}
	*value = n;
	return true;
}

static bool take_text(const char **to)
{
	*to = optarg;
	return true;
}

/* The options whose argument is one of some words; *is: whether this is such a one. */
static bool take_word(const char *command, int option, gen_choice *c, bool *is)
{
	const struct {
		int option;
		const char *name, *const *words;
	} ALL[] = {{GEN_STRATEGY, "--strategy", STRATEGIES}, {GEN_CHOOSER, "--chooser", CHOOSERS},
	    {GEN_TOPOLOGY, "--model", TOPOLOGIES}, {GEN_MUTATIONS, "--mutations", SWITCH}, {GEN_VALUES, "--values", VALUES},
	    {GEN_ELEMENTS, "--elements", ELEMENTS}};
	int word = -1;
	*is = false;
	for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
		if (ALL[i].option == option) {
			*is = true;
			word = parse_word(command, ALL[i].name, ALL[i].words);
		}
	if (word < 0)
		return false;
	if (option == GEN_STRATEGY)
		c->strategy = (enum rs_strategy)word;
	else if (option == GEN_CHOOSER)
		c->chooser = (enum rs_chooser)word;
	else if (option == GEN_TOPOLOGY)
		c->topology = (enum rs_topology)word;
	else if (option == GEN_MUTATIONS)
		c->no_mutations = word == 1;
	else if (option == GEN_VALUES)
		c->values = (enum rs_keep)(RS_KEEP_FINITE + word);
	else
		c->elements = (enum rs_elements)word;
	return true;
}

static bool parse_feature(const char *command, const char *option, uint32_t *value)
{
	bool taken = parse_share(command, option, optarg, 0, value);
	*value += taken;
	return taken;
}

/* The switches of what a model is beside its calls; *is: it is one. */
static bool take_feature(const char *command, int option, gen_choice *c, bool *is)
{
	bool taken;
	*is = true;
	switch (option) {
	case GEN_INITIALIZERS:
		taken = parse_share(command, "--initializers", optarg, 0, &c->initializers);
		c->no_initializers = !c->initializers;
		return taken;
	case GEN_CHAINS:
		taken = parse_share(command, "--chains", optarg, 0, &c->chains);
		c->no_chains = !c->chains;
		return taken;
	case GEN_NEAR_MISSES:
		return parse_feature(command, "--near-misses", &c->near_misses);
	case GEN_SYMBOLIC:
		return parse_feature(command, "--symbolic", &c->symbolic);
	case GEN_ASSIGNMENTS:
		return parse_number(command, "--assignments", optarg, 2, GRAPH_ASSIGNMENTS_MAX, &c->assignments);
	case GEN_LAYOUTS:
		return parse_feature(command, "--layouts", &c->features.layouts);
	case GEN_GRADIENTS:
		return parse_feature(command, "--gradients", &c->features.gradients);
	case GEN_MODULES:
		return parse_feature(command, "--modules", &c->features.modules);
	case GEN_REPEATS:
		return parse_feature(command, "--repeats", &c->features.repeats);
	case GEN_FUNCTIONS:
		return parse_feature(command, "--functions", &c->features.functions);
	case GEN_SUBGRAPHS:
		return parse_feature(command, "--subgraphs", &c->features.subgraphs);
	default:
		return *is = false;
	}
}

bool gen_option(const char *command, int option, gen_choice *c)
{
	bool is_word, is_feature, taken = take_word(command, option, c, &is_word);
	c->told |= option != GEN_FRAMEWORK && option != GEN_RULES;
	c->graph |= option == GEN_CHOOSER || option == GEN_TOPOLOGY || option == GEN_MUTATIONS;
	if (is_word)
		return taken;
	taken = take_feature(command, option, c, &is_feature);
	if (is_feature)
		return taken;
	switch (option) {
	case GEN_FRAMEWORK:
		return take_text(&c->framework);
	case GEN_RULES:
		return take_text(&c->rules);
	case GEN_NODES:
		return parse_range(command, "--nodes", optarg, 1, 1000000, &c->low, &c->high);
	case GEN_COUNT:
		return parse_number(command, "--count", optarg, 0, INT64_MAX, &c->count);
	case GEN_SEED:
		return parse_number(command, "--seed", optarg, 0, INT64_MAX, &c->seed);
	case GEN_FIRST:
		return parse_number(command, "--first", optarg, 0, INT64_MAX, &c->first);
	case GEN_API:
		return take_text(&c->api);
	case GEN_OPS:
		return take_text(&c->ops);
	case GEN_PICKING:
		return parse_share(command, "--picking", optarg, 1, &c->picking);
	case GEN_CAPABILITIES:
		return take_text(&c->capabilities);
	case GEN_SOLVER:
		return c->solver = true;
	case GEN_MAX_NUMEL:
		return parse_number(
		    command, "--max-numel", optarg, 1, INT64_C(1) << 40, &c->max_numel);
	case GEN_DIM_MAX:
		return parse_number(command, "--dim-max", optarg, 1, 1 << 20, &c->dim_max);
	case GEN_RANK_MAX:
		return parse_number(command, "--rank-max", optarg, 1, INDEX_RANK_MAX, &c->rank_max);
	default:
		usage_error(command, "unknown option, or one without its argument");
		return false;
	}
}

/* ---- after the options */

int gen_choice_finish(const char *command, gen_choice *c, const char *framework)
{
	if (!c->framework)
		c->framework = framework;
	if (c->ops && !opset_exists(c->ops) && access(c->ops, F_OK) != 0)
		return usage_error(command, "--ops %s: neither a set (isra65, graph50) nor a file", c->ops);
	if (c->picking && c->strategy != RS_ISRA)
		return usage_error(command, "--picking is an option of --strategy isra");
	if (c->graph && c->strategy != RS_GRAPH)
		return usage_error(
		    command, "--chooser, --model, --mutations are options of --strategy graph");
	if (c->count > 0 && c->first > INT64_MAX - c->count)
		return usage_error(command, "--first and --count are too large together");
	return EXIT_CLEAN;
}

static void unless_told(uint32_t *told, uint32_t share)
{
	if (!*told)
		*told = share + 1;
}

void gen_choice_for_run(gen_choice *c)
{
	enum { LAYOUTS = 300, GRADIENTS = 300, MODULES = 300, REPEATS = 100, BODIES = 100, SYMBOLIC = 100, NEAR_MISSES = 50 };
	if (graph_has_strides(c->framework)) {
		unless_told(&c->features.layouts, LAYOUTS);
		unless_told(&c->features.gradients, GRADIENTS);
		unless_told(&c->features.modules, MODULES);
	}
	if (framework_has_files(c->framework)) {
		unless_told(&c->features.functions, BODIES);
		unless_told(&c->features.subgraphs, BODIES);
	}
	unless_told(&c->features.repeats, REPEATS);
	if (c->strategy != RS_CALLS) {
		unless_told(&c->symbolic, SYMBOLIC);
		unless_told(&c->near_misses, NEAR_MISSES);
	}
}

/* What was told of a feature, in thousandths. */
static uint32_t share(uint32_t told)
{
	return told ? told - 1 : 0;
}

static rs_features features_of(const gen_choice *c)
{
	const rs_features *f = &c->features;
	return (rs_features){share(f->layouts), share(f->gradients), share(f->modules), share(f->repeats),
	    share(f->functions), share(f->subgraphs)};
}

void gen_choice_free(gen_choice *c)
{
	free(c->names);
	free(c->apis);
	free(c->joined);
	capabilities_free(c->known);
}

static bool table_has(const rs_table *t, const char *api)
{
	for (uint32_t i = 0; i < t->nops; i++)
		if (strcmp(t->ops[i].api, api) == 0)
			return true;
	return false;
}

/* The names in an --ops file, one a line; empty lines and what follows a # are nothing. */
static bool read_names(gen_choice *c, const rs_table *t)
{
	char *rest = c->names, *line, *more;
	c->apis = malloc((strlen(c->names) / 2 + 1) * sizeof *c->apis);
	if (!c->apis)
		return fputs("error: out of memory\n", stderr), false;
	for (long number = 1; (line = strsep(&rest, "\n")); number++) {
		line[strcspn(line, "#\r")] = '\0';
		char *name = strtok_r(line, " \t", &more);
		if (!name)
			continue;
		if (!table_has(t, name)) {
			fprintf(stderr, "%s:%ld: error: no operator of %s is called '%s'\n", c->ops,
			    number, c->framework, name);
			return false;
		}
		c->apis[c->napis++] = name;
	}
	if (!c->napis)
		fprintf(stderr, "%s: error: names no operator\n", c->ops);
	return c->napis > 0;
}

static bool load_names(gen_choice *c, const rs_table *t)
{
	diag d = {""};
	size_t length;
	if (!c->ops || opset_exists(c->ops))
		return true;
	c->names = file_read(c->ops, &length, &d);
	if (!c->names)
		fprintf(stderr, "%s\n", d.text);
	return c->names && read_names(c, t);
}

const rs_table *gen_choice_table(gen_choice *c)
{
	const rs_library *lib = open_rules(c->rules);
	const rs_table *t = lib ? rs_library_table(lib, c->framework) : NULL;
	if (t && own_rules_are(c->rules)) {
		diag d = {""};
		free(c->joined);
		t = c->joined = own_rules_join(t, &d);
		if (!t) {
			fprintf(stderr, "%s: %s\n", c->rules, d.text);
			return NULL;
		}
	}
	if (lib && !t)
		fprintf(stderr, "error: no rules of %s in %s\n", c->framework,
		    c->rules ? c->rules : "the built-in library");
	rs_features f = features_of(c);
	if (t && (f.layouts || f.gradients || f.modules) && !graph_has_strides(c->framework)) {
		fprintf(stderr, "error: --layouts, --gradients and --modules are of frameworks whose tensors have strides, not %s\n",
		    c->framework);
		return NULL;
	}
	if (t && (f.functions || f.subgraphs) && !framework_has_files(c->framework)) {
		fprintf(stderr, "error: --functions and --subgraphs are of frameworks whose models are files, not %s\n", c->framework);
		return NULL;
	}
	return t && load_names(c, t) ? t : NULL;
}

bool gen_choice_read_capabilities(gen_choice *c, const rs_table *t)
{
	diag d = {"error: out of memory"};
	if (!c->capabilities || strcmp(c->capabilities, "none") == 0)
		return true;
	c->known = capabilities_new(t, NULL, NULL);
	bool ok = c->known && (access(c->capabilities, F_OK) == 0 || diag_at(&d, c->capabilities, 0, "no such file"))
		  && capabilities_read(c->known, c->capabilities, &d) && presume_untried(t, c->known, &d);
	if (!ok)
		fprintf(stderr, "%s\n", d.text);
	return ok;
}

rs_gen_options gen_choice_options(const gen_choice *c)
{
	size_t n = 0;
	const uint64_t *without = c->known ? capabilities_without(c->known, &n) : NULL;
	return (rs_gen_options){.strategy = c->strategy,
	    .nodes_low = (uint32_t)c->low,
	    .nodes_high = (uint32_t)c->high,
	    .max_numel = c->max_numel,
	    .api = c->api,
	    .picking = c->picking,
	    .set = c->apis ? NULL : c->ops,
	    .dim_max = c->dim_max,
	    .rank_max = (uint32_t)c->rank_max,
	    .apis = c->apis,
	    .napis = c->napis,
	    .chooser = c->chooser,
	    .topology = c->topology,
	    .no_mutations = c->no_mutations,
	    .values = c->values,
	    .elements = c->elements,
	    .initializers = c->initializers,
	    .no_initializers = c->no_initializers,
	    .near_misses = share(c->near_misses),
	    .chains = c->chains,
	    .no_chains = c->no_chains,
	    .symbolic = share(c->symbolic),
	    .assignments = (uint32_t)c->assignments,
	    .without = without,
	    .nwithout = n,
	    .features = features_of(c),
	    .solver = c->solver};
}

rs_gen *gen_choice_open(gen_choice *c)
{
	char message[512];
	const rs_table *t = gen_choice_table(c);
	if (!t || !gen_choice_read_capabilities(c, t))
		return NULL;
	rs_gen_options options = gen_choice_options(c);
	rs_gen *gen = rs_gen_new(t, &options, message, sizeof message);
	if (!gen)
		fprintf(stderr, "error: %s\n", message);
	return gen;
}

/* ---- settings */

/* The operators of --ops: a set by its name, a file by what it names. */
static const char *ops_text(const gen_choice *c, arena *a)
{
	uint64_t hash = 0;
	if (!c->ops)
		return "all";
	if (!c->apis)
		return c->ops;
	for (uint32_t i = 0; i < c->napis; i++)
		hash = hash * 31 + graph_name_hash(c->apis[i]);
	return arena_printf(a, "%u names, %016llx", c->napis, (unsigned long long)hash);
}

/* The calls that are left out, or that those are that fail. */
static const char *capabilities_text(const gen_choice *c, arena *a)
{
	size_t n = 0;
	const uint64_t *without = c->known ? capabilities_without(c->known, &n) : NULL;
	uint64_t hash = 0;
	for (size_t i = 0; i < n; i++)
		hash = hash * 31 + without[i];
	if (c->learning)
		return "learned";
	return n ? arena_printf(a, "%zu calls, %016llx", n, (unsigned long long)hash) : "none";
}

static const char *number_text(int64_t n, arena *a)
{
	return n ? arena_printf(a, "%lld", (long long)n) : "default";
}

const setting *gen_choice_settings(const gen_choice *c, const rs_table *t, arena *a, int *n)
{
	rs_features f = features_of(c);
	const setting all[] = {{"rules", t->fingerprint}, {"strategy", STRATEGIES[c->strategy]},
	    {"nodes", c->low == c->high ? number_text(c->low, a)
					: arena_printf(a, "%lld..%lld", (long long)c->low, (long long)c->high)},
	    {"first", arena_printf(a, "%lld", (long long)c->first)}, {"api", c->api ? c->api : "*"},
	    {"ops", ops_text(c, a)}, {"picking", number_text(c->picking, a)},
	    {"chooser", CHOOSERS[c->chooser]}, {"model", TOPOLOGIES[c->topology]},
	    {"mutations", SWITCH[c->no_mutations]},
	    {"values", c->values == RS_KEEP_DEFAULT ? "default" : VALUES[c->values - RS_KEEP_FINITE]},
	    {"elements", ELEMENTS[c->elements]},
	    {"initializers", c->no_initializers ? "none" : number_text(c->initializers, a)},
	    {"chains", c->no_chains ? "none" : number_text(c->chains, a)},
	    {"layouts", number_text(f.layouts, a)}, {"gradients", number_text(f.gradients, a)},
	    {"modules", number_text(f.modules, a)}, {"repeats", number_text(f.repeats, a)},
	    {"functions", number_text(f.functions, a)}, {"subgraphs", number_text(f.subgraphs, a)},
	    {"symbolic", arena_printf(a, "%u", share(c->symbolic))}, {"assignments", number_text(c->assignments, a)},
	    {"near-misses", number_text(share(c->near_misses), a)}, {"capabilities", capabilities_text(c, a)}, {"solver", SWITCH[!c->solver]}, {"max-numel", number_text(c->max_numel, a)},
	    {"dim-max", number_text(c->dim_max, a)}, {"rank-max", number_text(c->rank_max, a)}};
	setting *copy = arena_alloc(a, sizeof all);
	*n = (int)(sizeof all / sizeof *all);
	for (int i = 0; copy && i < *n; i++) {
		copy[i] = all[i];
		if (!all[i].value)
			copy = NULL;
	}
	return copy;
}
