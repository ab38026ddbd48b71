/* What folds are of: the sizes or numbers themselves, or what stands for each. In products of sizes, as in
 * numel(x)//prod(to without [i]):
 *
 *   s                    AS_IS
 *   max(s, 1)            AT_LEAST_ONE: so that what is empty does not make all of it 0
 *   d if s == 0 else s   COPIED: a dimension d in place of 0, as ONNX's Reshape has it
 *
 * In sums, which count then:
 *
 *   1 if s != 0 else 0                  NONZERO
 *   1 if s != t and s != u else 0       DISTINCT: 1 for the last of those that are equal; t and u are the later ones, and the
 *                                       very last is 1
 */
#ifndef SIZE_FACTOR_H
#define SIZE_FACTOR_H

#include "expr.h"

enum each { AS_IS, AT_LEAST_ONE, COPIED, NONZERO, DISTINCT };

typedef struct size_factor {
	enum each each;
	const expr *size, *dimension; /* dimension: COPIED's, else NULL */
} size_factor;

/* Whether it is of sums. */
static inline bool each_counts(int each)
{
	return each == NONZERO || each == DISTINCT;
}

/* How many of n numbers are not 0, or how many distinct ones there are. NULL: there are none, or none is counted so. */
const expr *count_of_items(expr_pool *pool, enum each each, const expr *const *items, int n);

/* The factor of a size, of a product. COPIED without a dimension is the size: there is none at its place. */
const expr *size_factor_make(expr_pool *pool, size_factor f);
/* What a factor is made of; of what counts, which number; what is none of the others is AS_IS. */
size_factor size_factor_of(const expr *e);

#endif
