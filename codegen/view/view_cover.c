#include "view_cover.h"

#include <string.h>

#include "need.h"
#include "view_states.h"
#include "view_values.h"

/* How much of what is open a line states. */
static int gain_of(const api_view *v, const view_line *l, const uint64_t *open)
{
	int gain = 0;
	for (int i = 0; i < v->n; i++)
		gain += __builtin_popcountll(l->part[i] & open[i]);
	return gain;
}

static int count_other(const api_view *v, const view_line *l)
{
	int n = 0;
	for (int i = 0; i < v->n; i++)
		n += l->state[i] == STATES_OTHER;
	return n;
}

/* Finds a guard that separates the signatures for which a line is right from those for which it is wrong.
 * scalars: also signatures whose outputs have no dimensions. */
static void find_guard(const api_view *v, view_line *l, bool scalars, const uint64_t *needed)
{
	bool *in = NEED_ARRAY(v->memory, bool, v->n), *out = NEED_ARRAY(v->memory, bool, v->n), any = false;
	for (int i = 0; i < v->n; i++) {
		in[i] = l->state[i] == STATES_PART && (scalars || l->part[i]) && (!needed || (l->part[i] & needed[i]));
		out[i] = l->state[i] == STATES_OTHER;
		any |= out[i];
	}
	l->kind = !any ? FOR_EACH_CALL : view_find_guard(v, l, in, out) ? FOR_GUARD : FOR_LISTED;
}

/* A guard, or none, with one signature as an exception, which another line states. */
static void find_exception(const api_view *v, view_line *l)
{
	bool *in = NEED_ARRAY(v->memory, bool, v->n), *out = NEED_ARRAY(v->memory, bool, v->n);
	int others = 0, states = 0;
	for (int i = 0; i < v->n; i++) {
		in[i] = l->state[i] == STATES_PART && l->part[i];
		out[i] = l->state[i] == STATES_OTHER;
		others += out[i];
		states += in[i];
	}
	for (int i = 0; i < v->n && l->kind == FOR_LISTED && states > 2; i++) {
		if (!out[i])
			continue;
		out[i] = false;
		if (others == 1)
			l->kind = FOR_EACH_CALL;
		else if (view_find_guard(v, l, in, out))
			l->kind = FOR_GUARD;
		out[i] = true;
		l->but = l->kind == FOR_LISTED ? 0 : i + 1;
	}
}

/* A line that is listed states nothing more than what it is needed for. */
static void state_needed(const api_view *v, view_line *l, const uint64_t *needed)
{
	for (int i = 0; i < v->n && l->kind == FOR_LISTED; i++)
		if (!(l->part[i] & needed[i])) {
			l->state[i] = l->state[i] == STATES_PART ? STATES_NOTHING : l->state[i];
			l->part[i] = 0;
		}
}

static bool is_better(const api_view *v, const view_line *a, int gain, const view_line *b, int best)
{
	if (!b)
		return true;
	const bool one = count_other(v, a) == 0, two = count_other(v, b) == 0;
	if (one != two)
		return one;
	if (a->is_whole != b->is_whole && (a->added || b->added))
		return a->is_whole; /* a set dimension and all others as one shape */
	if (gain != best)
		return gain > best;
	return count_other(v, a) != count_other(v, b) ? count_other(v, a) < count_other(v, b) : a->cost < b->cost;
}

/* Chooses among the lines of one kind. */
static void cover(api_view *v, int output)
{
	uint64_t *open = NEED_ARRAY(v->memory, uint64_t, v->n);
	for (int i = 0; i < v->n; i++)
		open[i] = view_states_all(v, i, output);
	for (;;) {
		view_line *best = NULL;
		int most = 0;
		for (int k = 0; k < v->nlines; k++) {
			view_line *l = &v->lines[k];
			int gain = l->output == output && !l->chosen && !l->banned ? gain_of(v, l, open) : 0;
			if (gain && is_better(v, l, gain, best, most)) {
				best = l;
				most = gain;
			}
		}
		if (!best)
			return;
		best->chosen = true;
		find_guard(v, best, true, NULL);
		if (best->kind == FOR_LISTED)
			find_guard(v, best, false, NULL);
		if (best->kind == FOR_LISTED)
			find_exception(v, best);
		if (best->kind == FOR_LISTED)
			find_guard(v, best, false, open);
		if (best->added && (best->kind == FOR_LISTED || best->but)) { /* other lines state the same */
			best->chosen = false;
			best->banned = true;
			continue;
		}
		state_needed(v, best, open);
		for (int i = 0; i < v->n; i++)
			open[i] &= ~best->part[i];
	}
}

