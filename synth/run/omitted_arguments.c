#include "omitted_arguments.h"

#include <limits.h>
#include <string.h>

#include "guard_text.h"
#include "family_page.h"
#include "need.h"

enum { MOST_NAMES = 8 };

static const int64_t VALUES[] = {0, -1};
static const char RANK[] = " rank(";

static const operator **operators_of(const family *f)
{
	const operator **ops = NEED_ARRAY(f->memory, const operator *, f->n);
	for (int i = 0; i < f->n; i++)
		ops[i] = f->solvers[i].op;
	return ops;
}

static void use(family *f, const operator *const *ops)
{
	for (int i = 0; i < f->n; i++)
		f->solvers[i].op = ops[i];
}

/* The number of rules, how often the pages distinguish signatures by ranks, and the length of all text beside
 * the signatures. */
typedef struct length {
	int rules, ranks;
	size_t text;
} length;

static const char *outputs_of(const char *page)
{
	return page ? strstr(page, "\"outputs\":") : NULL;
}

/* The rules as they were, by one rule for those that agree with it. */
static length solve(family *f, const rule *before, membership *to)
{
	length n = {0, 0, 0};
	for (int i = 0; i < f->n; i++)
		f->rules[i] = rule_copy((rule_store){f->pool, f->memory}, &before[i]);
	family_rules(f, to);
	for (int i = 0; i < f->n; i++) {
		f->rules[i].page = to[i].view ? family_page(f, to[i].view) : NULL;
		if (!f->rules[i].page)
			continue;
		n.rules++;
		n.text += strlen(outputs_of(f->rules[i].page));
		for (const char *at = strstr(f->rules[i].page, RANK); at; at = strstr(at + 1, RANK))
			n.ranks++;
	}
	return n;
}

/* ---- arguments that may be omitted */

static bool gives(const operator *op, const char *name)
{
	int64_t value;
	const call_value *v = call_named(op->call, name);
	return !call_is_none(v) && call_integer(v, &value);
}

/* Whether a signature omits an argument and is otherwise called like those that have it: some of them has each
 * of its arguments. */
static bool leaves_out(const operator *const *ops, int n, int i, const char *name)
{
	if (!call_is_none(call_named(ops[i]->call, name)))
		return false;
	for (int k = 0; k < ops[i]->nargs; k++) {
		const char *mine = ops[i]->arguments[k].name;
		bool there = call_is_none(call_named(ops[i]->call, mine));
		for (int j = 0; j < n && !there; j++)
			there = gives(ops[j], name) && !call_is_none(call_named(ops[j]->call, mine));
		if (!there)
			return false;
	}
	return true;
}

/* The rank of the largest tensor of a call. */
static int rank_of(const operator *op)
{
	int rank = 0;
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM && op->roles[i].len > rank)
			rank = op->roles[i].len;
	return rank;
}

/* Whether an argument is an integer constant in some signatures and omitted in others, and an omission cannot
 * mean the other value, or 1. */
static bool may_be(const operator *const *ops, int n, const char *name, int64_t value)
{
	bool there = false, clear = false;
	for (int i = 0; i < n; i++) {
		there |= gives(ops[i], name);
		clear |= leaves_out(ops, n, i, name) && rank_of(ops[i]) > (value < 0 ? 2 : 1);
	}
	return there && clear;
}

/* How often the page has the name between two texts. */
static int count_between(const char *page, const char *before, const char *name, const char *after)
{
	int found = 0;
	size_t b = strlen(before), n = strlen(name);
	for (const char *at = strstr(page, before); at; at = strstr(at + 1, before))
		found += strncmp(at + b, name, n) == 0 && strncmp(at + b + n, after, strlen(after)) == 0;
	return found;
}

/* Whether it names a dimension on the page. */
static bool is_axis(const char *page, const char *name)
{
	static const char *const WORDS[][2] = {{"[", "]"}, {"[", " "}, {", ", ")"}, {", ", ","}, {", ", " or 0"}, {"i = ", ""}, {"but ", ""},
	    {"before ", ""}, {"from ", " on"}};
	for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++)
		if (count_between(page, WORDS[k][0], name, WORDS[k][1]))
			return true;
	return false;
}

