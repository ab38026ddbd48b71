/* rulefuzz gen: models to files, to standard output, or only counted. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "clock.h"
#include "file.h"
#include "commands.h"
#include "framework.h"
#include "gen.h"
#include "gen_graph.h"
#include "gen_options.h"
#include "write_json.h"
#include "write_onnx.h"
#include "write_python.h"

enum format { FORMAT_NONE, FORMAT_JSON, FORMAT_PY, FORMAT_FILE };

typedef struct job {
	gen_choice gen;
	const char *out;
	enum format format;
	const char *format_name; /* FORMAT_FILE: whose */
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
	     GEN_HELP_MODELS GEN_HELP
	     "  --format FORMAT    json (default), py: stand-alone scripts, none: only counted; or the name\n"
	     "                     of the framework, where models are files of its own\n"
	     "  -o DIR|-           where to: a file a model, or standard output (default), there "
	     "as\n"
	     "                     one line a model (json)\n"
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
	else if (framework_has_files(text))
		j->format = FORMAT_FILE;
	else
		return usage_error("gen", "--format %s: not json, py, none or a framework with files of its own", text), false;
	j->format_name = text;
	return true;
}

enum { FORMAT = GEN_OPTION_END, JSON };

static bool take_option(int option, job *j)
{
	switch (option) {
	case FORMAT:
		return parse_format(optarg, j);
	case JSON:
		return j->json = true;
	case 'o':
		j->out = optarg;
		return true;
	default:
		return gen_option("gen", option, &j->gen);
	}
}

