#include "page_guard.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"
#include "ruletable.h"

enum {
	MAX_TERMS = 96,
	MAX_ALL_TERMS = 6, /* of all branches: readers remember no more */
	COST_DIFFERS = 4,
	COST_FLOAT = 8,
	COST_DTYPE = 8,   /* it decides no shape */
	COST_DEFAULT = 2, /* "is given", although the default has a name */
	COST_BRANCH = 6
};

typedef struct value { /* what an aspect of an argument is; text NULL: it has none */
	const char *text;
	int64_t number;
	bool is_number;
	bool is_no_word; /* an integer, a list, a tensor, or omitted without a known default: it differs from True and 'same' */
} value;

typedef struct entry {
	page_term term;
	int cost;
	uint64_t *in, *out; /* the signatures for which it holds */
} entry;

typedef struct search {
	const page_question *q;
	size_t words;
	uint64_t *in, *out; /* those to tell apart */
	entry list[MAX_TERMS];
	int n;
} search;

typedef struct choice {
	const entry *terms[PAGE_TERMS];
	int n, gain, cost;
} choice;

/* ---- values */

static value number_value(const page_question *q, int64_t number)
{
	return (value){.text = need(arena_printf(q->memory, "%lld", (long long)number), 1), .number = number, .is_number = true};
}

static value text_value(const char *text)
{
	char *end;
	value v = {.text = text, .number = strtoll(text, &end, 10)};
	v.is_number = end != text && !*end;
	return v;
}

/* The value of a tensor whose elements are written; other values as they are. */
static const call_value *inside(const call_value *v)
{
	return v && v->kind == CALL_ELEMENTS ? &v->items[0] : v;
}

static value constant_of(const page_question *q, const call_value *v, const char *argument)
{
	int64_t number;
	if (call_is_none(v)) {
		for (int k = 0; k < q->ndefaults; k++)
			if (strcmp(q->defaults[k].argument, argument) == 0)
				return text_value(q->defaults[k].text);
		return (value){.is_no_word = true};
	}
	if (call_integer(v, &number))
		return number_value(q, number);
	if (v->kind == CALL_CONST && v->count <= 1)
		return text_value(v->text);
	return (value){.is_no_word = v->kind == CALL_LIST || v->kind == CALL_TENSOR || v->kind == CALL_INT};
}

static bool is_float(const char *text)
{
	char *end;
	strtod(text, &end);
	return end != text && !*end;
}

static value kind_of(const call_value *v)
{
	static const char *const KINDS[] = {[CALL_INT] = "a number", [CALL_TENSOR] = "a tensor", [CALL_LIST] = "a list", [CALL_ELEMENTS] = NULL, [CALL_CONST] = NULL};
	int64_t number;
	const bool is_number = v && v->kind == CALL_CONST && (call_integer(v, &number) || is_float(v->text));
	return (value){.text = v ? is_number ? KINDS[CALL_INT] : KINDS[v->kind] : NULL};
}

static value value_of(const page_question *q, int i, const char *argument, page_aspect aspect)
{
	static const value NONE = {0};
	const call_value *whole = call_named(q->ops[i]->call, argument), *v = inside(whole);
	const bool list = v && v->kind == CALL_LIST;
	switch (aspect) {
	case PAGE_GIVEN: return call_is_none(whole) ? NONE : text_value("");
	case PAGE_CONSTANT: return constant_of(q, whole, argument);
	case PAGE_KIND: return kind_of(v);
	case PAGE_RANK:
		v = list && v->count ? &v->items[0] : v;
		return v && v->kind == CALL_TENSOR ? number_value(q, v->count) : NONE;
	case PAGE_LENGTH: return list ? number_value(q, v->count) : NONE;
	case PAGE_OUTPUTS: return number_value(q, q->ops[i]->nout);
	}
	return NONE;
}

