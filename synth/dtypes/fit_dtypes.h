/* Finds the dtype rule of an API from trials: equality classes, accepted kinds, combinations, outputs. */
#ifndef FIT_DTYPES_H
#define FIT_DTYPES_H

#include "dtype_trials.h"

/* The table that most calls with two tensors follow, if it gives each dtype back for itself: promotion. NULL: there is none. */
const dtype_table *fit_promotion(arena *a, const dtype_trials *t);

/* The rule of an API; NULL: its trials follow none. promotion: as above. The result lives in the arena. */
const dtype_rule *fit_dtypes(arena *a, const dtype_trials *t, const dtype_api *api, const dtype_table *promotion);

#endif
