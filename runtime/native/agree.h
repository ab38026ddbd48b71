/* When two results agree: what rulefuzz/compare.py says, for tensors in memory (docs/running.md, "The verdict"). */
#ifndef AGREE_H
#define AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether all elements of two tensors of one dtype (an rs_dtype with a size) and shape agree: the same bits, or
 * floats and complex numbers within the tolerance, where NaN agrees with NaN and an infinity with itself. */
bool agree(uint8_t dtype, const void *got, const void *want, size_t count);

#endif
