/* rulesmith diff: differences between two versions of a framework, or two files of rules. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "diff_report.h"
#include "file.h"
#include "need.h"
#include "options.h"
#include "other_dtypes.h"
#include "smith_commands.h"

static const char HELP[] =
    "usage: rulesmith diff A B [OPTION…]\n\n"
    "Compares two versions of a framework, or two files of rules. Prints for each API which calls B (the new version)\n"
    "accepts that A rejects and vice versa, different shapes and dtypes, crashes, and APIs and arguments that were removed,\n"
    "added or renamed, each with an example call.\n\n"
    "  rulesmith diff old-venv new-venv --traces traces/FRAMEWORK\n"
    "  rulesmith diff old-venv new-venv --traces DIR --calls questions.jsonl --json -o diff.json\n\n"
    "A and B are each one of\n\n"
    "  DIR, PYTHON    a virtual environment, or its Python: calls run in the framework of it\n"
    "  RULES          a file of `rulesmith synth`: its rules are evaluated\n"
    "  COMMAND        any other shell command, which answers JSON lines (docs/reference/file-formats.md)\n\n"
    "Both get the same calls: recorded ones, accepted and rejected, calls drawn near them, and those of --calls. Between\n"
    "two files of rules Z3 searches for calls on which they differ. Each reported difference was reproduced eight times\n"
    "with its smallest call, each time in a fresh process; the others are counted, not listed.\n\n"
    "Calls\n"
    "  --traces PATH    records: a file or a folder of *.jsonl; repeatable. Required unless A or B is RULES\n"
    "  --calls FILE     more calls, {\"op\":NAME,\"in\":[…]} a line, as `rulesmith questions` writes them; repeatable\n"
    "  --framework F    framework of A and B (default: that of the first record)\n"
    "  --op GLOB        only signatures with a matching name, such as 'MODULE.*'\n"
    "  --each N         accepted and rejected records per signature (default 8 of each)\n"
    "  --draws N        calls drawn near a signature's records (default 6)\n"
    "  --seed N         random seed (default 1)\n"
    "  --no-dtypes      do not try other dtypes on the first three signatures of each API\n"
    "  --no-signatures  do not compare the lists of APIs and their arguments\n\n"
    "Output\n"
    "  --json           print JSON (docs/reference/file-formats.md)\n"
    "  -o FILE          write to FILE instead of standard output\n"
    "  --cache DIR      keep the answers of a version there (default build/diff), so that a stopped run continues;\n"
    "                   none: keep nothing\n"
    "  --help\n\n"
    "Exit codes: 0 no difference; 1 bad input or I/O; 2 usage; 3 there are differences; 5 a side does not start, or\n"
    "keeps crashing.\n";

enum { LARGEST = 1000000 };

typedef struct job {
	const char *what[2], *framework, *out, *cache;
	const char **traces, **calls;
	int nwhat, ntraces, ncalls;
	asked_options asked;
	bool json, no_signatures;
	side *sides[2];
	records records;
} job;

/* ---- progress: one rewritten line on a terminal, otherwise a line every ten seconds */

#define PACE 10.0

typedef struct pace {
	bool terminal;
	double start, shown;
	const char *stage;
} pace;

static void show_progress(void *user, const char *stage, long done, long of)
{
	pace *p = user;
	double now = clock_seconds();
	if (!p->stage || strcmp(p->stage, stage) != 0)
		*p = (pace){.terminal = p->terminal, .start = now, .shown = now, .stage = stage};
	bool last = done >= of;
	if (!p->terminal && !last && now - p->shown < PACE)
		return;
	p->shown = now;
	double spent = now - p->start, rate = spent > 0 ? (double)done / spent : 0;
	fprintf(stderr, "%sdiff: %s %ld/%ld, %.0f/s, %.0f s left%s", p->terminal ? "\r\033[K" : "", stage, done, of, rate,
	    rate > 0 ? (double)(of - done) / rate : 0, last || !p->terminal ? "\n" : "");
}

