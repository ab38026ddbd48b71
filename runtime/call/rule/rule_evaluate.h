/* The rule of a whole API, evaluated for one call: any rank, any axis, an integer for a list.
 *
 *   rules ──find──► code of an API ──next──► rule ──evaluate(arguments)──► accepted with shapes, rejected, or silent
 *
 * The code is compiled in and trusted; docs/reference/file-formats.md has its format. */
#ifndef RULE_EVALUATE_H
#define RULE_EVALUATE_H

#include "apirules.h"
#include "call_value.h"
#include "rule_code.h"

typedef struct api_rules { /* the rules of one API */
	const char *arguments[RULE_ARGUMENTS]; /* by recorded name */
	unsigned nargs;
	unsigned nrules;
	const unsigned char *code; /* of the rules */
	arena *memory; /* scratch */
} api_rules;

typedef enum rule_outcome {
	RULE_ACCEPTS,
	RULE_REJECTS,
	RULE_SILENT /* the rule does not cover the call */
} rule_outcome;

typedef struct rule_result {
	rule_outcome outcome;
	unsigned nout, ranks[RULE_OUTPUTS];
	int64_t dims[RULE_OUTPUTS * RULE_RANK]; /* of all outputs, in order */
	const unsigned char *violated;		/* RULE_REJECTS: the clause, for api_rule_explain; NULL: an output has no size */
	int64_t index;				/* its i */
} rule_result;

/* The rules of an API. memory: for scratch while the rules are used. False: it has none. */
bool api_rule_find(const rs_api_rules *rules, const char *api, arena *memory, api_rules *out);

/* A call as the rules of an API see it, by argument. NULL: omitted or None. */
typedef struct rule_call {
	const call_value *arguments[RULE_ARGUMENTS];
	const call_value *fallbacks[RULE_ARGUMENTS]; /* the framework's default for an omitted argument; NULL: none */
} rule_call;

typedef struct rule_case { /* one case of a rule: clauses and outputs */
	unsigned rule, accept, shapes;
} rule_case;

/* The cases that a call may follow: those whose guards hold, up to the first one of each rule that certainly holds. Guards that
 * only name recorded signatures may hold for any call. At most `most`; returns how many. */
unsigned api_rule_cases(const api_rules *api, const rule_call *call, rule_case *out, unsigned most);

/* Whether a recorded signature follows a case. row: its index in rs_table.ops. */
bool api_rule_may(const api_rules *api, const rule_call *call, rule_case which, int64_t row);

/* Whether a rule has a default for an omitted argument. */
bool api_rule_has_default(const api_rules *api, unsigned rule, unsigned argument);

typedef struct rule_mention { /* how a case refers to an argument's dimensions or items */
	bool mentioned;
	bool fixed; /* at fixed positions: it may not hold for another rank or length */
} rule_mention;

/* How the clauses and the outputs of a case refer to an argument. argument RULE_ARGUMENTS: to any. */
void api_rule_mentions(const api_rules *api, rule_case which, unsigned argument, rule_mention *clauses, rule_mention *shapes);

/* Whether a guard of a case may depend on an argument. */
bool api_rule_guards(const api_rules *api, unsigned argument);

/* Whether an output of any case, or its guard, names an argument. Without `outputs`: whether a clause does. */
bool api_rule_names(const api_rules *api, unsigned argument, bool outputs);

/* Whether the violated clause is the same for any rank. */
bool api_rule_is_free_clause(const rule_result *result);

/* Whether two results have the same outcome and outputs. */
bool rule_results_equal(const rule_result *a, const rule_result *b);

/* Evaluates a case for a call. */
void api_rule_evaluate(const api_rules *api, const rule_call *call, rule_case which, rule_result *out);

#endif
