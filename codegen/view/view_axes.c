#include "view_axes.h"

#include "need.h"

bool view_axis(const view_row *row, list_name axis, int n, int *to)
{
	const call_list x = call_list_of(row->calls, &row->calls->forms[row->form], axis);
	if (x.n != 1 || x.e[0]->op != OP_CONST || x.e[0]->value < -n || x.e[0]->value >= n)
		return false;
	*to = (int)(x.e[0]->value < 0 ? x.e[0]->value + n : x.e[0]->value);
	return true;
}

/* Whether the rules give an output one position at a time. */
static bool is_by_positions(const api_view *v, int t)
{
	for (int k = 0; k < v->nlines; k++)
		if (v->lines[k].output == t && !v->lines[k].is_whole)
			return true;
	return false;
}

/* Whether an argument has several constants. */
static bool is_axis(const api_view *v, const view_argument *a)
{
	int first = 0, n = 0;
	for (int i = 0, at; i < v->n && !a->tensor && !a->tensors; i++) {
		const view_row *row = &v->rows[i];
		const list_name axis = {row->rule ? api_calls_name(row->calls, a->name) : NULL, -1, LIST_ITEMS};
		if (!axis.argument)
			continue;
		const call_list x = call_list_of(row->calls, &row->calls->forms[row->form], axis);
		if (x.n != 1 || x.e[0]->op != OP_CONST || x.e[0]->value < -LIST_LENGTH || x.e[0]->value >= LIST_LENGTH)
			continue;
		at = (int)x.e[0]->value;
		n += n == 0 || (n == 1 && at != first);
		first = n == 1 ? at : first;
	}
	return n > 1;
}

static void add(api_view *v, view_line l)
{
	l.added = true;
	view_add_line(v, l);
}

/* The dimension of a row's output at the axis as a template. */
static void add_at(api_view *v, const view_row *row, int t, const view_argument *axis, const view_argument *over)
{
	const api_calls *f = row->calls;
	const api_call *form = &f->forms[row->form];
	const list_name at = {api_calls_name(f, axis->name), -1, LIST_ITEMS}, of = {api_calls_name(f, over->name), -1, LIST_DIMS};
	const call *c = row->op->call;
	int first = 0, p;
	for (int k = 0; k < t && k < c->nout; k++)
		first += c->outputs[k].rank;
	const int n = at.argument && of.argument ? call_list_of(f, form, of).n : 0;
	if (!n || t >= c->nout || !view_axis(row, at, n, &p) || p >= c->outputs[t].rank)
		return;
	static const uint8_t WAYS[] = {WAY_RIGHT, WAY_NUMBER_LEFT};
	for (int k = 0; k < 4; k++) {
		const template_way way = {.items = WAYS[k % 2], .folds = k / 2, .at_axis = true, .axis = at};
		view_line l = {.output = t, .at = at, .where = {.over = of}};
		if (template_of(&l.t, f, form, row->op->rule.out[first + p], (anchor){p, n - 1 - p}, way))
			add(v, l);
	}
}

static void add_axis(api_view *v, int t, const view_argument *axis, const view_argument *over)
{
	view_line others = {.output = t, .where = {.way = RANGE_LEFT, .over = {over->name, -1, LIST_DIMS}, .but = {axis->name, -1, LIST_ITEMS}}};
	others.t = (template){.e = expr_sym(v->pool, 0), .refs = {{.list = others.where.over, .base = AT_INDEX}}, .n = 1};
	add(v, others);
	for (int i = 0; i < v->n; i++)
		if (v->rows[i].rule)
			add_at(v, &v->rows[i], t, axis, over);
}

void view_axes_add(api_view *v)
{
	for (int t = 0; t < v->nout; t++)
		for (int a = 0; a < v->narguments && is_by_positions(v, t); a++)
			for (int x = 0; x < v->narguments && is_axis(v, &v->arguments[a]); x++)
				if (v->arguments[x].tensor && !v->arguments[x].tensors)
					add_axis(v, t, &v->arguments[a], &v->arguments[x]);
}
