/* Named dimensions: N, C, H, W.
 *
 * A tensor whose dimensions lines refer to one by one has a name for each of these: all, if its rank is fixed, else the last
 * (the first) ones, with "..." or an optional "N?" for the others. Dimensions that clauses make equal in all calls are one class
 * with one name. A class that a clause makes equal to an expression is printed as that.
 */
#ifndef PAGE_DIMS_H
#define PAGE_DIMS_H

#include "api_view.h"

enum { DIM_SLOTS = 160 };

typedef struct dim_class {
	const template *is; /* its value, at position i; NULL: it has a name */
	int i;
	const char *name, *number; /* number: an integer argument or a number that it equals */
	bool used; /* printed */
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
/* The same in the calls of which it states something, without positions at which a dimension that it asks for is missing. */
int page_dims_stated(const api_view *v, const view_line *l, int *to, int most);

#endif
