#include "other_signature.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reduce.h"

#define FORM_MAX 256 /* maximum number of symbols, output dimensions and tensors of a changed call */

bool signature_is_simpler(const rs_table *table, const rs_op *other, const rs_op *than)
{
	bool listed = than >= table->ops && than < table->ops + table->nops;
	if (!listed || other->nvalues != than->nvalues)
		return !listed || other->nvalues < than->nvalues;
	return other < than;
}

/* A call while it gets another signature. */
typedef struct conversion {
	const graph *g;
	const graph_node *old;
	const rs_op *new;
	int64_t symbols[FORM_MAX];
	uint32_t inputs[FORM_MAX]; /* GRAPH_NONE: one that replaces a literal scalar or list */
	int64_t lengths[FORM_MAX]; /* of that list */
	uint8_t dtypes[FORM_MAX], ranks[FORM_MAX];
	unsigned ninputs, kept; /* all; those that were inputs before */
} conversion;

/* An index into the values of the old call. */
typedef struct place {
	unsigned value, input, constant; /* the index of each next one */
} place;

/* Skips a value with all its items. */
static void skip(const rs_op *op, place *p)
{
	for (unsigned n = graph_value_size(&op->values[p->value]); n--; p->value++) {
		p->input += rs_is_tensor(op->values[p->value].kind);
		p->constant += op->values[p->value].kind == RS_CONST;
	}
}

static place find_argument(const rs_op *op, const char *name, bool *found)
{
	place p = {0};
	for (unsigned i = 0; i < op->nargs; i++, skip(op, &p))
		if (strcmp(op->args[i].name, name) == 0) {
			*found = true;
			return p;
		}
	*found = false;
	return p;
}

static const char *constant_of(const conversion *c, const place *p)
{
	return c->old->consts ? c->old->consts[p->constant] : c->old->op->values[p->value].text;
}

static bool take_number(conversion *c, const place *from, uint16_t symbol)
{
	const rs_value *v = &c->old->op->values[from->value];
	if (v->kind == RS_INT) {
		c->symbols[symbol] = c->old->symbols[v->first];
		return true;
	}
	if (v->kind != RS_CONST)
		return false;
	char *end;
	const char *text = constant_of(c, from);
	errno = 0;
	c->symbols[symbol] = strtoll(text, &end, 10);
	return end != text && !*end && !errno;
}

/* An input that replaces a literal of the call. */
static bool take_elements(conversion *c, const rs_value *have, const rs_value *want)
{
	const rs_value *child = have + 1;
	int64_t length = child->kind == RS_LIST ? child->count : 0;
	for (unsigned i = 1; i <= length; i++)
		if (child[i].kind != RS_CONST && child[i].kind != RS_INT)
			return false;
	if (want->kind != RS_TENSOR || want->count != (child->kind == RS_LIST))
		return false;
	if (want->count)
		c->symbols[want->first] = length;
	c->lengths[c->ninputs] = length;
	c->ranks[c->ninputs] = (uint8_t)want->count;
	c->dtypes[c->ninputs] = have->dtype;
	c->inputs[c->ninputs++] = GRAPH_NONE;
	return true;
}

static bool take_tensor(conversion *c, const place *from, const rs_value *want)
{
	const rs_value *v = &c->old->op->values[from->value];
	if (v->kind == RS_ELEMENTS)
		return take_elements(c, v, want);
	uint32_t tensor = rs_is_tensor(v->kind) ? graph_node_input(c->g, c->old, from->input) : GRAPH_NONE;
	const graph_tensor *t = tensor == GRAPH_NONE ? NULL : &c->g->tensors[tensor];
	if (!t || t->rank != want->count)
		return false;
	memcpy(c->symbols + want->first, t->shape, t->rank * sizeof *t->shape);
	if (want->kind == RS_RANGED) {
		c->symbols[want->first + want->count] = t->low;
		c->symbols[want->first + want->count + 1] = t->high;
	}
	c->dtypes[c->ninputs] = t->dtype;
	c->inputs[c->ninputs++] = tensor;
	c->kept++;
	return true;
}

/* Fills the new value at *to, with its items, from the old one; advances both. */
static bool convert(conversion *c, unsigned *to, place *from)
{
	const rs_value *want = &c->new->values[(*to)++], *have = &c->old->op->values[from->value];
	bool ok;
	if (want->kind == RS_CONST) {
		unsigned before = from->input;
		skip(c->old->op, from);
		return from->input == before; /* no tensor is lost */
	}
	if (want->kind == RS_LIST || want->kind == RS_ELEMENTS) {
		unsigned below = want->kind == RS_LIST ? want->count : 1;
		ok = have->kind == want->kind
		     && (want->kind == RS_LIST ? have->count == want->count : have->dtype == want->dtype);
		from->value++;
		while (ok && below--)
			ok = convert(c, to, from);
		return ok;
	}
	ok = want->kind == RS_INT ? take_number(c, from, want->first) : take_tensor(c, from, want);
	skip(c->old->op, from);
	return ok;
}

