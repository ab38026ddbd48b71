/* Places, and expressions of them, in the words of a call: arguments by their recorded names, positions by an index
 * (docs/reference/rule-notation.md).
 *
 * An index counts from the right where shapes and lists of other lengths meet, as broadcasting does, unless the text says
 * "from the left". numel(x) is the product of a shape, prod, sum, most and least go over a list, len is its length, x.low and
 * x.high bound the integers of a tensor, the upper one excluded; windows and slices go by their names (window_term.h,
 * slice_term.h).
 */
#ifndef PLACE_WORDS_H
#define PLACE_WORDS_H

#include "shapes.h"
#include "statement.h"

/* Who reads: the call forms of a family, which decide what is a list. */
typedef struct notation {
	const operator *const *ops;
	int n;
	const operator *const *whole; /* of whose ranks a dimension's number must tell nothing; NULL: of these */
	int nwhole;
	bool left; /* outputs of other ranks in other call forms of the whole family are said from the left wherever they can be: "out[0] =
		    * X[0]", "out[i] = 1 for each i from 1 on"; else where ranks differ in these and it is better */
	const walk *together; /* outputs that are said as one; NULL: none are */
	int nout; /* the most outputs of a call form of the whole family, where that is more than these have */
	int inner; /* this place of inner lists is said as j, from 1 on; 0: none is */
	bool beside; /* and so is the same place of other shapes and lists */
} notation;

enum { MOST_ARGUMENTS = 5 };

/* What has a name in the notation; an argument that is NULL is None. */
typedef struct term {
	const char *name;
	const expr *arguments[MOST_ARGUMENTS];
	int n;
} term;

/* How the index of a place is written: relative to a variable, or where the anchor stands. */
typedef struct index {
	const notation *n;
	const form *f;
	bool variable;	    /* the anchor's position is i */
	bool everywhere;    /* i goes over all positions: where the anchor stands still, it is that of the first place that does not */
	const char *axis;   /* it is the one that this constant names; NULL: it is not */
	int left, right;    /* the anchor's position otherwise; -1: not counted from there */
	uint8_t dims, values;
	const term *terms; /* symbols beyond the form's places */
} index_of;

static inline int words_lowest(uint32_t bits)
{
	return bits ? __builtin_ctz(bits) : 0;
}

/* Whether an argument is a list of integers in some call form, one of tensors, or a tensor with a range. */
bool words_is_list(const notation *n, const char *name, enum role_kind kind);
/* The length of a place's shape, or list, where that is the same in all call forms; 0 where it is not. */
int words_length(const notation *n, const place *p);
/* The most tensors, or inner lists, that a call form has in the list of that name, of so many bytes; 0: it is none such. */
int words_most_items(const notation *n, const char *name, size_t length);
/* How long the inner lists of a list are that a place stands in, in all call forms; 0: of some another, or it is in none. */
int words_inner_length(const notation *n, const place *p);
/* Which end of a range a place is where the anchor stands: 0, the low one; 1, the high one; else none. */
int words_end(const index_of *x, const place *p);
/* The one dimension that a constant names, from the left, the same in all call forms, where nothing shows that it is an axis: another
 * constant names that dimension, too (of several masks that are 0 none is an axis), or it never names another in the whole family.
 * -1: it is none such. */
int words_shared_axis(const notation *n, const char *name);

/* The most outputs that one of n operators has. */
int words_most_outputs(const operator *const *ops, int n);
/* "out", or "out1" where there are several. */
void words_output(buf *to, const notation *n, int item);
void words_expression(buf *to, const index_of *at);
/* The sides of an equation, neither of which compares anything; false where it is none. Without `right` the expression as it is. */
bool words_sides(buf *to, buf *right, const index_of *at);
/* " for each k", or ", each k" behind what is said of each i. */
void words_each(buf *to, const char *each);
/* How long all shapes and lists are in which the index moves, in all call forms; 0: of some another. */
int words_common_length(const index_of *x);
/* "for each i", "for the last 2 i", "for i = -3, -1", which is counted from the left where a common length is known. */
void words_where(buf *to, span x, int length);

#endif
