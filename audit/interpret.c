#include "interpret.h"

#include <stdlib.h>
#include <string.h>

#include "decide.h"
#include "facts.h"
#include "memory.h"

enum { STEPS = 2000000, DEEP = 64, WIDE_ARRAY = 4096 };

typedef struct object object;

typedef struct value {
	enum { V_NONE, V_INT, V_FORMULA, V_POINTER, V_RECORD } kind;
	term *t;
	range lies; /* V_INT: its range, from the way it was computed */
	object *o;  /* of V_POINTER; NULL: null */
	int64_t at;
	struct value *field; /* [MEMBERS] of V_RECORD */
} value;

/* The conditions of the path, the last one first. */
typedef struct condition {
	term *f;
	struct condition *before;
	unsigned depth, facts;
} condition;

typedef struct cell {
	value v;
	condition *when; /* the path on which it was written */
	term *need;	 /* the condition under which the value is valid */
	bool set;
} cell;

struct object {
	unsigned n;
	bool constant;
	cell cells[];
};

typedef struct exit_taken {
	term *c;
	value v;
} exit_taken;

typedef struct frame {
	object **slot;
	value result;
	exit_taken *exits;
	unsigned n, room;
} frame;

typedef struct machine {
	const source *s;
	facts *known;
	condition *path;
	frame *frame;
	bool skips; /* continue with the loop's next iteration */
	bool as_written; /* execute arith.h's functions, too, instead of modelling them */
	unsigned steps, depth, solver;
} machine;

static value eval(machine *m, const node *x);
static value call(machine *m, const function *f, unsigned n, value *argument);

static value integer(term *t, range lies)
{
	return (value){.kind = V_INT, .t = t, .lies = range_meet(lies, t->lies)};
}

static value constant(int128 x)
{
	return integer(term_number(x), range_of(x, x));
}

static value formula(term *f)
{
	return (value){.kind = V_FORMULA, .t = f};
}

static object *new_object(unsigned n, bool is_constant)
{
	object *o = memory_new(1, sizeof *o + n * sizeof(cell));
	o->n = n;
	o->constant = is_constant;
	return o;
}

/* ---- the path */

static void push(machine *m, term *f)
{
	condition *c = memory_new(1, sizeof *c);
	*c = (condition){f, m->path, m->path ? m->path->depth + 1 : 1, facts_mark(m->known)};
	m->path = c;
	f = facts_simplify(m->known, f);
	facts_add(m->known, f);
}

static void pop_to(machine *m, condition *c)
{
	while (m->path != c) {
		facts_back(m->known, m->path->facts);
		m->path = m->path->before;
	}
}

static term *path_formula(const machine *m, const condition *from)
{
	term *f = term_true();
	for (const condition *c = from; c; c = c->before)
		f = term_and(f, c->f);
	(void)m;
	return f;
}

/* True if f holds everywhere on the path. */
static bool implied(machine *m, term *f)
{
	if (facts_simplify(m->known, f)->kind == TERM_TRUE)
		return true;
	unsigned mark = facts_mark(m->known);
	bool holds = false;
	for (int round = 0; round < 2 && !holds; round++) {
		for (const condition *c = m->path; c; c = c->before)
			if (c->f->kind == TERM_OR || c->f->kind == TERM_AND)
				facts_add(m->known, facts_simplify(m->known, c->f));
		holds = facts_simplify(m->known, f)->kind == TERM_TRUE;
	}
	facts_back(m->known, mark);
	if (holds)
		return true;
	m->solver++;
	return decide_none(term_and(path_formula(m, m->path), term_not(f)));
}

/* ---- integers */

static term *truth_of(const value *v)
{
	if (v->kind == V_FORMULA)
		return v->t;
	if (v->kind == V_INT)
		return term_ne(v->t, term_number(0));
	if (v->kind == V_POINTER)
		return v->o ? term_true() : term_false();
	terms_give_up("a condition that is not a number");
}

static value number_of(value v)
{
	if (v.kind == V_FORMULA)
		return integer(term_choice(v.t, term_number(1), term_number(0)), range_of(0, 1));
	if (v.kind != V_INT)
		terms_give_up("a number was expected");
	return v;
}

