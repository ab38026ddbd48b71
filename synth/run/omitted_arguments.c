#include "omitted_arguments.h"

#include <limits.h>
#include <string.h>

#include "guard_text.h"
#include "family_page.h"
#include "need.h"

enum { MAX_NAMES = 8 };

static const int64_t VALUES[] = {0, -1};
static const char RANK[] = " rank(";

static const operator **operators_of(const api_solver *f)
{
	const operator **ops = NEED_ARRAY(f->memory, const operator *, f->n);
	for (int i = 0; i < f->n; i++)
		ops[i] = f->solvers[i].op;
	return ops;
}

static void use(api_solver *f, const operator *const *ops)
{
	for (int i = 0; i < f->n; i++)
		f->solvers[i].op = ops[i];
}

/* The length of an API's pages: rules, conditions on ranks, and bytes of the text after the signatures. */
typedef struct length {
	int rules, ranks;
	size_t text;
} length;

static const char *outputs_of(const char *page)
{
	return page ? strstr(page, "\"outputs\":") : NULL;
}

/* Unifies the rules in `before` into API rules, prints their pages and returns the pages' length. */
static length solve(api_solver *f, const rule *before, api_membership *to)
{
	length n = {0, 0, 0};
	for (int i = 0; i < f->n; i++)
		f->rules[i] = rule_copy((rule_store){f->pool, f->memory}, &before[i]);
	api_unify(f, to);
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

static bool has_integer(const operator *op, const char *name)
{
	int64_t value;
	const call_value *v = call_named(op->call, name);
	return !call_is_none(v) && call_integer(v, &value);
}

/* Whether signature i omits the argument and some signature that has it also has each other argument of i. */
static bool omits(const operator *const *ops, int n, int i, const char *name)
{
	if (!call_is_none(call_named(ops[i]->call, name)))
		return false;
	for (int k = 0; k < ops[i]->nargs; k++) {
		const char *mine = ops[i]->arguments[k].name;
		bool there = call_is_none(call_named(ops[i]->call, mine));
		for (int j = 0; j < n && !there; j++)
			there = has_integer(ops[j], name) && !call_is_none(call_named(ops[j]->call, mine));
		if (!there)
			return false;
	}
	return true;
}

/* The largest rank of a tensor among the call's inputs. */
static int rank_of(const operator *op)
{
	int rank = 0;
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM && op->roles[i].len > rank)
			rank = op->roles[i].len;
	return rank;
}

/* Whether some signature has the argument as an integer and another omits it with a rank at which the value is
 * unambiguous: at rank 1, -1 is 0; at rank 2, -1 is 1. */
static bool can_assume(const operator *const *ops, int n, const char *name, int64_t value)
{
	bool there = false, clear = false;
	for (int i = 0; i < n; i++) {
		there |= has_integer(ops[i], name);
		clear |= omits(ops, n, i, name) && rank_of(ops[i]) > (value < 0 ? 2 : 1);
	}
	return there && clear;
}

/* How often the page has the name between these two texts. */
static int count_between(const char *page, const char *before, const char *name, const char *after)
{
	int found = 0;
	size_t b = strlen(before), n = strlen(name);
	for (const char *at = strstr(page, before); at; at = strstr(at + 1, before))
		found += strncmp(at + b, name, n) == 0 && strncmp(at + b + n, after, strlen(after)) == 0;
	return found;
}

/* Whether the page uses the argument as a dimension index. */
static bool is_axis(const char *page, const char *name)
{
	static const char *const WORDS[][2] = {{"[", "]"}, {"[", " "}, {", ", ")"}, {", ", ","}, {", ", " or 0"}, {"i = ", ""}, {"but ", ""},
	    {"before ", ""}, {"from ", " on"}};
	for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++)
		if (count_between(page, WORDS[k][0], name, WORDS[k][1]))
			return true;
	return false;
}

/* How often the page distinguishes signatures by the argument's value or omission; after: the text after its name. */
static int count_conditions(const char *page, const char *name, const char *after)
{
	return guard_text_asks(page, name, after) + count_between(page, "and ", name, after);
}

/* Whether the page has a condition on the argument's omission, or cannot name a position. */
static bool is_conditional(const char *page, const char *name)
{
	return count_conditions(page, name, " ") || count_between(page, ", ", name, " or 0") || strstr(page, " for some i") || strstr(page, " in -");
}

/* Whether some page uses the argument as a dimension index; outputs: look at the output shapes only. */
static bool has_axis(const api_solver *f, const char *name, bool outputs)
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

/* Sums count_conditions() over all pages. */
static int conditions_of(const api_solver *f, const char *name, const char *after)
{
	int n = 0;
	for (int i = 0; i < f->n; i++)
		n += f->rules[i].page ? count_conditions(outputs_of(f->rules[i].page), name, after) : 0;
	return n;
}

/* Whether a page compares the argument with the assumed default, so the assumption only moved a condition. */
static bool tests_value(const api_solver *f, const char *name, int64_t value)
{
	static const char *const IS[] = {" = ", " != "};
	for (size_t k = 0; k < sizeof IS / sizeof *IS; k++)
		if (conditions_of(f, name, need(arena_printf(f->memory, "%s%lld", IS[k], (long long)value), 1)))
			return true;
	return false;
}

/* Whether the argument is 0 or 1 wherever it is given: a flag, no dimension index. */
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

/* An argument and its use on the pages without an assumed default. */
typedef struct page_argument {
	const char *name;
	bool axis;
	int conditions;
} page_argument;

/* The arguments to try a default for: those in conditions on pages, and, if the API has several rules or outputs are
 * counted from the end, all arguments. Returns their number. */
