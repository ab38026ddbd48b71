#include "index_range.h"

/* Whether the constants of an argument name position i of n. */
static bool is_named(const call_list *axes, int i, int n)
{
	for (int k = 0; k < axes->n; k++) {
		wide at = axes->e[k]->value;
		if ((at < 0 ? at + n : at) == (i < 0 ? i + n : i))
			return true;
	}
	return false;
}

int index_range_positions(const index_range *w, const api_calls *f, const api_call *form, int n, int *to, int most)
{
	int count = 0, from = 0, end = 1;
	call_list axes = {.n = 0};
	if (w->over.argument)
		n = call_list_of(f, form, w->over).n;
	if (w->but.argument)
		axes = call_list_of(f, form, w->but);
	for (int k = 0; k < axes.n; k++)
		if (axes.e[k]->op != OP_CONST)
			return most; /* not constant: positions unknown */
	if (w->way == RANGE_RIGHT) {
		from = w->only ? -w->only : w->head - n;
		end = -w->tail;
	} else if (w->way == RANGE_LEFT) {
		from = w->head;
		end = w->only ? w->only : n - w->tail;
	}
	for (int i = from; i < end && count < most; i++)
		if (!is_named(&axes, i, n))
			to[count++] = i;
	return count;
}

bool index_range_same(const index_range *a, const index_range *b)
{
	return a->way == b->way && a->only == b->only && a->head == b->head && a->tail == b->tail
	    && list_is(a->over, b->over) && list_is(a->but, b->but);
}
