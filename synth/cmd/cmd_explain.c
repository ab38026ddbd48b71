/* rulesmith explain: how one operator's rule came about. */
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string.h>

#include "smith_commands.h"
#include "family.h"

static const char HELP[] =
    "usage: rulesmith explain OP --traces PATH…\n\n"
    "Solves one operator again, with the others of its API (OP is its name, or a glob that matches a few),\n"
    "and prints the search: the expressions that were tried and the record that refuted each, the form that\n"
    "the API's other operators prefer and what fits as well, the clauses that were chosen, with how many\n"
    "failing records each rejects, what was superfluous or lifted to other positions, what Z3 proved, and\n"
    "the rule.\n\n"
    "  --traces PATH  a file of records or a folder of *.jsonl; may be repeated\n"
    "  --help\n";

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
	fputs(b.text ? b.text : "", stdout);
	buf_free(&b);
}

static void print_explanation(solver *s, prover *p, const buf *log)
{
	const operator *op = s->op;
	rule *r = s->rule;
	int passed = 0, failed = 0;
	long asked, unknown;
	printf("%s\nfrom %s:%ld: %d passing, %d failing, %d contradictory records; %d symbols, %s\n\n", op->name,
	    op->path, op->line, op->npass, op->nfail, op->conflicts, op->nsym, op->structure);
	fputs(log->text ? log->text : "", stdout);
	if (!r->why) {
		int before = r->nclauses;
		drop_implied(op, s->pool, p, r);
		rule_agreement(op, r, &passed, &failed);
		prover_counts(p, &asked, &unknown);
		printf("\nproof: Z3 removed %d of %d clauses as implied (%ld queries, %ld unknown)\n",
		    before - r->nclauses, before, asked, unknown);
		printf("agrees with %d of %d passing and %d of %d failing records%s\n\n", passed, op->npass, failed,
		    op->nfail, r->thin ? "; thin support" : "");
	}
	print_rule(op, r);
	putchar('\n');
}

/* Solves the n operators of an API and explains those that match. */
static int explain_family(const operator *ops, int n, const char *glob, prover *p)
{
	const operator **list = calloc((size_t)n + 1, sizeof *list);
	buf *logs = calloc((size_t)n + 1, sizeof *logs);
	options o = {0};
	family f;
	int matches = 0;
	for (int i = 0; i < n; i++)
		list[i] = &ops[i];
	for (int i = 0; i < n; i++)
		matches += fnmatch(glob, ops[i].name, 0) == 0;
	if (matches) {
		family_start(&f, list, n, &o);
		for (int i = 0; i < n; i++)
			f.solvers[i].log = fnmatch(glob, ops[i].name, 0) == 0 ? &logs[i] : NULL;
		family_shapes(&f);
		family_clauses(&f);
		for (int i = 0; i < n; i++)
			if (f.solvers[i].log)
				print_explanation(&f.solvers[i], p, &logs[i]);
		family_free(&f);
	}
	for (int i = 0; i < n; i++)
		buf_free(&logs[i]);
	free(logs);
	free(list);
	return matches;
}

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

static int explain_matching(const char *glob, const char *const *traces, int ntraces)
{
	records r;
	int n = 0;
	bool ok = records_read(&r, traces, ntraces, report, NULL);
	prover *p = prover_new();
	for (int from = 0, to; from < r.n; from = to) {
		for (to = from; to < r.n && strcmp(r.ops[to].api, r.ops[from].api) == 0; to++)
			;
		n += explain_family(r.ops + from, to - from, glob, p);
	}
	if (n == 0)
		fprintf(stderr, "error: no operator matches '%s'\n", glob);
	prover_free(p);
	records_free(&r);
	return ok && n ? 0 : 1;
}

int cmd_explain(int argc, char **argv)
{
	static const struct option LONG[] = {
	    {"traces", required_argument, 0, 't'}, {"help", no_argument, 0, 'h'}, {0}};
	const char **traces = calloc((size_t)argc + 1, sizeof *traces);
	int n = 0, code = -1;
	for (int o; code < 0 && (o = getopt_long(argc, argv, "h", LONG, NULL)) != -1;) {
		if (o == 't')
			traces[n++] = optarg;
		else if (o == 'h')
			code = 0 * fputs(HELP, stdout);
		else
			code = 2;
	}
	if (code < 0 && (optind != argc - 1 || n == 0))
		code = 2;
	if (code == 2)
		fprintf(stderr, "rulesmith explain: error: takes one operator and --traces; try "
				"'rulesmith explain --help'\n");
	if (code < 0)
		code = explain_matching(argv[optind], traces, n);
	free(traces);
	return code;
}
