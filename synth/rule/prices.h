/* Prices, on one scale: description lengths. Of two readings that agree with all records the cheaper one is
 * chosen. A symbol that is known to matter costs 8, and 9 more make a reading e times less likely (weight.h).
 *
 * Operations have their prices in ops.h, in three columns. A price stands for how seldom an operation is right,
 * and that differs between three uses:
 *
 *   search  an output, among the thousands of expressions that give its column. An operation that is seldom an output's
 *           top, a minimum or a remainder, must pay for all the columns it happens to give.
 *   clause  a literal's term, and its comparison. A remainder is common there, divisibility; min and max cost more, since
 *           a disjunction means the same and reads better.
 *   pool    a clause over all operators of an API. The pool refutes overfitted clauses, so all cost less, min and max
 *           most. The whole tree is priced; a literal's constants have prices of their own.
 *
 * With one column in place of the three, other rules are found (8 and 9 of 879 operators).
 *
 * These priors know what frameworks do in general and no operator; docs/explanation/rules.md has them as a
 * table.
 */
#ifndef PRICES_H
#define PRICES_H

#include "ops.h"

/* clang-format off */

/* ---- leaves: what stands alone */
enum {
	PRICE_RULE = 16, /* a family's own page */
	PRICE_SYMBOL = 8,
	PRICE_UNSEEN = 3,	 /* more, for a symbol that was not seen to matter; and its misfit, 0 … 6 (target_misfit) */
	PRICE_ONE = 6, PRICE_TWO = 8, PRICE_ZERO = 8,
	PRICE_RANK = 12,	 /* the number of a tensor's dimensions */
	PRICE_KNOWN_OUTPUT = 12, /* another output's expression */
	PRICE_HALF = 14, PRICE_PARITY = 15, PRICE_SQUARE = 16, PRICE_QUARTER = 18, PRICE_SIGN = 16, /* of a symbol */
};

/* ---- folds and other leaves that are made of many symbols, each at one price */
enum {
	PRICE_FOLD_DIMS = 14,	 /* and one for each dimension: products over a run of a tensor's dimensions */
	PRICE_FOLD_TENSORS = 14, /* over the tensors of a list */
	PRICE_FOLD_ITEMS = 18,	 /* over a list's items, or a run of integers */
	PRICE_BROADCAST = 12,	 /* and two for each tensor */
	PRICE_BROADCAST_EACH = 2,
	PRICE_WILDCARD = 20,	 /* numel // others if size == -1 else size; and its misfit */
	PRICE_SELECTION = 22,	 /* the dimension that perm[i] names; all dimensions but one */
	PRICE_BROADCAST_SHIFTED = 6, /* more, where longer tensors stand elsewhere */
	PRICE_FRACTION = 34,	 /* (a·x + b)//q of numbers a, b and q */
};

/* ---- forms of outputs */
enum {
	PRICE_TERM = 8,		  /* of a sum, with what it is of */
	PRICE_NEGATIVE = 2,	  /* more, for a term that is subtracted */
	PRICE_COEFFICIENT = 2,	  /* more, and the coefficient, where that is not 1 or -1 */
	PRICE_DIVISOR_TWO = 4,	  /* a divisor that is a symbol costs what the symbol does */
	PRICE_SHIFT_SMALL = 8, PRICE_SHIFT = 14, PRICE_SHIFT_LARGE = 24, /* a constant to 2, to 4, beyond */
	PRICE_CLAMP = 20,	  /* min(F, G), max(F, G) of two floor templates */
	PRICE_WINDOW = 40, PRICE_TRAIT = 6, /* a window, or a diagonal; and each trait that is not usual */
	PRICE_TRIANGLE = 60,	  /* of a rectangle, on one side of a diagonal */
	PRICE_COUNT = 40,	  /* of a list's numbers, those that are not 0 or distinct */
	PRICE_GUARD = 30,	  /* a if s < 0 else b */
	MOST_TRUSTED = 120,	  /* what is dearer is compared with what is seldom right */
};

