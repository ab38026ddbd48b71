#include "onnx_scans.h"

#include <string.h>

#include "bodies.h"
#include "onnx_subgraphs.h"
#include "onnx_types.h"

/* A scan under construction. */
typedef struct scan {
	const graph_body *told;
	Onnx__NodeProto *node;
	Onnx__GraphProto *body;
	parts to;
	int64_t *in_axes, *out_axes;
	size_t scanned, stacked; /* the number of these axes */
} scan;

/* The axis of a stack of tensors of this rank, counted from the end if negative. */
static int64_t axis_of(const scan *s, unsigned rank)
{
	int64_t size = (int64_t)rank + 1, at = (s->told->axis % size + size) % size;
	return s->told->axis < 0 ? at - size : at;
}

static bool may_scan(const graph_tensor *t)
{
	static const uint8_t SCANNED[] = {RS_BOOL, RS_UINT8, RS_UINT16, RS_UINT32, RS_UINT64, RS_INT8, RS_INT16, RS_INT32, RS_INT64,
	    RS_FLOAT16, RS_FLOAT32, RS_FLOAT64};
	return t && memchr(SCANNED, t->dtype, sizeof SCANNED);
}

/* ---- attributes */

static bool add_integers(folder *f, Onnx__NodeProto *m, const char *name, int64_t *items, size_t n)
{
	Onnx__AttributeProto *a = folder_attribute(f, name, ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
	if (!a)
		return false;
	a->n_ints = n;
	a->ints = items;
	m->attribute[m->n_attribute++] = a;
	return true;
}

static bool add_directions(folder *f, const scan *s, const char *name, size_t n)
{
	int64_t *items = folder_alloc(f, n * sizeof *items);
	for (size_t i = 0; items && i < n; i++)
		items[i] = s->told->reverse;
	return items && add_integers(f, s->node, name, items, n);
}

static bool add_attributes(folder *f, scan *s)
{
	Onnx__AttributeProto *count = folder_integer(f, "num_scan_inputs", (int64_t)s->scanned);
	if (!count || !subgraph_hold(f, s->node, "body", s->body, "", NULL, 5))
		return false;
	s->node->attribute[s->node->n_attribute++] = count;
	return add_integers(f, s->node, "scan_input_axes", s->in_axes, s->scanned)
	       && add_directions(f, s, "scan_input_directions", s->scanned)
	       && (!s->stacked || (add_integers(f, s->node, "scan_output_axes", s->out_axes, s->stacked)
				      && add_directions(f, s, "scan_output_directions", s->stacked)));
}

/* ---- scanned inputs */

/* A stack of slices: `last` is the last one that the scan reaches, and the others are `first`. */
static char *stack(folder *f, scan *s, char *first, char *last, int64_t axis, unsigned number)
{
	char *axes = folder_printf(f, "x%u_%u", f->body, number), *made = folder_printf(f, "v%u_%u", f->body, number),
	     *one = folder_printf(f, "y%u_%u", f->body, number), *other = first == last ? one : folder_printf(f, "w%u_%u", f->body, number);
	if (!subgraph_constant(f, axes, RS_INT64, &axis, 1, false))
		return NULL;
	unsigned trips = s->told->trips;
	if (trips == 1)
		return subgraph_put(f, &s->to, "Unsqueeze", (char *[]){last, axes}, 2, made) ? made : NULL;
	char *slices[BODIES_TRIPS_MAX];
	for (unsigned i = 0; i < trips; i++)
		slices[i] = i == (s->told->reverse ? 0 : trips - 1) ? one : other;
	if (!subgraph_put(f, &s->to, "Unsqueeze", (char *[]){last, axes}, 2, one)
	    || (first != last && !subgraph_put(f, &s->to, "Unsqueeze", (char *[]){first, axes}, 2, other)))
		return NULL;
	Onnx__NodeProto *m = subgraph_put(f, &s->to, "Concat", slices, trips, made);
	return m && folder_only_attribute(f, m, folder_integer(f, "axis", axis)) ? made : NULL;
}

static bool scan_tensor(folder *f, scan *s, char *name, unsigned number)
{
	const graph_tensor *t = folder_tensor(f, name);
	int64_t axis = axis_of(s, t->rank);
	char *first = s->told->trips > 1 && subgraph_halves(t) ? subgraph_half(f, &s->to, name, number) : name,
	     *slice = folder_printf(f, "s%u_%u", f->body, number), *all = first ? stack(f, s, first, name, axis, number) : NULL;
	if (!all || !folder_input(f, s->body, slice, onnx_element_type(t->dtype), t))
		return false;
	s->node->input[s->node->n_input++] = all;
	s->in_axes[s->scanned++] = axis;
	folder_rename(f, name, slice);
	return true;
}

/* For a run without inputs that can be scanned: zeros define the number of trips. */
static bool scan_zeros(folder *f, scan *s)
{
	static const float ZEROS[BODIES_TRIPS_MAX] = {0};
	char *all = folder_printf(f, "v%u_0", f->body), *slice = folder_printf(f, "s%u_0", f->body);
	if (!subgraph_constant(f, all, RS_FLOAT32, ZEROS, s->told->trips, false)
	    || !folder_input(f, s->body, slice, onnx_element_type(RS_FLOAT32), NULL))
		return false;
	s->node->input[s->node->n_input++] = all;
	s->in_axes[s->scanned++] = 0;
	return true;
}

static bool scan_all(folder *f, scan *s)
{
	unsigned number = 0;
	for (size_t i = 0; i < f->taken.n && number < FOLDER_REGISTERED; i++)
		if (may_scan(folder_tensor(f, f->taken.list[i])) && !scan_tensor(f, s, f->taken.list[i], number++))
			return false;
	return number || scan_zeros(f, s);
}

/* ---- results */

/* The last result of each stack, after the scan. */
static bool pick_all(folder *f, scan *s)
{
	int64_t at = s->told->reverse ? 0 : s->told->trips - 1;
	char *index = folder_printf(f, "j%u", f->body);
	if (!subgraph_constant(f, index, RS_INT64, &at, 1, true))
		return false;
	for (size_t i = 0; i < f->made.n; i++) {
		char *made = f->made.list[i];
		int64_t axis = axis_of(s, folder_tensor(f, made)->rank);
		s->out_axes[s->stacked++] = axis;
		if (!subgraph_pick(f, &s->to, s->node, index, axis, made))
			return false;
	}
	return true;
}

bool fold_scan(folder *f)
{
	size_t most = f->made.n + FOLDER_REGISTERED;
	scan s = {.told = &f->g->bodies[f->body], .node = folder_node(f, "Scan", most, most),
	    .body = folder_graph(f, "body", f->last - f->first, most, most), .in_axes = folder_alloc(f, most * sizeof *s.in_axes),
	    .out_axes = folder_alloc(f, most * sizeof *s.out_axes)};
	bool states = s.told->form == BODY_STATES;
	if (!s.node || !s.body || !s.in_axes || !s.out_axes || !subgraph_begin(f, &s.to) || (states && !subgraph_carry_all(f, s.node, s.body))
	    || !scan_all(f, &s) || !subgraph_fill(f, s.body, true))
		return false;
	subgraph_add(&s.to, s.node);
	s.to.list[s.to.n - 1].takes = f->taken;
	if ((!states && !pick_all(f, &s)) || !add_attributes(f, &s))
		return false;
	folder_replace(f, s.to.list, s.to.n);
	return true;
}
