/* A toy: all results of calls are results of the model. */
#include "features.h"

bool gen_return_all(gen *g, rng *r)
{
	graph *m = g->graph;
	if (rng_below(r, 1000) >= g->features.return_all)
		return true;
	for (uint32_t i = 0; i < m->ntensors; i++)
		m->tensors[i].kept |= m->tensors[i].live && m->tensors[i].producer != GRAPH_NONE;
	return true;
}
