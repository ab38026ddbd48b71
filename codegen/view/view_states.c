#include "view_states.h"

#include <stdlib.h>
#include <string.h>

#include "view_axes.h"
#include "view_points.h"

enum { POSITIONS = 64 };

static const api_call *call_of(const view_row *row)
{
	return &row->calls->forms[row->form];
}

/* Whether a condition holds at all points of the row (view_points.h), calls that its rule accepts. */
static bool always_holds(const api_view *v, view_row *row, const expr *e)
{
	const view_points *p = view_points_of(v, row);
	for (int k = 0; k < p->n; k++)
		if (!expr_holds(e, p->x[k]))
			return false;
	return p->n >= POINTS_FEW;
}

/* Whether two expressions are equal at all of these points. */
static bool always_equal(const api_view *v, view_row *row, const expr *a, const expr *b)
{
	const view_points *p = view_points_of(v, row);
	for (int k = 0; k < p->n; k++) {
		wide x, y;
		if (!expr_eval(a, p->x[k], &x) || !expr_eval(b, p->x[k], &y) || x != y)
			return false;
	}
	return p->n >= POINTS_FEW;
}

static void look_at_clause(const api_view *v, view_row *row, const view_line *l, uint8_t *state, uint64_t *part)
{
	const api_calls *f = row->calls;
	int at[POSITIONS], n = index_range_positions(&l->where, f, call_of(row), 0, at, POSITIONS);
	*state = n < POSITIONS ? STATES_NOTHING : STATES_OTHER;
	for (int k = 0; k < n && *state != STATES_OTHER; k++) {
		bool absent[MAX_REFERENCES] = {false}, missing = false;
		const expr *e = template_instance(&l->t, f, call_of(row), at[k], absent);
		for (int j = 0; j < l->t.n; j++)
			missing |= absent[j];
		int is = e ? template_clause(f, call_of(row), e) : -1;
		if (is >= 0 && is < 64)
			*part |= (uint64_t)1 << is;
		else if (e ? !template_is_implied(f, call_of(row), e) && !always_holds(v, row, e) : !missing)
			*state = STATES_OTHER;
	}
	if (*state != STATES_OTHER && *part)
		*state = STATES_PART;
}

/* The dimensions of output t by the row's rule; NULL: it has no such output. */
static const expr *const *output_of(const view_row *row, int t, int *rank)
{
	const call *c = row->op->call;
	const expr *const *out = row->op->rule.out;
	if (t >= c->nout)
		return NULL;
	for (int k = 0; k < t; k++)
		out += c->outputs[k].rank;
	*rank = c->outputs[t].rank;
	return out;
}

/* The position that the axis of a line names; no number of positions if there is none. */
static int axis_position(const view_row *row, const view_line *l, int *to)
{
	const int rank = call_list_of(row->calls, call_of(row), l->where.over).n;
	if (!view_axis(row, l->at, rank, to))
		return rank ? POSITIONS : 0;
	return 1;
}

static void look_at_dims(const api_view *v, view_row *row, const view_line *l, uint8_t *state, uint64_t *part)
{
	const api_calls *f = row->calls;
	int rank = 0, at[POSITIONS];
	const expr *const *out = output_of(row, l->output, &rank);
	int n = l->at.argument ? axis_position(row, l, at) : index_range_positions(&l->where, f, call_of(row), rank, at, POSITIONS);
	*state = n < POSITIONS ? STATES_NOTHING : STATES_OTHER;
	for (int k = 0; k < n && *state != STATES_OTHER; k++) {
		int d = at[k] < 0 ? at[k] + rank : at[k];
		const expr *e = d >= 0 && d < rank && rank <= POSITIONS ? template_instance(&l->t, f, call_of(row), at[k], NULL) : NULL;
		if (e && (template_equals(f, call_of(row), e, out[d]) || always_equal(v, row, e, out[d])))
			*part |= (uint64_t)1 << d;
		else
			*state = STATES_OTHER;
	}
	if (*state != STATES_OTHER && *part)
		*state = STATES_PART;
}

