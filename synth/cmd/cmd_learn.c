/* rulesmith learn: from calls of a user-defined operator to its rules, a library of them and models that use it.
 *
 *   collect ─► refine ─► synth ─► emit ─► compile ─► verify ──► wrong answers, kept as records: back to synth
 *                                                      ├──► no more wrong answers: back to refine
 *                                                      └──► none, and none by refine before: values, all steps once more,
 *                                                           precision and recall
 *
 * Fresh calls cost a tenth of a refinement, so refine runs only after fresh calls find no more wrong answers.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "json.h"
#include "learn_folder.h"
#include "learn_step.h"
#include "need.h"
#include "options.h"
#include "smith_commands.h"

enum { EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_CHECK = 3, EXIT_STOPPED = 4, EXIT_MISSING = 5, CALLS = 16 };

#define PRECISION 0.99
#define RECALL 0.98

static const char HELP[] =
    "usage: rulesmith learn PACKAGE.MODULE:FUNCTION [--call CALL]... [OPTION...]\n\n"
    "Learns the rule of your own function on a framework's tensors: calls it, tries calls that could refute the rule,\n"
    "compiles the rule to the library DIR/own.so, and measures precision and recall on fresh calls.\n\n"
    "  rulesmith learn mymod:tiled_mix --call 'tiled_mix(x: f32[2, 6], weight: f32[3, 4], groups=2)' --out own\n"
    "  rulefuzz run --backend BACKEND --rules own/own.so --time 10m\n\n"
    "The module is found by the Python that has the framework, as by `import`: the working folder and $PYTHONPATH count.\n"
    "Without --call, calls are made from the types of its parameters. If operators are classes, FUNCTION is a subclass of\n"
    "OpRun or a FunctionProto.\n\n"
    "Examples\n"
    "  --call CALL       a call that the function accepts, such as 'f(x: f32[2, 3], scale=2, axes=[0, 1])'; repeatable.\n"
    "                    Omit optional arguments or not: both are tried\n"
    "  --calls FILE      such calls as JSON lines, {\"args\":…,\"in\":…} as in records (docs/reference/file-formats.md)\n"
    "  --elements E      elements of the tensors: wild (up to a million), small, or auto (default): small if wild ones fail\n\n"
    "Where\n"
    "  --framework F     whose tensors the function takes (default: the first in frameworks.def)\n"
    "  --out DIR         records, rules and library (default: own); functions learned there earlier stay\n"
    "  --python FILE     the Python that has both (default: $RULEFUZZ_PYTHON, or the framework's environment)\n\n"
    "Effort\n"
    "  --rounds N        at most N rounds of solving and querying (default 6)\n"
    "  --count N         fresh calls for precision and recall (default 3000)\n"
    "  --seed N          random seed (default 1)\n"
    "  --fresh           discard the results of earlier runs, after the function changed\n"
    "  --help\n\n"
    "A run that was stopped continues with the same command. The C compiler is $CC, or cc.\n"
    "Exit codes: 0; 1 bad input, or nothing to learn; 2 usage; 3 precision below 99 % or recall below 98 %; 4 stopped;\n"
    "5 the framework, the function or a program is missing.\n";

typedef struct job {
	learn_folder folder;
	steps steps;
	const char *calls[CALLS], *file, *elements, *out, *python;
	int ncalls;
	long rounds, count, seed;
	bool fresh;
	diag d;
} job;

/* ---- steps */

/* Whether a step succeeded; otherwise *code is the exit code of the program. */
static bool ran(job *j, const char *name, int end, int *code)
{
	if (end == 0 || (end == EXIT_CHECK && strcmp(name, "verify") == 0))
		return true;
	*code = end == STEP_STOPPED ? EXIT_STOPPED : end == EXIT_MISSING ? EXIT_MISSING : EXIT_INPUT;
	if (end > 0)
		diag_set(&j->d, "step %s of %s failed with exit code %d; its message is above", name, j->folder.api, end);
	return false;
}

static bool run(job *j, const char *name, const words *w, buf *out, int *code)
{
	return ran(j, name, step_run(&j->steps, name, w, EXIT_CHECK, out, &j->d), code);
}

static words words_of(const char *const *list)
{
	words w = {.n = 0};
	for (; *list; list++)
		words_add(&w, *list);
	return w;
}

#define WORDS(...) words_of((const char *const[]){__VA_ARGS__, NULL})
/* The command that runs a Python module in the process that has loaded the framework. */
#define VISIT(f) (f)->python, "-m", LEARN_VISIT, (f)->work

