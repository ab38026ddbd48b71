/* The dimensions of outputs: by the name of the input's dimension that they equal, by a short value, or by a letter and a formula. */
#ifndef PAGE_OUTPUTS_H
#define PAGE_OUTPUTS_H

#include "page_words.h"

/* Names the outputs' slots, and appends a line for each formula. */
void page_outputs_name(buf *formulas, page_dims *d);

/* What stands for the dimensions before an output's named ones: "...", "..., K" or "*broadcast(a[:-2], b[:-2])". False, and nothing is
 * appended: the line does not give them in all calls. */
bool page_outputs_lead(buf *to, page_dims *d, const view_line *l);

#endif
