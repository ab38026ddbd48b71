/* rulesmith explain: the reasons for a signature's rule. */
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain_rule.h"
#include "need.h"
#include "options.h"
#include "package.h"
#include "pipeline.h"
#include "smith_commands.h"
#include "suggest.h"

static const char HELP[] =
    "usage: rulesmith explain NAME [--rules FILE] [--traces PATH…]\n"
    "       rulesmith explain NAME --search-log [--traces PATH…] [OPTION…]\n\n"
    "Prints the reason for each part of a rule. NAME is a signature (MODULE.FUNCTION-0), an API, or a glob; `rulefuzz rules --api NAME`\n"
    "prints an API's rule without reasons.\n\n"
    "  rulesmith explain MODULE.FUNCTION-0\n"
    "  rulesmith explain 'MODULE.FUNCTION-*' --search-log --traces traces/FRAMEWORK\n\n"
    "For each clause: the number of rejected records that it explains, one of them, near clauses with the record that refutes\n"
    "them, and rivals, other clauses that no record refutes. The last lines are the rule of the API as its page prints it.\n\n"
    "  --rules FILE   rules of `rulesmith synth` (default: the checkout's build/rules.jsonl)\n"
    "  --traces PATH  a file of records or a folder of *.jsonl; repeatable (default: all of the checkout's traces/)\n"
    "  --search-log   solve the signature again and print the search: the expressions that were tried and the record that refuted\n"
    "                 each, the clauses that were chosen, redundant clauses, Z3's proofs, the rule. Fewer records may give another\n"
    "                 rule than the shipped one\n"
    "  --cache DIR    with --search-log: the cache of `rulesmith synth` (default: the checkout's build/cache). It has the results\n"
    "                 of other APIs that the rule depends on; without it they are solved first\n"
    "  -j N           with --search-log: threads (default: the number of processors)\n"
    "  --help\n";

typedef struct job {
	const char *glob, *rules, **traces;
	int ntraces;
	bool search_log;
	pipeline_options pipeline;
} job;

static void print_rule(const operator *op, const rule *r)
{
	buf b = {0};
	if (r->why)
		buf_printf(&b, "no rule: %s\n", r->why);
	for (int d = 0; !r->why && d < op->nodim; d++) {
		buf_printf(&b, "out%d[%d] = ", op->out_tensor[d], op->out_pos[d]);
		expr_print(&b, r->out[d]);
		buf_putc(&b, '\n');
	}
	for (int k = 0; !r->why && k < r->nclauses; k++) {
		buf_puts(&b, "valid: ");
		expr_print(&b, r->clauses[k]);
		buf_putc(&b, '\n');
	}
	fputs(need_text(&b), stdout);
	buf_free(&b);
}

static void print_explanation(const records *all, const rule *rules, int i, const buf *log)
{
	const operator *op = &all->ops[i];
	const rule *r = &rules[i];
	printf("%s\nfrom %s:%ld: %d accepted, %d rejected, %d contradictory records; %d symbols, %s\n\n", op->name,
	    op->path, op->line, op->npass, op->nfail, op->conflicts, op->nsym, op->structure);
	fputs(need_text(log), stdout);
	if (!r->why)
		printf("\nlayer %s; agrees with %u of %d accepted and %u of %d rejected records%s\n\n", r->layer, r->passed, op->npass,
		    r->failed, op->nfail, r->thin ? "; low support" : "");
	print_rule(op, r);
	if (r->family)
		printf("API rule: that of %s\n", r->family);
	putchar('\n');
}

/* Solves the requested signatures and their dependencies, and prints their search logs. Returns the number of
 * requested signatures. */
static int explain(job *j, records *r)
{
	size_t room = (size_t)r->n + 1;
	buf *texts = need(calloc(room, sizeof *texts), room * sizeof *texts);
	buf **logs = need(calloc(room, sizeof *logs), room * sizeof *logs);
	int matches = 0;
	for (int i = 0; i < r->n; i++)
		if (explain_is_asked(j->glob, r->ops[i].name, r->ops[i].api)) {
			logs[i] = &texts[i];
			matches++;
		}
	if (matches) {
		fprintf(stderr, "explain: solving %d signature%s and its dependencies, cache %s\n", matches, matches == 1 ? "" : "s",
		    j->pipeline.cache ? j->pipeline.cache : "none");
		j->pipeline.logs = logs;
		pipeline_result p = pipeline_run(r, &j->pipeline);
		for (int i = 0; i < r->n; i++)
			if (logs[i])
				print_explanation(r, p.rules, i, &texts[i]);
		pipeline_free(&p);
	}
	for (int i = 0; i < r->n; i++)
		buf_free(&texts[i]);
	free(texts);
	free(logs);
	return matches;
}

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

enum { SUGGESTED = 3 };

/* Finds APIs with this last name: a.conv and b.c.conv for conv. The records of an API are neighbours. Returns their
 * number. */
static int list_same(const char *name, const records *r, const char *found[SUGGESTED])
{
	int n = 0;
	for (int i = 0; i < r->n && n < SUGGESTED; i++) {
		const char *api = r->ops[i].api, *dot = strrchr(api, '.');
		if (dot && strcmp(dot + 1, name) == 0 && (!n || strcmp(found[n - 1], api) != 0))
			found[n++] = api;
	}
	return n;
}

