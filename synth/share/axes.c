#include "axes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANK = sizeof((axes){0}.list) / sizeof(int) };

/* A scalar has the axes 0 and -1 all the same. */
static bool add_axis(axes *a, const call_value *v, int rank)
{
	char *end;
	if (v->kind != CALL_CONST || !v->text[0])
		return false;
	errno = 0;
	long long axis = strtoll(v->text, &end, 10);
	if (errno || *end)
		return false;
	if (rank == 0 && (axis == 0 || axis == -1))
		return true;
	if (axis < -rank || axis >= rank || a->n == MAX_RANK)
		return false;
	a->list[a->n] = (int)(axis < 0 ? axis + rank : axis);
	a->positions |= (uint32_t)1 << a->list[a->n++];
	return true;
}

static bool add_axes(axes *a, const call_value *v, int rank)
{
	if (v->kind == CALL_ELEMENTS)
		return add_axes(a, v->items, rank);
	if (v->kind != CALL_LIST)
		return add_axis(a, v, rank);
	for (int k = 0; k < v->count; k++)
		if (!add_axis(a, &v->items[k], rank))
			return false;
	return true;
}

int axes_count(const operator *op, const char *name)
{
	for (int i = 0; i < op->call->nargs; i++) {
		const call_value *v = &op->call->args[i].value;
		if (strcmp(op->call->args[i].name, name) != 0)
			continue;
		if (v->kind == CALL_ELEMENTS)
			v = v->items;
		return v->kind == CALL_LIST ? v->count : 1;
	}
	return 0;
}

axes axes_of(const operator *op, const char *name, int rank)
{
	const call *c = op->call;
	for (int i = 0; i < c->nargs; i++) {
		const call_value *v = &c->args[i].value;
		if (strcmp(c->args[i].name, name) != 0)
			continue;
		axes a = {.kind = AXES_GIVEN};
		if (v->kind == CALL_CONST && strcmp(v->text, "None") == 0)
			a.kind = AXES_MISSING;
		else if (rank > MAX_RANK || !add_axes(&a, v, rank))
			a.kind = AXES_NONE;
		return a;
	}
	return (axes){.kind = AXES_MISSING};
}
