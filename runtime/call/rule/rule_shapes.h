/* Outputs of rules that are whole shapes: same, broadcast, drop, … */
#ifndef RULE_SHAPES_H
#define RULE_SHAPES_H

#include "rule_lists.h"

/* Writes the shape that the code describes to out (at most `room` dimensions), and moves *at behind it.
 * *cut: the number of dimensions that follow and do not depend on the lists' last dimensions. Returns the rank, or -1 if an
 * argument is absent, or an axis is out of range or occurs twice: the rule does not cover the call. */
int rule_whole_shape(rule_frame *f, rule_code *at, enum rs_api_shape shape, int64_t *out, int room, unsigned *cut);

#endif
