#include "lines.h"

#include <string.h>

#include "api_rule_put.h"
#include "name.h"
#include "need.h"

enum { MAX_TOGETHER = 24 };

static const wide WIDEST = (wide)(~(unsigned __int128)0 >> 1);

/* ---- symbols */

static lower_symbol *symbols_of(const function_text *f, const template *t, const char *i);

/* The values of an output's dimensions, which are computed without a check. */
static void find_range(const function_text *f, unsigned tensor, lower_symbol *to)
{
	const api_cases *c = f->p->cases;
	wide low, high;
	for (int k = 0; k < c->noutputs; k++) {
		const case_output *x = &c->outputs[k];
		if (x->tensor != tensor || (x->is_whole && x->whole.kind < WHOLE_CONCAT))
			continue;
		if (x->is_whole) { /* a sum or a product */
			to->low = -WIDEST - 1;
			to->high = WIDEST;
			continue;
		}
		bool fits = lower_range(x->line.t.e, (unsigned)x->line.t.n, symbols_of(f, &x->line.t, "i"), &low, &high);
		to->low = !fits ? -WIDEST - 1 : low < to->low ? low : to->low;
		to->high = !fits ? WIDEST : high > to->high ? high : to->high;
	}
}

static lower_symbol symbol_of(const function_text *f, const reference *r, const char *i)
{
	lower_symbol s = {parameter_text(f->p, r, i), false, INT64_MIN, INT64_MAX};
	bool folds = r->base == ALL || r->others, of_output = r->list.kind == LIST_OUT;
	if (folds && (r->fold == OP_MUL || (r->fold == OP_ADD && of_output))) {
		s.checked = true;
		s.low = -WIDEST - 1;
		s.high = WIDEST;
	} else if (folds && r->fold == OP_ADD) {
		s.low *= LIST_LENGTH;
		s.high *= LIST_LENGTH;
	} else if (of_output) {
		find_range(f, (unsigned)r->list.item, &s);
	}
	return s;
}

static lower_symbol *symbols_of(const function_text *f, const template *t, const char *i)
{
	lower_symbol *to = NEED_ARRAY(f->memory, lower_symbol, t->n);
	for (int k = 0; k < t->n; k++)
		to[k] = symbol_of(f, &t->refs[k], i);
	return to;
}

/* ---- clauses */

static bool asks(const api_clause *c)
{
	for (int k = 0; k < c->t.n; k++)
		if (c->asks[k])
			return true;
	return false;
}

/* One template of two, whose expressions are then over the references of both; NULL: they are too many. */
static const expr *join(const function_text *f, template *all, const template *t)
{
	template both = *all;
	const expr *with[MAX_REFERENCES];
	for (int k = 0; k < t->n; k++) {
		int at = 0;
		while (at < both.n && !reference_same(&both.refs[at], &t->refs[k]))
			at++;
		if (at == MAX_REFERENCES)
			return NULL;
		if (at == both.n)
			both.refs[both.n++] = t->refs[k];
		with[k] = expr_sym(f->p->cases->pool, at);
	}
	*all = both;
	return expr_substitute(f->p->cases->pool, t->e, with);
}

/* The references that a clause asks for: "has(input, -3) && has(weight, -3)". */
static const char *asked_text(const function_text *f, const api_clause *c, const char *i, bool *several)
{
	buf text = {0};
	*several = false;
	for (int k = 0; k < c->t.n; k++) {
		const char *guard = c->asks[k] ? parameter_guard(f->p, &c->t.refs[k], i) : "";
		if (!*guard || (text.length && strstr(text.text, guard)))
			continue;
		*several |= text.length > 0 || strstr(guard, "&&");
		buf_printf(&text, text.length ? " && %s" : "%s", guard);
	}
	const char *kept = keep(f->memory, &text);
	buf_free(&text);
	return kept;
}

