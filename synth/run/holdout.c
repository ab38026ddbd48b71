#include "holdout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "need.h"

/* The result of a signature in the folds so far. */
struct holdout_fate {
	int framework;
	bool tested, wrong;
};

typedef struct held {
	int64_t *pass, *fail;
	int npass, nfail;
} held;

/* ---- held-out records */

static bool in_fold(const int64_t *row, int n, int fold, int folds)
{
	return XXH3_64bits(row, sizeof *row * (size_t)n) % (uint64_t)folds == (uint64_t)fold;
}

/* Moves the fold's records out of the signature. The others move to the front. */
static held hold_out(operator *op, int fold, int folds)
{
	int width = op->nsym + op->nodim;
	size_t passing = sizeof(int64_t) * ((size_t)op->npass * width + 1), failing = sizeof(int64_t) * ((size_t)op->nfail * op->nsym + 1);
	held h = {need(malloc(passing), passing), need(malloc(failing), failing), 0, 0};
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

/* ---- checking rules */

static void count(holdout_rate *of, int which, long part, long whole)
{
	of[which].part += part;
	of[which].whole += whole;
}

/* Checks the rule on the held-out records; true if it is right on all of them. */
static bool ask(const holdout *h, const operator *op, const rule *r, const held *out, holdout_rate *to)
{
	const int64_t *wrong_pass = NULL, *wrong_fail = NULL;
	int accepted = 0, rejected = 0;
	for (int k = 0; k < out->npass; k++) {
		const int64_t *row = out->pass + (size_t)k * (op->nsym + op->nodim);
		bool ok = rule_accepts(op, r, row, row + op->nsym);
		accepted += ok;
		wrong_pass = ok ? wrong_pass : row;
	}
	for (int k = 0; k < out->nfail; k++) {
		const int64_t *row = out->fail + (size_t)k * op->nsym;
		bool ok = !rule_accepts(op, r, row, NULL);
		rejected += ok;
		wrong_fail = ok ? wrong_fail : row;
	}
	count(to, HOLDOUT_PASSING, accepted, out->npass);
	count(to, HOLDOUT_PASSING_ALL, accepted, 0);
	count(to, HOLDOUT_FAILING, rejected, out->nfail);
	if (h->wrong && wrong_pass)
		h->wrong(op, r, wrong_pass, "passing");
	if (h->wrong && wrong_fail)
		h->wrong(op, r, wrong_fail, "failing");
	return !wrong_pass && !wrong_fail;
}

static void judge(const holdout *h, const operator *op, const rule *r, const held *out, holdout_rate *to,
    struct holdout_fate *f)
{
	bool has = !r->why, failing = out->nfail > 0;
	if (out->npass + out->nfail == 0)
		return;
	bool right = has && ask(h, op, r, out, to);
	count(to, HOLDOUT_PASSING_ALL, 0, out->npass);
	count(to, HOLDOUT_WITH_RULE, has, 1);
	count(to, HOLDOUT_RIGHT, right, has);
	count(to, HOLDOUT_RIGHT_ALL, right, 1);
	count(to, HOLDOUT_RIGHT_FAILING, right && failing, has && failing);
	count(to, HOLDOUT_RIGHT_FAILING_ALL, right && failing, failing);
	f->tested = true;
	f->wrong |= !right;
}

/* ---- figures */

static int framework_index(holdout *h, const char *name)
{
	for (int i = 0; i < h->nframeworks; i++)
		if (strcmp(h->frameworks[i].name, name) == 0)
			return i;
	size_t bytes = sizeof *h->frameworks * ((size_t)h->nframeworks + 1);
	h->frameworks = need(realloc(h->frameworks, bytes), bytes);
	h->frameworks[h->nframeworks] = (holdout_framework){.name = need(strdup(name), strlen(name))};
	return h->nframeworks++;
}

static void judge_all(holdout *h, const records *r, const pipeline_result *p, const held *out)
{
	if (!h->fates) {
		h->fates = need(calloc((size_t)r->n + 1, sizeof *h->fates), (size_t)r->n * sizeof *h->fates);
		h->nfates = r->n;
	}
	for (int i = 0; i < h->nframeworks; i++)
		memset(h->frameworks[i].fold, 0, sizeof h->frameworks[i].fold);
	for (int k = 0; k < p->n; k++) {
		int i = p->list[k];
		struct holdout_fate *f = &h->fates[i];
		f->framework = framework_index(h, r->ops[i].framework);
		judge(h, &r->ops[i], &p->rules[i], &out[i], h->frameworks[f->framework].fold, f);
	}
}

static void add_up(holdout *h)
{
	for (int i = 0; i < h->nframeworks; i++) {
		holdout_framework *f = &h->frameworks[i];
		f->always_right = (holdout_rate){0};
		for (int k = 0; k < HOLDOUT_NRATES; k++)
			count(f->total, k, f->fold[k].part, f->fold[k].whole);
	}
	for (int i = 0; i < h->nfates; i++)
		if (h->fates[i].tested)
			count(&h->frameworks[h->fates[i].framework].always_right, 0, !h->fates[i].wrong, 1);
}

/* ---- a fold */

bool holdout_fold(holdout *h, int fold, records_report *report, diag *d)
{
	records r;
	if (!records_read(&r, h->traces, h->ntraces, report, NULL)) {
		records_free(&r);
		return diag_set(d, "no fold was run");
	}
	held *out = need(calloc((size_t)r.n + 1, sizeof *out), (size_t)r.n * sizeof *out);
	for (int i = 0; i < r.n; i++)
		out[i] = hold_out(&r.ops[i], fold, h->folds);
	fprintf(stderr, "holdout: fold %d of %d: %d signatures read\n", fold, h->folds, r.n);
	pipeline_result p = pipeline_run(&r, &h->pipeline);
	bool ok = p.n > 0 || diag_set(d, "no signature matches '%s'", h->pipeline.glob ? h->pipeline.glob : "*");
	judge_all(h, &r, &p, out);
	add_up(h);
	h->folds_run++;
	h->seconds += p.wall;
	for (int i = 0; i < r.n; i++) {
		free(out[i].pass);
		free(out[i].fail);
	}
	free(out);
	pipeline_free(&p);
	records_free(&r);
	return ok;
}

void holdout_free(holdout *h)
{
	for (int i = 0; i < h->nframeworks; i++)
		free(h->frameworks[i].name);
	free(h->frameworks);
	free(h->fates);
}
