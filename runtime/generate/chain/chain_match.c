#include "chain_match.h"

#include <stdlib.h>
#include <string.h>

#include "framework.h"
#include "gen_index.h"

/* ---- trees of values */

/* Which input of the call a tensor value is. */
static unsigned input_of(const rs_op *op, const rs_value *v)
{
	unsigned n = 0;
	for (const rs_value *w = op->values; w < v; w++)
		n += rs_is_tensor(w->kind);
	return n;
}

/* The text of all elements below a value; NULL: they differ, or there is none. */
static const char *uniform_text(const rs_value *v)
{
	const char *text = NULL;
	unsigned n = graph_value_size(v);
	for (unsigned i = 0; i < n; i++) {
		if (v[i].kind != RS_CONST)
			continue;
		if (text && strcmp(text, v[i].text) != 0)
			return NULL;
		text = v[i].text;
	}
	return text;
}

/* Whether there are several elements below a value. */
static bool has_several(const rs_value *v)
{
	bool several = false;
	for (; v->kind == RS_LIST && v->count; v++)
		several |= v->count > 1;
	return several;
}

/* The rank of written elements. */
static uint8_t depth(const rs_value *v)
{
	uint8_t n = 0;
	for (; v->kind == RS_LIST && v->count; v++)
		n++;
	return n;
}

bool chain_slot_shape(const chain_slot *s, const graph *g, unsigned *rank, int64_t *dims, unsigned room)
{
	const graph_tensor *t = s->tensor == GRAPH_NONE ? NULL : &g->tensors[s->tensor];
	*rank = t ? t->rank : s->rank;
	if ((!t && !s->value) || *rank > room)
		return false;
	for (unsigned i = 0; i < *rank; i++)
		dims[i] = t ? t->shape[i] : s->value[1 + i].count;
	return true;
}

static bool is_omitted(const rs_value *v)
{
	return v->kind == RS_CONST && strcmp(v->text, "None") == 0;
}

static bool is_whole(const char *text, int64_t *number)
{
	char *end;
	*number = strtoll(text, &end, 10);
	return end != text && !*end;
}

/* ---- one value; v NULL: omitted in the call */

static void match_tree(chain_match *m, const rs_value *f, const rs_value *v);

static void match_tensor(chain_match *m, const rs_value *v)
{
	uint64_t rank = m->op->inputs[m->input].rank;
	chain_slot *slot = &m->slots[m->input++];
	*slot = (chain_slot){.tensor = GRAPH_NONE};
	if (v && v->kind == RS_TENSOR) {
		unsigned input = input_of(m->node->op, v);
		slot->tensor = graph_node_input(m->g, m->node, input);
		m->connected++;
		m->ranks |= rank << 4 * input;
	} else if (v && v->kind == RS_ELEMENTS) {
		slot->text = uniform_text(v);
		slot->value = v;
		slot->rank = depth(v + 1);
		slot->dtype = v->dtype;
		slot->several = has_several(v + 1);
		m->ranks |= slot->rank == rank ? 0 : slot->several ? CHAIN_OTHER_WEIGHTS : CHAIN_OTHER_ELEMENTS;
	} else {
		m->same = false;
	}
}

static void match_list(chain_match *m, const rs_value *f, const rs_value *v)
{
	bool list = v && v->kind == RS_LIST;
	const rs_value *item = list ? v + 1 : NULL;
	unsigned count = f->count;
	m->same &= list && count == v->count;
	m->lists++;
	f++;
	for (unsigned i = 0; i < count; i++) {
		bool there = list && i < v->count;
		match_tree(m, f, there ? item : NULL);
		if (there)
			item += graph_value_size(item);
		f += graph_value_size(f);
	}
	m->lists--;
}

static void match_number(chain_match *m, const rs_value *f, const rs_value *v)
{
	int64_t number;
	if (v && v->kind == RS_CONST && is_whole(v->text, &number))
		m->numbers[f->first] = number;
	else
		m->same = false;
}

/* Whether a constant may have other texts. A float that always had the same text may decide sizes, as scales in lists and the step
 * of arange do: it keeps that text. Of models that are files, only floats in lists do. */
static bool may_vary(const chain_match *m, const rs_value *f)
{
	return m->op->nconsts && f->count > (m->lists || !framework_has_files(m->g->framework) ? 1 : 0);
}

static void match_constant(chain_match *m, const rs_value *f, const rs_value *v)
{
	unsigned place = m->constant++;
	bool varies = may_vary(m, f);
	bool text = v && v->kind == RS_CONST;
	if (varies && text && strcmp(v->text, "None") != 0)
		m->texts[place] = v->text, m->told = true;
	else
		m->same &= text ? strcmp(v->text, f->text) == 0 : !v && is_omitted(f);
}

static void match_ranged(chain_match *m, const rs_value *v)
{
	uint64_t rank = m->op->inputs[m->input].rank;
	m->slots[m->input++] = (chain_slot){.tensor = GRAPH_NONE};
	if (!v || v->kind != RS_TENSOR)
		return;
	unsigned input = input_of(m->node->op, v);
	m->connected += m->g->tensors[graph_node_input(m->g, m->node, input)].producer == GRAPH_NONE;
	m->ranks |= rank << 4 * input;
}

