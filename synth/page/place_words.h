/* Places, and expressions of them, in the words of a call: arguments by their recorded names, positions by an
 * index (docs/reference/rule-notation.md).
 *
 * If shapes and lists of different lengths meet, an index counts from the right, as in broadcasting, unless the
 * text says "from the left".
 *
 *   numel(x)               the product of a shape
 *   prod, sum, most, least reductions of a list; len is its length
 *   x.low, x.high          the bounds of a tensor's integers, the upper one excluded
 *
 * Windows and slices have names (window_term.h, slice_term.h).
 */
#ifndef PLACE_WORDS_H
#define PLACE_WORDS_H

#include "shapes.h"
#include "quantified_clause.h"

/* The signatures of an API rule, which decide whether an argument is a list. */
typedef struct notation {
	const operator *const *ops;
	int n;
	const operator *const *whole; /* of whose ranks a dimension's number must tell nothing; NULL: of these */
	int nwhole;
	bool left; /* if outputs have other ranks in other signatures of the API, lines count from the left
		      whenever they can: "out[0] = X[0]", "out[i] = 1 for each i from 1 on". Otherwise only if
		      ranks differ in these signatures and it reads better */
	const walk *together; /* outputs that are said as one; NULL: none are */
	int nout; /* the maximum number of outputs in the whole API, if these signatures have fewer */
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
	const expr_template *f;
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

/* Whether an argument is, in some signature, a list of integers or of tensors, or a tensor with a range. */
bool words_is_list(const notation *n, const char *name, enum role_kind kind);
/* The length of a place's shape or list, if it is the same in all signatures; else 0. */
int words_length(const notation *n, const template_index *p);
/* The maximum number of tensors or inner lists in the list of that name (of `length` bytes); 0: there is no such
 * list. */
int words_most_items(const notation *n, const char *name, size_t length);
/* The length of the inner lists around a place, if it is the same in all signatures; else 0, also outside inner
 * lists. */
int words_inner_length(const notation *n, const template_index *p);
/* Which end of a range a place is where the anchor stands: 0, the low one; 1, the high one; else none. */
int words_end(const index_of *x, const template_index *p);
/* The one dimension, from the left, that a constant names in all signatures, if nothing shows that it is an
 * axis. That is so if another constant names the dimension, too (of several masks that are 0 none is an axis),
 * or if it names no other dimension in the whole API. Otherwise -1. */
int words_shared_axis(const notation *n, const char *name);

/* The most outputs that one of n operators has. */
int words_most_outputs(const operator *const *ops, int n);
/* "out", or "out1" where there are several. */
void words_output(buf *to, const notation *n, int item);
void words_expression(buf *to, const index_of *at);
/* The sides of an equation, if no side is a comparison; else false. Without `right`, the expression as it is. */
bool words_sides(buf *to, buf *right, const index_of *at);
/* " for each k", or ", each k" behind what is said of each i. */
void words_each(buf *to, const char *each);
/* The common length of all shapes and lists that the index runs over, in all signatures; 0: they differ. */
int words_common_length(const index_of *x);
/* "for each i", "for the last 2 i", "for i = -3, -1", which is counted from the left where a common length is known. */
void words_where(buf *to, clause_range x, int length);

#endif
