#include "axes.h"

#include <string.h>

/* A scalar also accepts the axes 0 and -1. */
static bool add_axis(axes *a, const call_value *v, int rank)
{
	int64_t axis;
	if (!call_integer(v, &axis))
		return false;
	if (rank == 0 && (axis == 0 || axis == -1))
		return true;
	if (axis < -rank || axis >= rank || a->n == AXES_RANK)
		return false;
	a->list[a->n] = (int)(axis < 0 ? axis + rank : axis);
	a->positions |= (uint32_t)1 << a->list[a->n++];
	return true;
}

/* The list in a value, which may be wrapped as a tensor; NULL if it is not a list. */
static const call_value *list_of(const call_value *v)
{
	if (v->kind == CALL_ELEMENTS)
		v = v->items;
	return v->kind == CALL_LIST ? v : NULL;
}

static bool add_axes(axes *a, const call_value *v, int rank)
{
	const call_value *list = list_of(v);
	for (int k = 0; list && k < list->count; k++)
		if (!add_axis(a, &list->items[k], rank))
			return false;
	return list || add_axis(a, v, rank);
}

axes axes_of(const operator *op, const char *name, int rank)
{
	const call_value *v = call_named(op->call, name);
	axes a = {.kind = AXES_GIVEN};
	if (call_is_none(v))
		a.kind = AXES_MISSING;
	else if (rank > AXES_RANK || !add_axes(&a, v, rank))
		a.kind = AXES_NONE;
	return a;
}
