/* The findings that the failures of a key turned out to be during a run. A key alone does not identify a fault. But once some
 * failures of a key were reduced and all are one finding, most later ones are duplicates of it: only the 4th, 8th, 16th and so on
 * is reduced. */
#ifndef KNOWN_KEYS_H
#define KNOWN_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KNOWN_KEYS_SURE = 3 }; /* reduced failures with one finding */

typedef struct known_key {
	char *key;
	int64_t finding; /* 0: they are of several, or one did not fail again */
	uint64_t reduced, met; /* failures: reduced ones, all */
} known_key;

typedef struct known_keys {
	known_key *list;
	size_t n, room;
} known_keys;

/* Counts a failure. Returns the finding that it is a duplicate of, 0 if it is to be reduced. */
int64_t known_keys_meet(known_keys *k, const char *key);
/* After a reduction; finding: 0 if there is none. False: out of memory. */
bool known_keys_note(known_keys *k, const char *key, int64_t finding);
void known_keys_free(known_keys *k);

#endif