static bool collect(job *j, int *code)
{
	const learn_folder *f = &j->folder;
	char seed[24];
	snprintf(seed, sizeof seed, "%ld", j->seed);
	words w = WORDS(VISIT(f), "traces.collect.user_ops", f->framework, f->function, "--out", f->traces, "--work", f->work, "--seed",
	    seed, "--elements", j->elements);
	for (int i = 0; i < j->ncalls; i++) {
		words_add(&w, "--call");
		words_add(&w, j->calls[i]);
	}
	if (j->file) {
		words_add(&w, "--calls");
		words_add(&w, j->file);
	}
	return run(j, "collect", &w, NULL, code);
}

/* Sums the wrong answers in refine's report; modifies text. */
static bool count_wrong(char *text, double *wrong, diag *d)
{
	long number = 0;
	for (char *line; (line = strsep(&text, "\n"));) {
		if (!*line)
			continue;
		cJSON *one = json_parse(line, "refine", ++number, d);
		const cJSON *count = cJSON_GetObjectItem(one, "wrong");
		*wrong += cJSON_IsNumber(count) ? count->valuedouble : 0;
		cJSON_Delete(one);
		if (!one)
			return false;
	}
	return true;
}

/* Refines the rules: three rounds the first time, two later. */
static bool refine(job *j, long round, double *wrong, int *code)
{
	const learn_folder *f = &j->folder;
	char seed[24];
	buf report = {0};
	snprintf(seed, sizeof seed, "%ld", j->seed + round);
	words w = WORDS(f->self, "refine", "--oracle", f->oracle.text, "--traces", f->traces, "--op", f->pattern, "--rounds",
	    round == 1 ? "3" : "2", "--budget", "600", "--seed", seed, "--cache", f->cache, "-j", "1", "--report", "-");
	bool ok = run(j, "refine", &w, &report, code);
	if (ok && report.text) {
		ok = count_wrong(report.text, wrong, &j->d);
		*code = EXIT_INPUT;
	}
	buf_free(&report);
	return ok;
}

static bool learn_values(job *j, int *code)
{
	const learn_folder *f = &j->folder;
	words w = WORDS(VISIT(f), "traces.collect.cli.values", f->framework, "--traces", f->traces, "--only", f->api, "--jobs", "2");
	return run(j, "values", &w, NULL, code);
}

static bool synth(job *j, int *solved, int *code)
{
	const learn_folder *f = &j->folder;
	words w = WORDS(f->self, "synth", "--traces", f->traces, "-o", f->rules, "--cache", f->cache, "-j", "2");
	if (!run(j, "synth", &w, NULL, code))
		return false;
	*solved = learn_folder_solved(f, &j->d);
	*code = EXIT_INPUT;
	return *solved >= 0 && step_note(&j->steps, "solved", solved, &j->d);
}

/* ---- compiling */

static int is_source(const struct dirent *e)
{
	const char *end = strrchr(e->d_name, '.');
	return end && strcmp(end, ".c") == 0;
}

