#include "sampler_program.h"

#include <string.h>

#include "need.h"
#include "samplercode.h"

/* An instruction's letter or one of its operands. */
typedef struct token {
	enum { LETTER, INDEX, PLACE, NUMBER, SIGNED, SKIP } kind; /* PLACE: no twin (samplercode.h); SKIP: a label */
	int64_t value;
} token;

typedef struct tokens {
	token *list;
	unsigned n, room;
} tokens;

/* The place to continue at if there is no value: a label, and the height of the stack there. */
typedef struct refuge {
	int label; /* -1: everything that follows has a value */
	unsigned height;
} refuge;

typedef struct writer {
	arena *memory;
	const sampler *s;
	tokens out;
	unsigned *labels; /* the token before which each label is */
	unsigned nlabels, labels_room;
	unsigned height, highest; /* of the stack */
	refuge refuge;
	buf operand; /* scratch, to measure an operand */
} writer;

/* ---- tokens */

static void *grown(arena *a, void *old, unsigned used, unsigned *room, size_t size)
{
	if (used < *room)
		return old;
	*room = *room ? *room * 2 : 64;
	void *more = need(arena_alloc(a, size * *room), size * *room);
	return used ? memcpy(more, old, size * used) : more;
}

static void put(writer *w, int kind, int64_t value)
{
	tokens *t = &w->out;
	t->list = grown(w->memory, t->list, t->n, &t->room, sizeof *t->list);
	t->list[t->n++] = (token){kind, value};
}

static void put_letter(writer *w, enum rs_code code)
{
	put(w, LETTER, code);
}

static int new_label(writer *w)
{
	w->labels = grown(w->memory, w->labels, w->nlabels, &w->labels_room, sizeof *w->labels);
	return (int)w->nlabels++;
}

static void place_label(writer *w, int label)
{
	w->labels[label] = w->out.n;
}

static void put_jump(writer *w, enum rs_code code, int label)
{
	put_letter(w, code);
	put(w, SKIP, label);
}

/* ---- values */

static const double FITS = 9.2e18; /* smaller magnitudes fit in 64 bits, as checked values do */

/* An upper bound on an expression's magnitude; symbols are within RS_LIMIT. */
static double magnitude(const expr *e)
{
	double a = e->a ? magnitude(e->a) : 0, b = e->b ? magnitude(e->b) : 0, value = 0;
	switch ((enum op)e->op) {
	case OP_CONST:
		return e->value < 0 ? -(double)e->value : (double)e->value;
	case OP_SYM:
		return (double)RS_LIMIT;
	case OP_ADD:
	case OP_SUB:
		value = a + b;
		break;
	case OP_MUL:
		value = a * b;
		break;
	case OP_DIV:
		value = a;
		break;
	case OP_MOD:
		value = b;
		break;
	case OP_MIN:
	case OP_MAX:
	case OP_ITE:
		value = a > b ? a : b;
		break;
	COMPARE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		break;
	}
	return value < FITS ? value : FITS;
}

/* Whether the operation has a value for all values of its arguments. */
static bool always_fits(const expr *e)
{
	switch ((enum op)e->op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
		return magnitude(e) < FITS;
	case OP_DIV:
	case OP_MOD:
		return e->b->op == OP_CONST && e->b->value > 0;
	case OP_CONST:
	case OP_SYM:
	case OP_MIN:
	case OP_MAX:
	case OP_ITE:
	COMPARE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		break;
	}
	return true;
}

/* Whether an expression always has a value, and all conditions in it. */
static bool is_total(const expr *e)
{
	if (e->op == OP_CONST || e->op == OP_SYM)
		return true;
	return always_fits(e) && is_total(e->a) && is_total(e->b);
}

static void push(writer *w, unsigned n)
{
	w->height += n;
	w->highest = w->height > w->highest ? w->height : w->highest;
}

static void put_refuge(writer *w, refuge r)
{
	put_letter(w, RS_CODE_REFUGE);
	put(w, NUMBER, r.height);
	put(w, SKIP, r.label);
}

static void put_condition(writer *w, const expr *e);

