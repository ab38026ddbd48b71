#include "rule_shapes.h"

#include <string.h>

enum { LISTS = 4, TENSORS = 64 };

typedef struct shape_of {
	rule_numbers x, lists[LISTS];
	unsigned n;
	unsigned otherwise; /* the meaning of omitted axes: enum rs_api_shape_flags */
	bool one;
} shape_of;

/* Whether an axis list names position i of n. */
static bool names(rule_numbers axes, int64_t i, int64_t n)
{
	for (int64_t k = 0; k < axes.n; k++)
		if ((axes.at[k] < 0 ? axes.at[k] + n : axes.at[k]) == i)
			return true;
	return false;
}

/* Whether an operation on axes applies to position i. */
static bool takes(const shape_of *s, rule_numbers axes, int64_t i, int64_t n)
{
	if (axes.n)
		return names(axes, i, n);
	return s->otherwise == RS_SHAPE_ALL || i == (s->otherwise == RS_SHAPE_FIRST ? 0 : n - 1);
}

static bool inside(rule_numbers axes, int64_t n)
{
	for (int64_t k = 0; k < axes.n; k++)
		if (axes.at[k] < -n || axes.at[k] >= n)
			return false;
	return true;
}

/* Whether two items are the same axis: frameworks differ in whether they accept that. */
static bool has_twice(rule_numbers axes, int64_t n)
{
	for (int64_t k = 1; k < axes.n; k++) {
		const int64_t axis = axes.at[k] < 0 ? axes.at[k] + n : axes.at[k];
		if (names((rule_numbers){axes.at, k, true}, axis, n))
			return true;
	}
	return false;
}

static int broadcast(const rule_numbers *lists, unsigned n, int64_t *out, int room)
{
	int64_t rank = 0;
	for (unsigned k = 0; k < n; k++)
		rank = lists[k].n > rank ? lists[k].n : rank;
	if (rank > room)
		return -1;
	for (int64_t i = 1; i <= rank; i++) {
		int64_t size = 1;
		for (unsigned k = 0; k < n; k++)
			size = i <= lists[k].n && size == 1 ? lists[k].at[lists[k].n - i] : size;
		out[rank - i] = size;
	}
	return (int)rank;
}

/* The only item of an axis argument, from the left; -1: none. */
static int64_t axis_of(const shape_of *s, rule_numbers axes, int64_t n)
{
	const int64_t axis = axes.n ? axes.at[0] : s->otherwise == RS_SHAPE_LAST ? n - 1 : 0;
	const int64_t place = axis < 0 ? axis + n : axis;
	return place < n ? place : -1;
}

static int concat(const shape_of *s, const rule_numbers *tensors, unsigned n, int64_t *out, int room)
{
	const int64_t rank = n ? tensors[0].n : 0, axis = axis_of(s, s->lists[1], rank);
	if (rank > room || axis < 0)
		return -1;
	memcpy(out, tensors[0].at, (size_t)rank * sizeof *out);
	for (unsigned k = 1; k < n; k++)
		if (tensors[k].n != rank || __builtin_add_overflow(out[axis], tensors[k].at[axis], &out[axis]))
			return -1;
	return (int)rank;
}

static int merge(const shape_of *s, int64_t *out)
{
	const int64_t n = s->x.n;
	if (n == 0)
		return out[0] = 1, 1;
	int64_t from = s->lists[1].n ? s->lists[1].at[0] : 0, to = s->lists[2].n ? s->lists[2].at[0] : n - 1, rank = 0;
	from += from < 0 ? n : 0;
	to += to < 0 ? n : 0;
	if (from < 0 || to >= n || from > to)
		return -1;
	for (int64_t i = 0; i < n; i++)
		if (i <= from || i > to)
			out[rank++] = s->x.at[i];
		else if (__builtin_mul_overflow(out[rank - 1], s->x.at[i], &out[rank - 1]))
			return -1;
	return (int)rank;
}

static int drop(const shape_of *s, int64_t *out)
{
	int rank = 0;
	for (int64_t i = 0; i < s->x.n; i++)
		if (!takes(s, s->lists[1], i, s->x.n))
			out[rank++] = s->x.at[i];
	return rank;
}

static bool number_of(const shape_of *s, int64_t *number)
{
	*number = 1;
	if (s->one || s->n < 3)
		return true;
	if (s->lists[2].n < 1)
		return false;
	*number = s->lists[2].at[0];
	return true;
}

static int set(const shape_of *s, int64_t *out)
{
	int64_t number;
	if (!number_of(s, &number))
		return -1;
	for (int64_t i = 0; i < s->x.n; i++)
		out[i] = takes(s, s->lists[1], i, s->x.n) ? number : s->x.at[i];
	return (int)s->x.n;
}