/* Adds a folder's C files to the compiler's response file, each in quotes. */
static bool add_sources(const char *folder, buf *to, diag *d)
{
	struct dirent **all;
	int n = scandir(folder, &all, is_source, alphasort);
	if (n < 0)
		return diag_at(d, folder, 0, "cannot be listed: %s", strerror(errno));
	for (int i = 0; i < n; i++) {
		buf_putc(to, '"');
		for (const char *c = folder; *c; c++)
			buf_printf(to, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
		buf_printf(to, "/%s\"\n", all[i]->d_name); /* a name that rulesmith emit made from an API's name */
		free(all[i]);
	}
	free(all);
	return true;
}

static bool write_sources(const learn_folder *f, const char *path, diag *d)
{
	char below[PATH_MAX];
	buf all = {0};
	bool ok = snprintf(below, sizeof below, "%s/%s", f->code, f->framework) < PATH_MAX && add_sources(f->code, &all, d)
		  && add_sources(below, &all, d)
		  && (all.failed ? diag_set(d, "out of memory") : file_update(path, all.text, all.length, d));
	buf_free(&all);
	return ok;
}

/* The user's compiler as words; modifies text. */
static words compiler(char *text)
{
	words w = {.n = 0};
	for (char *more, *word = strtok_r(text, " \t", &more); word; word = strtok_r(NULL, " \t", &more))
		words_add(&w, word);
	if (!w.n)
		words_add(&w, "cc");
	return w;
}

static bool compile(job *j, int *code)
{
	const learn_folder *f = &j->folder;
	const char *cc = getenv("CC");
	char text[1024], files[PATH_MAX], at[PATH_MAX + 1];
	*code = EXIT_INPUT;
	snprintf(text, sizeof text, "%s", cc ? cc : "cc");
	snprintf(files, sizeof files, "%.*s/sources", PATH_MAX - 16, f->work);
	if (!learn_folder_write_list(f, &j->d) || !write_sources(f, files, &j->d))
		return false;
	snprintf(at, sizeof at, "@%s", files);
	words w = compiler(text);
	const char *const rest[] = {"-shared", "-fPIC", "-O1", "-w", "-Wl,-Bsymbolic", "-iquote", f->headers, "-o", f->part, at};
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		words_add(&w, rest[i]);
	if (!run(j, "compile", &w, NULL, code))
		return false;
	if (access(f->part, F_OK) == 0 && rename(f->part, f->library) != 0) {
		*code = EXIT_INPUT;
		return diag_at(&j->d, f->library, 0, "cannot be written: %s", strerror(errno));
	}
	return true;
}

/* Emits and compiles own.so from rules.jsonl. */
static bool build(job *j, bool values, int *code)
{
	const learn_folder *f = &j->folder;
	char table[PATH_MAX];
	snprintf(table, sizeof table, "%.*s/VALUES.tsv", PATH_MAX - 16, f->traces);
	words w = WORDS(f->self, "emit", f->rules, "-q", "-o", f->code);
	if (values) {
		words_add(&w, "--values");
		words_add(&w, table);
	}
	return run(j, "emit", &w, NULL, code) && compile(j, code);
}

/* ---- verifying on fresh calls */

/* Verifies the rules; the caller deletes *result, the report. keep: wrong answers become records. */
static bool verify(job *j, long count, long seed, bool keep, cJSON **result, int *code)
{
	const learn_folder *f = &j->folder;
	char number[24], start[24];
	buf out = {0};
	snprintf(number, sizeof number, "%ld", count);
	snprintf(start, sizeof start, "%ld", seed);
	words w = WORDS(f->fuzz, "verify", "--rules", f->library, "--framework", f->framework, "--op", f->pattern, "--oracle",
	    f->oracle.text, "--count", number, "--seed", start, "--json");
	if (keep)
		words_add(&w, "--keep");
	bool ok = run(j, "verify", &w, &out, code);
	if (ok) {
		*result = json_parse(buf_text(&out), "verify", 0, &j->d);
		ok = *result != NULL;
		*code = EXIT_INPUT;
	}
	if (ok && !keep)
		ok = file_write(f->result, out.text, out.length, &j->d);
	buf_free(&out);
	return ok;
}

static bool copy_file(const char *from, const char *to, diag *d)
{
	size_t length;
	char *text = file_read(from, &length, d);
	bool ok = text && file_write(to, text, length, d);
	free(text);
	return ok;
}

/* Runs fresh calls. Answers that contradict the rules become records; *wrong is their number. */
static bool try_fresh(job *j, long number, double *wrong, int *code)
{
	cJSON *result = NULL;
	if (!verify(j, 2000, 1000 * j->seed + number, true, &result, code))
		return false;
	const cJSON *kept = cJSON_GetObjectItem(result, "kept");
	*wrong = cJSON_IsNumber(kept) ? kept->valuedouble : 0;
	cJSON_Delete(result);
	return true;
}

/* One round. *asked: whether to refine first; afterwards, whether the next round should, since fresh calls find
 * nothing. *best: the largest number of signatures with a rule so far. *more: whether another round is needed, since
 * some answer was wrong. The first refinement does not count: it had to find the rules. */
static bool round_of(job *j, long number, int *best, bool *asked, bool *more, int *code)
{
	const learn_folder *f = &j->folder;
	int solved = 0;
	double wrong = 0, refuted = 0;
	*more = false;
	if ((*asked && !refine(j, number, &refuted, code)) || !synth(j, &solved, code))
		return false;
	if (solved < *best) { /* no rule explains the latest records: drop them */
		*code = EXIT_INPUT;
		j->steps.anew = true;
		return copy_file(f->copy, f->records, &j->d);
	}
	*best = solved;
	if (!solved)
		return true;
	*code = EXIT_INPUT;
	if (!build(j, false, code) || (j->steps.anew && !copy_file(f->records, f->copy, &j->d)))
		return false;
	if (!try_fresh(j, number, &wrong, code))
		return false;
	*more = wrong > 0 || !*asked || (refuted > 0 && number > 1);
	*asked = wrong <= 0;
	return true;
}

/* ---- results */

/* Prints the function's parameters and their defaults, as found by the collector. */
static void print_parameters(const learn_folder *f)
{
	char path[PATH_MAX], line[1024];
	FILE *file = snprintf(path, sizeof path, "%s/%s.parameters", f->work, f->api) < PATH_MAX ? fopen(path, "r") : NULL;
	if (file && fgets(line, sizeof line, file) && *line != '\n')
		printf("parameters: %s\n", line);
	if (file)
		fclose(file);
}

/* Prints the page: the first comment of the API's file. */
static void print_page(const learn_folder *f)
{
	char path[PATH_MAX], line[1024];
	bool inside = false;
	FILE *file = snprintf(path, sizeof path, "%s/%s/%s.c", f->code, f->framework, f->api) < PATH_MAX ? fopen(path, "r") : NULL;
	while (file && fgets(line, sizeof line, file) && strcmp(line, " */\n") != 0) {
		inside |= strncmp(line, "/* ", 3) == 0 && !strstr(line, "do not edit");
		if (inside)
			fputs(strlen(line) > 3 ? line + 3 : "\n", stdout);
	}
	if (file)
		fclose(file);
}

static double print_rate(const cJSON *stratum, const char *name)
{
	const cJSON *r = cJSON_GetObjectItem(stratum, name);
	const cJSON *value = cJSON_GetObjectItem(r, "value"), *of = cJSON_GetObjectItem(r, "of");
	bool some = cJSON_IsNumber(value) && cJSON_IsNumber(of) && of->valuedouble > 0;
	if (some)
		printf(", %s %.2f %% of %.0f", name, 100 * value->valuedouble, of->valuedouble);
	else
		printf(", %s undefined (0 calls)", name);
	return some ? value->valuedouble : 0;
}

static int report(const job *j, const cJSON *result, int solved)
{
	const cJSON *total = cJSON_GetArrayItem(cJSON_GetObjectItem(result, "strata"), 0);
	print_parameters(&j->folder);
	print_page(&j->folder);
	printf("\n%s: %d signature%s with a rule; %ld fresh calls", j->folder.api, solved, solved == 1 ? "" : "s", j->count);
	double precision = print_rate(total, "precision"), recall = print_rate(total, "recall");
	printf("; %.1f s\n", clock_seconds() - j->steps.began);
	printf("models: rulefuzz gen --framework %s --rules %s --api '%s' --strategy calls --count 3\n", j->folder.framework, j->folder.library,
	    j->folder.api);
	return precision >= PRECISION && recall >= RECALL ? 0 : EXIT_CHECK;
}

static int learn(job *j)
{
	cJSON *result = NULL;
	int best = 0, solved = 0, code = EXIT_INPUT;
	bool more = true, asked = true;
	if (!collect(j, &code))
		return code;
	for (long i = 1; more && i <= j->rounds; i++)
		if (!round_of(j, i, &best, &asked, &more, &code))
			return code;
	if (!synth(j, &solved, &code))
		return code;
	if (solved < best) {
		j->steps.anew = true;
		if (!copy_file(j->folder.copy, j->folder.records, &j->d) || !synth(j, &solved, &code))
			return EXIT_INPUT;
	}
	if (!learn_values(j, &code) || !build(j, true, &code))
		return code;
	if (!solved) {
		print_page(&j->folder);
		diag_set(&j->d, "%s has no rule; the page above says why", j->folder.api);
		return EXIT_INPUT;
	}
	if (!verify(j, j->count, 1000000 + j->seed, false, &result, &code))
		return code;
	code = report(j, result, solved);
	cJSON_Delete(result);
	return code;
}

/* ---- the command */

static int usage(const char *what, const char *value)
{
	fprintf(stderr, "rulesmith learn: error: %s%s; try 'rulesmith learn --help'\n", what, value);
	return EXIT_USAGE;
}

static bool number(const char *text, long low, long high, long *to)
{
	char *end;
	errno = 0;
	*to = strtol(text, &end, 10);
	return !errno && end != text && !*end && *to >= low && *to <= high;
}

/* Parses an option with a numeric argument. */
static int take_number(job *j, int option)
{
	if (option == 'r')
		return number(optarg, 0, 100, &j->rounds) ? -1 : usage("--rounds: expected 0 to 100, got ", optarg);
	if (option == 'n')
		return number(optarg, 1, 1000000, &j->count) ? -1 : usage("--count: expected 1 to 1000000, got ", optarg);
	return number(optarg, 0, 1000000, &j->seed) ? -1 : usage("--seed: expected 0 to 1000000, got ", optarg);
}

static int take_option(job *j, int option)
{
	switch (option) {
	case 'c':
		if (j->ncalls == CALLS)
			return usage("--call: expected at most 16, got also ", optarg);
		j->calls[j->ncalls++] = optarg;
		return -1;
	case 'l':
		j->file = optarg;
		return -1;
	case 'f':
		j->folder.framework = optarg;
		return -1;
	case 'o':
		j->out = optarg;
		return -1;
	case 'p':
		j->python = optarg;
		return -1;
	case 'e':
		j->elements = optarg;
		return strcmp(optarg, "wild") && strcmp(optarg, "small") && strcmp(optarg, "auto")
			   ? usage("--elements: expected wild, small or auto, got ", optarg)
			   : -1;
	case 'F':
		j->fresh = true;
		return -1;
	case 'h':
		fputs(HELP, stdout);
		return 0;
	case 'r':
	case 'n':
	case 's':
		return take_number(j, option);
	default:
		return EXIT_USAGE;
	}
}

static int parse_options(job *j, int argc, char **argv)
{
	static const struct option LONG[] = {{"call", required_argument, 0, 'c'}, {"calls", required_argument, 0, 'l'},
	    {"framework", required_argument, 0, 'f'}, {"out", required_argument, 0, 'o'}, {"python", required_argument, 0, 'p'},
	    {"elements", required_argument, 0, 'e'}, {"rounds", required_argument, 0, 'r'}, {"count", required_argument, 0, 'n'},
	    {"seed", required_argument, 0, 's'}, {"fresh", no_argument, 0, 'F'}, {"help", no_argument, 0, 'h'}, {0}};
	int code = -1;
	for (int o; code < 0 && (o = option_next("rulesmith learn", argc, argv, "o:h", LONG)) != -1;)
		code = take_option(j, o);
	if (code >= 0)
		return code;
	if (argc - optind != 1)
		return usage("expected one PACKAGE.MODULE:FUNCTION, such as mymod:tiled_mix", "");
	j->folder.function = argv[optind];
	return -1;
}

/* A descriptor that becomes readable when the user interrupts the program. */
static int catch_end(void)
{
	sigset_t ends;
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	return sigprocmask(SIG_BLOCK, &ends, NULL) == 0 ? signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK) : -1;
}

