/* Recomputes the keys of stored findings from the worker's answers. A database whose messages were normalised differently then
 * has today's keys. */
#ifndef STORED_H
#define STORED_H

#include "store.h"

/* The key (failure.h): a string to free(), NULL when out of memory. */
char *stored_key(const finding *f);
/* Gives each finding the signature of today, and has its failure known by it. One that is another finding's stays that one's.
 * False and d. */
bool stored_rename(store *s, diag *d);

#endif
