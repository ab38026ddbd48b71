/* rulesmith questions: inputs that violate one clause of a rule each, for `rulefuzz verify --questions`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "file.h"
#include "need.h"
#include "options.h"
#include "questions.h"
#include "smith_commands.h"

static const char HELP[] =
    "usage: rulesmith questions --traces PATH… [-o FILE] [OPTION…]\n\n"
    "For each clause of each rule, writes calls that violate this clause and satisfy all others: found near the records,\n"
    "or else by Z3. A framework that rejects such a call confirms the clause: `rulefuzz verify --questions FILE` runs them.\n\n"
    "  rulesmith questions --traces traces/FRAMEWORK --op 'MODULE.FUNCTION-*' -o questions.jsonl\n\n"
    "  --traces PATH  a file of records or a folder of *.jsonl; repeatable\n"
    "  -o FILE        write JSON lines there (default: standard output)\n"
    "  --each N       at most N calls per clause (default 1)\n"
    "  --framework F  only calls of F; rules are still learned from all records\n"
    "  --op GLOB      only signatures with a matching name\n"
    "  --seed N       random seed (default 1)\n"
    "  --shard I/N    part I (from 0) of N; the parts concatenated equal the output without --shard\n"
    "  -j N           threads (default: the number of processors)\n"
    "  --cache DIR    the cache of `rulesmith synth`\n"
    "  --help\n\n"
    "Exit codes: 0; 1 bad input or I/O; 2 usage.\n";

typedef struct job {
	const char **traces, *out;
	int ntraces;
	questions_options questions;
} job;

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

static bool write_lines(const char *path, const buf *lines, diag *d)
{
	if (lines->failed)
		return diag_set(d, "out of memory for the questions");
	if (path)
		return file_write(path, buf_text(lines), lines->length, d);
	if (lines->length)
		fwrite(lines->text, 1, lines->length, stdout);
	return (fflush(stdout) == 0 && !ferror(stdout)) || diag_at(d, "<stdout>", 0, "cannot write");
}

static int make(const job *j)
{
	records r;
	diag d;
	int code = 1;
	if (records_read(&r, j->traces, j->ntraces, report, NULL)) {
		questions_result q = questions_make(&r, &j->questions);
		fprintf(stderr,
		    "questions: %ld signatures, %ld clauses: %ld questions found by sampling, %ld by Z3; clauses without a question: %ld "
		    "implied by the others in the box, %ld without a claim about the framework, %ld open; %.1f s\n",
		    q.operators, q.clauses, q.drawn, q.solved, q.implied, q.left_open, q.open, q.seconds);
		code = write_lines(j->out, &q.lines, &d) ? 0 : 1;
		if (code)
			fprintf(stderr, "%s\n", d.text);
		buf_free(&q.lines);
	}
	records_free(&r);
	return code;
}

static int usage(const char *what, const char *value)
{
	fprintf(stderr, "rulesmith questions: error: %s%s; try 'rulesmith questions --help'\n", what, value);
	return 2;
}

static bool number(const char *text, long low, long high, long *to)
{
	char *end;
	errno = 0;
	*to = strtol(text, &end, 10);
	return !errno && end != text && !*end && *to >= low && *to <= high;
}

static int parse_options(job *j, int argc, char **argv)
{
	static const struct option LONG[] = {{"traces", required_argument, 0, 't'}, {"op", required_argument, 0, 'p'},
	    {"framework", required_argument, 0, 'f'}, {"shard", required_argument, 0, 'S'},
	    {"each", required_argument, 0, 'e'}, {"seed", required_argument, 0, 's'}, {"cache", required_argument, 0, 'c'},
	    {"help", no_argument, 0, 'h'}, {0}};
	long n;
	for (int o; (o = option_next("rulesmith questions", argc, argv, "j:o:h", LONG)) != -1;) {
		if (o == 't') {
			j->traces[j->ntraces++] = optarg;
		} else if (o == 'o') {
			j->out = optarg;
		} else if (o == 'p') {
			j->questions.pipeline.glob = optarg;
		} else if (o == 'f') {
			j->questions.framework = optarg;
		} else if (o == 'c') {
			j->questions.pipeline.cache = optarg;
		} else if (o == 'S') {
			if (!shard_parse(optarg, &j->questions.shard))
				return usage("--shard: expected I/N with 0 <= I < N, got ", optarg);
		} else if (o == 'e') {
			if (!number(optarg, 1, 1000, &n))
				return usage("--each: expected 1 to 1000, got ", optarg);
			j->questions.each = (int)n;
		} else if (o == 's') {
			if (!number(optarg, 0, 2147483647, &n))
				return usage("--seed: expected 0 to 2147483647, got ", optarg);
			j->questions.seed = (uint64_t)n;
		} else if (o == 'j') {
			if (!number(optarg, 1, 64, &n))
				return usage("-j: expected 1 to 64 threads, got ", optarg);
			j->questions.pipeline.threads = (int)n;
		} else if (o == 'h') {
			fputs(HELP, stdout);
			return 0;
		} else {
			return 2;
		}
	}
	if (optind < argc)
		return usage("unexpected argument ", argv[optind]);
	return j->ntraces ? -1 : usage("--traces is required: a file of records or a folder of *.jsonl", "");
}

int cmd_questions(int argc, char **argv)
{
	job j = {.questions = {.each = 1, .seed = 1, .pipeline.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)}};
	j.traces = need(calloc((size_t)argc + 1, sizeof *j.traces), ((size_t)argc + 1) * sizeof *j.traces);
	int code = parse_options(&j, argc, argv);
	if (code < 0)
		code = make(&j);
	free(j.traces);
	return code;
}