static int open_and_learn(job *j)
{
	int code = learn_folder_open(&j->folder, j->out, j->python, &j->d);
	if (code == EXIT_USAGE)
		return usage(diag_what(&j->d), "");
	if (code == 0) {
		j->steps = (steps){.folder = j->folder.steps, .about = j->folder.api, .stop_fd = catch_end(), .anew = j->fresh,
		    .began = clock_seconds()};
		j->steps.probe = WORDS(j->folder.python, "-m", "rulefuzz.own", j->folder.function);
		j->steps.resident = WORDS(j->folder.python, "-m", "traces.collect.user_ops.resident", j->folder.framework, j->folder.work);
		code = learn(j);
		steps_close(&j->steps);
		close(j->steps.stop_fd);
	}
	if (code == EXIT_STOPPED)
		fprintf(stderr, "rulesmith learn: stopped; the same command continues\n");
	else if (j->d.text[0])
		fprintf(stderr, "rulesmith learn: %s\n", j->d.text);
	return code;
}

int cmd_learn(int argc, char **argv)
{
	job *j = need(calloc(1, sizeof *j), sizeof *j); /* large: it holds many paths */
	static const char *const DEFAULT[] = {
#define FRAMEWORK(name, module, requirements, dialect) #name,
#include "frameworks.def"
#undef FRAMEWORK
	};
	*j = (job){.elements = "auto", .out = "own", .rounds = 6, .count = 3000, .seed = 1, .folder.framework = DEFAULT[0]};
	int code = parse_options(j, argc, argv);
	if (code < 0) {
		code = open_and_learn(j);
		learn_folder_free(&j->folder);
	}
	free(j);
	return code;
}
