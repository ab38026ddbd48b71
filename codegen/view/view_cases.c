#include "view_cases.h"

#include <string.h>

#include "need.h"

enum { MOST_CHOSEN = 48, SHORT = 4 /* of a formula that may stand in a tuple several times */ };

typedef struct chooser {
	const api_view *v;
	int t;
	const view_line *lines[MOST_CHOSEN]; /* that give single dimensions */
	int n;
	bool *open; /* signatures that no case is of yet */
} chooser;

static uint64_t bits(int n)
{
	return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

static int rank_of(const chooser *c, int row)
{
	const call *x = c->v->rows[row].op->call;
	return c->t < x->nout ? x->outputs[c->t].rank : -1;
}

/* Whether the lines of a set give all dimensions of a signature. */
static bool gives(const chooser *c, uint64_t set, int row)
{
	uint64_t all = 0;
	for (int k = 0; k < c->n; k++) {
		if (!(set >> k & 1))
			continue;
		if (c->lines[k]->state[row] == STATES_OTHER)
			return false;
		all |= c->lines[k]->part[row];
	}
	return rank_of(c, row) > 0 && all == bits(rank_of(c, row));
}

static int count_rows(const chooser *c, uint64_t set)
{
	int n = 0;
	for (int i = 0; i < c->v->n; i++)
		n += c->open[i] && gives(c, set, i);
	return n;
}

/* The lines that give a signature's dimensions, without those that others make superfluous. 0: some dimension has no line. */
static uint64_t set_of(const chooser *c, int row)
{
	uint64_t set = 0;
	for (int k = 0; k < c->n; k++)
		set |= (uint64_t)(c->lines[k]->state[row] == STATES_PART && c->lines[k]->part[row]) << k;
	if (!gives(c, set, row))
		return 0;
	for (int k = c->n - 1; k >= 0; k--)
		if (set >> k & 1 && gives(c, set & ~((uint64_t)1 << k), row))
			set &= ~((uint64_t)1 << k);
	return set;
}

/* ---- the parts of a case */

static bool is_range(const view_line *l)
{
	return l->is_whole || (l->where.way != RANGE_NONE && !l->where.only);
}

/* The line of a set that gives a dimension: one of a single position before one of many. */
static const view_line *line_of(const chooser *c, uint64_t set, int row, int at)
{
	const view_line *found = NULL;
	for (int k = 0; k < c->n; k++)
		if (set >> k & 1 && c->lines[k]->part[row] >> at & 1 && (!found || (is_range(found) && !is_range(c->lines[k]))))
			found = c->lines[k];
	return found;
}

/* The slice of a list that a line of many positions gives in a signature, from dimension `first` to `end` of its output. */
static bool slice_of_line(const chooser *c, const view_line *l, int row, int first, int end, case_part *to)
{
	const int rank = rank_of(c, row);
	*to = (case_part){.line = l, .spread = true};
	if (l->is_whole) {
		to->without = l->whole.cut;
		return first == 0 && end == rank - l->whole.cut;
	}
	const reference *r = l->t.e->op == OP_SYM ? &l->t.refs[l->t.e->value] : NULL;
	view_line here;
	if (!r || r->base != AT_INDEX || r->others || r->list.kind == LIST_BOUNDS || r->list.kind == LIST_OUT
	    || !view_translate(c->v->rows[row].calls, l, &here))
		return false;
	const api_calls *f = c->v->rows[row].calls;
	const call_list x = call_list_of(f, &f->forms[c->v->rows[row].form], here.t.refs[l->t.e->value].list);
	const int shift = l->where.way == RANGE_RIGHT ? x.n - rank + r->offset : r->offset;
	to->from = first + shift;
	to->without = x.n - (end + shift);
	return to->from >= 0 && to->without >= 0;
}

static bool is_same_part(const case_part *a, const case_part *b)
{
	return a->line == b->line && a->spread == b->spread && a->at == b->at && a->from == b->from && a->without == b->without;
}

/* The parts of a signature: dimensions counted from the left, a slice, dimensions counted from the right. */
static bool parts_of(const chooser *c, uint64_t set, int row, bool spread, view_case *to)
{
	const int rank = rank_of(c, row);
	to->n = 0;
	for (int p = 0; p < rank; p++) {
		const view_line *l = line_of(c, set, row, p);
		case_part part = {.line = l, .at = l->is_whole || l->where.way == RANGE_RIGHT ? p - rank : p};
		const bool copies = is_range(l) && !spread; /* one line as several dimensions */
		if (copies && (l->is_whole || (l->t.e->a && l->cost > SHORT)))
			return false;
		if (spread && is_range(l)) {
			int end = p + 1;
			while (end < rank && line_of(c, set, row, end) == l)
				end++;
			if (!slice_of_line(c, l, row, p, end, &part))
				return false;
			p = end - 1;
		}
		if (to->n == CASE_PARTS)
			return false;
		to->parts[to->n++] = part;
	}
	return true;
}

/* Whether a signature has the parts of a case. It may lack the slice. */
static bool has_parts(const chooser *c, uint64_t set, int row, bool spread, const view_case *of)
{
	view_case here;
	int k = 0;
	if (!gives(c, set, row) || !parts_of(c, set, row, spread, &here))
		return false;
	for (int j = 0; j < of->n; j++) {
		if (k < here.n && is_same_part(&of->parts[j], &here.parts[k]))
			k++;
		else if (!of->parts[j].spread)
			return false;
	}
	return k == here.n;
}

/* The case of a set of lines, and its guard. False: it has none. */
static bool find_case(chooser *c, uint64_t set, view_case *to)
{
	const api_view *v = c->v;
	bool *in = NEED_ARRAY(v->memory, bool, v->n), *out = NEED_ARRAY(v->memory, bool, v->n), any = false;
	int longest = -1, shortest = -1;
	for (int i = 0; i < v->n; i++) {
		if (!gives(c, set, i) || !c->open[i])
			continue;
		longest = longest < 0 || rank_of(c, i) > rank_of(c, longest) ? i : longest;
		shortest = shortest < 0 || rank_of(c, i) < rank_of(c, shortest) ? i : shortest;
	}
	const bool spread = rank_of(c, longest) != rank_of(c, shortest);
	*to = (view_case){.condition = {.output = c->t}};
	if (!parts_of(c, set, longest, spread, to))
		return false;
	to->condition.state = NEED_ARRAY(v->memory, uint8_t, v->n);
	for (int i = 0; i < v->n; i++) {
		const bool has = has_parts(c, set, i, spread, to);
		in[i] = has && c->open[i];
		out[i] = !has && v->rows[i].rule && rank_of(c, i) >= 0;
		any |= out[i];
		c->open[i] = c->open[i] && !in[i];
		to->condition.state[i] = in[i] ? STATES_PART : out[i] ? STATES_OTHER : STATES_NOTHING;
	}
	to->condition.kind = !any ? FOR_EACH_CALL : view_find_guard(v, &to->condition, in, out) ? FOR_GUARD : FOR_LISTED;
	return to->condition.kind != FOR_LISTED;
}

/* Whether a line is of some calls only, and not of a single dimension that all outputs have, which can have a name. */
static bool is_nameless(const view_line *l, const view_argument *of)
{
	return !view_is_always(l) && (is_range(l) || l->where.only > of->least || of->least == 0);
}

/* The lines of single dimensions, and the signatures that need them. False: the output needs no cases, or lines name an axis. */
static bool begin(chooser *c, const api_view *v, int t)
{
	bool nameless = false;
	*c = (chooser){.v = v, .t = t, .open = NEED_ARRAY(v->memory, bool, v->n)};
	for (int i = 0; i < v->n; i++)
		c->open[i] = v->rows[i].rule && rank_of(c, i) > 0;
	for (int k = 0; k < v->nlines; k++) {
		const view_line *l = &v->lines[k];
		if (!l->chosen || l->output != t)
			continue;
		if (l->at.argument || l->where.but.argument || c->n == MOST_CHOSEN)
			return false;
		if (l->is_whole && !l->whole.cut) {
			for (int i = 0; i < v->n; i++)
				c->open[i] = c->open[i] && l->state[i] != STATES_PART;
			continue;
		}
		c->lines[c->n++] = l;
		nameless = nameless || is_nameless(l, &v->arguments[v->narguments + t]);
	}
	for (int i = 0; i < v->n; i++) /* a dimension without any line is not on the page */
		c->open[i] = c->open[i] && set_of(c, i);
	return nameless;
}

/* The cases of an output; NULL: its lines are plainer. */
static const view_case *cases_of(const api_view *v, int t, int *n)
{
	const view_argument *a = &v->arguments[v->narguments + t];
	chooser c;
	view_case *list = NEED_ARRAY(v->memory, view_case, MOST_CASES);
	*n = 0;
	if (a->least == a->most || !begin(&c, v, t))
		return NULL;
	for (int count = 0;; count++) {
		uint64_t best = 0;
		int most = 0;
		bool open = false;
		for (int i = 0; i < v->n; i++) {
			const uint64_t set = c.open[i] ? set_of(&c, i) : 0;
			const int rows = set ? count_rows(&c, set) : 0;
			open |= c.open[i];
			best = rows > most ? set : best;
			most = rows > most ? rows : most;
		}
		if (!open) {
			*n = count;
			return count <= c.n + 1 ? list : NULL;
		}
		if (!best || count == MOST_CASES || !find_case(&c, best, &list[count]))
			return NULL;
	}
}

void view_cases_find(api_view *v)
{
	v->cases = NEED_ARRAY(v->memory, const view_case *, v->nout);
	v->ncases = NEED_ARRAY(v->memory, int, v->nout);
	for (int t = 0; t < v->nout; t++) {
		v->cases[t] = cases_of(v, t, &v->ncases[t]);
		v->ncases[t] = v->cases[t] ? v->ncases[t] : 0;
	}
}
