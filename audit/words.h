/* Calls and rows as text, so that the call of a row can be compared with that of a rule: see
 * audited_rule.call (rules.h). */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct words {
	char text[65536];
	unsigned n;
} words;

/* Appends to the text. If there is no room, appends nothing. */
void words_add(words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* n numbers as "[1,2,3]", cut if there is no room (at least 32 bytes). Returns to. */
const char *row_text(char *to, size_t room, const int64_t *v, unsigned n);

#endif
