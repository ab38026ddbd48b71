/* Classes of element values in a call (docs/explanation/models.md). The classes of the table are for dtypes with the range of float32
 * or more. Dtypes that overflow earlier or are complex accept small elements only, unless the operator keeps the magnitude
 * of its elements. */
#ifndef VALUES_H
#define VALUES_H

#include "ruletable.h"

static inline bool values_complex(uint8_t dtype)
{
	return dtype == RS_COMPLEX32 || dtype == RS_COMPLEX64 || dtype == RS_COMPLEX128;
}

/* Whether one of these dtypes is complex or overflows early, and so narrows the classes below. */
static inline bool values_narrow(const uint8_t *dtypes, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (values_complex(dtypes[i]) || dtypes[i] == RS_FLOAT16)
			return true;
	return false;
}

/* The widest class that input number `input` accepts for the dtypes `row` (nin inputs, then the outputs); RS_VALUES_NONE:
 * none. `classes` as in rs_op, not NULL. */
static inline uint8_t values_takes(
    const uint8_t *classes, unsigned nin, const uint8_t *row, unsigned ntensors, unsigned input)
{
	uint8_t most = classes[input], large = RS_VALUES_LARGE;
	uint8_t cap = classes[nin + large] == large ? large : (uint8_t)RS_VALUES_SMALL;
	return most <= RS_VALUES_ANY && most > cap && values_narrow(row, ntensors) ? cap : most;
}

/* The class of the outputs if no input is wider than `widest`. Inputs with a range do not count. */
static inline uint8_t values_gives(
    const uint8_t *classes, unsigned nin, const uint8_t *row, unsigned ntensors, uint8_t widest)
{
	uint8_t class = classes[nin + widest];
	if (class >= RS_VALUES_LARGE || class == widest)
		return class;
	for (unsigned i = 0; i < ntensors; i++)
		if (values_complex(row[i]))
			return RS_VALUES_LARGE;
	return class;
}

#endif