static void ends_of(const node *x, int128 *low, int128 *high)
{
	unsigned bits = x->bits;
	bool is_signed = x->type == TYPE_SIGNED;
	if (bits < 8 || (!is_signed && bits > 64))
		terms_give_up("a type that is not known");
	*high = bits == 128 ? INT128_MAX : ((int128)1 << (bits - is_signed)) - 1;
	*low = is_signed ? -*high - 1 : 0;
}

/* True if a value fits its type on this path; its range is then clipped to the type's. */
static bool settle(machine *m, value *v, int128 low, int128 high)
{
	if (!range_within(v->lies, low, high) && !range_within(facts_range(m->known, v->t), low, high)) {
		bool widest = low == INT128_MIN && high == INT128_MAX;
		if (!implied(m, widest ? term_fits(v->t) : term_within(v->t, low, high)))
			return false;
	}
	v->lies = range_meet(v->lies, range_of(low, high));
	v->lies.under = v->lies.over = false;
	return true;
}

static value within_type(machine *m, const node *x, value v)
{
	int128 low, high;
	ends_of(x, &low, &high);
	if (!settle(m, &v, low, high))
		terms_give_up("a result may leave its type");
	return v;
}

static value cast(machine *m, const node *x, value v)
{
	int128 low, high;
	switch (x->type) {
	case TYPE_BOOL: return formula(truth_of(&v));
	case TYPE_POINTER:
		if (v.kind == V_INT && v.t == term_number(0))
			return (value){.kind = V_POINTER};
		return v;
	case TYPE_SIGNED:
	case TYPE_UNSIGNED:
		if (v.kind == V_FORMULA && x->type == TYPE_SIGNED)
			return v;
		v = number_of(v);
		ends_of(x, &low, &high);
		if (x->type == TYPE_SIGNED && x->bits == 64 && !range_within(v.lies, low, high)) /* unsigned wraps, which C defines */
			return integer(term_narrow(v.t), range_of(low, high));
		if (!settle(m, &v, low, high))
			terms_give_up("a number is cut to its type");
		return v;
	default: return v;
	}
}

static value select_value(term *c, value a, value b)
{
	if (c->kind == TERM_TRUE)
		return a;
	if (c->kind == TERM_FALSE)
		return b;
	if (a.kind == V_FORMULA && b.kind == V_FORMULA) {
		if (a.t->kind == TERM_FALSE)
			return formula(term_and(term_not(c), b.t));
		if (b.t->kind == TERM_FALSE)
			return formula(term_and(c, a.t));
		return formula(term_and(term_or(term_not(c), a.t), term_or(c, b.t)));
	}
	a = number_of(a);
	b = number_of(b);
	return integer(term_choice(c, a.t, b.t), range_join(a.lies, b.lies));
}

/* ---- memory */

static cell *cell_of(const value *p)
{
	if (p->kind != V_POINTER || !p->o)
		terms_give_up("what is no address is followed");
	if (p->at < 0 || p->at >= (int64_t)p->o->n)
		terms_give_up("an index beyond its array");
	return &p->o->cells[p->at];
}

static value load(machine *m, const value *p)
{
	cell *c = cell_of(p);
	if (!c->set)
		terms_give_up("what was not written is read");
	const condition *now = m->path;
	while (now && c->when && now->depth > c->when->depth)
		now = now->before;
	if (now != c->when && c->when && !implied(m, path_formula(m, c->when)))
		terms_give_up("what may not have been written is read");
	if (c->need && c->need->kind != TERM_TRUE && !implied(m, c->need))
		terms_give_up("the result of a checked operation is used where that may have failed");
	return c->v;
}

static void store(machine *m, const value *p, value v, term *need)
{
	cell *c = cell_of(p);
	if (p->o->constant)
		terms_give_up("what is constant is written");
	*c = (cell){v, m->path, need, true};
}

static int64_t known_number(value v, const char *why)
{
	int128 x;
	if (v.kind == V_FORMULA)
		v = number_of(v);
	if (v.kind != V_INT || !term_constant(v.t, &x) || x < INT64_MIN || x > INT64_MAX)
		terms_give_up(why);
	return (int64_t)x;
}

