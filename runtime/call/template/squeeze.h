/* Templates of calls that remove dimensions of size 1. */
#ifndef SQUEEZE_H
#define SQUEEZE_H

#include "rule_evaluate.h"

/* Removes the axes, or all dimensions of size 1 if axes is NULL. strict: an axis of another size is rejected, not kept. */
void squeeze_axes(const call_value *tensor, const call_value *axes, bool strict, rule_result *out, const char **why);

#endif
