#include "parameters.h"

#include <stdlib.h>
#include <string.h>

#include "name.h"
#include "need.h"

/* The list of an argument in a signature, whose rule has pointers of its own for names. */
static call_list parameter_list(const case_signature *s, list_name name)
{
	name.argument = api_calls_name(&s->rule->calls, name.argument);
	return name.argument ? call_list_of(&s->rule->calls, s->call, name) : (call_list){.n = 0};
}

/* ---- which there are */

static parameter *find(const parameters *p, list_name name, int part)
{
	for (int k = 0; k < p->n; k++)
		if (list_is(p->list[k].list, name) && p->list[k].part == part)
			return (parameter *)&p->list[k];
	return NULL;
}

/* Whether an argument is a list, or absent, in some signature; whether a tensor's elements have no bounds in some. */
static bool is_list_in_some(const api_cases *c, list_name name)
{
	for (int i = 0; i < c->nsignatures; i++) {
		const case_signature *s = &c->signatures[i];
		call_list list = s->accept >= 0 || s->shape >= 0 ? parameter_list(s, name) : (call_list){.number = true, .n = 1};
		if (name.kind == LIST_BOUNDS ? list.n == 0 : !list.number)
			return true;
	}
	return false;
}

static void add(parameters *p, list_name name, int part)
{
	if (name.kind == LIST_OUT || find(p, name, part))
		return;
	p->full |= p->n == MAX_PARAMETERS;
	if (p->n < MAX_PARAMETERS)
		p->list[p->n++] = (parameter){.list = name, .part = (int16_t)part,
		    .is_list = name.kind == LIST_DIMS || is_list_in_some(p->cases, name)};
}

void parameters_add_list(parameters *p, list_name name)
{
	add(p, name, PART_LIST);
	parameter *x = find(p, name, PART_LIST);
	if (x)
		x->is_list = true;
}

void parameters_add_number(parameters *p, list_name name)
{
	add(p, name, PART_LIST);
}

void parameters_add_tensors(parameters *p, list_name name)
{
	add(p, name, PART_TENSORS);
}

void parameters_add_template(parameters *p, const template *t)
{
	for (int k = 0; k < t->n; k++) {
		const reference *r = &t->refs[k];
		if (r->base == ALL || r->others)
			parameters_add_list(p, r->list);
		else
			add(p, r->list, r->list.kind == LIST_BOUNDS ? r->offset : PART_LIST);
		if (r->base == AT_AXIS)
			add(p, r->axis, PART_LIST);
		if (r->each == COPIED)
			parameters_add_list(p, r->copied);
	}
}

void parameters_add_range(parameters *p, const index_range *x)
{
	if (x->over.argument && x->over.argument != LIST_OUTPUT)
		parameters_add_list(p, x->over);
	if (x->but.argument)
		parameters_add_list(p, x->but);
}

/* ---- their order and names */

static int rank_of(const parameters *p, const parameter *x)
{
	int k = 0;
	while (k < p->cases->nnames && p->cases->names[k] != x->list.argument)
		k++;
	return (k * 64 + x->list.item + 1) * 4 + x->part + 1;
}

static void sort(parameters *p)
{
	for (int i = 1; i < p->n; i++) {
		parameter x = p->list[i];
		int k = i;
		for (; k > 0 && rank_of(p, &p->list[k - 1]) > rank_of(p, &x); k--)
			p->list[k] = p->list[k - 1];
		p->list[k] = x;
	}
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
	arena *a = p->cases->memory;
	const parameter *x = &p->list[k];
	const char *end = x->part == PART_LOW ? "_low" : x->part == PART_HIGH ? "_high" : "", *name = name_parameter(a, x->list.argument);
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
	sort(p);
	for (int k = 0; k < p->n; k++)
		p->list[k].name = name_of(p, k);
}

void parameters_name_as(parameters *p, const parameters *all)
{
	sort(p);
	for (int k = 0; k < p->n; k++)
		p->list[k] = *find(all, p->list[k].list, p->list[k].part);
}

const char *parameter_name(const parameters *p, list_name name)
{
	return name.argument == LIST_OUTPUT ? parameter_output(p, name.item) : find(p, name, PART_LIST)->name;
}

const char *parameter_tensors(const parameters *p, list_name name)
{
	return find(p, name, PART_TENSORS)->name;
}

const char *parameter_output(const parameters *p, int tensor)
{
	return p->cases->ntensors > 1 ? need(arena_printf(p->cases->memory, "out%d", tensor), 1) : "out";
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
	const parameter *x = find(p, axis, PART_LIST);
	return x->is_list ? need(arena_printf(p->cases->memory, "item(%s, 0)", x->name), 1) : x->name;
}

static const char *index_text(const parameters *p, const reference *r, const char *i)
{
	return offset(p->cases->memory, r->base == AT_INDEX ? i : r->base == AT_AXIS ? parameter_number(p, r->axis) : "0", r->offset);
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
	arena *a = p->cases->memory;
	if (r->fold != OP_MUL) {
		const char *name = r->each == NONZERO ? "count_nonzero" : r->each == DISTINCT ? "count_distinct" : FOLDS[r->fold];
		return need(arena_printf(a, "%s(%s)", name, list), 1);
	}
	const char *copied = r->each == COPIED ? find(p, r->copied, PART_LIST)->name : "";
	const char *comma = *copied ? ", " : "";
	if (r->others)
		return need(arena_printf(a, "%s_but(%s%s%s, %s", PRODUCTS[r->each], list, comma, copied, index_text(p, r, i)), 1);
	const char *name = r->each == AS_IS && r->list.kind == LIST_DIMS ? "numel" : PRODUCTS[r->each];
	return need(arena_printf(a, "%s(%s%s%s", name, list, comma, copied), 1);
}

