/* An attempt at one rule for several signatures of an API (design, "Families in the output").
 *
 *   outputs of one signature, the leader     ─► expressions of the others' outputs
 *   clauses of all                           ─► statements (quantified_clause.h), each read in every signature
 *   the refused calls of all                 ─► the few statements that explain them and that no accepted call refutes
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

/* What a reading is in one operator. */
typedef struct instance {
	uint64_t *rejects; /* failing records; NULL: none */
	bool there, holds;
	bool *own;  /* which clauses of the operator's own rule it is; NULL: none */
	bool agreed; /* it is nothing else */
} instance;

typedef struct choice {
	reading how;
	instance *at; /* one for each operator */
} choice;

typedef struct attempt {
	family *f;
	int leader;
	bool alone;	       /* only the leader's own clauses are statements */
	bool joins;	       /* members keep their outputs, none leaves, and statements may be said of some (guard.h) */
	memo *judged;	       /* whether clauses hold, by signature: of all attempts */
	bool *in;	       /* the members */
	const expr ***out;     /* of each member */
	const expr ***was;     /* these before constants made them simpler; NULL: they did not, or it is its own */
	statements statements;
	const statement *read; /* the one that is read now; NULL: none */
	applied_all **applied; /* results for it by alignment, substitute and signature, in `known` */
	arena *known;
	choice *choices;
	int nchoices;
	uint64_t **open; /* of each member: failing records that nothing rejects yet */
	int chosen[MAX_CHOSEN], nchosen;
	int agreed; /* of these, the first, which all members that they speak of say themselves */
	instead_of *insteads; /* of what the outputs ask for */
	int ninsteads;
	rule *rules; /* of each member, at last */
	int size;    /* members; 0: the leader is none */
	int batches; /* output dimensions of signatures that no line says, since the leader has fewer */
} attempt;

/* Makes an attempt of {.f, .leader, .alone, .joins, .judged} for the signatures in `among`. It is in the family's scratch memory, its
 * rules in the family's memory. */
void attempt_make(attempt *a, const bool *among);

/* Adds statements that no refused call asks for, but that the records of some member tie (equal_symbols.h) and no member's refute. */
void attempt_tie(attempt *a);

/* Whether n leaders' lines say all output dimensions of signature i, as they are or as wider ones (anti_unify.h). The first of several with
 * one form counts. *cost: the description length of the dimensions that none says, and of what others are wider by. */
bool attempt_says(const attempt *a, const int *leaders, int n, int i, int *cost);
/* Notes what the leader's lines use in place of arguments that signature i lacks, and the output dimensions of these lines before they
 * were simplified. */
void attempt_share(attempt *a, int leader, int i);

/* Notes what operator i's outputs use in place of an argument. */
void attempt_add_instead(attempt *a, int i, const char *argument, const char *instead);

/* Marks the calls that stand apart from member i (operator.apart) which the k-th chosen statement refuses. */
void attempt_mark_apart(const attempt *a, int k, int i, uint64_t *to);

#endif
