/* From a candidate to a finding: seen again in a fresh worker, made smaller, given a name.
 *
 *   candidate ──► confirm (a worker that has run nothing else) ──► fewer outputs ──► fewer nodes
 *             ──► signature, title, repro script
 */
#ifndef TRIAGE_H
#define TRIAGE_H

#include "oracle.h"

typedef struct triage {
	bool confirmed;
	judgement last;	 /* of the minimised model */
	char *model;	 /* minimised, a JSON line */
	char *signature; /* kind, backend, normalised message or differing API, APIs of the model */
	char *title;
	char *apis;   /* "a + b", sorted, each once */
	char *script; /* NULL: none */
	int64_t nodes;
	int64_t tried; /* models run on the way */
} triage;

/* fresh: an oracle without a worker, which is closed again. Reduction ends after seconds; each of its
 * steps is checked by the worker, so it may end anywhere. False and d when no worker can be started
 * or memory ran out. t is to be freed in any case. */
bool triage_run(
    oracle *fresh, const char *model, const judgement *first, double seconds, triage *t, diag *d);
void triage_free(triage *t);

/* Whether two judgements are of the same failure. */
bool same_failure(const judgement *a, const judgement *b);

/* What name and title a failure gets; strings to free(). */
char *failure_signature(const judgement *j, const char *apis);
char *failure_title(const judgement *j, const char *backend, const char *apis);
char *model_apis(const char *model); /* sorted, each once, joined by " + " */

/* ---- reductions of a model's JSON line, as new lines to free(); NULL: there is no such model */
char *model_only_output(const char *model, int output);	 /* the output-th output and what it needs */
char *model_without_node(const char *model, int node);	 /* its results become inputs */
int model_count(const char *model, const char *what); /* of "outputs", "nodes" */

#endif
