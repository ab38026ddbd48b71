#include "api_code.h"

#include <assert.h>
#include <string.h>

#include "api_rule.h"
#include "byte_code.h"
#include "dtype_code.h"
#include "need.h"
#include "text.h"

/* The byte code of one API. */
typedef struct coder {
	buf *to;
	const plan *p;
	const plan_api *api;
	const char **names; /* of its arguments, in order of first appearance */
	int n;
} coder;

/* ---- numbers and names */

static void add_name(coder *c, const char *name)
{
	for (int k = 0; k < c->n; k++)
		if (strcmp(c->names[k], name) == 0)
			return;
	c->names[c->n++] = name;
}

static uint64_t number_of(const coder *c, const char *name)
{
	int k = 0;
	while (k < c->n && strcmp(c->names[k], name) != 0)
		k++;
	assert(k < c->n);
	return (uint64_t)k;
}

static void put_list(const coder *c, list_name name)
{
	static const uint8_t KINDS[] = {[LIST_DIMS] = RS_LIST_DIMS, [LIST_ITEMS] = RS_LIST_ITEMS, [LIST_BOUNDS] = RS_LIST_BOUNDS, [LIST_OUT] = RS_LIST_OUT};
	unsigned kind = name.kind == LIST_DIMS && name.item >= 0 ? RS_LIST_TENSOR_DIMS : KINDS[name.kind];
	byte_code_u(c->to, (name.kind == LIST_OUT ? 0 : number_of(c, name.argument)) * 8 + kind);
	if (name.item >= 0)
		byte_code_u(c->to, (uint64_t)name.item);
}

/* ---- expressions */

static void put_reference(const coder *c, const reference *r, bool optional)
{
	static const uint8_t BASES[] = {[AT_NUMBER] = RS_BASE_NUMBER, [AT_INDEX] = RS_BASE_INDEX, [AT_AXIS] = RS_BASE_AXIS, [ALL] = RS_BASE_FOLD};
	static const uint8_t FOLDS[] = {[OP_MUL] = RS_FOLD_MUL, [OP_ADD] = RS_FOLD_ADD, [OP_MIN] = RS_FOLD_MIN, [OP_MAX] = RS_FOLD_MAX};
	static const uint8_t EACH[] = {[AS_IS] = RS_EACH_SIZE, [AT_LEAST_ONE] = RS_EACH_POSITIVE, [COPIED] = RS_EACH_COPIED,
	    [NONZERO] = RS_EACH_NONZERO, [DISTINCT] = RS_EACH_DISTINCT};
	byte_code_u(c->to, BASES[r->base] | (r->others ? RS_REF_BUT : 0) | (optional ? RS_REF_OPTIONAL : 0));
	put_list(c, r->list);
	if (r->base == AT_AXIS)
		byte_code_u(c->to, number_of(c, r->axis.argument));
	if (r->base != ALL)
		byte_code_s(c->to, r->offset);
	if (r->base != ALL && !r->others)
		return;
	byte_code_u(c->to, FOLDS[r->fold]);
	byte_code_u(c->to, EACH[r->each]);
	if (r->each == COPIED)
		put_list(c, r->copied);
}

static void put_expr(const coder *c, const template *t, const bool *asks, const expr *e)
{
	static const uint8_t CODES[] = {[OP_ADD] = RS_API_ADD, [OP_SUB] = RS_API_SUB, [OP_MUL] = RS_API_MUL, [OP_DIV] = RS_API_DIV,
	    [OP_MOD] = RS_API_MOD, [OP_MIN] = RS_API_MIN, [OP_MAX] = RS_API_MAX, [OP_ITE] = RS_API_IF, [OP_EQ] = RS_API_EQ, [OP_NE] = RS_API_NE,
	    [OP_LT] = RS_API_LT, [OP_LE] = RS_API_LE, [OP_GT] = RS_API_GT, [OP_GE] = RS_API_GE, [OP_AND] = RS_API_AND, [OP_OR] = RS_API_OR};
	if (e->op == OP_CONST) {
		byte_code_u(c->to, RS_API_CONST);
		byte_code_s(c->to, e->value);
		return;
	}
	if (e->op == OP_SYM) {
		byte_code_u(c->to, RS_API_REF);
		put_reference(c, &t->refs[e->value], asks && asks[e->value]);
		return;
	}
	if (e->c)
		put_expr(c, t, asks, e->c);
	put_expr(c, t, asks, e->a);
	put_expr(c, t, asks, e->b);
	byte_code_u(c->to, CODES[e->op]);
}

static void put_maybe(const coder *c, list_name name)
{
	byte_code_u(c->to, name.argument != NULL);
	if (name.argument)
		put_list(c, name);
}

