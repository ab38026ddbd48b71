/* rulesmith holdout: how well rules generalise, by cross-validation inside the records. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "buf.h"
#include "file.h"
#include "smith_commands.h"
#include "pipeline.h"

static const char HELP[] =
    "usage: rulesmith holdout --traces PATH… [OPTION…]\n\n"
    "Cross-validation: for each of N folds, learns from the other records and asks the rules about the\n"
    "fold's. Prints, for each fold and in total, the share of passing records accepted with the right\n"
    "output, of failing ones rejected, and of operators right on all that was held out of them; the last\n"
    "among operators with a rule, and among all, where one without a rule is wrong. Operators of which\n"
    "nothing was held out do not count. Folds are drawn by a hash of the record, so they are the same\n"
    "everywhere.\n\n"
    "  --traces PATH  a file of records or a folder of *.jsonl; may be repeated\n"
    "  --folds N      default 5\n"
    "  --first K      only the first K folds\n"
    "  --only K       only fold K (from 0)\n"
    "  --op GLOB      only operators whose name matches\n"
    "  --wrong        list the operators that were wrong, with a record each\n"
    "  --json FILE    the figures as JSON: of each framework, the total and each fold\n"
    "  -j N           threads\n"
    "  --help\n";

/* SHARE(name, key in JSON, what is printed before the figure) */
#define SHARES(SHARE)                                                                              \
	SHARE(PASSING, "passing", "passing accepted with the right output")                        \
	SHARE(PASSING_ALL, "passing_of_all", "counting operators without a rule")                  \
	SHARE(FAILING, "failing", "failing rejected")                                              \
	SHARE(WITH_RULE, "with_rule", "\n    operators with a rule")                               \
	SHARE(RIGHT, "right", "\n    right on every held-out record: of those with a rule")        \
	SHARE(RIGHT_ALL, "right_of_all", "of all")                                                 \
	SHARE(RIGHT_FAILING, "right_with_failing", "of those with a rule and failing ones")        \
	SHARE(RIGHT_FAILING_ALL, "right_with_failing_of_all", "of all with failing ones")

#define X(name, key, what) name,
enum { SHARES(X) NSHARES };
#undef X

/* RIGHT_… count operators, once for each fold in which something of them is held out. */
typedef struct share {
	long part, whole;
} share;

typedef struct framework {
	char *name;
	share fold[NSHARES], total[NSHARES];
	share right_throughout; /* operators right in every fold that was run */
	buf folds;		/* JSON, one object a fold */
} framework;

/* What became of an operator in the folds so far. */
typedef struct fate {
	int framework;
	bool asked, wrong;
} fate;

typedef struct held {
	int64_t *pass, *fail;
	int npass, nfail;
} held;