/* "!has(input, -3) || …" */
static const char *optional_text(const function_text *f, const api_clause *c, const char *i, const body *b)
{
	buf text = {0};
	bool several;
	const char *asked = asked_text(f, c, i, &several);
	for (unsigned k = 0; k < b->nlines; k++)
		buf_printf(&text, k ? " && %s" : "%s", b->nlines > 1 ? b->lines[k] : function_text_bare(f->memory, b->lines[k]));
	const char *then = keep(f->memory, &text);
	buf_free(&text);
	if (!*asked)
		return then;
	asked = need(arena_printf(f->memory, several ? "!(%s)" : "!%s", asked), 1);
	return need(arena_printf(f->memory, b->nlines > 1 ? "(%s || (%s))" : "(%s || %s)", asked, then), 1);
}

static void put_at(function_text *f, const index_range *x, const char *const *lines, unsigned n)
{
	if (!n)
		return;
	function_text_for(f, x, "", n > 1);
	for (unsigned k = 0; k < n; k++)
		function_text_require(f, lines[k]);
	function_text_end_for(f, x, n > 1);
}

static void put_optional(function_text *f, const api_clause *c)
{
	const char *i = function_text_position(f, &c->where);
	body b = lower_clauses(f->memory, &c->t.e, 1, (unsigned)c->t.n, symbols_of(f, &c->t, i), 0);
	const char *line = b.nlines ? optional_text(f, c, i, &b) : NULL;
	f->temps = b.ntemps > f->temps ? b.ntemps : f->temps;
	put_at(f, &c->where, &line, line != NULL);
}

/* The clauses of the same cases and range as the k-th that ask for nothing. */
static void put_together(function_text *f, int k, bool *done)
{
	const api_cases *c = f->p->cases;
	const case_clause *first = &c->clauses[k];
	const index_range *x = &first->c.where;
	const expr *e[MAX_TOGETHER];
	template t = {.n = 0};
	unsigned n = 0;
	for (int j = k; j < c->nclauses && n < MAX_TOGETHER; j++) {
		const case_clause *y = &c->clauses[j];
		if (done[j] || asks(&y->c) || y->of != first->of || y->has_outputs != first->has_outputs || !index_range_same(&y->c.where, x)
		    || !(e[n] = join(f, &t, &y->c.t)))
			continue;
		done[j] = true;
		n++;
	}
	body b = lower_clauses(f->memory, e, n, (unsigned)t.n, symbols_of(f, &t, function_text_position(f, x)), 0);
	f->temps = b.ntemps > f->temps ? b.ntemps : f->temps;
	put_at(f, x, b.lines, b.nlines);
}

/* The guard of a case that stands alone in a set. */
static const char *about(const function_text *f, uint64_t of, bool shape)
{
	const api_cases *c = f->p->cases;
	buf text = {0};
	if (!of || (of & (of - 1)))
		return NULL;
	const api_case *x = &c->list[__builtin_ctzll(of)];
	const api_guard *g = shape ? x->shape_guard : x->accept_guard;
	if (!g || g->kind != FOR_GUARDED)
		return NULL;
	buf comment = {0};
	guard_put(&text, &g->g);
	name_comment(&comment, need_text(&text));
	const char *kept = keep(f->memory, &comment);
	buf_free(&comment);
	buf_free(&text);
	return kept;
}

/* The clauses of one set of cases. */
static void put_set(function_text *f, uint64_t of, bool with_outputs, bool *done)
{
	const api_cases *c = f->p->cases;
	function_text_if(f, of, about(f, of, false));
	for (int k = 0; k < c->nclauses; k++) {
		const case_clause *x = &c->clauses[k];
		if (done[k] || x->of != of || x->has_outputs != with_outputs)
			continue;
		if (asks(&x->c))
			put_optional(f, &x->c);
		else
			put_together(f, k, done);
		done[k] = true;
	}
	function_text_end_if(f, of);
}

