/* Runs of calls as local functions. */
#ifndef ONNX_FUNCTIONS_H
#define ONNX_FUNCTIONS_H

#include "onnx_folder.h"

/* Replaces the run by a call of a function, which may be that of an equal run. False: out of memory. */
bool fold_function(folder *f);

#endif
