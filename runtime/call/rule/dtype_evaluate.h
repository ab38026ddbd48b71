/* The dtype rule of an API, evaluated for one call: whether its dtypes are accepted, and those of the outputs.
 *
 *   code ──find──► rule ──evaluate(arguments)──► accepted with dtypes, rejected with a reason, or silent */
#ifndef DTYPE_EVALUATE_H
#define DTYPE_EVALUATE_H

#include "buf.h"
#include "rule_evaluate.h"

typedef struct dtype_code { /* the dtype rule of one API */
	const unsigned char *whole; /* of the framework */
	const char *arguments[RULE_ARGUMENTS]; /* by recorded name; those that may have a dtype come first */
	unsigned nargs, nslots;
	rule_code cases;
} dtype_code;

enum { DTYPES_MOST = 64 };

typedef struct dtype_answer {
	rule_outcome outcome;
	unsigned nout;
	uint8_t out[DTYPES_MOST]; /* rs_dtype */
} dtype_answer;

/* The dtype rule of an API. False: none is known. */
bool dtype_code_find(const rs_api_rules *rules, const char *api, dtype_code *out);

/* Evaluates a rule for a call, whose arguments are in the order of code->arguments. others: the call has tensors in further
 * arguments, which the rule does not cover. why gets the reason if the call is rejected. */
void dtype_evaluate(const dtype_code *code, const rule_call *call, bool others, dtype_answer *out, buf *why);

#endif
