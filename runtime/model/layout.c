#include "layout.h"

#include <string.h>

static graph_layout *new_layout(graph *g, uint32_t tensor)
{
	return arena_zalloc(g->arena, sizeof(graph_layout) + g->tensors[tensor].rank * sizeof(int64_t));
}

bool layout_set(graph *g, uint32_t tensor, const int64_t *strides, int64_t offset)
{
	graph_tensor *t = &g->tensors[tensor];
	graph_layout *l = new_layout(g, tensor);
	if (!l)
		return false;
	l->same = GRAPH_NONE;
	l->offset = offset;
	memcpy(l->strides, strides, t->rank * sizeof *strides);
	t->layout = l;
	return true;
}

bool layout_share(graph *g, uint32_t tensor, uint32_t same)
{
	graph_layout *l = new_layout(g, tensor);
	if (!l)
		return false;
	l->same = same;
	g->tensors[tensor].layout = l;
	return true;
}

bool layout_may_share(const graph *g, uint32_t tensor, uint32_t same)
{
	const graph_tensor *t = &g->tensors[tensor], *o = &g->tensors[same];
	return same < tensor && o->live && t->producer == GRAPH_NONE && o->producer == GRAPH_NONE && !t->constant
	       && !o->constant && t->rank == o->rank && t->dtype == o->dtype && t->values == o->values && t->low == o->low
	       && t->high == o->high && t->divisor == o->divisor && memcmp(t->shape, o->shape, t->rank * sizeof *t->shape) == 0
	       && !(o->layout && o->layout->same != GRAPH_NONE);
}

/* The densest remaining dimension that holds several elements; -1: none is left. */
static int densest(unsigned rank, const int64_t *shape, const int64_t *strides, const bool *done)
{
	int found = -1;
	for (unsigned i = 0; i < rank; i++)
		if (!done[i] && shape[i] > 1 && strides[i] && (found < 0 || strides[i] < strides[found]))
			found = (int)i;
	return found;
}

bool layout_valid(unsigned rank, const int64_t *shape, const int64_t *strides, int64_t offset)
{
	bool done[GRAPH_RANK_MAX] = {false};
	int64_t filled = 1; /* places spanned by the dimensions so far */
	if (rank > GRAPH_RANK_MAX || offset < 0 || offset > LAYOUT_PLACES_MAX)
		return false;
	for (unsigned i = 0; i < rank; i++)
		if (strides[i] < 0 || strides[i] > LAYOUT_PLACES_MAX)
			return false;
	for (int i; (i = densest(rank, shape, strides, done)) >= 0; done[i] = true) {
		if (strides[i] < filled || shape[i] > LAYOUT_PLACES_MAX)
			return false;
		filled += (shape[i] - 1) * strides[i];
		if (filled > LAYOUT_PLACES_MAX)
			return false;
	}
	return true;
}

int64_t layout_places(const graph_tensor *t)
{
	int64_t last = t->layout->offset;
	for (unsigned i = 0; i < t->rank && t->numel; i++)
		last += (t->shape[i] - 1) * t->layout->strides[i];
	return last + (t->numel > 0);
}

int64_t layout_stored(const graph_tensor *t, int64_t *shape)
{
	int64_t numel = 1;
	for (unsigned i = 0; i < t->rank; i++) {
		shape[i] = t->shape[i] > 1 && !t->layout->strides[i] ? 1 : t->shape[i];
		numel *= shape[i];
	}
	return numel;
}

/* From the last to the first: no element moves over one that is still needed. */
void layout_spread(const graph_tensor *t, const int64_t *stored, size_t size, void *out)
{
	for (int64_t i = t->numel; i-- > 0;) {
		int64_t left = i, from = 0, step = 1;
		for (unsigned k = t->rank; k-- > 0; left /= t->shape[k], step *= stored[k])
			from += stored[k] == 1 ? 0 : left % t->shape[k] * step;
		memmove((char *)out + i * (int64_t)size, (char *)out + from * (int64_t)size, size);
	}
}
