/* rulesmith synth: records to rules.jsonl. */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "commands.h"
#include "neuri.h"
#include "rules.h"
#include "solve.h"

static const char HELP[] =
    "usage: rulesmith synth --traces PATH… [-o rules.jsonl] [OPTION…]\n\n"
    "Learns a rule for every operator in the record files: output shapes as expressions of the\n"
    "symbols, and clauses that accept every passing record and reject every failing one.\n\n"
    "  --traces PATH    a file of records or a folder of *.jsonl; may be repeated\n"
    "  -o FILE          where the rules go (default: standard output)\n"
    "  -j N             threads (default: the number of processors); the output is the same for any N\n"
    "  --op GLOB        only operators whose name matches\n"
    "  --layer neuri    NeuRI's published algorithm and nothing else\n"
    "  --neuri-ops N    the same, with expressions of at most N operations (default 2)\n"
    "  --cache DIR      keep solved operators there; a killed run goes on, an unchanged one is quick\n"
    "  --statistics FILE  a summary as JSON\n"
    "  --help\n\n"
    "A bad record is reported as path:line: error: …, nothing is written, and the exit code is 1.\n";

typedef struct job {
	const char **traces;
	int ntraces, threads;
	const char *out, *glob, *cache, *statistics;
	int neuri_ops; /* 0: all layers */
	options options;
} job;

typedef struct crew {
	const job *job;
	const records *records;
	const int *todo; /* indices of operators, in order */
	int n;
	solved *results; /* one for each of the records' operators */
	cache *cache;
	atomic_int next, done;
	double start;
} crew;

static double seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one operator */

static char *text_of(const expr *e)
{
	buf b = {0};
	expr_print(&b, e);
	return b.text;
}

static solved describe(const operator *op, const rule *r)
{
	solved to = {.nodim = r->why ? 0 : op->nodim, .nvalid = r->why ? 0 : r->nclauses, .proof = r->proof,
	    .thin = r->thin, .layer = strdup(r->layer), .why = r->why ? strdup(r->why) : NULL, .work = r->work};
	to.out = calloc((size_t)to.nodim + 1, sizeof *to.out);
	to.valid = calloc((size_t)to.nvalid + 1, sizeof *to.valid);
	for (int d = 0; d < to.nodim; d++)
		to.out[d] = text_of(r->out[d]);
	for (int k = 0; k < to.nvalid; k++)
		to.valid[k] = text_of(r->clauses[k]);
	if (!r->why)
		rule_agreement(op, r, &to.passed, &to.failed);
	return to;
}

static uint64_t cache_key(const operator *op, const options *o)
{
	return op->hash ^ (o->bank ? 0x9e3779b97f4a7c15u : 0);
}

static void solve_one(crew *c, int index, prover *p)
{
	const operator *op = &c->records->ops[index];
	solved *to = &c->results[index];
	uint64_t key = cache_key(op, &c->job->options);
	if (cache_find(c->cache, key, to))
		return;
	double from = seconds(CLOCK_THREAD_CPUTIME_ID);
	arena *scratch = arena_new();
	expr_pool *pool = expr_pool_new();
	rule r;
	solve_operator(op, pool, scratch, p, &c->job->options, &r, NULL);
	if (!r.why)
		drop_implied(op, pool, p, &r);
	*to = describe(op, &r);
	to->seconds = seconds(CLOCK_THREAD_CPUTIME_ID) - from;
	cache_add(c->cache, key, to);
	expr_pool_free(pool);
	arena_free(scratch);
}

static void progress(const crew *c, int done)
{
	double spent = seconds(CLOCK_MONOTONIC) - c->start, rate = done / (spent > 0 ? spent : 1);
	fprintf(stderr, "\rsynth %d/%d  %.0f operators/s  %.0f s left   ", done, c->n, rate,
	    rate > 0 ? (c->n - done) / rate : 0);
	if (done == c->n)
		fputc('\n', stderr);
}

