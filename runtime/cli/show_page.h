/* A finding as a page of text: what is known of it, its model as a small program, its script. */
#ifndef SHOW_PAGE_H
#define SHOW_PAGE_H

#include "buf.h"
#include "store.h"
#include "terminal.h"

/* What the terminal would obey is taken out of all texts. */
void show_page(const finding *f, const terminal *t, buf *out);

/* The short script, where there is one, or the long one: its text, which may be in the buffer. */
const char *show_script(const finding *f, bool full, buf *room);

#endif
