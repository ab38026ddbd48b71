/* Finds the dtype rule of an API from trials: equality classes, accepted kinds, combinations, outputs. */
#ifndef FIT_DTYPES_H
#define FIT_DTYPES_H

#include "dtype_trials.h"

/* The promotion table that most situations with two tensors agree on; NULL if there is none. Lives in the arena. */
const dtype_table *fit_dtypes_promotion(arena *a, const dtype_trials *t);

/* The dtype rule of an API; NULL if none agrees with its trials. promotion: as above, may be NULL. Lives in the
 * arena. */
const dtype_rule *fit_dtypes(arena *a, const dtype_trials *t, const dtype_api *api, const dtype_table *promotion);

#endif
