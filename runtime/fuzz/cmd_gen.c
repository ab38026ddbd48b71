/* rulefuzz gen: models to files, to standard output, or only counted. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "commands.h"
#include "gen.h"
#include "opset.h"
#include "write.h"

enum format { FORMAT_NONE, FORMAT_JSON, FORMAT_PY, FORMAT_ONNX };

typedef struct job {
	const char *framework, *rules, *api, *ops, *out;
	enum format format;
	enum rs_strategy strategy;
	int64_t low, high, count, seed, first, max_numel, dim_max, rank_max, picking;
	char *list;	   /* the text of an --ops file, */
	const char **apis; /* and the names in it */
	uint32_t napis;
	bool json; /* the summary */
	uint64_t digest;
	double seconds, cpu;
} job;

static int help(void)
{
	puts("usage: rulefuzz gen [OPTION…]\n\n"
	     "Generates valid models from compiled operator rules. The same seed gives the same "
	     "bytes on\n"
	     "every machine, and each model depends on nothing but the seed and its own number.\n\n"
	     "  --framework F      whose operators (default torch)\n"
	     "  --strategy S       neuri: hybrid concolic insertion (default); isra: node by node, "
	     "on\n"
	     "                     demand\n"
	     "  --nodes N|A..B     operator calls a model (default 5)\n"
	     "  --count C          models (default 1)\n"
	     "  --seed S           of the run (default 0)\n"
	     "  --first I          number of the first model (default 0), to repeat a part of a "
	     "run\n"
	     "  --format FORMAT    json (default), py: stand-alone scripts, onnx: ONNX\n"
	     "                     files, none: only counted\n"
	     "  -o DIR|-           where to: a file a model, or standard output (default), there "
	     "as\n"
	     "                     one line a model (json)\n"
	     "  --picking R        isra: share of inputs that are existing tensors (default 0.97)\n"
	     "  --dim-max D        free dimensions at most (default: neuri 8, isra 5)\n"
	     "  --rank-max R       ranks at most (default: neuri 15, isra 5)\n"
	     "  --max-numel M      elements a tensor at most (default 65536)\n"
	     "  --ops SET|FILE     only these operators: isra65 (ONNX), or a file with the name of "
	     "an API\n"
	     "                     a line\n"
	     "  --api GLOB         only operators of these APIs\n"
	     "  --rules SO         a compiled rule library instead of the one built in\n"
	     "  --json             the summary of --format none as JSON\n"
	     "  --help\n\n"
	     "--format none prints models, nodes, seconds, models a second and a digest of all "
	     "models.");
	return EXIT_CLEAN;
}

/* ---- options */

static bool parse_format(const char *text, job *j)
{
	if (strcmp(text, "none") == 0)
		j->format = FORMAT_NONE;
	else if (strcmp(text, "json") == 0)
		j->format = FORMAT_JSON;
	else if (strcmp(text, "py") == 0)
		j->format = FORMAT_PY;
	else if (strcmp(text, "onnx") == 0)
		j->format = FORMAT_ONNX;
	else
		return usage_error("gen", "--format %s: not json, py, onnx or none", text), false;
	return true;
}

static const char *const STRATEGIES[] = {[RS_NEURI] = "neuri", [RS_ISRA] = "isra"};

static bool parse_strategy(const char *text, job *j)
{
	for (size_t i = 0; i < sizeof STRATEGIES / sizeof *STRATEGIES; i++)
		if (strcmp(text, STRATEGIES[i]) == 0) {
			j->strategy = (enum rs_strategy)i;
			return true;
		}
	if (strcmp(text, "graph") == 0)
		usage_error("gen", "--strategy graph is not built yet (neuri and isra are)");
	else
		usage_error("gen", "--strategy %s: not neuri, isra or graph", text);
	return false;
}

/* "0.97" in thousandths; decimal digits alone, so that no rounding differs between machines. */
static bool parse_share(const char *option, const char *text, int64_t *value)
{
	int64_t n = 0, scale = 1000;
	const char *p = text;
	for (; *p >= '0' && *p <= '9' && n <= 1; p++)
		n = n * 10 + *p - '0';
	n *= 1000;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9' && scale > 1; p++)
			n += (*p - '0') * (scale /= 10);
	if (p == text || *p || n < 1 || n > 1000)
		return usage_error("gen", "%s takes a share from 0.001 to 1, not '%s'", option, text),
		       false;
	*value = n;
	return true;
}

