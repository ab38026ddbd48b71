#include "page_own.h"

#include <string.h>

#include "name.h"
#include "need.h"
#include "symbol_place.h"

enum { DEPTHS = 2, LISTED = 4 /* signatures of a line */ };

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

/* An expression: a clause, or the dimension of an output. */
typedef struct statement {
	const expr *e;
	int output, dim, rank; /* output -1: a clause */
	int index[DEPTHS], length[DEPTHS]; /* of the first symbol with most indices; -1: it has fewer */
	bool printed;
} statement;

typedef struct writer {
	const api_view *v;
	const symbol_place *places;
	statement *list;
	int n;
	bool several; /* outputs */
} writer;

static void add_indices(statement *s, const symbol_place *places, const expr *e)
{
	if (e->op != OP_SYM) {
		if (e->a) {
			add_indices(s, places, e->a);
			add_indices(s, places, e->b);
		}
		if (e->c)
			add_indices(s, places, e->c);
		return;
	}
	const symbol_place *p = &places[e->value];
	for (int d = 0; d < DEPTHS && d < p->n; d++)
		if (s->index[d] < 0 || (d == 0 && s->index[1] < 0 && p->n > 1)) {
			s->index[d] = p->at[d];
			s->length[d] = p->length[d];
		}
}

static statement statement_of(const writer *w, const expr *e, int output, int dim, int rank)
{
	statement s = {.e = e, .output = output, .dim = dim, .rank = rank, .index = {-1, -1}};
	add_indices(&s, w->places, e);
	if (output >= 0) {
		s.index[0] = dim;
		s.length[0] = rank;
	}
	return s;
}

typedef struct naming {
	const symbol_place *places;
	const int *index;
} naming;

static void put_symbol(buf *to, int symbol, const void *user)
{
	const naming *n = user;
	symbol_place_put(to, &n->places[symbol], n->index);
}

/* Prints a statement; the indices of these depths, as bits, are variables. */
static const char *text_of(const writer *w, const statement *s, int depths)
{
	const int index[SYMBOL_INDICES] = {depths & 1 ? s->index[0] : -1, depths & 2 ? s->index[1] : -1, -1};
	const naming n = {w->places, index};
	buf text = {0};
	if (s->output >= 0) {
		buf_printf(&text, w->several ? "out%d" : "out", s->output);
		buf_printf(&text, depths & 1 ? "[i] = " : "[%d] = ", s->dim);
	}
	expr_print_named(&text, s->e, put_symbol, &n);
	return keep(w->v->memory, &text);
}

/* Whether the statements with this text, and variables at these depths, are of all indices. Marks them as printed. A single index
 * counts if other signatures may have more. */
static bool cover_all(const writer *w, const statement *first, const char *text, int depths)
{
	int n = 0, all = (depths & 1 ? first->length[0] : 1) * (depths & 2 ? first->length[1] : 1);
	bool *in = NEED_ARRAY(w->v->memory, bool, w->n);
	for (int k = 0; k < w->n; k++) {
		const statement *s = &w->list[k];
		bool indexed = (!(depths & 1) || s->index[0] >= 0) && (!(depths & 2) || s->index[1] >= 0);
		in[k] = indexed && !s->printed && s->output == first->output && strcmp(text_of(w, s, depths), text) == 0;
		n += in[k];
	}
	if (n != all || (n == 1 && w->v->n == 1))
		return false;
	for (int k = 0; k < w->n; k++)
		w->list[k].printed |= in[k];
	return true;
}

static const char *next_text(const writer *w, statement *s)
{
	static const char *const EACH[] = {"", " for each i", " for each j", " for each i, j"};
	for (int depths = 3; depths > 0; depths--) {
		if ((depths & 1 && s->index[0] < 0) || (depths & 2 && s->index[1] < 0))
			continue;
		const char *text = text_of(w, s, depths);
		if (cover_all(w, s, text, depths))
			return need(arena_printf(w->v->memory, "%s%s", text, EACH[depths]), 1);
	}
	s->printed = true;
	return text_of(w, s, 0);
}

