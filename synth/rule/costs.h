/* Costs, on one scale: description lengths. Of two expressions that agree with all records, the one with the lower
 * cost is chosen. A relevant symbol costs 8; 9 more make an expression e times less likely.
 *
 * The costs of operations are in ops.h. A cost expresses how rarely an operation is correct. This differs between
 * three uses, so there are three columns:
 *
 *   search  an output, among the thousands of expressions with its column. Operations that are rarely at the top of an output,
 *           such as min or a remainder, cost more, since they produce many columns by chance.
 *   clause  a term of a literal, and its comparison. Remainders are common (divisibility). min and max cost more, since a
 *           disjunction says the same and is easier to read.
 *   pool    a clause over all signatures of an API. Overfitted clauses are refuted by other signatures, so all costs are lower,
 *           most of all those of min and max. The whole tree has a cost; constants of literals have costs of their own.
 *
 * With one column for all uses, 8 or 9 of 879 signatures get other rules.
 *
 * These priors describe frameworks in general, never a single API. docs/explanation/rules.md has a table of them.
 */
#ifndef COSTS_H
#define COSTS_H

#include "ops.h"

/* clang-format off */

/* ---- leaves */
enum {
	COST_RULE = 16, /* another rule for the same API */
	COST_SYMBOL = 8,
	COST_UNSEEN = 3,	 /* added for a symbol without evidence; target_misfit (0 … 6) is added, too */
	COST_ONE = 6, COST_TWO = 8, COST_ZERO = 8,
	COST_RANK = 12,	 /* rank of a tensor */
	COST_KNOWN_OUTPUT = 12, /* the expression of another output */
	COST_HALF = 14, COST_PARITY = 15, COST_SQUARE = 16, COST_QUARTER = 18, COST_SIGN = 16, /* of a symbol */
};

/* ---- folds and other leaves of several symbols */
enum {
	COST_FOLD_DIMS = 14,	 /* plus one per dimension: product over consecutive dimensions of a tensor */
	COST_FOLD_TENSORS = 14, /* over the tensors of a list */
	COST_FOLD_ITEMS = 18,	 /* over list items or consecutive integers */
	COST_BROADCAST = 12,	 /* plus COST_BROADCAST_EACH per tensor */
	COST_BROADCAST_EACH = 2,
	COST_WILDCARD = 20,	 /* numel // others if size == -1 else size; target_misfit is added */
	COST_SELECTION = 22,	 /* the dimension that perm[i] selects; all dimensions but one */
	COST_BROADCAST_SHIFTED = 6, /* added if longer tensors are aligned differently */
	COST_FRACTION = 34,	 /* (a·x + b)//q with constants a, b and q */
};

/* ---- output templates */
enum {
	COST_TERM = 8,		  /* per term of a sum, plus the cost of the term */
	COST_NEGATIVE = 2,	  /* added for a subtracted term */
	COST_COEFFICIENT = 2,	  /* added, with the coefficient, if that is not 1 or -1 */
	COST_DIVISOR_TWO = 4,	  /* a divisor that is a symbol has the symbol's cost */
	COST_SHIFT_SMALL = 8, COST_SHIFT = 14, COST_SHIFT_LARGE = 24, /* added constant up to 2, up to 4, larger */
	COST_CLAMP = 20,	  /* min(F, G), max(F, G) of two floor templates */
	COST_WINDOW = 40, COST_TRAIT = 6, /* window, slice or diagonal; and per unusual trait */
	COST_TRIANGLE = 60,	  /* of a rectangle, below a diagonal */
	COST_COUNT = 40,	  /* number of nonzero or distinct items of a list */
	COST_GUARD = 30,	  /* a if s < 0 else b */
	MAX_TRUSTED_COST = 120,	  /* if an output costs more, fallbacks compete with it */
};

