/* The rule of one signature, if no signature is an instance of an API rule. The integers of such rules are in lists of lists, which
 * API rules do not have.
 *
 *   paddings[0][0] >= 0, paddings[0][1] >= 0, paddings[1][0] >= 0, paddings[1][1] >= 0     paddings[i][j] >= 0 for each i, j
 */
#ifndef PAGE_OWN_H
#define PAGE_OWN_H

#include "api_view.h"

/* Whether a row's clauses, or its outputs, are not on the page. */
bool page_own_lacks_clauses(const api_view *v, int row);
bool page_own_lacks_outputs(const api_view *v, int row);

/* Texts in the view's memory; n is 0 if some signature has its clauses, or outputs, on the page. */
typedef struct page_own {
	const char **list;
	int n;
	bool *on; /* per row: its clauses, or outputs, are these with its number or without a number */
} page_own;

/* The clauses, or the outputs, of the signature that has most symbols. */
page_own page_own_clauses(const api_view *v);
page_own page_own_outputs(const api_view *v);

#endif