/* EXIT_CLEAN: go on; -1: help was asked for. */
static int parse(int argc, char **argv, job *j)
{
	static const struct option long_options[] = {GEN_LONG_OPTIONS,
	    {"format", required_argument, NULL, FORMAT}, {"json", no_argument, NULL, JSON},
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
	int status = gen_choice_finish("gen", &j->gen, framework_default());
	if (status)
		return status;
	if (j->format == FORMAT_PY && !graph_has_python(j->gen.framework))
		return usage_error("gen", "--format py: %s has no scripts", j->gen.framework);
	if (j->format == FORMAT_FILE && strcmp(j->gen.framework, j->format_name) != 0)
		return usage_error("gen", "--format %s writes models of --framework %s only", j->format_name, j->format_name);
	return EXIT_CLEAN;
}

/* ---- output */

static void show_progress(int64_t done, int64_t count, double start)
{
	double seconds = clock_seconds() - start,
	       rate = seconds > 0 ? (double)done / seconds : 0;
	fprintf(stderr, "\r%" PRId64 "/%" PRId64 " models, %.0f a second, %.0f s left   ", done,
	    count, rate, rate > 0 ? (double)(count - done) / rate : 0);
	if (done == count)
		fputc('\n', stderr);
}

static bool write_file(const job *j, const graph *g, const buf *text)
{
	char path[4096];
	diag d = {""};
	int n = snprintf(path, sizeof path, "%s/%s-%" PRIu64 "-%" PRIu64 ".%s", j->out,
	    g->framework, g->seed, g->index, j->format_name);
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

static bool no_memory(void)
{
	fputs("error: out of memory\n", stderr);
	return false;
}

static bool write_model(const job *j, const graph *g, buf *text, arena *scratch)
{
	diag d = {""};
	buf_clear(text);
	if (j->format == FORMAT_FILE && !graph_write_onnx(g, scratch, text, &d)) {
		fprintf(stderr, "%s\n", d.text);
		return false;
	}
	if (j->format == FORMAT_PY)
		graph_write_python(g, text);
	if (j->format == FORMAT_JSON) {
		graph_write_json(g, text);
		buf_putc(text, '\n');
	}
	if (text->failed)
		return no_memory();
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
	bool ok = scratch || no_memory(), terminal = isatty(STDERR_FILENO);
	double start = clock_seconds(), cpu = clock_cpu_seconds();
	for (int64_t i = 0; ok && i < j->gen.count; i++) {
		if (!rs_gen_model(gen, (uint64_t)j->gen.seed, (uint64_t)(j->gen.first + i), g)) {
			ok = no_memory();
		} else if (j->format == FORMAT_NONE) {
			j->digest += graph_hash(g);
		} else {
			ok = write_model(j, g, &text, scratch);
		}
		if (terminal && ((i & 0xfff) == 0xfff || i + 1 == j->gen.count))
			show_progress(i + 1, j->gen.count, start);
	}
	j->seconds = clock_seconds() - start;
	j->cpu = clock_cpu_seconds() - cpu;
	buf_free(&text);
	arena_free(scratch);
	return ok;
}

static void print_json(
    const job *j, gen_stats s, gen_scope c, solver_stats z, const olc_report *r)
{
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {{"models", s.models}, {"nodes", s.nodes}, {"forward", s.forward},
	    {"backward", s.backward}, {"fresh", s.fresh}, {"symbolic", s.symbolic},
	    {"concrete", s.concrete}, {"asked_to_vary", s.asked_to_vary}, {"varying", s.varying}, {"apis", c.apis},
	    {"operators", c.operators}, {"by_rule", c.symbolic}, {"unsafe", c.unsafe},
	    {"without_dtypes", c.dtypes}, {"without_records", c.records}, {"random_or_unfit", c.elements}, {"superseded", c.old},
	    {"solver_asked", z.asked}, {"solver_found", z.found}, {"solver_none", z.none},
	    {"solver_unknown", z.unknown}};
	printf("{\"schema\":1,\"framework\":\"%s\",\"strategy\":\"%s\"", j->gen.framework,
	    gen_strategy_name(j->gen.strategy));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		printf(",\"%s\":%" PRIu64, rows[i].key, rows[i].value);
	if (r)
		printf(",\"coverage\":{\"otc\":%.4f,\"idc\":%.4f,\"odc\":%.4f,\"sec\":%.4f,"
		       "\"spc\":%.4f,\"olc\":%.4f}",
		    r->otc, r->idc, r->odc, r->sec, r->spc, r->all);
	printf(",\"seconds\":%.6f,\"cpu_seconds\":%.6f,\"models_per_second\":%.0f", j->seconds,
	    j->cpu, j->seconds > 0 ? (double)s.models / j->seconds : 0);
	printf(",\"digest\":\"%016" PRIx64 "\"}\n", j->digest);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_table(
    const job *j, gen_stats s, gen_scope c, solver_stats z, const olc_report *r)
{
	printf("operators   %u of %u APIs, %u by their rule\n", c.operators, c.apis, c.symbolic);
	printf("left out    %u not writable, %u without dtypes, %u without a record that fits, "
	       "%u with random outputs or unfit elements, %u of an earlier version\n",
	    c.unsafe, c.dtypes, c.records, c.elements, c.old);
	printf("models      %" PRIu64 "\nnodes       %" PRIu64 "\n", s.models, s.nodes);
	printf("forward     %.1f %%\nbackward    %.1f %%\nfresh       %.1f %%\n",
	    share(s.forward, s.nodes), share(s.backward, s.nodes), share(s.fresh, s.nodes));
	printf("by rule     %.1f %%\n", share(s.symbolic, s.nodes));
	if (j->gen.symbolic > 1) /* told, and not 0 */
		printf("symbolic    %.1f %% of %" PRIu64 " models that were to be\n", share(s.varying, s.asked_to_vary), s.asked_to_vary);
	if (j->gen.solver)
		printf("solver      asked %" PRIu64 " times: %" PRIu64 " calls found, %" PRIu64
		       " times there is none, %" PRIu64 " not known\n",
		    z.asked, z.found, z.none, z.unknown);
	if (r) /* operator-level, of the latest run of models (docs/explanation/models.md) */
		printf("coverage    %.1f %%: OTC %.1f, IDC %.1f, ODC %.1f, SEC %.1f, SPC %.1f\n",
		    100 * r->all, 100 * r->otc, 100 * r->idc, 100 * r->odc, 100 * r->sec,
		    100 * r->spc);
	printf("seconds     %.3f (%.3f of one core)\n", j->seconds, j->cpu);
	printf("models/s    %.0f\n", j->seconds > 0 ? (double)s.models / j->seconds : 0);
	printf("digest      %016" PRIx64 "\n", j->digest);
}

static void print_summary(const job *j, const rs_gen *gen)
{
	olc_report r;
	bool counted = gen_graph_coverage(gen, &r);
	(j->json ? print_json : print_table)(j, gen_get_stats(gen), gen_get_scope(gen),
	    gen_get_solver_stats(gen), counted ? &r : NULL);
}

/* ---- the command */

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
	job j = {.gen = GEN_CHOICE, .format = FORMAT_JSON, .format_name = "json"};
	int status = parse(argc, argv, &j);
	if (status)
		return status < 0 ? help() : status;
	rs_gen *gen = prepare_output(&j) ? gen_choice_open(&j.gen) : NULL;
	rs_graph *g = gen ? rs_graph_new() : NULL;
	bool ok = gen && (g || no_memory()) && generate(&j, gen, g);
	if (ok && j.format == FORMAT_NONE)
		print_summary(&j, gen);
	if (ok && fflush(stdout) != 0) {
		fprintf(stderr, "<stdout>: error: cannot write: %s\n", strerror(errno));
		ok = false;
	}
	rs_graph_free(g);
	rs_gen_free(gen);
	gen_choice_free(&j.gen);
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}
