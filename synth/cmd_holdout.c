/* rulesmith holdout: how well rules generalise, by cross-validation inside the records. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "commands.h"
#include "crew.h"

static const char HELP[] =
    "usage: rulesmith holdout --traces PATH… [--folds N] [-j N] [--wrong]\n\n"
    "Cross-validation: for each of N folds, learns from the other records and asks the rules about the\n"
    "fold's. Prints the share of passing records accepted with the right output, of failing ones\n"
    "rejected, and of operators right on all that was held out. Folds are drawn by a hash of the record,\n"
    "so they are the same everywhere.\n\n"
    "  --traces PATH  a file of records or a folder of *.jsonl; may be repeated\n"
    "  --folds N      default 5\n"
    "  --only K       only fold K (from 0)\n"
    "  --op GLOB      only operators whose name matches\n"
    "  --wrong        list the operators that were wrong, with a record each\n"
    "  -j N           threads\n"
    "  --help\n";

typedef struct held {
	int64_t *pass, *fail;
	int npass, nfail;
} held;

typedef struct tally {
	long passing, passing_right, failing, failing_right;
	int operators, with_rule, right, failing_operators, failing_operators_right;
} tally;

typedef struct job {
	const char **traces;
	int ntraces, folds, only;
	bool wrong;
	crew_options crew;
} job;

static bool in_fold(const int64_t *row, int n, int fold, int folds)
{
	return XXH3_64bits(row, sizeof *row * (size_t)n) % (uint64_t)folds == (uint64_t)fold;
}

/* Moves the fold's records out of the operator: what stays comes first. */
static held hold_out(operator *op, int fold, int folds)
{
	int width = op->nsym + op->nodim;
	held h = {malloc(sizeof *h.pass * (size_t)(op->npass * width + 1)),
	    malloc(sizeof *h.fail * (size_t)(op->nfail * op->nsym + 1)), 0, 0};
	int kept = 0;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = op->pass + (size_t)k * width;
		int64_t *to = in_fold(row, op->nsym, fold, folds) ? h.pass + (size_t)h.npass++ * width
								     : op->pass + (size_t)kept++ * width;
		memmove(to, row, sizeof *row * (size_t)width);
	}
	op->npass = kept;
	kept = 0;
	for (int k = 0; k < op->nfail; k++) {
		const int64_t *row = op->fail + (size_t)k * op->nsym;
		int64_t *to = in_fold(row, op->nsym, fold, folds) ? h.fail + (size_t)h.nfail++ * op->nsym
								     : op->fail + (size_t)kept++ * op->nsym;
		memmove(to, row, sizeof *row * (size_t)op->nsym);
	}
	op->nfail = kept;
	return h;
}

static void print_wrong(const operator *op, const solved *s, const int64_t *row, const char *what)
{
	printf("%s\t%s", op->name, what);
	for (int i = 0; i < op->nsym; i++)
		printf("%s%lld", i ? "," : "\t[", (long long)row[i]);
	printf("]\t");
	for (int d = 0; d < s->nodim && d < 8; d++)
		printf("%s; ", s->out[d]);
	printf("|");
	for (int k = 0; k < s->nvalid; k++)
		printf(" %s;", s->valid[k]);
	printf("\n");
}

static void ask(const operator *op, const solved *s, const held *h, const job *j, tally *t)
{
	expr_pool *pool = expr_pool_new();
	const expr *out[s->nodim + 1], *clauses[s->nvalid + 1];
	rule r = {.out = out, .clauses = clauses, .nclauses = s->nvalid};
	const int64_t *wrong_pass = NULL, *wrong_fail = NULL;
	for (int d = 0; d < s->nodim; d++)
		out[d] = expr_parse(pool, s->out[d], op->nsym, "", 0, NULL);
	for (int k = 0; k < s->nvalid; k++)
		clauses[k] = expr_parse(pool, s->valid[k], op->nsym, "", 0, NULL);
	for (int k = 0; k < h->npass; k++) {
		const int64_t *row = h->pass + (size_t)k * (op->nsym + op->nodim);
		bool ok = rule_accepts(op, &r, row, row + op->nsym);
		t->passing_right += ok;
		wrong_pass = ok ? wrong_pass : row;
	}
	for (int k = 0; k < h->nfail; k++) {
		const int64_t *row = h->fail + (size_t)k * op->nsym;
		bool ok = !rule_accepts(op, &r, row, NULL);
		t->failing_right += ok;
		wrong_fail = ok ? wrong_fail : row;
	}
	t->with_rule++;
	t->passing += h->npass;
	t->failing += h->nfail;
	t->right += !wrong_pass && !wrong_fail;
	t->failing_operators += h->nfail > 0;
	t->failing_operators_right += h->nfail > 0 && !wrong_pass && !wrong_fail;
	if (j->wrong && wrong_pass)
		print_wrong(op, s, wrong_pass, "passing");
	if (j->wrong && wrong_fail)
		print_wrong(op, s, wrong_fail, "failing");
	expr_pool_free(pool);
}

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

