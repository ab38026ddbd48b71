/* Axes: the dimensions that an integer constant selects, such as dim=1 or dim=[0, -1]. */
#ifndef AXES_H
#define AXES_H

#include "record.h"

enum { AXES_RANK = 16 }; /* maximum rank whose axes are represented */

enum axes_kind {
	AXES_NONE,    /* not an integer constant, or out of range */
	AXES_MISSING, /* omitted or None */
	AXES_GIVEN
};

typedef struct axes {
	enum axes_kind kind;
	uint32_t positions; /* bit i: dimension i, counted from the left */
	int list[AXES_RANK], n; /* in argument order, counted from the left */
} axes;

/* The axes that the argument selects in a shape of rank `rank`. */
axes axes_of(const operator *op, const char *name, int rank);

#endif