static value moved(value p, int64_t by)
{
	p.at += by;
	if (p.kind != V_POINTER || !p.o || p.at < 0 || p.at > (int64_t)p.o->n)
		terms_give_up("an address beyond its array");
	return p;
}

static value address(machine *m, const node *x)
{
	value p;
	switch (x->kind) {
	case NODE_VARIABLE:
		if (!m->frame->slot[x->slot])
			terms_give_up("a variable that was not declared");
		return (value){.kind = V_POINTER, .o = m->frame->slot[x->slot]};
	case NODE_INDEX:
		p = eval(m, x->kid[0]);
		p.at += known_number(eval(m, x->kid[1]), "an index that depends on symbols");
		return p;
	case NODE_CAST:
		return address(m, x->kid[x->n - 1]);
	case NODE_UNARY:
		if (!strcmp(x->op, "*"))
			return eval(m, x->kid[0]);
		break;
	default:
		break;
	}
	terms_give_up("an address that is not understood");
}

/* In the order of their initializers. */
enum { MEMBERS = 3 };
static const char *const MEMBER[MEMBERS] = {"at", "n", "room"};

static value member(machine *m, const node *x)
{
	value r = eval(m, x->kid[0]);
	for (unsigned i = 0; r.kind == V_RECORD && i < MEMBERS; i++)
		if (!strcmp(x->text, MEMBER[i]) && r.field[i].kind != V_NONE)
			return r.field[i];
	terms_give_up("a member that is not known");
}

static value item_of(value v)
{
	return v.kind == V_RECORD ? v : number_of(v);
}

static value list(machine *m, const node *x)
{
	value r = {.kind = V_RECORD};
	if (x->type == TYPE_RECORD) {
		if (x->n < 2 || x->n > MEMBERS)
			terms_give_up("a record of other members");
		r.field = memory_new(MEMBERS, sizeof *r.field);
		for (unsigned i = 0; i < x->n; i++)
			r.field[i] = eval(m, x->kid[i]);
		return r;
	}
	if (x->value < x->n || x->value > WIDE_ARRAY)
		terms_give_up("an array of a size that is not understood");
	object *o = new_object((unsigned)x->value, false);
	r = (value){.kind = V_POINTER, .o = o};
	for (unsigned i = 0; i < o->n; i++) /* items that are omitted are 0 */
		o->cells[i] = (cell){i < x->n ? item_of(eval(m, x->kid[i])) : constant(0), m->path, NULL, true};
	return r;
}

/* ---- operations */

static value divided(machine *m, const node *x, char op, value a, value b)
{
	value zero = constant(0);
	if (range_holds(b.lies, 0) && !implied(m, term_ne(b.t, zero.t)))
		terms_give_up("a divisor may be 0");
	range lies = range_of(-INT128_MAX, INT128_MAX);
	if (op == '%' && x->type == TYPE_SIGNED) { /* also undefined if the quotient overflows */
		value q = integer(term_quot(a.t, b.t), lies);
		int128 low, high;
		ends_of(x, &low, &high);
		if (a.lies.low <= low && range_holds(b.lies, -1)
		    && !implied(m, term_or(term_ne(a.t, term_number(low)), term_ne(b.t, term_number(-1)))))
			terms_give_up("the least number may be divided by -1");
		(void)q;
		return within_type(m, x, integer(term_rem(a.t, b.t), lies));
	}
	if (a.lies.low == INT128_MIN && range_holds(b.lies, -1)
	    && !implied(m, term_or(term_ne(a.t, term_number(INT128_MIN)), term_ne(b.t, term_number(-1)))))
		terms_give_up("the least number may be divided by -1");
	return within_type(m, x, integer(term_quot(a.t, b.t), lies));
}