static bool run_fold(const job *j, int fold, tally *t)
{
	records r;
	if (!records_read(&r, j->traces, j->ntraces, report, NULL)) {
		records_free(&r);
		return false;
	}
	held *out = calloc((size_t)r.n + 1, sizeof *out);
	for (int i = 0; i < r.n; i++)
		out[i] = hold_out(&r.ops[i], fold, j->folds);
	crew_result c = crew_solve(&r, &j->crew);
	for (int k = 0; k < c.n; k++) {
		int i = c.todo[k];
		t->operators++;
		if (!c.results[i].why)
			ask(&r.ops[i], &c.results[i], &out[i], j, t);
	}
	for (int i = 0; i < r.n; i++) {
		free(out[i].pass);
		free(out[i].fail);
	}
	free(out);
	crew_free(&c, &r);
	records_free(&r);
	return true;
}

static double percent(long part, long whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static int holdout(const job *j)
{
	tally t = {0};
	for (int fold = 0; fold < j->folds; fold++)
		if ((j->only < 0 || j->only == fold) && !run_fold(j, fold, &t))
			return 1;
	printf("held-out records, %d folds: passing accepted with the right output %.2f %% (%ld of %ld), "
	       "failing rejected %.2f %% (%ld of %ld)\n"
	       "operators with a rule %.2f %% (%d of %d); right on every held-out record %.2f %%; "
	       "those with failing ones %.2f %%\n",
	    j->folds, percent(t.passing_right, t.passing), t.passing_right, t.passing,
	    percent(t.failing_right, t.failing), t.failing_right, t.failing, percent(t.with_rule, t.operators),
	    t.with_rule, t.operators, percent(t.right, t.with_rule),
	    percent(t.failing_operators_right, t.failing_operators));
	return 0;
}

static int usage(void)
{
	fprintf(stderr, "rulesmith holdout: error: bad option; try 'rulesmith holdout --help'\n");
	return 2;
}

int cmd_holdout(int argc, char **argv)
{
	static const struct option LONG[] = {{"traces", required_argument, 0, 't'},
	    {"folds", required_argument, 0, 'f'}, {"only", required_argument, 0, 'k'},
	    {"op", required_argument, 0, 'p'}, {"wrong", no_argument, 0, 'w'}, {"help", no_argument, 0, 'h'}, {0}};
	job j = {.folds = 5, .only = -1, .crew.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
	j.traces = calloc((size_t)argc + 1, sizeof *j.traces);
	int code = -1;
	for (int o; code < 0 && (o = getopt_long(argc, argv, "j:h", LONG, NULL)) != -1;) {
		if (o == 't')
			j.traces[j.ntraces++] = optarg;
		else if (o == 'f')
			j.folds = atoi(optarg);
		else if (o == 'k')
			j.only = atoi(optarg);
		else if (o == 'p')
			j.crew.glob = optarg;
		else if (o == 'w')
			j.wrong = true;
		else if (o == 'j')
			j.crew.threads = atoi(optarg);
		else if (o == 'h')
			code = 0 * fputs(HELP, stdout);
		else
			code = usage();
	}
	if (code < 0 && (j.ntraces == 0 || j.folds < 2 || j.crew.threads < 1 || j.only >= j.folds))
		code = usage();
	if (code < 0)
		code = holdout(&j);
	free(j.traces);
	return code;
}
