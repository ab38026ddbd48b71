#include "gen_options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api_names.h"
#include "buf.h"
#include "file.h"
#include "framework.h"
#include "cli.h"
#include "gen_index.h"
#include "graph.h"
#include "op_versions.h"
#include "opset.h"
#include "own_rules.h"
#include "presume.h"
#include "suggest.h"
#include "write_python.h"

enum { NEWEST_SHARE = 500 }; /* of the models of `run` that are of the newest operator set, per mille */

static const char *const STRATEGIES[] = {
    [RS_NEURI] = "neuri", [RS_ISRA] = "isra", [RS_GRAPH] = "graph", [RS_CALLS] = "calls", NULL};
static const char *const CHOOSERS[] = {
    [RS_CHOOSER_MCTS] = "mcts", [RS_CHOOSER_RANDOM] = "random", NULL};
static const char *const TOPOLOGIES[] = {
    [RS_TOPOLOGY_BOTH] = "both", [RS_TOPOLOGY_WS] = "ws", [RS_TOPOLOGY_RN] = "rn", NULL};
static const char *const VALUES[] = {"finite", "any", NULL};
static const char *const ELEMENTS[] = {
    [RS_ELEMENTS_MIXED] = "mixed", [RS_ELEMENTS_REAL] = "real", [RS_ELEMENTS_WHOLE] = "whole", NULL};
static const char *const SIZES[] = {[RS_SIZES_SMALL] = "small", [RS_SIZES_MIXED] = "mixed", NULL};
static const char *const SWITCH[] = {"on", "off", NULL};

/* ---- features */

enum needs { NEEDS_NOTHING, NEEDS_STRIDES, NEEDS_FILES };

static const struct feature {
	int option;
	const char *text;   /* "--layouts" */
	size_t field;	    /* of rs_features */
	enum needs needs;
	uint32_t run;	    /* the default of `run`, in thousandths */
	const char *help;
} FEATURES[] = {
#define ROW(field, option, needs, run, stage, stream, function, help) {GEN_FEATURE_##field, "--" option, offsetof(rs_features, field), NEEDS_##needs, run, help},
    RS_FEATURES(ROW)
#undef ROW
};
enum { NFEATURES = sizeof FEATURES / sizeof *FEATURES };

/* The share of a feature; `told` has thousandths plus 1, or 0 if the option was not given. */
static uint32_t *share_of(rs_features *f, size_t feature)
{
	return (uint32_t *)((char *)f + FEATURES[feature].field);
}

static bool has_what_it_needs(enum needs needs, const char *framework)
{
	return needs == NEEDS_STRIDES ? graph_has_strides(framework) : needs == NEEDS_FILES ? framework_has_files(framework) : true;
}

/* Prints a text between two columns. The cursor is at the first one. */
static void put_wrapped(const char *text)
{
	enum { FROM = 24, TO = 100 };
	size_t at = FROM;
	for (size_t n; *text; text += n + (text[n] == ' ')) {
		n = strcspn(text, " ");
		if (at > FROM && at + 1 + n > TO) {
			printf("\n%*s", FROM, "");
			at = FROM;
		}
		at += (size_t)printf("%s%.*s", at > FROM ? " " : "", (int)n, text);
	}
	putchar('\n');
}

static void put_feature(const struct feature *f)
{
	static const char *const MARKS[] = {[NEEDS_NOTHING] = "", [NEEDS_STRIDES] = "1; ", [NEEDS_FILES] = "2; "};
	char name[32], text[256];
	snprintf(name, sizeof name, "%s R", f->text);
	snprintf(text, sizeof text, "%s (%sdefault 0; run: %g)", f->help, MARKS[f->needs], f->run / 1000.0);
	printf("  %-22s", name);
	put_wrapped(text);
}