/* How often its value, or its omission, distinguishes signatures on the page; after: the words that follow. */
static int count_conditions(const char *page, const char *name, const char *after)
{
	return guard_text_asks(page, name, after) + count_between(page, "and ", name, after);
}

/* Whether the page says when it is omitted, or cannot give a position. */
static bool is_asked(const char *page, const char *name)
{
	return count_conditions(page, name, " ") || count_between(page, ", ", name, " or 0") || strstr(page, " for some i") || strstr(page, " in -");
}

/* Whether some page says an argument as an axis, or only its outputs do. */
static bool some_axis(const family *f, const char *name, bool outputs)
{
	for (int i = 0; i < f->n; i++) {
		const char *said = outputs_of(f->rules[i].page), *end = said ? strstr(said, "],\"clauses\":") : NULL;
		if (!said || !end)
			continue;
		char *text = need(arena_printf(f->memory, "%.*s", (int)(outputs ? end - said : (ptrdiff_t)strlen(said)), said), 1);
		if (is_axis(text, name))
			return true;
	}
	return false;
}

/* How often the pages ask what an argument is. */
static int conditions_of(const family *f, const char *name, const char *after)
{
	int n = 0;
	for (int i = 0; i < f->n; i++)
		n += f->rules[i].page ? count_conditions(outputs_of(f->rules[i].page), name, after) : 0;
	return n;
}

/* Whether the pages ask for the value that replaces an omitted argument. */
static bool asks_for(const family *f, const char *name, int64_t value)
{
	static const char *const IS[] = {" = ", " != "};
	for (size_t k = 0; k < sizeof IS / sizeof *IS; k++)
		if (conditions_of(f, name, need(arena_printf(f->memory, "%s%lld", IS[k], (long long)value), 1)))
			return true;
	return false;
}

/* Whether an argument is 0 or 1 wherever it is given, as a flag that is no axis. */
static bool is_flag(const operator *const *ops, int n, const char *name)
{
	int64_t value;
	for (int i = 0; i < n; i++) {
		const call_value *v = call_named(ops[i]->call, name);
		if (!call_is_none(v) && call_integer(v, &value) && (value < 0 || value > 1))
			return false;
	}
	return true;
}

/* An argument as the pages have it. */
typedef struct asked {
	const char *name;
	bool axis;
	int conditions;
} asked;

/* Arguments that may be asked for: those on pages, and all of APIs with several rules or whose outputs may
 * distinguish signatures. */
static int find_names(const family *f, const operator *const *ops, int rules, asked *names)
{
	int n = 0;
	for (int i = 0; i < f->n; i++)
		for (int k = 0; k < ops[i]->nargs && n < MOST_NAMES; k++) {
			const char *name = ops[i]->arguments[k].name;
			bool is = may_be(ops, f->n, name, 0), may = rules > 1 || ops[i]->from_end;
			for (int j = 0; j < n; j++)
				is &= strcmp(names[j].name, name) != 0;
			for (int j = 0; j < f->n && is; j++)
				may |= f->rules[j].page && is_asked(f->rules[j].page, name);
			if (is && may)
				names[n++] = (asked){name, some_axis(f, name, false) && !is_flag(ops, f->n, name), conditions_of(f, name, " ")};
		}
	return n;
}

/* The same signatures, except those that omit this argument. */
static const operator **assume(const family *f, const operator *const *ops, const char *name, int64_t value)
{
	const operator **to = NEED_ARRAY(f->memory, const operator *, f->n);
	for (int i = 0; i < f->n; i++)
		to[i] = leaves_out(ops, f->n, i, name) ? operator_assuming(f->memory, ops[i], name, value) : ops[i];
	return to;
}

/* Operators, their rules, and how long the pages are. */
typedef struct solution {
	const operator *const *ops;
	rule *rules;
	membership *members;
	length n;
} solution;

/* The rules of these operators as a solution that can be restored. */
static solution solution_of(family *f, const operator *const *ops, const rule *before, membership *to)
{
	solution x = {ops, NEED_ARRAY(f->memory, rule, f->n), NEED_ARRAY(f->memory, membership, f->n), {0, 0, 0}};
	use(f, ops);
	x.n = solve(f, before, to);
	memcpy(x.rules, f->rules, sizeof *x.rules * (size_t)f->n);
	memcpy(x.members, to, sizeof *to * (size_t)f->n);
	return x;
}

