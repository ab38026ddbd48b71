#include "own_case.h"

#include "need.h"

/* The expression over places that are numbers, such as x[0]. False: it has none with the same instance. */
static bool find_template(template *t, const api_calls *f, const api_call *form, const expr *e)
{
	for (int folds = 1; folds >= 0; folds--) {
		template_way way = {.dims = WAY_NUMBER_LEFT, .items = WAY_NUMBER_LEFT, .folds = folds};
		if (template_of(t, f, form, e, (anchor){0, 0}, way) && template_instance(t, f, form, 0, NULL) == e)
			return true;
	}
	return false;
}

const api_clauses *own_clauses(const api_calls *f, const api_call *form)
{
	const rule *r = form->of.rule;
	api_clauses *all = NEED_ARRAY(f->memory, api_clauses, 1);
	all->list = NEED_ARRAY(f->memory, api_clause, r->nclauses);
	for (int k = 0; k < r->nclauses; k++, all->n++)
		if (!find_template(&all->list[k].t, f, form, r->clauses[k]))
			return NULL;
	return all;
}

const api_shapes *own_shapes(const api_calls *f, const api_call *form)
{
	const call *c = form->of.call;
	const expr *const *out = form->of.rule->out;
	api_shapes *s = NEED_ARRAY(f->memory, api_shapes, 1);
	*s = (api_shapes){.tensors = NEED_ARRAY(f->memory, tensor_shape, c->nout), .ntensors = (unsigned)c->nout};
	for (int t = 0; t < c->nout; out += c->outputs[t++].rank) {
		if (c->outputs[t].rank > MAX_LINES)
			return NULL;
		tensor_shape *x = &s->tensors[t];
		for (int d = 0; d < c->outputs[t].rank; d++, x->nlines++) {
			x->lines[d].where = (index_range){.way = RANGE_LEFT, .head = (int16_t)d, .only = (int16_t)(d + 1)};
			if (!find_template(&x->lines[d].t, f, form, out[d]))
				return NULL;
		}
	}
	return s;
}