void lines_put_clauses(function_text *f, bool with_outputs)
{
	const api_cases *c = f->p->cases;
	bool *done = NEED_ARRAY(f->memory, bool, c->nclauses);
	for (int k = 0; k < c->nclauses; k++)
		if (c->clauses[k].has_outputs == with_outputs && c->clauses[k].of == f->all) {
			put_set(f, f->all, with_outputs, done);
			break;
		}
	for (int k = 0; k < c->nclauses; k++)
		if (!done[k] && c->clauses[k].has_outputs == with_outputs)
			put_set(f, c->clauses[k].of, with_outputs, done);
}

/* ---- outputs */

bool lines_has_tensor(const api_cases *c, unsigned tensor)
{
	for (int k = 0; k < c->noutputs; k++)
		if (c->outputs[k].tensor == tensor)
			return true;
	return false;
}

/* The k-th list of a whole shape. */
static const char *list_text(const function_text *f, const whole_shape *x, int k)
{
	const bool is_number = whole_shape_is_number(x, k);
	if (is_number && whole_shape_counts(x))
		return need(arena_printf(f->memory, "%s.n", parameter_tensors(f->p, x->lists[k])), 1);
	if (k == 0 && whole_shape_is_of_tensors(x))
		return parameter_tensors(f->p, x->lists[k]);
	return is_number ? parameter_number(f->p, x->lists[k]) : parameter_name(f->p, x->lists[k]);
}

static const char *whole_text(const function_text *f, const whole_shape *x, const char *out)
{
	buf text = {0};
	buf_printf(&text, x->of > 2 && x->kind == WHOLE_BROADCAST ? "%s3(" : "%s(", WHOLE_NAMES[x->kind]);
	buf_printf(&text, x->cut ? "leading_sizes(%s, %d)" : "%s", out, x->cut);
	for (int k = 0; k < x->of; k++) {
		const char *list = list_text(f, x, k);
		if (x->cut)
			buf_printf(&text, ", leading(%s, %d)", list, x->cut);
		else if (k == 1 && x->otherwise == AXES_FIRST)
			buf_printf(&text, ", or_first(%s)", list);
		else
			buf_printf(&text, k == 1 && x->otherwise == AXES_LAST ? ", or_last(%s)" : ", %s", list);
	}
	buf_puts(&text, x->one ? ", 1)" : ")");
	const char *kept = keep(f->memory, &text);
	buf_free(&text);
	return kept;
}

static void put_output(function_text *f, const case_output *x)
{
	const char *out = parameter_output(f->p, (int)x->tensor);
	if (x->is_whole) {
		function_text_require(f, whole_text(f, &x->whole, out));
		return;
	}
	const shape_line *l = &x->line;
	const char *i = function_text_position(f, &l->where);
	const char *store = need(arena_printf(f->memory, "store(%s, %s", out, i), 1);
	body b = lower_stored(f->memory, l->t.e, (unsigned)l->t.n, symbols_of(f, &l->t, i), store, 0);
	f->temps = b.ntemps > f->temps ? b.ntemps : f->temps;
	function_text_for(f, &l->where, out, b.nlines > 1);
	for (unsigned k = 0; k < b.nlines; k++)
		function_text_require(f, b.lines[k]);
	function_text_end_for(f, &l->where, b.nlines > 1);
}

void lines_put_outputs(function_text *f)
{
	const api_cases *c = f->p->cases;
	bool *done = NEED_ARRAY(f->memory, bool, c->noutputs);
	for (int pass = 0; pass < 2; pass++) /* those of all cases first */
		for (int k = 0; k < c->noutputs; k++) {
			uint64_t of = c->outputs[k].of;
			if (done[k] || (of == f->all) != (pass == 0))
				continue;
			function_text_if(f, of, about(f, of, true));
			for (int j = k; j < c->noutputs; j++)
				if (!done[j] && c->outputs[j].of == of) {
					put_output(f, &c->outputs[j]);
					done[j] = true;
				}
			function_text_end_if(f, of);
		}
}
