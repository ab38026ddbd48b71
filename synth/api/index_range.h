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
	int16_t only;	    /* only that many positions at the end (RANGE_LEFT: at the beginning); 0: all */
	int16_t head, tail; /* excluded positions at the beginning and at the end */
	list_name over;	    /* the list whose positions are meant; argument NULL: those of an output */
	list_name but;	    /* exclude the positions that this argument names; argument NULL: none */
} index_range;

/* Writes the positions i of a range in a signature and returns their number. n: length of the output, for ranges over an
 * output. Returns `most`, the room in `to`, if the positions are unknown or too many. */
int index_range_positions(const index_range *w, const api_calls *f, const api_call *form, int n, int *to, int most);
bool index_range_same(const index_range *a, const index_range *b);

#endif
