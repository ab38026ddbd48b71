/* rulesmith refine: queries a live framework where the records do not determine a rule. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "need.h"
#include "options.h"
#include "session.h"
#include "smith_commands.h"
#include "venv.h"

static const char HELP[] =
    "usage: rulesmith refine --oracle FRAMEWORK|COMMAND --traces DIR [OPTION…]\n\n"
    "Active learning: queries a live framework about calls on which rules of similar cost disagree (found by sampling or\n"
    "Z3), on calls at boundaries (empty tensors, size 1, negative and large numbers), on calls that violate one clause, and\n"
    "on branches of a rule without an accepted record. Answers that contradict the rule become records; then the API is\n"
    "solved again, until no disagreement is left for dimensions 0..64 and attributes -3..64, or --rounds or --budget end.\n\n"
    "  rulesmith refine --oracle FRAMEWORK --traces traces/FRAMEWORK --op 'MODULE.FUNCTION-*'\n\n"
    "  --oracle F     a framework that `make backends` installed, or a command that answers JSON lines\n"
    "  --traces DIR   the folder of its record files, which gets the new records\n"
    "  --beside PATH  further records for transfer between APIs; these APIs are not queried; repeatable\n"
    "  --op GLOB      only APIs with a matching signature\n"
    "  --rounds N     rounds of solving and querying an API (default 4)\n"
    "  --budget N     queries per signature in total (default 300)\n"
    "  --seed N       random seed (default 1)\n"
    "  --shard I/N    only shard I (from 0) of N of the APIs\n"
    "  -j N           threads, each with an oracle of its own (default 2)\n"
    "  --cache DIR    the cache of `rulesmith synth`\n"
    "  --report FILE  JSON lines, the result of each signature; -: standard output\n"
    "  --help\n\n"
    "Records are written after each API; a stopped run loses only the APIs in progress.\n"
    "Exit codes: 0; 1 bad input; 2 usage; 5 the oracle is missing or keeps crashing.\n";

typedef struct job {
	const char *oracle, *traces, *report;
	const char **paths; /* --traces and --beside */
	int npaths;
	char *command;
	session_options session;
} job;

static int refine(job *j, records *r)
{
	static const int CODES[] = {[SESSION_WHOLE] = 0, [SESSION_REFUSED] = 1, [SESSION_LOST] = 5};
	diag d;
	j->session.command = j->command;
	session_result s = session_run(r, &j->session);
	const tally *t = &s.sum;
	int code = CODES[s.end];
	fprintf(stderr,
	    "refine: %d APIs, %d signatures: %ld questions (%ld undecided), %ld answers contradict the rules; %ld rival rules refuted, "
	    "%ld proved equal in the box, %ld open; %ld records added to %ld files; %.1f s\n",
	    s.apis, s.operators, t->questions, t->lost, t->wrong, t->killed, t->proved, t->open, t->kept, s.files, s.seconds);
	if (code)
		fprintf(stderr, "%s\n", s.why.text);
	bool written = !j->report || !s.report.failed || diag_set(&d, "out of memory for the report");
	if (j->report && written && strcmp(j->report, "-") == 0)
		written = fputs(buf_text(&s.report), stdout) >= 0 && (fflush(stdout) == 0 || diag_set(&d, "cannot write the report"));
	else if (j->report && written)
		written = file_write(j->report, buf_text(&s.report), s.report.length, &d);
	if (!written)
		fprintf(stderr, "%s\n", d.text);
	session_free(&s);
	return code || written ? code : 1;
}

/* ---- the command */

static int usage(const char *what, const char *value)
{
	fprintf(stderr, "rulesmith refine: error: %s%s; try 'rulesmith refine --help'\n", what, value);
	return 2;
}

/* Parses a number within bounds; false if it is none. */
static bool number(const char *text, long low, long high, long *to)
{
	char *end;
	errno = 0;
	*to = strtol(text, &end, 10);
	return !errno && end != text && !*end && *to >= low && *to <= high;
}

