/* Clauses that say the same of each place of the inner lists of a list, as one line of a page:
 *
 *   indices[i][0] < data[0] for each i
 *   indices[i][1] < data[1] for each i        indices[i][j] < data[j] for each i, each j
 */
#ifndef INNER_H
#define INNER_H

#include "api_unify_view.h"
#include "notation.h"

/* Of which clauses one is. */
typedef struct inner {
	int first;   /* the first of them, itself perhaps */
	int place;   /* the place of the inner lists that this one is of, from 1 on; 0: it is alone */
	bool beside; /* what stands at the same place of other shapes and lists goes with it */
} inner;

/* A clause of a family, without where it is said. */
void inner_words(buf *to, const api_unify_view *v, const notation *n, int k);
/* of: one for each clause. */
void inner_find(inner *of, const api_unify_view *v, const notation *n);
/* The line that begins with a clause which is not alone. */
void inner_put(buf *to, const api_unify_view *v, const notation *n, const inner *of, int k);

#endif
