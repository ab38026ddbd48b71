/* Axes: the dimensions that an integer constant names, such as dim=1 or dim=[0, -1]. */
#ifndef AXES_H
#define AXES_H

#include "record.h"

enum { AXES_RANK = 16 }; /* the most dimensions of which some can be named */

enum axes_kind {
	AXES_NONE,    /* the argument is no integer constant, or names a dimension that is not there */
	AXES_MISSING, /* it is left out, or None */
	AXES_GIVEN
};

typedef struct axes {
	enum axes_kind kind;
	uint32_t positions; /* as bits, from the left */
	int list[AXES_RANK], n; /* in the order of the text, from the left */
} axes;

/* What the argument of that name says of a shape of `rank` dimensions. */
axes axes_of(const operator *op, const char *name, int rank);

/* How many dimensions it names, of whatever shape. */
int axes_count(const operator *op, const char *name);

#endif
