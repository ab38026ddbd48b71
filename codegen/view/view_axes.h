/* Lines at the position that an argument names, of outputs that the rules give one position at a time:
 *
 *   out[dim] = window(input[dim], size, step)     out[i] = input[i] for each i except dim
 *
 * An argument is an axis if signatures that the line is of have different constants for it.
 */
#ifndef VIEW_AXES_H
#define VIEW_AXES_H

#include "api_view.h"

/* Adds these lines, before states are found. */
void view_axes_add(api_view *v);
/* The position, from the left, that an axis names in a shape of n dimensions. False: the signature has no such constant. */
bool view_axis(const view_row *row, list_name axis, int n, int *to);

#endif
