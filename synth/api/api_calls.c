#include "api_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "need.h"

const char LIST_OUTPUT[] = "out";

const char *api_calls_name(const api_calls *f, const char *name)
{
	for (int k = 0; k < f->nnames; k++)
		if (strcmp(f->names[k], name) == 0)
			return f->names[k];
	return NULL;
}

/* ---- defaults */

void api_calls_add_default(api_calls *f, const char *argument, const char *instead)
{
	const char *name = api_calls_name(f, argument);
	default_of d = {name, api_calls_name(f, instead), 0};
	char *end;
	errno = 0;
	d.number = strtoll(instead, &end, 10);
	if (name && f->ndefaults < f->most_defaults && d.instead != name && (d.instead || (errno == 0 && *instead && !*end)))
		f->defaults[f->ndefaults++] = d;
}

static const default_of *find_default(const api_calls *f, const char *argument)
{
	for (int k = 0; k < f->ndefaults; k++)
		if (f->defaults[k].argument == argument)
			return &f->defaults[k];
	return NULL;
}

/* ---- lists */

const call_value *call_value_of(const api_call *form, const char *argument)
{
	return call_named(form->of.call, argument);
}

static bool is_tensors(const call_value *v)
{
	return v->kind == CALL_LIST && v->count && v->items[0].kind == CALL_TENSOR;
}

static const expr *integer(expr_pool *pool, const call_value *v)
{
	int64_t k;
	if (v->kind == CALL_INT)
		return expr_sym(pool, v->first);
	return call_integer(v, &k) ? expr_const(pool, k) : NULL;
}

static call_list tensor_list(const api_calls *f, const call_value *v, enum list_kind kind)
{
	call_list x = {.n = 0};
	int from = kind == LIST_DIMS ? 0 : v->count, to = kind == LIST_DIMS ? v->count : v->count + 2;
	x.there = v->kind == CALL_TENSOR && to - from <= LIST_LENGTH && (kind == LIST_DIMS || v->ranged);
	for (int k = from; k < to && x.there; k++)
		x.e[x.n++] = expr_sym(f->pool, v->first + k);
	return x;
}

static call_list item_list(const api_calls *f, const call_value *v)
{
	call_list x = {.there = true};
	if (v->kind == CALL_ELEMENTS)
		v = v->items;
	if (v->kind != CALL_LIST) {
		x.e[0] = integer(f->pool, v);
		x.there = x.e[0] != NULL;
		x.n = x.there;
		x.number = x.there;
		return x;
	}
	x.there = v->count <= LIST_LENGTH;
	for (int k = 0; k < v->count && x.there; k++) {
		x.e[k] = integer(f->pool, &v->items[k]);
		x.there = x.e[k] && v->items[k].kind != CALL_ELEMENTS;
	}
	x.n = x.there ? v->count : 0;
	return x;
}

/* The output dimensions of the rule. */
static call_list output_list(const api_call *form, int t)
{
	const call *c = form->of.call;
	const expr *const *out = form->of.rule->out;
	call_list x = {.there = t < c->nout && c->outputs[t].rank <= LIST_LENGTH};
	for (int k = 0; k < t && x.there; k++)
		out += c->outputs[k].rank;
	for (; x.there && x.n < c->outputs[t].rank; x.n++)
		x.e[x.n] = out[x.n];
	return x;
}

/* Whether the items of the default apply: the argument is omitted or a string (padding = 'valid'). */
static bool has_default(const call_value *v)
{
	return call_is_none(v) || (v->kind == CALL_CONST && *v->text == '\'');
}

static call_list find_list(const api_calls *f, const api_call *form, list_name name)
{
	if (name.kind == LIST_OUT)
		return output_list(form, name.item);
	const call_value *v = call_value_of(form, name.argument);
	if (name.kind != LIST_ITEMS) {
		if (name.item >= 0)
			v = v && v->kind == CALL_LIST && name.item < v->count ? &v->items[name.item] : NULL;
		return v ? tensor_list(f, v, name.kind) : (call_list){.n = 0};
	}
	for (int steps = 0; has_default(v) && steps < 4; steps++) {
		const default_of *d = find_default(f, name.argument);
		if (!d)
			return (call_list){.n = 0};
		if (!d->instead)
			return (call_list){.e = {expr_const(f->pool, d->number)}, .n = 1, .number = true, .there = true};
		name.argument = d->instead;
		v = call_value_of(form, name.argument);
	}
	return has_default(v) ? (call_list){.n = 0} : item_list(f, v);
}

