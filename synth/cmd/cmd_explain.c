/* rulesmith explain: how one operator's rule came about. */
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "need.h"
#include "options.h"
#include "package.h"
#include "page.h"
#include "pipeline.h"
#include "smith_commands.h"
#include "suggest.h"

static const char HELP[] =
    "usage: rulesmith explain NAME [--traces PATH…] [OPTION…]\n\n"
    "Explains how a rule was found. NAME is a signature (MODULE.FUNCTION-0), an API, or a glob; `rulefuzz rules --api NAME`\n"
    "prints an API's rule without the search.\n\n"
    "  rulesmith explain MODULE.FUNCTION-0\n"
    "  rulesmith explain 'MODULE.FUNCTION-*' --traces traces/FRAMEWORK\n\n"
    "Solves the signature again and prints the search: the expressions that were tried and the record that refuted each,\n"
    "the clauses that were chosen with the number of rejected records that each explains, redundant clauses, what Z3\n"
    "proved, the final rule, and the rule of the API as its page prints it.\n\n"
    "The rule is the one of `rulesmith synth` on the same records. Results of other APIs that it depends on come from the\n"
    "cache, or are solved first.\n\n"
    "  --traces PATH  a file of records or a folder of *.jsonl; repeatable (default: all of the checkout's traces/).\n"
    "                 Fewer records may give another rule than the shipped one\n"
    "  --cache DIR    the cache of `rulesmith synth` (default: the checkout's build/cache)\n"
    "  -j N           threads (default: the number of processors)\n"
    "  --help\n";

typedef struct job {
	const char *glob, **traces;
	int ntraces;
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

/* The rule of its family, in the words of the API's page. */
static void print_family(const records *all, const rule *rules, const char *leader)
{
	for (int i = 0; i < all->n; i++) {
		if (strcmp(all->ops[i].name, leader) != 0)
			continue;
		page *p = page_read(rules[i].page);
		printf("\nfamily of %s(", leader);
		for (int k = 0; k < page_arguments(p); k++)
			printf("%s%s", k ? ", " : "", page_argument(p, k));
		printf("):\n");
		for (int k = 0; k < page_outputs(p); k++)
			printf("    %s\n", page_output(p, k));
		for (int k = 0; k < page_clauses(p); k++) {
			page_clause c = page_clause_at(p, k);
			printf("    %s %s", c.fitted ? "low support:" : c.empty ? "with empty tensors" : "accepted when", c.text);
			if (c.refused >= 0)
				printf("  (rejects %d, %d uniquely)", c.refused, c.alone);
			if (c.passed > 0)
				printf("  (wrongly rejects %d)", c.passed);
			putchar('\n');
		}
		page_free(p);
	}
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
		print_family(all, rules, r->family);
	putchar('\n');
}

/* Whether a signature is asked for: by its name, its API or a glob. */
static bool is_asked(const job *j, const operator *op)
{
	return fnmatch(j->glob, op->name, 0) == 0 || strcmp(j->glob, op->api) == 0;
}

/* Solves the dependencies of the signatures that are asked for and explains these; how many they are. */
static int explain(job *j, records *r)
{
	size_t room = (size_t)r->n + 1;
	buf *texts = need(calloc(room, sizeof *texts), room * sizeof *texts);
	buf **logs = need(calloc(room, sizeof *logs), room * sizeof *logs);
	int matches = 0;
	for (int i = 0; i < r->n; i++)
		if (is_asked(j, &r->ops[i])) {
			logs[i] = &texts[i];
			matches++;
		}
	if (matches) {
		fprintf(stderr, "explain: solving %d signature%s and what it depends on, cache %s\n", matches, matches == 1 ? "" : "s",
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

/* APIs with this last name: a.conv and b.c.conv for conv. Records of an API are neighbours. */
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

/* ---- the checkout's records and cache */

typedef struct checkout {
	glob_t folders;
	char cache[PATH_MAX];
} checkout;

/* Names the records and the cache that the user did not; false: there is no checkout with records. */
static bool use_checkout(job *j, checkout *c)
{
	package p;
	diag d;
	char pattern[PATH_MAX + 32];
	if (!package_find(&p, &d))
		return false;
	snprintf(pattern, sizeof pattern, "%s/traces/*/*.jsonl", p.root);
	if (glob(pattern, 0, NULL, &c->folders) != 0)
		return false;
	j->traces = (const char **)c->folders.gl_pathv;
	j->ntraces = (int)c->folders.gl_pathc;
	bool fits = snprintf(c->cache, sizeof c->cache, "%s/build/cache", p.root) < PATH_MAX;
	if (!j->pipeline.cache && fits && access(c->cache, F_OK) == 0)
		j->pipeline.cache = c->cache;
	return true;
}

static int run_in_checkout(job *j)
{
	checkout c = {.folders = {0}};
	const char **own = j->traces;
	int code = 1;
	if (use_checkout(j, &c))
		code = run(j);
	else
		fprintf(stderr, "rulesmith explain: error: no records beside the program; name a folder of records with --traces\n");
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
	    {"help", no_argument, 0, 'h'}, {0}};
	job j = {.pipeline.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
	j.traces = need(calloc((size_t)argc + 1, sizeof *j.traces), (size_t)argc * sizeof *j.traces);
	int code = -1;
	for (int o; code < 0 && (o = option_next("rulesmith explain", argc, argv, "j:h", LONG)) != -1;) {
		if (o == 't')
			j.traces[j.ntraces++] = optarg;
		else if (o == 'c')
			j.pipeline.cache = optarg;
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
		code = j.ntraces ? run(&j) : run_in_checkout(&j);
	}
	free(j.traces);
	return code;
}
