#include "api_view.h"

#include <string.h>

#include "need.h"

/* ---- names: those of all rules of the API as one pointer each */

static const char *intern(const api_view *v, const char *name)
{
	const view_argument *a = name == LIST_OUTPUT ? NULL : view_argument_of(v, name);
	return a ? a->name : name;
}

static void intern_line(const api_view *v, view_line *l)
{
	for (int k = 0; k < l->t.n; k++) {
		reference *r = &l->t.refs[k];
		list_name *names[] = {&r->list, &r->axis, &r->copied};
		for (int j = 0; j < 3; j++)
			if (names[j]->argument)
				names[j]->argument = intern(v, names[j]->argument);
	}
	list_name *names[] = {&l->where.over, &l->where.but, &l->at};
	for (int j = 0; j < 3; j++)
		if (names[j]->argument)
			names[j]->argument = intern(v, names[j]->argument);
	for (int k = 0; k < l->whole.of; k++)
		l->whole.lists[k].argument = intern(v, l->whole.lists[k].argument);
}

static bool rename_to(const api_calls *f, list_name *name)
{
	if (!name->argument || name->argument == LIST_OUTPUT)
		return true;
	name->argument = api_calls_name(f, name->argument);
	return name->argument != NULL;
}

bool view_translate(const api_calls *f, const view_line *l, view_line *to)
{
	*to = *l;
	bool ok = rename_to(f, &to->where.over) && rename_to(f, &to->where.but) && rename_to(f, &to->at);
	for (int k = 0; k < to->t.n && ok; k++)
		ok = rename_to(f, &to->t.refs[k].list) && rename_to(f, &to->t.refs[k].axis) && rename_to(f, &to->t.refs[k].copied);
	for (int k = 0; k < to->whole.of && ok; k++)
		ok = rename_to(f, &to->whole.lists[k]);
	return ok;
}

view_argument *view_argument_of(const api_view *v, const char *name)
{
	for (int k = 0; k < v->narguments; k++)
		if (strcmp(v->arguments[k].name, name) == 0)
			return &v->arguments[k];
	return NULL;
}

view_argument *view_list_of(const api_view *v, list_name name)
{
	if (name.kind == LIST_OUT)
		return name.item < v->nout ? &v->arguments[v->narguments + name.item] : NULL;
	return view_argument_of(v, name.argument);
}

bool view_fixed_axis(const api_view *v, const view_line *l, list_name axis, int *to)
{
	bool known = false;
	for (int i = 0; i < v->n; i++) {
		list_name name = axis;
		if (l->state[i] != STATES_PART || !v->rows[i].rule || !rename_to(v->rows[i].calls, &name))
			continue;
		call_list x = call_list_of(v->rows[i].calls, &v->rows[i].calls->forms[v->rows[i].form], name);
		for (int k = 0; k < x.n; k++) {
			if (x.e[k]->op != OP_CONST || x.n > 1 || (known && *to != x.e[k]->value))
				return false;
			*to = (int)x.e[k]->value;
			known = true;
		}
	}
	return known;
}

int view_stated_rank(const api_view *v, const view_line *l, list_name name)
{
	int rank = -1;
	for (int i = 0; i < v->n; i++) {
		const call *c = v->rows[i].op->call;
		const call_value *x = name.kind == LIST_DIMS && name.item < 0 ? call_named(c, name.argument) : NULL;
		int n = name.kind == LIST_OUT && name.item < c->nout ? c->outputs[name.item].rank : x && x->kind == CALL_TENSOR ? x->count : -1;
		if (l->state[i] != STATES_PART)
			continue;
		if (n < 0 || (rank >= 0 && n != rank))
			return -1;
		rank = n;
	}
	return rank;
}

/* The number of dimensions or items of a list in a row; -1: unknown. */
static int length_in(const view_row *row, list_name name)
{
	if (name.kind == LIST_OUT)
		return name.item < row->op->call->nout ? row->op->call->outputs[name.item].rank : -1;
	return rename_to(row->calls, &name) ? call_list_of(row->calls, &row->calls->forms[row->form], name).n : -1;
}

