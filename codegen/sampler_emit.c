#include "sampler_emit.h"

#include <string.h>

#include "lower.h"
#include "need.h"
#include "text.h"

typedef struct emitter {
	buf *out;
	arena *memory;
	const sampler *s;
	lower_scope names;
	unsigned temps;
	bool *used; /* symbols, outputs and lowest values that occur in a step */
	bool back;
} emitter;

static void mark_used(emitter *e)
{
	const sampler *s = e->s;
	for (unsigned i = 0; i < s->nsym; i++)
		for (unsigned k = 0; k < s->order[i].nsteps; k++) {
			const sampler_step *t = &s->order[i].steps[k];
			expr_mark_syms(t->e, e->used);
			for (unsigned w = 0; w < t->nwhen; w++)
				expr_mark_syms(t->when[w], e->used);
		}
}

/* "k[4]", "w[2]", "(k[4] && w[2])"; NULL: none. */
static const char *needs_text(emitter *e, const sampler_step *t)
{
	buf text = {0};
	if (!t->nneeds)
		return NULL;
	buf_puts(&text, t->nneeds > 1 ? "(" : "");
	for (unsigned i = 0; i < t->nneeds; i++) {
		unsigned n = t->needs[i];
		bool output = n >= e->s->nsym;
		buf_printf(&text, "%s%c[%u]", i ? " && " : "", output ? 'w' : 'k',
		    output ? n - e->s->nsym : n);
	}
	buf_puts(&text, t->nneeds > 1 ? ")" : "");
	const char *kept = keep(e->memory, &text);
	buf_free(&text);
	return kept;
}

static void put_bound(emitter *e, const sampler_step *t, const char *call)
{
	const char *needs = needs_text(e, t);
	body b = lower_bound(e->memory, e->names, t->when, t->nwhen, t->e, call);
	buf text = {0};
	if (needs)
		buf_puts(&text, needs);
	for (unsigned i = 0; i + 1 < b.nlines; i++)
		buf_printf(&text, text.length ? " && %s" : "%s", b.lines[i]);
	if (text.length) {
		buf_putc(&text, ')');
		text_code(e->out, "\t\tif (", text.text);
		buf_puts(e->out, "\n\t");
	}
	text_code(e->out, "\t\t", b.lines[b.nlines - 1]);
	buf_puts(e->out, ";\n");
	buf_free(&text);
}

/* at_least and at_most of one value are only. */
static bool are_one_value(const sampler_step *a, const sampler_step *b)
{
	return a->kind + b->kind == STEP_LOW + STEP_HIGH && a->kind != b->kind && a->e == b->e
	       && a->nwhen == b->nwhen && a->nneeds == b->nneeds
	       && memcmp(a->when, b->when, a->nwhen * sizeof *a->when) == 0
	       && memcmp(a->needs, b->needs, a->nneeds * sizeof *a->needs) == 0;
}

static unsigned put_bounds(emitter *e, const sampler_symbol *y)
{
	static const char *const CALL[] = {"rs_at_least", "rs_at_most", "rs_hint"};
	unsigned i = 0;
	for (; i < y->nsteps && y->steps[i].kind != STEP_TEST; i++) {
		if (i + 1 < y->nsteps && are_one_value(&y->steps[i], &y->steps[i + 1]))
			put_bound(e, &y->steps[i++], "rs_only");
		else
			put_bound(e, &y->steps[i], CALL[y->steps[i].kind]);
	}
	return i;
}

static void put_tests(emitter *e, const sampler_symbol *y, unsigned from)
{
	buf text = {0};
	buf_printf(e->out, "\t\tdo\n\t\t\tif (!rs_next(d, &x, &s%u))\n\t\t\t\treturn false;\n",
	    y->symbol);
	for (unsigned i = from; i < y->nsteps; i++) {
		const char *test =
		    lower_test(e->memory, e->names, needs_text(e, &y->steps[i]), y->steps[i].e);
		buf_printf(&text, i + 1 < y->nsteps ? "%s" : "%s))", test);
		text_code(e->out, i > from ? "\n\t\t    && " : "\t\twhile (!(", text.text);
		buf_clear(&text);
	}
	buf_puts(e->out, ";\n");
	buf_free(&text);
}

static void put_temps(emitter *e)
{
	char item[24];
	text_list list = text_list_begin(e->out, 3, 16 + 5);
	for (unsigned i = 0; i < e->temps; i++) {
		buf_puts(e->out, i ? "" : "\t\tint64_t ");
		snprintf(item, sizeof item, "t%u = 0", i);
		text_item(&list, item);
	}
	buf_puts(e->out, e->temps ? ";\n" : "");
}

