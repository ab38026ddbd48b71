#include "reduce.h"

#include <string.h>

#include "assignments.h"
#include "bodies.h"
#include "effects.h"
#include "elements.h"
#include "layout.h"
#include "op_versions.h"
#include "sessions.h"
#include "settings.h"

/* Drops the layouts of tensors that changed. */
static void tidy_layouts(graph *g)
{
	for (uint32_t i = 0; i < g->ntensors; i++) {
		graph_tensor *t = &g->tensors[i];
		const graph_layout *l = t->live ? t->layout : NULL;
		if (l && (l->same == GRAPH_NONE ? !layout_valid(t->rank, t->shape, l->strides, l->offset) : !layout_may_share(g, i, l->same)))
			t->layout = NULL;
	}
}

bool reduce_finish(graph *g)
{
	bool outputs = false;
	if (!effects_any(g) || !effects_remove_unused(g))
		graph_remove_unused(g);
	assignments_tidy(g);
	tidy_layouts(g);
	bodies_tidy(g);
	for (uint32_t i = 0; i < g->ntensors && !outputs; i++)
		outputs = g->tensors[i].live && g->tensors[i].kept;
	graph_number(g);
	return outputs && graph_check(g, NULL);
}

bool reduce_to_node(graph *to, const graph *from, uint32_t node)
{
	if (!from->nodes[node].live || !graph_copy(to, from))
		return false;
	if (effects_any(to))
		effects_remove_after(to, node);
	for (uint32_t i = 0; i < to->ntensors; i++)
		to->tensors[i].kept = to->tensors[i].producer == node;
	return reduce_finish(to);
}

bool reduce_to_output(graph *to, const graph *from, uint32_t tensor)
{
	const graph_tensor *t = &from->tensors[tensor];
	if (!t->live || t->producer == GRAPH_NONE || !graph_copy(to, from))
		return false;
	if (effects_any(to))
		effects_remove_after(to, t->producer);
	for (uint32_t i = 0; i < to->ntensors; i++)
		to->tensors[i].kept = i == tensor;
	return reduce_finish(to);
}

/* The class of an input that replaces a tensor. */
static uint8_t class_for_users(const graph *g, uint32_t tensor)
{
	uint8_t values = RS_VALUES_SMALL;
	for (uint32_t u = g->tensors[tensor].uses; u != GRAPH_NONE; u = g->uses[u].next) {
		const graph_node *user = &g->nodes[g->uses[u].node];
		uint8_t taken = user->op->classes ? user->op->classes[u - user->inputs] : values;
		values = taken < values ? taken : values;
	}
	return values;
}

static bool has_whole_floats(const graph *g)
{
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (elements_are_whole(&g->tensors[i]))
			return true;
	return false;
}

/* An unused input that can replace a tensor. */
static uint32_t input_like(graph *g, uint32_t tensor)
{
	const graph_tensor *old = &g->tensors[tensor];
	uint8_t values = class_for_users(g, tensor);
	uint32_t input = graph_input(g, old->rank, old->shape, (rs_dtype)old->dtype);
	if (input == GRAPH_NONE)
		return input;
	g->tensors[input].values = values;
	g->tensors[input].also = g->tensors[tensor].also;
	if (has_whole_floats(g))
		elements_make_whole(&g->tensors[input], g->values ^ input);
	return input;
}

static bool make_input(graph *g, uint32_t tensor)
{
	uint32_t input = input_like(g, tensor);
	if (input != GRAPH_NONE)
		graph_replace_alluse(g, tensor, input);
	return input != GRAPH_NONE;
}

/* Makes a node's operands outputs if other nodes made them. False: none did. */
static bool keep_taken(graph *g, uint32_t node)
{
	bool any = false;
	for (unsigned i = 0; i < g->nodes[node].nin; i++) {
		graph_tensor *t = &g->tensors[graph_node_input(g, &g->nodes[node], i)];
		t->kept |= t->producer != GRAPH_NONE;
		any |= t->kept;
	}
	return any;
}

/* Whether a node may be removed: it is live, and not the last one of an invalid model. */
static bool may_go(const graph *g, uint32_t node)
{
	return g->nodes[node].live && !(g->near_miss && node == g->last);
}

bool reduce_without_node(graph *to, const graph *from, uint32_t node, bool keep)
{
	if (!may_go(from, node) || !graph_copy(to, from) || (keep && !keep_taken(to, node)))
		return false;
	for (unsigned i = 0; i < to->nodes[node].nout; i++) {
		uint32_t tensor = to->nodes[node].outputs + i;
		to->tensors[tensor].kept = false;
		if (to->tensors[tensor].nuses && !make_input(to, tensor))
			return false;
	}
	if (effects_writes_any(&to->nodes[node])) /* whether dead or not */
		graph_remove_node(to, node);
	return reduce_finish(to);
}