/* ---- terms and literals of clauses */
enum {
	COST_CRITICAL = 8,	  /* a symbol that alone turns a passing record into a failing one */
	COST_UNCRITICAL = 12,
	COST_OUTPUT = 9,	  /* an output of the rule */
	COST_FACTOR = 11,	  /* a factor of an output */
	COST_PRODUCT = 14,	  /* numel, a list's product or sum, an output's number of elements */
	COST_TERM_SQUARE = 18, COST_TERM_HALF = 20, /* pixels, spectra */
	COST_STRIDES = 22, COST_STRIDES_OFFSET = 30, /* the maximum offset that strides reach */
	COST_DOUBLED = 10,	  /* 2·x against y: padding */
	COST_MISALIGNED = 5,	  /* terms at different positions */
	COST_BOUND = 24, COST_BOUND_EQUAL = 20, /* at an extreme of the passing records: fits by construction */
	COST_BOUND_FAR = 12,	  /* added if the bound is above 8 */
	COST_REACH = 34,	  /* strides stay within a tensor, unless there is nothing to reach */
	COST_EQUAL = 16,	  /* two dimensions at one position */
	COST_UNLESS_EMPTY = 14,  /* added for a template that empty tensors need not satisfy */
	COST_SIGNS = 24,	  /* no negative stride, unless a tensor is empty */
	COST_MOVES = 26,	  /* no negative or zero stride of a dimension with several elements */
	COST_DIVIDED = 28,	  /* the dividend of an output, with up to twice its divisor added, is not negative */
	COST_EVEN = 24,	  /* the quotient in an output has no remainder */
	COST_GROUPS = 34,	  /* a dimension is divisible by the quotient of two others */
	COST_SHARE = 26, COST_SHARE_FACTOR = 2, /* a dimension is a multiple of k times others; added per further factor */
	COST_FIRST = 34,	  /* the first dimension of some size has it in another tensor, too */
	COST_WINDOWS = 34,	  /* a dimension counts windows, in all directions */
	COST_DIAGONAL = 30,	  /* a dimension is a diagonal of the output */
	COST_SOME = 20,	  /* some dimension has a size that one of them has in every record */
	COST_HALFSPACE_TERM = 5, /* plus COST_EQUATION: a linear bound */
	COST_EQUATION = 20, COST_EQUATION_OPERATION = 3, /* a dimension as a function of other symbols */
	COST_OUTLIERS = 12,	  /* added if it rejects passing records within the tolerance; and */
	COST_OUTLIERS_ALL = 120, /* times their share of all: a twentieth costs 6 */
	COST_OR = 5,		  /* added per literal after the first */
	COST_CLAUSE = 10,	  /* added per clause of a set; */
	COST_LOW_SUPPORT = 12,  /* added if fewer than three failing records need it */
};

/* Maximum costs (choose.c): of a literal in a pair, of the first two of a triple, of a simple clause, of a clause
 * that easily covers a record, of a clause that is never overfitted. A rule longer than FITTED_LENGTH + FITTED_EACH
 * per failing record is overfitted. */
enum { MOST_PAIRED = 44, MOST_TRIPLED = 50, MOST_PLAIN = 24, MOST_EASY = 26, MOST_UNFITTED = 36, FITTED_LENGTH = 60, FITTED_EACH = 3 };
/* Constants with a meaning of their own; others are usually bounds. */
static inline bool cost_is_plain_number(int64_t value)
{
	return value >= -1 && value <= 2;
}
/* The maximum size that broadcasts like 1 after trimming at both ends. */
enum { MAX_TRIMMED = 4 };
/* A costly clause counts as overfitted if fewer failing records than this need it alone. */
enum { UNFITTED_ALONE = 4 };

/* A term against a constant. */
#define CONSTANT_LITERALS(X)                                                                                           \
	X(EQ, 0, 3) X(EQ, 1, 2) X(EQ, 2, 8) X(NE, 0, 3) X(NE, 1, 7) X(GT, 0, 0) X(GE, 0, 0) X(GT, 1, 3)                \
	X(GE, -1, 4) X(GT, 2, 8) X(LT, 0, 4) X(LE, 0, 4) X(LE, 1, 5) X(LE, 2, 8) X(EQ, -1, 4) X(GE, -2, 9)

