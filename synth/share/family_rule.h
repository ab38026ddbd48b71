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

/* Whose rule an operator follows. */
typedef struct membership {
	int leader; /* the operator that leads its family, itself perhaps; -1: it has no rule */
	bool same;  /* the instance is the rule that it had */
} membership;

/* f->rules are complete, or say why not; those of members of families of several become instances, which are noted as
 * simplified where they are (rule_note). to: one for each of f's operators. */
void family_rules(family *f, membership *to);

#endif
