/* Shapes as wholes: the notation for output shapes that are made of input shapes
 * (docs/reference/rule-notation.md).
 *
 *   input                       the shape of a tensor; the items of a list, of an integer
 *   broadcast(a, b)             aligned from the right; if one of two sizes is 1, the other
 *   drop(input, dim)            without the dimensions that dim names; without dim, without all; `dim or all`: of an empty list, too;
 *                               dim may be a number that the rule has a symbol for
 *   set(input, dim, 1)          these are 1 instead, or another argument
 *   replace(input, dim, index)  the shape of index in place of this dimension
 *   insert(input, dim, 1)       a dimension more, at dim
 *   swap(input, dim0, dim1), permute(input, dims)
 *   merge(input, dim0, dim1)    the dimensions from dim0 to dim1 as one, their product
 *   join(a[:-1], b[1:])         the dimensions of the one, then those of the other
 *   concat(tensors, dim)        the first one's, but at dim the sum of all
 *
 * Every function is defined here, once. It is used only if it gives the same expressions in every signature.
 */
#ifndef SHAPES_H
#define SHAPES_H

#include "buf.h"
#include "expr.h"
#include "record.h"

/* Outputs that are said as one, `out[k]`. */
typedef struct walk {
	int first;	  /* the output that stands for them */
	const char *list; /* a list whose items go with them: `sizes[k]`; NULL: none does */
	const char *each; /* "each k", "each k but the last" */
} walk;

/* The item of walk->list that goes with output t. */
static inline int walk_item(const operator *op, int t)
{
	return op->from_end ? op->nout - 1 - t : t;
}

/* Writes output tensor t as at most three such shapes, under `name` and the names of the outputs that `together`
 * joins with it (NULL: none). The last `cut` dimensions are excluded ("out[:-1] = input[:-1]"); below 0: only
 * that many of the first are covered ("out[:2] = input[:2]"). Appends JSON strings with commas between and after
 * another, and returns true; or appends nothing. outs: of each of ops, in the pool. */
bool shapes_output(buf *to, const operator *const *ops, int nops, expr_pool *pool, int t, const char *name, const walk *together, int cut,
    const expr *const *const *outs);

#endif