static void put_symbol(writer *w, unsigned n)
{
	const sampler *s = w->s;
	bool output = n >= s->nsym && n < s->nsym + s->nodim;
	put_letter(w, n < s->nsym ? RS_CODE_SYMBOL : output ? RS_CODE_OUTPUT : RS_CODE_LOW);
	put(w, INDEX, n < s->nsym ? n : output ? n - s->nsym : n - s->nsym - s->nodim);
	push(w, 1);
}

static enum rs_code code_of(const expr *e)
{
	bool fits = always_fits(e);
	switch ((enum op)e->op) {
	case OP_ADD: return fits ? RS_CODE_ADD : RS_CODE_CHECKED_ADD;
	case OP_SUB: return fits ? RS_CODE_SUB : RS_CODE_CHECKED_SUB;
	case OP_MUL: return fits ? RS_CODE_MUL : RS_CODE_CHECKED_MUL;
	case OP_DIV: return fits ? RS_CODE_DIV : RS_CODE_CHECKED_DIV;
	case OP_MOD: return fits ? RS_CODE_MOD : RS_CODE_CHECKED_MOD;
	case OP_MIN: return RS_CODE_MIN;
	case OP_MAX: return RS_CODE_MAX;
	case OP_EQ: return RS_CODE_EQ;
	case OP_NE: return RS_CODE_NE;
	case OP_LT: return RS_CODE_LT;
	case OP_LE: return RS_CODE_LE;
	case OP_GT: return RS_CODE_GT;
	case OP_GE: return RS_CODE_GE;
	LEAF_OPS(OP_CASE)
	CHOICE_OPS(OP_CASE)
	CONNECTIVE_OPS(OP_CASE)
		break; /* no arithmetic operation */
	}
	return RS_CODE_FINISH;
}

static void put_value(writer *w, const expr *e);

static void put_choice(writer *w, const expr *e)
{
	int other = new_label(w), end = new_label(w);
	unsigned labels = w->nlabels;
	put_condition(w, e->c);
	if (w->refuge.label >= 0 && w->nlabels > labels) /* the condition may have set a refuge of its own */
		put_refuge(w, w->refuge);
	put_jump(w, RS_CODE_IF, other);
	put_value(w, e->a);
	put_jump(w, RS_CODE_GO_ON, end);
	w->height--;
	place_label(w, other);
	put_value(w, e->b);
	place_label(w, end);
}

static void put_value(writer *w, const expr *e)
{
	if (e->op == OP_CONST) {
		put_letter(w, RS_CODE_NUMBER);
		put(w, SIGNED, e->value);
		push(w, 1);
	} else if (e->op == OP_SYM) {
		put_symbol(w, (unsigned)e->value);
	} else if (e->op == OP_ITE) {
		put_choice(w, e);
	} else {
		put_value(w, e->a);
		put_value(w, e->b);
		put_letter(w, code_of(e));
		w->height--;
	}
}

static void put_comparison(writer *w, const expr *e)
{
	refuge before = w->refuge;
	w->refuge = (refuge){-1, w->height};
	if (!is_total(e->a) || !is_total(e->b)) {
		w->refuge.label = new_label(w);
		put_refuge(w, w->refuge);
	}
	put_value(w, e->a);
	put_value(w, e->b);
	put_letter(w, code_of(e));
	w->height -= 2;
	if (w->refuge.label >= 0)
		place_label(w, w->refuge.label);
	w->refuge = before;
}

static void put_condition(writer *w, const expr *e)
{
	if (e->op != OP_OR && e->op != OP_AND) {
		put_comparison(w, e);
		return;
	}
	int end = new_label(w);
	put_condition(w, e->a);
	put_jump(w, e->op == OP_OR ? RS_CODE_OR : RS_CODE_IF, end);
	put_condition(w, e->b);
	place_label(w, end);
}

/* ---- a symbol's steps */

static void put_needs(writer *w, const sampler_step *t, int label)
{
	for (unsigned i = 0; i < t->nneeds; i++) {
		unsigned n = t->needs[i];
		bool output = n >= w->s->nsym;
		put_letter(w, output ? RS_CODE_WANTED : RS_CODE_KNOWN);
		put(w, INDEX, output ? n - w->s->nsym : n);
		put(w, SKIP, label);
	}
}

