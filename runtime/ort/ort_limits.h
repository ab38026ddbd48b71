/* What a library of onnxruntime reads: the newest operator set and the newest IR version, found by asking it. Its number says
 * neither, and a file beyond them is rejected whatever its calls are. */
#ifndef ORT_LIMITS_H
#define ORT_LIMITS_H

#include "ort.h"
#include "write_onnx.h"

/* At most those that models have. options: without optimizations. {0}: it reads none, so nothing limits a file. */
file_limits ort_limits(const ort *lib, const ort_env *env, const ort_options *options);

#endif
