/* What ONNX calls the types of elements. */
#ifndef ONNX_TYPES_H
#define ONNX_TYPES_H

#include <stdint.h>

int onnx_element_type(uint8_t dtype); /* the number that files have for an rs_dtype; 0: none */

#endif
