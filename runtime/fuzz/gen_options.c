#include "gen_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "commands.h"
#include "opset.h"

static const char *const STRATEGIES[] = {
    [RS_NEURI] = "neuri", [RS_ISRA] = "isra", [RS_GRAPH] = "graph"};

const char *gen_strategy_name(enum rs_strategy strategy)
{
	return STRATEGIES[strategy];
}

static bool parse_strategy(const char *command, const char *text, gen_choice *c)
{
	for (size_t i = 0; i < sizeof STRATEGIES / sizeof *STRATEGIES; i++)
		if (strcmp(text, STRATEGIES[i]) == 0) {
			c->strategy = (enum rs_strategy)i;
			return true;
		}
	usage_error(command, "--strategy %s: not neuri, isra or graph", text);
	return false;
}

/* A share as thousandths: "0.97" is 970. */
static bool parse_share(const char *command, const char *option, const char *text, uint32_t *value)
{
	char *end;
	double share = strtod(text, &end);
	if (end == text || *end || !(share >= 0.001 && share <= 1)) {
		usage_error(command, "%s takes a share from 0.001 to 1, not '%s'", option, text);
		return false;
	}
	*value = (uint32_t)(share * 1000 + 0.5);
	return true;
}

static bool take_text(const char **to)
{
	*to = optarg;
	return true;
}

bool gen_option(const char *command, int option, gen_choice *c)
{
	c->told |= option != GEN_FRAMEWORK && option != GEN_RULES;
	switch (option) {
	case GEN_FRAMEWORK:
		return take_text(&c->framework);
	case GEN_RULES:
		return take_text(&c->rules);
	case GEN_STRATEGY:
		return parse_strategy(command, optarg, c);
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
		return parse_share(command, "--picking", optarg, &c->picking);
	case GEN_MAX_NUMEL:
		return parse_number(
		    command, "--max-numel", optarg, 1, INT64_C(1) << 40, &c->max_numel);
	case GEN_DIM_MAX:
		return parse_number(command, "--dim-max", optarg, 1, INT32_MAX, &c->dim_max);
	case GEN_RANK_MAX:
		return parse_number(command, "--rank-max", optarg, 1, 15, &c->rank_max);
	default:
		usage_error(command, "unknown option, or one without its argument");
		return false;
	}
}

/* ---- --ops */

/* The next line's first word, NULL at the end; *text moves behind the line. */
static const char *next_name(const char **text, size_t *length)
{
	while (**text) {
		const char *line = *text + strspn(*text, " \t\r\n");
		size_t n = strcspn(line, " \t\r\n");
		*text = line + strcspn(line, "\n");
		if (n && *line != '#') {
			*length = n;
			return line;
		}
	}
	return NULL;
}

bool read_names(const char *path, arena *a, const char *const **names, uint32_t *count)
{
	diag d = {""};
	size_t length;
	char *text = file_read(path, &length, &d);
	if (!text) {
		fprintf(stderr, "%s\n", d.text);
		return false;
	}
	uint32_t lines = 1, n = 0;
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	const char **list = ARENA_ARRAY(a, const char *, lines);
	const char *name, *rest = text;
	bool ok = list != NULL;
	while (ok && (name = next_name(&rest, &length)))
		ok = (list[n++] = arena_strndup(a, name, length)) != NULL;
	free(text);
	if (!ok)
		fputs("error: out of memory\n", stderr);
	else if (!n)
		fprintf(stderr, "%s: error: no names in it\n", path);
	*names = list;
	*count = n;
	return ok && n;
}

/* ---- after the options */

int gen_choice_finish(const char *command, gen_choice *c)
{
	if (!c->framework)
		c->framework = "torch";
	if (c->first > INT64_MAX - c->count)
		return usage_error(command, "--first and --count are too large together");
	if (!c->ops)
		return EXIT_CLEAN;
	if (opset_exists(c->ops)) {
		size_t n;
		if (opset_list(c->ops, c->framework, &n))
			return EXIT_CLEAN;
		return usage_error(command, "--ops %s: no such set for %s", c->ops, c->framework);
	}
	if (!strpbrk(c->ops, "./"))
		return usage_error(command, "--ops %s: neither a set nor a file with a '.' or '/'", c->ops);
	c->arena = arena_new();
	if (!c->arena) {
		fputs("error: out of memory\n", stderr);
		return EXIT_INPUT;
	}
	return read_names(c->ops, c->arena, &c->apis, &c->napis) ? EXIT_CLEAN : EXIT_INPUT;
}

void gen_choice_free(gen_choice *c)
{
	arena_free(c->arena);
}

rs_gen *gen_choice_open(const gen_choice *c, const rs_table **table)
{
	char message[512];
	const rs_library *lib = open_rules(c->rules);
	if (!lib)
		return NULL;
	const rs_table *t = rs_library_table(lib, c->framework);
	if (!t) {
		fprintf(stderr, "error: no rules of %s in %s\n", c->framework,
		    c->rules ? c->rules : "the built-in library");
		return NULL;
	}
	rs_gen_options options = {.strategy = c->strategy,
	    .nodes_low = (uint32_t)c->low,
	    .nodes_high = (uint32_t)c->high,
	    .max_numel = c->max_numel,
	    .api = c->api,
	    .picking = c->picking,
	    .set = c->apis ? NULL : c->ops,
	    .dim_max = c->dim_max,
	    .rank_max = (uint32_t)c->rank_max,
	    .apis = c->apis,
	    .napis = c->napis};
	rs_gen *gen = rs_gen_new(t, &options, message, sizeof message);
	if (!gen)
		fprintf(stderr, "error: %s\n", message);
	if (table)
		*table = t;
	return gen;
}
