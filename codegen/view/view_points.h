/* Calls that a signature's rule accepts, to compare expressions on: its recorded calls, and changes of these. They are the same in
 * every run. */
#ifndef VIEW_POINTS_H
#define VIEW_POINTS_H

#include "api_view.h"

enum { POINTS_FEW = 24 }; /* fewer are no evidence */

typedef struct view_points {
	const int64_t **x; /* the symbols of each point */
	int n;
} view_points;

/* The points of a row, computed once. */
const view_points *view_points_of(const api_view *v, view_row *row);

#endif
