#include "parameters.h"

#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "need.h"
#include "sampling.h"

/* ---- which there are */

static parameter *find(const parameters *p, list_name name, int bound)
{
	for (int k = 0; k < p->n; k++)
		if (list_is(p->list[k].list, name) && p->list[k].bound == bound)
			return (parameter *)&p->list[k];
	return NULL;
}

static parameter *add(parameters *p, list_name name, int bound)
{
	parameter *old = find(p, name, bound);
	if (old || p->n == MAX_PARAMETERS) {
		p->full |= !old;
		return old;
	}
	parameter *x = &p->list[p->n++];
	*x = (parameter){.list = name, .bound = (int16_t)bound, .is_list = name.kind == LIST_DIMS};
	for (int i = 0; i < p->forms->n && name.kind == LIST_ITEMS && !x->is_list; i++)
		x->is_list = p->members[i] && !call_list_of(p->forms, &p->forms->forms[i], name).number;
	return x;
}

void parameters_add_list(parameters *p, list_name name)
{
	parameter *x = add(p, name, -1);
	if (x)
		x->is_list = true;
}

void parameters_add_number(parameters *p, list_name name)
{
	add(p, name, -1);
}

void parameters_add_template(parameters *p, const template *t)
{
	for (int k = 0; k < t->n; k++) {
		const reference *r = &t->refs[k];
		if (r->base == ALL || r->others)
			parameters_add_list(p, r->list);
		else
			add(p, r->list, r->list.kind == LIST_BOUNDS ? r->offset : -1);
		if (r->base == AT_AXIS)
			add(p, r->axis, -1);
		if (r->each == COPIED)
			parameters_add_list(p, r->copied);
	}
}

/* ---- their order and names */

static int rank_of(const parameters *p, const parameter *x)
{
	int k = 0;
	while (k < p->forms->nnames && p->forms->names[k] != x->list.argument)
		k++;
	return (k * 64 + x->list.item + 1) * 4 + x->bound + 1;
}

static bool is_named(const parameters *p, int before, const char *name)
{
	for (int k = 0; k < before; k++)
		if (strcmp(p->list[k].name, name) == 0)
			return true;
	return false;
}

static const char *name_of(const parameters *p, int k)
{
	arena *a = p->forms->memory;
	const parameter *x = &p->list[k];
	const char *end = x->bound == 0 ? "_low" : x->bound == 1 ? "_high" : "", *name = name_parameter(a, x->list.argument);
	if (name && x->list.item >= 0)
		name = need(arena_printf(a, "%s_%d", name, x->list.item), 1);
	else if (name && *end)
		name = need(arena_printf(a, "%s%s", name, end), 1);
	if (!name || is_named(p, k, name))
		name = need(arena_printf(a, "a%d_", k), 1);
	return name;
}

void parameters_name(parameters *p)
{
	for (int i = 1; i < p->n; i++) {
		parameter x = p->list[i];
		int k = i;
		for (; k > 0 && rank_of(p, &p->list[k - 1]) > rank_of(p, &x); k--)
			p->list[k] = p->list[k - 1];
		p->list[k] = x;
	}
	for (int k = 0; k < p->n; k++)
		p->list[k].name = name_of(p, k);
}

const char *parameter_name(const parameters *p, list_name name)
{
	return find(p, name, -1)->name;
}

/* ---- references */

static const char *offset(arena *a, const char *from, int by)
{
	char *end;
	long k = strtol(from, &end, 10);
	if (*from && !*end)
		return need(arena_printf(a, "%ld", k + by), 1);
	return by == 0 ? from : need(arena_printf(a, by > 0 ? "%s + %d" : "%s - %d", from, by > 0 ? by : -by), 1);
}

const char *parameter_number(const parameters *p, list_name axis)
{
	const parameter *x = find(p, axis, -1);
	return x->is_list ? need(arena_printf(p->forms->scratch, "item(%s, 0)", x->name), 1) : x->name;
}

static const char *index_text(const parameters *p, const reference *r, const char *i)
{
	return offset(p->forms->scratch, r->base == AT_INDEX ? i : r->base == AT_AXIS ? parameter_number(p, r->axis) : "0", r->offset);
}

static bool is_fold(const reference *r)
{
	return r->base == ALL || r->others;
}

