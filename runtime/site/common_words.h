/* Counts the APIs that have a clause with the same text. */
#ifndef COMMON_WORDS_H
#define COMMON_WORDS_H

#include "site_rules.h"

typedef struct common_words common_words;

common_words *common_words_of(const site_rules *rules); /* NULL: out of memory. The rules must outlive the result. */
void common_words_free(common_words *s);
int common_words_apis(const common_words *s, const char *text);

#endif