/* The operand that a result of a write equals; GRAPH_NONE: none. */
static uint32_t written_operand(const graph *g, const graph_node *n, unsigned output)
{
	unsigned input;
	if (alias_of(alias_find(n->op), output, &input) != ALIAS_SELF || input >= n->nin)
		return GRAPH_NONE;
	uint32_t tensor = graph_node_input(g, n, input);
	const graph_tensor *t = &g->tensors[tensor], *o = &g->tensors[n->outputs + output];
	bool same = t->rank == o->rank && t->dtype == o->dtype && memcmp(t->shape, o->shape, t->rank * sizeof *t->shape) == 0;
	return same ? tensor : GRAPH_NONE;
}

bool reduce_write(graph *to, const graph *from, uint32_t node, bool drop)
{
	const graph_node *n = &from->nodes[node];
	if (!may_go(from, node) || !(drop ? effects_writes_any(n) : n->direct) || !graph_copy(to, from))
		return false;
	to->nodes[node].direct &= drop;
	for (unsigned i = 0; drop && i < n->nout; i++) {
		uint32_t tensor = n->outputs + i, operand = written_operand(to, n, i);
		bool used = to->tensors[tensor].nuses || to->tensors[tensor].kept;
		if (used && (operand == GRAPH_NONE || (to->tensors[tensor].kept && to->tensors[operand].producer == GRAPH_NONE)))
			return false;
		if (used)
			graph_replace_alluse(to, tensor, operand);
	}
	if (drop)
		graph_remove_node(to, node);
	return reduce_finish(to);
}

/* Whether a call is an identity, by its name. */
static bool is_identity(const rs_op *op)
{
	const char *name = strrchr(op->api, '.');
	return name && strcmp(name, ".Identity") == 0 && op->nin == 1 && op->nout == 1;
}

/* The signature of Identity for such a tensor; NULL: none. */
static const rs_op *identity_of(const rs_table *table, unsigned rank, uint8_t dtype)
{
	for (uint32_t i = 0; i < table->nops; i++) {
		const rs_op *op = &table->ops[i];
		if (!is_identity(op) || op->nsym != rank || *op->out_ranks != rank)
			continue;
		for (unsigned r = 0; r < op->ndtypes; r++)
			if (op->dtypes[2 * r] == dtype && op->dtypes[2 * r + 1] == dtype)
				return op;
	}
	return NULL;
}

/* An input for an Identity that can replace a tensor; a plain one if there is no such signature and the tensor is
 * unused. */
static uint32_t input_for(graph *g, uint32_t tensor, const rs_table *table, const rs_op **op)
{
	const graph_tensor *t = &g->tensors[tensor];
	*op = identity_of(table, t->rank, t->dtype);
	if (*op)
		return input_like(g, tensor);
	*op = t->nuses ? NULL : identity_of(table, 0, RS_FLOAT32);
	return *op ? graph_input(g, 0, t->shape, RS_FLOAT32) : GRAPH_NONE;
}

/* Replaces the result of a node by an input, passed through in the node's body. */
static bool hand_on(graph *g, uint32_t node, uint32_t tensor, const rs_table *table)
{
	const rs_op *op;
	uint32_t input = input_for(g, tensor, table, &op);
	if (input == GRAPH_NONE)
		return false;
	const graph_tensor *t = &g->tensors[input];
	const graph_call call = {.op = op, .symbols = t->shape, .inputs = &input, .out = t->shape, .out_dtypes = (uint8_t[]){t->dtype}};
	uint32_t new = graph_insert(g, &call, node);
	if (new == GRAPH_NONE)
		return false;
	uint32_t out = g->nodes[new].outputs;
	g->nodes[new].function = g->nodes[node].function;
	g->nodes[new].subgraph = g->nodes[node].subgraph;
	g->tensors[out].also = g->tensors[input].also;
	graph_replace_alluse(g, tensor, out);
	return true;
}

bool reduce_to_identity(graph *to, const graph *from, uint32_t node, bool keep, const rs_table *table)
{
	const graph_node *n = &from->nodes[node];
	bool in_body = may_go(from, node) && (n->function || n->subgraph);
	if (!in_body || is_identity(n->op) || !graph_copy(to, from) || (keep && !keep_taken(to, node)))
		return false;
	for (unsigned i = 0; i < n->nout; i++) {
		const graph_tensor *t = &to->tensors[n->outputs + i];
		if ((t->nuses || t->kept) && !hand_on(to, node, n->outputs + i, table))
			return false;
	}
	return reduce_finish(to);
}

