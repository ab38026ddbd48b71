/* Runs of calls as branches of an If and bodies of a Loop. */
#ifndef ONNX_SUBGRAPHS_H
#define ONNX_SUBGRAPHS_H

#include "onnx_folder.h"

/* Finds the constants that only the run uses, for its graph; it takes the other tensors from outside. */
bool folder_find_own(folder *f);
/* Replace the run by an If or a Loop. False: out of memory. */
bool fold_if(folder *f);
bool fold_loop(folder *f);

#endif
