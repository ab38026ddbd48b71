#include "sampler_emit.h"

#include <stdlib.h>
#include <string.h>

#include "lower.h"
#include "need.h"
#include "text.h"

/* Stands before an index that no bracket opens, until it is printed. */
#define INDEX '@'

enum { TEMPS = 4 }; /* that SAMPLER declares */

typedef struct emitter {
	arena *memory;
	const sampler *s;
	lower_scope names;
	unsigned temps; /* of the step in work: no other reads them */
} emitter;

/* What a step says, and where: "AT_LEAST(o[3])" if "w[3]", NULL: anywhere. */
typedef struct statement {
	const char *when, *what;
} statement;

typedef struct statements {
	statement *list;
	unsigned n, temps; /* temps: what they need at most */
} statements;

/* ---- one symbol */

static const char *take(emitter *e, buf *text)
{
	const char *kept = keep(e->memory, text);
	buf_free(text);
	return kept;
}

/* "k[4]", "k[4] && w[2]"; NULL: none. */
static const char *needs_text(emitter *e, const sampler_step *t)
{
	buf text = {0};
	for (unsigned i = 0; i < t->nneeds; i++) {
		unsigned n = t->needs[i];
		bool output = n >= e->s->nsym;
		buf_printf(&text, "%s%c[%u]", i ? " && " : "", output ? 'w' : 'k',
		    output ? n - e->s->nsym : n);
	}
	return t->nneeds ? take(e, &text) : NULL;
}

static void add(emitter *e, statements *to, const char *when, const char *what)
{
	to->list[to->n++] = (statement){when, what};
	to->temps = e->temps > to->temps ? e->temps : to->temps;
}

/* The value is the output dimension or symbol that must be there. */
static bool is_what_it_needs(const sampler *s, const sampler_step *t)
{
	if (t->nneeds != 1 || t->nwhen || t->e->op != OP_SYM)
		return false;
	int64_t n = t->e->value;
	return t->needs[0] == (n < s->nsym ? s->first[n] : n);
}

static void add_bound(emitter *e, statements *to, const sampler_step *t, const char *call)
{
	buf when = {0};
	e->temps = 0;
	if (strcmp(call, "ONLY") == 0 && is_what_it_needs(e->s, t)) {
		unsigned n = (unsigned)t->e->value;
		bool output = n >= e->s->nsym;
		buf_printf(&when, output ? "WANTED(@%u)" : "KNOWN(@%u)", output ? n - e->s->nsym : n);
		add(e, to, NULL, take(e, &when));
		return;
	}
	const char *needs = needs_text(e, t);
	body b = lower_bound(e->memory, e->names, t->when, t->nwhen, t->e, call);
	buf_puts(&when, needs ? needs : "");
	for (unsigned i = 0; i + 1 < b.nlines; i++)
		buf_printf(&when, "%s%s", needs || i ? " && " : "", b.lines[i]);
	add(e, to, when.length ? take(e, &when) : NULL, b.lines[b.nlines - 1]);
	buf_free(&when);
}

/* at_least and at_most of one value are only. */
static bool are_one_value(const sampler_step *a, const sampler_step *b)
{
	return a->kind + b->kind == STEP_LOW + STEP_HIGH && a->kind != b->kind && a->e == b->e
	       && a->nwhen == b->nwhen && a->nneeds == b->nneeds
	       && memcmp(a->when, b->when, a->nwhen * sizeof *a->when) == 0
	       && memcmp(a->needs, b->needs, a->nneeds * sizeof *a->needs) == 0;
}

/* Tests come last. */
static void find_statements(emitter *e, const sampler_symbol *y, statements *bounds, statements *tests)
{
	static const char *const CALL[] = {"AT_LEAST", "AT_MOST", "HINT"};
	for (unsigned i = 0; i < y->nsteps; i++) {
		const sampler_step *t = &y->steps[i];
		if (t->kind == STEP_TEST) {
			e->temps = 0;
			const char *test = lower_test(e->memory, e->names, t->e);
			add(e, tests, needs_text(e, t), test);
		} else if (i + 1 < y->nsteps && are_one_value(t, t + 1)) {
			add_bound(e, bounds, t, "ONLY");
			i++;
		} else {
			add_bound(e, bounds, t, CALL[t->kind]);
		}
	}
}

static bool same_when(const statement *a, const statement *b)
{
	return a->when == b->when || (a->when && b->when && strcmp(a->when, b->when) == 0);
}

/* Those that hold where this one does, and forgets them. Returns how many. */
static unsigned put_together(buf *out, statements *all, unsigned at, const char *between)
{
	unsigned count = 0;
	const statement first = all->list[at];
	for (unsigned i = at; i < all->n; i++) {
		statement *s = &all->list[i];
		if (!s->what || !same_when(s, &first))
			continue;
		buf_printf(out, "%s%s", count++ ? between : "", s->what);
		if (i > at)
			s->what = NULL;
	}
	return count;
}

static void put_bounds(buf *out, statements *bounds)
{
	buf text = {0};
	for (unsigned i = 0; i < bounds->n; i++) {
		const statement *s = &bounds->list[i];
		if (!s->what)
			continue;
		buf_clear(&text);
		bool one = put_together(&text, bounds, i, "; ") == 1;
		buf_puts(out, i ? "; " : "");
		if (!s->when)
			buf_puts(out, text.text);
		else
			buf_printf(out, one ? "if (%s) %s" : "if (%s) { %s; }", s->when, text.text);
	}
	buf_free(&text);
}

