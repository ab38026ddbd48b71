/* What a stored finding's failure is called by today: from what the worker answered, so that a database of before, whose
 * messages were normalised in another way, is met again under the names of now. */
#ifndef STORED_H
#define STORED_H

#include "store.h"

/* The key (failure.h): a string to free(), NULL when out of memory. */
char *stored_key(const finding *f);
/* Gives each finding the signature of today, and has its failure known by it. One that is another finding's stays that one's.
 * False and d. */
bool stored_rename(store *s, diag *d);

#endif
