#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "need.h"
#include "costs.h"

enum { MAX_CANDIDATES = 256 };

/* Whether a constant is a float or contains one. */
static bool is_float(const char *text)
{
	return *text != '\'' && strchr(text, '.') != NULL;
}

static bool constant_of(const call_value *v, char *to, size_t room)
{
	if (call_is_none(v))
		return *to = 0, true;
	if (v->kind != CALL_CONST || is_float(v->text) || strlen(v->text) >= room)
		return false;
	strcpy(to, v->text);
	return true;
}

/* An aspect of an argument as text; false if it has none. */
static bool value_of(const operator *op, const char *argument, enum guard_aspect aspect, char *to, size_t room)
{
	static const char *const KINDS[] = {[CALL_INT] = "a number", [CALL_TENSOR] = "a tensor", [CALL_LIST] = "a list", [CALL_CONST] = NULL};
	const call_value *v = call_named(op->call, argument);
	switch (aspect) {
	case GUARD_CONSTANT: return constant_of(v, to, room);
	case GUARD_KIND:
		if (!v || !KINDS[v->kind])
			return false;
		strcpy(to, KINDS[v->kind]);
		return true;
	case GUARD_RANK:
		if (!v || v->kind != CALL_TENSOR)
			return false;
		snprintf(to, room, "%d", v->count);
		return true;
	case GUARD_OUTPUTS: snprintf(to, room, "%d", op->nout); return op->from_end;
	case GUARD_ASPECTS: break;
	}
	return false;
}

static bool term_holds(const guard_term *t, const operator *op)
{
	char value[sizeof t->value];
	bool same = value_of(op, t->argument, t->aspect, value, sizeof value) && strcmp(value, t->value) == 0;
	return same != t->differs;
}

bool guard_holds(const guard *g, const operator *op)
{
	for (int k = 0; k < g->n; k++)
		if (!term_holds(&g->terms[k], op))
			return false;
	return true;
}

/* ---- search */

static int term_cost(const guard_term *t)
{
	static const int COSTS[] = {[GUARD_CONSTANT] = COST_WHERE_CONSTANT, [GUARD_KIND] = COST_WHERE_KIND, [GUARD_RANK] = COST_WHERE_RANK, [GUARD_OUTPUTS] = COST_WHERE_OUTPUTS};
	return COSTS[t->aspect] + (t->differs && *t->value ? COST_WHERE_DIFFERS : 0);
}

typedef struct candidates {
	guard_term list[MAX_CANDIDATES];
	int n;
} candidates;

static bool same_term(const guard_term *a, const guard_term *b)
{
	return a->aspect == b->aspect && a->differs == b->differs && strcmp(a->argument, b->argument) == 0 && strcmp(a->value, b->value) == 0;
}

/* Adds the properties of one operator (with `differs`, their negations) that all of `in` satisfy. */
static void add_terms(candidates *c, const operator *const *ops, int n, const bool *in, int from, const char *argument, bool differs)
{
	for (int aspect = 0; aspect < GUARD_ASPECTS; aspect++) {
		guard_term t = {.argument = aspect == GUARD_OUTPUTS ? "" : argument, .aspect = (enum guard_aspect)aspect, .differs = differs};
		bool meets = c->n < MAX_CANDIDATES && value_of(ops[from], argument, t.aspect, t.value, sizeof t.value);
		for (int i = 0; i < n && meets; i++)
			meets = !in[i] || term_holds(&t, ops[i]);
		for (int k = 0; k < c->n && meets; k++)
			meets = !same_term(&c->list[k], &t);
		if (meets)
			c->list[c->n++] = t;
	}
}

static bool is_out(const bool *in, const bool *out, int i)
{
	return out ? out[i] : !in[i];
}

static void add_candidates(candidates *c, const operator *const *ops, int n, const bool *in, const bool *out)
{
	int first = 0;
	while (first < n && !in[first])
		first++;
	for (int j = 0; j < n && first < n; j++) {
		if (j != first && !is_out(in, out, j))
			continue;
		const call *one = ops[j]->call;
		for (int a = 0; a < one->nargs; a++) {
			add_terms(c, ops, n, in, first, one->args[a].name, false);
			if (j != first)
				add_terms(c, ops, n, in, j, one->args[a].name, true);
		}
	}
	for (int j = 0; j < n && first < n; j++) /* properties of arguments that others omit */
		for (int a = 0; a < ops[first]->call->nargs && is_out(in, out, j); a++)
			add_terms(c, ops, n, in, j, ops[first]->call->args[a].name, true);
}

