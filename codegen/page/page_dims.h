/* Named dimensions: N, C, H, W.
 *
 * If lines refer to single dimensions of a tensor, these dimensions have names. A tensor of fixed rank has a name for each
 * dimension. Others have names for the last or first ones, and "..." or an optional "N?" for the rest.
 *
 * Dimensions that clauses make equal in all calls are one class with one name. If a clause makes a class equal to an
 * expression, the expression is printed instead.
 */
#ifndef PAGE_DIMS_H
#define PAGE_DIMS_H

#include "api_view.h"

enum { DIM_SLOTS = 160 };

typedef struct dim_class {
	const template *is; /* its value, at position i; NULL: it has a name */
	int i;
	const char *name, *number; /* number: an integer argument or a number that it equals */
} dim_class;

typedef struct page_dims {
	const api_view *view;
	int of[DIM_SLOTS]; /* the slot that represents it */
	dim_class classes[DIM_SLOTS];
	int n;
	bool *in_table; /* of each line: a clause that the table of shapes states */
	char letters[27]; /* not used yet */
} page_dims;

void page_dims_find(page_dims *d, const api_view *v);
/* The slot of position i of a shape (below 0: from the right); -1: it has no name. */
int page_dims_slot(const page_dims *d, list_name list, int i);
/* A slot's class. */
dim_class *page_dims_class(page_dims *d, int slot);
/* An unused letter. */
const char *page_dims_letter(page_dims *d);

/* The position that a reference is at where its line is at position i; false: it depends on the call. */
bool page_dims_position(const reference *r, bool fixed, int i, int *to);
/* The positions of a line, if they are the same in all calls; 0: they are not. */
int page_dims_positions(const api_view *v, const view_line *l, int *to, int most);
/* The same in the signatures of the line, without positions where a dimension is missing that the line requires. */
int page_dims_stated(const api_view *v, const view_line *l, int *to, int most);

#endif
