/* Whether a page shows this wrong result: compares two elements, the target's and the expected one. */
#ifndef ELEMENTS_AGREE_H
#define ELEMENTS_AGREE_H

#include <stdbool.h>

/* got and expected: of the finding's first difference, "0.0" and "nan"; the other two as a page prints them,
 * "float32 (2,) [0.0, 1.0]". True if the first elements that differ on the page are the same two, or are both of the same
 * class and one is NaN or infinite. Small whole numbers are no evidence. */
bool elements_agree(const char *got, const char *expected, const char *page_got, const char *page_expected);

#endif
