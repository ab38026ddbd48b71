/* The factors or terms of a fold: the sizes themselves, or a function of each. In products of sizes, as in
 * numel(x)//prod(to without [i]):
 *
 *   s                    AS_IS
 *   max(s, 1)            AT_LEAST_ONE: empty dimensions do not make the product 0
 *   d if s == 0 else s   COPIED: 0 stands for dimension d, as in ONNX's Reshape
 *
 * In sums, which count items:
 *
 *   1 if s != 0 else 0                  NONZERO
 *   1 if s != t and s != u else 0       DISTINCT: 1 for the last of equal items; t and u are the later items; 1 for the last item
 */
#ifndef SIZE_FACTOR_H
#define SIZE_FACTOR_H

#include "expr.h"

enum each { AS_IS, AT_LEAST_ONE, COPIED, NONZERO, DISTINCT };

typedef struct size_factor {
	enum each each;
	const expr *size, *dimension; /* the dimension of COPIED, else NULL */
} size_factor;

/* Whether it belongs to sums. */
static inline bool size_factor_counts(int each)
{
	return each == NONZERO || each == DISTINCT;
}

/* Number of nonzero or distinct items. NULL if there are no items or `each` does not count. */
const expr *size_factor_count(expr_pool *pool, enum each each, const expr *const *items, int n);

/* The expression of a factor. COPIED without a dimension is the size itself. */
const expr *size_factor_make(expr_pool *pool, size_factor f);
/* The inverse of the above; an expression of another form is AS_IS. */
size_factor size_factor_of(const expr *e);

#endif