/* Skips a new value without an old one. Returns whether it consists of constants. */
static bool is_constant(const rs_op *op, unsigned *value)
{
	bool ok = true;
	for (unsigned n = graph_value_size(&op->values[*value]); n--; ++*value) {
		uint8_t kind = op->values[*value].kind;
		ok &= kind == RS_CONST || kind == RS_LIST || kind == RS_ELEMENTS;
	}
	return ok;
}

static bool convert_all(conversion *c)
{
	unsigned value = 0;
	bool ok = true;
	for (unsigned i = 0; ok && i < c->new->nargs; i++) {
		bool found;
		place from = find_argument(c->old->op, c->new->args[i].name, &found);
		ok = found ? convert(c, &value, &from) : is_constant(c->new, &value);
	}
	return ok && c->ninputs == c->new->nin && c->kept == c->old->nin;
}

/* Whether the signature was recorded with the call's dtypes. */
static bool has_row(const conversion *c)
{
	unsigned width = (unsigned)c->new->nin + c->new->nout;
	uint8_t row[2 * FORM_MAX];
	memcpy(row, c->dtypes, c->ninputs);
	for (unsigned i = 0; i < c->new->nout; i++)
		row[c->ninputs + i] = c->g->tensors[c->old->outputs + i].dtype;
	for (unsigned r = 0; r < c->new->ndtypes; r++)
		if (memcmp(c->new->dtypes + (size_t)r * width, row, width) == 0)
			return true;
	return false;
}

/* Whether the outputs have the shapes that their users expect; ranks agree. */
static bool gives_the_same(const conversion *c, const int64_t *out)
{
	for (unsigned i = 0; i < c->new->nout; out += c->new->out_ranks[i], i++) {
		const graph_tensor *t = &c->g->tensors[c->old->outputs + i];
		if (t->rank != c->new->out_ranks[i] || (t->nuses && memcmp(t->shape, out, t->rank * sizeof *out) != 0))
			return false;
	}
	return true;
}

static bool fits(const rs_op *old, const rs_op *new)
{
	return new->propagate && new->nin >= old->nin && new->nout == old->nout && new->nin <= FORM_MAX && new->nout <= FORM_MAX
	       && new->nsym <= FORM_MAX && new->nodim <= FORM_MAX && !(new->flags & RS_UNFIT);
}

/* Adds the new inputs, of the class that the signature accepts. */
static bool add_inputs(graph *to, conversion *c)
{
	for (unsigned i = 0; i < c->ninputs; i++) {
		if (c->inputs[i] != GRAPH_NONE)
			continue;
		c->inputs[i] = graph_input(to, c->ranks[i], &c->lengths[i], (rs_dtype)c->dtypes[i]);
		if (c->inputs[i] == GRAPH_NONE)
			return false;
		graph_tensor *t = &to->tensors[c->inputs[i]];
		if (c->new->classes && c->new->classes[i] < t->values)
			t->values = c->new->classes[i];
	}
	return true;
}

bool reduce_signature(graph *to, const graph *from, uint32_t node, const rs_op *other)
{
	const graph_node *old = &from->nodes[node];
	conversion c = {.g = from, .old = old, .new = other};
	int64_t out[FORM_MAX];
	uint8_t dtypes[FORM_MAX];
	if (!fits(old->op, other) || !convert_all(&c) || !has_row(&c) || !rs_eval(other, c.symbols, out) || !gives_the_same(&c, out)
	    || !graph_copy(to, from) || !add_inputs(to, &c))
		return false;
	for (unsigned i = 0; i < other->nout; i++)
		dtypes[i] = from->tensors[old->outputs + i].dtype;
	uint32_t new = graph_insert(to,
	    &(graph_call){.op = other, .symbols = c.symbols, .inputs = c.inputs, .out = out, .out_dtypes = dtypes}, node);
	if (new == GRAPH_NONE)
		return false;
	to->nodes[new].direct = to->nodes[node].direct;
	to->nodes[new].function = to->nodes[node].function;
	to->nodes[new].subgraph = to->nodes[node].subgraph;
	for (unsigned i = 0; i < other->nout; i++)
		graph_replace_alluse(to, to->nodes[node].outputs + i, to->nodes[new].outputs + i);
	return reduce_finish(to);
}
