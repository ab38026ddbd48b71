/* Turns runs of calls into bodies of a Loop. */
#ifndef ONNX_LOOPS_H
#define ONNX_LOOPS_H

#include "onnx_folder.h"

/* Replaces the run by a Loop. False: out of memory. */
bool fold_loop(folder *f);

#endif