bool view_counts_from_right(const api_view *v, const view_line *l)
{
	list_name over = l->where.over;
	if (l->where.way != RANGE_RIGHT)
		return false;
	if (!over.argument && l->output != CLAUSE_LINE)
		over = (list_name){LIST_OUTPUT, (int16_t)l->output, LIST_OUT};
	for (int i = 0; i < v->n; i++) {
		if (l->state[i] != STATES_PART || !v->rows[i].rule)
			continue;
		int length = over.argument ? length_in(&v->rows[i], over) : 0;
		for (int k = 0; k < l->t.n; k++) {
			int n = l->t.refs[k].base == AT_INDEX ? length_in(&v->rows[i], l->t.refs[k].list) : -1;
			if (n > 0 && length > 0 && n != length) /* 0: missing, or a scalar, which has no position */
				return true;
			length = length <= 0 ? n : length;
		}
	}
	return false;
}

/* ---- rows and arguments */

static void add_rows(api_view *v)
{
	operator *ops = NEED_ARRAY(v->memory, operator, v->api->n);
	v->rows = NEED_ARRAY(v->memory, view_row, v->api->n);
	v->ops = NEED_ARRAY(v->memory, const operator *, v->api->n);
	for (size_t i = 0; i < v->api->n; i++) {
		const page_signature *row = &v->api->list[i];
		if (!row->op->rule.out)
			continue;
		view_row *to = &v->rows[v->n];
		*to = (view_row){.op = row->op, .rule = row->rule};
		while (to->rule && to->form < to->rule->calls.n && to->rule->calls.forms[to->form].of.call != row->op->call)
			to->form++;
		if (to->rule && to->form == to->rule->calls.n)
			to->rule = NULL;
		for (int j = 0; j < v->n && to->rule && !to->calls; j++)
			to->calls = v->rows[j].rule == to->rule ? v->rows[j].calls : NULL;
		if (to->rule && !to->calls) {
			to->calls = NEED_ARRAY(v->memory, api_calls, 1);
			*to->calls = to->rule->calls;
		}
		ops[v->n] = (operator){.name = row->op->name, .call = row->op->call, .nout = row->op->call->nout};
		v->ops[v->n] = &ops[v->n];
		v->n++;
	}
}

static void add_default(api_view *v, api_calls *f, const char *name, const char *instead, int64_t number)
{
	default_of *list = NEED_ARRAY(v->memory, default_of, f->ndefaults + 1);
	for (int k = 0; k < f->ndefaults; k++) {
		if (f->defaults[k].argument == name)
			return;
		list[k] = f->defaults[k];
	}
	list[f->ndefaults] = (default_of){name, instead, number};
	f->defaults = list;
	f->ndefaults++;
}

/* The name among the arguments of a rule, to which it is added. */
static const char *add_name(api_view *v, api_calls *f, const char *argument)
{
	const char *known = api_calls_name(f, argument), **list = NEED_ARRAY(v->memory, const char *, f->nnames + 1);
	if (known)
		return known;
	for (int k = 0; k < f->nnames; k++)
		list[k] = f->names[k];
	list[f->nnames] = argument;
	f->names = list;
	f->nnames++;
	return argument;
}

void view_add_default(api_view *v, const char *argument, int64_t number)
{
	const view_argument *a = view_argument_of(v, argument);
	for (int i = 0; i < v->n && a; i++)
		if (v->rows[i].calls)
			add_default(v, v->rows[i].calls, add_name(v, v->rows[i].calls, a->name), NULL, number);
}

void view_add_text(api_view *v, const char *argument, const char *text)
{
	default_text *list = NEED_ARRAY(v->memory, default_text, v->ndefaults + 1);
	for (int k = 0; k < v->ndefaults; k++) {
		list[k] = v->defaults[k];
		if (strcmp(list[k].argument, argument) == 0 && strcmp(list[k].text, text) != 0)
			v->defaults[k].argument = ""; /* overloads differ */
		if (strcmp(list[k].argument, argument) == 0)
			return;
	}
	list[v->ndefaults] = (default_text){argument, text};
	v->defaults = list;
	v->ndefaults++;
}

