/* A set of inputs, as hashes: those that were asked about or recorded. Two inputs of one hash count as one, which at worst
 * leaves a question out. Stops the program when memory runs out.
 */
#ifndef INPUT_SET_H
#define INPUT_SET_H

#include "record.h"

typedef struct input_set { /* of one operator's; {.nsym = …} is empty */
	uint64_t *hashes; /* open addressing, at most half full; 0: free */
	size_t n, room;
	int nsym;
} input_set;

void input_set_free(input_set *s);
bool input_set_has(const input_set *s, const int64_t *x);
bool input_set_add(input_set *s, const int64_t *x); /* false when it was there */
void input_set_add_records(input_set *s, const operator *op);

#endif
