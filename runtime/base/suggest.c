#include "suggest.h"

#include <ctype.h>
#include <string.h>

/* A third of the characters may differ, and always one. */
static size_t near_enough(const char *word)
{
	size_t n = strlen(word);
	return n < 6 ? 1 : n / 3;
}

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

static int lower(const char *text, size_t i)
{
	return tolower((unsigned char)text[i]);
}

/* The optimal string alignment distance; both are at most SUGGEST_LONGEST long. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][SUGGEST_LONGEST + 1], n = strlen(a), m = strlen(b);
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = rows[i % 3];
		const size_t *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t replaced = last[j - 1] + (lower(a, i - 1) != lower(b, j - 1));
			now[j] = min(replaced, min(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a, i - 1) == lower(b, j - 2) && lower(a, i - 2) == lower(b, j - 1))
				now[j] = min(now[j], before[j - 2] + 1);
		}
	}
	return rows[n % 3][m];
}

suggestion suggest_start(const char *word)
{
	return (suggestion){.word = word, .distance = near_enough(word) + 1};
}

void suggest_see(suggestion *s, const char *name)
{
	size_t n = strlen(name);
	if (n > SUGGEST_LONGEST || strlen(s->word) > SUGGEST_LONGEST)
		return;
	const char *dot = strchr(s->word, '.') ? NULL : strrchr(name, '.');
	size_t d = distance(s->word, name);
	if (dot)
		d = min(d, distance(s->word, dot + 1));
	if (d >= s->distance || d >= strlen(s->word)) /* nothing of the word would be left */
		return;
	s->distance = d;
	memcpy(s->name, name, n + 1);
}

const char *suggest(const char *word, const char *const *names, size_t n)
{
	suggestion s = suggest_start(word);
	const char *best = NULL;
	for (size_t i = 0; i < n; i++) {
		size_t before = s.distance;
		suggest_see(&s, names[i]);
		best = s.distance < before ? names[i] : best;
	}
	return best;
}