void gen_help_options(void)
{
	fputs(GEN_HELP_MODELS, stdout);
	puts("Features of models (1: frameworks with strided tensors, 2: frameworks whose models are files):");
	for (size_t i = 0; i < NFEATURES; i++)
		put_feature(&FEATURES[i]);
	fputs("\n" GEN_HELP_VALUES, stdout);
}

const char *gen_strategy_name(enum rs_strategy strategy)
{
	return STRATEGIES[strategy];
}

void gen_help_models(void)
{
	printf("  --framework F         framework of the operators: ");
	framework_put_names(stdout);
	printf(" (default %s)\n  --count C             number of models (default 1)\n", framework_default());
}

/* The index of the option's argument in the list of words, -1 after a message. */
static int parse_word(const char *command, const char *option, const char *const *words)
{
	char list[128] = "";
	for (int i = 0; words[i]; i++) {
		if (strcmp(optarg, words[i]) == 0)
			return i;
		strcat(list, !i ? "" : words[i + 1] ? ", " : " or ");
		strcat(list, words[i]);
	}
	usage_error(command, "%s: expected %s, got '%s'", option, list, optarg);
	return -1;
}

bool parse_share(const char *command, const char *option, const char *text, uint32_t least, uint32_t *value)
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
		usage_error(command, "%s: expected a fraction from %s to 1, got '%s'", option, least ? "0.001" : "0", text);
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

/* An option whose argument is one of a list of words; *is is false for other options. */
static bool take_word(const char *command, int option, gen_choice *c, bool *is)
{
	const struct {
		int option;
		const char *name, *const *words;
	} ALL[] = {{GEN_STRATEGY, "--strategy", STRATEGIES}, {GEN_CHOOSER, "--chooser", CHOOSERS},
	    {GEN_TOPOLOGY, "--model", TOPOLOGIES}, {GEN_MUTATIONS, "--mutations", SWITCH}, {GEN_VALUES, "--values", VALUES},
	    {GEN_ELEMENTS, "--elements", ELEMENTS}, {GEN_SIZES, "--sizes", SIZES}};
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
	else if (option == GEN_SIZES)
		c->sizes = (uint32_t)word + 1;
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

/* An option for a feature of models; *is is false for other options. */
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
	case GEN_INVALID:
		return parse_feature(command, "--invalid", &c->invalid);
	case GEN_DYNAMIC_SHAPES:
		return parse_feature(command, "--dynamic-shapes", &c->dynamic_shapes);
	case GEN_SHAPE_INSTANCES:
		return parse_number(command, "--shape-instances", optarg, 2, GRAPH_ASSIGNMENTS_MAX, &c->shape_instances);
	default:
		for (size_t i = 0; i < NFEATURES; i++)
			if (FEATURES[i].option == option)
				return parse_feature(command, FEATURES[i].text, share_of(&c->features, i));
		return *is = false;
	}
}

static bool take_opset(const char *command, gen_choice *c)
{
	c->opset = strcmp(optarg, "auto") == 0 ? OPSET_AUTO : OPSET_TOLD;
	c->opset_from = c->opset_to = OP_SET_LAST;
	return c->opset == OPSET_AUTO
	       || parse_range(command, "--opset", optarg, OP_SET_FIRST, OP_SET_LAST, &c->opset_from, &c->opset_to);
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
	case GEN_OPSET:
		return take_opset(command, c);
	case GEN_MAX_NUMEL:
		return parse_number(
		    command, "--max-numel", optarg, 1, INT64_C(1) << 40, &c->max_numel);
	case GEN_DIM_MAX:
		return parse_number(command, "--dim-max", optarg, 1, 1 << 20, &c->dim_max);
	case GEN_RANK_MAX:
		return parse_number(command, "--rank-max", optarg, 1, INDEX_RANK_MAX, &c->rank_max);
	default: /* next_option has reported it */
		return false;
	}
}

/* ---- after the options */