static bool relates(const page_term *t, value v)
{
	if (t->aspect == PAGE_GIVEN)
		return (v.text != NULL) == (t->relation == PAGE_IS);
	if (!v.text)
		return v.is_no_word && t->relation == PAGE_IS_NOT && !text_value(t->values[0]).is_number;
	bool same = false;
	for (int k = 0; k < t->nvalues; k++)
		same = same || strcmp(v.text, t->values[k]) == 0;
	switch (t->relation) {
	case PAGE_IS:
	case PAGE_IN: return same;
	case PAGE_IS_NOT: return !same;
	case PAGE_AT_LEAST: return v.is_number && v.number >= strtoll(t->values[0], NULL, 10);
	case PAGE_AT_MOST: return v.is_number && v.number <= strtoll(t->values[0], NULL, 10);
	}
	return false;
}

/* ---- terms */

static bool is_out(const page_question *q, int i)
{
	return q->out ? q->out[i] : !q->in[i];
}

/* Whether a constant names a dtype: 'int8', torch.float32. */
static bool is_dtype(const char *text)
{
	static const char *const NAMES[] = {
#define X(NAME, name, bytes) name,
	    RS_DTYPES(X)
#undef X
	};
	const char *dot = *text == '\'' ? text : strrchr(text, '.');
	const size_t n = dot ? strcspn(dot + 1, "'") : 0;
	for (size_t d = 0; d < sizeof NAMES / sizeof *NAMES && n; d++)
		if (strlen(NAMES[d]) == n && memcmp(dot + 1, NAMES[d], n) == 0)
			return true;
	return false;
}

static int cost_of(const page_question *q, const page_term *t)
{
	static const int COSTS[] = {[PAGE_GIVEN] = 8, [PAGE_CONSTANT] = 8, [PAGE_KIND] = 9, [PAGE_RANK] = 10, [PAGE_LENGTH] = 12, [PAGE_OUTPUTS] = 16};
	const bool number = t->aspect == PAGE_CONSTANT && t->relation >= PAGE_AT_LEAST;
	int cost = COSTS[t->aspect];
	switch (t->relation) {
	case PAGE_IS: break;
	case PAGE_IS_NOT: cost += t->aspect == PAGE_GIVEN ? 1 : COST_DIFFERS; break;
	case PAGE_AT_LEAST:
	case PAGE_AT_MOST: cost += number ? COST_DIFFERS : 2; break;
	case PAGE_IN: cost += 2 * t->nvalues; break;
	}
	for (int k = 0; k < q->ndefaults && t->aspect == PAGE_GIVEN; k++)
		cost += strcmp(q->defaults[k].argument, t->argument) == 0 ? COST_DEFAULT : 0;
	for (int k = 0; k < t->nvalues && t->aspect == PAGE_CONSTANT; k++)
		cost += is_dtype(t->values[k]) ? COST_DTYPE : !text_value(t->values[k]).is_number && is_float(t->values[k]) ? COST_FLOAT : 0;
	for (int k = 0; k < q->nmentioned; k++)
		if (strcmp(q->mentioned[k], t->argument) == 0)
			return cost - 1;
	return cost;
}

static int count(const uint64_t *bits, size_t words)
{
	int n = 0;
	for (size_t k = 0; k < words; k++)
		n += __builtin_popcountll(bits[k]);
	return n;
}

/* Adds a term that holds for some signatures and excludes some. Of two that hold for the same ones, the cheaper stays. */
static void add_term(search *s, page_term t)
{
	const page_question *q = s->q;
	entry e = {.term = t, .cost = cost_of(q, &t), .in = NEED_ARRAY(q->memory, uint64_t, s->words), .out = NEED_ARRAY(q->memory, uint64_t, s->words)};
	for (int i = 0; i < q->n; i++)
		if ((q->in[i] || is_out(q, i)) && relates(&t, value_of(q, i, t.argument, t.aspect)))
			(q->in[i] ? e.in : e.out)[i / 64] |= UINT64_C(1) << i % 64;
	if (!count(e.in, s->words) || count(e.out, s->words) == count(s->out, s->words))
		return;
	for (int k = 0; k < s->n; k++)
		if (memcmp(s->list[k].in, e.in, sizeof *e.in * s->words) == 0 && memcmp(s->list[k].out, e.out, sizeof *e.out * s->words) == 0) {
			s->list[k] = e.cost < s->list[k].cost ? e : s->list[k];
			return;
		}
	if (s->n < MAX_TERMS)
		s->list[s->n++] = e;
}

