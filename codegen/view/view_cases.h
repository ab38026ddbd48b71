/* An output of several ranks as whole tuples, one for each case, instead of a line for each dimension:
 *
 *   (*broadcast(input[:-2], other[:-2]), input[-2], other[-1])  if rank(input) >= 2 and rank(other) >= 2
 *   (*input[:-1])  if rank(other) == 1
 */
#ifndef VIEW_CASES_H
#define VIEW_CASES_H

#include "api_view.h"

enum { MOST_CASES = 6, CASE_PARTS = 16 };

typedef struct case_part { /* one dimension, or the dimensions *x[from:-without] */
	const view_line *line;
	bool spread;
	int at; /* the position of one dimension, as the line counts it */
	int from, without;
} case_part;

typedef struct view_case {
	view_line condition; /* its signatures and guard */
	case_part parts[CASE_PARTS];
	int n;
} view_case;

/* Finds the cases of each output, after lines were chosen: v->cases. An output has none if its lines are plainer, since they name each
 * dimension, or if some case has no guard. */
void view_cases_find(api_view *v);

#endif
