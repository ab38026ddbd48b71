/* rulefuzz coverage: measures the diversity of models, read from files or generated on the spot. */
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
#include "suggest.h"
#include "venv.h"

typedef struct job {
	gen_choice gen;
	metrics_options options;
	const char *corpus, *html;
	bool json, list;
	bool watched; /* count which optimizer passes change a model */
	passes passes;
	char **paths; /* npaths; none: models are generated */
	int npaths;
	int code; /* the exit code after a failure */
	/* state */
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
	     "Measures how diverse models are: Isra's eleven metrics, operator-level coverage, shares of dtypes\n"
	     "and ranks. MODELS are JSON models, one per line, as `rulefuzz gen` writes them: files, folders with\n"
	     ".json and .jsonl files, or - for standard input. Without MODELS, models are generated, measured and\n"
	     "not kept.\n\n"
	     "  --corpus SET|FILE     the operators that count as 100 %: isra65, graph50, all (default: those\n"
	     "                        of --ops, else all APIs of the framework), seen (the APIs in the\n"
	     "                        models), or a file with lines API [IN-DEGREES [OUT-DEGREES]], where\n"
	     "                        degrees are 1,2 or 0..5\n"
	     "  --maxspc N            number of shapes and parameters that count as 100 % (default 200)\n"
	     "  --olc-weights W,…     weights of OTC, IDC, ODC, SEC and SPC (default 1,1,1,1,1)\n"
	     "  --out-degrees A..B    possible out-degrees of an operator (default 0..5)\n"
	     "  --list                also print one line per operator type\n"
	     "  --json                print one JSON object with \"schema\": 1\n"
	     "  --html FILE           also write a page with charts\n"
	     "  --passes              also count which onnxruntime passes change a model, read from its log;\n"
	     "                        the library is $RULEFUZZ_ONNXRUNTIME or in the framework's environment\n"
	     "  -h, --help            show this text\n\n"
	     "Options for generated models, as in `rulefuzz gen`; with MODELS only --framework:");
	gen_help_models();
	putchar('\n');
	gen_help_options();
	return print_examples("coverage");
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
	usage_error("coverage", "--olc-weights: expected five whole numbers, not all 0, such as 1,1,1,1,1, got '%s'", text);
	return false;
}

