/* Output shapes as functions of whole shapes, and their values in a signature.
 *
 *   same(x)     broadcast(a, b)     drop(x, axes)     set(x, axes, number)     insert(x, axes, number)     swap(x, axis, axis)
 *   permute(x, axes)     replace(x, axis, y)     concat(tensors, axis)     broadcast_all(tensors)     merge(x, first, last)
 *
 * With a cut of k, they apply to all but the last k dimensions of each shape: out[:-2] = broadcast(a[:-2], b[:-2]).
 */
#ifndef WHOLE_SHAPE_H
#define WHOLE_SHAPE_H

#include "api_calls.h"

enum whole_kind { WHOLE_SAME, WHOLE_BROADCAST, WHOLE_DROP, WHOLE_SET, WHOLE_INSERT, WHOLE_SWAP, WHOLE_PERMUTE, WHOLE_REPLACE,
	WHOLE_CONCAT, WHOLE_BROADCAST_ALL, WHOLE_MERGE };

/* The meaning of omitted axes. */
enum whole_otherwise { AXES_ALL, AXES_FIRST, AXES_LAST };

enum { MAX_WHOLE = 4 };

typedef struct whole_shape {
	uint8_t kind;
	int of; /* how many lists, and which: shapes, then axes, then a number; a list of tensors is its length there */
	list_name lists[MAX_WHOLE];
	uint8_t otherwise; /* a whole_otherwise */
	uint8_t cut; /* number of trailing dimensions that are excluded */
	bool one;   /* the number is the constant 1, not an argument */
} whole_shape;

/* Whether list k is an integer argument. */
static inline bool whole_shape_is_number(const whole_shape *w, int k)
{
	return k == 2 && (w->kind == WHOLE_SET || w->kind == WHOLE_INSERT) && !w->one;
}

/* Whether that integer is the length of a list of tensors. */
static inline bool whole_shape_counts(const whole_shape *w)
{
	return whole_shape_is_number(w, 2) && w->lists[2].kind == LIST_DIMS;
}

/* Whether the first list is a list of tensors. */
static inline bool whole_shape_is_of_tensors(const whole_shape *w)
{
	return w->kind == WHOLE_CONCAT || w->kind == WHOLE_BROADCAST_ALL;
}

bool whole_shape_same(const whole_shape *a, const whole_shape *b);

/* All candidates for an API, in order of preference; at most `most`. Returns their number. */
int whole_shapes_of(const api_calls *f, whole_shape *to, int most);
/* The same with a cut. */
int whole_shapes_cut(const api_calls *f, int cut, whole_shape *to, int most);
/* Whether output tensor t of a signature has this shape, apart from the dimensions that are cut. */
bool whole_shape_is(const whole_shape *w, const api_calls *f, const api_call *form, unsigned t);

#endif
