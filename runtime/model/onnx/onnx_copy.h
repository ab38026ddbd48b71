/* The smallest model of an operator set and IR version, to test whether a library reads them. */
#ifndef ONNX_COPY_H
#define ONNX_COPY_H

#include <stddef.h>
#include <stdint.h>

enum { COPY_MODEL_ROOM = 256 };

/* Writes the file of a model that copies an input of one element. Returns its length, 0 if there is no room. */
size_t copy_model(int opset, int ir, uint8_t to[COPY_MODEL_ROOM]);

#endif