/* ---- one run */

static int fail(const diag *d, int code)
{
	fprintf(stderr, "%s\n", d->text);
	return code;
}

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

static bool is_rules(const char *path)
{
	struct stat s;
	return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) != 0;
}

/* Reads the signatures to compare: from the records, or else from a file of rules, B's before A's. */
static bool read_operators(job *j)
{
	diag d;
	if (j->ntraces)
		return records_read(&j->records, j->traces, j->ntraces, report, NULL);
	const char *path = is_rules(j->what[1]) ? j->what[1] : j->what[0];
	return rules_side_records(path, &j->records, &d) || fail(&d, 0);
}

static int open_sides(job *j)
{
	for (int k = 0; k < 2; k++) {
		bool missing;
		diag d;
		j->sides[k] = side_open(&(side_options){j->what[k], j->framework, j->cache}, &missing, &d);
		if (!j->sides[k])
			return fail(&d, missing ? 5 : 1);
	}
	return 0;
}

static void take_apart(void *user, const operator *op, const int64_t *x)
{
	asked_calls_add(user, op, x);
}

/* Adds calls on which two files of rules differ. */
static void separate(const job *j, asked_calls *calls)
{
	const rules_side *a = side_rules(j->sides[0]), *b = side_rules(j->sides[1]);
	if (!a || !b)
		return;
	prover *finder = prover_new_finder();
	for (int i = 0; i < j->records.n; i++)
		rules_side_separate(a, b, &j->records.ops[i], finder, take_apart, calls);
	prover_free(finder);
}

static bool write_report(const job *j, const diff_report *r, diag *d)
{
	buf text = {0};
	(j->json ? diff_report_json : diff_report_text)(&text, r);
	bool ok = !text.failed || diag_set(d, "out of memory for the report");
	if (ok && j->out)
		ok = file_write(j->out, text.text, text.length, d);
	else if (ok)
		ok = (fwrite(text.text, 1, text.length, stdout) == text.length && fflush(stdout) == 0) || diag_at(d, "<stdout>", 0, "cannot write");
	buf_free(&text);
	return ok;
}

static int compare(job *j, const asked_calls *calls)
{
	differences found;
	signatures named = {0};
	pace p = {.terminal = isatty(STDERR_FILENO)};
	diag d;
	bool live = side_is_live(j->sides[0]) && side_is_live(j->sides[1]) && !j->no_signatures;
	int code = live && !signatures_compare(j->sides[0], j->sides[1], &named, &d) ? fail(&d, 5) : 0;
	if (!code) {
		diff_report r = {j->sides[0], j->sides[1], calls, &found, live ? &named : NULL, j->framework, j->asked.seed};
		code = differences_find(j->sides[0], j->sides[1], calls, show_progress, &p, &found, &d) ? 0 : fail(&d, 5);
		if (!code)
			code = !write_report(j, &r, &d) ? fail(&d, 1) : diff_report_is_empty(&r) ? 0 : 3;
		differences_free(&found);
	}
	signatures_free(&named);
	return code;
}

static int ask(job *j)
{
	asked_calls calls;
	diag d;
	int code = 0;
	asked_calls_start(&calls, &j->records);
	asked_calls_draw(&calls, &j->asked);
	for (int i = 0; !code && i < j->ncalls; i++)
		code = asked_calls_read(&calls, &j->asked, j->calls[i], &d) ? 0 : fail(&d, 1);
	if (calls.skipped)
		fprintf(stderr, "diff: skipped %ld calls of signatures without records\n", calls.skipped);
	if (!code) {
		if (side_is_live(j->sides[0]) && side_is_live(j->sides[1]) && !j->asked.no_dtypes)
			asked_calls_add_dtypes(&calls, &j->asked);
		separate(j, &calls);
		asked_calls_sort(&calls);
		code = compare(j, &calls);
	}
	asked_calls_free(&calls);
	return code;
}

