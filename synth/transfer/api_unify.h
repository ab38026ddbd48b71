/* One rule for all signatures of an API. Each of a few candidate representatives is tried (attempt.h), and the one with most
 * instances wins. Rules that differ in how they are called (ceil_mode) are joined if the joint rule is shorter than both. A guard
 * then restricts what only some signatures require, "where ceil_mode = True".
 *
 * A signature is an instance if its clauses and outputs agree with all of its records. It then takes them as its own rule. So the
 * records of other signatures decide what its own records leave open, and what fits one signature only is dropped. */
#ifndef API_UNIFY_H
#define API_UNIFY_H

#include "attempt.h"

/* Of an API rule, for joining it with others. */
typedef struct api_summary {
	int cost; /* description length of its clauses */
	bool guarded; /* some clause has a guard */
	instead_of *insteads;
	int ninsteads;
} api_summary;

/* The API rule that an operator follows. */
typedef struct api_membership {
	int representative; /* The representative of the API rule, perhaps itself. -1: no rule. */
	bool same;  /* The instance equals the rule that it had. */
	int part;   /* The operator with the same outputs: the representative, or that of a rule that was joined. */
	api_summary *summary; /* Set for representatives. In the API's memory. */
} api_membership;

/* f->rules must be complete or say why not. Rules of instances are replaced by their instance, with notes on simplifications
 * (rule_note). `to` has one entry per operator. */
void api_unify(api_solver *f, api_membership *to);

/* The description length of the API rules that api_unify found. */
typedef struct api_length {
	int rules, cost; /* cost: of clauses, outputs, guards, and of each rule */
	bool conditional; /* there are several rules or a guard */
} api_length;

api_length api_unify_length(api_solver *f, const api_membership *to);

#endif
