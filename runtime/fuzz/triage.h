/* From a candidate to a finding: reproduced, reduced, named, confirmed.
 *
 *   candidate ──► again ──► fewer nodes ──► signature known? ──no──► smaller, as far as it fails alike (reducer.h)
 *                                                   └─yes─► duplicate           ──► signature, title
 *             ──► confirmed in a worker that has run nothing else ──► repro script ──► confirmed by it
 *
 * The first row uses the running worker: duplicates are recognized without the cost of a start. A new failure counts only
 * after the second row.
 */
#ifndef TRIAGE_H
#define TRIAGE_H

#include "graph.h"
#include "verdict.h"

#define TRIAGE_LEAD 10.0 /* seconds of the budget that are free at first */

/* The seconds that triage may have taken when the jobs have taken `now` and a part of the run is over (0: unknown). share: per mille.
 * TRIAGE_LEAD and the share of `now`, but at most the share of what the jobs will have taken at the end, or `least` if that is
 * more. */
double triage_budget(uint32_t share, double now, double part, double least);

typedef struct triage {
	bool again;      /* it failed alike a second time, and all below but script is there */
	judgement last;  /* of the minimised model */
	graph model;     /* minimised: a valid model, numbered */
	arena *ops;	 /* signatures of its calls that reduction made */
	char *text;      /* the same, a JSON line */
	char *signature; /* failure.h */
	char *early;	 /* that of the model when it had fewer nodes, and was not smaller otherwise */
	char *pass;	 /* what of the target does it; NULL: not known */
	bool known;	 /* its early signature is: nothing below but apis, title and nodes is there */
	char *title;
	char *apis;   /* "a + b", sorted, each once */
	char *script; /* after triage_confirm; NULL: none. What it does not show is not confirmed */
	char *short_script; /* the same for a script that reproduced the failure in a fresh process */
	int64_t nodes;
	int64_t tried; /* models run on the way */
	bool cut;      /* no node was left to remove */
	bool reduced;  /* nothing smaller was left to try */
	char targets[96]; /* the one of several that failed, as judge.targets; "": there is one */
} triage;

typedef struct triage_options {
	double seconds; /* for reduction; 0: none */
	const rs_table *table; /* of the models' operators, or NULL */
	/* Sees each smaller model that fails alike, which t->text is; false and d end it. NULL: nobody. */
	bool (*smaller)(void *context, const triage *t, const graph *model, diag *d);
	/* Whether a signature is known: 1, 0, or -1 and d. NULL: none is. */
	int (*known)(void *context, const char *signature, diag *d);
	void *context;
} triage_options;

/* The first row. The model is numbered. Reduction ends after o->seconds; each of its steps is checked,
 * so it may end anywhere. False and d when no worker can be started or memory ran out; t is to be
 * freed in any case. */
bool triage_reduce(judge *by, const graph *model, const judgement *first, const triage_options *o, triage *t, diag *d);
/* The second row: fresh is a judge without a worker, or alone with one that forks, which it keeps. Where the smaller model does not
 * fail there, the one as generated gets its chance. *confirmed tells; false and d as above. */
bool triage_confirm(judge *fresh, const graph *original, const judgement *first, triage *t,
    bool *confirmed, diag *d);
/* Both rows for what needs none, since the target says that it does not support it: it is kept as it
 * came. judgement is moved into t. */
bool triage_as_it_is(judge *by, const graph *model, judgement *j, triage *t, diag *d);
void triage_free(triage *t);

/* Whether two judgements show the same failure. */
bool same_failure(const judgement *a, const judgement *b);

/* A failure's title: its owner, then the worker's title or how the process ended. pass: the pass at fault, or NULL. A string
 * to free(). */
char *failure_title(const judgement *j, const char *backend, const char *apis, const char *pass);
char *model_apis(const graph *model); /* sorted, each once, joined by " + " */

#endif