static void put_tests(buf *out, statements *tests)
{
	buf text = {0};
	for (unsigned i = 0; i < tests->n; i++) {
		const statement *s = &tests->list[i];
		if (!s->what)
			continue;
		buf_clear(&text);
		put_together(&text, tests, i, " && ");
		buf_puts(out, i ? " && " : ", ");
		if (!s->when)
			buf_puts(out, text.text);
		else
			buf_printf(out, strchr(s->when, '&') ? "(!(%s) || (%s))" : "(!%s || (%s))", s->when, text.text);
	}
	buf_free(&text);
}

/* "DIM(4, AT_LEAST(s[9]))" */
static char *symbol_text(emitter *e, const sampler_symbol *y)
{
	buf text = {0};
	statements bounds = {.list = NEED_ARRAY(e->memory, statement, y->nsteps)};
	statements tests = {.list = NEED_ARRAY(e->memory, statement, y->nsteps)};
	find_statements(e, y, &bounds, &tests);
	buf_printf(&text, "%s%s(@%u, ", y->dimension ? "DIM" : "ATTR", tests.n ? "_WHERE" : "", y->symbol);
	unsigned temps = bounds.temps > tests.temps ? bounds.temps : tests.temps;
	for (unsigned i = TEMPS; i < temps; i++)
		buf_printf(&text, "int64_t t%u = 0; ", i);
	put_bounds(&text, &bounds);
	put_tests(&text, &tests);
	buf_putc(&text, ')');
	if (text.failed)
		need(NULL, text.length);
	return buf_take(&text);
}

/* ---- symbols in a row that are alike: FOR(0, 4) DIM(i, WANTED(i)) stands for four of them */

/* Reads an index, which stands behind "[" or INDEX, and moves behind it; -1: none is here. */
static long take_index(const char *text, const char **c)
{
	char *end;
	if (*c == text || ((*c)[-1] != '[' && (*c)[-1] != INDEX))
		return -1;
	long index = strtol(*c, &end, 10);
	*c = end;
	return index;
}

/* Whether z, n symbols behind x, goes on with what x and its neighbour y began: each index is the same
 * in all three, or one more from symbol to symbol. */
static bool goes_on(const char *x, const char *y, const char *z, unsigned n)
{
	const char *a = x, *b = y, *c = z;
	while (*a && *b && *c) {
		long i = take_index(x, &a), j = take_index(y, &b), k = take_index(z, &c);
		if (i >= 0 && (j < i || j > i + 1 || k != i + (j - i) * (long)n))
			return false;
		if (*a != *b || *a != *c)
			return false;
		a++, b++, c++;
	}
	return *a == *b && *a == *c;
}

/* The text of a symbol, or of the first in a row of which next is the second. */
static void put_indexed(buf *out, const char *text, const char *next, long symbol)
{
	const char *c = text, *d = next;
	while (*c) {
		long i = take_index(text, &c), j = next ? take_index(next, &d) : i;
		if (i >= 0 && i == j)
			buf_printf(out, "%ld", i);
		else if (i == symbol)
			buf_putc(out, 'i');
		else if (i >= 0)
			buf_printf(out, i > symbol ? "i + %ld" : "i - %ld", labs(i - symbol));
		if (*c != INDEX)
			buf_putc(out, *c);
		c++, d += next != NULL;
	}
}

/* Puts the symbol at a place in the order, and those that are alike behind it. Returns how many. */
static unsigned put_alike(buf *out, const sampler *s, char *const *texts, unsigned at)
{
	unsigned first = s->order[at].symbol, n = 1;
	while (at + n < s->nsym && s->order[at + n].symbol == first + n && texts[at + n]
	       && goes_on(texts[at], texts[at + 1], texts[at + n], n))
		n++;
	buf text = {0};
	if (n > 1)
		buf_printf(&text, "FOR(%u, %u) ", first, n);
	put_indexed(&text, texts[at], n > 1 ? texts[at + 1] : NULL, first);
	if (text.failed)
		need(NULL, text.length);
	text_code(out, "\t", text.text);
	buf_puts(out, ";\n");
	buf_free(&text);
	return n;
}

/* Symbols of which no clause speaks, as many as stand in a row. */
static unsigned put_free(buf *out, const sampler *s, unsigned at)
{
	unsigned first = s->order[at].symbol, n = 0;
	while (at + n < s->nsym && !s->order[at + n].nsteps && s->order[at + n].symbol == first + n)
		n++;
	buf_printf(out, "\tFREE(%u, %u);\n", first, n);
	return n;
}

void sampler_emit(buf *out, arena *scratch, const sampler *s)
{
	arena_mark mark = arena_save(scratch);
	emitter e = {.memory = scratch, .s = s};
	e.names = (lower_scope){s->nsym, s->nodim, &e.temps};
	char **texts = NEED_ARRAY(scratch, char *, s->nsym);
	for (unsigned i = 0; i < s->nsym; i++)
		texts[i] = s->order[i].nsteps ? symbol_text(&e, &s->order[i]) : NULL;
	for (unsigned i = 0; i < s->nsym;)
		i += texts[i] ? put_alike(out, s, texts, i) : put_free(out, s, i);
	for (unsigned i = 0; i < s->nsym; i++)
		free(texts[i]);
	arena_release(scratch, mark);
}
