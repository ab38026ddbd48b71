/* The words of a message as a set, and the share of it that another text has.
 *
 * Numbers, dtypes, paths and quoted short names differ between two models with one bug, so they do not count. A word has a higher
 * weight if few pages of the product have it. */
#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>

enum { WORDS_MOST = 160 };
typedef struct words {
	uint64_t list[WORDS_MOST]; /* sorted hashes */
	int n;
} words;

/* Adds the words of the first 1000 bytes of a text. Adds none if memory runs out. */
void words_add(words *to, const char *text);
void words_remove(words *from, const words *other);

typedef struct words_corpus {
	words *pages;
	int n;
} words_corpus;

/* The bits of information of the words of `a` that are also in `b`; of all its words if b is NULL. */
double words_weight(const words_corpus *c, const words *a, const words *b);

#endif
