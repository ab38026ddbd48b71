#include "words.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "failure.h"

enum { TEXT = 1000, SHORTEST = 3, LONGEST = 64 };

static int by_hash(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
	return (one > two) - (one < two);
}

static bool has(const words *w, uint64_t hash)
{
	return w->n && bsearch(&hash, w->list, (size_t)w->n, sizeof hash, by_hash);
}

static void add(words *to, uint64_t hash)
{
	int at = to->n;
	if (to->n == WORDS_MOST || has(to, hash))
		return;
	for (; at && to->list[at - 1] > hash; at--)
		to->list[at] = to->list[at - 1];
	to->list[at] = hash;
	to->n++;
}

void words_add(words *to, const char *text)
{
	buf form = {0};
	normalise(text, TEXT, &form);
	for (const char *c = buf_text(&form); *c;) {
		char lower[LONGEST];
		size_t n = 0, width = 0;
		for (; isalpha((unsigned char)c[width]) || c[width] == '_'; width++)
			if (n < sizeof lower)
				lower[n++] = (char)tolower((unsigned char)c[width]);
		size_t from = 0; /* __lshift__ is lshift in messages */
		for (; from < n && lower[from] == '_'; from++)
			;
		for (; n > from && lower[n - 1] == '_'; n--)
			;
		if (n - from >= SHORTEST)
			add(to, XXH3_64bits(lower + from, n - from));
		c += width ? width : 1;
	}
	buf_free(&form);
}

void words_remove(words *from, const words *other)
{
	int kept = 0;
	for (int i = 0; i < from->n; i++)
		if (!has(other, from->list[i]))
			from->list[kept++] = from->list[i];
	from->n = kept;
}

/* Assumes one more page with the word, so that a word on no page has a finite weight. */
static double bits(const words_corpus *c, uint64_t hash)
{
	int pages = 0;
	for (int i = 0; i < c->n; i++)
		pages += has(&c->pages[i], hash);
	return log2((c->n + 1.0) / (pages ? pages : 1));
}

double words_weight(const words_corpus *c, const words *a, const words *b)
{
	double sum = 0;
	for (int i = 0; i < a->n; i++)
		if (!b || has(b, a->list[i]))
			sum += bits(c, a->list[i]);
	return sum;
}
