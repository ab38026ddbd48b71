/* Clauses for all signatures of an API. Clauses of a few signatures become templates. The instances of a template at all
 * pivots of another signature form one clause `for each position`. Weighted set cover chooses templates over the pooled
 * records: the next one has the maximum (newly rejected records, over all signatures) × exp(-cost), with a penalty if passing
 * records of some signatures refute it. A signature takes the chosen templates that its records agree with, and searches on
 * its own only for the failing records that are left. */
#ifndef API_CLAUSES_H
#define API_CLAUSES_H

#include "api_solver.h"

/* Finds the clauses of every operator that has its outputs, and checks them on all records. If a solver tolerates refuting
 * records, clauses that refute a few passing records are pooled too, at a cost, and nothing is checked. */
void api_clauses_find(api_solver *f);

/* The description length of a clause, without its alignment. */
int api_clauses_length(const expr *e);

#endif
