/* Lines from the rules of signatures, if none of them is an instance of an API rule. Such rules
 * have integers in lists of lists, which API rules do not have, or depend on the number of outputs.
 *
 *   statement.h ──► texts of each statement ──► the texts that cover all statements, most at once, each with its signatures
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
	bool *lacks, *on; /* per row: its clauses, or outputs, are not in an API rule; all of them are in these lines */
} page_own;

page_own page_own_clauses(const api_view *v);
page_own page_own_outputs(const api_view *v);

#endif
