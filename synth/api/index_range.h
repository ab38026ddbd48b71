/* The positions that a template applies to, as a C loop: `for (int i = -2; i < 0; i++)`. */
#ifndef RANGE_H
#define RANGE_H

#include "template.h"

enum range_way {
	RANGE_NONE,  /* no index */
	RANGE_RIGHT, /* i counts from the right: -n … -1 */
	RANGE_LEFT   /* i counts from the left: 0 … n - 1 */
};

typedef struct index_range {
	uint8_t way;
	int16_t only;	    /* The number of positions at the end (RANGE_LEFT: at the beginning). 0: all. */
	int16_t head, tail; /* The number of excluded positions at the beginning and at the end. */
	list_name over;	    /* The list with these positions. argument NULL: an output. */
	list_name but;	    /* An argument that names excluded positions. argument NULL: none. */
} index_range;

/* Writes the positions i of a range in a signature, and returns their number. n: the length of the output, if the range is
 * over an output. most: the room in `to`. Returns `most` if the positions are unknown or too many. */
int index_range_positions(const index_range *w, const api_calls *f, const api_call *form, int n, int *to, int most);
bool index_range_same(const index_range *a, const index_range *b);

#endif
