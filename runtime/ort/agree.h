/* Whether two results agree: the rules of compare.py and tolerance.py in rulefuzz/oracle, for tensors in memory
 * (docs/reference/oracle.md). */
#ifndef AGREE_H
#define AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind of tolerance; for the measured one, whether whole numbers may be exact: these must not be off by more than a half,
 * even if the dtype allows more. */
enum agree_preset { AGREE_MEASURED, AGREE_NEURI, AGREE_ISRA };

typedef struct agreement {
	enum agree_preset preset;
	bool exact;
	bool pair; /* float64 that a cast may have made from fewer bits: see PAIR of rounding.py */
} agreement;

extern const char *const AGREE_PRESETS[]; /* their names, rulefuzz/oracle/tolerance.py has them; then NULL */
int agree_parse(const char *preset);	  /* by its name; -1: none */

/* Whether all elements of two tensors of one dtype (an rs_dtype with a size) and shape agree: the same bits, or
 * floats and complex numbers within the tolerance, where NaN agrees with NaN and an infinity with itself. */
bool agree(agreement how, uint8_t dtype, const void *got, const void *want, size_t count);

/* The tolerance of a float dtype: |got - want| <= absolute + relative * |want|. False: the dtype has none. */
bool agree_bounds(enum agree_preset preset, uint8_t dtype, double *absolute, double *relative);

#endif