static value arithmetic(machine *m, const node *x, const char *op, value a, value b)
{
	if (a.kind == V_POINTER && !strcmp(op, "+"))
		return moved(a, known_number(b, "an index that depends on symbols"));
	a = number_of(a);
	b = number_of(b);
	switch (op[0]) {
	case '+': return within_type(m, x, integer(term_add(a.t, b.t), range_add(a.lies, b.lies)));
	case '-': return within_type(m, x, integer(term_sub(a.t, b.t), range_add(a.lies, range_negate(b.lies))));
	case '*': return within_type(m, x, integer(term_mul(a.t, b.t), range_mul(a.lies, b.lies)));
	case '/': case '%': return divided(m, x, op[0], a, b);
	default: terms_give_up("an operator that is not known");
	}
}

static bool is(const char *a, const char *b)
{
	return !strcmp(a, b);
}

static value compared(const char *op, value a, value b)
{
	if (a.kind == V_FORMULA && b.kind == V_FORMULA) {
		term *differ = term_or(term_and(a.t, term_not(b.t)), term_and(term_not(a.t), b.t));
		if (is(op, "!=") || is(op, "=="))
			return formula(is(op, "!=") ? differ : term_not(differ));
	}
	a = number_of(a);
	b = number_of(b);
	return formula(is(op, "==") ? term_eq(a.t, b.t) : is(op, "!=") ? term_ne(a.t, b.t)
	    : is(op, "<") ? term_lt(a.t, b.t) : is(op, "<=") ? term_le(a.t, b.t)
	    : is(op, ">") ? term_lt(b.t, a.t) : term_le(b.t, a.t));
}

static value logical(machine *m, const node *x)
{
	bool and = is(x->op, "&&");
	value a = eval(m, x->kid[0]);
	term *left = truth_of(&a);
	if (left->kind == (and ? TERM_FALSE : TERM_TRUE))
		return formula(left);
	condition *before = m->path;
	push(m, and ? left : term_not(left));
	value b = eval(m, x->kid[1]);
	term *right = truth_of(&b);
	pop_to(m, before);
	return formula(and ? term_and(left, right) : term_or(left, right));
}

static value binary(machine *m, const node *x)
{
	const char *op = x->op;
	if (is(op, "&&") || is(op, "||"))
		return logical(m, x);
	value a = eval(m, x->kid[0]), b = eval(m, x->kid[1]);
	if (is(op, "==") || is(op, "!=") || is(op, "<") || is(op, "<=") || is(op, ">") || is(op, ">="))
		return compared(op, a, b);
	if (op[1])
		terms_give_up("an operator that is not known");
	return arithmetic(m, x, op, a, b);
}

static value chosen(machine *m, const node *x)
{
	value c = eval(m, x->kid[0]);
	term *f = truth_of(&c);
	if (f->kind == TERM_TRUE || f->kind == TERM_FALSE)
		return eval(m, x->kid[f->kind == TERM_TRUE ? 1 : 2]);
	condition *before = m->path;
	push(m, f);
	value a = eval(m, x->kid[1]);
	pop_to(m, before);
	push(m, term_not(f));
	value b = eval(m, x->kid[2]);
	pop_to(m, before);
	return select_value(f, a, b);
}

static value assigned(machine *m, const node *x)
{
	value p = address(m, x->kid[0]), v = eval(m, x->kid[1]);
	if (!is(x->op, "=")) {
		char op[2] = {x->op[0], 0};
		v = arithmetic(m, x->kid[0], op, load(m, &p), v);
	}
	store(m, &p, v, NULL);
	return v;
}

static value stepped(machine *m, const node *x, bool after)
{
	value p = address(m, x->kid[0]), old = load(m, &p);
	value v = arithmetic(m, x->kid[0], x->op[0] == '+' ? "+" : "-", old, constant(1));
	store(m, &p, v, NULL);
	return after ? old : v;
}

static value unary(machine *m, const node *x)
{
	if (is(x->op, "&"))
		return address(m, x->kid[0]);
	if (is(x->op, "++") || is(x->op, "--"))
		return stepped(m, x, false);
	value v = eval(m, x->kid[0]);
	if (is(x->op, "!"))
		return formula(term_not(truth_of(&v)));
	if (is(x->op, "-"))
		return arithmetic(m, x, "-", constant(0), v);
	if (is(x->op, "*"))
		return load(m, &v);
	terms_give_up("an operator that is not known");
}

