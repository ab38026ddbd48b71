/* Rules as values: the calls that a signature accepts, and the dimensions that it returns.
 *
 *   torch.narrow(input: s0 × s1, dim=1, start=s2, length=s3)    out      s0, s3
 *                                                                clauses  s3 >= 0, s2 + s3 <= s1
 *
 * A call with symbols x is accepted if three conditions hold:
 *
 *   - no input dimension is negative,
 *   - every clause holds; a clause without a value does not hold (docs/reference/file-formats.md, "Expressions"),
 *   - every output has a value in 0 … 2^63 - 1.
 *
 * The first and the last apply to every rule and are not written as clauses.
 */
#ifndef RULE_H
#define RULE_H

#include "expr.h"
#include "record.h"

/* Result of proving a rule's simplifications; the weakest of several counts, which is the last one. */
enum proof {
	PROOF_NONE,    /* nothing was simplified */
	PROOF_PROVED,  /* every simplification is proved for all integers */
	PROOF_CHECKED, /* some are not proved, but checked on the records and in a box */
	PROOF_UNKNOWN, /* some are neither */
};

/* An expression or clause of a rule, and the original that it was simplified from. */
typedef struct simplified {
	const expr *now, *was;
} simplified;

/* The default of an argument: the name of another argument or the text of an integer. */
typedef struct rule_default {
	const char *argument, *instead;
} rule_default;

typedef struct rule {
	const expr **out; /* nodim; an entry is NULL if no expression was found; NULL: no outputs at all */
	const expr **clauses;
	int nodim, nclauses;
	const char *why;   /* NULL if the rule is complete and agrees with every record; else the reason */
	const char *layer; /* the method that found the outputs (docs/reference/file-formats.md) */
	bool thin;	   /* low support: few records, or overfitted clauses */
	const char *family; /* the signature that represents the API rule; NULL: unknown */
	const rule_default *defaults; /* of the representative: of arguments that some signatures omit */
	int ndefaults;
	enum proof proof;
	simplified *notes; /* simplifications that are still to be proved (equivalence.h); some may be stale */
	int nnotes, room;
	uint32_t passed, failed; /* number of records that it agrees with */
} rule;

/* ---- evaluation on a call with symbols x */

bool rule_clauses_hold(const rule *r, const int64_t *x);
/* Computes the output dimensions. False if one has no value or is negative. */
bool rule_propagate(const rule *r, const int64_t *x, int64_t *out);
/* Whether the rule accepts x and gives the output dimensions `expected` (NULL: any). */
bool rule_accepts(const operator *op, const rule *r, const int64_t *x, const int64_t *expected);

/* A more detailed result, for trying changes of a rule. */
typedef struct rule_view {
	int failing; /* number of clauses that do not hold: 0, 1, or 2 for more (also if a dimension is negative) */
	int only;    /* the clause that does not hold; -1 unless there is exactly one */
	int outside; /* the first output that is negative or has no value; -1: none, or not computed */
	bool accepts;
} rule_view;

rule_view rule_look(const operator *op, const rule *r, const int64_t *x);

bool rule_agrees(const operator *op, const rule *r); /* with every record */
void rule_count(const operator *op, rule *r);	     /* sets passed and failed */

/* ---- rules as values */

/* Where rules live: a pool for their expressions, an arena for everything else. */
typedef struct rule_store {
	expr_pool *pool;
	arena *memory;
} rule_store;

/* Records that `now` was simplified from `was` and replaces an earlier note on it. NULL for `was` removes the note. */
void rule_note(rule *r, arena *memory, const expr *now, const expr *was);
void rule_forget_clauses(rule *r); /* removes notes on clauses */

rule_store rule_store_new(void); /* never fails: the process ends if memory runs out */
void rule_store_free(rule_store *s);

rule rule_copy(rule_store to, const rule *r);
/* Whether outputs and clauses are equal; the pools may differ. */
bool rule_equal(const rule *a, const rule *b);
int rule_clause(const rule *r, const expr *e); /* index of clause e (of the same pool), or -1 */
void rule_drop_clause(rule *r, int k); /* keeps the order of the others */
/* Whether e is never negative because dimensions are not. */
bool rule_is_nonnegative(const operator *op, const expr *e);
/* Whether a clause rejects nothing because dimensions are not negative: rows >= 0, or rows > 0 or rows*cols == 0. */
bool rule_clause_is_trivial(const operator *op, const expr *clause);
int rule_length(const rule *r); /* approximate length of its text; of two equally good rules the shorter one is
				 * preferred */

/* "s0; s3; | s3 >= 0; s2 + s3 <= s1;" */
void rule_print(buf *to, const rule *r);

#endif
