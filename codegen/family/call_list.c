#include "call_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "need.h"

static const char *name_in(const family_forms *f, const char *name, size_t length)
{
	for (int k = 0; k < f->nnames; k++)
		if (strlen(f->names[k]) == length && memcmp(f->names[k], name, length) == 0)
			return f->names[k];
	return NULL;
}

/* ---- what stands for what is left out */

/* "stride[_] = kernel_size", "padding = 0": of the page's arguments; other constants are texts. */
static void read_default(family_forms *f, const char *text)
{
	size_t length = strcspn(text, "[ ?");
	const char *is = strstr(text, " = "), *name = name_in(f, text, length);
	if (!is || !name)
		return;
	is += 3;
	default_of d = {name, name_in(f, is, strlen(is)), 0};
	char *end;
	errno = 0;
	d.number = strtoll(is, &end, 10);
	if (d.instead != name && (d.instead || (errno == 0 && *is && !*end)))
		f->defaults[f->ndefaults++] = d;
}

static const default_of *find_default(const family_forms *f, const char *argument)
{
	for (int k = 0; k < f->ndefaults; k++)
		if (f->defaults[k].argument == argument)
			return &f->defaults[k];
	return NULL;
}

/* ---- lists */

bool call_constant(const rs_value *v, int64_t *to)
{
	char *end;
	if (v->kind == RS_ELEMENTS)
		return call_constant(v + 1, to);
	if (v->kind != RS_CONST || !v->text[0])
		return false;
	errno = 0;
	*to = strtoll(v->text, &end, 10);
	return errno == 0 && *end == '\0';
}

const rs_value *call_value_of(const call_form *form, const char *argument)
{
	const rule_op *op = form->op;
	for (unsigned i = 0; i < op->nargs; i++)
		if (strcmp(op->args[i].name, argument) == 0)
			return &op->values[op->args[i].value];
	return NULL;
}

static bool is_none(const rs_value *v)
{
	return !v || (v->kind == RS_CONST && strcmp(v->text, "None") == 0);
}

static const expr *integer(expr_pool *pool, const rs_value *v)
{
	int64_t k;
	if (v->kind == RS_INT)
		return expr_sym(pool, v->first);
	return call_constant(v, &k) ? expr_const(pool, k) : NULL;
}

static call_list tensor_list(const family_forms *f, const rs_value *v, enum list_kind kind)
{
	call_list x = {.n = 0};
	int from = kind == LIST_DIMS ? 0 : v->count, to = kind == LIST_DIMS ? v->count : v->count + 2;
	x.there = rs_is_tensor(v->kind) && to - from <= LIST_LENGTH && (kind == LIST_DIMS || v->kind == RS_RANGED);
	for (int k = from; k < to && x.there; k++)
		x.e[x.n++] = expr_sym(f->pool, v->first + k);
	return x;
}

static call_list item_list(const family_forms *f, const rs_value *v)
{
	call_list x = {.there = true};
	if (v->kind == RS_ELEMENTS)
		v++;
	if (v->kind != RS_LIST) {
		x.e[0] = integer(f->pool, v);
		x.there = x.e[0] != NULL;
		x.n = x.there;
		x.number = x.there;
		return x;
	}
	x.there = v->count <= LIST_LENGTH;
	for (int k = 0; k < v->count && x.there; k++) { /* of integers: none has descendants */
		x.e[k] = integer(f->pool, v + 1 + k);
		x.there = x.e[k] && v[1 + k].kind != RS_ELEMENTS;
	}
	x.n = x.there ? v->count : 0;
	return x;
}

static call_list find_list(const family_forms *f, const call_form *form, list_name name)
{
	const rs_value *v = call_value_of(form, name.argument);
	if (name.kind != LIST_ITEMS) {
		if (name.item >= 0)
			v = v && v->kind == RS_LIST && name.item < v->count ? v + 1 + name.item : NULL;
		return v ? tensor_list(f, v, name.kind) : (call_list){.n = 0};
	}
	for (int steps = 0; is_none(v) && steps < 4; steps++) {
		const default_of *d = find_default(f, name.argument);
		if (!d)
			return (call_list){.n = 0};
		if (!d->instead)
			return (call_list){.e = {expr_const(f->pool, d->number)}, .n = 1, .number = true, .there = true};
		name.argument = d->instead;
		v = call_value_of(form, name.argument);
	}
	return is_none(v) ? (call_list){.n = 0} : item_list(f, v);
}