/* ---- terms and literals of clauses */
enum {
	PRICE_CRITICAL = 8,	  /* a symbol that alone turns a passing record into a failing one */
	PRICE_UNCRITICAL = 12,
	PRICE_OUTPUT = 9,	  /* the rule's own output */
	PRICE_FACTOR = 11,	  /* a factor of it */
	PRICE_PRODUCT = 14,	  /* numel, a list's product or sum, an output's number of elements */
	PRICE_TERM_SQUARE = 18, PRICE_TERM_HALF = 20, /* pixels, spectra */
	PRICE_STRIDES = 22, PRICE_STRIDES_OFFSET = 30, /* the last offset that strides reach */
	PRICE_DOUBLED = 10,	  /* 2·x against y: pads */
	PRICE_MISALIGNED = 5,	  /* terms of other positions */
	PRICE_BOUND = 24, PRICE_BOUND_EQUAL = 20, /* at an extreme of the passing records: it fits by construction */
	PRICE_BOUND_FAR = 12,	  /* more, where that is beyond 8 */
	PRICE_REACH = 34,	  /* strides that reach no further than a tensor, unless there is nothing to reach */
	PRICE_EQUAL = 16,	  /* two dimensions at one place */
	PRICE_UNLESS_EMPTY = 14,  /* more, for a pattern that a tensor without elements need not keep */
	PRICE_SIGNS = 24,	  /* no stride below 0, unless a tensor is empty */
	PRICE_MOVES = 26,	  /* no stride below 0, or of 0, where there is more than one element along it */
	PRICE_DIVIDED = 28,	  /* what an output divides, with its divisor added up to twice, is not below 0 */
	PRICE_EVEN = 24,	  /* an output that is a quotient comes out even */
	PRICE_GROUPS = 34,	  /* a dimension is divided by how many times one holds another */
	PRICE_SHARE = 26, PRICE_SHARE_FACTOR = 2, /* a dimension is a multiple of k times others; more, for each further one */
	PRICE_FIRST = 34,	  /* the first dimension of a size has it in another tensor, too */
	PRICE_WINDOWS = 34,	  /* a dimension counts windows, in all directions */
	PRICE_DIAGONAL = 30,	  /* a dimension is a diagonal of what comes out */
	PRICE_SOME = 20,	  /* some dimension has a size that some has in every record */
	PRICE_HALFSPACE_TERM = 5, /* and PRICE_EQUATION: a linear bound */
	PRICE_EQUATION = 20, PRICE_EQUATION_OPERATION = 3, /* a dimension as a function of other symbols */
	PRICE_OUTLIERS = 12,	  /* more, if it rejects passing records that are tolerated; and */
	PRICE_OUTLIERS_ALL = 120, /* for their share of all: a twentieth costs 6 */
	PRICE_OR = 5,		  /* more, for each literal after the first */
	PRICE_CLAUSE = 10,	  /* of a set of clauses: for each; */
	PRICE_HARDLY_ASKED = 12,  /* more, where fewer than three failing records ask for it */
};

/* What is too dear to be joined with another literal, with two; what is plain, what rejects with ease, what is dear
 * (choose.c). */
enum { MOST_PAIRED = 44, MOST_TRIPLED = 50, MOST_PLAIN = 24, MOST_EASY = 26, MOST_UNFITTED = 36, FITTED_LENGTH = 60, FITTED_EACH = 3 };
/* Numbers that stand in rules for what they are, mostly; others are bounds. */
static inline bool is_plain_number(int64_t value)
{
	return value >= -1 && value <= 2;
}
/* The maximum size that broadcasts as 1 does once both ends of it are off. */
enum { MOST_TRIMMED = 4 };
/* What is dear looks fitted where fewer failing records than these ask for it alone. */
enum { UNFITTED_ALONE = 4 };

/* A term against a constant. */
#define CONSTANT_LITERALS(X)                                                                                           \
	X(EQ, 0, 3) X(EQ, 1, 2) X(EQ, 2, 8) X(NE, 0, 3) X(NE, 1, 7) X(GT, 0, 0) X(GE, 0, 0) X(GT, 1, 3)                \
	X(GE, -1, 4) X(GT, 2, 8) X(LT, 0, 4) X(LE, 0, 4) X(LE, 1, 5) X(LE, 2, 8) X(EQ, -1, 4) X(GE, -2, 9)

/* ---- patterns: one clause at every position, at one price */

/* Each item of a list or dimension of a tensor, s0. */
#define PATTERNS_ONE(X)                                                                                                \
	X("s0 > 0", 10) X("s0 >= 0", 10) X("s0 == 1", 12) X("s0 >= -1", 14) X("s0 > 1", 14) X("s0 == 0", 14)           \
	X("s0 <= 1", 16) X("s0 != 0", 14) X("s0 < 0", 18)

/* Each against one other, s1. */
#define PATTERNS_SHARED(X)                                                                                             \
	X("s0 == s1", 18) X("s0 < s1", 20) X("s0 <= s1", 20) X("s0 + s1 >= 0", 24) X("s1 < s0", 22)                    \
	X("s1 <= s0", 22) X("s0 + s1 > 0", 26) X("s0 == s1 or s0 == 1", 28)