/* Parses an option with a numeric argument. Returns -1, or an exit code. */
static int take_number(session_options *s, int option)
{
	long n = 0;
	switch (option) {
	case 'r':
		if (!number(optarg, 1, 100, &n))
			return usage("--rounds: expected 1 to 100, got ", optarg);
		s->rounds = (int)n;
		return -1;
	case 'b':
		if (!number(optarg, 1, 1000000, &n))
			return usage("--budget: expected 1 to 1000000, got ", optarg);
		s->budget = (int)n;
		return -1;
	case 's':
		if (!number(optarg, 0, 2147483647, &n))
			return usage("--seed: expected 0 to 2147483647, got ", optarg);
		s->seed = (uint64_t)n;
		return -1;
	case 'S':
		return shard_parse(optarg, &s->shard) ? -1 : usage("--shard: expected I/N with 0 <= I < N, got ", optarg);
	case 'j':
		if (!number(optarg, 1, 64, &n))
			return usage("-j: expected 1 to 64 threads, got ", optarg);
		s->pipeline.threads = (int)n;
		return -1;
	}
	return 2;
}

static int parse_options(job *j, int argc, char **argv)
{
	static const struct option LONG[] = {{"oracle", required_argument, 0, 'o'}, {"traces", required_argument, 0, 't'}, {"beside", required_argument, 0, 'B'},
	    {"op", required_argument, 0, 'p'}, {"rounds", required_argument, 0, 'r'}, {"budget", required_argument, 0, 'b'},
	    {"seed", required_argument, 0, 's'}, {"shard", required_argument, 0, 'S'}, {"cache", required_argument, 0, 'c'}, {"report", required_argument, 0, 'w'},
	    {"help", no_argument, 0, 'h'}, {0}};
	for (int o, code; (o = option_next("rulesmith refine", argc, argv, "j:h", LONG)) != -1;) {
		switch (o) {
		case 'o':
			j->oracle = optarg;
			break;
		case 't':
			if (j->traces)
				return usage("--traces: expected one folder, got also ", optarg);
			j->traces = j->paths[j->npaths++] = optarg;
			break;
		case 'B':
			j->paths[j->npaths++] = optarg;
			break;
		case 'p':
			j->session.pipeline.glob = optarg;
			break;
		case 'c':
			j->session.pipeline.cache = optarg;
			break;
		case 'w':
			j->report = optarg;
			break;
		case 'h':
			fputs(HELP, stdout);
			return 0;
		default:
			if ((code = take_number(&j->session, o)) >= 0)
				return code;
		}
	}
	if (optind < argc)
		return usage("unexpected argument ", argv[optind]);
	return j->oracle && j->traces ? -1 : usage("--oracle and --traces are required", "");
}

/* The command that starts an installed framework; any other oracle is a command already. NULL and a message if the
 * framework is not installed. */
static char *oracle_command(const job *j)
{
	const char *c = j->oracle;
	char python[PATH_MAX];
	buf b = {0};
	diag d = {""};
	while (isalnum((unsigned char)*c) || *c == '_')
		c++;
	if (*c || c == j->oracle)
		return need(strdup(j->oracle), strlen(j->oracle));
	if (!venv_python(python, j->oracle, &d)) {
		fprintf(stderr, "%s\n", d.text);
	} else if (access(python, X_OK) == 0) {
		buf_puts(&b, "exec ");
		buf_shell(&b, python);
		buf_printf(&b, " -m traces.collect.cli.ask %s --traces ", j->oracle);
		buf_shell(&b, j->traces);
	} else {
		fprintf(stderr, "error: %s is not installed (no %s); run 'make backends FRAMEWORK=%s'\n", j->oracle, python, j->oracle);
	}
	return b.text;
}

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

static int run(job *j, int argc, char **argv)
{
	int code = parse_options(j, argc, argv);
	if (code >= 0)
		return code;
	j->command = oracle_command(j);
	if (!j->command)
		return 5;
	records r;
	j->session.traces = j->traces;
	code = records_read(&r, j->paths, j->npaths, report, NULL) ? refine(j, &r) : 1;
	records_free(&r);
	free(j->command);
	return code;
}

int cmd_refine(int argc, char **argv)
{
	job j = {.session = {.rounds = 4, .budget = 300, .seed = 1, .pipeline.threads = 2}};
	size_t bytes = ((size_t)argc + 1) * sizeof *j.paths;
	j.paths = need(calloc(1, bytes), bytes);
	int code = run(&j, argc, argv);
	free(j.paths);
	return code;
}