/* What an aspect of an argument is in some signature. */
static void add_value(search *s, const char *argument, page_aspect aspect, value v)
{
	page_term t = {.argument = argument, .aspect = aspect, .values = {v.text}, .nvalues = aspect != PAGE_GIVEN};
	const page_relation last = v.is_number ? PAGE_AT_MOST : PAGE_IS_NOT;
	for (t.relation = PAGE_IS; t.relation <= last; t.relation++)
		add_term(s, t);
}

/* The constants that an argument has in the signatures to find. Of ranks and lengths, several that are no range are chance. */
static void add_set(search *s, const char *argument)
{
	page_term t = {.argument = argument, .aspect = PAGE_CONSTANT, .relation = PAGE_IN};
	for (int i = 0; i < s->q->n; i++) {
		const value v = s->q->in[i] ? value_of(s->q, i, argument, PAGE_CONSTANT) : (value){0};
		bool known = !v.text;
		for (int k = 0; k < t.nvalues && !known; k++)
			known = strcmp(t.values[k], v.text) == 0;
		if (!known && t.nvalues == PAGE_VALUES)
			return;
		if (!known)
			t.values[t.nvalues++] = v.text;
	}
	if (t.nvalues > 1)
		add_term(s, t);
}

/* Whether an argument is the same float in all signatures to find. */
static bool is_one_float(const page_question *q, const char *argument)
{
	const char *first = NULL;
	for (int i = 0; i < q->n; i++) {
		const value v = q->in[i] ? constant_of(q, call_named(q->ops[i]->call, argument), argument) : (value){0};
		if (!q->in[i])
			continue;
		if (!v.text || v.is_number || !is_float(v.text) || (first && strcmp(first, v.text) != 0))
			return false;
		first = v.text;
	}
	return first != NULL;
}

static void add_argument(search *s, const char *argument)
{
	for (page_aspect aspect = PAGE_GIVEN; aspect <= PAGE_LENGTH; aspect++)
		for (int i = 0; i < s->q->n; i++) {
			const value v = s->q->in[i] || is_out(s->q, i) ? value_of(s->q, i, argument, aspect) : (value){0};
			if (v.text)
				add_value(s, argument, aspect, v);
		}
	add_set(s, argument);
}

static void add_terms(search *s)
{
	const page_question *q = s->q;
	for (int i = 0; i < q->n; i++)
		for (int a = 0; a < q->ops[i]->call->nargs; a++) {
			const char *name = q->ops[i]->call->args[a].name;
			bool earlier = false;
			for (int j = 0; j < i && !earlier; j++)
				earlier = call_named(q->ops[j]->call, name) != NULL;
			if (!earlier)
				add_argument(s, name);
		}
	for (int i = 0; i < q->n; i++)
		if (q->in[i])
			add_value(s, "", PAGE_OUTPUTS, value_of(q, i, "", PAGE_OUTPUTS));
}

/* ---- the cheapest */

/* Compares a conjunction with the best one: most of `open`, then cheapest. False: it holds for a signature to exclude. */
static bool try_terms(const search *s, const uint64_t *open, choice *best, const entry *const *terms, int n)
{
	choice c = {.n = n};
	for (size_t w = 0; w < s->words; w++) {
		uint64_t in = open[w], out = s->out[w];
		for (int k = 0; k < n; k++) {
			in &= terms[k]->in[w];
			out &= terms[k]->out[w];
		}
		if (out)
			return false;
		c.gain += __builtin_popcountll(in);
	}
	for (int k = 0; k < n; k++) {
		c.terms[k] = terms[k];
		c.cost += terms[k]->cost;
	}
	if (c.gain > best->gain || (c.gain == best->gain && c.gain && c.cost < best->cost))
		*best = c;
	return true;
}