/* Turns a node's operands into inputs: those not made by one other node (GRAPH_NONE: all). */
static bool cut_off(graph *g, uint32_t node, uint32_t but)
{
	for (unsigned i = 0; i < g->nodes[node].nin; i++) {
		uint32_t tensor = graph_node_input(g, &g->nodes[node], i), by = g->tensors[tensor].producer;
		if (by != GRAPH_NONE && by != but && !make_input(g, tensor))
			return false;
	}
	return true;
}

bool reduce_to_pair(graph *to, const graph *from, uint32_t maker, uint32_t node)
{
	if (!from->nodes[node].live || !graph_copy(to, from))
		return false;
	for (uint32_t i = 0; i < to->ntensors; i++) {
		uint32_t by = to->tensors[i].producer;
		to->tensors[i].kept = by == node || (by != GRAPH_NONE && by == maker && to->tensors[i].kept);
	}
	if (!cut_off(to, node, maker) || (maker != GRAPH_NONE && !cut_off(to, maker, GRAPH_NONE)))
		return false;
	for (uint32_t i = to->last, previous; effects_any(from) && i != GRAPH_NONE; i = previous) {
		previous = to->nodes[i].previous;
		if (i != node && i != maker)
			graph_remove_node(to, i);
	}
	while (to->nbodies)
		bodies_drop(to, 0);
	return reduce_finish(to);
}

bool reduce_to_call(graph *to, const graph *from, uint32_t node)
{
	return reduce_to_pair(to, from, GRAPH_NONE, node);
}

bool reduce_constant(graph *to, const graph *from, uint32_t tensor)
{
	bool any = false;
	if (!graph_copy(to, from))
		return false;
	for (uint32_t i = 0; i < to->ntensors; i++) {
		graph_tensor *t = &to->tensors[i];
		if (t->live && t->constant && !elements_packed(t->dtype) && (tensor == GRAPH_NONE || tensor == i)) {
			t->constant = false;
			any = true;
		}
	}
	return any && reduce_finish(to);
}

/* ---- dtypes */

/* Whether a row has these dtypes for the inputs. */
static bool takes(const graph *g, const graph_node *n, const uint8_t *row)
{
	for (unsigned i = 0; i < n->nin; i++)
		if (g->tensors[graph_node_input(g, n, i)].dtype != row[i])
			return false;
	return true;
}

/* How many outputs keep their dtype, or get the requested one. */
static unsigned keeps(const graph *g, const graph_node *n, const uint8_t *row, uint8_t old, uint8_t new)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < n->nout; i++) {
		uint8_t before = g->tensors[n->outputs + i].dtype;
		kept += row[n->nin + i] == (before == old ? new : before);
	}
	return kept;
}

/* Gives a node's outputs the dtypes of the best matching row. Signatures without rows, such as those of quantized tensors, are
 * assumed to accept the change. */
static bool follow_dtypes(graph *g, const graph_node *n, uint8_t old, uint8_t new)
{
	const uint8_t *best = NULL;
	unsigned width = (unsigned)n->nin + n->nout, most = 0;
	for (unsigned i = 0; !n->op->ndtypes && i < n->nout; i++)
		if (g->tensors[n->outputs + i].dtype == old)
			g->tensors[n->outputs + i].dtype = new;
	if (!n->op->ndtypes)
		return true;
	for (unsigned r = 0; r < n->op->ndtypes; r++) {
		const uint8_t *row = n->op->dtypes + (size_t)r * width;
		unsigned kept = keeps(g, n, row, old, new);
		if (takes(g, n, row) && (!best || kept > most)) {
			best = row;
			most = kept;
		}
	}
	for (unsigned i = 0; best && i < n->nout; i++)
		g->tensors[n->outputs + i].dtype = best[n->nin + i];
	return best != NULL;
}

bool reduce_dtype(graph *to, const graph *from, uint32_t tensor, uint8_t old, uint8_t new)
{
	bool any = false;
	if (!graph_copy(to, from))
		return false;
	for (uint32_t i = 0; i < to->ntensors; i++) {
		graph_tensor *t = &to->tensors[i];
		if (t->live && t->producer == GRAPH_NONE && t->dtype == old && (tensor == GRAPH_NONE || tensor == i)) {
			t->dtype = new;
			any = true;
		}
	}
	for (uint32_t i = to->first; any && i != GRAPH_NONE; i = to->nodes[i].next)
		if (!follow_dtypes(to, &to->nodes[i], old, new))
			return false;
	return any && reduce_finish(to);
}

/* ---- elements */