enum gen_option {
	FRAMEWORK = 256,
	STRATEGY,
	NODES,
	COUNT,
	SEED,
	FIRST,
	FORMAT,
	RULES,
	MAX_NUMEL,
	DIM_MAX,
	RANK_MAX,
	PICKING,
	OPS,
	API,
	JSON
};

static bool take_option(int option, job *j)
{
	switch (option) {
	case FRAMEWORK:
		j->framework = optarg;
		return true;
	case STRATEGY:
		return parse_strategy(optarg, j);
	case NODES:
		return parse_range("gen", "--nodes", optarg, 1, 1000000, &j->low, &j->high);
	case COUNT:
		return parse_number("gen", "--count", optarg, 0, INT64_MAX, &j->count);
	case SEED:
		return parse_number("gen", "--seed", optarg, 0, INT64_MAX, &j->seed);
	case FIRST:
		return parse_number("gen", "--first", optarg, 0, INT64_MAX, &j->first);
	case FORMAT:
		return parse_format(optarg, j);
	case MAX_NUMEL:
		return parse_number(
		    "gen", "--max-numel", optarg, 1, INT64_C(1) << 40, &j->max_numel);
	case DIM_MAX:
		return parse_number("gen", "--dim-max", optarg, 1, 1 << 20, &j->dim_max);
	case RANK_MAX:
		return parse_number("gen", "--rank-max", optarg, 1, INDEX_RANK_MAX, &j->rank_max);
	case PICKING:
		return parse_share("--picking", optarg, &j->picking);
	case OPS:
		j->ops = optarg;
		return true;
	case RULES:
		j->rules = optarg;
		return true;
	case API:
		j->api = optarg;
		return true;
	case JSON:
		return j->json = true;
	case 'o':
		j->out = optarg;
		return true;
	default:
		usage_error("gen", "bad option");
		return false;
	}
}

/* EXIT_CLEAN: go on; -1: help was asked for. */
static int parse(int argc, char **argv, job *j)
{
	static const struct option long_options[] = {
	    {"framework", required_argument, NULL, FRAMEWORK},
	    {"strategy", required_argument, NULL, STRATEGY},
	    {"nodes", required_argument, NULL, NODES}, {"count", required_argument, NULL, COUNT},
	    {"seed", required_argument, NULL, SEED}, {"first", required_argument, NULL, FIRST},
	    {"format", required_argument, NULL, FORMAT}, {"rules", required_argument, NULL, RULES},
	    {"max-numel", required_argument, NULL, MAX_NUMEL},
	    {"dim-max", required_argument, NULL, DIM_MAX},
	    {"rank-max", required_argument, NULL, RANK_MAX},
	    {"picking", required_argument, NULL, PICKING}, {"ops", required_argument, NULL, OPS},
	    {"api", required_argument, NULL, API}, {"json", no_argument, NULL, JSON},
	    {"help", no_argument, NULL, 'h'}, {0}};
	int option;
	optind = 1;
	while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
		if (option == 'h')
			return -1;
		if (!take_option(option, j))
			return EXIT_USAGE;
	}
	if (optind < argc)
		return usage_error("gen", "unexpected argument '%s'", argv[optind]);
	if (j->format == FORMAT_PY && !graph_has_python(j->framework))
		return usage_error("gen", "--format py writes scripts of torch and tensorflow only");
	if (j->format == FORMAT_ONNX && strcmp(j->framework, "onnx") != 0)
		return usage_error("gen", "--format onnx writes models of --framework onnx only");
	if (j->ops && !opset_exists(j->ops) && access(j->ops, F_OK) != 0)
		return usage_error("gen", "--ops %s: neither a set (isra65) nor a file", j->ops);
	if (j->picking && j->strategy != RS_ISRA)
		return usage_error("gen", "--picking is an option of --strategy isra");
	if (j->first > INT64_MAX - j->count)
		return usage_error("gen", "--first and --count are too large together");
	return EXIT_CLEAN;
}

/* ---- output */

static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void show_progress(int64_t done, int64_t count, double start)
{
	double seconds = now(CLOCK_MONOTONIC) - start,
	       rate = seconds > 0 ? (double)done / seconds : 0;
	fprintf(stderr, "\r%" PRId64 "/%" PRId64 " models, %.0f a second, %.0f s left   ", done,
	    count, rate, rate > 0 ? (double)(count - done) / rate : 0);
	if (done == count)
		fputc('\n', stderr);
}