/* ---- templates: one clause at every position, for one cost */

/* Each item of a list or dimension of a tensor, s0. */
#define PATTERNS_ONE(X)                                                                                                \
	X("s0 > 0", 10) X("s0 >= 0", 10) X("s0 == 1", 12) X("s0 >= -1", 14) X("s0 > 1", 14) X("s0 == 0", 14)           \
	X("s0 <= 1", 16) X("s0 != 0", 14) X("s0 < 0", 18)

/* Each against one other term, s1. */
#define PATTERNS_SHARED(X)                                                                                             \
	X("s0 == s1", 18) X("s0 < s1", 20) X("s0 <= s1", 20) X("s0 + s1 >= 0", 24) X("s1 < s0", 22)                    \
	X("s1 <= s0", 22) X("s0 + s1 > 0", 26) X("s0 == s1 or s0 == 1", 28)

/* Position by position: padding and kernels, groups and channels, broadcasting, sizes with a wildcard of -1. */
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
	COST_BELOW_EITHER = 30,   /* an integer is less than one of two others */
	COST_MULTIPLE = 26,	   /* a dimension is k times another; */
	COST_MULTIPLE_FACTOR = 6, /* added per further factor; */
	COST_MULTIPLE_MANY = 6,   /* added for k above 4 */
	COST_ONE_BROADCAST = 24,  /* two dimensions at one position, s0 == s1 or s0 == 1 or s1 == 1 */
	COST_SHARED_FORMULA = 6,  /* added if the other term is not a symbol */
	COST_OTHER_LENGTHS = 2,   /* added for lists of different lengths */
};

/* ---- clauses over all signatures of an API (family_clauses.c) */
enum {
	COST_NUMBER = 2, COST_NUMBER_SMALL = 12, COST_NUMBER_LARGE = 20, /* -1 … 2; -8 … 8; beyond */
	COST_EVERY_DIMENSION = 3, /* added for every dimension of a tensor, without a list */
	COST_ONE_ITEM = 3,	   /* added for one item of a list */
	COST_FROM_LEFT = 1,	   /* added for counting from the left, or for the last position instead of the first */
	COST_CROSSED = 6,	   /* added for pairing a position from the left with one from the right */
	COST_PAIRED = 3,	   /* added for lists with two numbers per dimension */
	COST_COUNTED = 6,	   /* added for a rank or length in place of a constant */
	COST_NAMED = -4,	   /* subtracted if an argument selects the dimension */
	COST_WHERE_CONSTANT = 4, COST_WHERE_KIND = 6, COST_WHERE_RANK = 8, COST_WHERE_OUTPUTS = 2, /* per condition on
												    * the signature */
	COST_WHERE_DIFFERS = 1,   /* added for a negated condition */
};

/* ---- rivals: alternative literals */
enum {
	COST_RIVAL_SIGN = 8, COST_RIVAL_NOT_ZERO = 11, COST_RIVAL_CONSTANT = 13,
	COST_RIVAL_LOW_SMALL = 12, COST_RIVAL_LOW = 22, COST_RIVAL_NEGATIVE = 20, /* minimum 2 or -1; above; below */
	COST_RIVAL_HIGH_SMALL = 16, COST_RIVAL_HIGH = 21, COST_RIVAL_EVEN = 20,
	COST_RIVAL_EQUAL = 16, COST_RIVAL_ORDER = 18, COST_RIVAL_BROADCAST = 21, COST_RIVAL_UNEQUAL = 22,
	COST_RIVAL_DOUBLED = 23, COST_RIVAL_MULTIPLE = 24,
	COST_RIVAL_OUTPUT = 3,	   /* added if an output is compared */
};

/* ---- order of a rule's clauses, from low to high cost */
enum { COST_EVALUATION = 4, COST_BRANCH = 2 };
/* clang-format on */

#endif
