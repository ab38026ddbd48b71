/* A finding as a page of text: status, results, facts, its model as a small program, and a script of at most 40 lines. */
#ifndef SHOW_PAGE_H
#define SHOW_PAGE_H

#include "buf.h"
#include "store.h"
#include "terminal.h"

/* All texts are escaped for the terminal. */
void show_page(const finding *f, const terminal *t, buf *out);

#endif
