/* A side of a difference: who is asked about calls.
 *
 *   a file of rules (rules.jsonl)   the rule answers, by evaluation
 *   a folder, a Python              a virtual environment: the framework in it answers (traces/collect/upgrade)
 *   anything else                   a command that answers JSON lines as that does
 *
 * A live side remembers its answers in a file, by its versions and the call, so that a run that was stopped goes on.
 */
#ifndef SIDE_H
#define SIDE_H

#include "reply.h"
#include "rules_side.h"

typedef struct side side;

typedef struct side_options {
	const char *what;      /* a path or a command, as above */
	const char *framework; /* of a Python */
	const char *cache;     /* a folder; NULL: nothing is remembered */
} side_options;

/* NULL and d: no such thing, bad rules, or the framework does not start (then *missing). */
side *side_open(const side_options *o, bool *missing, diag *d);
void side_free(side *s);

const char *side_label(const side *s);	  /* "torch 2.13.0" or the file's name */
bool side_is_live(const side *s);
const rules_side *side_rules(const side *s); /* NULL: it is live */
const char *side_versions(const side *s); /* JSON, "{}" of rules */

typedef struct asked_call {
	const operator *op;
	const int64_t *in; /* nsym */
} asked_call;

/* Answers n calls in order, texts in memory. `fresh`: each by a process that was asked nothing before, and nothing is
 * taken from what is remembered. False and d when a live side does not stay alive. */
bool side_ask(side *s, const asked_call *calls, int n, bool fresh, reply *to, arena *memory, diag *d);
/* Ends a live side's process; the next question starts it anew. */
void side_restart(side *s);

/* Lines as they are, of a live side: answers as trees for the caller to delete, NULL where it was lost. */
bool side_lines(side *s, const char *const *lines, int n, cJSON **to, diag *d);

#endif
