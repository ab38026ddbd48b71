/* An attempt at one rule for several signatures of an API.
 *
 *   outputs of one signature, the representative   ─► expressions of the others' outputs
 *   clauses of all                                 ─► quantified clauses (quantified_clause.h), instantiated in every signature
 *   rejected calls of all                          ─► the few clauses that explain them and that no accepted call refutes
 */
#ifndef ATTEMPT_H
#define ATTEMPT_H

#include "api_solver.h"
#include "memo.h"
#include "quantified_clause.h"

enum { MAX_CHOSEN = 40 };

/* What the outputs use in place of an argument that an operator lacks; NULL: not the same everywhere. */
typedef struct instead_of {
	int op;
	const char *argument, *instead;
} instead_of;

/* The instance of a clause in one operator. */
typedef struct instance {
	uint64_t *rejects; /* failing records; NULL: none */
	bool there, holds;
	bool *own;  /* the clauses of the operator's own rule that it consists of; NULL: none */
	bool agreed; /* it consists of own clauses only */
} instance;

typedef struct choice {
	instantiation how;
	instance *at; /* one per operator */
} choice;

typedef struct attempt {
	api_solver *f;
	int representative;
	bool alone;	       /* use only the representative's own clauses */
	bool joins;	       /* join two rules: members keep their outputs, none leaves, and clauses may have a guard (guard.h) */
	memo *judged;	       /* cache of solver_clause_holds per signature, shared by all attempts */
	const struct attempt *rival; /* give up when the result cannot beat this attempt; NULL: never */
	bool *in;	       /* the members */
	const expr ***out;     /* per member */
	uint64_t *outputs;     /* clause_instances_outputs, per member */
	const expr ***was;     /* before simplification by constants; NULL: unchanged, or its own */
	quantified_clauses statements;
	choice *choices;
	int nchoices;
	uint64_t **open; /* per member: failing records that nothing rejects yet */
	int chosen[MAX_CHOSEN], nchosen;
	int agreed; /* the first `agreed` chosen clauses are in the rules of all members that they apply to */
	instead_of *insteads; /* arguments that outputs use in place of others */
	int ninsteads;
	rule *rules; /* per member: the result */
	int size;    /* number of members; 0: the representative is not a member */
	int batches; /* output dimensions without a line, because the representative has a lower rank */
} attempt;

/* Makes an attempt of {.f, .representative, .alone, .joins, .judged, .rival} for the signatures in `among`. The attempt is in the
 * API's scratch memory, its rules in the API's memory. An attempt that gives up has size 0. */
void attempt_make(attempt *a, const bool *among);
/* Whether an attempt is better than another: more members, or as many and fewer output dimensions without a line. */
bool attempt_beats(const attempt *a, const attempt *other);

/* Adds clauses for implied equalities (equal_symbols.h) that the records of a member support and no member's records refute. */
void attempt_add_equalities(attempt *a);

/* Whether the lines of n representatives give all output dimensions of signature i, either as they are or after
 * anti-unification (anti_unify.h). Of several dimensions with one template the first counts. *cost: the description length of
 * uncovered dimensions and of the generalizations. */
bool attempt_covers(const attempt *a, const int *representatives, int n, int i, int *cost);
/* The description length of a signature's outputs. Dimensions of one template count once. */
int attempt_outputs_cost(api_solver *f, int i);

/* Records the substitutes that the representative's lines use for arguments that signature i lacks, and the output dimensions
 * of these lines before simplification. */
void attempt_note_shared(attempt *a, int representative, int i);

/* Records what operator i's outputs use in place of an argument. */
void attempt_add_instead(attempt *a, int i, const char *argument, const char *instead);

#endif