/* Drops lines whose part the other chosen lines state: first those with a guard. */
static void prune(api_view *v, int output, bool guarded)
{
	for (int k = v->nlines - 1; k >= 0; k--) {
		view_line *l = &v->lines[k];
		if (!l->chosen || l->output != output || view_is_always(l) == guarded)
			continue;
		bool needed = false;
		for (int i = 0; i < v->n && !needed; i++) {
			uint64_t others = 0;
			for (int j = 0; j < v->nlines; j++)
				if (j != k && v->lines[j].chosen && v->lines[j].output == output)
					others |= v->lines[j].part[i];
			needed = l->part[i] & ~others;
		}
		l->chosen = needed;
	}
}

static int count_terms(const view_line *l)
{
	int n = l->kind == FOR_LISTED ? 99 : l->but ? 9 : 0;
	for (int i = 0; i < l->g.n && l->kind == FOR_GUARD; i++)
		n += l->g.branches[i].n;
	return n;
}

/* Whether the other chosen lines of an output state all that a line states of a signature. */
static bool is_stated(const api_view *v, const view_line *l, int row)
{
	uint64_t others = 0;
	bool any = false;
	for (int k = 0; k < v->nlines; k++) {
		const view_line *o = &v->lines[k];
		if (o == l || !o->chosen || o->output != l->output || o->state[row] != STATES_PART)
			continue;
		others |= o->part[row];
		any = true;
	}
	return any && !(l->part[row] & ~others);
}

/* A plainer guard for a line, which need not hold for signatures that other lines state. */
static void relax(const api_view *v, view_line *l)
{
	bool *in = NEED_ARRAY(v->memory, bool, v->n), *out = NEED_ARRAY(v->memory, bool, v->n), any = false;
	view_line plain = *l;
	for (int i = 0; i < v->n; i++) {
		in[i] = l->state[i] == STATES_PART && !is_stated(v, l, i);
		out[i] = l->state[i] == STATES_OTHER;
		any |= in[i];
	}
	plain.kind = FOR_GUARD;
	plain.but = 0;
	if (!any || !view_find_guard(v, &plain, in, out) || count_terms(&plain) >= count_terms(l))
		return;
	l->kind = FOR_GUARD;
	l->but = 0;
	l->g = plain.g;
	for (int i = 0; i < v->n; i++)
		if (l->state[i] == STATES_PART && !in[i]) {
			l->state[i] = STATES_NOTHING;
			l->part[i] = 0;
		}
}

/* An axis that is one number wherever a line states something is printed as that number. */
static void resolve_axes(const api_view *v, view_line *l)
{
	for (int k = 0, at; k < l->t.n; k++) {
		reference *r = &l->t.refs[k];
		if (r->base != AT_AXIS || !view_fixed_axis(v, l, r->axis, &at) || (at < 0) != (at + r->offset < 0))
			continue;
		r->base = AT_NUMBER;
		r->offset = (int16_t)(at + r->offset);
	}
}

/* A position of a shape that has one rank wherever a line states something is counted from the right if that end is nearer. */
static void turn_positions(const api_view *v, view_line *l)
{
	for (int k = 0; k < l->t.n; k++) {
		reference *r = &l->t.refs[k];
		const view_argument *a = r->base == AT_NUMBER && r->offset > 0 && list_is_dims(r->list.kind) ? view_list_of(v, r->list) : NULL;
		const int rank = a && a->tensor && a->least != a->most ? view_stated_rank(v, l, r->list) : -1;
		if (r->offset < rank && rank - r->offset < r->offset + 1)
			r->offset = (int16_t)(r->offset - rank);
	}
}

void view_cover_choose(api_view *v)
{
	for (int output = CLAUSE_LINE; output < v->nout; output++) {
		cover(v, output);
		prune(v, output, true);
		prune(v, output, false);
		for (int k = 0; k < v->nlines; k++)
			if (v->lines[k].chosen && v->lines[k].output == output && count_terms(&v->lines[k]) > 1)
				relax(v, &v->lines[k]);
	}
	for (int k = 0; k < v->nlines; k++)
		if (v->lines[k].chosen) {
			resolve_axes(v, &v->lines[k]);
			turn_positions(v, &v->lines[k]);
		}
	view_values_put(v);
}
