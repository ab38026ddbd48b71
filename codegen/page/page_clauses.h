/* The clauses of a page: one a line, with the number of recorded calls that it rejects. */
#ifndef PAGE_CLAUSES_H
#define PAGE_CLAUSES_H

#include "page_words.h"

/* Marks the clauses that a page counts instead of printing them: they are no simple bounds, and only empty tensors or few calls
 * support them. Before dimensions get names. */
void page_clauses_count(api_view *v);
void page_clauses_put(buf *out, page_dims *d);

#endif
