/* The dimensions of outputs: the name of an equal input dimension, a short value, or a letter with a formula. */
#ifndef PAGE_OUTPUTS_H
#define PAGE_OUTPUTS_H

#include "page_words.h"
#include "view_cases.h"

/* Names the outputs' slots, and appends a line for each formula. */
void page_outputs_name(buf *formulas, page_dims *d);

/* Prints an output's shape in one case: "(*input[:-1], K)  if rank(other) == 1". */
void page_outputs_case(buf *to, page_dims *d, const view_case *c);

/* Prints the dimensions before an output's named ones: "...", "..., K" or "*broadcast(a[:-2], b[:-2])". False, and
 * appends nothing, if the line does not give them in all calls. */
bool page_outputs_lead(buf *to, page_dims *d, const view_line *l);

#endif
