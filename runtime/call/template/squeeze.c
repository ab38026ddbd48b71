#include "squeeze.h"

/* Marks an axis; *twice gets whether it was marked before. False: it is out of range. */
static bool mark(const call_value *tensor, int64_t axis, bool *marked, bool *twice)
{
	const int64_t rank = (int64_t)tensor->n, at = axis < 0 ? axis + rank : axis;
	if (at < 0 || at >= rank)
		return false;
	*twice = *twice || marked[at];
	marked[at] = true;
	return true;
}

void squeeze_axes(const call_value *tensor, const call_value *axes, bool strict, rule_result *out, const char **why)
{
	bool marked[RULE_RANK] = {false}, twice = false;
	out->outcome = RULE_SILENT;
	if (tensor->n == 0 || tensor->n > RULE_RANK)
		return;
	const size_t n = !axes ? 0 : call_is_sequence(axes) ? axes->n : 1;
	for (size_t i = 0; i < n; i++)
		if (!mark(tensor, call_is_sequence(axes) ? axes->items[i].integer : axes->integer, marked, &twice)) {
			out->outcome = RULE_REJECTS;
			*why = "an axis is not below the rank";
			return;
		}
	if (twice)
		return;
	out->nout = 1;
	out->ranks[0] = 0;
	for (size_t d = 0; d < tensor->n; d++) {
		const bool one = tensor->dims[d] == 1;
		if (strict && marked[d] && !one) {
			out->outcome = RULE_REJECTS;
			*why = "the size of an axis is not 1";
			return;
		}
		if (!one || (axes && !marked[d]))
			out->dims[out->ranks[0]++] = tensor->dims[d];
	}
	out->outcome = RULE_ACCEPTS;
}
