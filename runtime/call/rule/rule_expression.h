/* Expressions of rules: postfix code over 128-bit integers. */
#ifndef RULE_EXPRESSION_H
#define RULE_EXPRESSION_H

#include "rule_lists.h"

typedef enum rule_state {
	RULE_VALUE,
	RULE_UNDEFINED, /* a division by 0, or beyond 128 bits */
	RULE_SKIPPED,	/* an optional item is absent: the clause does not apply */
	RULE_ABSENT	/* another item is absent: the rule does not cover the call */
} rule_state;

typedef struct rule_value {
	rule_state state;
	wide value;
} rule_value;

enum { RULE_STACK = 256 };

/* Evaluates an expression for a position i, and moves *at behind it. */
rule_value rule_express(rule_frame *f, rule_code *at, int64_t i);

/* An operation on two values: its result and when it is undefined. */
rule_value rule_operate(enum rs_api_op op, rule_value a, rule_value b);

/* A reference of code, which *at points behind its RS_API_REF. */
rule_value rule_refer(rule_frame *f, rule_code *at, int64_t i);

#endif
