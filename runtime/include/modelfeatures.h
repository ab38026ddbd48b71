/* The features of models besides their calls: one row for each. Fields of rs_features, options of the commands, their help,
 * default and settings, and the Python struct come from these rows.
 *
 * FEATURE(field, option, needs, run, help): needs: STRIDES for frameworks with strided tensors, FILES for frameworks whose models
 * are files, NOTHING. run: the default of `rulefuzz run`, in thousandths. New rows come last: the order is part of the ABI. */
#ifndef MODELFEATURES_H
#define MODELFEATURES_H

#define RS_FEATURES(FEATURE)                                                                                                       \
	FEATURE(layouts, "layouts", STRIDES, 300, "fraction of inputs that are permuted, expanded, sliced or aliased")             \
	FEATURE(gradients, "gradients", STRIDES, 300, "fraction of models that also return gradients")                             \
	FEATURE(modules, "modules", STRIDES, 300, "fraction of models that are modules with parameters")                           \
	FEATURE(repeats, "repeats", NOTHING, 100, "fraction of calls that are repeated, unchanged or with one change")             \
	FEATURE(wide_integers, "wide-integers", NOTHING, 200,                                                                      \
	    "fraction of integer inputs with elements beyond 2^24, 2^31 or 2^53 or at the ends of their dtype")                    \
	FEATURE(functions, "functions", FILES, 100, "fraction of models with a model-local function")                              \
	FEATURE(subgraphs, "subgraphs", FILES, 100, "fraction of models with If branches, Loop or Scan bodies")                    \
	FEATURE(quantized, "quantized", FILES, 200,                                                                                \
	    "fraction of models with QuantizeLinear and DequantizeLinear around float tensors")                                    \
	FEATURE(shape_arithmetic, "shape-arithmetic", FILES, 500,                                                                  \
	    "fraction of models that compute shapes with Shape, Gather, Concat and so on, as exporters write them")                \
	FEATURE(mutation, "mutation", STRIDES, 300,                                                                                \
	    "fraction of models whose calls write to inputs, results and views that live on")                                      \
	FEATURE(sessions, "sessions", STRIDES, 100,                                                                                \
	    "fraction of models that are called several times, with changes to arguments and Python state between the calls")        \
	FEATURE(regions, "regions", STRIDES, 100,                                                                                  \
	    "fraction of models with calls inside transforms: vjp, vmap, checkpoint, autocast, cond, while_loop and so on")        \
	FEATURE(weights, "weights", STRIDES, 250, "fraction of drawn APIs that are drawn as often as real models call them")

#endif
