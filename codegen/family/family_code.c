#include "family_code.h"

#include <ctype.h>
#include <string.h>

#include "compose.h"
#include "need.h"
#include "parameters.h"
#include "text.h"

enum { MAX_FUNCTIONS = 3, MAX_TOGETHER = 24 };

struct family_code {
	const api_rule *r;
	const char *name;
	api_clauses valid[MAX_FUNCTIONS];
	parameters of_valid[MAX_FUNCTIONS];
	int nvalid; /* functions */
	const api_shapes *shapes[MAX_FUNCTIONS];
	parameters of_shape[MAX_FUNCTIONS];
	int nshapes;
	arena *scratch;
};

/* ---- making */

static void ask_for_walk(parameters *p, const index_range *w)
{
	if (w->over.argument)
		parameters_add_list(p, w->over);
	if (w->but.argument)
		parameters_add_list(p, w->but);
}

/* What may be missing is asked for first; of what has no list it cannot be. */
static bool can_ask(const api_clause *c)
{
	for (int k = 0; k < c->t.n; k++)
		if (c->asks[k] && c->t.refs[k].list.kind == LIST_BOUNDS)
			return false;
	return true;
}

static void make_valid(family_code *c)
{
	int n = compose_cases(c->r, c->valid, MAX_FUNCTIONS);
	for (; c->nvalid < n; c->nvalid++) {
		const api_clauses *all = &c->valid[c->nvalid];
		parameters *p = &c->of_valid[c->nvalid];
		bool can = true;
		*p = (parameters){.forms = &c->r->calls, .members = all->members};
		for (int k = 0; k < all->n; k++) {
			parameters_add_template(p, &all->list[k].t);
			ask_for_walk(p, &all->list[k].where);
			can &= can_ask(&all->list[k]);
		}
		parameters_name(p);
		if (p->full || !can)
			return;
	}
}

static bool has_number(const whole_shape *w)
{
	return (w->kind == WHOLE_SET || w->kind == WHOLE_INSERT) && !w->one;
}

static void ask_for_tensor(parameters *p, const tensor_shape *s)
{
	for (int k = 0; s->is_whole && k < s->whole.of; k++)
		if (k == 2 && has_number(&s->whole))
			parameters_add_number(p, s->whole.lists[k]);
		else
			parameters_add_list(p, s->whole.lists[k]);
	for (int k = 0; k < s->nlines; k++) {
		parameters_add_template(p, &s->lines[k].t);
		ask_for_walk(p, &s->lines[k].where);
	}
}

/* Whether the functions of code.h can compute the outputs. */
static bool can_compute(const api_shapes *s)
{
	for (unsigned t = 0; t < s->ntensors; t++)
		if (s->tensors[t].is_whole && (s->tensors[t].whole.kind >= WHOLE_CONCAT || whole_shape_counts(&s->tensors[t].whole)))
			return false;
	return true;
}

/* The signatures of a case that have dimensions to compute; NULL: none has. */
static const bool *members_of(const family_code *c, const api_shapes *s)
{
	const api_calls *f = &c->r->calls;
	bool *members = NEED_ARRAY(f->memory, bool, f->n), any = false;
	for (int i = 0; i < f->n; i++)
		any |= members[i] = s->members[i] && f->forms[i].of.call->nodim > 0;
	return any ? members : NULL;
}

static void make_shapes(family_code *c)
{
	for (int k = 0; k < c->r->nshapes && c->nshapes < MAX_FUNCTIONS; k++) {
		const api_shapes *s = &c->r->shapes[k];
		parameters *p = &c->of_shape[c->nshapes];
		const bool *members = members_of(c, s);
		if (!can_compute(s) || !members)
			continue;
		*p = (parameters){.forms = &c->r->calls, .members = members};
		for (unsigned t = 0; t < s->ntensors; t++)
			ask_for_tensor(p, &s->tensors[t]);
		parameters_name(p);
		if (p->full)
			return;
		c->shapes[c->nshapes++] = s;
	}
}

