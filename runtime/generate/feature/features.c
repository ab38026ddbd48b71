#include "features.h"

const char *rs_feature_name(unsigned i)
{
	static const char *const NAMES[] = {
#define NAME(field, option, needs, run, stage, stream, function, help) #field,
	    RS_FEATURES(NAME)
#undef NAME
	};
	return i < sizeof NAMES / sizeof *NAMES ? NAMES[i] : NULL;
}

/* Stands in rows of features without a function: the generator reads their shares elsewhere. */
bool gen_while_drawing(gen *g, rng *r)
{
	(void)g, (void)r;
	return true;
}

/* ---- features that a mark of the model is enough for */

bool gen_module(gen *g, rng *r)
{
	g->graph->module = rng_below(r, 1000) < g->features.modules;
	return true;
}

/* A mutated model has none: its inputs, which it writes to, may not require any. */
bool gen_gradients(gen *g, rng *r)
{
	g->graph->gradients = !g->mutated && rng_below(r, 1000) < g->features.gradients;
	return true;
}
