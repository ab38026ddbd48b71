/* rulesmith holdout: how well rules generalize, by cross-validation on the records. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "buf.h"
#include "file.h"
#include "holdout.h"
#include "options.h"
#include "smith_commands.h"
#include "need.h"

static const char HELP[] =
    "usage: rulesmith holdout --traces PATH… [OPTION…]\n\n"
    "Cross-validation: for each of N folds, learns from the other records and tests the rules on the fold. Prints, for\n"
    "each fold and in total, the share of accepted records with the right output, of rejected records that the rule\n"
    "rejects, and of signatures that are right on all their held-out records (among signatures with a rule, and among\n"
    "all). Folds are drawn by a hash of the record, so they are the same everywhere.\n\n"
    "  rulesmith holdout --traces traces/FRAMEWORK --folds 5 --first 1\n\n"
    "  --traces PATH  a file of records or a folder of *.jsonl; repeatable\n"
    "  --folds N      number of folds (default 5)\n"
    "  --first K      only the first K folds\n"
    "  --only K       only fold K (from 0)\n"
    "  --op GLOB      only signatures with a matching name\n"
    "  --wrong        list the signatures that were wrong, with a record each\n"
    "  --json FILE    write the figures as JSON\n"
    "  -j N           threads\n"
    "  --help\n";

typedef struct job {
	const char **traces, *json;
	int first, only;
	bool wrong;
	holdout holdout;
	buf *folds; /* one per framework: JSON, one object per fold */
	int nfolds;
} job;

/* ---- figures */

static double percent(holdout_rate s)
{
	return s.whole ? 100.0 * (double)s.part / (double)s.whole : 0;
}

static void add_json(buf *to, const char *key, holdout_rate s)
{
	buf_printf(to, ",\"%s\":{\"part\":%ld,\"whole\":%ld,\"percent\":%.2f}", key, s.part, s.whole, percent(s));
}

static void add_rates(buf *to, const holdout_rate *s)
{
#define X(name, key, what) add_json(to, key, s[HOLDOUT_##name]);
	HOLDOUT_RATES(X)
#undef X
}

static void print_rates(const holdout_rate *s)
{
	const char *between = "";
#define X(name, key, what)                                                                         \
	printf("%s" what " %.2f %% (%ld of %ld)", *what == '\n' ? "" : between,                    \
	    percent(s[HOLDOUT_##name]), s[HOLDOUT_##name].part, s[HOLDOUT_##name].whole);          \
	between = ", ";
	HOLDOUT_RATES(X)
#undef X
	printf("\n");
}

static void print_wrong(const operator *op, const rule *r, const int64_t *row, const char *kind)
{
	buf b = {0};
	buf_printf(&b, "%s\t%s\t[", op->name, kind);
	for (int i = 0; i < op->nsym; i++)
		buf_printf(&b, "%s%lld", i ? "," : "", (long long)row[i]);
	buf_puts(&b, "]\t");
	rule_print(&b, r);
	puts(b.text);
	buf_free(&b);
}

static void print_fold(job *j, int fold)
{
	const holdout *h = &j->holdout;
	for (; j->nfolds < h->nframeworks; j->nfolds++) {
		j->folds = need(realloc(j->folds, sizeof *j->folds * (size_t)h->nframeworks), (size_t)h->nframeworks * sizeof *j->folds);
		j->folds[j->nfolds] = (buf){0};
	}
	for (int i = 0; i < h->nframeworks; i++) {
		buf *to = &j->folds[i];
		printf("fold %d of %d, %s: ", fold, h->folds, h->frameworks[i].name);
		print_rates(h->frameworks[i].fold);
		buf_printf(to, "%s{\"fold\":%d", to->length ? "," : "", fold);
		add_rates(to, h->frameworks[i].fold);
		buf_putc(to, '}');
	}
	fflush(stdout);
}

static void print_total(const holdout *h)
{
	for (int i = 0; i < h->nframeworks; i++) {
		const holdout_framework *f = &h->frameworks[i];
		printf("total of %d of %d folds, %s: ", h->folds_run, h->folds, f->name);
		print_rates(f->total);
		printf("    signatures right in every fold: all %.2f %% (%ld of %ld)\n", percent(f->always_right),
		    f->always_right.part, f->always_right.whole);
	}
}

static bool write_json(const job *j)
{
	buf text = {0};
	diag d;
	const holdout *h = &j->holdout;
	buf_printf(&text, "{\"schema\":1,\"folds\":%d,\"folds_run\":%d,\"wall_seconds\":%.2f,\"frameworks\":{", h->folds,
	    h->folds_run, h->seconds);
	for (int i = 0; i < h->nframeworks; i++) {
		const holdout_framework *f = &h->frameworks[i];
		buf_puts(&text, i ? "," : "");
		buf_json(&text, f->name);
		buf_printf(&text, ":{\"by_fold\":[%s]", j->folds[i].text);
		add_rates(&text, f->total);
		add_json(&text, "right_in_every_fold", f->always_right);
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

/* ---- the command */

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

static int run(job *j)
{
	holdout *h = &j->holdout;
	diag d;
	int from = j->only < 0 ? 0 : j->only, to = j->only < 0 ? j->first : j->only + 1;
	h->wrong = j->wrong ? print_wrong : NULL;
	for (int fold = from; fold < to; fold++) {
		if (!holdout_fold(h, fold, report, &d)) {
			fprintf(stderr, "%s\n", d.text);
			return 1;
		}
		print_fold(j, fold);
		fprintf(stderr, "holdout: fold %d of %d: done, %.0f s so far, about %.0f s left\n", fold, h->folds,
		    h->seconds, h->seconds / h->folds_run * (to - fold - 1));
	}
	print_total(h);
	return j->json && !write_json(j) ? 1 : 0;
}

static void job_free(job *j)
{
	for (int i = 0; i < j->nfolds; i++)
		buf_free(&j->folds[i]);
	free(j->folds);
	holdout_free(&j->holdout);
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
	job j = {.only = -1, .holdout = {.folds = 5, .pipeline.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)}};
	holdout *h = &j.holdout;
	j.traces = need(calloc((size_t)argc + 1, sizeof *j.traces), (size_t)argc * sizeof *j.traces);
	h->traces = j.traces;
	int code = -1;
	for (int o; code < 0 && (o = option_next("rulesmith holdout", argc, argv, "j:h", LONG)) != -1;) {
		if (o == 't')
			j.traces[h->ntraces++] = optarg;
		else if (o == 'f')
			h->folds = atoi(optarg);
		else if (o == 'n')
			j.first = atoi(optarg);
		else if (o == 'o')
			j.json = optarg;
		else if (o == 'k')
			j.only = atoi(optarg);
		else if (o == 'p')
			h->pipeline.glob = optarg;
		else if (o == 'w')
			j.wrong = true;
		else if (o == 'j')
			h->pipeline.threads = atoi(optarg);
		else if (o == 'h')
			code = 0 * fputs(HELP, stdout);
		else
			code = usage();
	}
	j.first = j.first ? j.first : h->folds;
	if (code < 0
	    && (h->ntraces == 0 || h->folds < 2 || h->pipeline.threads < 1 || j.only >= h->folds || j.first < 1
		|| j.first > h->folds))
		code = usage();
	if (code < 0)
		code = run(&j);
	job_free(&j);
	return code;
}