static bool write_file(const job *j, const graph *g, const buf *text)
{
	static const char *const endings[] = {"", "json", "py", "onnx"};
	char path[4096];
	diag d = {""};
	int n = snprintf(path, sizeof path, "%s/%s-%" PRIu64 "-%" PRIu64 ".%s", j->out,
	    g->framework, g->seed, g->index, endings[j->format]);
	if (n < 0 || (size_t)n >= sizeof path) {
		fprintf(stderr, "%s: error: the path is too long\n", j->out);
		return false;
	}
	if (!file_write(path, text->text, text->length, &d)) {
		fprintf(stderr, "%s\n", d.text);
		return false;
	}
	return true;
}

static bool write_model(const job *j, const graph *g, buf *text, arena *scratch)
{
	diag d = {""};
	buf_clear(text);
	if (j->format == FORMAT_ONNX && !graph_write_onnx(g, scratch, text, &d)) {
		fprintf(stderr, "%s\n", d.text);
		return false;
	}
	if (j->format == FORMAT_PY)
		graph_write_python(g, text);
	if (j->format == FORMAT_JSON) {
		graph_write_json(g, text);
		buf_putc(text, '\n');
	}
	if (text->failed) {
		fputs("error: out of memory\n", stderr);
		return false;
	}
	if (j->out)
		return write_file(j, g, text);
	if (fwrite(text->text, 1, text->length, stdout) == text->length)
		return true;
	fprintf(stderr, "<stdout>: error: cannot write: %s\n", strerror(errno));
	return false;
}

/* The digest of a run is the sum of its models' hashes: parts of a run can be added up. */
static bool generate(job *j, rs_gen *gen, graph *g)
{
	buf text = {0};
	arena *scratch = arena_new();
	bool ok = scratch, terminal = isatty(STDERR_FILENO);
	double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	for (int64_t i = 0; ok && i < j->count; i++) {
		if (!rs_gen_model(gen, (uint64_t)j->seed, (uint64_t)(j->first + i), g)) {
			fputs("error: out of memory\n", stderr);
			ok = false;
		} else if (j->format == FORMAT_NONE) {
			j->digest += graph_hash(g);
		} else {
			ok = write_model(j, g, &text, scratch);
		}
		if (terminal && ((i & 0xfff) == 0xfff || i + 1 == j->count))
			show_progress(i + 1, j->count, start);
	}
	j->seconds = now(CLOCK_MONOTONIC) - start;
	j->cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	buf_free(&text);
	arena_free(scratch);
	return ok;
}

