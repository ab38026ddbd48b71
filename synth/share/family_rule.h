/* One rule for all call forms of an API (design, "Families in the output").
 *
 *   outputs of one call form, the leader     ─► expressions of the others' outputs
 *   clauses of all                           ─► statements (statement.h), each read in every call form
 *   the refused calls of all                 ─► the few statements that explain them and that no accepted call refutes
 *
 * A call form is a member where its instance of these agrees with all of its records; it takes the instance as its rule. So
 * what one form's records leave open is settled by those of the others, and what fits one form only stands in none.
 */
#ifndef FAMILY_RULE_H
#define FAMILY_RULE_H

#include "family.h"
#include "statement.h"

/* What speaks for a clause: the refused calls of the members that it explains, and those that only it does; how many of
 * these have an empty tensor. */
typedef struct refusals {
	long all, alone, empty, empty_alone;
} refusals;

typedef struct family_clause {
	const statement *s; /* NULL: the clause e of the only member, as it stands */
	reading how;
	const expr *e;
	int cost; /* its description length */
	refusals refused;
} family_clause;

/* What the outputs take for an argument that an operator lacks; NULL: here this, there that. */
typedef struct instead_of {
	int op;
	const char *argument, *instead;
} instead_of;

/* A family's rule as it was found, for those who write it down. */
typedef struct family_view {
	const operator **ops; /* the members */
	const expr *const **outs; /* of each: its output dimensions */
	int n, leader;
	family_clause *clauses;
	int nclauses;
	instead_of *insteads; /* by the members' numbers */
	int ninsteads;
} family_view;

/* Whose rule an operator follows. */
typedef struct membership {
	int leader; /* the operator that leads its family, itself perhaps; -1: it has no rule */
	bool same;  /* the instance is the rule that it had */
	const family_view *view; /* of who leads; in the family's memory */
} membership;

/* f->rules are complete, or say why not; those of members of families of several become instances, which are noted as
 * simplified where they are (rule_note). to: one for each of f's operators. */
void family_rules(family *f, membership *to);

#endif