/* The best conjunction of at most `most` terms. */
static choice best_terms(const search *s, const uint64_t *open, int most)
{
	choice best = {.n = 0};
	for (int a = 0; a < s->n; a++) {
		if (try_terms(s, open, &best, (const entry *[]){&s->list[a]}, 1))
			continue;
		for (int b = a + 1; b < s->n && most > 1; b++) {
			if (try_terms(s, open, &best, (const entry *[]){&s->list[a], &s->list[b]}, 2))
				continue;
			for (int c = b + 1; c < s->n && most > 2; c++)
				try_terms(s, open, &best, (const entry *[]){&s->list[a], &s->list[b], &s->list[c]}, 3);
		}
	}
	return best;
}

/* Branches of at most `most` terms that together hold for all. False: they do not. */
static bool find_branches(const search *s, int most, page_guard *to, int *cost)
{
	uint64_t *open = NEED_ARRAY(s->q->memory, uint64_t, s->words);
	int terms = 0;
	memcpy(open, s->in, sizeof *open * s->words);
	*to = (page_guard){.n = 0};
	*cost = 0;
	while (count(open, s->words)) {
		const choice c = best_terms(s, open, most);
		terms += c.n;
		if (!c.gain || to->n == PAGE_BRANCHES || (to->n && terms > MAX_ALL_TERMS))
			return false;
		page_branch *b = &to->branches[to->n++];
		for (b->n = 0; b->n < c.n; b->n++)
			b->terms[b->n] = c.terms[b->n]->term;
		for (size_t w = 0; w < s->words; w++) {
			uint64_t in = s->in[w];
			for (int k = 0; k < c.n; k++)
				in &= c.terms[k]->in[w];
			open[w] &= ~in;
		}
		*cost += c.cost + COST_BRANCH;
	}
	return true;
}

/* The condition that an argument is the one float that it is in the signatures to find and no other. False: there is no such argument. */
static bool find_float(search *s, page_guard *to)
{
	const page_question *q = s->q;
	int first = 0;
	while (first < q->n && !q->in[first])
		first++;
	for (int a = 0; a < q->ops[first]->call->nargs; a++) {
		const char *name = q->ops[first]->call->args[a].name;
		s->n = 0;
		if (is_one_float(q, name))
			add_value(s, name, PAGE_CONSTANT, constant_of(q, call_named(q->ops[first]->call, name), name));
		for (int k = 0; k < s->n; k++)
			if (s->list[k].term.relation == PAGE_IS && !count(s->list[k].out, s->words)) {
				*to = (page_guard){.branches = {{.terms = {s->list[k].term}, .n = 1}}, .n = 1};
				s->n = 0;
				return true;
			}
	}
	s->n = 0;
	return false;
}

bool page_guard_find(page_guard *to, const page_question *q)
{
	search *s = NEED_ARRAY(q->memory, search, 1);
	bool found = false;
	int best = 0;
	*s = (search){.q = q, .words = (size_t)q->n / 64 + 1};
	s->in = NEED_ARRAY(q->memory, uint64_t, s->words);
	s->out = NEED_ARRAY(q->memory, uint64_t, s->words);
	for (int i = 0; i < q->n; i++) {
		s->in[i / 64] |= (uint64_t)q->in[i] << i % 64;
		s->out[i / 64] |= (uint64_t)(!q->in[i] && is_out(q, i)) << i % 64;
	}
	if (!count(s->in, s->words))
		return false;
	if (q->exact && find_float(s, to))
		return true;
	add_terms(s);
	for (int most = 1; most <= PAGE_TERMS; most++) {
		page_guard g;
		int cost;
		if (!find_branches(s, most, &g, &cost) || (found && cost >= best))
			continue;
		*to = g;
		best = cost;
		found = true;
		if (g.n == 1)
			return true;
	}
	return found;
}