call_list call_list_of(const family_forms *f, const call_form *form, list_name name)
{
	call_form *to = (call_form *)form;
	for (int k = 0; k < to->nseen; k++)
		if (list_is(to->seen[k].name, name))
			return to->seen[k].list;
	call_list x = find_list(f, form, name);
	if (to->seen && to->nseen < MAX_SEEN)
		to->seen[to->nseen++] = (list_seen){name, x};
	return x;
}

static void forget_lists(family_forms *f)
{
	for (int i = 0; i < f->n; i++)
		f->forms[i].nseen = 0;
}

void family_forms_found(family_forms *f)
{
	forget_lists(f);
	for (int i = 0; i < f->n; i++)
		f->forms[i].seen = NULL;
}

/* ---- where symbols stand */

static void place_list(family_forms *f, call_form *form, list_name name)
{
	call_list x = call_list_of(f, form, name);
	for (int k = 0; k < x.n; k++)
		if (x.e[k]->op == OP_SYM)
			form->places[x.e[k]->value] = (list_place){name, k, x.n};
}

static void place_symbols(family_forms *f, call_form *form)
{
	const rule_op *op = form->op;
	form->places = NEED_ARRAY(f->memory, list_place, op->nsym);
	form->roles = (operator){.nsym = (int)op->nsym, .roles = NEED_ARRAY(f->memory, role, op->nsym)};
	for (unsigned i = 0; i < op->nsym; i++)
		form->roles.roles[i].kind = ROLE_ITEM;
	for (unsigned i = 0; i < op->nargs; i++) {
		const rs_value *v = &op->values[op->args[i].value];
		list_name name = {name_in(f, op->args[i].name, strlen(op->args[i].name)), -1, LIST_DIMS};
		if (is_none(v))
			continue;
		if (v->kind == RS_LIST && v->count && rs_is_tensor(v[1].kind)) {
			for (name.item = 0; name.item < v->count && rs_is_tensor(v[1 + name.item].kind); name.item++)
				place_list(f, form, name);
			continue;
		}
		name.kind = rs_is_tensor(v->kind) ? LIST_DIMS : LIST_ITEMS;
		place_list(f, form, name);
		if (v->kind == RS_RANGED)
			place_list(f, form, (list_name){name.argument, -1, LIST_BOUNDS});
	}
}

family_forms family_forms_of(const rule_set *rules, arena *scratch, const rule_op *const *ops, int n, const page *p)
{
	int most = 0;
	for (int i = 0; i < n; i++)
		most += (int)ops[i]->nargs;
	family_forms f = {.memory = rules->memory, .scratch = scratch, .pool = rules->exprs, .n = n, .forms = NEED_ARRAY(rules->memory, call_form, n),
	    .names = NEED_ARRAY(rules->memory, const char *, most),
	    .defaults = NEED_ARRAY(rules->memory, default_of, page_arguments(p) + most)};
	for (int i = 0; i < n; i++)
		for (unsigned k = 0; k < ops[i]->nargs; k++)
			if (!name_in(&f, ops[i]->args[k].name, strlen(ops[i]->args[k].name)))
				f.names[f.nnames++] = ops[i]->args[k].name;
	for (int k = 0; k < page_arguments(p); k++)
		read_default(&f, page_argument(p, k));
	for (int i = 0; i < n; i++) {
		f.forms[i].op = ops[i];
		f.forms[i].seen = NEED_ARRAY(scratch, list_seen, MAX_SEEN);
		place_symbols(&f, &f.forms[i]);
	}
	return f;
}

/* ---- what may stand for what is left out, where no page says so */

const char *family_forms_lacking(const family_forms *f, int *at)
{
	while (*at < f->nnames) {
		const char *name = f->names[(*at)++];
		bool lacks = false, integers = false;
		for (int i = 0; i < f->n; i++) {
			const rs_value *v = call_value_of(&f->forms[i], name);
			lacks |= is_none(v);
			integers |= !is_none(v) && (v->kind == RS_INT || (v->kind == RS_LIST && v->count && v[1].kind == RS_INT));
		}
		if (lacks && integers && !find_default(f, name))
			return name;
	}
	return NULL;
}

void family_forms_default(family_forms *f, const char *argument, int64_t number)
{
	f->defaults[f->ndefaults++] = (default_of){argument, NULL, number};
	forget_lists(f);
}

void family_forms_forget(family_forms *f, const char *argument)
{
	if (f->ndefaults && f->defaults[f->ndefaults - 1].argument == argument)
		f->ndefaults--;
	forget_lists(f);
}
