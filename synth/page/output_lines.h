/* A rule's outputs in the words of a call, a line for dimensions of one form (docs/reference/rule-notation.md).
 *
 *   (s2 + 2*s9 - s6)//s8 + 1, of the last two          out[i] = window(input[i], weight[i], stride[i], padding[i]) for the last 2 i
 *
 * "For some i": the signature decides which, by its ranks (both tensors have the dimension) or by a constant
 * (dim=1). If a constant alone decides: "for each i before axis", "from axis on". If ranks differ, dimensions
 * are counted from the end that all have: "out[:-2] = x[:-2]"; "out[:2] = x[:2]", "for each i from 2 on".
 */
#ifndef OUTPUT_LINES_H
#define OUTPUT_LINES_H

#include "place_words.h"

/* The outputs of the signature n->ops[leader], one text per line, positions of equal form together. outs: of
 * each of n->ops. A line at other positions in some signature ends with "for some i". Appends JSON strings with
 * commas between. False if there is such a line. */
bool output_lines_put(buf *to, const notation *n, expr_pool *pool, int leader, const expr *const *const *outs);

#endif
