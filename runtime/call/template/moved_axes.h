/* Templates of calls that reorder dimensions: axes move to other positions, or two axes change places. */
#ifndef MOVED_AXES_H
#define MOVED_AXES_H

#include "rule_evaluate.h"

/* Moves axes, integers or lists of them, to positions in the result. swap: the axis at `to` moves to `from` instead of making way. */
void axes_move(const call_value *tensor, const call_value *from, const call_value *to, bool swap, rule_result *out, const char **why);

#endif
