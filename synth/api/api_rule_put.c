#include "api_rule_put.h"

#include "need.h"

static void put_list(buf *to, list_name name)
{
	buf_printf(to, "[\"%s\",", LIST_NAMES[name.kind]);
	if (name.kind == LIST_OUT) {
		buf_printf(to, "%d]", name.item);
		return;
	}
	buf_json(to, name.argument);
	if (name.item >= 0)
		buf_printf(to, ",%d", name.item);
	buf_putc(to, ']');
}

/* ---- expressions */

static void put_position(buf *to, const reference *r)
{
	if (r->base == AT_NUMBER) {
		buf_printf(to, "%d", r->offset);
	} else if (r->base == AT_INDEX) {
		buf_printf(to, "[\"i\",%d]", r->offset);
	} else {
		buf_puts(to, "[\"axis\",");
		buf_json(to, r->axis.argument);
		buf_printf(to, ",%d]", r->offset);
	}
}

static void put_reference(buf *to, const reference *r, bool optional)
{
	bool folds = r->base == ALL || r->others;
	buf_puts(to, r->base == ALL ? "[\"fold\"," : r->others ? "[\"but\"," : "[\"at\",");
	if (folds)
		buf_printf(to, "\"%s\",", OPS[r->fold].text);
	put_list(to, r->list);
	if (r->base != ALL) {
		buf_putc(to, ',');
		put_position(to, r);
	}
	if (folds && r->each != AS_IS) {
		buf_printf(to, ",{\"each\":\"%s\"", EACH_NAMES[r->each]);
		if (r->each == COPIED) {
			buf_puts(to, ",\"from\":");
			put_list(to, r->copied);
		}
		buf_putc(to, '}');
	}
	buf_puts(to, optional ? ",{\"optional\":true}]" : "]");
}

static void put_expr(buf *to, const template *t, const bool *asks, const expr *e)
{
	if (e->op == OP_CONST) {
		buf_int(to, e->value);
		return;
	}
	if (e->op == OP_SYM) {
		put_reference(to, &t->refs[e->value], asks && asks[e->value]);
		return;
	}
	buf_printf(to, "[\"%s\",", e->op == OP_ITE ? "if" : OPS[e->op].text);
	if (e->c) {
		put_expr(to, t, asks, e->c);
		buf_putc(to, ',');
	}
	put_expr(to, t, asks, e->a);
	buf_putc(to, ',');
	put_expr(to, t, asks, e->b);
	buf_putc(to, ']');
}

static void put_range(buf *to, const index_range *x)
{
	if (x->way == RANGE_NONE)
		return;
	buf_printf(to, "\"range\":{\"from\":\"%s\"", x->way == RANGE_RIGHT ? "right" : "left");
	if (x->over.argument) {
		buf_puts(to, ",\"over\":");
		put_list(to, x->over);
	}
	if (x->only)
		buf_printf(to, ",\"only\":%d", x->only);
	if (x->head)
		buf_printf(to, ",\"head\":%d", x->head);
	if (x->tail)
		buf_printf(to, ",\"tail\":%d", x->tail);
	if (x->but.argument) {
		buf_puts(to, ",\"but\":");
		buf_json(to, x->but.argument);
	}
	buf_puts(to, "},");
}

static void put_line(buf *to, const index_range *where, const template *t, const bool *asks)
{
	buf_putc(to, '{');
	put_range(to, where);
	buf_puts(to, "\"is\":");
	put_expr(to, t, asks, t->e);
	buf_putc(to, '}');
}

/* ---- cases */

static void put_term(buf *to, const guard_term *t)
{
	buf_puts(to, "{\"argument\":");
	buf_json(to, t->argument);
	buf_printf(to, ",\"is\":\"%s\"%s,\"value\":", ASPECT_NAMES[t->aspect], t->differs ? ",\"not\":true" : "");
	buf_json(to, t->value);
	buf_putc(to, '}');
}

static void put_guard(buf *to, const api_guard *x)
{
	if (x->kind == FOR_SIGNATURES)
		buf_puts(to, "\"guard\":\"signatures\",");
	if (x->kind != FOR_GUARDED)
		return;
	buf_puts(to, "\"guard\":[");
	for (int k = 0; k < x->g.n; k++) {
		buf_puts(to, k ? "," : "");
		put_term(to, &x->g.terms[k]);
	}
	buf_puts(to, "],");
}

