/* Bounds of a tensor without dimensions: its low is its value, and its high is one more. x.high > y.high is x > y. */
#ifndef PAGE_BOUNDS_H
#define PAGE_BOUNDS_H

#include "api_view.h"

/* Whether a reference is to a bound of a tensor that never has dimensions. */
bool page_bounds_is_value(const api_view *v, const reference *r);
/* The expression over values instead of these bounds; *t becomes its template. */
const expr *page_bounds_as_values(const api_view *v, const template **t, const expr *e);

#endif
