/* rulefuzz coverage: how diverse models are, read from files or generated on the spot. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "json.h"
#include "commands.h"
#include "coverage_html.h"
#include "coverage_text.h"
#include "framework.h"
#include "gen.h"
#include "gen_options.h"
#include "metrics_corpus.h"
#include "model_read.h"
#include "opset.h"
#include "passes.h"
#include "venv.h"

typedef struct job {
	gen_choice gen;
	metrics_options options;
	const char *corpus, *html;
	bool json, list;
	bool watched; /* what passes do is counted */
	passes passes;
	char **paths; /* npaths; none: models are generated */
	int npaths;
	/* at work */
	const rs_library *lib;
	metrics *m;
	graph *g;
	coverage report;
	char framework[32], source[256];
	uint64_t files;
} job;

static int help(void)
{
	puts("usage: rulefuzz coverage [OPTION…] MODELS…\n"
	     "       rulefuzz coverage --count C [OPTION…]\n\n"
	     "Says how diverse models are: Isra's eleven metrics, operator-level coverage, shares of "
	     "dtypes and\n"
	     "ranks. MODELS are files of JSON models, one a line (as `rulefuzz gen` writes them), "
	     "folders of\n"
	     ".json and .jsonl files, or - for standard input. Without any, models are generated and "
	     "counted,\n"
	     "and not kept.\n\n"
	     "  --corpus SET|FILE  what counts as all: isra65, graph50, all (default: what --ops "
	     "selects, else\n"
	     "                     all APIs of the framework), seen (the APIs met), or a file of "
	     "lines\n"
	     "                     API [IN-DEGREES [OUT-DEGREES]], degrees as 1,2 or 0..5\n"
	     "  --maxspc N         operator-level coverage: shapes and parameters that are all "
	     "(default 200)\n"
	     "  --weights W,…      of OTC, IDC, ODC, SEC, SPC (default 1,1,1,1,1)\n"
	     "  --out-degrees A..B that an operator may have (default 0..5)\n"
	     "  --list             also a line an operator type\n"
	     "  --json             for programs: one object with \"schema\": 1\n"
	     "  --html FILE        also a page with charts\n"
	     "  --passes           also which passes of onnxruntime change any of its models, by its log\n"
	     "                     ($RULEFUZZ_ONNXRUNTIME, or the library of the framework's environment)\n"
	     "  --help\n\n"
	     "Models to generate, as `rulefuzz gen` does (of models in files, --framework alone):\n"
	     GEN_HELP_MODELS GEN_HELP);
	return EXIT_CLEAN;
}

/* ---- options */

enum { CORPUS = GEN_OPTION_END, MAXSPC, WEIGHTS, OUT_DEGREES, LIST, JSON, HTML, PASSES };

static bool parse_weights(const char *text, uint32_t *weights)
{
	uint64_t sum = 0;
	const char *p = text;
	unsigned n = 0;
	for (; n < METRICS_OLC_PARTS && *p >= '0' && *p <= '9'; n++) {
		char *end;
		unsigned long w = strtoul(p, &end, 10);
		if (w > 1000000)
			break;
		sum += weights[n] = (uint32_t)w;
		p = *end == ',' && n + 1 < METRICS_OLC_PARTS ? end + 1 : end;
	}
	if (n == METRICS_OLC_PARTS && !*p && sum)
		return true;
	usage_error("coverage", "--weights takes five numbers, not all 0, such as 1,1,1,1,1, not '%s'",
	    text);
	return false;
}

static bool parse_out_degrees(metrics_options *o)
{
	int64_t low, high;
	if (!parse_range("coverage", "--out-degrees", optarg, 0, 1000000, &low, &high))
		return false;
	if (!high) {
		usage_error("coverage", "--out-degrees 0: a degree above 0 is needed");
		return false;
	}
	o->out_low = (uint32_t)low;
	o->out_high = (uint32_t)high;
	return true;
}

static bool take_option(int option, job *j)
{
	int64_t n;
	switch (option) {
	case CORPUS:
		j->corpus = optarg;
		return true;
	case MAXSPC:
		if (!parse_number("coverage", "--maxspc", optarg, 1, UINT32_MAX, &n))
			return false;
		j->options.maxspc = (uint32_t)n;
		return true;
	case WEIGHTS:
		return parse_weights(optarg, j->options.weights);
	case OUT_DEGREES:
		return parse_out_degrees(&j->options);
	case LIST:
		return j->list = true;
	case JSON:
		return j->json = true;
	case HTML:
		j->html = optarg;
		return true;
	case PASSES:
		return j->watched = true;
	default:
		return gen_option("coverage", option, &j->gen);
	}
}

static bool known_corpus(const char *corpus)
{
	return !corpus || strcmp(corpus, "all") == 0 || strcmp(corpus, "seen") == 0
	       || opset_exists(corpus) || access(corpus, F_OK) == 0;
}

