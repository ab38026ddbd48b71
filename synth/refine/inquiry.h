/* One operator's questions: which to ask, and what its answers teach (design, synth point 9).
 *
 *   rule ──► rivals (rivals.c) ──► inputs that tell them apart (points.c, then Z3) ──► questions ──► records
 *    └────► clauses ──► inputs that break one alone (single_violation.c, then Z3); joint moves ─────┘
 *
 * An answer that the rule foretold refutes rivals; one that it did not becomes a record, and the operator is solved
 * again. A rival that Z3 shows to agree with the rule on the box is closed. Where no rule was found there is nothing to refute:
 * what passes when several of its numbers move becomes a record, and as much of what does not.
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
	int64_t *out; /* nodim: what was answered, where it passed */
	enum outcome outcome;
	uint64_t differs[RIVAL_WORDS]; /* rivals that say something else */
} question;

typedef struct answer_record {
	int64_t *row; /* nsym, and nodim where it passed */
	bool passed;
} answer_record;

/* Figures of one operator. */
typedef struct tally {
	long questions, lost, wrong, killed, proved, open, kept;
} tally;

typedef struct inquiry {
	operator *op, before; /* with what was kept; as it was */
	arena *memory; /* as long as the inquiry */
	box box;
	rivals *rivals;
	uint64_t closed[RIVAL_WORDS]; /* refuted, or proved to agree on the box */
	question *questions; /* of all rounds; this round's are the last nquestions */
	int nall, nquestions, budget; /* budget: questions left */
	input_set asked; /* or recorded */
	answer_record *kept; /* all rounds */
	int apart; /* passing answers outside of what the rule of a core claims */
	int nkept, spared; /* spared: kept although the rule foretold them */
	int unbroken; /* clauses that no draw of the last round broke alone */
	int64_t **recent; /* inputs whose answers were not foreseen in the last round */
	int nrecent;
	buf last; /* the rule asked about last, as text */
	enum inquiry_stage { BY_TRIAL, BY_SOLVER, FINISHED } stage; /* how questions about that rule are looked for */
	bool exploring; /* this round's questions are of inquiry_explore */
	int explored[2]; /* records of all such rounds: that failed, that passed */
	tally tally;
	buf open; /* what is open, as a list of JSON strings */
	uint64_t seed;
} inquiry;

void inquiry_start(inquiry *q, operator *op, int budget, uint64_t seed);
void inquiry_free(inquiry *q); /* the operator has its own records back */

/* The questions of a round about a rule that agrees with all records: none when the rule is the last round's and had been
 * asked all. Z3 looks for some when trial found nothing wrong, and in the last round. `offered` as in rivals_collect. The
 * rule must live until inquiry_learn. */
void inquiry_prepare(inquiry *q, const rule *r, expr_pool *pool, arena *scratch, prover *finder, int round, bool last,
    const expr *const *offered, const int *where, int noffered);

/* The questions of a round about an operator that has no rule: joint moves of its passing records and parts of them, so that
 * there are more that pass and fewer numbers that are the same by chance. */
void inquiry_explore(inquiry *q, arena *scratch, int round);

/* Takes the answers: figures, and what to keep; the records to keep join the operator's. */
void inquiry_learn(inquiry *q);

#endif