static void put_members(buf *to, const api_calls *f, const bool *members)
{
	const char *before = "";
	buf_puts(to, "\"signatures\":[");
	for (int i = 0; i < f->n; i++) {
		if (!members[i])
			continue;
		buf_puts(to, before);
		buf_json(to, f->forms[i].of.name);
		before = ",";
	}
	buf_putc(to, ']');
}

/* Evidence for a clause: its rejections in each signature of the case. */
static void put_evidence(buf *to, const api_calls *f, const bool *members, const api_clause *c)
{
	const char *before = "";
	to->length--; /* into the object of the line */
	buf_puts(to, ",\"rejects\":[");
	for (int i = 0; i < f->n; i++) {
		if (!members[i])
			continue;
		buf_printf(to, "%s%d", before, c->rejects[i]);
		before = ",";
	}
	buf_printf(to, "],\"alone\":%d%s}", c->alone, c->empty ? ",\"empty\":true" : "");
}

static void put_accept(buf *to, const api_calls *f, const api_clauses *all, const api_guard *guard)
{
	buf_putc(to, '{');
	put_guard(to, guard);
	put_members(to, f, all->members);
	buf_puts(to, ",\"clauses\":[");
	for (int k = 0; k < all->n; k++) {
		buf_puts(to, k ? "," : "");
		put_line(to, &all->list[k].where, &all->list[k].t, all->list[k].asks);
		if (all->list[k].rejects)
			put_evidence(to, f, all->members, &all->list[k]);
	}
	buf_puts(to, "]}");
}

static void put_whole(buf *to, const whole_shape *w)
{
	buf_printf(to, "{\"shape\":\"%s\",\"of\":[", WHOLE_NAMES[w->kind]);
	for (int k = 0; k < w->of; k++) {
		buf_puts(to, k ? "," : "");
		put_list(to, w->lists[k]);
	}
	buf_putc(to, ']');
	if (w->otherwise)
		buf_printf(to, ",\"otherwise\":\"%s\"", OTHERWISE_NAMES[w->otherwise]);
	buf_puts(to, w->one ? ",\"one\":true" : "");
	if (w->cut)
		buf_printf(to, ",\"cut\":%d", w->cut);
}

static void put_rank(buf *to, const output_rank *r)
{
	if (!r->known)
		return;
	buf_printf(to, "\"rank\":{\"plus\":%d,\"lists\":[", r->plus);
	for (int k = 0; k < r->n; k++) {
		buf_puts(to, k ? "," : "");
		put_list(to, r->lists[k]);
	}
	buf_puts(to, "]},");
}

static void put_tensor(buf *to, const tensor_shape *s)
{
	if (s->is_whole) {
		put_whole(to, &s->whole);
		buf_puts(to, s->nlines ? "," : "}");
	} else {
		buf_putc(to, '{');
		put_rank(to, &s->rank);
	}
	if (s->is_whole && !s->nlines)
		return;
	buf_puts(to, "\"dims\":[");
	for (int k = 0; k < s->nlines; k++) {
		buf_puts(to, k ? "," : "");
		put_line(to, &s->lines[k].where, &s->lines[k].t, NULL);
	}
	buf_puts(to, "]}");
}

static void put_shapes(buf *to, const api_calls *f, const api_shapes *s, const api_guard *guard)
{
	buf_putc(to, '{');
	put_guard(to, guard);
	put_members(to, f, s->members);
	buf_puts(to, ",\"outputs\":[");
	for (unsigned t = 0; t < s->ntensors; t++) {
		buf_puts(to, t ? "," : "");
		put_tensor(to, &s->tensors[t]);
	}
	buf_puts(to, "]}");
}

void api_rule_put(buf *to, const api_rule *r)
{
	const api_calls *f = &r->calls;
	buf_printf(to, "{\"version\":%d,\"defaults\":{", API_RULE_VERSION);
	for (int k = 0; k < f->ndefaults; k++) {
		buf_puts(to, k ? "," : "");
		buf_json(to, f->defaults[k].argument);
		buf_putc(to, ':');
		if (f->defaults[k].instead)
			buf_json(to, f->defaults[k].instead);
		else
			buf_int(to, f->defaults[k].number);
	}
	buf_puts(to, "},\"accept\":[");
	for (int k = 0; k < r->naccept; k++) {
		buf_puts(to, k ? "," : "");
		put_accept(to, f, &r->accept[k], &r->accept_guards[k]);
	}
	buf_puts(to, "],\"shapes\":[");
	for (int k = 0; k < r->nshapes; k++) {
		buf_puts(to, k ? "," : "");
		put_shapes(to, f, &r->shapes[k], &r->shape_guards[k]);
	}
	buf_puts(to, "]}");
}