static void report_unknown(const job *j, const records *r)
{
	const char *found[SUGGESTED];
	suggestion near = suggest_start(j->glob);
	int n = list_same(j->glob, r, found);
	for (int i = 0; !n && i < r->n; i++) {
		suggest_see(&near, r->ops[i].name);
		suggest_see(&near, r->ops[i].api);
	}
	if (!n && *near.name)
		found[n++] = near.name;
	fprintf(stderr, "rulesmith explain: error: no signature or API matches '%s'", j->glob);
	for (int k = 0; k < n; k++)
		fprintf(stderr, "%s%s%s", k ? " or " : "; did you mean ", found[k], k + 1 == n ? "?" : "");
	fputc('\n', stderr);
}

static int run(job *j)
{
	records r;
	fprintf(stderr, "explain: reading records of %s%s\n", j->traces[0], j->ntraces > 1 ? " and others" : "");
	bool ok = records_read(&r, j->traces, j->ntraces, report, NULL);
	int n = explain(j, &r);
	if (n == 0)
		report_unknown(j, &r);
	records_free(&r);
	return ok && n ? 0 : 1;
}

/* ---- the checkout's rules, records and cache */

typedef struct checkout {
	glob_t folders;
	char cache[PATH_MAX], rules[PATH_MAX];
} checkout;

/* Sets the paths that the user did not give; false: there is no checkout with these files. */
static bool use_checkout(job *j, checkout *c)
{
	package p;
	diag d;
	char pattern[PATH_MAX + 32];
	if (!package_find(&p, &d))
		return false;
	snprintf(pattern, sizeof pattern, "%s/traces/*/*.jsonl", p.root);
	if (!j->ntraces) {
		if (glob(pattern, 0, NULL, &c->folders) != 0)
			return false;
		j->traces = (const char **)c->folders.gl_pathv;
		j->ntraces = (int)c->folders.gl_pathc;
	}
	bool fits = snprintf(c->cache, sizeof c->cache, "%s/build/cache", p.root) < PATH_MAX;
	if (!j->pipeline.cache && fits && access(c->cache, F_OK) == 0)
		j->pipeline.cache = c->cache;
	if (!j->rules && snprintf(c->rules, sizeof c->rules, "%s/build/rules.jsonl", p.root) < PATH_MAX)
		j->rules = c->rules;
	return true;
}

static int explain_stored(const job *j)
{
	explain_input in = {.glob = j->glob, .rules = j->rules, .traces = j->traces, .ntraces = j->ntraces};
	bool found;
	int code = explain_rules(&in, &found);
	if (found)
		return code;
	records r; /* of all APIs, for a suggestion */
	records_read(&r, j->traces, j->ntraces, report, NULL);
	report_unknown(j, &r);
	records_free(&r);
	return 1;
}

static int run_with_defaults(job *j)
{
	checkout c = {.folders = {0}};
	const char **own = j->traces;
	bool complete = j->ntraces && (j->search_log || j->rules);
	int code = 1;
	if (!complete && !use_checkout(j, &c))
		fprintf(stderr, "rulesmith explain: error: found no rules and records beside the program; use --rules and --traces\n");
	else
		code = j->search_log ? run(j) : explain_stored(j);
	j->traces = own;
	globfree(&c.folders);
	return code;
}

static int usage(const char *what)
{
	fprintf(stderr, "rulesmith explain: error: %s; try 'rulesmith explain --help'\n", what);
	return 2;
}

int cmd_explain(int argc, char **argv)
{
	static const struct option LONG[] = {{"traces", required_argument, 0, 't'}, {"cache", required_argument, 0, 'c'},
	    {"rules", required_argument, 0, 'r'}, {"search-log", no_argument, 0, 's'}, {"help", no_argument, 0, 'h'}, {0}};
	job j = {.pipeline.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
	j.traces = need(calloc((size_t)argc + 1, sizeof *j.traces), (size_t)argc * sizeof *j.traces);
	int code = -1;
	for (int o; code < 0 && (o = option_next("rulesmith explain", argc, argv, "j:h", LONG)) != -1;) {
		if (o == 't')
			j.traces[j.ntraces++] = optarg;
		else if (o == 'c')
			j.pipeline.cache = optarg;
		else if (o == 'r')
			j.rules = optarg;
		else if (o == 's')
			j.search_log = true;
		else if (o == 'j')
			j.pipeline.threads = atoi(optarg);
		else if (o == 'h')
			code = 0 * fputs(HELP, stdout);
		else
			code = 2;
	}
	if (code < 0 && (j.pipeline.threads < 1 || j.pipeline.threads > 1024))
		code = usage("-j: expected 1 to 1024 threads");
	if (code < 0 && optind != argc - 1)
		code = usage("expected one NAME, such as MODULE.FUNCTION-0");
	if (code < 0) {
		j.glob = argv[optind];
		code = run_with_defaults(&j);
	}
	free(j.traces);
	return code;
}