bool view_find_guard(const api_view *v, view_line *l, const bool *in, const bool *out)
{
	const char *mentioned[2 * MAX_REFERENCES];
	page_question q = {.memory = v->memory, .ops = v->ops, .n = v->n, .in = in, .out = out, .defaults = v->defaults,
	    .ndefaults = v->ndefaults, .mentioned = mentioned, .exact = l->output != CLAUSE_LINE && !l->is_whole};
	for (int k = 0; k < l->t.n && !l->is_whole; k++) {
		const reference *r = &l->t.refs[k];
		if (r->list.argument)
			mentioned[q.nmentioned++] = r->list.argument;
		if (r->axis.argument)
			mentioned[q.nmentioned++] = r->axis.argument;
	}
	return page_guard_find(&l->g, &q);
}

/* Defaults that one rule of the API knows hold in all of them. */
static void share_defaults(api_view *v)
{
	for (int i = 0; i < v->n; i++)
		for (int k = 0; v->rows[i].rule && k < v->rows[i].rule->calls.ndefaults; k++) {
			const default_of *d = &v->rows[i].rule->calls.defaults[k];
			for (int j = 0; j < v->n; j++) {
				api_calls *f = v->rows[j].calls;
				if (f && v->rows[j].rule != v->rows[i].rule)
					add_default(v, f, add_name(v, f, d->argument), d->instead ? add_name(v, f, d->instead) : NULL, d->number);
			}
		}
}

static void widen(int *least, int *most, int n, bool first)
{
	*least = first || n < *least ? n : *least;
	*most = first || n > *most ? n : *most;
}

static void see_value(view_argument *a, const call_value *x)
{
	if (x->kind == CALL_ELEMENTS)
		x = x->items;
	if (x->kind == CALL_TENSOR) {
		widen(&a->least, &a->most, x->count, !a->tensor);
		a->tensor = true;
	} else if (x->kind == CALL_LIST && x->count && x->items[0].kind == CALL_TENSOR) {
		for (int k = 0; k < x->count; k++)
			widen(&a->least, &a->most, x->items[k].count, !a->tensors && k == 0);
		a->tensors = true;
	} else if (x->kind == CALL_LIST) {
		widen(&a->shortest, &a->longest, x->count, !a->list);
		a->lengths |= (uint64_t)1 << (x->count < 63 ? x->count : 63);
		a->list = true;
	} else if (x->kind == CALL_INT || x->kind == CALL_CONST) {
		a->number = true;
	}
}

static int count_arguments(const api_view *v)
{
	int n = 0;
	for (int i = 0; i < v->n; i++)
		n += v->rows[i].op->call->nargs;
	return n;
}

static void add_arguments(api_view *v)
{
	for (int i = 0; i < v->n; i++)
		v->nout = v->rows[i].op->call->nout > v->nout ? v->rows[i].op->call->nout : v->nout;
	v->arguments = NEED_ARRAY(v->memory, view_argument, count_arguments(v) + v->nout);
	for (int i = 0; i < v->n; i++)
		for (int k = 0; k < v->rows[i].op->call->nargs; k++)
			if (!view_argument_of(v, v->rows[i].op->call->args[k].name))
				v->arguments[v->narguments++].name = v->rows[i].op->call->args[k].name;
	for (int i = 0; i < v->n; i++)
		for (int k = 0; k < v->narguments; k++) {
			const call_value *x = call_named(v->rows[i].op->call, v->arguments[k].name);
			if (call_is_none(x))
				v->arguments[k].missing = true;
			else
				see_value(&v->arguments[k], x);
		}
	for (int i = 0; i < v->n; i++)
		for (int t = 0; t < v->rows[i].op->call->nout; t++) {
			view_argument *a = &v->arguments[v->narguments + t];
			widen(&a->least, &a->most, v->rows[i].op->call->outputs[t].rank, !a->tensor);
			a->tensor = true;
			a->name = LIST_OUTPUT;
		}
}

/* ---- lines */

