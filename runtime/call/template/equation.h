/* The template of calls whose text names the dimensions of each tensor, as 'ij,jk->ik'. */
#ifndef EQUATION_H
#define EQUATION_H

#include "rule_evaluate.h"

/* Differences between frameworks. */
enum equation_options {
	EQUATION_ONES = 1, /* a label may have the size 1 in some tensors */
	EQUATION_DOTS = 2, /* the output may leave out the dimensions of an ellipsis */
	EQUATION_OPTIONS = 4
};

/* Evaluates a call with a text and n tensors. Silent if the text is not an equation. */
void equation_evaluate(const char *text, const call_value *const *tensors, unsigned n, unsigned options, rule_result *out, const char **why);

#endif