typedef struct job {
	const char **traces, *json;
	int ntraces, folds, first, only;
	bool wrong;
	crew_options crew;
	/* results */
	framework *frameworks;
	int nframeworks, nfates, folds_run;
	fate *fates; /* one for each operator of the records */
	double seconds;
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

/* ---- asking the rules */

static void count(share *of, int which, long part, long whole)
{
	of[which].part += part;
	of[which].whole += whole;
}

/* Asks the operator's rule about what was held out; true when it is right on all. */
static bool ask(const operator *op, const solved *s, const held *h, bool list_wrong, share *to)
{
	expr_pool *pool = expr_pool_new();
	const expr *out[s->nodim + 1], *clauses[s->nvalid + 1];
	rule r = {.out = out, .clauses = clauses, .nclauses = s->nvalid};
	const int64_t *wrong_pass = NULL, *wrong_fail = NULL;
	int accepted = 0, rejected = 0;
	for (int d = 0; d < s->nodim; d++)
		out[d] = expr_parse(pool, s->out[d], op->nsym, "", 0, NULL);
	for (int k = 0; k < s->nvalid; k++)
		clauses[k] = expr_parse(pool, s->valid[k], op->nsym, "", 0, NULL);
	for (int k = 0; k < h->npass; k++) {
		const int64_t *row = h->pass + (size_t)k * (op->nsym + op->nodim);
		bool ok = rule_accepts(op, &r, row, row + op->nsym);
		accepted += ok;
		wrong_pass = ok ? wrong_pass : row;
	}
	for (int k = 0; k < h->nfail; k++) {
		const int64_t *row = h->fail + (size_t)k * op->nsym;
		bool ok = !rule_accepts(op, &r, row, NULL);
		rejected += ok;
		wrong_fail = ok ? wrong_fail : row;
	}
	count(to, PASSING, accepted, h->npass);
	count(to, PASSING_ALL, accepted, 0);
	count(to, FAILING, rejected, h->nfail);
	if (list_wrong && wrong_pass)
		print_wrong(op, s, wrong_pass, "passing");
	if (list_wrong && wrong_fail)
		print_wrong(op, s, wrong_fail, "failing");
	expr_pool_free(pool);
	return !wrong_pass && !wrong_fail;
}

static void judge(const operator *op, const solved *s, const held *h, bool list_wrong, share *to, fate *f)
{
	bool has = !s->why, failing = h->nfail > 0;
	if (h->npass + h->nfail == 0)
		return;
	bool right = has && ask(op, s, h, list_wrong, to);
	count(to, PASSING_ALL, 0, h->npass);
	count(to, WITH_RULE, has, 1);
	count(to, RIGHT, right, has);
	count(to, RIGHT_ALL, right, 1);
	count(to, RIGHT_FAILING, right && failing, has && failing);
	count(to, RIGHT_FAILING_ALL, right && failing, failing);
	f->asked = true;
	f->wrong |= !right;
}

/* ---- figures */

static double percent(share s)
{
	return s.whole ? 100.0 * (double)s.part / (double)s.whole : 0;
}

static void add_json(buf *to, const char *key, share s)
{
	buf_printf(to, ",\"%s\":{\"part\":%ld,\"whole\":%ld,\"percent\":%.2f}", key, s.part, s.whole, percent(s));
}

static void add_shares(buf *to, const share *s)
{
#define X(name, key, what) add_json(to, key, s[name]);
	SHARES(X)
#undef X
}

static void print_shares(const share *s)
{
	const char *between = "";
#define X(name, key, what)                                                                         \
	printf("%s" what " %.2f %% (%ld of %ld)", *what == '\n' ? "" : between,                    \
	    percent(s[name]), s[name].part, s[name].whole);                                        \
	between = ", ";
	SHARES(X)
#undef X
	printf("\n");
}

static int framework_index(job *j, const char *name)
{
	for (int i = 0; i < j->nframeworks; i++)
		if (strcmp(j->frameworks[i].name, name) == 0)
			return i;
	j->frameworks = realloc(j->frameworks, sizeof *j->frameworks * (size_t)(j->nframeworks + 1));
	j->frameworks[j->nframeworks] = (framework){.name = strdup(name)};
	return j->nframeworks++;
}

static void close_fold(job *j, int fold)
{
	for (int i = 0; i < j->nframeworks; i++) {
		framework *f = &j->frameworks[i];
		printf("fold %d of %d, %s: ", fold, j->folds, f->name);
		print_shares(f->fold);
		buf_printf(&f->folds, "%s{\"fold\":%d", f->folds.length ? "," : "", fold);
		add_shares(&f->folds, f->fold);
		buf_putc(&f->folds, '}');
		for (int k = 0; k < NSHARES; k++)
			count(f->total, k, f->fold[k].part, f->fold[k].whole);
		memset(f->fold, 0, sizeof f->fold);
	}
	fflush(stdout);
}

static void print_total(job *j)
{
	for (int i = 0; i < j->nfates; i++)
		if (j->fates[i].asked)
			count(&j->frameworks[j->fates[i].framework].right_throughout, 0, !j->fates[i].wrong, 1);
	for (int i = 0; i < j->nframeworks; i++) {
		const framework *f = &j->frameworks[i];
		printf("total, folds run: %d of %d, %s: ", j->folds_run, j->folds, f->name);
		print_shares(f->total);
		printf("    right in every fold: of all %.2f %% (%ld of %ld)\n", percent(f->right_throughout),
		    f->right_throughout.part, f->right_throughout.whole);
	}
}

static bool write_json(const job *j)
{
	buf text = {0};
	diag d;
	buf_printf(&text, "{\"schema\":1,\"folds\":%d,\"folds_run\":%d,\"wall_seconds\":%.2f,\"frameworks\":{", j->folds,
	    j->folds_run, j->seconds);
	for (int i = 0; i < j->nframeworks; i++) {
		const framework *f = &j->frameworks[i];
		buf_puts(&text, i ? "," : "");
		buf_json(&text, f->name);
		buf_printf(&text, ":{\"by_fold\":[%s]", f->folds.text);
		add_shares(&text, f->total);
		add_json(&text, "right_in_every_fold", f->right_throughout);
		buf_putc(&text, '}');
	}
	buf_puts(&text, "}}\n");
	bool ok = !text.failed || diag_set(&d, "out of memory for the figures");
	ok = ok && file_write(j->json, text.text, text.length, &d);
	if (!ok)
		fprintf(stderr, "%s\n", d.text);
	buf_free(&text);
	return ok;
}

/* ---- the folds */

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

static void judge_all(job *j, const records *r, const crew_result *c, const held *out)
{
	if (!j->fates) {
		j->fates = calloc((size_t)r->n + 1, sizeof *j->fates);
		j->nfates = r->n;
	}
	for (int k = 0; k < c->n; k++) {
		int i = c->todo[k];
		fate *f = &j->fates[i];
		f->framework = framework_index(j, r->ops[i].framework);
		judge(&r->ops[i], &c->results[i], &out[i], j->wrong, j->frameworks[f->framework].fold, f);
	}
}

static bool run_fold(job *j, int fold)
{
	records r;
	if (!records_read(&r, j->traces, j->ntraces, report, NULL)) {
		records_free(&r);
		return false;
	}
	held *out = calloc((size_t)r.n + 1, sizeof *out);
	for (int i = 0; i < r.n; i++)
		out[i] = hold_out(&r.ops[i], fold, j->folds);
	fprintf(stderr, "holdout: fold %d of %d: %d operators read\n", fold, j->folds, r.n);
	crew_result c = crew_solve(&r, &j->crew);
	bool ok = c.n > 0;
	if (!ok)
		fprintf(stderr, "error: no operator matches '%s'\n", j->crew.glob ? j->crew.glob : "*");
	judge_all(j, &r, &c, out);
	j->seconds += c.wall;
	for (int i = 0; i < r.n; i++) {
		free(out[i].pass);
		free(out[i].fail);
	}
	free(out);
	crew_free(&c, &r);
	records_free(&r);
	return ok;
}

static int holdout(job *j)
{
	int from = j->only < 0 ? 0 : j->only, to = j->only < 0 ? j->first : j->only + 1;
	for (int fold = from; fold < to; fold++) {
		if (!run_fold(j, fold))
			return 1;
		j->folds_run++;
		close_fold(j, fold);
		fprintf(stderr, "holdout: fold %d of %d: done, %.0f s so far, about %.0f s left\n", fold, j->folds,
		    j->seconds, j->seconds / j->folds_run * (to - fold - 1));
	}
	print_total(j);
	return j->json && !write_json(j) ? 1 : 0;
}

static void job_free(job *j)
{
	for (int i = 0; i < j->nframeworks; i++) {
		free(j->frameworks[i].name);
		buf_free(&j->frameworks[i].folds);
	}
	free(j->frameworks);
	free(j->fates);
	free(j->traces);
}

static int usage(void)
{
	fprintf(stderr, "rulesmith holdout: error: bad option; try 'rulesmith holdout --help'\n");
	return 2;
}

int cmd_holdout(int argc, char **argv)
{
	static const struct option LONG[] = {{"traces", required_argument, 0, 't'},
	    {"folds", required_argument, 0, 'f'}, {"first", required_argument, 0, 'n'},
	    {"only", required_argument, 0, 'k'}, {"json", required_argument, 0, 'o'},
	    {"op", required_argument, 0, 'p'}, {"wrong", no_argument, 0, 'w'}, {"help", no_argument, 0, 'h'}, {0}};
	job j = {.folds = 5, .only = -1, .crew.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
	j.traces = calloc((size_t)argc + 1, sizeof *j.traces);
	int code = -1;
	for (int o; code < 0 && (o = getopt_long(argc, argv, "j:h", LONG, NULL)) != -1;) {
		if (o == 't')
			j.traces[j.ntraces++] = optarg;
		else if (o == 'f')
			j.folds = atoi(optarg);
		else if (o == 'n')
			j.first = atoi(optarg);
		else if (o == 'o')
			j.json = optarg;
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
	j.first = j.first ? j.first : j.folds;
	if (code < 0
	    && (j.ntraces == 0 || j.folds < 2 || j.crew.threads < 1 || j.only >= j.folds || j.first < 1
		|| j.first > j.folds))
		code = usage();
	if (code < 0)
		code = holdout(&j);
	job_free(&j);
	return code;
}
