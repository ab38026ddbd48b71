/* Of how many APIs a clause is said in the same words. */
#ifndef COMMON_WORDS_H
#define COMMON_WORDS_H

#include "site_rules.h"

typedef struct common_words common_words;

common_words *common_words_of(const site_rules *rules); /* NULL when out of memory. Reads the rules, which must outlive it */
void common_words_free(common_words *s);
int common_words_apis(const common_words *s, const char *text);

#endif
