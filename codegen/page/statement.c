#include "statement.h"

#include <string.h>

#include "need.h"
#include "view_axes.h"

/* ---- indices */

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
	for (int d = 0; d < INDEX_DEPTHS && d < p->n; d++)
		if (s->index[d] < 0 || (d == 0 && s->index[1] < 0 && p->n > 1)) {
			s->index[d] = p->at[d];
			s->length[d] = p->length[d];
		}
}

static statement statement_of(const symbol_place *places, const expr *e, int output, int dim, int rank)
{
	statement s = {.e = e, .output = output, .dim = dim, .rank = rank, .index = {-1, -1}};
	add_indices(&s, places, e);
	if (output >= 0) {
		s.index[0] = dim;
		s.length[0] = rank;
	}
	return s;
}

statements statements_of(const api_view *v, int row, bool outputs)
{
	const rule_op *op = v->rows[row].op;
	statements to = {.v = v, .row = &v->rows[row], .places = symbol_places(v->memory, op->call)};
	to.list = NEED_ARRAY(v->memory, statement, outputs ? (int)op->nodim : op->rule.nclauses);
	for (; to.n < op->rule.nclauses && !outputs; to.n++)
		to.list[to.n] = statement_of(to.places, op->rule.clauses[to.n], -1, 0, 0);
	for (int t = 0; t < op->call->nout && outputs; t++)
		for (int k = 0, rank = op->call->outputs[t].rank; k < rank; k++, to.n++)
			to.list[to.n] = statement_of(to.places, op->rule.out[to.n], t, k, rank);
	return to;
}

/* ---- names */

typedef struct naming {
	const statements *s;
	int way, index[SYMBOL_INDICES];
	unsigned used;	    /* bits of the way that changed something */
	const char **named; /* of symbols beyond the signature's */
} naming;

/* The argument whose constant is this position of a shape with n dimensions. NULL: none. */
static const char *axis_at(const statements *s, int at, int n)
{
	const view_row *row = s->row;
	for (int k = 0; k < s->v->narguments && row->rule; k++) {
		const view_argument *a = &s->v->arguments[k];
		const list_name axis = {a->tensor || a->tensors ? NULL : api_calls_name(row->calls, a->name), -1, LIST_ITEMS};
		int is;
		if (axis.argument && view_axis(row, axis, n, &is) && is == at)
			return a->name;
	}
	return NULL;
}

static void put_position(buf *to, naming *n, int at, int length)
{
	const char *axis = n->way & NAME_AXIS ? axis_at(n->s, at, length) : NULL;
	if (axis)
		n->used |= NAME_AXIS;
	if (axis)
		buf_printf(to, "[%s]", axis);
	else
		buf_printf(to, "[%d]", at);
}

static void put_symbol(buf *to, int symbol, const void *user)
{
	naming *n = (naming *)user;
	const int nsym = (int)n->s->row->op->nsym;
	if (symbol >= nsym) {
		buf_puts(to, n->named[symbol - nsym]);
		return;
	}
	const symbol_place *p = &n->s->places[symbol];
	buf_puts(to, p->argument);
	for (int d = 0; d < p->n; d++) {
		if (n->index[d] == p->at[d]) {
			buf_printf(to, "[%c]", "ij"[d]);
			n->used |= d ? INDEX_J : INDEX_I;
		} else if (p->dim && d == p->n - 1) {
			put_position(to, n, p->at[d], p->length[d]);
		} else {
			buf_printf(to, "[%d]", p->at[d]);
		}
	}
	buf_puts(to, p->bound);
}

/* Replaces an expression by a name. */
static const expr *name_part(naming *n, const expr *e, const expr *part, const char *name, int slot, unsigned bit)
{
	expr_pool *pool = n->s->v->pool;
	const expr *to = expr_replace(pool, e, part, expr_sym(pool, (int)n->s->row->op->nsym + slot));
	if (to == e)
		return e;
	n->used |= bit;
	n->named[slot] = name;
	return to;
}

static const expr *name_outputs(naming *n, const expr *e)
{
	const rule_op *op = n->s->row->op;
	for (int t = 0, at = 0; t < op->call->nout && op->rule.out; t++)
		for (int k = 0; k < op->call->outputs[t].rank; k++, at++) {
			const expr *out = op->rule.out[at];
			const bool last = n->way & NAME_LAST && t == op->call->nout - 1;
			buf name = {0};
			if (!out || out->op == OP_SYM || out->op == OP_CONST)
				continue;
			if (last)
				buf_puts(&name, "out[-1]");
			else
				buf_printf(&name, op->call->nout > 1 ? "out%d" : "out", t);
			put_position(&name, n, k, op->call->outputs[t].rank);
			e = name_part(n, e, out, keep(n->s->v->memory, &name), at, last ? NAME_OUTPUT | NAME_LAST : NAME_OUTPUT);
			buf_free(&name);
		}
	return e;
}

/* The number of dimensions of the first tensor, and its name. */
static int first_rank(const call *c, const char **name)
{
	for (int k = 0; k < c->nargs; k++)
		if (c->args[k].value.kind == CALL_TENSOR) {
			*name = c->args[k].name;
			return c->args[k].value.count;
		}
	return -1;
}

static const expr *name_parts(naming *n, const statement *one)
{
	const rule_op *op = n->s->row->op;
	expr_pool *pool = n->s->v->pool;
	const expr *e = one->e;
	const char *tensor = NULL;
	const int rank = first_rank(op->call, &tensor);
	n->named = NEED_ARRAY(n->s->v->memory, const char *, (int)op->nodim + 2);
	if (n->way & NAME_OUTPUT && one->output < 0)
		e = name_outputs(n, e);
	if (n->way & NAME_COUNT)
		e = name_part(n, e, expr_const(pool, op->call->nout), "len(out)", (int)op->nodim, NAME_COUNT);
	if (n->way & NAME_RANK && rank >= 0)
		e = name_part(n, e, expr_const(pool, rank), need(arena_printf(n->s->v->memory, "rank(%s)", tensor), 1), (int)op->nodim + 1,
		    NAME_RANK);
	return e;
}

const char *statement_text(const statements *s, const statement *one, int way, int *same)
{
	naming n = {.s = s, .way = way, .index = {way & INDEX_I ? one->index[0] : -1, way & INDEX_J ? one->index[1] : -1, -1}};
	buf text = {0};
	const expr *e = name_parts(&n, one);
	*same = (way & INDEX_I ? one->length[0] : 1) * (way & INDEX_J ? one->length[1] : 1);
	if (one->output >= 0) {
		buf_printf(&text, s->row->op->call->nout > 1 ? "out%d" : "out", one->output);
		n.used |= way & INDEX_I;
		if (way & INDEX_I)
			buf_puts(&text, "[i] = ");
		else
			buf_printf(&text, "[%d] = ", one->dim);
	}
	expr_print_named(&text, e, put_symbol, &n);
	if (n.used != (unsigned)way) {
		buf_free(&text);
		return NULL;
	}
	buf_puts(&text, way & INDEX_I && way & INDEX_J ? " for each i, j" : way & INDEX_I ? " for each i" : way & INDEX_J ? " for each j" : "");
	const char *kept = keep(s->v->memory, &text);
	buf_free(&text);
	return kept;
}