/* Position by position: pads and kernels, groups and channels, broadcasting, sizes with one that may be -1. */
#define PATTERNS_ALIGNED(X)                                                                                            \
	X("s0 == s1", 16) X("s0 < s1", 18) X("s0 <= s1", 18) X("s1 < s0", 19) X("s1 <= s0", 19)                        \
	X("2*s0 <= s1", 22) X("s0%s1 == 0", 22) X("s1%s0 == 0", 22) X("s0 + s1 >= 0", 22)                              \
	X("s0 == s1 or s0 == 1 or s1 == 1", 22) X("s0 == s1 or s0 == 1", 26) X("s0 == s1 or s1 == 1", 26)              \
	X("s0 == -1 or s0 == s1", 26) X("s0 == -1 or s0 <= s1", 26) X("s0 == -1 or s0 == s1 or s1 == 1", 28)           \
	X("s0 == s1 or s0 == 0", 28)

/* Three lists, position by position: windows. */
#define PATTERNS_TRIPLE(X)                                                                                             \
	X("s0 + s1 <= s2", 26) X("s0 + s1 >= s2", 30) X("s0 + s1 + s2 >= 0", 30)                                       \
	X("s1 == -1 or s0 + s1 <= s2", 32) X("s0 + s1 < s2", 30) X("s0 + s1 == s2", 28)                                \
	X("s0 < s1 or s0 < s2", 30)

enum {
	PRICE_BELOW_EITHER = 30,   /* an integer is less than one of two */
	PRICE_MULTIPLE = 26,	   /* a dimension is k times another; */
	PRICE_MULTIPLE_FACTOR = 6, /* more, for each further factor; */
	PRICE_MULTIPLE_MANY = 6,   /* more, for k above 4 */
	PRICE_ONE_BROADCAST = 24,  /* two dimensions at one place, s0 == s1 or s0 == 1 or s1 == 1 */
	PRICE_SHARED_FORMULA = 6,  /* more, where the one other is no symbol */
	PRICE_OTHER_LENGTHS = 2,   /* more, for lists of other lengths */
};

/* ---- clauses of a pool (api_clauses.c) */
enum {
	PRICE_NUMBER = 2, PRICE_NUMBER_SMALL = 12, PRICE_NUMBER_LARGE = 20, /* -1 … 2; -8 … 8; beyond */
	PRICE_EVERY_DIMENSION = 3, /* more, for every dimension of a tensor and no list beside */
	PRICE_ONE_ITEM = 3,	   /* more, for one item of a list */
	PRICE_FROM_LEFT = 1,	   /* more, for counting that way, or for the last place in place of the first */
	PRICE_CROSSED = 6,	   /* more, for one position from the left that goes with one from the right */
	PRICE_PAIRED = 3,	   /* more, for lists of two numbers a dimension */
	PRICE_COUNTED = 6,	   /* more, for a rank or a length in place of the number that it is */
	PRICE_NAMED = -4,	   /* less, where an argument names the dimension */
	PRICE_WHERE_CONSTANT = 4, PRICE_WHERE_KIND = 6, PRICE_WHERE_RANK = 8, PRICE_WHERE_OUTPUTS = 2, /* more, where it is said of some call
												     * forms: for each condition */
	PRICE_WHERE_DIFFERS = 1,   /* more, for "it is not" */
};

/* ---- rivals: literals that a rule could have besides */
enum {
	PRICE_RIVAL_SIGN = 8, PRICE_RIVAL_NOT_ZERO = 11, PRICE_RIVAL_CONSTANT = 13,
	PRICE_RIVAL_LOW_SMALL = 12, PRICE_RIVAL_LOW = 22, PRICE_RIVAL_NEGATIVE = 20, /* least value 2 or -1; more; less */
	PRICE_RIVAL_HIGH_SMALL = 16, PRICE_RIVAL_HIGH = 21, PRICE_RIVAL_EVEN = 20,
	PRICE_RIVAL_EQUAL = 16, PRICE_RIVAL_ORDER = 18, PRICE_RIVAL_BROADCAST = 21, PRICE_RIVAL_UNEQUAL = 22,
	PRICE_RIVAL_DOUBLED = 23, PRICE_RIVAL_MULTIPLE = 24,
	PRICE_RIVAL_OUTPUT = 3,	   /* more, where an output is compared */
};

/* ---- the order of a rule's clauses, cheapest first */
enum { PRICE_EVALUATION = 4, PRICE_BRANCH = 2 };
/* clang-format on */

#endif
