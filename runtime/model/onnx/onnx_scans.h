/* Runs of calls as bodies of a Scan. */
#ifndef ONNX_SCANS_H
#define ONNX_SCANS_H

#include "onnx_folder.h"

/* Replaces the run by a Scan: what it takes is the last slice of a stack, and what it makes the last of the stacked results.
 * False: out of memory. */
bool fold_scan(folder *f);

#endif
