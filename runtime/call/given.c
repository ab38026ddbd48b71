#include "given.h"

#include <string.h>

static bool add_tensor(given *g, const call_value *v)
{
	if (g->ntensors == GIVEN_TENSORS)
		return false;
	g->tensors[g->ntensors++] = v;
	return true;
}

static bool add_text(given *g, const call_value *v)
{
	if (g->text)
		return false;
	g->text = v->text;
	return true;
}

/* The items of a list that is not one of integers. */
static bool add_items(given *g, const call_value *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const call_value *v = &list->items[i];
		const bool added = v->kind == CALL_TENSOR ? add_tensor(g, v)
			: v->kind == CALL_STRING	  ? add_text(g, v)
			: call_is_sequence(v)		  ? v->n && add_items(g, v)
							  : false;
		if (!added)
			return false;
	}
	return true;
}

static bool add_integers(given *g, const char *name, const call_value *v)
{
	if (g->nintegers == GIVEN_INTEGERS)
		return false;
	g->names[g->nintegers] = name;
	g->integers[g->nintegers++] = v;
	return true;
}

bool given_of(const binding *b, given *out)
{
	*out = (given){.text = NULL};
	for (size_t i = 0; i < b->to->n; i++) {
		const parameter *p = &b->to->parameters[i];
		const call_value *v = bound_value(b, (int)i);
		if (v && v->kind == CALL_ELEMENTS)
			v = &v->items[0];
		bool added = true;
		if (!v)
			continue;
		if (v->kind == CALL_INT || (call_is_integers(v) && p->type != PARAMETER_TENSOR))
			added = add_integers(out, p->name, v);
		else if (p->has_default && (!b->values[i] || call_equal(v, &p->value)))
			continue;
		else if (v->kind == CALL_TENSOR)
			added = add_tensor(out, v);
		else if (v->kind == CALL_STRING)
			added = add_text(out, v);
		else
			added = call_is_sequence(v) && add_items(out, v);
		if (!added)
			return false;
	}
	return true;
}

bool given_alike(const given *a, const given *b)
{
	if (!a->text != !b->text || a->nintegers != b->nintegers || (!a->text && a->ntensors != b->ntensors))
		return false;
	for (unsigned i = 0; i < a->nintegers; i++)
		if (strcmp(a->names[i], b->names[i]) != 0 || (a->integers[i]->kind == CALL_INT) != (b->integers[i]->kind == CALL_INT))
			return false;
	return true;
}

bool given_dtype(const given *g, uint8_t *dtype)
{
	*dtype = RS_OTHER;
	for (unsigned i = 0; i < g->ntensors; i++) {
		const uint8_t one = g->tensors[i]->dtype;
		if (one != RS_OTHER && *dtype != RS_OTHER && one != *dtype)
			return false;
		*dtype = one == RS_OTHER ? *dtype : one;
	}
	return true;
}
