#include "recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call_reader.h"

/* ---- from rows to calls */

/* Reads the value at *at of a row, and moves *at behind it. */
static bool from_node(const rs_op *op, unsigned *at, arena *memory, call_value *out)
{
	const rs_value *node = &op->values[(*at)++];
	const size_t inside = node->kind == RS_LIST ? node->count : node->kind == RS_ELEMENTS ? 1 : 0;
	static const call_kind KINDS[] = {[RS_TENSOR] = CALL_TENSOR, [RS_INT] = CALL_INT, [RS_LIST] = CALL_LIST,
	    [RS_RANGED] = CALL_TENSOR, [RS_ELEMENTS] = CALL_ELEMENTS};
	if (node->kind == RS_CONST) {
		diag d;
		if (!call_parse_value(node->text, memory, out, &d))
			*out = (call_value){.kind = CALL_NAME, .text = node->text};
		out->node = node;
		return out->text || out->kind != CALL_NAME;
	}
	*out = (call_value){.kind = KINDS[node->kind], .node = node, .dtype = node->dtype};
	out->n = rs_is_tensor(node->kind) ? node->count : inside;
	call_value *items = ARENA_ARRAY(memory, call_value, inside + 1);
	out->items = items;
	for (size_t i = 0; items && i < inside; i++)
		if (!from_node(op, at, memory, &items[i]))
			return false;
	return items;
}

static bool as_call(const rs_op *op, arena *memory, call *out)
{
	*out = (call){.api = op->api, .args = ARENA_ARRAY(memory, call_arg, op->nargs + 1u), .nargs = op->nargs};
	bool named = false;
	for (unsigned i = 0; out->args && i < op->nargs; i++) {
		unsigned at = op->args[i].value;
		named = named || !op->args[i].by_position;
		out->args[i].name = named ? op->args[i].name : NULL;
		if (!from_node(op, &at, memory, &out->args[i].value))
			return false;
	}
	return out->args;
}

/* A signature from the rows alone: their arguments in the order of the row with the most, all of any type. */
static overload *own_overload(const rs_op *ops, size_t nops, arena *memory)
{
	overload *o = ARENA_NEW(memory, overload);
	parameter *p = ARENA_ARRAY(memory, parameter, PARAMETERS_MOST);
	if (!o || !p)
		return NULL;
	size_t longest = 0;
	for (size_t i = 1; i < nops; i++)
		longest = ops[i].nargs > ops[longest].nargs ? i : longest;
	*o = (overload){.parameters = p};
	for (size_t i = 0; i < nops; i++) {
		const rs_op *op = &ops[i == 0 ? longest : i == longest ? 0 : i];
		for (unsigned a = 0; a < op->nargs; a++)
			if (o->n < PARAMETERS_MOST && parameter_find(o, op->args[a].name) < 0)
				p[o->n++] = (parameter){.name = op->args[a].name, .has_default = true, .optional = true};
	}
	return o;
}

/* Whether a parameter has this argument, or a list that begins with it. */
static bool is_argument(const call_value *bound, const call_value *argument)
{
	return bound == argument || (bound && !bound->node && bound->n && bound->items[0].node == argument->node);
}

recorded *recorded_rows(const rs_op *ops, size_t nops, const overload **overloads, size_t *noverloads, arena *memory, size_t *n)
{
	recorded *rows = ARENA_ARRAY(memory, recorded, nops + 1);
	*n = 0;
	if (!*noverloads) {
		*overloads = own_overload(ops, nops, memory);
		*noverloads = 1;
	}
	for (size_t i = 0; rows && *overloads && i < nops; i++) {
		recorded *row = &rows[*n];
		call c;
		if (!as_call(&ops[i], memory, &c))
			return NULL;
		*row = (recorded){.op = &ops[i]};
		if (!bind_overload(&c, *overloads, *noverloads, memory, &row->bound))
			continue;
		for (unsigned a = ops[i].nargs; a-- > 0;)
			for (size_t k = 0; k < row->bound.to->n; k++)
				if (is_argument(row->bound.values[k], &c.args[a].value))
					row->names[k] = ops[i].args[a].name;
		(*n)++;
	}
	return *overloads ? rows : NULL;
}

/* ---- from symbols to calls */

