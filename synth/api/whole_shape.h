/* Shapes as wholes: the notation of pages (synth/page/shapes.h) as functions of C (code.h), and what they are in a call form.
 *
 *   broadcast(out, a, b)     drop(out, a, dims)     set(out, a, dims, to)     concat(out, dim, a, b, …)
 */
#ifndef WHOLE_SHAPE_H
#define WHOLE_SHAPE_H

#include "api_calls.h"

enum whole_kind { WHOLE_SAME, WHOLE_BROADCAST, WHOLE_DROP, WHOLE_SET, WHOLE_INSERT, WHOLE_SWAP, WHOLE_PERMUTE, WHOLE_REPLACE };

enum { MAX_WHOLE = 4 };

typedef struct whole_shape {
	uint8_t kind;
	int of; /* how many lists, and which: shapes, then axes, then a number */
	list_name lists[MAX_WHOLE];
	bool first; /* axes that are left out are the first, not all or none */
	bool one;   /* the number is 1, and no argument */
} whole_shape;

/* All that may be said of a family, in the order in which they are preferred; at most `most`. */
int whole_shapes_of(const api_calls *f, whole_shape *to, int most);
/* Whether output tensor t of a call form is that. */
bool whole_shape_is(const whole_shape *w, const api_calls *f, const api_call *form, unsigned t);

#endif
