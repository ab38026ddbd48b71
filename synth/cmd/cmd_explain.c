/* rulesmith explain: how one operator's rule came about. */
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "need.h"
#include "page.h"
#include "pipeline.h"
#include "smith_commands.h"

static const char HELP[] =
    "usage: rulesmith explain OP --traces PATH… [OPTION…]\n\n"
    "Solves one operator again (OP is its name, or a glob that matches a few), with the others of its API, and\n"
    "prints the search: the expressions that were tried and the record that refuted each, the form that the\n"
    "API's other operators prefer and what fits as well, the shape function that other APIs use, the clauses\n"
    "that were chosen, with how many failing records each rejects, what was superfluous or lifted to other\n"
    "positions, what Z3 proved, whose rule it took among the operators of its structure, the rule, and\n"
    "that of its family in the words of the API's page.\n\n"
    "The rule is the one that `rulesmith synth` learns from the same records. What it depends on of other APIs,\n"
    "all their outputs and its siblings' rules, is taken from the cache, or else solved first.\n\n"
    "  --traces PATH  a file of records or a folder of *.jsonl; may be repeated. The rule is as shipped when\n"
    "                 all records are named that it was learned from\n"
    "  --cache DIR    of rulesmith synth: operators solved already (make rules: build/cache)\n"
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
			printf("    %s %s", c.fitted ? "fitted:" : c.empty ? "with empty tensors" : "accepted when", c.text);
			if (c.refused >= 0)
				printf("  (explains %d refused calls, %d alone)", c.refused, c.alone);
			if (c.passed > 0)
				printf("  (refuses %d that pass%s)", c.passed, c.passed == 1 ? "es" : "");
			putchar('\n');
		}
		page_free(p);
	}
}

static void print_explanation(const records *all, const rule *rules, int i, const buf *log)
{
	const operator *op = &all->ops[i];
	const rule *r = &rules[i];
	printf("%s\nfrom %s:%ld: %d passing, %d failing, %d contradictory records; %d symbols, %s\n\n", op->name,
	    op->path, op->line, op->npass, op->nfail, op->conflicts, op->nsym, op->structure);
	fputs(need_text(log), stdout);
	if (!r->why)
		printf("\nlayer %s; agrees with %u of %d passing and %u of %d failing records%s\n\n", r->layer, r->passed, op->npass,
		    r->failed, op->nfail, r->thin ? "; thin support" : "");
	print_rule(op, r);
	if (r->family)
		print_family(all, rules, r->family);
	putchar('\n');
}

/* Solves what is needed and explains those that match; how many they are. */
static int explain(job *j, records *r)
{
	size_t room = (size_t)r->n + 1;
	buf *texts = need(calloc(room, sizeof *texts), room * sizeof *texts);
	buf **logs = need(calloc(room, sizeof *logs), room * sizeof *logs);
	int matches = 0;
	for (int i = 0; i < r->n; i++)
		if (fnmatch(j->glob, r->ops[i].name, 0) == 0) {
			logs[i] = &texts[i];
			matches++;
		}
	if (matches) {
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

static int run(job *j)
{
	records r;
	bool ok = records_read(&r, j->traces, j->ntraces, report, NULL);
	int n = explain(j, &r);
	if (n == 0)
		fprintf(stderr, "error: no operator matches '%s'\n", j->glob);
	records_free(&r);
	return ok && n ? 0 : 1;
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
	for (int o; code < 0 && (o = getopt_long(argc, argv, "j:h", LONG, NULL)) != -1;) {
		if (o == 't')
			j.traces[j.ntraces++] = optarg;
		else if (o == 'c')
			j.pipeline.cache = optarg;
		else if (o == 'j')
			j.pipeline.threads = atoi(optarg);
		else if (o == 'h')
			code = 0 * fputs(HELP, stdout);
		else
			code = usage("unknown option");
	}
	if (code < 0 && (j.pipeline.threads < 1 || j.pipeline.threads > 1024))
		code = usage("-j takes a number of threads from 1 to 1024");
	if (code < 0 && (optind != argc - 1 || j.ntraces == 0))
		code = usage("takes one operator and --traces");
	if (code < 0) {
		j.glob = argv[optind];
		code = run(&j);
	}
	free(j.traces);
	return code;
}