static void *work(void *argument)
{
	crew *c = argument;
	prover *p = prover_new();
	for (int k; (k = atomic_fetch_add(&c->next, 1)) < c->n;) {
		solve_one(c, c->todo[k], p);
		int done = atomic_fetch_add(&c->done, 1) + 1;
		if (isatty(2) && (done % 16 == 0 || done == c->n))
			progress(c, done);
	}
	prover_free(p);
	return NULL;
}

static void run_crew(crew *c)
{
	int n = c->job->threads;
	pthread_t *threads = calloc((size_t)n, sizeof *threads);
	c->start = seconds(CLOCK_MONOTONIC);
	for (int i = 1; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, c) != 0)
			threads[i] = 0;
	work(c);
	for (int i = 1; i < n; i++)
		if (threads[i])
			pthread_join(threads[i], NULL);
	free(threads);
}

/* ---- output */

typedef struct summary {
	int operators, complete, cached;
	double cpu, wall, slowest;
	long work;
	const char *slowest_op;
} summary;

static summary summarise(const crew *c)
{
	summary s = {.operators = c->n};
	for (int k = 0; k < c->n; k++) {
		const solved *r = &c->results[c->todo[k]];
		s.complete += !r->why;
		s.cached += r->cached;
		s.cpu += r->seconds;
		s.work += r->work;
		if (r->seconds >= s.slowest) {
			s.slowest = r->seconds;
			s.slowest_op = c->records->ops[c->todo[k]].name;
		}
	}
	s.wall = seconds(CLOCK_MONOTONIC) - c->start;
	return s;
}

static bool write_rules(const crew *c, const summary *s, diag *d)
{
	buf text = {0};
	rules_write_header(&text, RULESMITH_VERSION, prover_version(), s->operators, s->complete);
	for (int k = 0; k < c->n; k++)
		rules_write(&text, &c->records->ops[c->todo[k]], &c->results[c->todo[k]]);
	bool ok = !text.failed || diag_set(d, "out of memory for %zu bytes of rules", text.capacity * 2);
	if (ok && c->job->out)
		ok = file_write(c->job->out, text.text, text.length, d);
	else if (ok)
		ok = fwrite(text.text, 1, text.length, stdout) == text.length
		    || diag_set(d, "cannot write to standard output: %s", strerror(errno));
	buf_free(&text);
	return ok;
}

static bool write_statistics(const job *j, const summary *s, diag *d)
{
	struct rusage u;
	buf text = {0};
	getrusage(RUSAGE_SELF, &u);
	buf_printf(&text,
	    "{\"schema\":1,\"operators\":%d,\"complete\":%d,\"cached\":%d,\"cpu_seconds\":%.2f,"
	    "\"wall_seconds\":%.2f,\"column_evaluations\":%ld,\"evaluations_per_second\":%.0f,"
	    "\"slowest_seconds\":%.2f,\"slowest\":\"%s\",\"peak_mib\":%ld,\"threads\":%d}\n",
	    s->operators, s->complete, s->cached, s->cpu, s->wall, s->work, s->cpu > 0 ? (double)s->work / s->cpu : 0,
	    s->slowest, s->slowest_op ? s->slowest_op : "", u.ru_maxrss / 1024, j->threads);
	bool ok = file_write(j->statistics, text.text, text.length, d);
	buf_free(&text);
	return ok;
}

/* ---- the command */

static void report(const diag *d, void *user)
{
	++*(long *)user;
	fprintf(stderr, "%s\n", d->text);
}

/* A hash of the program itself: another build never trusts this build's cache. */
static uint64_t program_version(void)
{
	size_t n;
	char *self = file_read("/proc/self/exe", &n, NULL);
	uint64_t h = self ? XXH3_64bits(self, n) : (uint64_t)time(NULL);
	free(self);
	return h;
}