/* ---- calls */

/* The model of arith.h's functions of two numbers, which equal_arithmetic proves of their text. */
static value primitive(machine *m, const char *name, value a, value b)
{
	a = number_of(a);
	b = number_of(b);
	if (is(name, "wide_min"))
		return integer(term_min(a.t, b.t), range_join(a.lies, b.lies));
	if (is(name, "wide_max"))
		return integer(term_max(a.t, b.t), range_join(a.lies, b.lies));
	if (range_holds(b.lies, 0) && !implied(m, term_ne(b.t, term_number(0))))
		terms_give_up("a divisor may be 0");
	if (is(name, "floormod"))
		return integer(term_mod(a.t, b.t), range_of(INT128_MIN, INT128_MAX));
	if (a.lies.low == INT128_MIN && range_holds(b.lies, -1)
	    && !implied(m, term_or(term_ne(a.t, term_number(INT128_MIN)), term_ne(b.t, term_number(-1)))))
		terms_give_up("the least number may be divided by -1");
	return integer(term_div(a.t, b.t), range_of(-INT128_MAX, INT128_MAX));
}

/* The checked form: stores the result and returns whether there is one. */
static value checked(machine *m, char op, value a, value b, const value *p, bool overflows)
{
	a = number_of(a);
	b = number_of(b);
	term *t = op == 'a' ? term_add(a.t, b.t) : op == 's' ? term_sub(a.t, b.t) : op == 'm' ? term_mul(a.t, b.t)
	    : op == 'd' ? term_div(a.t, b.t) : op == 'r' ? term_mod(a.t, b.t) : op == '<' ? term_min(a.t, b.t) : term_max(a.t, b.t);
	range lies = op == 'a' ? range_add(a.lies, b.lies) : op == 's' ? range_add(a.lies, range_negate(b.lies))
	    : op == 'm' ? range_mul(a.lies, b.lies) : range_of(INT128_MIN, INT128_MAX);
	term *f = range_fits(lies) ? term_true() : term_fits(t);
	if (op == 'd' || op == 'r')
		f = term_and(f, term_ne(b.t, term_number(0)));
	if (op == 'd' && a.lies.low == INT128_MIN && range_holds(b.lies, -1))
		f = term_and(f, term_fits(t));
	lies = range_fits(lies) ? lies : range_of(INT128_MIN, INT128_MAX);
	store(m, p, integer(t, lies), f);
	return formula(overflows ? term_not(f) : f);
}

static bool known_function(machine *m, const char *name, unsigned n, value *v, value *r)
{
	static const struct {
		const char *name;
		char op;
	} CHECKED[] = {{"checked_add", 'a'}, {"checked_sub", 's'}, {"checked_mul", 'm'}, {"checked_div", 'd'},
	    {"checked_mod", 'r'}, {"checked_min", '<'}, {"checked_max", '>'}};
	static const char *const PLAIN[] = {"floordiv", "floormod", "wide_min", "wide_max"};
	static const char *const BUILTIN[] = {"__builtin_add_overflow", "__builtin_sub_overflow", "__builtin_mul_overflow"};
	for (unsigned i = 0; i < 3 && n == 3; i++)
		if (is(name, BUILTIN[i]))
			return *r = checked(m, "asm"[i], v[0], v[1], &v[2], true), true;
	if (m->as_written)
		return false;
	for (unsigned i = 0; i < 4 && n == 2; i++)
		if (is(name, PLAIN[i]))
			return *r = primitive(m, name, v[0], v[1]), true;
	for (unsigned i = 0; i < 7 && n == 3; i++)
		if (is(name, CHECKED[i].name))
			return *r = checked(m, CHECKED[i].op, v[0], v[1], &v[2], false), true;
	return false;
}

static const char *called(const node *x)
{
	while (x->kind == NODE_CAST && x->n)
		x = x->kid[x->n - 1];
	if (x->kind != NODE_FUNCTION)
		terms_give_up("a call of what is no function");
	return x->text;
}

