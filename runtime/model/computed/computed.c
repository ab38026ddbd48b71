#include "computed.h"

#include <string.h>

/* ---- the rule */

static bool is_tensor_for(const rs_value *v, const rs_value *elements)
{
	return v->kind == RS_TENSOR && elements->kind == RS_ELEMENTS && v->dtype == elements->dtype
	       && v->count == (elements[1].kind == RS_LIST);
}

static bool value_alike(const rs_value *v, const rs_value *w)
{
	bool counted = v->kind == RS_TENSOR || v->kind == RS_LIST;
	return v->kind == w->kind && v->kind != RS_RANGED && (!counted || v->count == w->count)
	       && (v->kind != RS_ELEMENTS || v->dtype == w->dtype);
}

/* Whether values of both are alike from here on; each gets the number of its values. */
static bool alike(const rs_op *op, unsigned at, const rs_op *of, unsigned of_at, unsigned *n, unsigned *of_n)
{
	*n = graph_value_size(&op->values[at]);
	*of_n = graph_value_size(&of->values[of_at]);
	if (*n != *of_n)
		return false;
	for (unsigned i = 0; i < *n; i++)
		if (!value_alike(&op->values[at + i], &of->values[of_at + i]))
			return false;
	return true;
}

/* Whether a signature is another one with tensors for some elements. */
static bool is_computed(const rs_op *op, const rs_op *of)
{
	unsigned at = 0, of_at = 0, n, of_n, computed = 0;
	if (op->nargs != of->nargs || op->nout != of->nout || !of->valid || strcmp(op->api, of->api) != 0
	    || memcmp(op->out_ranks, of->out_ranks, of->nout) != 0)
		return false;
	for (unsigned i = 0; i < op->nargs; i++, at += n, of_at += of_n) {
		if (strcmp(op->args[i].name, of->args[i].name) != 0 || at >= op->nvalues || of_at >= of->nvalues)
			return false;
		if (alike(op, at, of, of_at, &n, &of_n))
			continue;
		if (!is_tensor_for(&op->values[at], &of->values[of_at]))
			return false;
		computed++;
	}
	return computed;
}

const rs_op *computed_rule(const rs_table *t, const rs_op *op)
{
	if (op->valid || !t)
		return NULL;
	const rs_op *of = rs_table_find(t, op->name);
	const rs_table *forms = of ? NULL : rs_library_table(&rs_forms, t->framework);
	of = forms ? rs_table_find(forms, op->name) : of;
	return of && is_computed(op, of) ? of : NULL;
}

/* ---- its symbols */

/* Values while their symbols are copied. */
typedef struct copying {
	const graph *g;
	const graph_node *n;
	const rs_op *of;
	shape_source shapes;
	unsigned at, of_at, input;
	int64_t *symbols;
} copying;

/* The symbols of elements that a tensor has. */
static bool copy_elements(copying *c)
{
	shape_values v;
	const rs_value *w = &c->of->values[c->of_at + 1];
	bool list = w->kind == RS_LIST;
	unsigned count = list ? w->count : 1;
	if (!shape_values_of(c->g, graph_node_input(c->g, c->n, c->input), c->shapes, &v) || v.rank != list || v.count != count)
		return false;
	for (unsigned i = 0; i < count; i++) {
		if (w[list + i].kind != RS_INT)
			return false;
		c->symbols[w[list + i].first] = v.n[i];
	}
	return true;
}

static void copy_value(copying *c, const rs_value *v, const rs_value *w)
{
	if (v->kind == RS_INT)
		c->symbols[w->first] = c->n->symbols[v->first];
	if (v->kind != RS_TENSOR)
		return;
	uint32_t tensor = graph_node_input(c->g, c->n, c->input++);
	memcpy(c->symbols + w->first, c->shapes.of(c->shapes.context, tensor), w->count * sizeof *c->symbols);
}

bool computed_symbols(const graph *g, const graph_node *n, const rs_op *of, shape_source s, int64_t *symbols)
{
	copying c = {.g = g, .n = n, .of = of, .shapes = s, .symbols = symbols};
	for (unsigned i = 0; i < of->nargs; i++) {
		unsigned count = graph_value_size(&n->op->values[c.at]), of_count = graph_value_size(&of->values[c.of_at]);
		if (is_tensor_for(&n->op->values[c.at], &of->values[c.of_at])) {
			if (!copy_elements(&c))
				return false;
			c.input++;
		} else {
			for (unsigned k = 0; k < count; k++)
				copy_value(&c, &n->op->values[c.at + k], &of->values[c.of_at + k]);
		}
		c.at += count;
		c.of_at += of_count;
	}
	return true;
}

/* ---- making one */

unsigned computed_integers(const rs_op *op, unsigned arg, unsigned *first)
{
	const rs_value *v = &op->values[op->args[arg].value];
	if (v->kind != RS_ELEMENTS)
		return 0;
	bool list = v[1].kind == RS_LIST;
	unsigned count = list ? v[1].count : 1;
	for (unsigned i = 0; i < count; i++)
		if (v[1 + list + i].kind != RS_INT)
			return 0;
	*first = count ? v[1 + list].first : 0;
	return count;
}

/* Renumbers the symbols of a value; map: as in computed_make. */
static void renumber(rs_op *op, rs_value *v, uint16_t *map)
{
	unsigned n = v->kind == RS_INT ? 1 : v->kind == RS_TENSOR ? v->count : 0;
	for (unsigned i = 0; i < n; i++)
		map[v->first + i] = (uint16_t)(op->nsym + i);
	v->first = n ? op->nsym : v->first;
	op->nsym = (uint16_t)(op->nsym + n);
}

rs_op *computed_make(arena *a, const rs_op *op, unsigned arg, uint16_t *map)
{
	rs_op *new = ARENA_NEW(a, rs_op);
	rs_value *values = ARENA_ARRAY(a, rs_value, op->nvalues + 1);
	rs_arg *args = ARENA_ARRAY(a, rs_arg, op->nargs + 1);
	if (!new || !values || !args)
		return NULL;
	*new = (rs_op){.name = op->name, .api = op->api, .why = "its elements are computed", .floats = op->floats, .out_ranks = op->out_ranks,
	    .args = args, .values = values, .nargs = op->nargs, .nin = (uint16_t)(op->nin + 1), .nout = op->nout, .nodim = op->nodim,
	    .flags = op->flags & RS_RANDOM};
	memset(map, 0xff, (op->nsym + (size_t)1) * sizeof *map);
	for (unsigned i = 0; i < op->nargs; i++) {
		const rs_value *v = &op->values[op->args[i].value];
		unsigned n = graph_value_size(v);
		args[i] = op->args[i];
		args[i].value = new->nvalues;
		if (i == arg) {
			values[new->nvalues] = (rs_value){.kind = RS_TENSOR, .dtype = v->dtype, .count = v[1].kind == RS_LIST, .first = new->nsym};
			new->nsym = (uint16_t)(new->nsym + values[new->nvalues++].count);
			continue;
		}
		for (unsigned k = 0; k < n; k++) {
			values[new->nvalues] = v[k];
			renumber(new, &values[new->nvalues++], map);
		}
	}
	return new;
}
