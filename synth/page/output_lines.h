/* A rule's outputs in the words of a call, a line for dimensions of one form (docs/reference/rule-notation.md).
 *
 *   (s2 + 2*s9 - s6)//s8 + 1, of the last two          out[i] = window(input[i], weight[i], stride[i], padding[i]) for the last 2 i
 *
 * "For some i": the call form decides which, by its ranks (where both tensors have the dimension) or a constant (dim=1). Where a
 * constant alone does: "for each i before axis", "from axis on". Where ranks differ, dimensions are counted from the end that all have:
 * "out[:-2] = x[:-2]"; "out[:2] = x[:2]", "for each i from 2 on".
 */
#ifndef OUTPUT_LINES_H
#define OUTPUT_LINES_H

#include "place_words.h"

/* The outputs of the call form n->ops[leader], a text a line, positions of equal forms together. outs: of each of n->ops; a
 * line that stands elsewhere in some is said "for some i". Appends JSON strings, commas between. False where some line is. */
bool output_lines_put(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs);

#endif
