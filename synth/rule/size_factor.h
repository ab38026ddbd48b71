/* Factors of products of sizes, as in numel(x)//prod(to without [i]): the sizes themselves, or what stands for them.
 *
 *   s                    AS_IS
 *   max(s, 1)            AT_LEAST_ONE: so that what is empty does not make all of it 0
 *   d if s == 0 else s   COPIED: a dimension d in place of 0, as ONNX's Reshape has it
 */
#ifndef SIZE_FACTOR_H
#define SIZE_FACTOR_H

#include "expr.h"

enum each { AS_IS, AT_LEAST_ONE, COPIED };

typedef struct size_factor {
	enum each each;
	const expr *size, *dimension; /* dimension: COPIED's, else NULL */
} size_factor;

/* The factor of a size. COPIED without a dimension is the size: there is none at its place. */
const expr *size_factor_make(expr_pool *pool, size_factor f);
/* What a factor is made of; what is neither of the others is AS_IS. */
size_factor size_factor_of(const expr *e);

#endif
