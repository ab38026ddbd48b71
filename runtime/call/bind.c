#include "bind.h"

#include <string.h>

int parameter_find(const overload *o, const char *name)
{
	for (size_t i = 0; i < o->n; i++)
		if (strcmp(o->parameters[i].name, name) == 0)
			return (int)i;
	return -1;
}

static bool fits_tensor(const call_value *v, binding_types types)
{
	if (v->kind == CALL_TENSOR || v->kind == CALL_ELEMENTS || (v->kind == CALL_TUPLE && call_is_integers(v)))
		return true;
	return types >= BINDING_LENIENT && (v->kind == CALL_INT || v->kind == CALL_FLOAT || v->kind == CALL_BOOL || v->kind == CALL_LIST);
}

static bool fits_one(const parameter *p, const call_value *v, binding_types types)
{
	switch (p->type) {
	case PARAMETER_TENSOR: return fits_tensor(v, types);
	case PARAMETER_INT: return v->kind == CALL_INT;
	case PARAMETER_NUMBER: return v->kind == CALL_INT || v->kind == CALL_FLOAT || v->kind == CALL_BOOL;
	case PARAMETER_BOOL: return v->kind == CALL_BOOL || (types >= BINDING_LENIENT && v->kind == CALL_INT);
	case PARAMETER_STRING: return v->kind == CALL_STRING;
	case PARAMETER_OTHER: return v->kind == CALL_NAME || v->kind == CALL_STRING || types >= BINDING_LENIENT;
	case PARAMETER_ANY: return true;
	}
	return false;
}

/* Whether a value is of the default's kind. Some annotations are wrong: compute_mode: int = 'use_mm_for_euclid_dist'. */
static bool is_like_default(const parameter *p, const call_value *v)
{
	return p->has_default && v->kind == CALL_STRING && p->value.kind == CALL_STRING;
}

static bool fits(const parameter *p, const call_value *v, binding_types types)
{
	if (is_like_default(p, v))
		return true;
	if (v->kind == CALL_NONE)
		return p->optional || p->type == PARAMETER_ANY || (p->has_default && p->value.kind == CALL_NONE)
			|| types >= BINDING_LENIENT;
	if (!p->list && !(types == BINDING_LISTS && call_is_sequence(v)))
		return fits_one(p, v, types);
	if (!call_is_sequence(v))
		return (p->count || types == BINDING_LISTS) && fits_one(p, v, types);
	for (size_t i = 0; i < v->n; i++)
		if (!fits_one(p, &v->items[i], types) && !(types >= BINDING_LENIENT && v->items[i].kind == CALL_NONE))
			return false;
	return true;
}

/* The positional arguments from index `from` on, as one list. */
static const call_value *pack(const call *c, size_t from, size_t to, arena *memory)
{
	call_value *list = ARENA_NEW(memory, call_value), *items = ARENA_ARRAY(memory, call_value, to - from + 1);
	if (!list || !items)
		return NULL;
	for (size_t i = from; i < to; i++)
		items[i - from] = c->args[i].value;
	*list = (call_value){.kind = CALL_LIST, .items = items, .n = to - from};
	return list;
}

/* Whether the last positional argument is all of a packed parameter's values: records of variadic inputs have one list of tensors. */
static bool is_packed(const parameter *p, const call_value *v)
{
	const bool tensors = v->kind == CALL_LIST && v->n && (v->items[0].kind == CALL_TENSOR || v->items[0].kind == CALL_ELEMENTS);
	return call_is_sequence(v) && (p->list || tensors);
}

static bool bind_positional(const call *c, const overload *to, size_t n, arena *memory, binding *out)
{
	for (size_t i = 0, at = 0; i < n; i++, at++) {
		if (at >= to->n || to->parameters[at].keyword)
			return false;
		const parameter *p = &to->parameters[at];
		const call_value *v = &c->args[i].value;
		if (p->packed && !(i + 1 == n && is_packed(p, v))) {
			out->values[at] = pack(c, i, n, memory);
			return out->values[at];
		}
		out->values[at] = v;
	}
	return true;
}

bool bind_call(const call *c, const overload *to, binding_types types, arena *memory, binding *out)
{
	*out = (binding){.to = to};
	size_t n = 0;
	while (n < c->nargs && !c->args[n].name)
		n++;
	if (!bind_positional(c, to, n, memory, out))
		return false;
	for (size_t i = n; i < c->nargs; i++) {
		const int at = parameter_find(to, c->args[i].name);
		if (at < 0 || out->values[at])
			return false;
		out->values[at] = &c->args[i].value;
	}
	for (size_t i = 0; i < to->n; i++) {
		const parameter *p = &to->parameters[i];
		if (out->values[i] ? !p->packed && !fits(p, out->values[i], types) : !p->has_default && !p->packed)
			return false;
	}
	return true;
}

bool bind_overload(const call *c, const overload *overloads, size_t n, arena *memory, binding *out)
{
	for (binding_types types = BINDING_STRICT; types <= BINDING_LISTS; types++)
		for (size_t i = 0; i < n; i++)
			if (bind_call(c, &overloads[i], types, memory, out))
				return true;
	return false;
}

static bool is_number(const call_value *v)
{
	return v && (v->kind == CALL_INT || v->kind == CALL_FLOAT || v->kind == CALL_BOOL);
}

static const call_value SCALAR = {.kind = CALL_TENSOR, .dtype = RS_OTHER};

bool bound_number(const call_value *v)
{
	return v == &SCALAR;
}

/* Binds the same values to another overload, numbers to its tensors. */
static bool bind_as(const binding *b, const overload *to, binding *out)
{
	bool any = false;
	*out = (binding){.to = to};
	for (size_t i = 0; i < b->to->n; i++) {
		if (!b->values[i])
			continue;
		const int at = parameter_find(to, b->to->parameters[i].name);
		if (at < 0)
			return false;
		const bool tensor = to->parameters[at].type == PARAMETER_TENSOR && !to->parameters[at].list && is_number(b->values[i]);
		out->values[at] = tensor ? &SCALAR : b->values[i];
		any = any || tensor;
		if (!tensor && !fits(&to->parameters[at], b->values[i], BINDING_STRICT))
			return false;
	}
	for (size_t i = 0; i < to->n; i++)
		if (!out->values[i] && !to->parameters[i].has_default)
			return false;
	return any;
}

bool bind_numbers(const binding *b, const overload *overloads, size_t n, binding *out)
{
	for (size_t i = 0; i < n; i++)
		if (&overloads[i] != b->to && bind_as(b, &overloads[i], out))
			return true;
	return false;
}

const call_value *bound_value(const binding *b, int at)
{
	const parameter *p = &b->to->parameters[at];
	const call_value *v = b->values[at] ? b->values[at] : p->has_default ? &p->value : NULL;
	const bool empty = v && call_is_sequence(v) && v->n == 0 && p->has_default && call_is_sequence(&p->value) && p->value.n == 0;
	const bool none = !v || v->kind == CALL_NONE || empty;
	return none ? NULL : v;
}

const call_value *bound_named(const binding *b, const char *name)
{
	const int at = parameter_find(b->to, name);
	return at < 0 ? NULL : bound_value(b, at);
}
