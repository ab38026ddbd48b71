#include "call_twin.h"

#include <string.h>

static bool same_default(const parameter *a, const parameter *b)
{
	if (a->has_default != b->has_default || !a->has_default)
		return a->has_default == b->has_default;
	return a->value.kind == b->value.kind && call_equal(&a->value, &b->value);
}

/* Whether two parameters are the same. named: names are compared, too. */
static bool same_parameter(const parameter *a, const parameter *b, bool named)
{
	return a->type == b->type && a->list == b->list && a->count == b->count && a->optional == b->optional && a->keyword == b->keyword
		&& same_default(a, b) && (!named || strcmp(a->name, b->name) == 0);
}

static bool same_overloads(const overload *a, const overload *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (a[i].n != b[i].n || !a[i].n)
			return false;
		for (size_t k = 0; k < a[i].n; k++)
			if (!same_parameter(&a[i].parameters[k], &b[i].parameters[k], k > 0))
				return false;
	}
	return n;
}

/* The call of another API; the name of a first argument that is passed by name changes. */
static bool as_call_of(const call *c, const char *api, const overload *from, const overload *to, arena *memory, call *out)
{
	*out = *c;
	out->api = api;
	if (!c->nargs || !c->args[0].name || strcmp(c->args[0].name, from->parameters[0].name) != 0)
		return true;
	out->args = ARENA_ARRAY(memory, call_arg, c->nargs);
	if (!out->args)
		return false;
	memcpy(out->args, c->args, c->nargs * sizeof *c->args);
	out->args[0].name = to->parameters[0].name;
	return true;
}

unsigned call_twins(const call *c, arena *memory, call out[TWINS_MOST])
{
	const char *names[TWINS_MOST];
	size_t n, m;
	unsigned found = 0;
	const unsigned nnames = signatures_siblings(c->api, memory, names, TWINS_MOST);
	const overload *own = nnames ? signatures_find(c->api, memory, &n) : NULL;
	for (unsigned i = 0; own && i < nnames; i++) {
		const overload *other = signatures_find(names[i], memory, &m);
		if (other && n == m && same_overloads(own, other, n) && as_call_of(c, names[i], own, other, memory, &out[found]))
			found++;
	}
	return found;
}
