/* The frame of a self-contained page: no font, no external file, and no script except a given one. */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include "buf.h"

/* Writes everything before the text. The title consists of three parts; the second may be untrusted. head: further elements
 * of <head>, such as styles. */
void page_begin(buf *out, const char *before, const char *name, const char *behind, const char *head);
void page_end(buf *out);

#endif