static value calling(machine *m, const node *x)
{
	value argument[32], r;
	unsigned n = x->n - 1;
	if (!x->n || n > 32)
		terms_give_up("a call of too many arguments");
	const char *name = called(x->kid[0]);
	for (unsigned i = 0; i < n; i++)
		argument[i] = eval(m, x->kid[i + 1]);
	if (known_function(m, name, n, argument, &r))
		return r;
	const function *f = source_find(m->s, name);
	if (!f)
		terms_give_up("a function that is not there is called");
	return call(m, f, n, argument);
}

static value eval(machine *m, const node *x)
{
	if (++m->steps > STEPS)
		terms_give_up("too many steps");
	value p;
	switch (x->kind) {
	case NODE_NUMBER: case NODE_SIZE: return constant(x->value);
	case NODE_VARIABLE:
		p = address(m, x);
		if (x->type == TYPE_ARRAY)
			return p.o->n == 1 && p.o->cells[0].v.kind == V_POINTER ? p.o->cells[0].v : p;
		return load(m, &p);
	case NODE_MEMBER: return member(m, x);
	case NODE_INDEX:
		p = address(m, x);
		return load(m, &p);
	case NODE_CALL: return calling(m, x);
	case NODE_BINARY: return binary(m, x);
	case NODE_ASSIGN: return assigned(m, x);
	case NODE_UNARY: return unary(m, x);
	case NODE_AFTER: return stepped(m, x, true);
	case NODE_CHOICE: return chosen(m, x);
	case NODE_LIST: return list(m, x);
	case NODE_CAST:
		if (x->n < 1)
			terms_give_up("a cast of nothing");
		p = eval(m, x->kid[x->n - 1]);
		return x->type == TYPE_OTHER ? p : cast(m, x, p);
	default: terms_give_up("an expression that is not understood");
	}
}

/* ---- statements */

static bool run(machine *m, const node *x);

/* The returned value, folded over all exits from number `since` on. */
static value folded(machine *m, unsigned since)
{
	value v = m->frame->result;
	while (m->frame->n > since) {
		exit_taken *e = &m->frame->exits[--m->frame->n];
		v = select_value(e->c, e->v, v);
	}
	return v;
}

static void note_exit(frame *f, exit_taken e)
{
	if (f->n == f->room) {
		f->room = f->room ? 2 * f->room : 16;
		f->exits = memory_grow(f->exits, f->room, sizeof *f->exits);
	}
	f->exits[f->n++] = e;
}

static bool branch(machine *m, const node *x)
{
	value c = eval(m, x->kid[0]);
	term *f = truth_of(&c);
	if (f->kind == TERM_TRUE)
		return run(m, x->kid[1]);
	if (f->kind == TERM_FALSE)
		return x->n > 2 && run(m, x->kid[2]);
	condition *before = m->path;
	unsigned since = m->frame->n;
	push(m, f);
	if (!run(m, x->kid[1]) || m->skips)
		terms_give_up("a branch on symbols that does not return");
	value v = folded(m, since);
	pop_to(m, before);
	note_exit(m->frame, (exit_taken){f, v});
	push(m, term_not(f));
	return x->n > 2 && run(m, x->kid[2]);
}

static bool loop(machine *m, const node *x)
{
	if (x->n != 4)
		terms_give_up("a loop that lacks a part");
	for (run(m, x->kid[0]);; eval(m, x->kid[2])) {
		value c = eval(m, x->kid[1]);
		term *f = truth_of(&c);
		if (f->kind == TERM_FALSE)
			return false;
		if (f->kind != TERM_TRUE)
			terms_give_up("a loop whose end depends on symbols");
		if (run(m, x->kid[3]) && !m->skips)
			return true;
		m->skips = false;
	}
}

static void define(machine *m, const node *x)
{
	object *o = new_object(1, false);
	m->frame->slot[x->slot] = o;
	if (x->n)
		o->cells[0] = (cell){eval(m, x->kid[0]), m->path, NULL, true};
}