/* A recorded value with numbers in place of symbols. */
static bool with_numbers(const call_value *row, const int64_t *symbols, arena *memory, call_value *out)
{
	*out = *row;
	if (!row->node && !call_is_sequence(row))
		return true;
	if (row->node && row->node->kind == RS_INT)
		out->integer = symbols[row->node->first];
	if (row->node && rs_is_tensor(row->node->kind)) {
		out->dims = &symbols[row->node->first];
		out->bounded = row->node->kind == RS_RANGED;
		out->low = out->bounded ? out->dims[row->n] : 0;
		out->high = out->bounded ? out->dims[row->n + 1] : 0;
		return true;
	}
	call_value *items = ARENA_ARRAY(memory, call_value, row->n + 1);
	out->items = items;
	for (size_t i = 0; items && i < (row->items ? row->n : 0); i++)
		if (!with_numbers(&row->items[i], symbols, memory, &items[i]))
			return false;
	return items;
}

bool recorded_instance(const recorded *row, const int64_t *symbols, arena *memory, binding *out)
{
	*out = (binding){.to = row->bound.to};
	for (size_t i = 0; i < out->to->n; i++) {
		if (!row->bound.values[i])
			continue;
		call_value *v = ARENA_NEW(memory, call_value);
		if (!v || !with_numbers(row->bound.values[i], symbols, memory, v))
			return false;
		out->values[i] = v;
	}
	return true;
}

/* ---- from calls to symbols */

static bool match(const rs_op *op, const call_value *row, const call_value *v, const parameter *p, int64_t *symbols);

/* Whether a number is among the recorded ones of a constant, or between them: no rule depends on these. */
static bool is_sampled(const rs_op *op, const rs_value *node, double number)
{
	double low = INFINITY, high = -INFINITY;
	for (unsigned i = 0; i < node->count; i++) {
		const double sample = strtod(op->floats[node->first + i], NULL);
		if (isnan(sample) ? isnan(number) : sample == number)
			return true;
		low = sample < low ? sample : low;
		high = sample > high ? sample : high;
	}
	return number >= low && number <= high;
}

static bool match_constant(const rs_op *op, const call_value *row, const call_value *v)
{
	if (row->node->count && (v->kind == CALL_FLOAT || (v->kind == CALL_INT && row->kind == CALL_FLOAT)))
		return is_sampled(op, row->node, v->kind == CALL_INT ? (double)v->integer : v->number);
	if (row->kind == CALL_NAME && v->kind == CALL_STRING)
		return strcmp(row->text, v->text) == 0;
	return (row->kind == v->kind || row->kind == CALL_FLOAT) && call_equal(row, v);
}

static bool match_tensor(const rs_value *node, const call_value *v, int64_t *symbols)
{
	const bool shape = v->kind == CALL_TUPLE && call_is_integers(v);
	if ((v->kind != CALL_TENSOR && !shape) || v->n != node->count)
		return false;
	for (size_t i = 0; i < v->n; i++)
		symbols[node->first + i] = shape ? v->items[i].integer : v->dims[i];
	if (node->kind == RS_RANGED) {
		symbols[node->first + node->count] = v->bounded ? v->low : 0;
		symbols[node->first + node->count + 1] = v->bounded ? v->high : 0;
	}
	return true;
}

/* A list in the row: a list of as many values, or one integer for all if the framework takes one. */
static bool match_list(const rs_op *op, const call_value *row, const call_value *v, const parameter *p, int64_t *symbols)
{
	const call_value *last = row->n ? &row->items[row->n - 1] : NULL;
	if (!row->node && v->n > row->n && last->kind == CALL_LIST && last->n == v->n - row->n + 1) { /* f(e, [x, y]) as f(e, x, y) */
		const call_value list = {.kind = CALL_LIST, .items = &v->items[row->n - 1], .n = last->n};
		for (size_t i = 0; i + 1 < row->n; i++)
			if (!match(op, &row->items[i], &v->items[i], NULL, symbols))
				return false;
		return match_list(op, last, &list, NULL, symbols);
	}
	const bool one = v->kind == CALL_INT && p && p->list && p->count;
	if (!one && (!call_is_sequence(v) || v->n != row->n))
		return false;
	for (size_t i = 0; i < row->n; i++)
		if (!match(op, &row->items[i], one ? v : &v->items[i], NULL, symbols))
			return false;
	return true;
}

/* One integer in the row: an integer, or a list of equal ones if the framework takes a list of that length. */
static bool match_integer(const call_value *row, const call_value *v, const parameter *p, int64_t *symbols)
{
	if (call_is_integers(v) && p && p->list && (v->n == 1 || v->n == p->count)) {
		for (size_t i = 1; i < v->n; i++)
			if (v->items[i].integer != v->items[0].integer)
				return false;
		v = &v->items[0];
	}
	if (v->kind == CALL_INT)
		symbols[row->node->first] = v->integer;
	return v->kind == CALL_INT;
}

