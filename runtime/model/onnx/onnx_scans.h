/* Turns runs of calls into bodies of a Scan. */
#ifndef ONNX_SCANS_H
#define ONNX_SCANS_H

#include "onnx_folder.h"

/* Replaces the run by a Scan: an input is the last slice of a stack, and a result the last of the stacked results. False: out of
 * memory. */
bool fold_scan(folder *f);

#endif