static bool same_line(const view_line *a, const view_line *b)
{
	if (a->output != b->output || a->is_whole != b->is_whole)
		return false;
	if (a->is_whole)
		return whole_shape_same(&a->whole, &b->whole);
	return index_range_same(&a->where, &b->where) && list_is(a->at, b->at) && template_same(&a->t, &b->t);
}

view_line *view_add_line(api_view *v, view_line l)
{
	intern_line(v, &l);
	for (int k = 0; k < v->nlines; k++)
		if (same_line(&v->lines[k], &l))
			return &v->lines[k];
	if (v->nlines == v->most_lines) {
		view_line *lines = NEED_ARRAY(v->memory, view_line, 2 * v->most_lines + 32);
		if (v->nlines)
			memcpy(lines, v->lines, (size_t)v->nlines * sizeof *lines);
		v->lines = lines;
		v->most_lines = 2 * v->most_lines + 32;
	}
	l.state = NEED_ARRAY(v->memory, uint8_t, v->n);
	l.part = NEED_ARRAY(v->memory, uint64_t, v->n);
	l.rejects = NEED_ARRAY(v->memory, int, v->n);
	for (int i = 0; i < v->n; i++)
		l.rejects[i] = -1;
	l.empty = true;
	l.cost = l.is_whole ? l.whole.of : l.t.e->size + l.t.n;
	v->lines[v->nlines] = l;
	return &v->lines[v->nlines++];
}

/* Evidence of a clause in the rows of its case. */
static void add_evidence(const api_view *v, view_line *to, const api_rule *r, const bool *members, const api_clause *c)
{
	to->alone += c->alone;
	to->empty = to->empty && c->empty;
	for (int i = 0; i < v->n && c->rejects; i++)
		if (v->rows[i].rule == r && members[v->rows[i].form])
			to->rejects[i] = c->rejects[v->rows[i].form];
}

/* The same clause over the other shapes and lists that it moves over: of items where their list is shorter than the shape. */
static void add_variants(api_view *v, view_line l)
{
	if (l.where.way == RANGE_NONE || l.where.only || l.where.but.argument)
		return;
	for (int k = 0; k < l.t.n; k++) {
		const reference *r = &l.t.refs[k];
		if (r->base != AT_INDEX || r->offset || r->others || r->list.kind == LIST_OUT || list_is(r->list, l.where.over))
			continue;
		view_line other = l;
		other.where.over = r->list;
		other.where.head = other.where.tail = 0;
		view_add_line(v, other);
	}
}

static void add_clauses(api_view *v, const api_rule *r)
{
	for (int k = 0; k < r->naccept; k++)
		for (int j = 0; j < r->accept[k].n; j++) {
			const api_clause *c = &r->accept[k].list[j];
			view_line l = {.output = CLAUSE_LINE, .t = c->t, .where = c->where};
			memcpy(l.asks, c->asks, sizeof l.asks);
			add_evidence(v, view_add_line(v, l), r, r->accept[k].members, c);
			add_variants(v, l);
		}
}

static void add_outputs(api_view *v, const api_rule *r)
{
	for (int k = 0; k < r->nshapes; k++)
		for (unsigned t = 0; t < r->shapes[k].ntensors; t++) {
			const tensor_shape *s = &r->shapes[k].tensors[t];
			if (s->is_whole)
				view_add_line(v, (view_line){.output = (int)t, .is_whole = true, .whole = s->whole});
			for (int j = 0; j < s->nlines; j++)
				view_add_line(v, (view_line){.output = (int)t, .t = s->lines[j].t, .where = s->lines[j].where});
		}
}

api_view *api_view_of(arena *memory, expr_pool *pool, const page_api *api)
{
	api_view *v = NEED_ARRAY(memory, api_view, 1);
	*v = (api_view){.memory = memory, .pool = pool, .api = api};
	add_rows(v);
	add_arguments(v);
	share_defaults(v);
	for (int i = 0; i < v->n; i++) {
		bool first = v->rows[i].rule != NULL;
		for (int j = 0; j < i && first; j++)
			first = v->rows[j].rule != v->rows[i].rule;
		if (first) {
			add_clauses(v, v->rows[i].rule);
			add_outputs(v, v->rows[i].rule);
		}
	}
	return v;
}
