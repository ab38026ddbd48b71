/* Turns runs of calls into local functions. */
#ifndef ONNX_FUNCTIONS_H
#define ONNX_FUNCTIONS_H

#include "onnx_folder.h"

/* Replaces the run by a call of a function; equal runs share one. False: out of memory. */
bool fold_function(folder *f);

#endif
