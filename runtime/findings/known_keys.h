/* The findings that failures with the same key became during a run. A key alone does not identify a fault. But if the reduced
 * failures of a key are all one finding, most later ones are duplicates: only the 4th, 8th, 16th and so on is reduced. */
#ifndef KNOWN_KEYS_H
#define KNOWN_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KNOWN_KEYS_SURE = 3 }; /* reduced failures with one finding */

typedef struct known_key {
	char *key;
	int64_t finding; /* 0: there are several, or a failure did not reproduce */
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
