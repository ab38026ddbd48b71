/* From a candidate to a finding: seen again, made smaller, given a name, confirmed.
 *
 *   candidate ──► again ──► the first node that is enough ──► fewer nodes ──► signature, title
 *             ──► confirmed in a worker that has run nothing else ──► repro script
 *
 * The first row uses the worker at hand: whether a signature is known is found out without the
 * seconds that a start costs. What is new counts only after the second.
 */
#ifndef TRIAGE_H
#define TRIAGE_H

#include "verdict.h"

typedef struct triage {
	bool again;      /* it failed alike a second time, and all below but script is there */
	judgement last;  /* of the minimised model */
	char *model;     /* minimised, a JSON line */
	char *signature; /* kind, backend, normalised message or differing API, APIs of the model */
	char *title;
	char *apis;   /* "a + b", sorted, each once */
	char *script; /* after triage_confirm; NULL: none */
	int64_t nodes;
	int64_t tried; /* models run on the way */
} triage;

/* The first row. Reduction ends after seconds; each of its steps is checked, so it may end
 * anywhere. False and d when no worker can be started or memory ran out; t is to be freed in any
 * case. */
bool triage_reduce(
    oracle *o, const char *model, const judgement *first, double seconds, triage *t, diag *d);
/* The second row: fresh is an oracle without a worker. Where the smaller model does not fail there,
 * the one as generated gets its chance. *confirmed tells; false and d as above. */
bool triage_confirm(oracle *fresh, const char *original, const judgement *first, triage *t,
    bool *confirmed, diag *d);
void triage_free(triage *t);

/* Whether two judgements are of the same failure. */
bool same_failure(const judgement *a, const judgement *b);

/* What name and title a failure gets; strings to free(). */
char *failure_signature(const judgement *j, const char *apis);
char *failure_title(const judgement *j, const char *backend, const char *apis);
char *model_apis(const char *model); /* sorted, each once, joined by " + " */

/* ---- reductions of a model's JSON line, as new lines to free(); NULL: there is no such model */
char *model_up_to_node(
    const char *model, int node); /* its results are the outputs; what they need */
char *model_without_node(const char *model, int node); /* its results become inputs */
int model_count(const char *model, const char *what);  /* of "outputs", "nodes" */

#endif