/* A row's statements as texts: its clauses or its outputs. */
static page_own print_row(const api_view *v, int row, bool outputs)
{
	const rule_op *op = v->rows[row].op;
	writer w = {.v = v, .places = symbol_places(v->memory, op->call), .several = op->call->nout > 1};
	w.list = NEED_ARRAY(v->memory, statement, outputs ? (int)op->nodim : op->rule.nclauses);
	for (; w.n < op->rule.nclauses && !outputs; w.n++)
		w.list[w.n] = statement_of(&w, op->rule.clauses[w.n], -1, 0, 0);
	for (int t = 0; t < op->call->nout && outputs; t++)
		for (int k = 0, rank = op->call->outputs[t].rank; k < rank; k++, w.n++)
			w.list[w.n] = statement_of(&w, op->rule.out[w.n], t, k, rank);
	page_own to = {.list = NEED_ARRAY(v->memory, const char *, w.n), .on = NEED_ARRAY(v->memory, bool, v->n)};
	for (int k = 0; k < w.n; k++)
		if (!w.list[k].printed)
			to.list[to.n++] = next_text(&w, &w.list[k]);
	return to;
}

/* Marks the rows that lack their clauses, or outputs, on the page and returns their number; 0 if some row has them. *most: the
 * row with most symbols. */
static int find_lacking(const api_view *v, bool outputs, bool *lacks, int *most)
{
	int n = 0;
	for (int i = 0; i < v->n; i++) {
		const rule_op *op = v->rows[i].op;
		if (!(outputs ? op->nodim > 0 : op->rule.nclauses > 0))
			continue;
		lacks[i] = outputs ? page_own_lacks_outputs(v, i) : page_own_lacks_clauses(v, i);
		if (!lacks[i])
			return 0;
		*most = !n++ || op->nsym > v->rows[*most].op->nsym ? i : *most;
	}
	return n;
}

static bool has_text(const page_own *p, const char *text)
{
	for (int k = 0; k < p->n; k++)
		if (strcmp(p->list[k], text) == 0)
			return true;
	return false;
}

static int count_rows(const api_view *v, const page_own *rows, const bool *lacks, const char *text)
{
	int n = 0;
	for (int i = 0; i < v->n; i++)
		n += lacks[i] && has_text(&rows[i], text);
	return n;
}

/* Appends the rows whose statements have the text, unless all n have it. */
static void put_rows(buf *to, const api_view *v, const page_own *rows, const bool *lacks, int n, const char *text)
{
	const int has = count_rows(v, rows, lacks, text);
	int k = 0;
	if (has > LISTED && has < n)
		buf_printf(to, "  in %d of %d signatures", has, n);
	for (int i = 0; i < v->n && has <= LISTED && has < n; i++)
		if (lacks[i] && has_text(&rows[i], text))
			buf_printf(to, k++ ? ", %s" : "  in %s", name_number(v->rows[i].op));
}

static page_own own_of(const api_view *v, bool outputs)
{
	int most = 0;
	bool *lacks = NEED_ARRAY(v->memory, bool, v->n);
	const int n = find_lacking(v, outputs, lacks, &most);
	page_own *rows = NEED_ARRAY(v->memory, page_own, v->n), to = {.on = NEED_ARRAY(v->memory, bool, v->n)};
	for (int i = 0; i < v->n && n; i++)
		if (lacks[i])
			rows[i] = print_row(v, i, outputs);
	to.list = NEED_ARRAY(v->memory, const char *, rows[most].n);
	for (int k = 0; k < rows[most].n && n; k++) {
		buf line = {0};
		buf_puts(&line, rows[most].list[k]);
		put_rows(&line, v, rows, lacks, n, rows[most].list[k]);
		to.list[to.n++] = keep(v->memory, &line);
	}
	for (int i = 0; i < v->n && n; i++) {
		to.on[i] = lacks[i];
		for (int k = 0; k < rows[i].n; k++)
			to.on[i] = to.on[i] && has_text(&rows[most], rows[i].list[k]);
		for (int k = 0; k < rows[most].n; k++)
			to.on[i] = to.on[i] && (has_text(&rows[i], rows[most].list[k]) || count_rows(v, rows, lacks, rows[most].list[k]) <= LISTED);
	}
	return to;
}

page_own page_own_clauses(const api_view *v)
{
	return own_of(v, false);
}

page_own page_own_outputs(const api_view *v)
{
	return own_of(v, true);
}
