/* The features of models besides their calls: one row for each. Fields of rs_features, options of the commands, their help,
 * default and settings, the Python struct, and the generator's calls and random streams come from these rows.
 *
 * FEATURE(field, option, needs, run, stage, stream, function, help)
 *
 *   needs     STRIDES: frameworks with strided tensors; FILES: frameworks whose models are files; NOTHING
 *   run       the default of `rulefuzz run`, in thousandths
 *   stage     when the generator calls the function (generate/feature/features.h)
 *   stream    the number of its random stream: the first one that neither a row nor generate/stream.h has, and never
 *             another one, since models depend on it; 0: none
 *   function  bool function(gen *g, rng *r), false if memory runs out; gen_while_drawing: none
 *
 * New rows come last: the order is part of the ABI. Within a stage, functions are called in this order. */
#ifndef MODELFEATURES_H
#define MODELFEATURES_H

/* clang-format off */
#define RS_FEATURES(FEATURE)                                                                                                       \
	FEATURE(layouts, "layouts", STRIDES, 300, MEMORY, 2, gen_lay_out,                                                          \
	    "fraction of inputs that are permuted, expanded, sliced or aliased")                                                   \
	FEATURE(gradients, "gradients", STRIDES, 300, EXECUTION, 3, gen_gradients, "fraction of models that also return gradients") \
	FEATURE(modules, "modules", STRIDES, 300, MODEL, 4, gen_module, "fraction of models that are modules with parameters")     \
	FEATURE(repeats, "repeats", NOTHING, 100, CALLS, 1, gen_repeat,                                                            \
	    "fraction of calls that are repeated, unchanged or with one change")                                                   \
	FEATURE(wide_integers, "wide-integers", NOTHING, 200, DRAWING, 0, gen_while_drawing,                                       \
	    "fraction of integer inputs with elements beyond 2^24, 2^31 or 2^53 or at the ends of their dtype")                    \
	FEATURE(functions, "functions", FILES, 100, BODIES, 5, gen_functions, "fraction of models with a model-local function")    \
	FEATURE(subgraphs, "subgraphs", FILES, 100, BODIES, 6, gen_subgraphs,                                                      \
	    "fraction of models with If branches, Loop or Scan bodies")                                                            \
	FEATURE(quantized, "quantized", FILES, 200, MODEL, 10, gen_quantize,                                                       \
	    "fraction of models with QuantizeLinear and DequantizeLinear around float tensors")                                    \
	FEATURE(shape_arithmetic, "shape-arithmetic", FILES, 500, SHAPES, 12, gen_compute_shapes,                                  \
	    "fraction of models that compute shapes with Shape, Gather, Concat and so on, as exporters write them")                \
	FEATURE(mutation, "mutation", STRIDES, 300, MEMORY, 13, gen_mutate,                                                        \
	    "fraction of models whose calls write to inputs, results and views that live on")                                      \
	FEATURE(sessions, "sessions", STRIDES, 100, EXECUTION, 15, gen_session,                                                    \
	    "fraction of models that are called several times, with changes to arguments and Python state between the calls")      \
	FEATURE(regions, "regions", STRIDES, 100, EXECUTION, 16, gen_regions,                                                      \
	    "fraction of models with calls inside transforms: vjp, vmap, checkpoint, autocast, cond, while_loop and so on")        \
	FEATURE(weights, "weights", STRIDES, 250, DRAWING, 0, gen_while_drawing,                                                   \
	    "fraction of drawn APIs that are drawn as often as real models call them")                                             \
	FEATURE(special_floats, "special-floats", NOTHING, 50, MODEL, 18, gen_special_floats,                                      \
	    "fraction of models with NaN, infinities, zeros or ends of dtypes in float inputs")
/* clang-format on */

#endif