static void put_line(const coder *c, const index_range *x, const template *t, const bool *asks)
{
	static const uint8_t WAYS[] = {[RANGE_NONE] = RS_RANGE_NONE, [RANGE_RIGHT] = RS_RANGE_RIGHT, [RANGE_LEFT] = RS_RANGE_LEFT};
	byte_code_u(c->to, WAYS[x->way]);
	if (x->way != RANGE_NONE) {
		byte_code_u(c->to, (uint64_t)x->only);
		byte_code_u(c->to, (uint64_t)x->head);
		byte_code_u(c->to, (uint64_t)x->tail);
		put_maybe(c, x->over);
		put_maybe(c, x->but);
	}
	put_expr(c, t, asks, t->e);
	byte_code_u(c->to, RS_API_END);
}

/* ---- cases */

/* The index of a signature in the table. */
static uint64_t row_of(const coder *c, const char *name)
{
	for (size_t i = 0; i < c->api->nrows; i++)
		if (strcmp(c->api->rows[i]->op->name, name) == 0)
			return (uint64_t)(c->api->rows[i] - c->p->rows);
	return 0;
}

static void put_guard(const coder *c, const api_rule *r, const api_guard *x, const bool *members)
{
	int count = 0;
	byte_code_u(c->to, x->kind == FOR_ALL ? RS_FOR_ALL : x->kind == FOR_GUARDED ? RS_FOR_GUARDED : RS_FOR_SIGNATURES);
	if (x->kind == FOR_GUARDED) {
		byte_code_u(c->to, (uint64_t)x->g.n);
		for (int k = 0; k < x->g.n; k++) {
			byte_code_u(c->to, number_of(c, x->g.terms[k].argument));
			byte_code_u(c->to, (uint64_t)x->g.terms[k].aspect * 2 + x->g.terms[k].differs);
			byte_code_text(c->to, x->g.terms[k].value);
		}
	}
	if (x->kind != FOR_SIGNATURES)
		return;
	for (int i = 0; i < r->calls.n; i++)
		count += members[i];
	byte_code_u(c->to, (uint64_t)count);
	for (int i = 0; i < r->calls.n; i++)
		if (members[i])
			byte_code_u(c->to, row_of(c, r->calls.forms[i].of.name));
}

static void put_lists(const coder *c, const list_name *list, int n)
{
	byte_code_u(c->to, (uint64_t)n);
	for (int k = 0; k < n; k++)
		put_list(c, list[k]);
}

static void put_tensor(const coder *c, const tensor_shape *s)
{
	static const uint8_t SHAPES[] = {[WHOLE_SAME] = RS_SAME, [WHOLE_BROADCAST] = RS_BROADCAST, [WHOLE_DROP] = RS_DROP, [WHOLE_SET] = RS_SET,
	    [WHOLE_INSERT] = RS_INSERT, [WHOLE_SWAP] = RS_SWAP, [WHOLE_PERMUTE] = RS_PERMUTE, [WHOLE_REPLACE] = RS_REPLACE, [WHOLE_CONCAT] = RS_CONCAT,
	    [WHOLE_BROADCAST_ALL] = RS_BROADCAST_ALL, [WHOLE_MERGE] = RS_MERGE};
	if (s->is_whole) {
		byte_code_u(c->to, 1u + SHAPES[s->whole.kind]);
		byte_code_u(c->to, s->whole.otherwise | (s->whole.one ? RS_SHAPE_ONE : 0u));
		byte_code_u(c->to, s->whole.cut);
		put_lists(c, s->whole.lists, s->whole.of);
		if (!s->whole.cut)
			return;
	} else {
		byte_code_u(c->to, 0);
		byte_code_u(c->to, s->rank.known);
		if (s->rank.known) {
			byte_code_s(c->to, s->rank.plus);
			put_lists(c, s->rank.lists, s->rank.n);
		}
	}
	byte_code_u(c->to, (uint64_t)s->nlines);
	for (int k = 0; k < s->nlines; k++)
		put_line(c, &s->lines[k].where, &s->lines[k].t, NULL);
}

static void put_defaults(const coder *c, const api_calls *f)
{
	byte_code_u(c->to, (uint64_t)f->ndefaults);
	for (int k = 0; k < f->ndefaults; k++) {
		const default_of *d = &f->defaults[k];
		byte_code_u(c->to, number_of(c, d->argument));
		byte_code_u(c->to, d->instead != NULL);
		if (d->instead)
			byte_code_u(c->to, number_of(c, d->instead));
		else
			byte_code_s(c->to, d->number);
	}
}

