/* The dtype rule of an API in notation, a line for each case. */
#ifndef DTYPE_PAGE_H
#define DTYPE_PAGE_H

#include "dtype_rule.h"

/* Appends the lines of a comment: arguments of one dtype, the dtypes that they accept, the dtypes of the outputs. */
void dtype_page_put(buf *out, const dtype_rule *r);

#endif
