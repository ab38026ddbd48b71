/* One rule for all call forms of an API (design, "Families in the output").
 *
 * Leaders are tried (attempt.h), and the one with most members wins. Families that differ in how they
 * are called (ceil_mode) then join, where one rule is shorter than both that says what only some call forms ask for "where
 * ceil_mode = True". A call form is a member where its instance of these agrees with all of its records; it takes the instance as its rule. So
 * what one form's records leave open is settled by those of the others, and what fits one form only stands in none.
 */
#ifndef API_UNIFY_H
#define API_UNIFY_H

#include "api_unify_view.h"

/* Whose rule an operator follows. */
typedef struct membership {
	int leader; /* the operator that leads its family, itself perhaps; -1: it has no rule */
	bool same;  /* the instance is the rule that it had */
	int part;   /* the operator whose outputs it has: the leader, or who led the family that joined its family */
	family_view *view; /* of who leads; in the family's memory */
} membership;

/* f->rules are complete, or say why not; those of members of families of several become instances, which are noted as
 * simplified where they are (rule_note). to: one for each of f's operators. */
void family_rules(family *f, membership *to);

#endif
