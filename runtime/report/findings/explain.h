/* A finding in words: the comparison, both results, the tolerance, and the confirmation.
 *
 * Everything is read from the database; nothing is run. Texts of models and workers are escaped for a terminal. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "buf.h"
#include "store.h"

/* Several paragraphs. False: out of memory. */
bool explain_finding(const finding *f, arena *a, buf *out);

/* "once, first 2026-11-28T13:00:00Z" */
void explain_seen(const finding *f, buf *out);

/* The age of a UTC time of the database: "3 d", "5 h", "now"; "" for a text that is no such time. */
void explain_age(const char *found, long long now, buf *out);

#endif
