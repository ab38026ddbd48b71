/* The lines of a rule in the notation of rules.jsonl, if no signature has its rule on the page. The integers of such rules are in
 * lists of lists. The page's lines cannot refer to these. */
#ifndef PAGE_NOTATION_H
#define PAGE_NOTATION_H

#include "api_view.h"
#include "page.h"

/* Whether a row's clauses, or its outputs, are not on the page. */
bool page_notation_lacks_clauses(const api_view *v, int row);
bool page_notation_lacks_outputs(const api_view *v, int row);

/* The notation of the one rule of all signatures. The caller frees it. NULL: some clauses, or outputs, are on the page, or there are
 * several rules. */
page *page_notation_of_clauses(const api_view *v);
page *page_notation_of_outputs(const api_view *v);

#endif
