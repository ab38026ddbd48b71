/* Draws APIs as often as real models call them. */
#ifndef USES_H
#define USES_H

#include "gen_index.h"
#include "rng.h"
#include "weights.h"

typedef struct uses {
	uint32_t *apis;	 /* n APIs of the index that real models call */
	uint32_t *until; /* the calls of these, each with all before it */
	uint32_t n;
} uses;

/* False: out of memory. */
bool uses_open(uses *u, const gen_index *x, const weights *w);
void uses_close(uses *u);

/* Of APIs that real models call; n must not be 0. */
uint32_t uses_draw_api(const uses *u, rng *r);

#endif