family_code *family_code_of(const rule_set *rules, const api_rule *r, const char *name)
{
	family_code *c = NEED_ARRAY(rules->memory, family_code, 1);
	*c = (family_code){.r = r, .name = name, .scratch = rules->memory};
	make_valid(c);
	make_shapes(c);
	return c;
}

const api_rule *family_code_rule(const family_code *c)
{
	return c->r;
}

/* ---- who */

static int index_of(const family_code *c, const rule_op *op)
{
	const api_calls *f = &c->r->calls;
	int i = 0;
	while (i < f->n && f->forms[i].of.call != op->call)
		i++;
	return i;
}

/* The function of an operator's clauses; -1: none. */
static int valid_of(const family_code *c, const rule_op *op)
{
	int i = index_of(c, op);
	for (int k = 0; i < c->r->calls.n && op->rule.nclauses && k < c->nvalid; k++)
		if (c->valid[k].members[i])
			return k;
	return -1;
}

bool family_code_accepts(const family_code *c, const rule_op *op)
{
	return valid_of(c, op) >= 0;
}

/* The function of an operator's outputs; -1: none. */
static int shape_of(const family_code *c, const rule_op *op)
{
	int i = index_of(c, op);
	for (int k = 0; i < c->r->calls.n && op->nodim && k < c->nshapes; k++)
		if (c->shapes[k]->members[i])
			return k;
	return -1;
}

bool family_code_shapes(const family_code *c, const rule_op *op)
{
	return shape_of(c, op) >= 0;
}

bool family_code_same(const family_code *a, const rule_op *one, const family_code *b, const rule_op *other, bool shape)
{
	if (a != b)
		return false;
	int mine = shape ? shape_of(a, one) : valid_of(a, one), others = shape ? shape_of(a, other) : valid_of(a, other);
	return mine >= 0 && mine == others;
}

/* ---- the body of a function */

typedef struct writer {
	arena *a;
	const parameters *p;
	buf lines; /* of C, while some are in loops */
	buf alone; /* the same as one condition, while none are */
	unsigned temps;
	bool loops;
} writer;

/* A condition without the parentheses around all of it. */
static const char *bare(arena *a, const char *line)
{
	size_t n = strlen(line);
	int depth = 0;
	for (size_t k = 0; k < n; k++) {
		depth += (line[k] == '(') - (line[k] == ')');
		if (depth == 0 && k + 1 < n)
			return line;
	}
	return n > 2 && line[0] == '(' ? need(arena_strndup(a, line + 1, n - 2), n) : line;
}

/* The only position of a index_range, as a number; NULL: there may be several. */
static const char *still(const writer *w, const index_range *x)
{
	if (x->way == RANGE_NONE)
		return "0";
	if (x->way == RANGE_RIGHT && x->only == x->tail + 1)
		return need(arena_printf(w->a, "%d", -x->only), 1);
	return x->way == RANGE_LEFT && x->only == x->head + 1 ? need(arena_printf(w->a, "%d", x->head), 1) : NULL;
}

/* "for (int i = -2; i < 0; i++)"; n: the length that it goes over. */
static const char *loop(const writer *w, const index_range *x, const char *n)
{
	if (x->way == RANGE_LEFT && x->only)
		return need(arena_printf(w->a, "for (int i = %d; i < %d; i++)", x->head, x->only), 1);
	if (x->way == RANGE_LEFT && x->tail)
		return need(arena_printf(w->a, "for (int i = %d; i < %s - %d; i++)", x->head, n, x->tail), 1);
	if (x->way == RANGE_LEFT)
		return need(arena_printf(w->a, "for (int i = %d; i < %s; i++)", x->head, n), 1);
	if (x->only)
		return need(arena_printf(w->a, "for (int i = -%d; i < %d; i++)", x->only, -x->tail), 1);
	if (x->head)
		return need(arena_printf(w->a, "for (int i = %d - %s; i < %d; i++)", x->head, n, -x->tail), 1);
	return need(arena_printf(w->a, "for (int i = -%s; i < %d; i++)", n, -x->tail), 1);
}

