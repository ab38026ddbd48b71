/* The symbols of a call by the names of its arguments: x[0], tensors[1][0], paddings[0][1], x.low. */
#ifndef SYMBOL_PLACE_H
#define SYMBOL_PLACE_H

#include "buf.h"
#include "call.h"

enum { SYMBOL_INDICES = 3 };

typedef struct symbol_place {
	const char *argument;
	int n; /* number of indices */
	int16_t at[SYMBOL_INDICES], length[SYMBOL_INDICES]; /* each index, and the length of what it is in */
	bool dim; /* the last index is a dimension's */
	const char *bound; /* ".low" or ".high" of a tensor's elements; "": none */
} symbol_place;

/* The place of each symbol, in `memory`. */
const symbol_place *symbol_places(arena *memory, const call *c);

/* Appends the name of a symbol. */
void symbol_place_put(buf *to, const symbol_place *p);

#endif
