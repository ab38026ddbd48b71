/* A finding as a page of text: what is known of it, its model as a small program, its script. */
#ifndef SHOW_PAGE_H
#define SHOW_PAGE_H

#include "buf.h"
#include "store.h"
#include "terminal.h"

/* What the terminal would obey is taken out of all texts. */
void show_page(const finding *f, const terminal *t, buf *out);

#endif