static void take(family *f, const solution *x, membership *to)
{
	use(f, x->ops);
	memcpy(f->rules, x->rules, sizeof *x->rules * (size_t)f->n);
	memcpy(to, x->members, sizeof *to * (size_t)f->n);
}

static bool is_shorter(const length *a, const length *b)
{
	return a->rules <= b->rules && a->ranks <= b->ranks && a->text < b->text;
}

/* The rules and pages under the dimensions for omitted arguments that make the pages shortest. */
static solution find_defaults(family *f, const operator *const *ops, const rule *before, membership *to)
{
	asked names[MOST_NAMES];
	solution best = solution_of(f, ops, before, to);
	int n = find_names(f, ops, best.n.rules, names);
	for (int k = 0; k < n; k++) {
		const operator *const *base = best.ops;
		const asked *a = &names[k];
		for (size_t v = 0; v < sizeof VALUES / sizeof *VALUES; v++) {
			if (!may_be(base, f->n, a->name, VALUES[v]))
				continue;
			solution x = solution_of(f, assume(f, base, a->name, VALUES[v]), before, to);
			int conditions = conditions_of(f, a->name, " ");
			if (is_shorter(&x.n, &best.n) && (!conditions || conditions < a->conditions) && !asks_for(f, a->name, VALUES[v])
			    && some_axis(f, a->name, !a->axis))
				best = x;
		}
	}
	take(f, &best, to);
	return best;
}

/* ---- from which end outputs are counted */

/* Whether signatures differ in the number of output tensors, with more than two in one of them, as if a tensor
 * is split. */
static bool may_count_from_end(const operator *const *ops, int n)
{
	int most = 0, least = INT_MAX;
	for (int i = 0; i < n; i++) {
		most = ops[i]->nout > most ? ops[i]->nout : most;
		least = ops[i]->nout < least ? ops[i]->nout : least;
		for (int t = 0; t < ops[i]->nout; t++)
			if (ops[i]->call->outputs[t].rank == 0)
				return false;
	}
	return most > 2 && least > 0 && least < most;
}

/* Whether all signatures have an argument for the number of outputs. */
static bool is_count(const operator *const *ops, int n, const char *name)
{
	for (int i = 0; i < n; i++) {
		int at = operator_argument(ops[i], name);
		if (at < 0 || !ops[i]->arguments[at].fixed || ops[i]->arguments[at].value != ops[i]->nout)
			return false;
	}
	return true;
}

/* Whether some signature in the family of operator i has several outputs. */
static bool has_several(const family *f, const membership *to, int i)
{
	for (int j = 0; j < f->n; j++)
		if (f->solvers[j].op->nout > 1 && to[j].leader == i)
			return true;
	return false;
}

/* Whether each page says several outputs, where there are such, as one. */
static bool says_together(const family *f, const membership *to)
{
	for (int i = 0; i < f->n; i++)
		if (f->rules[i].page && has_several(f, to, i) && !strstr(outputs_of(f->rules[i].page), " each k"))
			return false;
	return true;
}

static const operator **count_from_end(const family *f, const operator *const *ops)
{
	const operator **to = NEED_ARRAY(f->memory, const operator *, f->n);
	const char *count = NULL;
	for (int k = 0; k < ops[0]->nargs && !count; k++)
		count = is_count(ops, f->n, ops[0]->arguments[k].name) ? ops[0]->arguments[k].name : NULL;
	for (int i = 0; i < f->n; i++)
		to[i] = operator_from_end(f->memory, ops[i], count);
	return to;
}

void defaults_rules(family *f, membership *to)
{
	rule *before = NEED_ARRAY(f->memory, rule, f->n);
	for (int i = 0; i < f->n; i++)
		before[i] = rule_copy((rule_store){f->pool, f->memory}, &f->rules[i]);
	const operator *const *ops = operators_of(f);
	solution best = find_defaults(f, ops, before, to);
	if (!may_count_from_end(ops, f->n))
		return;
	solution other = find_defaults(f, count_from_end(f, ops), before, to);
	if (is_shorter(&other.n, &best.n) && says_together(f, to))
		return;
	take(f, &best, to);
}
