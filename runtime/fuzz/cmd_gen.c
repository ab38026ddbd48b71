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
#include "gen_neuri.h"
#include "write.h"

enum format { FORMAT_NONE, FORMAT_JSON, FORMAT_PY, FORMAT_ONNX };

typedef struct job {
	const char *framework, *rules, *api, *out;
	enum format format;
	int64_t low, high, count, seed, first, max_numel;
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
	     "  --strategy S       neuri: hybrid concolic insertion (default, and the only one so "
	     "far)\n"
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
	     "  --max-numel M      elements a tensor at most (default 65536)\n"
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

static bool parse_strategy(const char *text)
{
	if (strcmp(text, "neuri") == 0)
		return true;
	if (strcmp(text, "isra") == 0 || strcmp(text, "graph") == 0)
		usage_error("gen", "--strategy %s is not built yet (neuri is)", text);
	else
		usage_error("gen", "--strategy %s: not neuri, isra or graph", text);
	return false;
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
		return parse_strategy(optarg);
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
	if (j->format == FORMAT_PY && strcmp(j->framework, "torch") != 0)
		return usage_error("gen", "--format py writes torch scripts only so far");
	if (j->format == FORMAT_ONNX && strcmp(j->framework, "onnx") != 0)
		return usage_error("gen", "--format onnx writes models of --framework onnx only");
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
	    {"concrete", s.concrete}, {"mutated", s.mutated}, {"apis", c.apis},
	    {"operators", c.operators}, {"by_rule", c.symbolic}, {"unsafe", c.unsafe},
	    {"without_dtypes", c.dtypes}, {"without_records", c.records}, {"ranges_or_random", c.elements}};
	printf("{\"schema\":1,\"framework\":\"%s\",\"strategy\":\"neuri\"", j->framework);
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
	       "%u with inputs of a range or random outputs\n",
	    c.unsafe, c.dtypes, c.records, c.elements);
	printf("models      %" PRIu64 "\nnodes       %" PRIu64 "\n", s.models, s.nodes);
	printf("forward     %.1f %%\nbackward    %.1f %%\nfresh       %.1f %%\n",
	    share(s.forward, s.nodes), share(s.backward, s.nodes), share(s.fresh, s.nodes));
	printf("by rule     %.1f %%, %.1f %% with changed attributes or dimensions\n",
	    share(s.symbolic, s.nodes), share(s.mutated, s.nodes));
	printf("seconds     %.3f (%.3f of one core)\n", j->seconds, j->cpu);
	printf("models/s    %.0f\n", j->seconds > 0 ? (double)s.models / j->seconds : 0);
	printf("digest      %016" PRIx64 "\n", j->digest);
}

static void print_summary(const job *j, const rs_gen *gen)
{
	(j->json ? print_json : print_table)(j, gen_get_stats(gen), gen_get_scope(gen));
}

/* ---- the command */

static rs_gen *open_generator(const job *j)
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
	rs_gen_options options = {.strategy = RS_NEURI,
	    .nodes_low = (uint32_t)j->low,
	    .nodes_high = (uint32_t)j->high,
	    .max_numel = j->max_numel,
	    .api = j->api};
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
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}