/* Whether the step's value is the output dimension or symbol that it needs. */
static bool is_what_it_needs(const sampler *s, const sampler_step *t)
{
	if (t->nneeds != 1 || t->nwhen || t->e->op != OP_SYM)
		return false;
	int64_t n = t->e->value;
	return t->needs[0] == (n < s->nsym ? s->first[n] : n);
}

static bool same_conditions(const sampler_step *a, const sampler_step *b)
{
	return a->nwhen == b->nwhen && a->nneeds == b->nneeds
	       && memcmp(a->when, b->when, a->nwhen * sizeof *a->when) == 0
	       && memcmp(a->needs, b->needs, a->nneeds * sizeof *a->needs) == 0;
}

/* Whether the steps are a lower and an upper bound with the same value. */
static bool are_one_value(const sampler_step *a, const sampler_step *b)
{
	return a->kind + b->kind == STEP_LOW + STEP_HIGH && a->kind != b->kind && a->e == b->e && same_conditions(a, b);
}

static void put_bound(writer *w, const sampler_step *t, bool only)
{
	static const enum rs_code CODES[] = {[STEP_LOW] = RS_CODE_AT_LEAST, [STEP_HIGH] = RS_CODE_AT_MOST, [STEP_HINT] = RS_CODE_HINT};
	int end = -1;
	if (!is_total(t->e)) {
		end = new_label(w);
		w->refuge = (refuge){end, 0};
		put_refuge(w, w->refuge);
	}
	put_value(w, t->e);
	put_letter(w, only ? RS_CODE_ONLY : CODES[t->kind]);
	w->height = 0;
	if (end >= 0)
		place_label(w, end);
	w->refuge.label = -1;
}

static void put_test(writer *w, const expr *e)
{
	if (e->op == OP_AND) {
		put_test(w, e->a);
		put_test(w, e->b);
		return;
	}
	put_condition(w, e);
	put_letter(w, RS_CODE_TEST);
}

/* Prints a step and later ones with the same conditions; hints keep their order. */
static void put_steps(writer *w, const sampler_symbol *y, unsigned at, bool *done)
{
	const sampler_step *t = &y->steps[at];
	bool hints = false; /* an unfinished hint was skipped */
	int end = new_label(w);
	put_needs(w, t, end);
	for (unsigned i = 0; i < t->nwhen; i++) {
		put_condition(w, t->when[i]);
		put_jump(w, RS_CODE_IF, end);
	}
	for (unsigned i = at; i < y->nsteps; i++) {
		const sampler_step *u = &y->steps[i];
		if (done[i] || (u->kind == STEP_TEST) != (t->kind == STEP_TEST))
			continue;
		if (!same_conditions(t, u) || (u->kind == STEP_HINT && hints)) {
			hints |= u->kind == STEP_HINT;
			continue;
		}
		done[i] = true;
		if (u->kind == STEP_TEST) {
			put_test(w, u->e);
			continue;
		}
		bool only = i + 1 < y->nsteps && are_one_value(u, u + 1);
		put_bound(w, u, only);
		done[i + only] = true;
	}
	place_label(w, end);
}

static void put_known(writer *w, const sampler_step *t)
{
	unsigned n = (unsigned)t->e->value;
	bool output = n >= w->s->nsym;
	put_letter(w, output ? RS_CODE_ONLY_WANTED : RS_CODE_ONLY_KNOWN);
	put(w, INDEX, output ? n - w->s->nsym : n);
}

static void put_bounds(writer *w, const sampler_symbol *y, bool *done)
{
	for (unsigned i = 0; i < y->nsteps; i++) {
		const sampler_step *t = &y->steps[i];
		if (done[i] || t->kind == STEP_TEST)
			continue;
		if (i + 1 < y->nsteps && are_one_value(t, t + 1) && is_what_it_needs(w->s, t)) {
			put_known(w, t);
			done[i] = done[i + 1] = true;
		} else {
			put_steps(w, y, i, done);
		}
	}
}

