#include "symbol_place.h"

#include "need.h"

static symbol_place within(symbol_place p, int k, int length)
{
	if (p.n < SYMBOL_INDICES) {
		p.at[p.n] = (int16_t)k;
		p.length[p.n++] = (int16_t)length;
	}
	return p;
}

static symbol_place bound_of(symbol_place p, const char *bound)
{
	p.bound = bound;
	return p;
}

static void add(symbol_place *to, const call_value *v, symbol_place p)
{
	switch ((enum call_kind)v->kind) {
	case CALL_INT: to[v->first] = p; return;
	case CALL_TENSOR:
		for (int k = 0; k < v->count; k++) {
			to[v->first + k] = within(p, k, v->count);
			to[v->first + k].dim = p.n < SYMBOL_INDICES;
		}
		if (v->ranged) {
			to[v->first + v->count] = bound_of(p, ".low");
			to[v->first + v->count + 1] = bound_of(p, ".high");
		}
		return;
	case CALL_LIST:
		for (int k = 0; k < v->count; k++)
			add(to, &v->items[k], within(p, k, v->count));
		return;
	case CALL_ELEMENTS: add(to, v->items, p); return;
	case CALL_CONST: return;
	}
}

const symbol_place *symbol_places(arena *memory, const call *c)
{
	symbol_place *to = NEED_ARRAY(memory, symbol_place, c->nsym);
	for (int k = 0; k < c->nargs; k++)
		add(to, &c->args[k].value, (symbol_place){.argument = c->args[k].name, .bound = ""});
	return to;
}

void symbol_place_put(buf *to, const symbol_place *p)
{
	buf_puts(to, p->argument);
	for (int d = 0; d < p->n; d++)
		buf_printf(to, "[%d]", p->at[d]);
	buf_puts(to, p->bound);
}
