/* The clauses of a page: one a line, with the number of recorded calls that it rejects. */
#ifndef PAGE_CLAUSES_H
#define PAGE_CLAUSES_H

#include "page_words.h"

void page_clauses_put(buf *out, page_dims *d);

#endif