/* The value of a fraction in thousandths; 0 if the option was not given. */
static uint32_t share(uint32_t told)
{
	return told ? told - 1 : 0;
}

static int unknown_set(const char *command, const char *ops)
{
	const char *sets[16];
	const char *near = suggest(ops, sets, opset_names(sets, sizeof sets / sizeof *sets));
	return unknown_name(command, "--ops: no operator set and no file", ops, near);
}

/* Options of one strategy with another one. */
static int check_strategy(const char *command, const gen_choice *c)
{
	if (c->picking && c->strategy != RS_ISRA)
		return usage_error(command, "--picking needs --strategy isra");
	if (c->graph && c->strategy != RS_GRAPH)
		return usage_error(command, "--chooser, --model and --mutations need --strategy graph");
	if (c->chains && c->strategy != RS_NEURI && c->strategy != RS_ISRA)
		return usage_error(command, "--chains needs --strategy neuri or isra");
	if (share(c->dynamic_shapes) && c->strategy == RS_CALLS)
		return usage_error(command, "--dynamic-shapes does not work with --strategy calls: single calls have one shape");
	if (c->opset_from < c->opset_to && c->strategy == RS_GRAPH)
		return usage_error(command,
		    "--opset A..B does not work with --strategy graph, which learns from earlier models; give one operator set");
	return EXIT_CLEAN;
}

bool gen_choice_set_newest(gen_choice *c, int newest, diag *d)
{
	bool all = c->opset == OPSET_TOLD;
	if (!c->opset_to)
		return true;
	if (all && c->opset_from > newest)
		return diag_set(d, "--opset: the newest operator set of the backend is %d, got %lld", newest, (long long)c->opset_from);
	c->opset_high = c->opset_to < newest ? c->opset_to : newest;
	c->opset_low = c->opset == OPSET_AUTO || c->strategy == RS_GRAPH ? c->opset_high : c->opset_from;
	if (c->opset_low > c->opset_high)
		c->opset_low = c->opset_high;
	return true;
}

int gen_choice_finish(const char *command, gen_choice *c, const char *framework)
{
	c->command = command;
	if (!c->framework)
		c->framework = framework;
	if (c->ops && !opset_exists(c->ops) && access(c->ops, F_OK) != 0)
		return unknown_set(command, c->ops);
	if (c->count > 0 && c->first > INT64_MAX - c->count)
		return usage_error(command, "--first plus --count exceeds %lld", (long long)INT64_MAX);
	diag none = {""};
	return gen_choice_set_newest(c, OP_SET_LAST, &none) ? check_strategy(command, c) : EXIT_USAGE;
}

static void unless_told(uint32_t *told, uint32_t share)
{
	if (!*told)
		*told = share + 1;
}

/* Half of the models in the newest set, half in any. */
static void mix_sets(gen_choice *c)
{
	diag none = {""};
	if (c->opset_to)
		return;
	c->opset = OPSET_MIXED;
	c->opset_from = OP_SET_FIRST;
	c->opset_to = OP_SET_LAST;
	gen_choice_set_newest(c, OP_SET_LAST, &none);
}

void gen_choice_for_run(gen_choice *c)
{
	enum { DYNAMIC_SHAPES = 100, INVALID = 50, CHAINS = 400 };
	for (size_t i = 0; i < NFEATURES; i++)
		if (has_what_it_needs(FEATURES[i].needs, c->framework))
			unless_told(share_of(&c->features, i), FEATURES[i].run);
	if (framework_has_files(c->framework) && !c->rules) /* user-defined functions may be of one set only */
		mix_sets(c);
	if (!c->chains && !c->no_chains && (c->strategy == RS_NEURI || c->strategy == RS_ISRA))
		c->chains = CHAINS;
	unless_told(&c->sizes, RS_SIZES_MIXED);
	if (c->strategy != RS_CALLS) {
		unless_told(&c->dynamic_shapes, DYNAMIC_SHAPES);
		unless_told(&c->invalid, INVALID);
	}
}

