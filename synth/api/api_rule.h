/* The rule of an API as a tree. The rules of its signatures are instances (docs/reference/api-rules.md).
 *
 *   rules of signatures ── api_rule_fit ──► api_rule ── api_rule_put ──► rules.jsonl ── api_rule_read ──► C, byte code
 *                                              │
 *                                              └─ api_rule_is_instance: the clauses and outputs of a signature
 *
 * A rule has accept cases (clauses) and shape cases (outputs). A signature is in at most one of each. A signature in no case
 * keeps its own rule.
 */
#ifndef API_RULE_H
#define API_RULE_H

#include "diag.h"
#include "fit_clauses.h"
#include "fit_shapes.h"
#include "guard.h"

enum { API_RULE_VERSION = 1, API_CASES = 16 };

/* Which calls a case applies to. If several guards hold, the first case applies. */
typedef struct api_guard {
	enum { FOR_ALL, FOR_GUARDED, FOR_SIGNATURES /* no guard distinguishes them */ } kind;
	guard g; /* FOR_GUARDED */
} api_guard;

typedef struct api_rule {
	api_calls calls; /* the signatures, sorted by name */
	api_clauses accept[API_CASES];
	api_shapes shapes[API_CASES];
	api_guard accept_guards[API_CASES], shape_guards[API_CASES];
	int naccept, nshapes;
} api_rule;

/* Fits the rule of n signatures that follow one rule. Allocates it in `memory`. Expressions of their rules must be in `pool`. */
api_rule *api_rule_fit(arena *memory, arena *scratch, expr_pool *pool, const api_signature *list, int n, const rule_default *defaults,
    int ndefaults);

/* The case of a signature; -1: none. */
int api_rule_accept_case(const api_rule *r, int form);
int api_rule_shape_case(const api_rule *r, int form);

#endif
