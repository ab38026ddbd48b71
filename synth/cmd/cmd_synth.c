/* rulesmith synth: records to rules.jsonl. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "file.h"
#include "options.h"
#include "rulesmith.h"
#include "smith_commands.h"
#include "neuri.h"
#include "pipeline.h"
#include "api_rules.h"
#include "dtype_rules.h"
#include "rules_file.h"
#include "need.h"

static const char HELP[] =
    "usage: rulesmith synth --traces PATH… [-o rules.jsonl] [OPTION…]\n\n"
    "Learns a rule for each signature in the record files: output shapes as expressions of the symbols, and clauses that\n"
    "accept all accepted records and reject all rejected ones.\n\n"
    "  rulesmith synth --traces traces/FRAMEWORK -o rules.jsonl --cache build/cache\n\n"
    "  --traces PATH    a file of records or a folder of *.jsonl; repeatable\n"
    "  --dtypes FILE    dtype trials, traces/FRAMEWORK/DTYPES.tsv; repeatable\n"
    "  -o FILE          write the rules there (default: standard output)\n"
    "  -j N             threads (default: the number of processors); the output is the same for any N\n"
    "  --op GLOB        only signatures with a matching name\n"
    "  --layer neuri    NeuRI's published algorithm only\n"
    "  --neuri-ops N    the same, with expressions of at most N operations (default 2)\n"
    "  --cache DIR      keep results there: a killed run continues, unchanged APIs are not solved again\n"
    "  --shard I/N      solve shard I (from 0) of N of the APIs into --cache and write no rules; a run without --shard\n"
    "                   then writes the same bytes for any N\n"
    "  --statistics FILE  a summary as JSON\n"
    "  --help\n\n"
    "A bad record is reported as path:line: error: …, nothing is written, and the exit code is 1.\n";

typedef struct job {
	const char **traces;
	int ntraces;
	const char **dtypes;
	int ndtypes;
	const char *out, *statistics;
	int neuri_ops; /* 0: the pipeline's own search */
	pipeline_options pipeline;
} job;

typedef struct summary {
	int operators, complete, cached;
	int rules, instances; /* API rules; signatures that are instances of one */
	int dtype_rules, dtype_apis; /* APIs with a dtype rule; APIs with dtype trials */
	double cpu, wall, slowest;
	const char *slowest_op;
} summary;

static summary summarise(const records *r, const pipeline_result *p)
{
	summary s = {.operators = p->n};
	for (int k = 0; k < p->n; k++) {
		const pipeline_cost *cost = &p->costs[p->list[k]];
		s.complete += !p->rules[p->list[k]].why;
		s.cached += cost->cached;
		s.cpu += cost->seconds;
		if (cost->seconds >= s.slowest) {
			s.slowest = cost->seconds;
			s.slowest_op = r->ops[p->list[k]].name;
		}
	}
	s.wall = p->wall;
	return s;
}

static bool write_rules(const job *j, const records *r, const pipeline_result *p, summary *s, diag *d)
{
	buf text = {0};
	dtype_rules dtypes;
	if (!dtype_rules_fit(&dtypes, r, p->list, p->n, j->dtypes, j->ndtypes, d)) {
		dtype_rules_free(&dtypes);
		return false;
	}
	api_rules apis = api_rules_fit(r, p->list, p->n, p->rules, j->pipeline.threads);
	s->rules = apis.rules;
	s->instances = apis.instances;
	rules_write_header(&text, RS_VERSION, prover_version(), s->operators, s->complete);
	for (int k = 0; k < p->n; k++)
		rules_write(&text, &r->ops[p->list[k]], &p->rules[p->list[k]], apis.json[p->list[k]], dtypes.json[p->list[k]]);
	api_rules_free(&apis);
	s->dtype_rules = dtypes.rules;
	s->dtype_apis = dtypes.apis;
	dtype_rules_free(&dtypes);
	bool ok = !text.failed || diag_set(d, "out of memory for %zu bytes of rules", text.capacity * 2);
	if (ok && j->out)
		ok = file_write(j->out, text.text, text.length, d);
	else if (ok)
		ok = fwrite(text.text, 1, text.length, stdout) == text.length
		    || diag_set(d, "cannot write to standard output: %s", strerror(errno));
	buf_free(&text);
	return ok;
}