/* EXIT_CLEAN: go on; -1: help was asked for. */
static int parse(int argc, char **argv, job *j)
{
	static const struct option long_options[] = {GEN_LONG_OPTIONS,
	    {"corpus", required_argument, NULL, CORPUS}, {"maxspc", required_argument, NULL, MAXSPC},
	    {"weights", required_argument, NULL, WEIGHTS},
	    {"out-degrees", required_argument, NULL, OUT_DEGREES}, {"list", no_argument, NULL, LIST},
	    {"json", no_argument, NULL, JSON}, {"html", required_argument, NULL, HTML}, {"passes", no_argument, NULL, PASSES},
	    {"help", no_argument, NULL, 'h'}, {0}};
	int option;
	optind = 1;
	while ((option = next_option("coverage", argc, argv, "h", long_options)) != -1) {
		if (option == 'h')
			return -1;
		if (!take_option(option, j))
			return EXIT_USAGE;
	}
	j->paths = argv + optind;
	j->npaths = argc - optind;
	if (j->npaths && j->gen.told)
		return usage_error("coverage", "options of generation and models in files at once");
	if (!j->npaths && !j->gen.told)
		return usage_error("coverage", "no models: name files, or a --count to generate");
	if (!known_corpus(j->corpus))
		return usage_error(
		    "coverage", "--corpus %s: neither all, seen, a set nor a file", j->corpus);
	return j->npaths ? EXIT_CLEAN : gen_choice_finish("coverage", &j->gen, framework_default());
}

static bool fail(const char *message)
{
	fprintf(stderr, "%s\n", message);
	return false;
}

static bool no_memory(void)
{
	return fail("error: out of memory");
}

/* ---- passes */

static bool open_passes(job *j)
{
	char python[PATH_MAX], library[PATH_MAX];
	diag d = {""};
	if (!venv_python(python, j->framework, &d))
		return fail(d.text);
	if (!ort_find(library, python)) {
		fprintf(stderr, "error: --passes: there is no onnxruntime beside %s\n", python);
		return false;
	}
	return passes_open(&j->passes, library, &d) || fail(d.text);
}

static bool watch(job *j)
{
	diag d = {""};
	return !j->watched
	       || ((j->passes.counts || open_passes(j)) && (passes_add(&j->passes, j->g, &d) || fail(d.text)));
}

static bool add_model(job *j)
{
	return (metrics_add(j->m, j->g) || no_memory()) && watch(j);
}

/* ---- the corpus */

static bool corpus_of_index(job *j, const gen_index *x)
{
	coverage *c = &j->report;
	return metrics_corpus_index(j->m, x, &c->operators, c->samplers) || no_memory();
}

/* The operators that a generator with these restrictions would use; a framework without rules has
 * none, and then every API that is met counts. */
static bool corpus_of_table(job *j, const char *set)
{
	diag d = {""};
	gen_index x;
	const rs_table *t = rs_library_table(j->lib, j->framework);
	index_filter f = {.set = set, .max_numel = 65536, .rank_max = INDEX_RANK_MAX};
	if (!t)
		return true;
	if (!gen_index_build(&x, t, &f, &d))
		return fail(d.text);
	bool ok = corpus_of_index(j, &x);
	gen_index_free(&x);
	return ok;
}

static bool corpus_of_set(job *j, const char *set)
{
	size_t n;
	if (!opset_list(set, j->framework, &n)) {
		fprintf(stderr, "error: --corpus %s: no such set for %s\n", set, j->framework);
		return false;
	}
	return (metrics_corpus_set(j->m, set, j->framework) || no_memory())
	       && corpus_of_table(j, set);
}

static bool corpus_of_file(job *j)
{
	diag d = {""};
	return metrics_corpus_file(j->m, j->corpus, &d) || fail(d.text);
}

/* gen: the generator whose models these are, or NULL. */
static bool make_corpus(job *j, const gen *gen)
{
	const char *set = j->corpus ? j->corpus : gen && !j->gen.apis ? j->gen.ops : NULL;
	j->report.corpus = set ? set : gen && j->gen.ops ? j->gen.ops : "all";
	if (set && strcmp(set, "seen") == 0)
		return true;
	if (set && strcmp(set, "all") == 0)
		return corpus_of_table(j, NULL);
	if (!j->corpus && set) /* with the in-degrees that the generator can choose from */
		return (metrics_corpus_set(j->m, set, j->framework) || no_memory())
		       && corpus_of_index(j, &gen->index);
	if (set)
		return opset_exists(set) ? corpus_of_set(j, set) : corpus_of_file(j);
	return gen ? corpus_of_index(j, &gen->index) : corpus_of_table(j, NULL);
}

/* ---- models from files */

/* The first model tells the framework, unless an option did; all are of one. */
static bool begin_framework(job *j, const char *path, long line)
{
	const char *f = j->gen.framework;
	if (!j->framework[0]) {
		snprintf(j->framework, sizeof j->framework, "%s", f ? f : j->g->framework);
		if (!make_corpus(j, NULL))
			return false;
	}
	if (strcmp(j->framework, j->g->framework) == 0)
		return true;
	fprintf(stderr, "%s:%ld: error: a model of %s among those of %s\n", path, line,
	    j->g->framework, j->framework);
	return false;
}

