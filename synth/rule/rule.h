/* Rules as values: the calls that an operator accepts, and the dimensions that it returns.
 *
 *   torch.narrow(input: s0 × s1, dim=1, start=s2, length=s3)    out      s0, s3
 *                                                                clauses  s3 >= 0, s2 + s3 <= s1
 *
 * A call of symbols x is accepted if three conditions hold:
 *
 *   - no dimension of an input is negative,
 *   - every clause holds; a clause without a value does not (docs/reference/file-formats.md, "Expressions"),
 *   - every output has a value in 0 … 2^63 - 1.
 *
 * The first and the last hold for every rule and are written in none.
 */
#ifndef RULE_H
#define RULE_H

#include "expr.h"
#include "record.h"

/* What Z3 says of a rule's simplifications; of several the weakest counts, which is the last. */
enum proof {
	PROOF_NONE,    /* nothing was simplified: the rule stands as it was found */
	PROOF_PROVED,  /* each changed nothing, for all integers */
	PROOF_CHECKED, /* each did not on the records and in a box, and not each was proved */
	PROOF_UNKNOWN, /* of some nothing is known */
};

/* An expression or a clause of a rule, and what was simplified to it; to mean the same. */
typedef struct simplified {
	const expr *now, *was;
} simplified;

typedef struct rule {
	const expr **out; /* nodim; an entry is NULL where no expression was found; NULL: there is none at all */
	const expr **clauses;
	int nodim, nclauses;
	const char *why;   /* NULL: the rule is complete and agrees with every record; otherwise what is missing */
	const char *layer; /* what found the outputs (docs/reference/file-formats.md) */
	bool thin;	   /* few records, or clauses that look fitted to them */
	const char *family; /* the operator of the API whose rule it is, this one's too; NULL: not known */
	const char *page;   /* of who leads a family: its rule in words (docs/reference/file-formats.md), as JSON; else NULL */
	enum proof proof;
	simplified *notes; /* simplifications that are still to be proved (equivalence.h); stale ones may be among them */
	int nnotes, room;
	uint32_t passed, failed; /* records that it agrees with */
} rule;

/* ---- what a rule says of a call; x are the symbols */

bool rule_clauses_hold(const rule *r, const int64_t *x);
/* The output dimensions; false where one has no value or is negative. */
bool rule_propagate(const rule *r, const int64_t *x, int64_t *out);
/* Whether it accepts x and gives these output dimensions (want NULL: any). */
bool rule_accepts(const operator *op, const rule *r, const int64_t *x, const int64_t *want);

/* The same in more detail, for who changes one thing in a rule. */
typedef struct rule_view {
	int failing; /* clauses that do not hold: 0, 1, 2 (or more; or a dimension is negative) */
	int only;    /* the clause that does not hold; -1 unless there is just one */
	int outside; /* the first output that is negative or has no value; -1: none, or not looked at */
	bool accepts;
} rule_view;

rule_view rule_look(const operator *op, const rule *r, const int64_t *x);

bool rule_agrees(const operator *op, const rule *r); /* with every record */
void rule_count(const operator *op, rule *r);	     /* the records that it agrees with: passed, failed */

/* ---- rules as values */

/* Where rules live: their expressions, and everything else. */
typedef struct rule_store {
	expr_pool *pool;
	arena *memory;
} rule_store;

/* Notes what `now`, one of its expressions or clauses, was simplified from, and forgets what was noted of it before; was
 * NULL: it was not. */
void rule_note(rule *r, arena *memory, const expr *now, const expr *was);
void rule_forget_clauses(rule *r); /* what was noted of clauses */

rule_store rule_store_new(void); /* stops the program when memory runs out */
void rule_store_free(rule_store *s);

rule rule_copy(rule_store to, const rule *r);
/* Whether outputs and clauses are the same, in whatever pools. */
bool rule_equal(const rule *a, const rule *b);
int rule_clause(const rule *r, const expr *e); /* which of its clauses e is, in one pool; -1: none */
void rule_drop_clause(rule *r, int k); /* the others keep their order */
/* Whether e, of dimensions, is never below 0. */
bool rule_is_natural(const operator *op, const expr *e);
/* Whether a clause rejects nothing, since no dimension is below 0: rows >= 0, rows > 0 or rows*cols == 0. */
bool rule_says_nothing(const operator *op, const expr *clause);
int rule_length(const rule *r); /* of its text, roughly: the shorter of two rules that agree alike is preferred */

/* "s0; s3; | s3 >= 0; s2 + s3 <= s1;" */
void rule_print(buf *to, const rule *r);

#endif