static void match_tree(chain_match *m, const rs_value *f, const rs_value *v)
{
	if (v && v->kind == RS_ELEMENTS && f->kind != RS_ELEMENTS && !rs_is_tensor(f->kind))
		v++; /* an attribute in this version, an input in the record */
	switch (f->kind) {
	case RS_TENSOR:
		match_tensor(m, v);
		break;
	case RS_RANGED: /* its elements decide, so it cannot be a result */
		match_ranged(m, v);
		break;
	case RS_LIST:
		match_list(m, f, v);
		break;
	case RS_ELEMENTS: /* or an input in this version, an attribute in the record */
		m->same &= v && (v->kind == RS_ELEMENTS || v->kind == RS_LIST);
		match_tree(m, f + 1, v && v->kind == RS_ELEMENTS ? v + 1 : v && v->kind == RS_LIST ? v : NULL);
		break;
	case RS_INT:
		match_number(m, f, v);
		break;
	default:
		match_constant(m, f, v);
	}
}

/* ---- a signature */

/* Whether the signature has each argument of the call but tensors, which are counted. */
static bool has_arguments(const rs_op *op, const rs_op *call)
{
	for (unsigned i = 0; i < call->nargs; i++)
		if (!graph_argument(op, call->args[i].name) && !is_omitted(&call->values[call->args[i].value]))
			return false;
	return true;
}

void chain_match_op(chain_match *m, const graph *g, uint32_t node, const index_op *o)
{
	const rs_op *op = o->op, *call = g->nodes[node].op;
	m->g = g, m->node = &g->nodes[node], m->op = o;
	m->input = m->constant = m->connected = m->lists = 0;
	m->ranks = 0;
	m->told = false;
	m->same = has_arguments(op, call) && o->nout == m->node->nout;
	for (unsigned i = 0; i < o->nsym; i++)
		m->numbers[i] = CHAIN_FREE;
	for (unsigned i = 0; i < o->nconsts; i++)
		m->texts[i] = NULL;
	for (unsigned i = 0; i < op->nargs; i++)
		match_tree(m, &op->values[op->args[i].value], graph_argument(call, op->args[i].name));
	m->fits = m->connected == m->node->nin && o->nout >= m->node->nout;
}

static void add_candidate(chain_call *c, const chain_match *m)
{
	uint32_t at = m->same ? c->nsame++ : c->n; /* those with the recorded attributes come first */
	c->of[c->n++] = c->of[at];
	c->of[at] = (chain_candidate){m->op, m->ranks};
}

/* Adds the signatures of an index that fit. */
static void match_all(chain_call *c, const graph *g, uint32_t node, const gen_index *x, const index_api *api)
{
	chain_match m;
	for (uint32_t i = api->first; i < api->first + api->count; i++) {
		const index_op *o = &x->ops[i];
		if (!o->symbolic || index_isolated(o) || o->op->nvalues > CHAIN_TEXTS)
			continue;
		chain_match_op(&m, g, node, o);
		if (m.fits)
			add_candidate(c, &m);
	}
}

/* The API of that name, or its version in force in the index. */
static const index_api *resolve(const gen_index *x, const char *api)
{
	const index_api *found = gen_index_api(x, api);
	const char *framework = x->table->framework;
	if (!framework_has_files(framework)) /* no name has a version */
		return found;
	size_t n = framework_unversioned(framework, api);
	for (uint32_t a = 0; !found && a < x->napis; a++) {
		const char *name = x->ops[x->apis[a].first].op->api;
		if (framework_unversioned(framework, name) == n && strncmp(name, api, n) == 0)
			found = &x->apis[a];
	}
	return found;
}

const chain_call *chain_match_call(const graph *g, uint32_t node, const chain_places *p, arena *a)
{
	const graph_node *n = &g->nodes[node];
	const index_api *apis[2] = {NULL, NULL};
	size_t count = 0;
	for (int i = 0; i < 2 && n->nin <= CHAIN_INPUTS; i++)
		if (p->of[i] && (apis[i] = resolve(p->of[i], n->op->api)))
			count += apis[i]->count;
	chain_call *all = calloc(1, sizeof *all + count * sizeof *all->of), *kept = NULL;
	for (int i = 0; all && i < 2; i++)
		if (apis[i])
			match_all(all, g, node, p->of[i], apis[i]);
	size_t size = sizeof *all + (all ? all->n : 0) * sizeof *all->of;
	if (all && (kept = arena_alloc(a, size)))
		memcpy(kept, all, size);
	free(all);
	return kept;
}

/* ---- both indices */

bool chain_find_places(chain_places *p, const gen_index *x, const gen_index *forms, arena *a)
{
	*p = (chain_places){.of = {x, forms->nops ? forms : NULL}, .twins = ARENA_ARRAY(a, const index_api *, x->napis + 1)};
	for (uint32_t i = 0; p->twins && p->of[1] && i < x->napis; i++)
		p->twins[i] = gen_index_api(forms, x->ops[x->apis[i].first].op->api);
	return p->twins;
}

const index_api *chain_find_api(const chain_places *p, const char *name)
{
	return resolve(p->of[0], name);
}
