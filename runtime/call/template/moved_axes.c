#include "moved_axes.h"

static int64_t item_of(const call_value *axes, size_t i)
{
	return call_is_sequence(axes) ? axes->items[i].integer : axes->integer;
}

/* Reads n axes. False: the outcome is set, because one is out of range or occurs twice. */
static bool read_axes(const call_value *tensor, const call_value *axes, size_t n, size_t *at, rule_result *out, const char **why)
{
	bool seen[RULE_RANK] = {false};
	const int64_t rank = (int64_t)tensor->n;
	for (size_t i = 0; i < n; i++) {
		const int64_t axis = item_of(axes, i);
		if (axis < -rank || axis >= rank) {
			*why = "an axis is not below the rank";
			out->outcome = RULE_REJECTS;
			return false;
		}
		at[i] = (size_t)(axis < 0 ? axis + rank : axis);
		if (seen[at[i]])
			return false;
		seen[at[i]] = true;
	}
	return true;
}

/* For each dimension of the result, the dimension of the tensor: moved axes at their positions, the others in order. */
static void place(size_t rank, const size_t *from, const size_t *to, size_t n, size_t *order)
{
	bool moved[RULE_RANK] = {false}, taken[RULE_RANK] = {false};
	for (size_t i = 0; i < n; i++) {
		order[to[i]] = from[i];
		moved[from[i]] = taken[to[i]] = true;
	}
	for (size_t d = 0, next = 0; d < rank; d++) {
		if (taken[d])
			continue;
		while (moved[next])
			next++;
		order[d] = next++;
	}
}

void axes_move(const call_value *tensor, const call_value *from, const call_value *to, bool swap, rule_result *out, const char **why)
{
	const size_t n = call_is_sequence(from) ? from->n : 1, m = call_is_sequence(to) ? to->n : 1;
	size_t a[RULE_RANK], b[RULE_RANK], order[RULE_RANK];
	out->outcome = RULE_SILENT;
	if (tensor->n == 0 || tensor->n > RULE_RANK || n != m || n > tensor->n || (swap && n != 1))
		return;
	if (!read_axes(tensor, from, n, a, out, why) || !read_axes(tensor, to, n, b, out, why))
		return;
	if (swap) {
		for (size_t d = 0; d < tensor->n; d++)
			order[d] = d == *a ? *b : d == *b ? *a : d;
	} else {
		place(tensor->n, a, b, n, order);
	}
	out->nout = 1;
	out->ranks[0] = (unsigned)tensor->n;
	for (size_t d = 0; d < tensor->n; d++)
		out->dims[d] = tensor->dims[order[d]];
	out->outcome = RULE_ACCEPTS;
}