static int find_names(const api_solver *f, const operator *const *ops, int rules, page_argument *names)
{
	int n = 0;
	for (int i = 0; i < f->n; i++)
		for (int k = 0; k < ops[i]->nargs && n < MAX_NAMES; k++) {
			const char *name = ops[i]->arguments[k].name;
			bool is = can_assume(ops, f->n, name, 0), may = rules > 1 || ops[i]->from_end;
			for (int j = 0; j < n; j++)
				is &= strcmp(names[j].name, name) != 0;
			for (int j = 0; j < f->n && is; j++)
				may |= f->rules[j].page && is_conditional(f->rules[j].page, name);
			if (is && may)
				names[n++] = (page_argument){name, has_axis(f, name, false) && !is_flag(ops, f->n, name), conditions_of(f, name, " ")};
		}
	return n;
}

/* The signatures, where those that omit the argument get this value. */
static const operator **assume_value(const api_solver *f, const operator *const *ops, const char *name, int64_t value)
{
	const operator **to = NEED_ARRAY(f->memory, const operator *, f->n);
	for (int i = 0; i < f->n; i++)
		to[i] = omits(ops, f->n, i, name) ? operator_assuming(f->memory, ops[i], name, value) : ops[i];
	return to;
}

/* Signatures, their rules and the length of their pages. */
typedef struct solution {
	const operator *const *ops;
	rule *rules;
	api_membership *members;
	length n;
} solution;

/* Solves the API with these signatures and saves the result. */
static solution solution_of(api_solver *f, const operator *const *ops, const rule *before, api_membership *to)
{
	solution x = {ops, NEED_ARRAY(f->memory, rule, f->n), NEED_ARRAY(f->memory, api_membership, f->n), {0, 0, 0}};
	use(f, ops);
	x.n = solve(f, before, to);
	memcpy(x.rules, f->rules, sizeof *x.rules * (size_t)f->n);
	memcpy(x.members, to, sizeof *to * (size_t)f->n);
	return x;
}

static void take(api_solver *f, const solution *x, api_membership *to)
{
	use(f, x->ops);
	memcpy(f->rules, x->rules, sizeof *x->rules * (size_t)f->n);
	memcpy(to, x->members, sizeof *to * (size_t)f->n);
}

static bool is_shorter(const length *a, const length *b)
{
	return a->rules <= b->rules && a->ranks <= b->ranks && a->text < b->text;
}

/* Tries each default of each omitted argument. Keeps and returns the solution with the shortest pages. */
static solution find_defaults(api_solver *f, const operator *const *ops, const rule *before, api_membership *to)
{
	page_argument names[MAX_NAMES];
	solution best = solution_of(f, ops, before, to);
	int n = find_names(f, ops, best.n.rules, names);
	for (int k = 0; k < n; k++) {
		const operator *const *base = best.ops;
		const page_argument *a = &names[k];
		for (size_t v = 0; v < sizeof VALUES / sizeof *VALUES; v++) {
			if (!can_assume(base, f->n, a->name, VALUES[v]))
				continue;
			solution x = solution_of(f, assume_value(f, base, a->name, VALUES[v]), before, to);
			int conditions = conditions_of(f, a->name, " ");
			if (is_shorter(&x.n, &best.n) && (!conditions || conditions < a->conditions) && !tests_value(f, a->name, VALUES[v])
			    && has_axis(f, a->name, !a->axis))
				best = x;
		}
	}
	take(f, &best, to);
	return best;
}

/* ---- outputs counted from the end */

/* Whether signatures differ in their number of outputs and one has more than two, as when a tensor is split. Scalars
 * rule it out. */
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

/* Whether the argument equals the number of outputs in all signatures. */
static bool is_count(const operator *const *ops, int n, const char *name)
{
	for (int i = 0; i < n; i++) {
		int at = operator_argument(ops[i], name);
		if (at < 0 || !ops[i]->arguments[at].fixed || ops[i]->arguments[at].value != ops[i]->nout)
			return false;
	}
	return true;
}

/* Whether some instance of representative i has several outputs. */
static bool has_several(const api_solver *f, const api_membership *to, int i)
{
	for (int j = 0; j < f->n; j++)
		if (f->solvers[j].op->nout > 1 && to[j].representative == i)
			return true;
	return false;
}

/* Whether each page with several outputs describes them by one formula. */
static bool merges_outputs(const api_solver *f, const api_membership *to)
{
	for (int i = 0; i < f->n; i++)
		if (f->rules[i].page && has_several(f, to, i) && !strstr(outputs_of(f->rules[i].page), " each k"))
			return false;
	return true;
}

static const operator **count_from_end(const api_solver *f, const operator *const *ops)
{
	const operator **to = NEED_ARRAY(f->memory, const operator *, f->n);
	const char *count = NULL;
	for (int k = 0; k < ops[0]->nargs && !count; k++)
		count = is_count(ops, f->n, ops[0]->arguments[k].name) ? ops[0]->arguments[k].name : NULL;
	for (int i = 0; i < f->n; i++)
		to[i] = operator_from_end(f->memory, ops[i], count);
	return to;
}

void omitted_arguments_solve(api_solver *f, api_membership *to)
{
	rule *before = NEED_ARRAY(f->memory, rule, f->n);
	for (int i = 0; i < f->n; i++)
		before[i] = rule_copy((rule_store){f->pool, f->memory}, &f->rules[i]);
	const operator *const *ops = operators_of(f);
	solution best = find_defaults(f, ops, before, to);
	if (!may_count_from_end(ops, f->n))
		return;
	solution other = find_defaults(f, count_from_end(f, ops), before, to);
	if (is_shorter(&other.n, &best.n) && merges_outputs(f, to))
		return;
	take(f, &best, to);
}
