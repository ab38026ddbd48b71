/* rulefuzz gen: writes models to files or to standard output, or only counts them. */
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
#include "gen_sets.h"
#include "gen_options.h"
#include "write_json.h"
#include "write_onnx.h"
#include "write_python.h"

enum format { FORMAT_NONE, FORMAT_JSON, FORMAT_PY, FORMAT_FILE };

typedef struct job {
	gen_choice gen;
	const char *out;
	enum format format;
	const char *format_name; /* FORMAT_FILE: the framework */
	bool json;		 /* print the summary as JSON */
	uint64_t digest;
	double seconds, cpu;
} job;

static int help(void)
{
	puts("usage: rulefuzz gen [OPTION…]\n\n"
	     "Generates valid models from the compiled operator rules and writes them as JSON, scripts or model\n"
	     "files. The same options and seed give the same bytes on every machine.\n");
	gen_help_models();
	puts("  --format FORMAT       json: one model per line (default); py: stand-alone scripts; none: only\n"
	     "                        count the models; or a framework whose models are files: its files\n"
	     "  -o DIR|-              write one file per model to DIR (default -: standard output)\n"
	     "  --json                print the summary of --format none as JSON\n"
	     "  -h, --help            show this text\n");
	gen_help_options();
	puts("\n--format none prints the number of models and calls, models per second and a digest of all models.");
	return print_examples("gen");
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
		return usage_error("gen", "--format: expected json, py, none or a framework whose models are files, got '%s'", text), false;
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

/* Reports a format that does not fit the framework or the place that models go to. */
static int check_format(job *j)
{
	const char *framework = j->gen.framework;
	if (j->out && strcmp(j->out, "-") == 0)
		j->out = NULL;
	if (j->json && j->format != FORMAT_NONE)
		return usage_error("gen", "--json is the summary of --format none; models are JSON by default");
	if (j->format == FORMAT_PY && !graph_has_python(framework))
		return usage_error("gen", "--format py: models of %s are not scripts", framework);
	if (j->format != FORMAT_FILE)
		return EXIT_CLEAN;
	if (strcmp(framework, j->format_name) != 0)
		return usage_error("gen", "--format %s writes models of %s; add --framework %s", j->format_name, j->format_name,
		    j->format_name);
	if (!j->out && isatty(STDOUT_FILENO))
		return usage_error("gen", "--format %s is binary and standard output is a terminal; add -o DIR", j->format_name);
	if (!j->out && j->gen.count > 1)
		return usage_error("gen", "--format %s: %" PRId64 " models do not fit into one file; add -o DIR", j->format_name,
		    j->gen.count);
	return EXIT_CLEAN;
}

/* Returns EXIT_CLEAN to go on, -1 to print the help text, else an exit code. */
static int parse(int argc, char **argv, job *j)
{
	static const struct option long_options[] = {GEN_LONG_OPTIONS,
	    {"format", required_argument, NULL, FORMAT}, {"json", no_argument, NULL, JSON},
	    {"help", no_argument, NULL, 'h'}, {0}};
	int option;
	optind = 1;
	while ((option = next_option("gen", argc, argv, "o:h", long_options)) != -1) {
		if (option == 'h')
			return -1;
		if (!take_option(option, j))
			return EXIT_USAGE;
	}
	if (optind < argc)
		return usage_error("gen", "unexpected argument '%s'", argv[optind]);
	int status = gen_choice_finish("gen", &j->gen, framework_default());
	return status ? status : check_format(j);
}

/* ---- output */

static void show_progress(int64_t done, int64_t count, double start)
{
	double seconds = clock_seconds() - start,
	       rate = seconds > 0 ? (double)done / seconds : 0;
	fprintf(stderr, "\r%" PRId64 "/%" PRId64 " models, %.0f/s, %.0f s left   ", done,
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

/* The digest is the sum of the models' hashes, so that digests of parts of a run can be added. */
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
    const job *j, gen_stats s, gen_scope c, const olc_report *r)
{
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {{"models", s.models}, {"nodes", s.nodes}, {"forward", s.forward},
	    {"backward", s.backward}, {"fresh", s.fresh}, {"symbolic", s.symbolic},
	    {"concrete", s.concrete}, {"dynamic_tried", s.asked_to_vary}, {"dynamic", s.varying}, {"apis", c.apis},
	    {"operators", c.operators}, {"by_rule", c.symbolic}, {"unsafe", c.unsafe},
	    {"without_dtypes", c.dtypes}, {"without_records", c.records}, {"random_or_unfit", c.elements}, {"superseded", c.old}};
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
    const job *j, gen_stats s, gen_scope c, const olc_report *r)
{
	printf("signatures  %u of %u APIs, %u sampled by rule\n", c.operators, c.apis, c.symbolic);
	printf("excluded    %u not writable, %u without dtypes, %u without a record of fitting size, "
	       "%u random or without usable values, %u superseded\n",
	    c.unsafe, c.dtypes, c.records, c.elements, c.old);
	printf("models      %" PRIu64 "\nnodes       %" PRIu64 "\n", s.models, s.nodes);
	printf("forward     %.1f %%\nbackward    %.1f %%\nfresh       %.1f %%\n",
	    share(s.forward, s.nodes), share(s.backward, s.nodes), share(s.fresh, s.nodes));
	printf("by rule     %.1f %%\n", share(s.symbolic, s.nodes));
	if (j->gen.dynamic_shapes > 1) /* given, and not 0 */
		printf("dynamic     %.1f %% of %" PRIu64 " models tried\n", share(s.varying, s.asked_to_vary), s.asked_to_vary);
	if (r) /* operator-level coverage of the latest run (docs/explanation/models.md) */
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
	(j->json ? print_json : print_table)(j, gen_get_stats(gen), gen_get_scope(gen), counted ? &r : NULL);
}

/* ---- the command */

static bool prepare_output(job *j)
{
	diag d = {""};
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
	j.gen.status = EXIT_INPUT;
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
	return ok ? EXIT_CLEAN : gen ? EXIT_INPUT : j.gen.status;
}
