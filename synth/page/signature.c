#include "signature.h"

#include <string.h>

#include "need.h"

enum { MAX_ARGUMENTS = 64, MOST_OPTIONAL = 2 };

/* What an argument is in all call forms together. */
typedef struct seen {
	int there, missing; /* call forms */
	int tensors, lists, others;
	int least, most; /* dimensions, or items */
	bool many;	 /* a list of tensors */
	const char *constant; /* of all; NULL: they differ, or it is none */
	const char *instead; /* of who leaves it out; NULL: they differ, or it is not known */
	bool instead_differs;
} seen;

static void see_length(seen *s, int n)
{
	bool first = s->tensors + s->lists == 0;
	s->least = first || n < s->least ? n : s->least;
	s->most = first || n > s->most ? n : s->most;
}

static void see(seen *s, const call_value *v)
{
	const char *constant = v->kind == CALL_CONST ? v->text : NULL;
	if (s->there++ == 0)
		s->constant = constant;
	else if (!s->constant || !constant || strcmp(s->constant, constant) != 0)
		s->constant = NULL;
	if (v->kind == CALL_ELEMENTS)
		v = v->items;
	if (v->kind == CALL_LIST && v->count && v->items[0].kind == CALL_TENSOR) {
		s->many = true;
		v = v->items;
	}
	if (v->kind == CALL_TENSOR) {
		see_length(s, v->count);
		s->tensors++;
	} else if (v->kind == CALL_LIST) {
		see_length(s, v->count);
		s->lists++;
	} else {
		s->others++;
	}
}

static void see_missing(seen *s, const char *instead)
{
	if (s->missing++ == 0)
		s->instead = instead;
	s->instead_differs |= !instead || !s->instead || strcmp(instead, s->instead) != 0;
}

static void put_lengths(buf *to, const seen *s)
{
	int optional = s->most - s->least;
	const char *before = "[";
	if (optional > MOST_OPTIONAL) {
		buf_puts(to, "[...");
		before = ", ";
		optional = 0;
	}
	for (int k = 0; k < optional + s->least; k++) {
		buf_printf(to, k < optional ? "%s_?" : "%s_", before);
		before = ", ";
	}
	buf_puts(to, *before == '[' ? "[]" : "]");
}

static bool has_default(const seen *s)
{
	return s->missing && s->instead && !s->instead_differs;
}

static void put_argument(buf *to, const char *name, const seen *s)
{
	buf_puts(to, name);
	if (s->many)
		buf_puts(to, "[:]");
	if (s->tensors + s->lists > 0 && s->others == 0)
		put_lengths(to, s);
	if (has_default(s))
		buf_printf(to, " = %s", s->instead);
	else if (s->missing)
		buf_putc(to, '?');
	else if (s->constant)
		buf_printf(to, " = %s", s->constant);
}

/* A list without an item: what stands for it, if that is known, stands for an argument that is left out. */
static bool is_empty(const call_value *v)
{
	return v->kind == CALL_LIST && v->count == 0;
}

static int find_names(const operator *const *ops, int n, int leader, const char **names)
{
	int count = 0;
	for (int i = -1; i < n; i++) {
		const call *c = ops[i < 0 ? leader : i]->call;
		for (int a = 0; a < c->nargs; a++) {
			int k = 0;
			while (k < count && strcmp(names[k], c->args[a].name) != 0)
				k++;
			if (k == count && count < MAX_ARGUMENTS)
				names[count++] = c->args[a].name;
		}
	}
	return count;
}

static seen see_argument(const operator *const *ops, int n, const char *name, signature_default *get, const void *user)
{
	seen s = {.there = 0};
	for (int i = 0; i < n; i++) {
		const call_value *v = call_named(ops[i]->call, name);
		const char *instead = call_is_none(v) || is_empty(v) ? get(user, i, name) : NULL;
		if (call_is_none(v) || instead)
			see_missing(&s, instead);
		else if (v->assumed)
			see_missing(&s, v->text);
		else
			see(&s, v);
	}
	if (!s.there && !s.instead) { /* None in all */
		s.constant = "None";
		s.missing = 0;
	}
	return s;
}

void signature_put(buf *to, const operator *const *ops, int n, int leader, signature_default *get, const void *user)
{
	const char *names[MAX_ARGUMENTS];
	int count = find_names(ops, n, leader, names);
	for (int k = 0; k < count; k++) {
		seen s = see_argument(ops, n, names[k], get, user);
		buf text = {0};
		put_argument(&text, names[k], &s);
		if (k)
			buf_putc(to, ',');
		buf_json(to, need_text(&text));
		buf_free(&text);
	}
}

void signature_put_defaults(buf *to, const operator *const *ops, int n, int leader, signature_default *get, const void *user)
{
	const char *names[MAX_ARGUMENTS], *before = "";
	int count = find_names(ops, n, leader, names);
	for (int k = 0; k < count; k++) {
		seen s = see_argument(ops, n, names[k], get, user);
		if (!has_default(&s))
			continue;
		buf_puts(to, before);
		buf_json(to, names[k]);
		buf_putc(to, ':');
		buf_json(to, s.instead);
		before = ",";
	}
}
