/* The types and the byte order of elements in ONNX files. */
#ifndef ONNX_TYPES_H
#define ONNX_TYPES_H

#include <stddef.h>
#include <stdint.h>

int onnx_element_type(uint8_t dtype); /* the number of an rs_dtype in files; 0: none */

/* Gives elements the byte order of files, in place. */
void onnx_little_endian(uint8_t *bytes, size_t size, size_t count);

#endif
