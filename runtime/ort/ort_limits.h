/* The newest operator set and IR version that a library of onnxruntime reads, found by loading models. Its version number does
 * not determine them, and it rejects any file beyond them. */
#ifndef ORT_LIMITS_H
#define ORT_LIMITS_H

#include "ort.h"
#include "write_onnx.h"

/* At most those of models. options: without optimizations. {0}: it reads none; then files have no limit. */
file_limits ort_limits(const ort *lib, const ort_env *env, const ort_options *options);

#endif
