/* Turns a candidate into a finding: reproduces, reduces, names and confirms it.
 *
 *   candidate ──► again ──► fewer nodes ──► signature known? ──no──► reduced while it fails the same way (reducer.h)
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

#define TRIAGE_LEAD 10.0 /* seconds that are free at the start */

/* The seconds of triage that are allowed after the jobs have taken `now` seconds, when `part` of the run is over (0: unknown).
 * They are TRIAGE_LEAD plus the share (per mille) of `now`, but at most the share of the jobs' total time at the end of the run,
 * or `least` if that is more. */
double triage_budget(uint32_t share, double now, double part, double least);

typedef struct triage {
	bool again;      /* it failed the same way again; all fields below except script are set */
	judgement last;  /* of the minimised model */
	graph model;     /* minimised: a valid model, numbered */
	arena *ops;	 /* signatures of its calls that reduction made */
	char *text;      /* the same, a JSON line */
	char *signature; /* failure.h */
	char *early;	 /* the signature after removing nodes, before all other reductions */
	char *pass;	 /* the pass of the target at fault; NULL: unknown */
	bool known;	 /* its early signature is known; only apis, title and nodes are set below */
	char *title;
	char *apis;   /* "a + b", sorted, each once */
	char *script; /* after triage_confirm; NULL: none. A failure that it does not show is not confirmed */
	char *short_script; /* the same for a script that reproduced the failure in a fresh process */
	int64_t nodes;
	int64_t tried; /* models that were run */
	bool cut;      /* no further node could be removed */
	bool reduced;  /* no smaller model was left to try */
	char targets[96]; /* the target that failed, as in judge.targets; "": there is only one */
} triage;

typedef struct triage_options {
	double seconds; /* for reduction; 0: none */
	const rs_table *table; /* of the models' operators, or NULL */
	/* Called with each smaller model that fails the same way, in t->text; false and d end the reduction. May be NULL. */
	bool (*smaller)(void *context, const triage *t, const graph *model, diag *d);
	/* Whether a signature is known: 1, 0, or -1 and d. NULL: no signature is. */
	int (*known)(void *context, const char *signature, diag *d);
	void *context;
} triage_options;

/* The first row. The model is numbered. Reduction ends after o->seconds; each of its steps is checked, so it may end anywhere.
 * False and d if no worker can be started or memory ran out. Free t in any case. */
bool triage_reduce(judge *by, const graph *model, const judgement *first, const triage_options *o, triage *t, diag *d);
/* The second row. fresh: a judge without a worker, or one with `alone` and a forking worker, which it keeps. If the smaller model
 * does not fail there, the model as generated is tried. *confirmed: the result; false and d as above. */
bool triage_confirm(judge *fresh, const graph *original, const judgement *first, triage *t,
    bool *confirmed, diag *d);
/* In place of both rows for an unsupported model, which is stored as generated. The judgement is moved into t. */
bool triage_as_it_is(judge *by, const graph *model, judgement *j, triage *t, diag *d);
void triage_free(triage *t);

/* Whether two judgements show the same failure. */
bool same_failure(const judgement *a, const judgement *b);

/* A failure's title: its owner, then the worker's title or how the process ended. pass: the pass at fault, or NULL. A string
 * to free(). */
char *failure_title(const judgement *j, const char *backend, const char *apis, const char *pass);
char *model_apis(const graph *model); /* sorted, each once, joined by " + " */

#endif