call_list call_list_of(const api_calls *f, const api_call *form, list_name name)
{
	api_call *to = (api_call *)form;
	for (int k = 0; k < to->nseen; k++)
		if (list_is(to->seen[k].name, name))
			return to->seen[k].list;
	call_list x = find_list(f, form, name);
	if (to->seen && to->nseen < MAX_SEEN)
		to->seen[to->nseen++] = (list_seen){name, x};
	return x;
}

static void forget_lists(api_calls *f)
{
	for (int i = 0; i < f->n; i++)
		f->forms[i].nseen = 0;
}

void api_calls_found(api_calls *f)
{
	forget_lists(f);
	for (int i = 0; i < f->n; i++)
		f->forms[i].seen = NULL;
}

/* ---- positions of symbols */

static void place_list(api_calls *f, api_call *form, list_name name)
{
	call_list x = call_list_of(f, form, name);
	for (int k = 0; k < x.n; k++)
		if (x.e[k]->op == OP_SYM)
			form->places[x.e[k]->value] = (list_place){name, k, x.n};
}

static void place_symbols(api_calls *f, api_call *form)
{
	const call *c = form->of.call;
	form->places = NEED_ARRAY(f->memory, list_place, c->nsym);
	form->roles = (operator){.nsym = c->nsym, .roles = NEED_ARRAY(f->memory, role, c->nsym)};
	for (int i = 0; i < c->nsym; i++)
		form->roles.roles[i].kind = ROLE_ITEM;
	for (int i = 0; i < c->nargs; i++) {
		const call_value *v = &c->args[i].value;
		list_name name = {api_calls_name(f, c->args[i].name), -1, LIST_DIMS};
		if (call_is_none(v))
			continue;
		if (is_tensors(v)) {
			for (name.item = 0; name.item < v->count && v->items[name.item].kind == CALL_TENSOR; name.item++)
				place_list(f, form, name);
			continue;
		}
		name.kind = v->kind == CALL_TENSOR ? LIST_DIMS : LIST_ITEMS;
		place_list(f, form, name);
		if (v->ranged)
			place_list(f, form, (list_name){name.argument, -1, LIST_BOUNDS});
	}
}

api_calls api_calls_of(arena *memory, arena *scratch, expr_pool *pool, const api_signature *list, int n)
{
	int most = 0;
	for (int i = 0; i < n; i++)
		most += list[i].call->nargs;
	api_calls f = {.memory = memory, .scratch = scratch, .pool = pool, .n = n, .forms = NEED_ARRAY(memory, api_call, n),
	    .names = NEED_ARRAY(memory, const char *, most), .defaults = NEED_ARRAY(memory, default_of, 2 * most), .most_defaults = 2 * most};
	for (int i = 0; i < n; i++)
		for (int k = 0; k < list[i].call->nargs; k++)
			if (!api_calls_name(&f, list[i].call->args[k].name))
				f.names[f.nnames++] = list[i].call->args[k].name;
	for (int i = 0; i < n; i++)
		f.forms[i] = (api_call){.of = list[i], .seen = NEED_ARRAY(scratch, list_seen, MAX_SEEN)};
	return f;
}

void api_calls_place(api_calls *f)
{
	for (int i = 0; i < f->n; i++)
		place_symbols(f, &f->forms[i]);
}

/* ---- unknown defaults */

const char *api_calls_lacking(const api_calls *f, int *at)
{
	while (*at < f->nnames) {
		const char *name = f->names[(*at)++];
		bool lacks = false, integers = false;
		int64_t value;
		for (int i = 0; i < f->n; i++) {
			const call_value *v = call_value_of(&f->forms[i], name);
			lacks |= call_is_none(v);
			integers |= !call_is_none(v) && (v->kind == CALL_INT || call_integer(v, &value) || (v->kind == CALL_LIST && v->count && v->items[0].kind == CALL_INT));
		}
		if (lacks && integers && !find_default(f, name))
			return name;
	}
	return NULL;
}

void api_calls_default(api_calls *f, const char *argument, int64_t number)
{
	f->defaults[f->ndefaults++] = (default_of){argument, NULL, number};
	forget_lists(f);
}

void api_calls_forget(api_calls *f, const char *argument)
{
	if (f->ndefaults && f->defaults[f->ndefaults - 1].argument == argument)
		f->ndefaults--;
	forget_lists(f);
}