static void print_json(const job *j, gen_stats s, gen_scope c)
{
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {{"models", s.models}, {"nodes", s.nodes}, {"forward", s.forward},
	    {"backward", s.backward}, {"fresh", s.fresh}, {"symbolic", s.symbolic},
	    {"concrete", s.concrete}, {"apis", c.apis},
	    {"operators", c.operators}, {"by_rule", c.symbolic}, {"unsafe", c.unsafe},
	    {"without_dtypes", c.dtypes}, {"without_records", c.records}, {"random_or_unfit", c.elements}, {"superseded", c.old}};
	printf("{\"schema\":1,\"framework\":\"%s\",\"strategy\":\"%s\"", j->framework,
	    STRATEGIES[j->strategy]);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		printf(",\"%s\":%" PRIu64, rows[i].key, rows[i].value);
	printf(",\"seconds\":%.6f,\"cpu_seconds\":%.6f,\"models_per_second\":%.0f", j->seconds,
	    j->cpu, j->seconds > 0 ? (double)s.models / j->seconds : 0);
	printf(",\"digest\":\"%016" PRIx64 "\"}\n", j->digest);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_table(const job *j, gen_stats s, gen_scope c)
{
	printf("operators   %u of %u APIs, %u by their rule\n", c.operators, c.apis, c.symbolic);
	printf("left out    %u not writable, %u without dtypes, %u without a record that fits, "
	       "%u with random outputs or unfit elements, %u of an earlier version\n",
	    c.unsafe, c.dtypes, c.records, c.elements, c.old);
	printf("models      %" PRIu64 "\nnodes       %" PRIu64 "\n", s.models, s.nodes);
	printf("forward     %.1f %%\nbackward    %.1f %%\nfresh       %.1f %%\n",
	    share(s.forward, s.nodes), share(s.backward, s.nodes), share(s.fresh, s.nodes));
	printf("by rule     %.1f %%\n", share(s.symbolic, s.nodes));
	printf("seconds     %.3f (%.3f of one core)\n", j->seconds, j->cpu);
	printf("models/s    %.0f\n", j->seconds > 0 ? (double)s.models / j->seconds : 0);
	printf("digest      %016" PRIx64 "\n", j->digest);
}

static void print_summary(const job *j, const rs_gen *gen)
{
	(j->json ? print_json : print_table)(j, gen_get_stats(gen), gen_get_scope(gen));
}

/* ---- the command */

static bool table_has(const rs_table *t, const char *api)
{
	for (uint32_t i = 0; i < t->nops; i++)
		if (strcmp(t->ops[i].api, api) == 0)
			return true;
	return false;
}

/* The names in an --ops file, one a line; empty lines and what follows a # are nothing. */
static bool read_names(job *j, const rs_table *t)
{
	char *rest = j->list, *line;
	size_t room = strlen(j->list) / 2 + 1;
	j->apis = malloc(room * sizeof *j->apis);
	if (!j->apis)
		return fputs("error: out of memory\n", stderr), false;
	for (long number = 1; (line = strsep(&rest, "\n")); number++) {
		line[strcspn(line, "#\r")] = '\0';
		char *name = strtok(line, " \t");
		if (!name)
			continue;
		if (!table_has(t, name)) {
			fprintf(stderr, "%s:%ld: error: no operator of %s is called '%s'\n", j->ops,
			    number, j->framework, name);
			return false;
		}
		j->apis[j->napis++] = name;
	}
	if (!j->napis)
		fprintf(stderr, "%s: error: names no operator\n", j->ops);
	return j->napis > 0;
}

static bool load_names(job *j, const rs_table *t)
{
	diag d = {""};
	size_t length;
	if (!j->ops || opset_exists(j->ops))
		return true;
	j->list = file_read(j->ops, &length, &d);
	if (!j->list)
		fprintf(stderr, "%s\n", d.text);
	return j->list && read_names(j, t);
}

static rs_gen *open_generator(job *j)
{
	char message[512];
	const rs_library *lib = open_rules(j->rules);
	if (!lib)
		return NULL;
	const rs_table *table = rs_library_table(lib, j->framework);
	if (!table) {
		fprintf(stderr, "error: no rules of %s in %s\n", j->framework,
		    j->rules ? j->rules : "the built-in library");
		return NULL;
	}
	if (!load_names(j, table))
		return NULL;
	rs_gen_options options = {.strategy = j->strategy,
	    .nodes_low = (uint32_t)j->low,
	    .nodes_high = (uint32_t)j->high,
	    .max_numel = j->max_numel,
	    .api = j->api,
	    .picking = (uint32_t)j->picking,
	    .set = j->apis ? NULL : j->ops,
	    .dim_max = j->dim_max,
	    .rank_max = (uint32_t)j->rank_max,
	    .apis = j->apis,
	    .napis = j->napis};
	rs_gen *gen = rs_gen_new(table, &options, message, sizeof message);
	if (!gen)
		fprintf(stderr, "error: %s\n", message);
	return gen;
}

static bool prepare_output(job *j)
{
	diag d = {""};
	if (j->out && strcmp(j->out, "-") == 0)
		j->out = NULL;
	if (!j->out || j->format == FORMAT_NONE || make_directories(j->out, &d))
		return true;
	fprintf(stderr, "%s\n", d.text);
	return false;
}

int cmd_gen(int argc, char **argv)
{
	job j = {.framework = "torch", .format = FORMAT_JSON, .low = 5, .high = 5, .count = 1};
	int status = parse(argc, argv, &j);
	if (status)
		return status < 0 ? help() : status;
	rs_gen *gen = prepare_output(&j) ? open_generator(&j) : NULL;
	rs_graph *g = gen ? rs_graph_new() : NULL;
	bool ok = g && generate(&j, gen, g);
	if (ok && j.format == FORMAT_NONE)
		print_summary(&j, gen);
	if (ok && fflush(stdout) != 0) {
		fprintf(stderr, "<stdout>: error: cannot write: %s\n", strerror(errno));
		ok = false;
	}
	rs_graph_free(g);
	rs_gen_free(gen);
	free(j.apis);
	free(j.list);
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}
