#include "pieces.h"

#include <string.h>

typedef struct lengths {
	rule_outcome outcome;
	const char *why;
	unsigned n;
	int64_t list[RULE_OUTPUTS];
} lengths;

static lengths rejected(const char *why)
{
	return (lengths){.outcome = RULE_REJECTS, .why = why};
}

static lengths silent(void)
{
	return (lengths){.outcome = RULE_SILENT};
}

static lengths of_length(int64_t size, int64_t length)
{
	if (length < 0)
		return rejected("the length of pieces is below 0");
	if (length == 0 && size > 0)
		return rejected("the length of pieces is 0, but the dimension is not");
	const int64_t n = size == 0 ? 1 : size / length + (size % length > 0);
	if (n > RULE_OUTPUTS)
		return silent();
	lengths out = {.outcome = RULE_ACCEPTS, .n = (unsigned)n};
	for (int64_t i = 0; i < n; i++)
		out.list[i] = i + 1 < n ? length : size - length * i;
	return out;
}

static lengths equal_parts(int64_t size, int64_t n, bool nearly)
{
	if (n <= 0)
		return rejected("the number of pieces is not above 0");
	if (!nearly && size % n != 0)
		return rejected("the number of pieces does not divide the dimension");
	if (n > RULE_OUTPUTS)
		return silent();
	lengths out = {.outcome = RULE_ACCEPTS, .n = (unsigned)n};
	for (int64_t i = 0; i < n; i++)
		out.list[i] = size / n + (i < size % n);
	return out;
}

static lengths at_most(int64_t size, int64_t n)
{
	if (n <= 0)
		return rejected("the number of pieces is not above 0");
	return size == 0 ? equal_parts(size, n, true) : of_length(size, size / n + (size % n > 0));
}

static lengths of_sizes(int64_t size, const call_value *list)
{
	lengths out = {.outcome = RULE_ACCEPTS};
	int64_t left = size;
	for (size_t i = 0; i < list->n; i++) {
		const int64_t length = list->items[i].integer;
		if (length < 0)
			return rejected("the length of a piece is below 0");
		if (length > left)
			return rejected("the lengths of pieces sum to more than the dimension");
		left -= length;
		if (i < RULE_OUTPUTS)
			out.list[i] = length;
	}
	if (left)
		return rejected("the lengths of pieces sum to less than the dimension");
	out.n = (unsigned)list->n;
	return list->n && list->n <= RULE_OUTPUTS ? out : silent();
}

/* An index of a slice within a dimension. */
static int64_t within(int64_t size, int64_t index)
{
	const int64_t at = index < 0 ? index + size : index;
	return at < 0 ? 0 : at > size ? size : at;
}

static lengths at_points(int64_t size, const call_value *list)
{
	lengths out = {.outcome = RULE_ACCEPTS, .n = (unsigned)list->n + 1};
	if (list->n >= RULE_OUTPUTS)
		return silent();
	for (size_t i = 0; i <= list->n; i++) {
		const int64_t from = i ? within(size, list->items[i - 1].integer) : 0;
		const int64_t to = i < list->n ? within(size, list->items[i].integer) : size;
		out.list[i] = to > from ? to - from : 0;
	}
	return out;
}

static lengths counted(int64_t size, int64_t n)
{
	if (n <= 0)
		return silent();
	return n == size ? of_length(size, 1) : rejected("the number of pieces is not the dimension");
}

static lengths lengths_of(piece_template which, int64_t size, const call_value *number)
{
	switch (which) {
	case PIECES_OF: return of_length(size, number->integer);
	case PIECES_EQUAL: return equal_parts(size, number->integer, false);
	case PIECES_AT_MOST: return at_most(size, number->integer);
	case PIECES_NEARLY: return equal_parts(size, number->integer, true);
	case PIECES_SIZES: return of_sizes(size, number);
	case PIECES_POINTS: return at_points(size, number);
	case PIECES_EACH: return size ? of_length(size, 1) : silent();
	case PIECES_COUNTED: return counted(size, number->integer);
	case PIECES_TEMPLATES: break;
	}
	return silent();
}

bool pieces_of_kind(piece_template which, const call_value *number)
{
	if (!number)
		return which == PIECES_EACH;
	const bool list = which == PIECES_SIZES || which == PIECES_POINTS;
	return which != PIECES_EACH && list == call_is_sequence(number);
}

void pieces_cut(piece_template which, const call_value *tensor, int64_t axis, const call_value *number, rule_result *out, const char **why)
{
	const size_t at = (size_t)axis;
	const lengths found = lengths_of(which, tensor->dims[at], number);
	*why = found.why;
	out->outcome = found.outcome;
	out->nout = found.n;
	int64_t *to = out->dims;
	for (unsigned i = 0; i < found.n; i++) {
		const bool without = which == PIECES_EACH || which == PIECES_COUNTED;
		out->ranks[i] = (unsigned)tensor->n - without;
		for (size_t d = 0; d < tensor->n; d++)
			if (d != at || !without)
				*to++ = d == at ? found.list[i] : tensor->dims[d];
	}
}
