/* Recomputes the keys of stored findings from the worker's answers, since older databases may have messages that were normalised
 * differently. */
#ifndef STORED_H
#define STORED_H

#include "store.h"

/* The key (failure.h): a string to free(), NULL when out of memory. */
char *stored_key(const finding *f);
/* Gives each finding its current signature as a key. A signature that belongs to another finding stays there. False and d. */
bool stored_rename(store *s, diag *d);

#endif