static int insert(const shape_of *s, int64_t *out, int room)
{
	const rule_numbers axes = s->lists[1];
	const int64_t rank = s->x.n + axes.n;
	int64_t number, next = 0;
	if (!number_of(s, &number) || rank > room || !inside(axes, rank))
		return -1;
	for (int64_t i = 0; i < rank; i++) {
		const bool is_new = names(axes, i, rank);
		if (!is_new && next >= s->x.n)
			return -1;
		out[i] = is_new ? number : s->x.at[next++];
	}
	return (int)rank;
}

static int swap(const shape_of *s, int64_t *out)
{
	const int64_t n = s->x.n;
	if (s->n < 3 || s->lists[1].n != 1 || s->lists[2].n != 1)
		return -1;
	const int64_t a = s->lists[1].at[0] < 0 ? s->lists[1].at[0] + n : s->lists[1].at[0];
	const int64_t b = s->lists[2].at[0] < 0 ? s->lists[2].at[0] + n : s->lists[2].at[0];
	for (int64_t i = 0; i < n; i++)
		out[i] = s->x.at[i == a ? b : i == b ? a : i];
	return (int)n;
}

static int permute(const shape_of *s, int64_t *out)
{
	const rule_numbers axes = s->lists[1];
	const int64_t n = s->x.n;
	if (axes.n && axes.n != n)
		return -1;
	for (int64_t i = 0; i < n; i++) {
		if (axes.n && !names(axes, i, n)) /* another axis occurs twice */
			return -1;
		const int64_t axis = axes.n ? axes.at[i] : n - 1 - i;
		out[i] = s->x.at[axis < 0 ? axis + n : axis];
	}
	return (int)n;
}

static int replace(const shape_of *s, int64_t *out, int room)
{
	const rule_numbers y = s->lists[2];
	const int64_t n = s->x.n, place = axis_of(s, s->lists[1], n);
	if (n == 0 || place < 0 || s->n < 3 || n - 1 + y.n > room)
		return -1;
	int rank = 0;
	for (int64_t i = 0; i < n; i++) {
		for (int64_t k = 0; i == place && k < y.n; k++)
			out[rank++] = y.at[k];
		if (i != place)
			out[rank++] = s->x.at[i];
	}
	return rank;
}

/* The shape of the lists, after the code is read. */
static int shape_of_lists(const shape_of *s, enum rs_api_shape shape, const rule_numbers *tensors, unsigned ntensors, int64_t *out, int room)
{
	switch (shape) {
	case RS_SAME:
		if (s->x.n) /* else x.at may be NULL */
			memcpy(out, s->x.at, (size_t)s->x.n * sizeof *out);
		return (int)s->x.n;
	case RS_BROADCAST: return broadcast(s->lists, s->n, out, room);
	case RS_DROP: return drop(s, out);
	case RS_SET: return set(s, out);
	case RS_INSERT: return insert(s, out, room);
	case RS_SWAP: return swap(s, out);
	case RS_PERMUTE: return permute(s, out);
	case RS_REPLACE: return replace(s, out, room);
	case RS_CONCAT: return concat(s, tensors, ntensors, out, room);
	case RS_BROADCAST_ALL: return ntensors ? broadcast(tensors, ntensors, out, room) : -1;
	case RS_MERGE: return merge(s, out);
	}
	return -1;
}

int rule_whole_shape(rule_frame *f, rule_code *at, enum rs_api_shape shape, int64_t *out, int room, unsigned *cut)
{
	const uint64_t flags = code_u(at);
	*cut = (unsigned)code_u(at);
	shape_of s = {.n = (unsigned)code_u(at), .otherwise = flags & RS_SHAPE_OTHERWISE, .one = flags & RS_SHAPE_ONE};
	const bool of_tensors = shape == RS_CONCAT || shape == RS_BROADCAST_ALL;
	rule_numbers tensors[TENSORS];
	const unsigned ntensors = of_tensors ? rule_read_tensors(f, at, tensors, TENSORS) : 0;
	for (unsigned k = of_tensors; k < s.n; k++) {
		rule_numbers list = rule_read_list(f, at);
		if (!list.items)
			list.n = list.n > *cut ? list.n - *cut : 0;
		if (k < LISTS)
			s.lists[k] = list;
	}
	s.n = s.n < LISTS ? s.n : LISTS;
	s.x = s.lists[0];
	if (s.x.n > room)
		return -1;
	const bool axes = shape == RS_DROP || shape == RS_SET || shape == RS_SWAP || shape == RS_PERMUTE || shape == RS_REPLACE;
	for (unsigned k = 1; axes && k < (shape == RS_SWAP ? 3u : 2u); k++)
		if (!inside(s.lists[k], s.x.n) || has_twice(s.lists[k], s.x.n))
			return -1;
	return shape_of_lists(&s, shape, tensors, ntensors, out, room);
}