/* Returns the symbol's tokens, without the jump that skips them if the symbol is known. */
static tokens symbol_tokens(writer *w, const sampler_symbol *y)
{
	bool *done = NEED_ARRAY(w->memory, bool, y->nsteps), tests = false;
	w->out = (tokens){0};
	int end = new_label(w);
	put_letter(w, y->dimension ? RS_CODE_DIMENSION : RS_CODE_ATTRIBUTE);
	put(w, PLACE, y->symbol);
	put(w, SKIP, end);
	put_bounds(w, y, done);
	for (unsigned i = 0; i < y->nsteps; i++) {
		if (done[i])
			continue;
		if (!tests)
			put_letter(w, RS_CODE_SEARCH);
		tests = true;
		put_steps(w, y, i, done);
	}
	put_letter(w, tests ? RS_CODE_FOUND : RS_CODE_PICK);
	place_label(w, end);
	return w->out;
}

/* ---- text */

static void put_operand(buf *out, int64_t value)
{
	if (value >= 0 && value <= RS_CODE_LARGEST)
		buf_putc(out, (char)(RS_CODE_FIRST + value));
	else
		buf_printf(out, "%c%lld;", RS_CODE_LONG, (long long)value);
}

static void put_signed(buf *out, int64_t value)
{
	if (value >= -RS_CODE_ZERO && value <= RS_CODE_LARGEST - RS_CODE_ZERO)
		buf_putc(out, (char)(RS_CODE_FIRST + RS_CODE_ZERO + value));
	else
		buf_printf(out, "%c%lld;", RS_CODE_LONG, (long long)value);
}

static unsigned width(writer *w, const token *t, int64_t value)
{
	if (t->kind == LETTER)
		return 1;
	buf_clear(&w->operand);
	if (t->kind == SIGNED)
		put_signed(&w->operand, value);
	else
		put_operand(&w->operand, value);
	return (unsigned)w->operand.length;
}

/* The instruction that fuses a right operand (number or symbol) and an operation; 0: none. */
static int fused_code(int64_t operand, int64_t operation)
{
	static const struct {
		int code, with_number, with_symbol;
	} FUSED[] = {
#define FUSE(NAME) {RS_CODE_##NAME, RS_CODE_##NAME##_NUMBER, RS_CODE_##NAME##_SYMBOL},
	    FUSE(ADD) FUSE(SUB) FUSE(MUL) FUSE(EQ) FUSE(NE) FUSE(LT) FUSE(LE) FUSE(GT) FUSE(GE)
#undef FUSE
	    {RS_CODE_DIV, RS_CODE_DIV_NUMBER, 0}, {RS_CODE_MOD, RS_CODE_MOD_NUMBER, 0}};
	for (size_t i = 0; i < sizeof FUSED / sizeof *FUSED; i++)
		if (FUSED[i].code == operation)
			return operand == RS_CODE_NUMBER ? FUSED[i].with_number : operand == RS_CODE_SYMBOL ? FUSED[i].with_symbol : 0;
	return 0;
}

/* The layout of a symbol's text, or of the first one in a row whose second one is next. */
typedef struct layout {
	const tokens *t, *next;
	bool *target;	    /* by token: whether it is the target of a jump */
	unsigned *from_end; /* characters up to the end; jumps are forward */
} layout;

static bool moves(const layout *l, unsigned at)
{
	const token *x = &l->t->list[at + 1];
	return l->next && at + 1 < l->t->n && x->kind == INDEX && x->value != l->next->list[at + 1].value;
}

/* The fused letter for the letter at a position and the one behind its operand; 0: none. */
static int fused(const layout *l, unsigned at)
{
	const token *x = &l->t->list[at];
	if (at + 2 >= l->t->n || x->kind != LETTER || x[2].kind != LETTER || l->target[at + 2] || moves(l, at)
	    || (x[1].kind != INDEX && x[1].kind != SIGNED))
		return 0;
	return fused_code(x->value, x[2].value);
}

