/* Walks: the positions that a line of C is said of, `for (int i = -2; i < 0; i++)`. */
#ifndef WALK_H
#define WALK_H

#include "template.h"

enum walk_way {
	WALK_NONE,  /* said once */
	WALK_RIGHT, /* i counts from the right: -n … -1 */
	WALK_LEFT   /* from the left: 0 … n - 1 */
};

typedef struct walk {
	uint8_t way;
	int16_t only;	    /* the last (the first) so many positions; 0: all */
	int16_t head, tail; /* but the first and the last so many */
	list_name over;	    /* whose positions, where all; argument NULL: an output's */
	list_name but;	    /* but those that this argument names; argument NULL: none */
} walk;

/* The positions i that a walk comes to in a call form; n: of the output, where it is that. Returns how many; `most`, the
 * room, also where it cannot be said. */
int walk_positions(const walk *w, const family_forms *f, const call_form *form, int n, int *to, int most);
bool walk_same(const walk *a, const walk *b);

#endif