static rs_features features_of(const gen_choice *c)
{
	rs_features f = c->features;
	for (size_t i = 0; i < NFEATURES; i++)
		*share_of(&f, i) = share(*share_of(&f, i));
	return f;
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

static void unknown_line(const gen_choice *c, long number, const char *name)
{
	const rs_library *lib = c->rules ? NULL : &rs_rules;
	buf near = {0};
	bool some = lib && api_suggest(lib, c->framework, name, &near);
	fprintf(stderr, "%s:%ld: error: unknown API '%s' of %s%s%s%s\n", c->ops, number, name, c->framework,
	    some ? "; did you mean " : "", buf_text(&near), some ? "?" : "");
	buf_free(&near);
}

/* Reads an --ops file: one API name per line; blank lines and comments (#) are skipped. */
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
			unknown_line(c, number, name);
			return false;
		}
		c->apis[c->napis++] = name;
	}
	if (!c->napis)
		fprintf(stderr, "%s: error: the file names no API; expected one per line\n", c->ops);
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

/* ---- the table */

static int no_table(const gen_choice *c, const rs_library *lib)
{
	if (c->rules)
		return usage_error(c->command, "--framework: no rules of '%s' in %s", c->framework, c->rules);
	return unknown_framework(c->command, "--framework: no rules of", lib, c->framework);
}

static bool asks_for(rs_features *f, enum needs needs)
{
	for (size_t i = 0; i < NFEATURES; i++)
		if (FEATURES[i].needs == needs && *share_of(f, i))
			return true;
	return false;
}

/* "--functions, --subgraphs and --quantized need …" */
static int refuse_features(const gen_choice *c, enum needs needs)
{
	buf names = {0};
	const char *last = NULL;
	for (size_t i = 0; i < NFEATURES; i++) {
		if (FEATURES[i].needs != needs)
			continue;
		if (last)
			buf_printf(&names, "%s%s", names.length ? ", " : "", last);
		last = FEATURES[i].text;
	}
	int status = usage_error(c->command, "%s%s%s need a framework %s; %s has none", buf_text(&names), names.length ? " and " : "", last,
	    needs == NEEDS_FILES ? "whose models are files" : "whose tensors have strides", c->framework);
	buf_free(&names);
	return status;
}

/* Reports names and features that the table does not have. */
static int check_table(const gen_choice *c, const rs_library *lib, const rs_table *t)
{
	rs_features f = features_of(c);
	const char *set_of = c->ops ? opset_framework(c->ops) : NULL;
	size_t n;
	if (set_of && !opset_list(c->ops, c->framework, &n))
		return usage_error(c->command, "--ops: %s is a set of %s operators; add --framework %s", c->ops, set_of, set_of);
	if (c->api && !api_matches(t, c->api))
		return unknown_api(c->command, lib, c->framework, c->api);
	for (enum needs needs = NEEDS_STRIDES; needs <= NEEDS_FILES; needs++)
		if (!has_what_it_needs(needs, c->framework) && asks_for(&f, needs))
			return refuse_features(c, needs);
	if (c->opset_to && !framework_has_files(c->framework))
		return usage_error(c->command, "--opset needs a framework whose models are files; %s has none", c->framework);
	return EXIT_CLEAN;
}

/* The rules of --rules; merged with the built-in ones if --rules is a library of user-defined operators. NULL after a
 * message. */
static const rs_table *with_own(gen_choice *c, const rs_table *t)
{
	diag d = {""};
	if (!own_rules_are(c->rules))
		return t;
	free(c->joined);
	c->joined = own_rules_join(t, &d);
	if (!c->joined)
		fprintf(stderr, "%s: %s\n", c->rules, d.text);
	return c->joined;
}

