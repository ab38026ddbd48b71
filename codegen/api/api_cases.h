/* The cases of an API: which clauses and which output dimensions its signatures have, over all rules of the API.
 *
 *   case 0   padding is omitted     stride > 0, out[i] > 0               out[i] = window(…)
 *   case 1   padding = 'same'       stride > 0, stride == 1              out[i] = input[i]
 *
 * Each clause stands once, with the cases that it is of. Equal names are one pointer, in all rules. A signature that is no
 * instance of its rule is a case of its own (own_case.h).
 */
#ifndef API_CASES_H
#define API_CASES_H

#include "api_rule.h"

enum { MAX_CASES = 64 };

/* Clauses and outputs with their guards; NULL: no signature of the case needs them. */
typedef struct api_case {
	const api_clauses *accept;
	const api_shapes *shape;
	const api_guard *accept_guard, *shape_guard;
} api_case;

typedef struct case_clause {
	api_clause c;
	uint64_t of; /* cases, as bits */
	bool has_outputs;
} case_clause;

/* A line of an output's shape: the shape as a whole, or a dimension. */
typedef struct case_output {
	unsigned tensor;
	bool is_whole;
	whole_shape whole;
	shape_line line;
	uint64_t of;
} case_output;

/* A signature and its cases; -1: it has a function of its own. */
typedef struct case_signature {
	const api_rule *rule;
	const api_call *call;
	int accept, shape;
} case_signature;

typedef struct api_cases {
	arena *memory;
	expr_pool *pool;
	api_case list[MAX_CASES];
	int n;
	case_signature *signatures;
	int nsignatures;
	case_clause *clauses; /* the short ones first */
	int nclauses;
	case_output *outputs;
	int noutputs;
	unsigned ntensors; /* the most */
	uint64_t accept, shape, calls_shape; /* the cases that have clauses, output dimensions, clauses that refer to these */
	const char **names; /* of arguments, each once */
	int nnames;
} api_cases;

/* NULL: there is no rule. */
api_cases *api_cases_of(arena *memory, const api_rule *const *rules, int n);

/* The one pointer of an argument's name. */
list_name api_cases_name(api_cases *c, list_name name);

#endif