/* A number broadcasts as a tensor without dimensions. */
static bool is_number(const view_row *row, list_name name)
{
	const call_value *x = name.kind == LIST_DIMS ? call_named(row->op->call, name.argument) : NULL;
	char *end = NULL;
	if (x && x->kind == CALL_CONST && x->text)
		(void)strtod(x->text, &end);
	return x && (x->kind == CALL_INT || (end && end != x->text && !*end));
}

/* The whole shape of a row without the numbers that it broadcasts. */
static whole_shape without_numbers(const view_row *row, whole_shape w)
{
	int n = 0;
	for (int k = 0; k < w.of && w.kind == WHOLE_BROADCAST && !w.cut; k++)
		if (!is_number(row, w.lists[k]))
			w.lists[n++] = w.lists[k];
	if (!n || n == w.of)
		return w;
	w.kind = n == 1 ? WHOLE_SAME : WHOLE_BROADCAST;
	w.of = n;
	return w;
}

static bool is_of_numbers(const view_row *row, const whole_shape *w)
{
	int n = 0;
	while (n < w->of && is_number(row, w->lists[n]))
		n++;
	return w->kind == WHOLE_BROADCAST && !w->cut && n == w->of;
}

static void look_at_whole(const view_row *row, const view_line *l, uint8_t *state, uint64_t *part)
{
	int rank = 0;
	output_of(row, l->output, &rank);
	const whole_shape w = without_numbers(row, l->whole);
	const bool is = is_of_numbers(row, &w) ? rank == 0 : whole_shape_is(&w, row->calls, call_of(row), (unsigned)l->output);
	*state = is ? STATES_PART : STATES_OTHER;
	if (*state == STATES_PART && rank > l->whole.cut && rank <= 64)
		*part = ~(uint64_t)0 >> (64 - (rank - l->whole.cut));
	if (rank < l->whole.cut)
		*state = STATES_OTHER;
}

static void look(const api_view *v, view_row *row, const view_line *l, uint8_t *state, uint64_t *part)
{
	view_line here;
	*state = STATES_NOTHING;
	*part = 0;
	if (!row->rule || (l->output != CLAUSE_LINE && l->output >= row->op->call->nout))
		return;
	if (!view_translate(row->calls, l, &here)) {
		*state = l->output == CLAUSE_LINE ? STATES_NOTHING : STATES_OTHER;
		return;
	}
	if (l->output == CLAUSE_LINE)
		look_at_clause(v, row, &here, state, part);
	else if (l->is_whole)
		look_at_whole(row, &here, state, part);
	else
		look_at_dims(v, row, &here, state, part);
	if (*state == STATES_OTHER)
		*part = 0;
}

/* An axis that is the same number wherever the line states something is chance. */
static void drop_single_axis(const api_view *v, view_line *l)
{
	const list_name axis = l->at.argument ? l->at : l->where.but;
	int at;
	if (l->output == CLAUSE_LINE || l->is_whole || !axis.argument || !view_fixed_axis(v, l, axis, &at))
		return;
	for (int i = 0; i < v->n; i++) {
		l->state[i] = l->state[i] == STATES_PART ? STATES_OTHER : l->state[i];
		l->part[i] = 0;
	}
}

void view_states_find(api_view *v)
{
	for (int k = 0; k < v->nlines; k++) {
		for (int i = 0; i < v->n; i++)
			look(v, &v->rows[i], &v->lines[k], &v->lines[k].state[i], &v->lines[k].part[i]);
		if (v->lines[k].added)
			drop_single_axis(v, &v->lines[k]);
	}
}

uint64_t view_states_all(const api_view *v, int row, int output)
{
	uint64_t all = 0;
	for (int k = 0; k < v->nlines; k++)
		if (v->lines[k].output == output)
			all |= v->lines[k].part[row];
	return all;
}
