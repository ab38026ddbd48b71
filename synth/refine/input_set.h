/* A set of inputs that were queried or recorded, stored as hashes. A hash collision drops a question at worst. Ends the
 * program if memory runs out. */
#ifndef INPUT_SET_H
#define INPUT_SET_H

#include "record.h"

typedef struct input_set { /* inputs of one operator; {.nsym = …} is the empty set */
	uint64_t *hashes; /* open addressing, at most half full; 0: free slot */
	size_t n, room;
	int nsym;
} input_set;

void input_set_free(input_set *s);
bool input_set_has(const input_set *s, const int64_t *x);
bool input_set_add(input_set *s, const int64_t *x); /* false if it was present */
void input_set_add_records(input_set *s, const operator *op);

#endif
