#include "page_own.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"
#include "page_words.h"
#include "statement.h"

enum { MOST_LINES = 12, FEW = 4 /* signatures: of so few, lines of a single one are printed, too */ };

bool page_own_lacks_clauses(const api_view *v, int row)
{
	const view_row *r = &v->rows[row];
	return r->op->rule.nclauses && (!r->rule || api_rule_accept_case(r->rule, r->form) < 0);
}

bool page_own_lacks_outputs(const api_view *v, int row)
{
	const view_row *r = &v->rows[row];
	return r->op->nodim && (!r->rule || api_rule_shape_case(r->rule, r->form) < 0);
}

/* Marks the rows that lack their clauses, or outputs, on the page and returns their number; 0 if some row has them. */
static int find_lacking(const api_view *v, bool outputs, bool *lacks)
{
	int n = 0;
	for (int i = 0; i < v->n; i++) {
		const rule_op *op = v->rows[i].op;
		if (!(outputs ? op->nodim > 0 : op->rule.nclauses > 0))
			continue;
		lacks[i] = outputs ? page_own_lacks_outputs(v, i) : page_own_lacks_clauses(v, i);
		if (!lacks[i])
			return 0;
		n++;
	}
	return n;
}

/* ---- texts of all statements */

typedef struct entry {
	const char *text;
	int row, at, same, way; /* at: the statement's number in the row; same: statement_text */
} entry;

typedef struct choice {
	const api_view *v;
	int nlacking;
	entry *list; /* sorted by text, then row */
	int n;
	bool **covered; /* per row, per statement */
	int *rest;	/* per row: statements that no line has */
	page_own to;
} choice;

static int by_text(const void *a, const void *b)
{
	const entry *x = a, *y = b;
	const int order = strcmp(x->text, y->text);
	return order ? order : x->row != y->row ? x->row - y->row : x->at != y->at ? x->at - y->at : x->way - y->way;
}

static void add_texts(choice *c, const statements *s, int row)
{
	for (int k = 0; k < s->n; k++)
		for (int way = 0; way < STATEMENT_WAYS; way++) {
			int same;
			const statement *one = &s->list[k];
			if ((way & INDEX_I && one->index[0] < 0) || (way & INDEX_J && one->index[1] < 0))
				continue;
			const char *text = statement_text(s, one, way, &same);
			if (text)
				c->list[c->n++] = (entry){text, row, k, same, way};
		}
}

/* Drops texts over indices that are not of all of them. One signature's single index is none. */
static void drop_partial(choice *c)
{
	int to = 0;
	for (int first = 0, end; first < c->n; first = end) {
		for (end = first + 1; end < c->n && c->list[end].row == c->list[first].row && strcmp(c->list[end].text, c->list[first].text) == 0;)
			end++;
		const bool indexed = c->list[first].way & (INDEX_I | INDEX_J);
		if (indexed && (end - first != c->list[first].same || (end - first == 1 && c->v->n == 1)))
			continue;
		for (int k = first; k < end; k++)
			c->list[to++] = c->list[k];
	}
	c->n = to;
}

/* ---- lines */

static int names_in(int way)
{
	int n = 0;
	for (; way; way &= way - 1)
		n++;
	return n;
}

/* Of texts that cover equally many statements, fewer names are better, then an earlier statement. */
static bool is_plainer(const entry *x, const entry *y)
{
	const int one = names_in(x->way), other = names_in(y->way);
	return one != other ? one < other : x->row != y->row ? x->row < y->row : x->at < y->at;
}

/* Covers as many statements as possible with the next line: the first entry of its text, and *end. -1: none. */
static int best_text(const choice *c, int *end)
{
	int best = -1, most = 0;
	for (int first = 0, next; first < c->n; first = next) {
		int n = 0, rows = 0;
		for (next = first; next < c->n && strcmp(c->list[next].text, c->list[first].text) == 0; next++) {
			n += !c->covered[c->list[next].row][c->list[next].at];
			rows += next == first || c->list[next].row != c->list[next - 1].row;
		}
		if (rows == 1 && c->nlacking > FEW)
			continue;
		if (n > most || (n == most && n && is_plainer(&c->list[first], &c->list[best]))) {
			best = first;
			most = n;
			*end = next;
		}
	}
	return best;
}

/* Adds a line with its condition. Marks its statements as covered. */
static void add_line(choice *c, int first, int end)
{
	const api_view *v = c->v;
	bool *in = NEED_ARRAY(v->memory, bool, v->n), *out = NEED_ARRAY(v->memory, bool, v->n);
	view_line l = {.output = CLAUSE_LINE, .kind = FOR_EACH_CALL, .state = NEED_ARRAY(v->memory, uint8_t, v->n)};
	buf text = {0};
	int rows = 0;
	for (int k = first; k < end; k++) {
		bool *is = &c->covered[c->list[k].row][c->list[k].at];
		rows += !in[c->list[k].row];
		in[c->list[k].row] = true;
		c->rest[c->list[k].row] -= !*is;
		*is = true;
	}
	for (int i = 0; i < v->n; i++) {
		out[i] = !in[i];
		l.state[i] = in[i] ? STATES_PART : c->to.lacks[i] ? STATES_OTHER : STATES_NOTHING;
	}
	if (rows < c->nlacking)
		l.kind = view_find_guard(v, &l, in, out) ? FOR_GUARD : FOR_LISTED;
	buf_puts(&text, c->list[first].text);
	page_words_condition(&text, v, &l);
	c->to.list[c->to.n++] = keep(v->memory, &text);
	buf_free(&text);
}

static page_own own_of(const api_view *v, bool outputs)
{
	choice c = {.v = v, .covered = NEED_ARRAY(v->memory, bool *, v->n), .rest = NEED_ARRAY(v->memory, int, v->n)};
	c.to.lacks = NEED_ARRAY(v->memory, bool, v->n);
	c.to.on = NEED_ARRAY(v->memory, bool, v->n);
	c.to.list = NEED_ARRAY(v->memory, const char *, MOST_LINES);
	c.nlacking = find_lacking(v, outputs, c.to.lacks);
	statements *rows = NEED_ARRAY(v->memory, statements, v->n);
	int most = 0, end = 0;
	for (int i = 0; i < v->n && c.nlacking; i++)
		if (c.to.lacks[i]) {
			rows[i] = statements_of(v, i, outputs);
			c.covered[i] = NEED_ARRAY(v->memory, bool, rows[i].n);
			c.rest[i] = rows[i].n;
			most += rows[i].n * STATEMENT_WAYS;
		}
	c.list = NEED_ARRAY(v->memory, entry, most);
	for (int i = 0; i < v->n && c.nlacking; i++)
		add_texts(&c, &rows[i], i);
	if (c.n)
		qsort(c.list, (size_t)c.n, sizeof *c.list, by_text);
	drop_partial(&c);
	for (int k; c.to.n < MOST_LINES && (k = best_text(&c, &end)) >= 0;)
		add_line(&c, k, end);
	for (int i = 0; i < v->n; i++)
		c.to.on[i] = c.nlacking && c.to.lacks[i] && !c.rest[i];
	return c.to;
}

page_own page_own_clauses(const api_view *v)
{
	return own_of(v, false);
}

page_own page_own_outputs(const api_view *v)
{
	return own_of(v, true);
}