/* A call of code.h's; a product, which may have no value, without its last argument. */
static const char *fold_text(const parameters *p, const reference *r, const char *list, const char *i)
{
	static const char *const FOLDS[] = {[OP_MUL] = "product", [OP_ADD] = "sum", [OP_MIN] = "least", [OP_MAX] = "most"};
	static const char *const PRODUCTS[] = {[AS_IS] = "product", [AT_LEAST_ONE] = "positive_product", [COPIED] = "copied_product"};
	arena *a = p->forms->scratch;
	if (r->fold != OP_MUL) {
		const char *name = r->each == NONZERO ? "count_nonzero" : r->each == DISTINCT ? "count_distinct" : FOLDS[r->fold];
		return need(arena_printf(a, "%s(%s)", name, list), 1);
	}
	const char *copied = r->each == COPIED ? find(p, r->copied, -1)->name : "";
	const char *comma = *copied ? ", " : "";
	if (r->others)
		return need(arena_printf(a, "%s_but(%s%s%s, %s", PRODUCTS[r->each], list, comma, copied, index_text(p, r, i)), 1);
	const char *name = r->each == AS_IS && r->list.kind == LIST_DIMS ? "numel" : PRODUCTS[r->each];
	return need(arena_printf(a, "%s(%s%s%s", name, list, comma, copied), 1);
}

const char *parameter_text(const parameters *p, const reference *r, const char *i)
{
	const parameter *x = find(p, r->list, r->list.kind == LIST_BOUNDS ? r->offset : -1);
	if (is_fold(r))
		return fold_text(p, r, x->name, i);
	if (!x->is_list)
		return x->name;
	return need(arena_printf(p->forms->scratch, "%s(%s, %s)", r->list.kind == LIST_DIMS ? "at" : "item", x->name,
			index_text(p, r, i)), 1);
}

const char *parameter_guard(const parameters *p, const reference *r, const char *i)
{
	arena *a = p->forms->scratch;
	const parameter *x = find(p, r->list, r->list.kind == LIST_BOUNDS ? r->offset : -1);
	const char *of_axis = "";
	if (r->base == AT_AXIS && find(p, r->axis, -1)->is_list)
		of_axis = need(arena_printf(a, "has_item(%s, 0)", find(p, r->axis, -1)->name), 1);
	if (!x->is_list)
		return of_axis;
	const char *is = r->base == ALL ? arena_printf(a, "has(%s, 0)", x->name)
	    : arena_printf(a, "%s(%s, %s)", r->list.kind == LIST_DIMS ? "has" : "has_item", x->name, index_text(p, r, i));
	return *of_axis ? need(arena_printf(a, "%s && %s", of_axis, is), 1) : need((void *)is, 1);
}

lower_symbol *parameter_symbols(const parameters *p, const template *t, const char *i)
{
	const wide widest = (wide)(~(unsigned __int128)0 >> 1);
	lower_symbol *to = NEED_ARRAY(p->forms->scratch, lower_symbol, t->n);
	for (int k = 0; k < t->n; k++) {
		const reference *r = &t->refs[k];
		to[k] = (lower_symbol){parameter_text(p, r, i), false, INT64_MIN, INT64_MAX};
		if (is_fold(r) && r->fold == OP_MUL) {
			to[k].checked = true;
			to[k].low = -widest - 1;
			to[k].high = widest;
		} else if (is_fold(r) && r->fold == OP_ADD) {
			to[k].low *= LIST_LENGTH;
			to[k].high *= LIST_LENGTH;
		}
	}
	return to;
}

/* ---- as text */

void parameters_put(buf *to, const parameters *p)
{
	for (int k = 0; k < p->n; k++) {
		const parameter *x = &p->list[k];
		buf_printf(to, "%s%s %s", k ? ", " : "", !x->is_list ? "wide" : x->list.kind == LIST_DIMS ? "dims" : "ints", x->name);
	}
}

static void put_number(buf *to, const expr *e)
{
	if (e->op == OP_SYM)
		buf_printf(to, "s[%d]", (int)e->value);
	else if (e->value == INT64_MIN)
		buf_puts(to, "INT64_MIN");
	else
		buf_int(to, e->value);
}

/* Whether the items are symbols side by side. */
static bool is_run(const call_list *x)
{
	for (int k = 0; k < x->n; k++)
		if (x->e[k]->op != OP_SYM || x->e[k]->value != x->e[0]->value + k)
			return false;
	return x->n > 0;
}

void parameters_put_call(buf *to, const parameters *p, const api_call *form)
{
	for (int k = 0; k < p->n; k++) {
		const parameter *x = &p->list[k];
		call_list list = call_list_of(p->forms, form, x->list);
		buf_puts(to, k ? ", " : "");
		if (x->bound >= 0 || !x->is_list) {
			if (list.n)
				put_number(to, list.e[x->bound > 0 ? 1 : 0]);
			else
				buf_putc(to, '0'); /* nothing looks at it */
		} else if (list.n == 0) {
			buf_puts(to, "NONE");
		} else if (is_run(&list)) {
			buf_printf(to, "FROM(%d, %d)", (int)list.e[0]->value, list.n);
		} else {
			buf_puts(to, "ITEMS(");
			for (int j = 0; j < list.n; j++) {
				buf_puts(to, j ? ", " : "");
				put_number(to, list.e[j]);
			}
			buf_putc(to, ')');
		}
	}
}