static void put_rule(const coder *c, const api_rule *r)
{
	put_defaults(c, &r->calls);
	byte_code_u(c->to, (uint64_t)r->naccept);
	for (int k = 0; k < r->naccept; k++) {
		const api_clauses *all = &r->accept[k];
		put_guard(c, r, &r->accept_guards[k], all->members);
		byte_code_u(c->to, (uint64_t)all->n);
		for (int j = 0; j < all->n; j++)
			put_line(c, &all->list[j].where, &all->list[j].t, all->list[j].asks);
	}
	byte_code_u(c->to, (uint64_t)r->nshapes);
	for (int k = 0; k < r->nshapes; k++) {
		const api_shapes *s = &r->shapes[k];
		put_guard(c, r, &r->shape_guards[k], s->members);
		byte_code_u(c->to, s->ntensors);
		for (unsigned t = 0; t < s->ntensors; t++)
			put_tensor(c, &s->tensors[t]);
	}
	byte_code_u(c->to, 0); /* reserved */
}

/* The rules that the signatures of an API follow, in the order of their representatives. */
static int rules_of(const plan_api *api, const api_rule **list)
{
	int n = 0;
	for (size_t i = 0; i < api->nrows; i++) {
		const api_rule *r = api->rows[i]->rule;
		int k = 0;
		while (k < n && list[k] != r)
			k++;
		if (r && k == n)
			list[n++] = r;
	}
	return n;
}

static void add_guard(coder *c, const api_guard *x)
{
	for (int k = 0; x->kind == FOR_GUARDED && k < x->g.n; k++)
		add_name(c, x->g.terms[k].argument);
}

static void add_guards(coder *c, const api_rule *r)
{
	for (int k = 0; k < r->naccept; k++)
		add_guard(c, &r->accept_guards[k]);
	for (int k = 0; k < r->nshapes; k++)
		add_guard(c, &r->shape_guards[k]);
}

/* False: no rule of the API is known. */
static bool put_api(arena *a, buf *to, const plan *p, const plan_api *api)
{
	const api_rule **rules = NEED_ARRAY(a, const api_rule *, api->nrows);
	int n = rules_of(api, rules), most = 0;
	for (int k = 0; k < n; k++)
		most += rules[k]->calls.nnames + 2 * API_CASES * GUARD_TERMS;
	coder c = {to, p, api, NEED_ARRAY(a, const char *, most), 0};
	for (int k = 0; k < n; k++)
		for (int j = 0; j < rules[k]->calls.nnames; j++)
			add_name(&c, rules[k]->calls.names[j]);
	for (int k = 0; k < n; k++)
		add_guards(&c, rules[k]);
	if (!n)
		return false;
	byte_code_text(to, api->name);
	byte_code_u(to, (uint64_t)c.n);
	for (int k = 0; k < c.n; k++)
		byte_code_text(to, c.names[k]);
	byte_code_u(to, (uint64_t)n);
	for (int k = 0; k < n; k++)
		put_rule(&c, rules[k]);
	return true;
}

/* ---- the file */

static void put_numbers(buf *to, const char *head, const uint32_t *numbers, size_t n)
{
	enum { WIDTH = 118 };
	buf_printf(to, "%s\n", head);
	size_t line = to->length;
	for (size_t k = 0; k < n; k++) {
		if (to->length - line > WIDTH - 11) {
			buf_putc(to, '\n');
			line = to->length;
		}
		buf_printf(to, "%u,", (unsigned)numbers[k]);
	}
	buf_puts(to, "\n};\n");
}

/* The compiler adds a byte 0. */
static void put_bytes(buf *to, const char *name, const buf *bytes)
{
	buf_printf(to, "\nstatic const unsigned char %s[] =\n", name);
	text_byte_lines(to, bytes->text, bytes->length);
	buf_puts(to, ";\n");
}

void api_code_put(buf *to, const plan *p)
{
	arena *a = arena_new();
	buf code = {0};
	uint32_t *starts = NEED_ARRAY(a, uint32_t, p->napis);
	size_t n = 0;
	for (size_t i = 0; i < p->napis; i++) {
		starts[n] = (uint32_t)code.length;
		n += put_api(a, &code, p, &p->apis[i]);
	}
	buf_puts(to, "/* The rules of APIs as byte code: apirules.h. */\n#include \"apirules.h\"\n\n#pragma GCC visibility push(hidden)\n");
	put_bytes(to, "CODE", &code);
	put_numbers(to, "\nstatic const uint32_t STARTS[] = {", starts, n + 1);
	buf dtypes = {0};
	const bool typed = dtype_code_put(&dtypes, p);
	if (typed)
		put_bytes(to, "DTYPES", &dtypes);
	buf_free(&dtypes);
	buf_printf(to,
	    "\nextern const rs_api_rules rs_api_rules_%s;\n"
	    "const rs_api_rules rs_api_rules_%s = {\"%s\", CODE, sizeof CODE - 1, STARTS, %zu, %s};\n"
	    "#pragma GCC visibility pop\n",
	    p->framework, p->framework, p->framework, n, typed ? "DTYPES" : "NULL");
	buf_free(&code);
	arena_free(a);
}
