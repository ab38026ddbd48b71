/* Walks: the positions that a line of C is said of, `for (int i = -2; i < 0; i++)`. */
#ifndef RANGE_H
#define RANGE_H

#include "template.h"

enum range_way {
	RANGE_NONE,  /* said once */
	RANGE_RIGHT, /* i counts from the right: -n … -1 */
	RANGE_LEFT   /* from the left: 0 … n - 1 */
};

typedef struct index_range {
	uint8_t way;
	int16_t only;	    /* the last (the first) so many positions; 0: all */
	int16_t head, tail; /* but the first and the last so many */
	list_name over;	    /* whose positions, where all; argument NULL: an output's */
	list_name but;	    /* but those that this argument names; argument NULL: none */
} index_range;

/* The positions i that a index_range comes to in a call form; n: of the output, where it is that. Returns how many; `most`, the
 * room, also where it cannot be said. */
int range_positions(const index_range *w, const api_calls *f, const api_call *form, int n, int *to, int most);
bool range_same(const index_range *a, const index_range *b);

#endif
