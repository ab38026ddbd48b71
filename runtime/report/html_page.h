/* The frame of a page that needs nothing else: no font, no file from elsewhere, and no script but one that is told. */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include "buf.h"

/* Up to where the text begins. The title is three texts, of which the second may be anybody's. head: further elements of
 * <head>, such as styles. */
void page_begin(buf *out, const char *before, const char *name, const char *behind, const char *head);
void page_end(buf *out);

#endif