static void put_line(writer *w, const char *indent, const char *line)
{
	const char *lead = need(arena_printf(w->a, "%srequire(", indent), 1), *again = need(arena_printf(w->a, "%s\t", indent), 1);
	text_code_behind(&w->lines, lead, again, bare(w->a, line));
	buf_puts(&w->lines, ");\n");
	text_code(&w->alone, w->alone.length ? "\n\t    && " : "", line);
}

/* Conditions, at all positions of a index_range. */
static void put_conditions(writer *w, const index_range *x, const char *out, const char *const *lines, unsigned n)
{
	if (n == 0)
		return;
	const char *over = x->over.argument ? parameter_name(w->p, x->over) : out, *indent = "\t";
	const char *length = need(arena_printf(w->a, "%s.n", over), 1);
	bool repeated = !still(w, x), braces = n > 1 || x->but.argument;
	if (repeated) {
		w->loops = true;
		buf_printf(&w->lines, "\t%s%s\n", loop(w, x, length), braces ? " {" : "");
		indent = "\t\t";
		if (x->but.argument)
			buf_printf(&w->lines, "\t\tif (names(%s, i, %s))\n\t\t\tcontinue;\n", parameter_name(w->p, x->but), length);
	}
	for (unsigned k = 0; k < n; k++)
		put_line(w, indent, lines[k]);
	if (repeated && braces)
		buf_puts(&w->lines, "\t}\n");
}

static bool is_word_in(const char *text, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = text; (at = strstr(at, word)); at += n) {
		bool before = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
		if (!before && !isalnum((unsigned char)at[n]) && at[n] != '_')
			return true;
	}
	return false;
}

/* The function, whose outputs are parameters too: ", sizes out". */
static void put_function(buf *to, writer *w, const char *name, const char *outputs)
{
	buf head = {0};
	buf_printf(&head, "static inline bool %s(", name);
	parameters_put(&head, w->p);
	buf_printf(&head, "%s)", w->p->n || !*outputs ? outputs : outputs + 2);
	text_code(to, "\n", need_text(&head));
	buf_puts(to, "\n{\n");
	buf_free(&head);
	for (int k = 0; k < w->p->n; k++)
		if (!w->lines.length || !is_word_in(w->lines.text, w->p->list[k].name))
			buf_printf(to, "\t(void)%s;\n", w->p->list[k].name);
	buf temps = {0};
	for (unsigned k = 0; k < w->temps; k++)
		buf_printf(&temps, "%st%u = 0%s", k ? ", " : "wide ", k, k + 1 == w->temps ? ";" : "");
	if (temps.length) {
		text_code(to, "\t", need_text(&temps));
		buf_putc(to, '\n');
	}
	buf_free(&temps);
	if (w->loops)
		buf_printf(to, "%s\treturn true;\n}\n", need_text(&w->lines));
	else
		buf_printf(to, "\treturn %s;\n}\n", w->alone.length ? need_text(&w->alone) : "true");
	buf_free(&w->lines);
	buf_free(&w->alone);
}

static unsigned most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* ---- clauses */

/* One template of two, whose expressions are then over the references of both; false: they are too many. */
static bool join(const writer *w, template *all, const template *t, const expr **e)
{
	template both = *all;
	const expr *with[MAX_REFERENCES];
	expr_pool *pool = w->p->forms->pool;
	for (int k = 0; k < t->n; k++) {
		int at = 0;
		while (at < both.n && !reference_same(&both.refs[at], &t->refs[k]))
			at++;
		if (at == MAX_REFERENCES)
			return false;
		if (at == both.n)
			both.refs[both.n++] = t->refs[k];
		with[k] = expr_sym(pool, at);
	}
	*e = expr_substitute(pool, t->e, with);
	*all = both;
	return true;
}

static bool asks(const api_clause *c)
{
	for (int k = 0; k < c->t.n; k++)
		if (c->asks[k])
			return true;
	return false;
}