/* Whether no operator of `out` satisfies both terms. */
static bool excludes(const operator *const *ops, int n, const bool *in, const bool *out, const guard_term *a, const guard_term *b)
{
	for (int i = 0; i < n; i++)
		if (is_out(in, out, i) && term_holds(a, ops[i]) && term_holds(b, ops[i]))
			return false;
	return true;
}

/* Whether a term is about an argument that all operators on one side omit and none on the other, and that is not a constant
 * there. */
static bool is_presence(const operator *const *ops, int n, const bool *in, const bool *out, const guard_term *t)
{
	for (int i = 0; i < n; i++) {
		const call_value *v = call_named(ops[i]->call, t->argument);
		bool given = !call_is_none(v), other = is_out(in, out, i);
		if ((in[i] && given != t->differs) || (other && given == t->differs) || (given && v->kind == CALL_CONST))
			return false;
	}
	return true;
}

/* Whether all of `out` have one value, as for a flag: transA = 1 inside, omitted outside. */
static bool is_flag(const operator *const *ops, int n, const bool *in, const bool *out, const guard_term *t)
{
	char value[sizeof t->value], first[sizeof t->value];
	bool any = false;
	for (int i = 0; i < n; i++) {
		if (!is_out(in, out, i))
			continue;
		if (!value_of(ops[i], t->argument, t->aspect, value, sizeof value) || (any && strcmp(value, first) != 0))
			return false;
		strcpy(first, value);
		any = true;
	}
	return any;
}

/* Preference among terms of equal cost: presence of an argument, then a flag. */
static int standing(const operator *const *ops, int n, const bool *in, const bool *out, const guard_term *t)
{
	if (t->aspect == GUARD_CONSTANT && !*t->value && is_presence(ops, n, in, out, t))
		return 1 + t->differs;
	return is_flag(ops, n, in, out, t);
}

bool guard_find(guard *to, const operator *const *ops, int n, const bool *in, const bool *out)
{
	candidates *c = need(calloc(1, sizeof *c), sizeof *c);
	*to = (guard){.n = 0};
	add_candidates(c, ops, n, in, out);
	for (int several = 0; several < 2 && !to->n; several++)
		for (int a = 0; a < c->n; a++)
			for (int b = several ? a + 1 : a; b < (several ? c->n : a + 1); b++) {
				int cost = term_cost(&c->list[a]) + (several ? term_cost(&c->list[b]) : 0);
				bool costlier = to->n && to->cost < cost, alike = to->n && to->cost == cost;
				if (costlier || (alike && several) || !excludes(ops, n, in, out, &c->list[a], &c->list[b]))
					continue;
				if (alike && standing(ops, n, in, out, &to->terms[0]) >= standing(ops, n, in, out, &c->list[a]))
					continue;
				*to = (guard){.terms = {c->list[a], c->list[b]}, .n = several + 1, .cost = cost};
			}
	free(c);
	return to->n > 0;
}

/* ---- text */

static void put_term(buf *to, const guard_term *t)
{
	switch (t->aspect) {
	case GUARD_RANK: buf_printf(to, "rank(%s) %s %s", t->argument, t->differs ? "!=" : "=", t->value); break;
	case GUARD_OUTPUTS: buf_printf(to, "len(out) %s %s", t->differs ? "!=" : "=", t->value); break;
	case GUARD_KIND: buf_printf(to, "%s is %s%s", t->argument, t->differs ? "not " : "", t->value); break;
	default:
		if (!*t->value)
			buf_printf(to, "%s is %s", t->argument, t->differs ? "given" : "omitted");
		else
			buf_printf(to, "%s %s %s", t->argument, t->differs ? "!=" : "=", t->value);
	}
}

void guard_put(buf *to, const guard *g)
{
	for (int k = 0; k < g->n; k++) {
		buf_puts(to, k ? " and " : "");
		put_term(to, &g->terms[k]);
	}
}
