/* Clauses for a family. A few operators' own clauses become forms; a form at every anchor of another operator
 * is one clause `for each position`. Forms are chosen over the pooled records of the family: the next is the
 * one with the greatest (failing records newly rejected, over all operators) × exp(-cost), and one that some
 * operators' passing records refute counts for less. An operator then takes what was chosen and its records
 * agree with, and searches on its own only for failing records that are left.
 */
#ifndef API_CLAUSES_H
#define API_CLAUSES_H

#include "api_solver.h"

/* The clauses of every operator that has its outputs, and the check on all records. Where solvers tolerate that a clause refuses
 * passing records, clauses that do are pooled as well, for a price, and nothing is checked. */
void family_clauses(family *f);

/* The description length of a clause, without its alignment. */
int clause_length(const expr *e);

#endif
