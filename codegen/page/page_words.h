/* Expressions of a page in its notation (docs/reference/rule-notation.md): dimensions by their names, windows and slices by theirs. */
#ifndef PAGE_WORDS_H
#define PAGE_WORDS_H

#include "page_dims.h"

enum { ANY_ITEM = 999 }; /* the tensor of a list that a line is said of with an index */

/* Where a line is said. */
typedef struct page_place {
	bool fixed, items; /* at position i; of all items of lists, which are said without an index */
	int i;
} page_place;

void page_words_put(buf *to, page_dims *d, const template *t, const expr *e, page_place at);
/* "hidden_size > 0" for 4*hidden_size > 0. False, and nothing is appended, for all else. */
bool page_words_put_positive(buf *to, page_dims *d, const template *t, int at);
/* A slot's name, or its value. */
void page_words_slot(buf *to, page_dims *d, int slot);
/* "ceil_mode and rank(input) == 3" */
void page_words_guard(buf *to, const page_guard *g);
/* " for each i", " for i = -1, -2, ..." */
void page_words_range(buf *to, const api_view *v, const view_line *l);
/* " if …" behind a line; `listed`: signatures by their numbers. */
void page_words_condition(buf *to, const api_view *v, const view_line *l);
/* "drop(input, dim)" */
void page_words_whole(buf *to, const api_view *v, const view_line *l);
/* "out", or "out1" if there are several. */
void page_words_output(buf *to, const api_view *v, int t);
/* Of an argument, or "tensors[0]". */
void page_words_list(buf *to, const api_view *v, list_name name);

#endif
