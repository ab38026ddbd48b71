#include "uses.h"

#include <stdlib.h>

bool uses_open(uses *u, const gen_index *x, const weights *w)
{
	uint32_t sum = 0;
	*u = (uses){.apis = malloc((x->napis + (size_t)1) * sizeof *u->apis), .until = malloc((x->napis + (size_t)1) * sizeof *u->until)};
	if (!u->apis || !u->until)
		return false;
	for (uint32_t a = 0; a < x->napis; a++) {
		uint32_t calls = weights_calls(w, x->ops[x->apis[a].first].op);
		if (!calls)
			continue;
		u->apis[u->n] = a;
		u->until[u->n++] = sum += calls;
	}
	return true;
}

void uses_close(uses *u)
{
	free(u->apis);
	free(u->until);
	*u = (uses){0};
}

uint32_t uses_draw_api(const uses *u, rng *r)
{
	uint32_t at = rng_below(r, u->until[u->n - 1]);
	uint32_t low = 0, high = u->n - 1;
	while (low < high) { /* the first API whose range ends after `at` */
		uint32_t middle = low + (high - low) / 2;
		if (u->until[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	return u->apis[low];
}
