/* A side of a diff: what answers calls.
 *
 *   a file of rules (rules.jsonl)   its rules are evaluated
 *   a folder, a Python              a virtual environment: the framework in it runs calls (traces/collect/upgrade)
 *   anything else                   a command that answers JSON lines in the same way
 *
 * A live side stores its answers in a file, by versions and call, so a stopped run continues.
 */
#ifndef SIDE_H
#define SIDE_H

#include "reply.h"
#include "rules_side.h"

typedef struct side side;

typedef struct side_options {
	const char *what;      /* a path or a command, as above */
	const char *framework; /* if it is a Python */
	const char *cache;     /* a folder; NULL: answers are not stored */
} side_options;

/* NULL and d: not found, malformed rules, or the framework does not start (then *missing). */
side *side_open(const side_options *o, bool *missing, diag *d);
void side_free(side *s);

const char *side_label(const side *s);	  /* "torch 2.13.0" or the file's name */
bool side_is_live(const side *s);
const rules_side *side_rules(const side *s); /* NULL: it is live */
const char *side_versions(const side *s); /* JSON; "{}" for rules */

typedef struct asked_call {
	const operator *op;
	const int64_t *in; /* values of the symbols */
} asked_call;

/* Answers n calls in order; texts live in the arena. fresh: each in a fresh process, without stored answers. False
 * and d if a live side keeps crashing. */
bool side_ask(side *s, const asked_call *calls, int n, bool fresh, reply *to, arena *memory, diag *d);
/* Ends a live side's process; the next question starts a new one. */
void side_restart(side *s);

/* Sends raw lines to a live side. The caller deletes the answers; NULL: lost. */
bool side_lines(side *s, const char *const *lines, int n, cJSON **to, diag *d);

#endif
