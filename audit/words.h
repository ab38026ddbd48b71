/* A call in words, so that one of a row and one of a rule can be compared: see audited_rule.call (rules.h). */
#ifndef WORDS_H
#define WORDS_H

typedef struct words {
	char text[65536];
	unsigned n;
} words;

/* Adds to the text; what has no room is left out whole. */
void say(words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
