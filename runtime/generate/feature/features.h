/* The functions of model features, which modelfeatures.h lists, and the stages in which a generator calls them. */
#ifndef FEATURES_H
#define FEATURES_H

#include "gen.h"

/* Invalid models have those of the first two stages only. */
enum feature_stage {
	STAGE_DRAWING,	 /* the generator reads the share while it draws calls */
	STAGE_CALLS,	 /* after graph_keep_unused; adds calls, also to models that become invalid afterwards */
	STAGE_SHAPES,	 /* before the search for shape instances; changes calls */
	STAGE_MODEL,	 /* after the search */
	STAGE_MEMORY,	 /* only models with one shape instance: strides and writes are of one shape */
	STAGE_EXECUTION, /* the same models, afterwards: how they are called. Targets compile the forward pass alone for several shapes */
	STAGE_BODIES,	 /* at last: groups calls; changes none */
};

/* Each changes a share of g->graph, in thousandths, which is in g->features and not 0. It draws only from r, and keeps all
 * calls valid. False: out of memory. The files of feature/ have a comment on each. */
#define FEATURE(field, option, needs, run, stage, stream, function, help) bool function(gen *g, rng *r);
RS_FEATURES(FEATURE)
#undef FEATURE

#endif
