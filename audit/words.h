/* Calls and rows in words. A call, so that one of a row and one of a rule can be compared: see audited_rule.call (rules.h). */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct words {
	char text[65536];
	unsigned n;
} words;

/* Adds to the text; what has no room is left out whole. */
void say(words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* n numbers as "[1,2,3]", as many of them as there is room for (at least 32 bytes). Returns to. */
const char *row_text(char *to, size_t room, const int64_t *v, unsigned n);

#endif