/* "!has(input, -3) || …" */
static const char *guarded(const writer *w, const api_clause *c, const body *b)
{
	buf text = {0};
	const char *i = still(w, &c->where);
	for (int k = 0; k < c->t.n; k++) {
		if (!c->asks[k])
			continue;
		const char *guard = parameter_guard(w->p, &c->t.refs[k], i ? i : "i");
		if (text.length && strstr(text.text, guard))
			continue;
		buf_printf(&text, text.length ? " && %s" : "%s", guard);
	}
	bool several = strstr(need_text(&text), "&&") != NULL;
	const char *is = keep(w->a, &text);
	for (unsigned k = 0; k < b->nlines; k++)
		buf_printf(&text, k ? " && %s" : "%s", b->nlines > 1 ? b->lines[k] : bare(w->a, b->lines[k]));
	const char *then = keep(w->a, &text);
	buf_free(&text);
	return need(arena_printf(w->a, several ? b->nlines > 1 ? "(!(%s) || (%s))" : "(!(%s) || %s)" : b->nlines > 1 ? "(!%s || (%s))" : "(!%s || %s)",
			is, then), 1);
}

static void put_guarded(writer *w, const api_clause *c)
{
	const char *i = still(w, &c->where);
	lower_symbol *symbols = parameter_symbols(w->p, &c->t, i ? i : "i");
	body b = lower_clauses(w->a, &c->t.e, 1, (unsigned)c->t.n, symbols, 0);
	const char *line = b.nlines ? guarded(w, c, &b) : NULL;
	w->temps = most(w->temps, b.ntemps);
	put_conditions(w, &c->where, "", &line, line != NULL);
}

/* All clauses of one index_range that ask for nothing, from the k-th on. */
static void put_together(writer *w, const api_clauses *all, int k, bool *done)
{
	const index_range *x = &all->list[k].where;
	const char *i = still(w, x);
	const expr *e[MAX_TOGETHER];
	template t = {.n = 0};
	unsigned n = 0;
	for (int j = k; j < all->n && n < MAX_TOGETHER; j++) {
		const api_clause *c = &all->list[j];
		if (done[j] || asks(c) || !range_same(&c->where, x) || !join(w, &t, &c->t, &e[n]))
			continue;
		done[j] = true;
		n++;
	}
	body b = lower_clauses(w->a, e, n, (unsigned)t.n, parameter_symbols(w->p, &t, i ? i : "i"), 0);
	w->temps = most(w->temps, b.ntemps);
	put_conditions(w, x, "", b.lines, b.nlines);
}

static const char *valid_name(const family_code *c, int k)
{
	return k ? need(arena_printf(c->scratch, "%s_valid_%d", c->name, k + 1), 1) : c->name;
}

void family_code_put_valid(buf *to, const family_code *c, const rule_op *op)
{
	int function = valid_of(c, op);
	const api_clauses *all = &c->valid[function];
	arena_mark mark = arena_save(c->scratch);
	writer w = {.a = c->scratch, .p = &c->of_valid[function]};
	bool *done = NEED_ARRAY(c->scratch, bool, all->n);
	for (int k = 0; k < all->n; k++) {
		if (done[k])
			continue;
		if (asks(&all->list[k]))
			put_guarded(&w, &all->list[k]);
		else
			put_together(&w, all, k, done);
	}
	put_function(to, &w, valid_name(c, function), "");
	arena_release(c->scratch, mark);
}

/* ---- shapes */

static const char *out_name(const family_code *c, const api_shapes *s, unsigned t)
{
	return s->ntensors > 1 ? need(arena_printf(c->scratch, "out%u", t), 1) : "out";
}

static bool has_lines(const tensor_shape *s)
{
	return s->is_whole || s->nlines > 0;
}

