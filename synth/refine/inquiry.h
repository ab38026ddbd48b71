/* The questions about one operator: selection of questions and evaluation of answers.
 *
 *   rule ──► rivals (rivals.c) ──► inputs that distinguish them (points.c, then Z3) ──► questions ──► records
 *    └────► clauses ──► inputs that violate one alone (single_violation.c, then Z3); joint moves ─────┘
 *
 * An answer that the rule predicted refutes rivals. Any other answer becomes a record, and the operator is solved again. A
 * rival that Z3 proves equal to the rule on the box is closed. If there is no rule, exploration records calls that pass after
 * a joint move of several symbols, and a limited number that fail.
 */
#ifndef REFINE_H
#define REFINE_H

#include "input_set.h"
#include "points.h"
#include "prove.h"
#include "rivals.h"
#include "single_violation.h"
#include "solve.h"

enum outcome { UNDECIDED, PASSED, FAILED };

typedef struct question {
	int64_t *in;  /* nsym */
	int64_t *out; /* nodim: the answer, if it passed */
	enum outcome outcome;
	uint64_t differs[RIVAL_WORDS]; /* rivals that predict something else */
} question;

typedef struct answer_record {
	int64_t *row; /* nsym values, then nodim if it passed */
	bool passed;
} answer_record;

/* Counters of one operator. killed: rivals refuted; lost: undecided questions. */
typedef struct tally {
	long questions, lost, wrong, killed, proved, open, kept;
} tally;

typedef struct inquiry {
	operator *op, before; /* op has the kept records; `before` is the original */
	arena *memory; /* lifetime of the inquiry */
	box box;
	rivals *rivals;
	uint64_t closed[RIVAL_WORDS]; /* rivals that are refuted, or proved equal on the box */
	question *questions; /* of all rounds; those of this round are the last nquestions */
	int nall, nquestions, budget; /* budget: questions left */
	input_set asked; /* queried or recorded inputs */
	answer_record *kept; /* of all rounds */
	int apart; /* number of outliers: accepted calls that a rule of the inliers rejects */
	int nkept, spared; /* spared: kept although the rule predicted them */
	int unbroken; /* clauses that no draw of the last round violated alone */
	int64_t **recent; /* inputs of the last round whose answers the rule did not predict */
	int nrecent;
	buf last; /* text of the rule of the last round */
	enum inquiry_stage { BY_TRIAL, BY_SOLVER, FINISHED } stage; /* how questions about that rule are searched */
	bool exploring; /* the questions of this round are from inquiry_explore */
	int explored[2]; /* records kept by exploration: failed, passed */
	tally tally;
	buf open; /* open rivals, as a list of JSON strings */
	uint64_t seed;
} inquiry;

void inquiry_start(inquiry *q, operator *op, int budget, uint64_t seed);
void inquiry_free(inquiry *q); /* restores the operator's records */

/* Selects the questions of a round about a rule that agrees with all records. Selects none if the rule did not change since
 * the last round and has been fully queried. Uses Z3 if the last round found nothing wrong, and in the last round. `offered`:
 * as in rivals_collect. The rule must live until inquiry_learn. */
void inquiry_prepare(inquiry *q, const rule *r, expr_pool *pool, arena *scratch, prover *finder, int round, bool last,
    const expr *const *offered, const int *where, int noffered);

/* Selects the questions of a round about an operator without a rule: joint moves of its passing records and parts of them.
 * They give more passing records, and fewer symbols that are equal by chance. */
void inquiry_explore(inquiry *q, arena *scratch, int round);

/* Evaluates the answers: updates the counters and adds the records to keep to the operator. */
void inquiry_learn(inquiry *q);

#endif
