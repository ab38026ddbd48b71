/* Since when ONNX's operators are what they are: a model of the oldest operator set that says it runs on targets that lag
 * behind, and meets more of what a compiler knows. rulefuzz/frameworks/onnx_evaluate.py decides it alike. */
#ifndef ONNX_VERSIONS_H
#define ONNX_VERSIONS_H

#include <stddef.h>
#include <stdint.h>

enum { ONNX_NO_DTYPE = 0xff }; /* an omitted input */

/* The oldest operator set, at least 7, in which an operator of these dtypes (rs_dtype) is the same call as in the newest.
 * 0: the table does not know the operator. */
int onnx_oldest_set(const char *operator, const uint8_t *inputs, size_t nin, const uint8_t *outputs, size_t nout);

#endif