static const char *output_text(const parameters *p, const reference *r, const char *i)
{
	static const char *const FOLDS[] = {[OP_MUL] = "sizes_product", [OP_ADD] = "sizes_sum", [OP_MIN] = "sizes_least", [OP_MAX] = "sizes_most"};
	arena *a = p->cases->memory;
	const char *out = parameter_output(p, r->list.item);
	if (is_fold(r)) /* a product, which may have no value, lacks its last argument */
		return need(arena_printf(a, r->fold == OP_MUL ? "%s(%s" : "%s(%s)", FOLDS[r->fold], out), 1);
	return need(arena_printf(a, "size(%s, %s)", out, index_text(p, r, i)), 1);
}

const char *parameter_text(const parameters *p, const reference *r, const char *i)
{
	if (r->list.kind == LIST_OUT)
		return output_text(p, r, i);
	const parameter *x = find(p, r->list, r->list.kind == LIST_BOUNDS ? r->offset : PART_LIST);
	if (is_fold(r))
		return fold_text(p, r, x->name, i);
	if (!x->is_list)
		return x->name;
	const char *at = x->part < 0 ? index_text(p, r, i) : "0";
	return need(arena_printf(p->cases->memory, "%s(%s, %s)", r->list.kind == LIST_ITEMS ? "item" : "at", x->name, at), 1);
}

const char *parameter_guard(const parameters *p, const reference *r, const char *i)
{
	arena *a = p->cases->memory;
	if (r->list.kind == LIST_OUT) {
		const char *at = r->base == ALL ? "0" : index_text(p, r, i);
		return need(arena_printf(a, "has_size(%s, %s)", parameter_output(p, r->list.item), at), 1);
	}
	const parameter *x = find(p, r->list, r->list.kind == LIST_BOUNDS ? r->offset : PART_LIST);
	const char *of_axis = "";
	if (r->base == AT_AXIS && find(p, r->axis, PART_LIST)->is_list)
		of_axis = need(arena_printf(a, "has_item(%s, 0)", find(p, r->axis, PART_LIST)->name), 1);
	if (!x->is_list)
		return of_axis;
	const char *is = r->base == ALL || x->part >= 0 ? arena_printf(a, "has(%s, 0)", x->name)
	    : arena_printf(a, "%s(%s, %s)", r->list.kind == LIST_DIMS ? "has" : "has_item", x->name, index_text(p, r, i));
	return *of_axis ? need(arena_printf(a, "%s && %s", of_axis, is), 1) : need((void *)is, 1);
}

/* ---- as text */

void parameters_put(buf *to, const parameters *p)
{
	for (int k = 0; k < p->n; k++) {
		const parameter *x = &p->list[k];
		const char *type = x->part == PART_TENSORS ? "tensors" : !x->is_list ? "wide" : x->list.kind == LIST_DIMS ? "dims" : "ints";
		buf_printf(to, "%s%s %s", k ? ", " : "", type, x->name);
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

/* "FROM(0, 4)", "ITEMS(s[4], 1)", "NONE" */
static void put_list(buf *to, const call_list *list)
{
	if (list->n == 0) {
		buf_puts(to, "NONE");
		return;
	}
	if (is_run(list)) {
		buf_printf(to, "FROM(%d, %d)", (int)list->e[0]->value, list->n);
		return;
	}
	buf_puts(to, "ITEMS(");
	for (int j = 0; j < list->n; j++) {
		buf_puts(to, j ? ", " : "");
		put_number(to, list->e[j]);
	}
	buf_putc(to, ')');
}

static void put_tensors(buf *to, const case_signature *s, list_name name)
{
	const call_value *v = call_value_of(s->call, name.argument);
	if (!v || v->kind != CALL_LIST || !v->count) {
		buf_puts(to, "NO_TENSORS");
		return;
	}
	buf_puts(to, "TENSORS(");
	for (name.item = 0; name.item < v->count; name.item++) {
		call_list list = parameter_list(s, name);
		buf_puts(to, name.item ? ", " : "");
		put_list(to, &list);
	}
	buf_putc(to, ')');
}

/* One bound of a tensor's elements, as a list if it may be absent. */
static void put_bound(buf *to, const parameter *x, const call_list *list)
{
	const expr *e = list->n ? list->e[x->part == PART_HIGH] : NULL;
	if (x->is_list)
		put_list(to, &(call_list){.e = {e}, .n = e != NULL});
	else
		put_number(to, e);
}

void parameters_put_call(buf *to, const parameters *p, const case_signature *s)
{
	for (int k = 0; k < p->n; k++) {
		const parameter *x = &p->list[k];
		call_list list = parameter_list(s, x->list);
		buf_puts(to, k ? ", " : "");
		if (x->part == PART_TENSORS)
			put_tensors(to, s, x->list);
		else if (x->part == PART_LOW || x->part == PART_HIGH)
			put_bound(to, x, &list);
		else if (x->is_list)
			put_list(to, &list);
		else
			put_number(to, list.e[0]);
	}
}