static layout lay_out(writer *w, const tokens *t, const tokens *next)
{
	layout l = {t, next, NEED_ARRAY(w->memory, bool, t->n + 1), NEED_ARRAY(w->memory, unsigned, t->n + 1)};
	for (unsigned i = 0; i < t->n; i++)
		if (t->list[i].kind == SKIP)
			l.target[w->labels[t->list[i].value]] = true;
	for (unsigned i = t->n; i-- > 0;) {
		const token *x = &t->list[i];
		int64_t value = x->kind == SKIP ? l.from_end[i + 1] - l.from_end[w->labels[x->value]] : x->value;
		bool said = i < 2 || !fused(&l, i - 2);
		l.from_end[i] = l.from_end[i + 1] + (said ? width(w, x, value) : 0);
	}
	return l;
}

static void put_text(writer *w, buf *out, const tokens *t, const tokens *next)
{
	const layout l = lay_out(w, t, next);
	for (unsigned i = 0; i < t->n; i++) {
		const token *x = &t->list[i];
		if (l.from_end[i] == l.from_end[i + 1])
			continue;
		if (x->kind == LETTER)
			buf_putc(out, (char)(fused(&l, i) ? fused(&l, i) : x->value - (moves(&l, i) ? RS_CODE_TWIN : 0)));
		else if (x->kind == SKIP)
			put_operand(out, l.from_end[i + 1] - l.from_end[w->labels[x->value]]);
		else if (x->kind == SIGNED)
			put_signed(out, x->value);
		else
			put_operand(out, x->value);
	}
}

/* Whether z, n symbols behind x, continues the row of x and its neighbour y: each index is the same in all three, or
 * grows by one per symbol. */
static bool goes_on(const writer *w, const tokens *x, const tokens *y, const tokens *z, unsigned n)
{
	if (x->n != y->n || x->n != z->n)
		return false;
	for (unsigned i = 0; i < x->n; i++) {
		const token *a = &x->list[i], *b = &y->list[i], *c = &z->list[i];
		if (a->kind != b->kind || a->kind != c->kind)
			return false;
		if (a->kind == INDEX || a->kind == PLACE) {
			if (b->value < a->value || b->value > a->value + 1 || c->value != a->value + (b->value - a->value) * n)
				return false;
		} else if (a->kind == SKIP) {
			unsigned to = w->labels[a->value];
			if (to != w->labels[b->value] || to != w->labels[c->value])
				return false;
		} else if (a->value != b->value || a->value != c->value) {
			return false;
		}
	}
	return true;
}

/* Prints the symbol at a position of the order, and similar ones behind it. Returns their number. */
static unsigned put_alike(writer *w, buf *out, const tokens *all, unsigned at)
{
	const sampler *s = w->s;
	unsigned first = s->order[at].symbol, n = 1;
	while (at + n < s->nsym && s->order[at + n].symbol == first + n && all[at + n].n
	       && goes_on(w, &all[at], &all[at + 1], &all[at + n], n))
		n++;
	if (n > 1) {
		buf_putc(out, RS_CODE_ROW);
		put_operand(out, n);
	}
	put_text(w, out, &all[at], n > 1 ? &all[at + 1] : NULL);
	return n;
}

/* Prints a run of symbols without clauses; returns its length. */
static unsigned put_free(buf *out, const sampler *s, unsigned at)
{
	unsigned first = s->order[at].symbol, n = 0;
	while (at + n < s->nsym && !s->order[at + n].nsteps && s->order[at + n].symbol == first + n)
		n++;
	buf_putc(out, RS_CODE_FREE);
	put_operand(out, first);
	put_operand(out, n);
	return n;
}

const char *sampler_program(arena *a, const sampler *s)
{
	writer w = {.memory = a, .s = s, .refuge = {-1, 0}};
	buf text = {0};
	tokens *all = NEED_ARRAY(a, tokens, s->nsym);
	for (unsigned i = 0; i < s->nsym; i++)
		if (s->order[i].nsteps)
			all[i] = symbol_tokens(&w, &s->order[i]);
	for (unsigned i = 0; i < s->nsym;)
		i += all[i].n ? put_alike(&w, &text, all, i) : put_free(&text, s, i);
	buf_putc(&text, RS_CODE_FINISH);
	const char *kept = keep(a, &text);
	buf_free(&text);
	buf_free(&w.operand);
	return w.highest <= RS_CODE_STACK ? kept : NULL;
}
