#include "broadcast.h"

enum {
	ONE_IN = 4,  /* dimensions that are 1 instead of the operand's */
	ALL_ONE_IN = 3, /* operands of one element */
	MORE_IN = 2, /* larger dimensions where the operand has 1 or none */
};

static int64_t draw_size(gen *g)
{
	return rng_range(&g->rng, g->box.low, g->box.high);
}

void broadcast_draw(gen *g, const graph_tensor *base, unsigned rank, int64_t *shape)
{
	bool single = base && gen_chance(g, ALL_ONE_IN);
	for (unsigned k = 1; k <= rank; k++) {
		int64_t other = !base ? draw_size(g) : k > base->rank ? 1 : base->shape[base->rank - k];
		if (base && other == 1 && gen_chance(g, MORE_IN))
			other = draw_size(g);
		shape[rank - k] = single || gen_chance(g, ONE_IN) ? 1 : other;
	}
}

void broadcast_expand(gen *g, const graph_tensor *base, unsigned rank, int64_t *shape)
{
	for (unsigned k = 1; k <= rank; k++) {
		int64_t other = base && k <= base->rank ? base->shape[base->rank - k] : 1;
		shape[rank - k] = other == 1 && (base || k > 1) ? draw_size(g) : other;
	}
}