static const char *whole_text(const writer *w, const whole_shape *x, const char *out)
{
	static const char *const NAMES[] = {[WHOLE_SAME] = "same", [WHOLE_BROADCAST] = "broadcast", [WHOLE_DROP] = "drop",
	    [WHOLE_SET] = "set", [WHOLE_INSERT] = "insert", [WHOLE_SWAP] = "swap", [WHOLE_PERMUTE] = "permute",
	    [WHOLE_REPLACE] = "replace"};
	buf text = {0};
	buf_printf(&text, x->of > 2 && x->kind == WHOLE_BROADCAST ? "%s3(" : "%s(", NAMES[x->kind]);
	buf_printf(&text, x->cut ? "leading_sizes(%s, %d)" : "%s", out, x->cut);
	for (int k = 0; k < x->of; k++) {
		bool number = k == 2 && has_number(x);
		const char *list = number ? parameter_number(w->p, x->lists[k]) : parameter_name(w->p, x->lists[k]);
		if (x->cut)
			buf_printf(&text, ", leading(%s, %d)", list, x->cut);
		else if (k == 1 && x->otherwise == AXES_FIRST)
			buf_printf(&text, ", or_first(%s)", list);
		else
			buf_printf(&text, k == 1 && x->otherwise == AXES_LAST ? ", or_last(%s)" : ", %s", list);
	}
	buf_puts(&text, x->one ? ", 1)" : ")");
	const char *kept = keep(w->a, &text);
	buf_free(&text);
	return kept;
}

static void put_tensor(writer *w, const tensor_shape *s, const char *out)
{
	if (s->is_whole) {
		const char *line = whole_text(w, &s->whole, out);
		put_line(w, "\t", line);
	}
	for (int k = 0; k < s->nlines; k++) {
		const shape_line *l = &s->lines[k];
		const char *i = still(w, &l->where);
		const char *store = need(arena_printf(w->a, "store(%s, %s", out, i ? i : "i"), 1);
		body b = lower_stored(w->a, l->t.e, (unsigned)l->t.n, parameter_symbols(w->p, &l->t, i ? i : "i"), store, 0);
		w->temps = most(w->temps, b.ntemps);
		put_conditions(w, &l->where, out, b.lines, b.nlines);
	}
}

static const char *shape_name(const family_code *c, int k)
{
	return need(arena_printf(c->scratch, k ? "%s_shape_%d" : "%s_shape", c->name, k + 1), 1);
}

void family_code_put_shape(buf *to, const family_code *c, const rule_op *op)
{
	int k = shape_of(c, op);
	const api_shapes *s = c->shapes[k];
	arena_mark mark = arena_save(c->scratch);
	writer w = {.a = c->scratch, .p = &c->of_shape[k]};
	buf outputs = {0};
	for (unsigned t = 0; t < s->ntensors; t++) {
		if (has_lines(&s->tensors[t]))
			buf_printf(&outputs, ", sizes %s", out_name(c, s, t));
		put_tensor(&w, &s->tensors[t], out_name(c, s, t));
	}
	put_function(to, &w, shape_name(c, k), need_text(&outputs));
	buf_free(&outputs);
	arena_release(c->scratch, mark);
}

/* ---- signatures */

void family_code_put_form(buf *to, const family_code *c, const rule_op *op, const char *name, bool shape)
{
	int k = shape ? shape_of(c, op) : valid_of(c, op);
	const parameters *p = shape ? &c->of_shape[k] : &c->of_valid[k];
	arena_mark mark = arena_save(c->scratch);
	buf text = {0};
	buf_printf(&text, "%s(%s, %s(", shape ? "SHAPE" : "VALID", name, shape ? shape_name(c, k) : valid_name(c, k));
	parameters_put_call(&text, p, &c->r->calls.forms[index_of(c, op)]);
	const char *before = p->n ? ", " : "";
	unsigned first = 0;
	for (unsigned t = 0; shape && t < op->nout; t++) {
		if (has_lines(&c->shapes[k]->tensors[t])) {
			buf_printf(&text, "%sTO(%u, %u)", before, first, op->outputs[t].rank);
			before = ", ";
		}
		first += op->outputs[t].rank;
	}
	buf_puts(&text, "))");
	text_code(to, "", need_text(&text));
	buf_free(&text);
	arena_release(c->scratch, mark);
}
