/* The table of shapes of a page: a line for each tensor, then the dimensions of outputs that need a formula. */
#ifndef PAGE_SHAPES_H
#define PAGE_SHAPES_H

#include "page_words.h"

/* Appends the inputs' lines, then the outputs'. */
void page_shapes_put(buf *out, page_dims *d);

#endif