/* Whether only the input itself requires the range of its elements. */
static bool is_free(const graph *g, uint32_t tensor)
{
	const graph_tensor *t = &g->tensors[tensor];
	return t->live && t->producer == GRAPH_NONE && t->dtype > RS_BOOL && t->dtype <= RS_FLOAT64 && !graph_is_ranged(g, tensor);
}

bool reduce_elements(graph *to, const graph *from, uint32_t tensor, int64_t element)
{
	bool any = false;
	if (!graph_copy(to, from))
		return false;
	for (uint32_t i = 0; i < to->ntensors; i++) {
		graph_tensor *t = &to->tensors[i];
		bool fits = element ? t->values > RS_VALUES_UNIT || t->dtype <= RS_INT64 : t->values > RS_VALUES_POSITIVE;
		if ((tensor != GRAPH_NONE && tensor != i) || !is_free(to, i) || !fits
		    || (t->low >= 0 && t->low <= 1 && t->high == t->low + 1 && !t->divisor)) /* is plain */
			continue;
		t->low = element;
		t->high = element + 1;
		t->divisor = 0;
		any = true;
	}
	return any && reduce_finish(to);
}

bool reduce_assignments(graph *to, const graph *from, uint32_t assignment, bool first)
{
	if (assignment >= from->assignments || !graph_copy(to, from))
		return false;
	if (first)
		assignments_keep(to, assignment);
	else if (!assignments_take(to, assignment))
		return false;
	return reduce_finish(to);
}

bool reduce_layout(graph *to, const graph *from, uint32_t tensor)
{
	bool any = false;
	if (!graph_copy(to, from))
		return false;
	for (uint32_t i = 0; i < to->ntensors; i++) {
		graph_tensor *t = &to->tensors[i];
		if (t->live && t->layout && (tensor == GRAPH_NONE || tensor == i)) {
			t->layout = NULL;
			any = true;
		}
	}
	return any && reduce_finish(to);
}

bool reduce_gradients(graph *to, const graph *from)
{
	if (!from->gradients || !graph_copy(to, from))
		return false;
	to->gradients = false;
	return reduce_finish(to);
}

bool reduce_module(graph *to, const graph *from)
{
	if (!from->module || !graph_copy(to, from))
		return false;
	to->module = false;
	return reduce_finish(to);
}

bool reduce_opset(graph *to, const graph *from)
{
	int newest = OP_SET_LAST;
	for (uint32_t i = from->first; i != GRAPH_NONE; i = from->nodes[i].next) {
		int set = op_newest_set(from->nodes[i].op->api);
		newest = set && set < newest ? set : newest;
	}
	if (!from->opset || newest <= from->opset || !graph_copy(to, from))
		return false;
	to->opset = (uint8_t)newest;
	return reduce_finish(to);
}

bool reduce_setting(graph *to, const graph *from, unsigned setting)
{
	bool all = setting == GRAPH_SETTINGS_MAX;
	if (!from->nsettings || (!all && setting >= from->nsettings) || !graph_copy(to, from))
		return false;
	if (all)
		to->nsettings = 0;
	else
		settings_drop(to, setting);
	return reduce_finish(to);
}

bool reduce_session(graph *to, const graph *from)
{
	if (!session_any(from) || !graph_copy(to, from))
		return false;
	session_clear(to);
	return reduce_finish(to);
}

bool reduce_session_item(graph *to, const graph *from, unsigned list, unsigned item, bool drop)
{
	if (item >= from->session[list].n || (!drop && !from->session[list].items[item].pick) || !graph_copy(to, from))
		return false;
	if (drop)
		session_drop(to, (enum session_list)list, item);
	else
		to->session[list].items[item].pick = 0;
	return session_any(to) && reduce_finish(to);
}

bool reduce_body(graph *to, const graph *from, unsigned body)
{
	if (body >= from->nbodies || !graph_copy(to, from))
		return false;
	bodies_drop(to, body);
	return reduce_finish(to);
}

bool reduce_body_trait(graph *to, const graph *from, unsigned body, unsigned trait)
{
	if (body >= from->nbodies)
		return false;
	const graph_body *before = &from->bodies[body];
	graph_body b = *before;
	switch (trait) {
	case 0: b.constants = BODY_CONSTANTS_OUTSIDE; break;
	case 1: b.form = BODY_PLAIN; break;
	case 2: b.trips = b.kind == BODY_SCAN; break;
	case 3: b.axis = 0; break;
	default: b.reverse = false; break;
	}
	bool same = b.constants == before->constants && b.form == before->form && b.trips == before->trips
		    && b.axis == before->axis && b.reverse == before->reverse;
	if (same || !graph_copy(to, from))
		return false;
	to->bodies[body] = b;
	return reduce_finish(to);
}