static bool add_line(job *j, const jsonl *in, diag *d)
{
	if (!graph_read_json(j->g, in->line, in->path, in->number, j->lib, d))
		return fail(d->text);
	if (!begin_framework(j, in->path, in->number))
		return false;
	return add_model(j);
}

static bool add_file(job *j, const char *path)
{
	diag d = {""};
	jsonl in;
	int more;
	if (!jsonl_open(&in, path, &d))
		return fail(d.text);
	j->files++;
	while ((more = jsonl_next(&in, &d)) > 0)
		if (!add_line(j, &in, &d))
			break;
	if (more < 0)
		fail(d.text);
	jsonl_close(&in);
	return more == 0;
}

static int is_models(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');
	return dot && dot != e->d_name && (strcmp(dot, ".json") == 0 || strcmp(dot, ".jsonl") == 0);
}

static bool add_folder(job *j, const char *path)
{
	struct dirent **list;
	char file[4096];
	int n = scandir(path, &list, is_models, alphasort);
	bool ok = n >= 0;
	if (!ok)
		fprintf(stderr, "%s: error: cannot read: %s\n", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		if (ok && snprintf(file, sizeof file, "%s/%s", path, list[i]->d_name)
			      >= (int)sizeof file) {
			fprintf(stderr, "%s: error: the path is too long\n", path);
			ok = false;
		}
		ok = ok && add_file(j, file);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return ok;
}

static bool add_files(job *j)
{
	struct stat s;
	for (int i = 0; i < j->npaths; i++) {
		const char *path = j->paths[i];
		bool folder = strcmp(path, "-") != 0 && stat(path, &s) == 0 && S_ISDIR(s.st_mode);
		if (!(folder ? add_folder : add_file)(j, path))
			return false;
	}
	if (!metrics_get_sums(j->m)->models)
		return fail("error: no models in what was named");
	snprintf(j->source, sizeof j->source, "read from %" PRIu64 " file%s", j->files,
	    j->files == 1 ? "" : "s");
	return true;
}

/* ---- models generated */

static void describe(job *j)
{
	const gen_choice *c = &j->gen;
	snprintf(j->source, sizeof j->source,
	    "generated: strategy %s, %" PRId64 " to %" PRId64 " nodes, operators %s, seed %" PRId64
	    ", from model %" PRId64,
	    gen_strategy_name(c->strategy), c->low, c->high,
	    c->ops ? c->ops : c->api ? c->api : "all", c->seed, c->first);
}

static bool add_generated(job *j)
{
	gen_choice *c = &j->gen;
	rs_gen *gen = gen_choice_open(c);
	bool ok = gen != NULL;
	snprintf(j->framework, sizeof j->framework, "%s", c->framework);
	ok = ok && make_corpus(j, gen);
	for (int64_t i = 0; ok && i < c->count; i++)
		ok = (rs_gen_model(gen, (uint64_t)c->seed, (uint64_t)(c->first + i), j->g) || no_memory()) && add_model(j);
	describe(j);
	rs_gen_free(gen);
	return ok;
}

/* ---- the command */

static bool put(const buf *text)
{
	if (text->failed)
		return no_memory();
	if (fwrite(text->text, 1, text->length, stdout) == text->length && fflush(stdout) == 0)
		return true;
	fprintf(stderr, "<stdout>: error: cannot write: %s\n", strerror(errno));
	return false;
}

static bool put_page(const coverage *c, const char *path)
{
	diag d = {""};
	buf page = {0};
	coverage_print_html(c, &page);
	bool ok = page.failed ? no_memory()
			      : file_write(path, page.text, page.length, &d) || fail(d.text);
	buf_free(&page);
	return ok;
}

static bool report(job *j)
{
	buf text = {0}, passes = {0};
	coverage *c = &j->report;
	c->m = j->m;
	c->options = *metrics_get_options(j->m);
	c->framework = j->framework;
	c->source = j->source;
	if (!coverage_sort(c))
		return no_memory();
	if (j->watched && j->json)
		passes_print_json(j->passes.counts, &passes);
	c->passes = passes.text;
	if (j->json)
		coverage_print_json(c, &text);
	else
		coverage_print_text(c, j->list, &text);
	if (j->watched && !j->json)
		passes_print_text(j->passes.counts, &text);
	bool ok = (!j->html || put_page(c, j->html)) && put(&text);
	buf_free(&text);
	buf_free(&passes);
	free(c->types);
	return ok;
}

static bool work(job *j)
{
	j->lib = open_rules(j->gen.rules);
	if (!j->lib)
		return false;
	j->m = metrics_new(&j->options);
	j->g = rs_graph_new();
	if (!j->m || !j->g)
		return no_memory();
	return (j->npaths ? add_files(j) : add_generated(j)) && report(j);
}

int cmd_coverage(int argc, char **argv)
{
	job j = {.gen = GEN_CHOICE};
	int status = parse(argc, argv, &j);
	if (status == EXIT_CLEAN)
		status = work(&j) ? EXIT_CLEAN : EXIT_INPUT;
	passes_close(&j.passes);
	metrics_free(j.m);
	rs_graph_free(j.g);
	gen_choice_free(&j.gen);
	return status < 0 ? help() : status;
}
