#include "onnx_loops.h"

#include <string.h>

#include "bodies.h"
#include "onnx_subgraphs.h"
#include "onnx_types.h"

/* A loop under construction: its node and body, and the nodes that replace the run. */
typedef struct loop {
	Onnx__NodeProto *node;
	Onnx__GraphProto *body;
	parts to;
	char *control;
	unsigned stages; /* of a register */
} loop;

static uint8_t form_of(const folder *f)
{
	return f->g->bodies[f->body].form;
}

static bool is_conditional(const folder *f)
{
	return form_of(f) == BODY_CONDITION || form_of(f) == BODY_WHILE;
}

/* Whether results of all trips are stacked; without trips there are none. */
static bool is_stacked(const folder *f)
{
	return form_of(f) == BODY_STACKED && body_told(f->g, f->body);
}

/* ---- trip count and condition */

/* The condition before the first trip: whether there is a trip. */
static char *enters(folder *f, loop *l)
{
	static const int64_t ZERO = 0, ONE = 1;
	char *zero = folder_printf(f, "a%u", f->body), *one = folder_printf(f, "d%u", f->body), *made = folder_printf(f, "g%u", f->body);
	if (!subgraph_constant(f, zero, RS_INT64, &ZERO, 1, true) || !subgraph_constant(f, one, RS_INT64, &ONE, 1, true))
		return NULL;
	return subgraph_put(f, &l->to, "Less", (char *[]){zero, l->control}, 2, made) ? made : NULL;
}

/* The inputs that decide when the loop ends. */
static bool add_ends(folder *f, loop *l)
{
	static const uint8_t TRUE = 1;
	static const int64_t MOST = INT64_MAX;
	char *trips = l->control, *condition = folder_printf(f, "k%u", f->body);
	if (is_conditional(f)) {
		condition = enters(f, l);
		trips = form_of(f) == BODY_WHILE ? folder_printf(f, "m%u", f->body) : folder_printf(f, "%s", "");
		if (form_of(f) == BODY_WHILE && !subgraph_constant(f, trips, RS_INT64, &MOST, 1, true))
			return false;
	} else if (form_of(f) == BODY_COUNT) {
		condition = folder_printf(f, "%s", "");
	} else if (!subgraph_constant(f, condition, RS_BOOL, &TRUE, 1, true)) {
		return false;
	}
	l->node->input[l->node->n_input++] = trips;
	l->node->input[l->node->n_input++] = condition;
	return trips && condition;
}

/* The condition after a trip, the body's first output: as before, or whether there is another trip. */
static bool add_condition(folder *f, loop *l)
{
	char *trip = folder_printf(f, "i%u", f->body), *before = folder_printf(f, "c%u_in", f->body), *after = folder_printf(f, "c%u_out", f->body),
	     *next = folder_printf(f, "n%u", f->body), *one = folder_printf(f, "d%u", f->body);
	int boolean = onnx_element_type(RS_BOOL);
	if (!folder_input(f, l->body, trip, onnx_element_type(RS_INT64), NULL) || !folder_input(f, l->body, before, boolean, NULL))
		return false;
	if (!is_conditional(f))
		return subgraph_node(f, l->body, "Identity", &before, 1, after, boolean);
	return subgraph_node(f, l->body, "Add", (char *[]){trip, one}, 2, next, 0)
	       && subgraph_node(f, l->body, "Less", (char *[]){next, l->control}, 2, after, boolean);
}

static bool begin_loop(folder *f, loop *l)
{
	size_t carried = (size_t)FOLDER_REGISTERED * BODIES_TRIPS_MAX + f->made.n, nodes = f->last - f->first + carried + 2;
	int64_t trips = body_told(f->g, f->body);
	*l = (loop){.node = folder_node(f, "Loop", carried + 2, carried), .body = folder_graph(f, "body", nodes, carried + 2, carried + 1),
	    .stages = trips ? (unsigned)trips - 1 : 0};
	if (!l->node || !l->body || !subgraph_begin(f, &l->to))
		return false;
	l->control = subgraph_control(f, &l->to);
	return l->control && add_ends(f, l) && add_condition(f, l);
}

/* ---- carried values */

/* Passes a float input of the run through as many carried values as the loop has stages. */
static bool add_register(folder *f, loop *l, char *name, unsigned number)
{
	const graph_tensor *t = folder_tensor(f, name);
	int element_type = onnx_element_type(t->dtype);
	char *first = subgraph_half(f, &l->to, name, number), *from = name;
	for (unsigned k = 0; first && k < l->stages; k++) {
		char *in = folder_printf(f, "s%u_%u_%u", f->body, number, k), *out = folder_printf(f, "u%u_%u_%u", f->body, number, k),
		     *last = folder_printf(f, "v%u_%u_%u", f->body, number, k);
		if (!last || !folder_input(f, l->body, in, element_type, t)
		    || !subgraph_node(f, l->body, "Identity", &from, 1, out, element_type))
			return false;
		l->node->input[l->node->n_input++] = first;
		l->node->output[l->node->n_output++] = last;
		from = in;
	}
	folder_rename(f, name, from);
	return first;
}

static bool add_registers(folder *f, loop *l)
{
	unsigned registered = 0;
	for (size_t i = 0; l->stages && i < f->taken.n && registered < FOLDER_REGISTERED; i++)
		if (subgraph_halves(folder_tensor(f, f->taken.list[i])) && !add_register(f, l, f->taken.list[i], registered++))
			return false;
	return true;
}

/* ---- the loop */

static bool finish_loop(folder *f, loop *l)
{
	if (!subgraph_hold(f, l->node, "body", l->body, "", NULL, 0))
		return false;
	subgraph_add(&l->to, l->node);
	f->taken.list[f->taken.n++] = l->control; /* the body may take it, too */
	l->to.list[l->to.n - 1].takes = f->taken;
	return true;
}

/* Puts the calls before a loop without trips, which returns their results. */
static bool fold_empty(folder *f, loop *l)
{
	if (!folder_rename_within(f))
		return false;
	for (size_t i = f->first; i < f->last; i++)
		l->to.list[l->to.n++] = f->parts[i];
	for (size_t i = 0; i < f->made.n; i++) {
		char *first = folder_printf(f, "b%u_%s", f->body, f->made.list[i]);
		if (!subgraph_carry(f, l->node, l->body, first, f->made.list[i]))
			return false;
	}
	return subgraph_decoy(f, l->body, true); /* so that calls may be reduced to Identity */
}

/* Takes the last of the stacked results of all trips. */
static bool fold_stacked(folder *f, loop *l)
{
	static const int64_t LAST = -1;
	char *index = folder_printf(f, "j%u", f->body);
	if (!add_registers(f, l) || !subgraph_fill(f, l->body, false) || !subgraph_constant(f, index, RS_INT64, &LAST, 1, true)
	    || !finish_loop(f, l))
		return false;
	for (size_t i = 0; i < f->made.n; i++)
		if (!subgraph_pick(f, &l->to, l->node, index, 0, f->made.list[i]))
			return false;
	return true;
}

bool fold_loop(folder *f)
{
	loop l;
	bool ok = begin_loop(f, &l);
	if (ok && is_stacked(f))
		ok = fold_stacked(f, &l);
	else if (ok && !body_told(f->g, f->body))
		ok = fold_empty(f, &l) && finish_loop(f, &l);
	else
		ok = ok && subgraph_carry_all(f, l.node, l.body) && subgraph_fill(f, l.body, false) && add_registers(f, &l) && finish_loop(f, &l);
	if (ok)
		folder_replace(f, l.to.list, l.to.n);
	return ok;
}