static bool match(const rs_op *op, const call_value *row, const call_value *v, const parameter *p, int64_t *symbols)
{
	if (!row->node) /* several positional arguments as one list */
		return match_list(op, row, v, p, symbols);
	switch ((enum rs_kind)row->node->kind) {
	case RS_TENSOR:
	case RS_RANGED: return match_tensor(row->node, v, symbols);
	case RS_INT: return match_integer(row, v, p, symbols);
	case RS_CONST: return match_constant(op, row, v);
	case RS_LIST: return match_list(op, row, v, p, symbols);
	case RS_ELEMENTS:
		if (v->kind == CALL_ELEMENTS && v->dtype != RS_OTHER && v->dtype != row->dtype)
			return false;
		return match(op, &row->items[0], v->kind == CALL_ELEMENTS ? &v->items[0] : v, NULL, symbols);
	}
	return false;
}

bool recorded_match(const recorded *row, const binding *b, int64_t *symbols)
{
	memset(symbols, 0, row->op->nsym * sizeof *symbols);
	for (size_t i = 0; i < row->bound.to->n; i++) {
		const parameter *p = &row->bound.to->parameters[i];
		const call_value *here = bound_value(&row->bound, (int)i), *there = bound_named(b, p->name);
		if (!here != !there)
			return false;
		if (here && !(row->bound.values[i] ? match(row->op, here, there, p, symbols) : call_equal(here, there)))
			return false;
	}
	for (size_t i = 0; i < b->to->n; i++)
		if (parameter_find(row->bound.to, b->to->parameters[i].name) < 0 && bound_value(b, (int)i) && b->values[i])
			return false;
	return true;
}

static void add_dtypes(const call_value *row, const call_value *v, uint8_t **next)
{
	if (row->node && rs_is_tensor(row->node->kind)) {
		*(*next)++ = v && v->kind == CALL_TENSOR ? v->dtype : RS_OTHER;
	} else if (call_is_sequence(row)) {
		for (size_t i = 0; i < row->n; i++)
			add_dtypes(&row->items[i], v && call_is_sequence(v) && i < v->n ? &v->items[i] : NULL, next);
	}
}

void recorded_dtypes(const recorded *row, const binding *b, uint8_t *dtypes)
{
	for (unsigned a = 0; a < row->op->nargs; a++)
		for (size_t i = 0; i < row->bound.to->n; i++)
			if (row->names[i] && strcmp(row->names[i], row->op->args[a].name) == 0)
				add_dtypes(row->bound.values[i], bound_named(b, row->bound.to->parameters[i].name), &dtypes);
}

/* ---- tensors with known elements as plain ones */

static bool has_plain(const recorded *rows, size_t n, const char *name, size_t rank)
{
	for (size_t r = 0; r < n; r++) {
		const call_value *row = bound_named(&rows[r].bound, name);
		if (row && row->kind == CALL_TENSOR && row->n == rank)
			return true;
	}
	return false;
}

/* A tensor of rank 0 or 1. */
static const call_value *plain_tensor(const call_value *v, arena *memory)
{
	const call_value *list = &v->items[0];
	const bool many = call_is_sequence(list);
	const size_t n = many ? list->n : 1;
	call_value *out = ARENA_NEW(memory, call_value);
	int64_t *dims = ARENA_ARRAY(memory, int64_t, 1);
	if (!out || !dims)
		return NULL;
	*dims = (int64_t)n;
	*out = (call_value){.kind = CALL_TENSOR, .dtype = v->dtype, .n = many, .dims = dims, .bounded = n > 0};
	for (size_t i = 0; i < n; i++) {
		const call_value *item = many ? &list->items[i] : list;
		out->bounded = out->bounded && item->kind == CALL_INT && item->integer < INT64_MAX;
		out->low = i == 0 || item->integer < out->low ? item->integer : out->low;
		out->high = i == 0 || item->integer >= out->high ? item->integer + (item->integer < INT64_MAX) : out->high;
	}
	return out;
}

bool recorded_plain_tensors(const recorded *rows, size_t n, const binding *b, arena *memory, binding *out)
{
	bool any = false;
	*out = *b;
	for (size_t i = 0; i < b->to->n; i++) {
		const call_value *v = b->values[i];
		if (!v || v->kind != CALL_ELEMENTS || (call_is_sequence(&v->items[0]) && v->items[0].n && call_is_sequence(&v->items[0].items[0]))
		    || !has_plain(rows, n, b->to->parameters[i].name, call_is_sequence(&v->items[0])))
			continue;
		if (!(out->values[i] = plain_tensor(v, memory)))
			return false;
		any = true;
	}
	return any;
}