const rs_table *gen_choice_table(gen_choice *c)
{
	const rs_library *lib = open_rules(c->rules);
	const rs_table *t = lib ? rs_library_table(lib, c->framework) : NULL;
	c->status = EXIT_INPUT;
	if (lib && !t)
		c->status = no_table(c, lib);
	if (t)
		t = with_own(c, t);
	if (t && (c->status = check_table(c, lib, t)) != EXIT_CLEAN)
		return NULL;
	if (!t || load_names(c, t))
		return t;
	c->status = EXIT_INPUT;
	return NULL;
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
	    .sizes = (enum rs_sizes)share(c->sizes),
	    .initializers = c->initializers,
	    .no_initializers = c->no_initializers,
	    .near_misses = share(c->invalid),
	    .chains = c->chains,
	    .no_chains = c->no_chains,
	    .symbolic = share(c->dynamic_shapes),
	    .assignments = (uint32_t)c->shape_instances,
	    .without = without,
	    .nwithout = n,
	    .features = features_of(c),
	    .opset_low = (uint32_t)c->opset_low,
	    .opset_high = (uint32_t)c->opset_high,
	    .opset_newest = c->opset == OPSET_MIXED ? NEWEST_SHARE : 0};
}

rs_gen *gen_choice_open(gen_choice *c)
{
	char message[512];
	const rs_table *t = gen_choice_table(c);
	if (!t)
		return NULL;
	c->status = EXIT_INPUT;
	if (!gen_choice_read_capabilities(c, t))
		return NULL;
	rs_gen_options options = gen_choice_options(c);
	rs_gen *gen = rs_gen_new(t, &options, message, sizeof message);
	if (!gen)
		fprintf(stderr, "error: %s\n", message);
	return gen;
}

/* ---- settings */

/* The operators of --ops: the name of a set, or a hash of the names in a file. */
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

/* The number and hash of excluded calls. */
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

static const char *range_text(int64_t low, int64_t high, arena *a)
{
	return low == high ? number_text(low, a) : arena_printf(a, "%lld..%lld", (long long)low, (long long)high);
}

static const char *sets_text(const gen_choice *c, arena *a)
{
	const char *range = range_text(c->opset_low, c->opset_high, a);
	return range && c->opset == OPSET_MIXED ? arena_printf(a, "%s, half newest", range) : range;
}

const setting *gen_choice_settings(const gen_choice *c, const rs_table *t, arena *a, int *n)
{
	rs_features f = features_of(c);
	const setting all[] = {{"rules", t->fingerprint}, {"strategy", STRATEGIES[c->strategy]},
	    {"nodes", range_text(c->low, c->high, a)},
	    {"first", arena_printf(a, "%lld", (long long)c->first)}, {"api", c->api ? c->api : "*"},
	    {"ops", ops_text(c, a)}, {"picking", number_text(c->picking, a)},
	    {"chooser", CHOOSERS[c->chooser]}, {"model", TOPOLOGIES[c->topology]},
	    {"mutations", SWITCH[c->no_mutations]},
	    {"values", c->values == RS_KEEP_DEFAULT ? "default" : VALUES[c->values - RS_KEEP_FINITE]},
	    {"elements", ELEMENTS[c->elements]}, {"sizes", SIZES[share(c->sizes)]},
	    {"initializers", c->no_initializers ? "none" : number_text(c->initializers, a)},
	    {"chains", c->no_chains ? "none" : number_text(c->chains, a)},
#define SETTING(field, option, needs, run, stage, stream, function, help) {option, number_text(f.field, a)},
	    RS_FEATURES(SETTING)
#undef SETTING
	    {"opset", sets_text(c, a)},
	    {"dynamic-shapes", arena_printf(a, "%u", share(c->dynamic_shapes))}, {"shape-instances", number_text(c->shape_instances, a)},
	    {"invalid", number_text(share(c->invalid), a)}, {"capabilities", capabilities_text(c, a)},
	    {"max-numel", number_text(c->max_numel, a)},
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