/* True if the statement returned. */
static bool run(machine *m, const node *x)
{
	if (++m->steps > STEPS)
		terms_give_up("too many steps");
	switch (x->kind) {
	case NODE_BLOCK:
		for (unsigned i = 0; i < x->n; i++)
			if (run(m, x->kid[i]))
				return true;
		return false;
	case NODE_DEFINE: define(m, x); return false;
	case NODE_IF: return branch(m, x);
	case NODE_FOR: return loop(m, x);
	case NODE_DO: {
		if (x->n != 2 || run(m, x->kid[0]))
			return true;
		value c = eval(m, x->kid[1]);
		if (truth_of(&c)->kind != TERM_FALSE)
			terms_give_up("a loop that is not understood");
		return false;
	}
	case NODE_RETURN:
		m->frame->result = x->n ? eval(m, x->kid[0]) : (value){.kind = V_NONE};
		return true;
	case NODE_CONTINUE: return m->skips = true;
	case NODE_EMPTY: return false;
	default: eval(m, x); return false;
	}
}

static value call(machine *m, const function *f, unsigned n, value *argument)
{
	if (n != f->parameters || !f->body || ++m->depth > DEEP)
		terms_give_up("a call that is not understood");
	frame *outer = m->frame, inner = {.slot = memory_new(f->slots + 1, sizeof(object *))};
	condition *before = m->path;
	for (unsigned i = 0; i < n; i++) {
		inner.slot[i] = new_object(1, false);
		inner.slot[i]->cells[0] = (cell){argument[i], m->path, NULL, true};
	}
	m->frame = &inner;
	if (!run(m, f->body))
		terms_give_up("a function that may not return");
	value v = folded(m, 0);
	pop_to(m, before);
	m->frame = outer;
	m->depth--;
	free(inner.exits);
	free(inner.slot);
	return v;
}

/* ---- functions */

static value symbols(unsigned nsym)
{
	object *o = new_object(nsym, true);
	for (unsigned i = 0; i < nsym; i++)
		o->cells[i] = (cell){integer(term_symbol(i), range_of(INT64_MIN, INT64_MAX)), NULL, NULL, true};
	return (value){.kind = V_POINTER, .o = o};
}

static const function *wanted(const source *s, const char *name)
{
	const function *f = source_find(s, name);
	if (!f)
		terms_give_up("the function is not there");
	return f;
}

void interpret_valid(const source *s, const char *name, unsigned nsym, outcome *result)
{
	machine m = {.s = s, .known = facts_new()};
	value argument = symbols(nsym), v = call(&m, wanted(s, name), 1, &argument);
	*result = (outcome){.holds = truth_of(&v), .solver = m.solver};
	facts_free(m.known);
}

void interpret_shape(const source *s, const char *name, unsigned nsym, unsigned nodim, outcome *result)
{
	machine m = {.s = s, .known = facts_new()};
	value argument[] = {symbols(nsym), {.kind = V_POINTER, .o = new_object(nodim, false)}};
	value v = call(&m, wanted(s, name), 2, argument);
	*result = (outcome){.holds = truth_of(&v), .value = memory_new(nodim + 1, sizeof(term *))};
	push(&m, result->holds);
	for (unsigned i = 0; i < nodim && result->holds->kind != TERM_FALSE; i++) {
		value p = argument[1];
		p.at = i;
		result->value[i] = number_of(load(&m, &p)).t;
	}
	result->solver = m.solver;
	facts_free(m.known);
}

term *interpret_arithmetic(const source *s, const char *name, term *assuming, term **stored, bool *is_formula)
{
	range all = range_of(-INT128_MAX, INT128_MAX);
	machine m = {.s = s, .known = facts_new(), .as_written = true};
	value argument[] = {integer(term_opaque(0, all), all), integer(term_opaque(1, all), all),
	    {.kind = V_POINTER, .o = new_object(1, false)}};
	const function *f = wanted(s, name);
	push(&m, assuming);
	value v = call(&m, f, f->parameters, argument);
	*is_formula = v.kind == V_FORMULA;
	if (f->parameters == 3) {
		push(&m, truth_of(&v));
		*stored = number_of(load(&m, &argument[2])).t;
	}
	facts_free(m.known);
	return v.t;
}