static bool parse_out_degrees(metrics_options *o)
{
	int64_t low, high;
	if (!parse_range("coverage", "--out-degrees", optarg, 0, 1000000, &low, &high))
		return false;
	if (!high) {
		usage_error("coverage", "--out-degrees: expected a range that ends above 0, got '%s'", optarg);
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

static int unknown_corpus(const char *corpus)
{
	const char *names[16] = {"all", "seen"};
	const size_t n = 2 + opset_names(names + 2, sizeof names / sizeof *names - 2);
	return unknown_name("coverage", "--corpus: no operator set and no file", corpus, suggest(corpus, names, n));
}

/* Returns EXIT_CLEAN to go on, -1 to print the help text, else an exit code. */
static int parse(int argc, char **argv, job *j)
{
	static const struct option long_options[] = {GEN_LONG_OPTIONS,
	    {"corpus", required_argument, NULL, CORPUS}, {"maxspc", required_argument, NULL, MAXSPC},
	    {"olc-weights", required_argument, NULL, WEIGHTS},
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
		return usage_error("coverage", "options for generated models and MODELS '%s' exclude each other", j->paths[0]);
	if (!j->npaths && !j->gen.told)
		return usage_error("coverage", "no models; name files or folders, or generate some with --count");
	if (!known_corpus(j->corpus))
		return unknown_corpus(j->corpus);
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
		fprintf(stderr, "error: --passes needs the library of onnxruntime, and there is none beside %s; set $RULEFUZZ_ONNXRUNTIME\n", python);
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

/* The operators that a generator with these restrictions would use. A framework without rules has none; then every API seen
 * counts. */
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
		j->code = usage_error("coverage", "--corpus: %s is a set of %s operators, and the models are of %s", set,
		    opset_framework(set), j->framework);
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

/* gen: the generator of the models; NULL: they are read from files. */
static bool make_corpus(job *j, const gen *gen)
{
	const char *set = j->corpus ? j->corpus : gen && !j->gen.apis ? j->gen.ops : NULL;
	j->report.corpus = set ? set : gen && j->gen.ops ? j->gen.ops : "all";
	if (set && strcmp(set, "seen") == 0)
		return true;
	if (set && strcmp(set, "all") == 0)
		return corpus_of_table(j, NULL);
	if (!j->corpus && set) /* in-degrees are those that the generator can choose from */
		return (metrics_corpus_set(j->m, set, j->framework) || no_memory())
		       && corpus_of_index(j, &gen->index);
	if (set)
		return opset_exists(set) ? corpus_of_set(j, set) : corpus_of_file(j);
	return gen ? corpus_of_index(j, &gen->index) : corpus_of_table(j, NULL);
}

/* ---- models from files */

/* Takes the framework from --framework or the first model; all models must be of it. */
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
	fprintf(stderr, "%s:%ld: error: a model of %s among models of %s\n", path, line,
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

static const char *extension(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && dot != name ? dot + 1 : "";
}

static int is_models(const struct dirent *e)
{
	const char *end = extension(e->d_name);
	return strcmp(end, "json") == 0 || strcmp(end, "jsonl") == 0;
}

static bool add_path(job *j, const char *folder, const char *name)
{
	char file[4096];
	if (snprintf(file, sizeof file, "%s/%s", folder, name) < (int)sizeof file)
		return add_file(j, file);
	fprintf(stderr, "%s: error: the path is too long\n", folder);
	return false;
}

/* A file of the framework's own format, as --format writes it. */
static int is_other_format(const struct dirent *e)
{
	const char *end = extension(e->d_name);
	return framework_has_files(end) || strcmp(end, "py") == 0;
}

/* Reports a folder without JSON models; the usual reason is another --format of `rulefuzz gen`. */
static bool no_models(const char *path)
{
	struct dirent **list;
	const int n = scandir(path, &list, is_other_format, alphasort);
	fprintf(stderr, "%s: error: no .json or .jsonl file in the folder", path);
	if (n > 0)
		fprintf(stderr, ", but %d .%s file%s; coverage reads JSON models: write them with `rulefuzz gen --format json -o DIR`", n,
		    extension(list[0]->d_name), n == 1 ? "" : "s");
	fputc('\n', stderr);
	for (int i = 0; i < n; i++)
		free(list[i]);
	if (n >= 0)
		free(list);
	return false;
}

static bool add_folder(job *j, const char *path)
{
	struct dirent **list;
	const int n = scandir(path, &list, is_models, alphasort);
	bool ok = n >= 0;
	if (!ok)
		fprintf(stderr, "%s: error: cannot read: %s\n", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		ok = ok && add_path(j, path, list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return ok && (n > 0 || no_models(path));
}

static bool add_named(job *j, const char *path)
{
	struct stat s;
	if (strcmp(path, "-") != 0 && stat(path, &s) == 0 && S_ISDIR(s.st_mode))
		return add_folder(j, path);
	if (framework_has_files(extension(path))) {
		fprintf(stderr, "%s: error: not a JSON model; write JSON with `rulefuzz gen --format json`\n", path);
		return false;
	}
	return add_file(j, path);
}

static bool add_files(job *j)
{
	for (int i = 0; i < j->npaths; i++)
		if (!add_named(j, j->paths[i]))
			return false;
	if (!metrics_get_sums(j->m)->models) {
		fprintf(stderr, "%s: error: no model in %" PRIu64 " file%s; expected JSON models, one per line\n", j->paths[0], j->files,
		    j->files == 1 ? "" : "s");
		return false;
	}
	snprintf(j->source, sizeof j->source, "read from %" PRIu64 " file%s", j->files,
	    j->files == 1 ? "" : "s");
	return true;
}

/* ---- generated models */

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
	j->code = ok ? EXIT_INPUT : c->status;
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
	job j = {.gen = GEN_CHOICE, .code = EXIT_INPUT};
	int status = parse(argc, argv, &j);
	if (status == EXIT_CLEAN)
		status = work(&j) ? EXIT_CLEAN : j.code;
	passes_close(&j.passes);
	metrics_free(j.m);
	rs_graph_free(j.g);
	gen_choice_free(&j.gen);
	return status < 0 ? help() : status;
}