static int run(job *j)
{
	int code = 1;
	if (read_operators(j)) {
		if (!j->framework)
			j->framework = j->records.n ? j->records.ops[0].framework : "";
		code = open_sides(j);
		code = code ? code : ask(j);
	}
	side_free(j->sides[0]);
	side_free(j->sides[1]);
	records_free(&j->records);
	return code;
}

/* ---- the command */

static int usage(const char *what, const char *value)
{
	fprintf(stderr, "rulesmith diff: error: %s%s; try 'rulesmith diff --help'\n", what, value);
	return 2;
}

static bool number(const char *text, long low, long high, long *to)
{
	char *end;
	errno = 0;
	*to = strtol(text, &end, 10);
	return !errno && end != text && !*end && *to >= low && *to <= high;
}

static int take_number(job *j, int option)
{
	long n;
	bool seed = option == 's';
	if (!number(optarg, 0, seed ? 2147483647 : LARGEST, &n))
		return usage("expected a whole number >= 0, got ", optarg);
	if (seed)
		j->asked.seed = (uint64_t)n;
	else
		*(option == 'e' ? &j->asked.each : &j->asked.draws) = (int)n;
	return -1;
}

static int take_option(job *j, int option)
{
	switch (option) {
	case 't':
		j->traces[j->ntraces++] = optarg;
		return -1;
	case 'C':
		j->calls[j->ncalls++] = optarg;
		return -1;
	case 'f':
		j->framework = optarg;
		return -1;
	case 'p':
		j->asked.op = optarg;
		return -1;
	case 'c':
		j->cache = strcmp(optarg, "none") == 0 ? NULL : optarg;
		return -1;
	case 'n':
		j->no_signatures = true;
		return -1;
	case 'D':
		j->asked.no_dtypes = true;
		return -1;
	case 'j':
		j->json = true;
		return -1;
	case 'o':
		j->out = optarg;
		return -1;
	case 'h':
		fputs(HELP, stdout);
		return 0;
	case '?':
		return 2;
	default:
		return take_number(j, option);
	}
}

static int parse_options(job *j, int argc, char **argv)
{
	static const struct option LONG[] = {{"traces", required_argument, 0, 't'}, {"calls", required_argument, 0, 'C'},
	    {"framework", required_argument, 0, 'f'}, {"op", required_argument, 0, 'p'}, {"each", required_argument, 0, 'e'},
	    {"draws", required_argument, 0, 'd'}, {"seed", required_argument, 0, 's'}, {"cache", required_argument, 0, 'c'},
	    {"no-signatures", no_argument, 0, 'n'}, {"no-dtypes", no_argument, 0, 'D'}, {"json", no_argument, 0, 'j'}, {"help", no_argument, 0, 'h'}, {0}};
	for (int o; (o = option_next("rulesmith diff", argc, argv, "o:h", LONG)) != -1;) {
		int code = take_option(j, o);
		if (code >= 0)
			return code;
	}
	if (argc - optind != 2)
		return usage("expected A and B, each a virtual environment, a file of rules or a command", "");
	j->what[0] = argv[optind];
	j->what[1] = argv[optind + 1];
	return j->ntraces || is_rules(j->what[0]) || is_rules(j->what[1]) ? -1 : usage("--traces is required unless A or B is a file of rules", "");
}

int cmd_diff(int argc, char **argv)
{
	job j = {.cache = "build/diff", .asked = {.each = 8, .draws = 6, .seed = 1}};
	size_t bytes = ((size_t)argc + 1) * sizeof *j.traces;
	j.traces = need(calloc(1, bytes), bytes);
	j.calls = need(calloc(1, bytes), bytes);
	int code = parse_options(&j, argc, argv);
	if (code < 0)
		code = run(&j);
	free(j.traces);
	free(j.calls);
	return code;
}
