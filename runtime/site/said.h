/* Of how many APIs a clause is said in the same words. */
#ifndef SAID_H
#define SAID_H

#include "site_rules.h"

typedef struct said said;

said *said_of(const site_rules *rules); /* NULL when out of memory. Reads the rules, which must outlive it */
void said_free(said *s);
int said_apis(const said *s, const char *text);

#endif
