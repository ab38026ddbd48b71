/* Plans the generated files: the APIs of each framework, their files and their functions.
 *
 * Signatures of an API, or of a group of APIs (api_groups.h), share a function if its expressions are the same text. One of
 * these APIs owns it (function_owners.h). A function without a condition or an output is in shared_0.c.
 */
#ifndef PLAN_H
#define PLAN_H

#include "api_functions.h"

enum plan_kind { PLAN_VALID, PLAN_PROPAGATE };

typedef struct plan_function {
	const char *name;     /* torch_valid_01234567 */
	const char *text;     /* one expression per line */
	const char *group;    /* of the APIs that share it (api_groups.h); "": of all APIs */
	const struct plan_row *row; /* the first of its signatures with the fewest symbols */
	enum plan_kind kind;
	char shard;           /* of its shared file; 0: in the file of op's API */
	const struct plan_row *owner; /* its signature that is a line of an API's functions; NULL: it is written out */
	uint64_t hash;
} plan_function;

/* The parts of a function's name: FRAMEWORK_KIND_KEY. */
const char *plan_kind_name(enum plan_kind kind);
const char *plan_function_key(const plan_function *f);

typedef struct plan_row { /* one operator */
	const rule_op *op;
	const char *file; /* of its API */
	const char *group; /* of its API (api_groups.h); NULL: no function with a condition or an output */
	plan_function *valid, *propagate; /* NULL without a rule */
	const char *sample, *back; /* programs; NULL: from records only */
	enum rs_sampler sampler;
	const api_rule *rule; /* of its API, which it follows; NULL: none is known */
} plan_row;

typedef struct plan_api {
	const char *name, *file;
	plan_row *const *rows; /* sorted by name */
	size_t nrows;
	const api_functions *functions; /* NULL: it has no rule */
} plan_api;

typedef struct plan {
	const char *framework, *version;
	plan_row *rows; /* sorted by name */
	size_t nrows;
	plan_function *functions; /* sorted by kind and hash */
	size_t nfunctions;
	plan_api *apis; /* sorted by name */
	size_t napis;
} plan;

/* Makes a plan for each framework, sorted by name, in the rules' memory. The threads derive samplers; their number does not
 * change the plans. False and d: two functions or files would get the same name. */
bool plan_make(const rule_set *rules, int threads, plan **plans, size_t *nplans, diag *d);

#endif