static int synth(const job *j, const records *r)
{
	diag d;
	int *todo = malloc(sizeof *todo * (size_t)(r->n + 1)), n = 0;
	for (int i = 0; i < r->n; i++)
		if (!j->glob || fnmatch(j->glob, r->ops[i].name, 0) == 0)
			todo[n++] = i;
	if (n == 0) {
		fprintf(stderr, "error: no operator matches '%s'\n", j->glob ? j->glob : "*");
		free(todo);
		return 1;
	}
	crew c = {.job = j, .records = r, .todo = todo, .n = n, .cache = cache_open(j->cache, program_version())};
	c.results = calloc((size_t)r->n, sizeof *c.results);
	run_crew(&c);
	summary s = summarise(&c);
	bool ok = write_rules(&c, &s, &d) && (!j->statistics || write_statistics(j, &s, &d));
	if (!ok)
		fprintf(stderr, "%s\n", d.text);
	fprintf(stderr,
	    "synth: %ld lines, %d operators, %d with a complete rule (%.1f %%), %d from the cache; "
	    "%.1f CPU-s, %.1f s, slowest %s %.2f s\n",
	    r->lines, s.operators, s.complete, 100.0 * s.complete / s.operators, s.cached, s.cpu, s.wall,
	    s.slowest_op, s.slowest);
	if (r->beyond)
		fprintf(stderr, "synth: %ld integers beyond int64 were read as the nearest int64\n", r->beyond);
	for (int i = 0; i < r->n; i++)
		solved_free(&c.results[i]);
	free(c.results);
	cache_close(c.cache);
	free(todo);
	return ok ? 0 : 1;
}

static int usage(const char *what, const char *value)
{
	fprintf(stderr, "rulesmith synth: error: %s%s; try 'rulesmith synth --help'\n", what, value);
	return 2;
}

static int parse_options(job *j, int argc, char **argv)
{
	static const struct option LONG[] = {{"traces", required_argument, 0, 't'}, {"op", required_argument, 0, 'p'},
	    {"layer", required_argument, 0, 'l'}, {"neuri-ops", required_argument, 0, 'n'}, {"cache", required_argument, 0, 'c'},
	    {"statistics", required_argument, 0, 's'}, {"help", no_argument, 0, 'h'}, {0}};
	for (int o; (o = getopt_long(argc, argv, "o:j:h", LONG, NULL)) != -1;) {
		switch (o) {
		case 't':
			j->traces[j->ntraces++] = optarg;
			break;
		case 'p':
			j->glob = optarg;
			break;
		case 'o':
			j->out = optarg;
			break;
		case 'c':
			j->cache = optarg;
			break;
		case 's':
			j->statistics = optarg;
			break;
		case 'j':
			j->threads = atoi(optarg);
			if (j->threads < 1 || j->threads > 1024)
				return usage("-j takes a number of threads from 1 to 1024, not ", optarg);
			break;
		case 'l':
			if (strcmp(optarg, "neuri") != 0)
				return usage("--layer takes 'neuri', not ", optarg);
			j->neuri_ops = j->neuri_ops ? j->neuri_ops : 2;
			break;
		case 'n':
			j->neuri_ops = atoi(optarg);
			if (j->neuri_ops < 1 || j->neuri_ops > 4)
				return usage("--neuri-ops takes 1 to 4, not ", optarg);
			break;
		case 'h':
			fputs(HELP, stdout);
			return 0;
		default:
			return usage("unknown option", "");
		}
	}
	while (optind < argc)
		j->traces[j->ntraces++] = argv[optind++];
	return j->ntraces ? -1 : usage("--traces names the record files", "");
}

int cmd_synth(int argc, char **argv)
{
	job j = {.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
	j.traces = calloc((size_t)argc + 1, sizeof *j.traces);
	int code = parse_options(&j, argc, argv);
	records r = {0};
	long errors = 0;
	neuri_bank *bank = NULL;
	if (code < 0) {
		code = 1;
		if (j.neuri_ops) {
			prover *p = prover_new();
			j.options.bank = bank = neuri_bank_new(j.neuri_ops + 1, j.neuri_ops, j.threads, p);
			prover_free(p);
		}
		if (records_read(&r, j.traces, j.ntraces, report, &errors))
			code = synth(&j, &r);
		else
			fprintf(stderr, "synth: %ld errors in %ld lines; %d operators were good; nothing was written\n",
			    errors, r.lines, r.n);
		records_free(&r);
	}
	neuri_bank_free(bank);
	free(j.traces);
	return code;
}