static bool write_statistics(const job *j, const summary *s, const pipeline_result *p, diag *d)
{
	struct rusage u;
	buf text = {0};
	long tried = 0;
	for (int k = 0; k < STAGE_COUNT; k++)
		tried += p->stages[k].tried;
	getrusage(RUSAGE_SELF, &u);
	buf_printf(&text,
	    "{\"schema\":1,\"operators\":%d,\"complete\":%d,\"cached\":%d,\"cpu_seconds\":%.2f,"
	    "\"wall_seconds\":%.2f,\"expressions\":%ld,\"expressions_per_second\":%.0f,"
	    "\"slowest_seconds\":%.2f,\"slowest\":\"%s\",\"peak_mib\":%ld,\"threads\":%d,\"stages\":[",
	    s->operators, s->complete, s->cached, s->cpu, s->wall, tried, s->cpu > 0 ? (double)tried / s->cpu : 0,
	    s->slowest, s->slowest_op ? s->slowest_op : "", u.ru_maxrss / 1024, j->pipeline.threads);
	for (int k = 0; k < STAGE_COUNT; k++)
		buf_printf(&text, "%s{\"stage\":\"%s\",\"expressions\":%ld,\"cpu_seconds\":%.2f,\"expressions_per_second\":%.0f}",
		    k ? "," : "", stage_name(k), p->stages[k].tried, p->stages[k].seconds,
		    p->stages[k].seconds > 0 ? (double)p->stages[k].tried / p->stages[k].seconds : 0);
	buf_puts(&text, "]}\n");
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

static void print_shard(const job *j, const pipeline_result *p, const summary *s)
{
	const shard *part = &j->pipeline.shard;
	fprintf(stderr, "synth: shard %d/%d: pass '%s' stored in %s; %.1f CPU-s, %.1f s; ", part->index, part->count, p->pass,
	    j->pipeline.cache, s->cpu, s->wall);
	if (p->missing)
		fprintf(stderr, "%d signatures of other shards are missing: run again when these shards are done\n", p->missing);
	else
		fprintf(stderr, "complete: run without --shard to write the rules\n");
}

static int synth(const job *j, records *r)
{
	diag d;
	pipeline_result p = pipeline_run(r, &j->pipeline);
	bool ok = p.n > 0;
	if (!ok) {
		fprintf(stderr, "error: no signature matches '%s'\n", j->pipeline.glob ? j->pipeline.glob : "*");
		pipeline_free(&p);
		return 1;
	}
	summary s = summarise(r, &p);
	ok = (j->pipeline.shard.count || write_rules(j, r, &p, &s, &d)) && (!j->statistics || write_statistics(j, &s, &p, &d));
	if (!ok)
		fprintf(stderr, "%s\n", d.text);
	if (j->pipeline.shard.count)
		print_shard(j, &p, &s);
	else
		fprintf(stderr,
	    "synth: %ld lines, %d signatures, %d with a complete rule (%.1f %%), %d with a rule of a sibling, "
	    "%d from the cache; %.1f CPU-s, %.1f s, slowest %s %.2f s\n",
	    r->lines, s.operators, s.complete, 100.0 * s.complete / s.operators, p.from_siblings, s.cached, s.cpu,
	    s.wall, s.slowest_op, s.slowest);
	if (!j->pipeline.shard.count)
		fprintf(stderr, "synth: %d API rules; %d of %d signatures with a rule are instances of one (%.1f %%)\n", s.rules, s.instances,
		    s.complete, s.complete ? 100.0 * s.instances / s.complete : 0.0);
	if (s.dtype_apis)
		fprintf(stderr, "synth: dtype rules for %d of %d APIs with dtype trials\n", s.dtype_rules, s.dtype_apis);
	if (r->beyond || r->below)
		fprintf(stderr, "synth: excluded %ld records with integers beyond int64 and %ld that returned a negative dimension\n",
		    r->beyond, r->below);
	pipeline_free(&p);
	return ok ? 0 : 1;
}

static int usage(const char *what, const char *value)
{
	fprintf(stderr, "rulesmith synth: error: %s%s; try 'rulesmith synth --help'\n", what, value);
	return 2;
}

static int parse_options(job *j, int argc, char **argv)
{
	static const struct option LONG[] = {{"traces", required_argument, 0, 't'}, {"dtypes", required_argument, 0, 'd'}, {"op", required_argument, 0, 'p'},
	    {"layer", required_argument, 0, 'l'}, {"neuri-ops", required_argument, 0, 'n'}, {"shard", required_argument, 0, 'S'}, {"cache", required_argument, 0, 'c'},
	    {"statistics", required_argument, 0, 's'}, {"help", no_argument, 0, 'h'}, {0}};
	for (int o; (o = option_next("rulesmith synth", argc, argv, "o:j:h", LONG)) != -1;) {
		switch (o) {
		case 't':
			j->traces[j->ntraces++] = optarg;
			break;
		case 'd':
			j->dtypes[j->ndtypes++] = optarg;
			break;
		case 'p':
			j->pipeline.glob = optarg;
			break;
		case 'o':
			j->out = optarg;
			break;
		case 'c':
			j->pipeline.cache = optarg;
			break;
		case 's':
			j->statistics = optarg;
			break;
		case 'j':
			j->pipeline.threads = atoi(optarg);
			if (j->pipeline.threads < 1 || j->pipeline.threads > 1024)
				return usage("-j: expected 1 to 1024 threads, got ", optarg);
			break;
		case 'l':
			if (strcmp(optarg, "neuri") != 0)
				return usage("--layer: expected 'neuri', got ", optarg);
			j->neuri_ops = j->neuri_ops ? j->neuri_ops : 2;
			break;
		case 'n':
			j->neuri_ops = atoi(optarg);
			if (j->neuri_ops < 1 || j->neuri_ops > 4)
				return usage("--neuri-ops: expected 1 to 4, got ", optarg);
			break;
		case 'S':
			if (!shard_parse(optarg, &j->pipeline.shard))
				return usage("--shard: expected I/N with 0 <= I < N, got ", optarg);
			break;
		case 'h':
			fputs(HELP, stdout);
			return 0;
		default:
			return 2;
		}
	}
	while (optind < argc)
		j->traces[j->ntraces++] = argv[optind++];
	if (j->pipeline.shard.count && (!j->pipeline.cache || j->out || j->neuri_ops))
		return usage("--shard requires --cache and excludes -o and --layer", "");
	return j->ntraces ? -1 : usage("--traces is required: a file of records or a folder of *.jsonl", "");
}

int cmd_synth(int argc, char **argv)
{
	job j = {.pipeline.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
	j.traces = need(calloc((size_t)argc + 1, sizeof *j.traces), (size_t)argc * sizeof *j.traces);
	j.dtypes = need(calloc((size_t)argc + 1, sizeof *j.dtypes), (size_t)argc * sizeof *j.dtypes);
	int code = parse_options(&j, argc, argv);
	records r = {0};
	long errors = 0;
	neuri_bank *bank = NULL;
	if (code < 0) {
		code = 1;
		if (j.neuri_ops) {
			prover *p = prover_new();
			j.pipeline.search.bank = bank = neuri_bank_new(j.neuri_ops + 1, j.neuri_ops, j.pipeline.threads, p);
			prover_free(p);
		}
		if (records_read(&r, j.traces, j.ntraces, report, &errors))
			code = synth(&j, &r);
		else
			fprintf(stderr, "synth: %ld errors in %ld lines; %d signatures were valid; nothing was written\n",
			    errors, r.lines, r.n);
		records_free(&r);
	}
	neuri_bank_free(bank);
	free(j.traces);
	free(j.dtypes);
	return code;
}