static void put_symbol(emitter *e, const sampler_symbol *y)
{
	buf *out = e->out, inner = {0};
	unsigned i = y->symbol;
	e->temps = 0;
	e->out = &inner;
	unsigned tests = put_bounds(e, y);
	if (tests < y->nsteps)
		put_tests(e, y, tests);
	else
		buf_printf(&inner, "\t\tif (!rs_pick(d, %u, &x, &s%u))\n\t\t\treturn false;\n", i, i);
	e->out = out;
	if (inner.failed)
		need(NULL, inner.length);
	buf_printf(out, e->back ? "\t{\n" : "\tif (!k[%u]) {\n", i);
	buf_printf(out, "\t\trs_span x = rs_span_of(d, %u, %s);\n", i, y->dimension ? "true" : "false");
	put_temps(e);
	buf_add(out, inner.text, inner.length);
	if (tests < y->nsteps)
		buf_printf(out, "\t\trs_take(d, %u, s%u);\n", i, i);
	buf_puts(out, "\t}\n");
	buf_free(&inner);
}

/* Symbols of which no clause speaks, as many as stand in a row. */
static unsigned put_free(emitter *e, unsigned at)
{
	const sampler *s = e->s;
	unsigned first = s->order[at].symbol, n = 0;
	if (e->used[first]) {
		buf_printf(e->out, "\ts%u = rs_free(d, %u);\n", first, first);
		return 1;
	}
	while (at + n < s->nsym && !s->order[at + n].nsteps && s->order[at + n].symbol == first + n
	       && !e->used[first + n])
		n++;
	if (n == 1)
		buf_printf(e->out, "\trs_free(d, %u);\n", first);
	else
		buf_printf(e->out, "\trs_free_run(d, %u, %u);\n", first, n);
	return n;
}

static void put_list(emitter *e, const char *lead, const char *form, unsigned from, unsigned count,
    const bool *wanted)
{
	char item[64];
	bool first = true;
	text_list list = text_list_begin(e->out, 2, 8 + (unsigned)strlen(lead));
	for (unsigned i = 0; i < count; i++) {
		if (!wanted[from + i])
			continue;
		if (first)
			buf_printf(e->out, "\t%s ", lead);
		first = false;
		snprintf(item, sizeof item, form, i, i);
		text_item(&list, item);
	}
	if (!first)
		buf_puts(e->out, ";\n");
}

static void put_locals(emitter *e)
{
	const sampler *s = e->s;
	bool steps = false, *locals = NEED_ARRAY(e->memory, bool, s->nsym);
	for (unsigned i = 0; i < s->nsym; i++) {
		const sampler_symbol *y = &s->order[i];
		steps |= y->nsteps > 0;
		locals[y->symbol] = y->nsteps > 0 || e->used[y->symbol];
	}
	if (steps && !e->back)
		buf_puts(e->out, "\tconst uint8_t *k = d->known;\n");
	for (unsigned i = 0; i < s->nodim; i++)
		if (e->used[s->nsym + i]) {
			buf_puts(e->out, "\tconst uint8_t *w = d->wanted;\n");
			break;
		}
	put_list(e, "int64_t", "s%u = d->s[%u]", 0, s->nsym, locals);
	put_list(e, "const int64_t", "o%u = d->out[%u]", s->nsym, s->nodim, e->used);
	put_list(e, "const int64_t", "low%u = d->low[%u]", s->nsym + s->nodim, s->nsym, e->used);
}

void sampler_emit(buf *out, arena *scratch, const sampler *s, bool back, const char *valid)
{
	arena_mark mark = arena_save(scratch);
	emitter e = {.out = out, .memory = scratch, .s = s, .back = back};
	size_t total = s->nsym * 2 + s->nodim;
	e.names = (lower_scope){s->nsym, s->nodim, &e.temps};
	e.used = need(arena_zalloc(scratch, total + 1), total);
	mark_used(&e);
	buf_puts(out, "{\n");
	put_locals(&e);
	for (unsigned i = 0; i < s->nsym;) {
		if (s->order[i].nsteps)
			put_symbol(&e, &s->order[i++]);
		else
			i += put_free(&e, i);
	}
	if (valid)
		buf_printf(out, "\treturn %s(d->s);\n}\n", valid);
	else
		buf_puts(out, s->nsym ? "\treturn true;\n}\n" : "\t(void)d;\n\treturn true;\n}\n");
	arena_release(scratch, mark);
}
