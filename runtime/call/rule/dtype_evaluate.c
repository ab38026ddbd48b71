#include "dtype_evaluate.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rulesmith.h"

enum { DTYPES = RS_STRING + 1, SLOTS = 8, ITEMS_MOST = 64, PAIRS_MOST = 32 };
enum { KIND_NONE = -1, KIND_NOT_SAID = -2 };

/* ---- parts of the code */

static void skip_codes(rule_code *at)
{
	for (uint64_t n = code_u(at); n; n--) {
		code_u(at);
		code_u(at);
	}
}

static void skip_sets(rule_code *at)
{
	const uint64_t n = code_u(at);
	*at += n * 2 * RS_KIND_BYTES;
}

static void skip_tables(rule_code *at)
{
	for (uint64_t n = code_u(at); n; n--) {
		const uint64_t size = code_u(at);
		*at += size;
	}
}

static void read_set(rule_code whole, uint64_t number, uint64_t *accepted, uint64_t *rejected)
{
	code_u(&whole);
	skip_codes(&whole);
	code_u(&whole);
	whole += number * 2 * RS_KIND_BYTES;
	*accepted = *rejected = 0;
	for (int k = 0; k < RS_KIND_BYTES; k++) {
		*accepted |= (uint64_t)whole[k] << 8 * k;
		*rejected |= (uint64_t)whole[RS_KIND_BYTES + k] << 8 * k;
	}
}

static uint8_t read_cell(rule_code whole, uint64_t number, int a, int b)
{
	code_u(&whole);
	skip_codes(&whole);
	skip_sets(&whole);
	for (code_u(&whole); number; number--) {
		const uint64_t size = code_u(&whole);
		whole += size;
	}
	code_u(&whole);
	const uint64_t columns = code_u(&whole);
	return whole[2 * RS_KINDS + whole[a] * columns + whole[RS_KINDS + b]];
}

bool dtype_code_find(const rs_api_rules *rules, const char *api, dtype_code *out)
{
	if (!rules || !rules->dtypes)
		return false;
	rule_code at = rules->dtypes;
	*out = (dtype_code){.whole = at};
	code_u(&at);
	skip_codes(&at);
	skip_sets(&at);
	skip_tables(&at);
	for (uint64_t n = code_u(&at); n; n--) {
		const bool found = strcmp(code_text(&at), api) == 0;
		const uint64_t size = code_u(&at);
		if (!found) {
			at += size;
			continue;
		}
		out->nargs = (unsigned)code_u(&at);
		out->nslots = (unsigned)code_u(&at);
		if (out->nargs > RULE_ARGUMENTS)
			return false;
		for (unsigned k = 0; k < out->nargs; k++)
			out->arguments[k] = code_text(&at);
		out->cases = at;
		return true;
	}
	return false;
}

/* ---- kinds of arguments */

/* The dtype that a number in an attribute stands for. */
static int coded_dtype(rule_code whole, int64_t number)
{
	code_u(&whole);
	for (uint64_t n = code_u(&whole); n; n--) {
		const bool found = (int64_t)code_u(&whole) == number;
		const int dtype = (int)code_u(&whole);
		if (found)
			return dtype;
	}
	return KIND_NONE;
}

static bool has_codes(rule_code whole)
{
	code_u(&whole);
	return code_u(&whole);
}

/* A list of tensors, which Python may write as a tuple; a tuple of integers is the shape of one. */
static bool is_list(const call_value *v)
{
	return v && (v->kind == CALL_LIST || (v->kind == CALL_TUPLE && !call_is_integers(v)));
}

/* The role of an argument's value. */
static int kind_of(rule_code whole, const call_value *v)
{
	rule_code at = whole;
	const bool ranked = code_u(&at);
	switch (v->kind) {
	case CALL_TENSOR:
		if (v->dtype == RS_OTHER)
			return KIND_NOT_SAID;
		return v->dtype + (ranked && v->n == 0 ? DTYPES : 0);
	case CALL_TUPLE: return call_is_integers(v) ? KIND_NOT_SAID : KIND_NONE; /* a shape */
	case CALL_BOOL: return 2 * DTYPES;
	case CALL_INT: return has_codes(whole) ? coded_dtype(whole, v->integer) : 2 * DTYPES + 1;
	case CALL_FLOAT: return 2 * DTYPES + 2;
	case CALL_NAME: {
		const char *dot = strrchr(v->text, '.');
		const rs_dtype dtype = rs_dtype_parse(dot ? dot + 1 : v->text);
		return dtype == RS_OTHER ? KIND_NONE : (int)dtype;
	}
	default: return KIND_NONE;
	}
}

/* An argument as a slot of a case: its kinds. */
typedef struct slot {
	unsigned argument;
	unsigned class;
	enum rs_api_items items;
	unsigned ranks;
	uint64_t accepted, rejected;
	int kinds[ITEMS_MOST];
	unsigned n; /* 0: the call does not have the argument */
} slot;

typedef struct dtype_case {
	slot slots[SLOTS];
	unsigned nslots, missing;
	bool covers; /* it has the call's arguments */
	bool named; /* the deciding argument has one of its values */
	rule_code rest; /* pairs and outputs */
} dtype_case;

/* False: the slot never had a value like this one. */
static bool fill_slot(rule_code whole, slot *s, const call_value *v)
{
	const bool list = is_list(v);
	const bool one = s->items == RS_ITEMS_NONE || s->items == RS_ITEMS_ONE;
	s->n = 0;
	if (!v)
		return true;
	if (list && (s->items == RS_ITEMS_NONE || v->n > ITEMS_MOST || !v->n || (one && v->n > 1)))
		return false;
	for (size_t i = 0; i < (list ? v->n : 1); i++) {
		const int kind = kind_of(whole, list ? &v->items[i] : v);
		if (kind == KIND_NONE)
			return false;
		s->kinds[s->n++] = kind;
	}
	return true;
}

static const call_value *first_tensor(const dtype_code *code, const rule_call *call)
{
	for (unsigned k = 0; k < code->nslots; k++) {
		const call_value *v = call->arguments[k];
		v = is_list(v) && v->n ? &v->items[0] : v;
		if (v && v->kind == CALL_TENSOR)
			return v;
	}
	return NULL;
}

/* Whether a value is as the text of a recorded one: True, 'sum', int, list2; of a tensor, how its rank compares. */
static bool is_like(const call_value *v, const char *text, const call_value *first)
{
	char own[64] = "";
	if (!v)
		return !*text;
	if (is_list(v) && v->n && v->items[0].kind == CALL_TENSOR)
		v = &v->items[0];
	switch (v->kind) {
	case CALL_BOOL: return strcmp(text, v->integer ? "True" : "False") == 0;
	case CALL_INT: snprintf(own, sizeof own, "%lld", (long long)v->integer); return strcmp(text, own) == 0 || strcmp(text, "int") == 0;
	case CALL_FLOAT: return strcmp(text, "float") == 0;
	case CALL_STRING: {
		const size_t n = strlen(v->text);
		return *text == '\'' && strlen(text) == n + 2 && memcmp(text + 1, v->text, n) == 0;
	}
	case CALL_NAME: return strcmp(text, v->text) == 0;
	case CALL_LIST: snprintf(own, sizeof own, "list%zu", v->n); return strcmp(text, own) == 0;
	case CALL_TENSOR: return first && *text == (v->n > first->n ? '>' : v->n < first->n ? '<' : '=');
	default: return false;
	}
}

/* Reads the values of the argument that selects the case. */
static bool is_named(const dtype_code *code, const rule_call *call, rule_code *at)
{
	const uint64_t n = code_u(at);
	const uint64_t argument = n ? code_u(at) : 0;
	bool found = false;
	const call_value *v = n ? call->arguments[argument] : NULL;
	for (uint64_t k = 0; k < n; k++) {
		const char *text = code_text(at);
		found = found || is_like(v, text, first_tensor(code, call)) || (!v && is_like(call->fallbacks[argument], text, NULL));
	}
	return found;
}

static void skip_rest(rule_code *at)
{
	for (uint64_t n = code_u(at); n; n--) {
		code_u(at);
		code_u(at);
		code_u(at);
	}
	for (uint64_t n = code_u(at); n; n--) {
		const uint64_t kind = code_u(at);
		code_u(at);
		if (kind == RS_DTYPE_TABLE)
			code_u(at);
		if (kind >= RS_DTYPE_MAP)
			code_u(at);
	}
}

/* Whether an argument that is not a slot of this case is one of another case. Then this case does not cover the call. */
static bool has_another(const dtype_code *code, const rule_call *call, const dtype_case *c)
{
	for (unsigned a = 0; a < code->nslots; a++) {
		const call_value *v = call->arguments[a];
		bool is_slot = false;
		for (unsigned k = 0; k < c->nslots; k++)
			is_slot = is_slot || c->slots[k].argument == a;
		if (!is_slot && v && kind_of(code->whole, is_list(v) && v->n ? &v->items[0] : v) != KIND_NONE)
			return true;
	}
	return false;
}

/* Whether pairs or outputs need the class of a slot that the call does not have. */
static bool needs(const dtype_case *c, unsigned k)
{
	const unsigned class = c->slots[k].class;
	rule_code at = c->rest;
	for (unsigned i = 0; i < c->nslots; i++)
		if (c->slots[i].n && c->slots[i].class == class)
			return false;
	for (uint64_t n = code_u(&at); n; n--) {
		if (code_u(&at) == class)
			return true;
		if (code_u(&at) == class)
			return true;
		code_u(&at);
	}
	for (uint64_t n = code_u(&at); n; n--) {
		const uint64_t kind = code_u(&at), of = code_u(&at);
		if (kind == RS_DTYPE_FOLD ? of >> k & 1 : kind != RS_DTYPE_CONSTANT && of == class)
			return true;
		if (kind == RS_DTYPE_TABLE && code_u(&at) == class)
			return true;
		if (kind >= RS_DTYPE_MAP)
			code_u(&at);
	}
	return false;
}

static void read_case(const dtype_code *code, const rule_call *call, rule_code *at, dtype_case *c)
{
	c->nslots = (unsigned)code_u(at);
	c->missing = 0;
	c->covers = true;
	assert(c->nslots <= SLOTS);
	for (unsigned k = 0; k < c->nslots; k++) {
		slot *s = &c->slots[k];
		s->argument = (unsigned)code_u(at);
		s->class = (unsigned)code_u(at);
		s->ranks = (unsigned)code_u(at);
		s->items = (enum rs_api_items)(s->ranks & 3);
		s->ranks >>= 2;
		read_set(code->whole, code_u(at), &s->accepted, &s->rejected);
		c->covers = fill_slot(code->whole, s, call->arguments[s->argument]) && c->covers;
		c->missing += !s->n;
	}
	c->rest = *at;
	skip_rest(at);
	c->named = is_named(code, call, at);
	for (unsigned k = 0; k < c->nslots; k++)
		c->covers = c->covers && (c->slots[k].n || !needs(c, k));
	c->covers = c->covers && c->missing < c->nslots && !has_another(code, call, c);
}

/* ---- one case */

static void put_kind(buf *to, int kind)
{
	static const char *const NUMBERS[] = {"bool", "int", "float", "complex"};
	if (kind < 2 * DTYPES)
		buf_puts(to, rs_dtype_name((rs_dtype)(kind % DTYPES)));
	else
		buf_printf(to, "%s as a number", NUMBERS[kind - 2 * DTYPES]);
}

static void put_accepted(buf *to, uint64_t accepted)
{
	bool any = false;
	for (int k = 0; k < DTYPES; k++)
		if (accepted >> k & 1) {
			buf_printf(to, "%s%s", any ? ", " : "", rs_dtype_name((rs_dtype)k));
			any = true;
		}
}

/* Whether all kinds of the slots are accepted one by one. */
static rule_outcome check_kinds(const dtype_code *code, const dtype_case *c, buf *why)
{
	rule_outcome worst = RULE_ACCEPTS;
	for (unsigned k = 0; k < c->nslots; k++)
		for (unsigned i = 0; i < c->slots[k].n; i++) {
			const slot *s = &c->slots[k];
			const int kind = s->kinds[i];
			if (s->rejected >> kind & 1) {
				buf_printf(why, "the dtypes are rejected: %s must not be ", code->arguments[s->argument]);
				put_kind(why, kind);
				buf_puts(why, s->accepted & ((1u << DTYPES) - 1) ? ", but one of " : "");
				put_accepted(why, s->accepted);
				return RULE_REJECTS;
			}
			if (!(s->accepted >> kind & 1))
				worst = RULE_SILENT;
		}
	return worst;
}

static int dtype_of(int kind)
{
	return kind < 2 * DTYPES ? kind % DTYPES : KIND_NONE;
}

/* The kind of a class: that of its first tensor, with scalars last. */
static int class_kind(const dtype_case *c, unsigned class)
{
	int best = KIND_NONE;
	for (unsigned k = 0; k < c->nslots; k++)
		for (unsigned i = 0; i < c->slots[k].n && c->slots[k].class == class; i++)
			if (best < 0 || c->slots[k].kinds[i] / DTYPES < best / DTYPES)
				best = c->slots[k].kinds[i];
	return best;
}

static rule_outcome check_ties(const dtype_code *code, const dtype_case *c, buf *why)
{
	for (unsigned k = 0; k < c->nslots; k++) {
		const slot *s = &c->slots[k];
		const int first = dtype_of(class_kind(c, s->class));
		for (unsigned i = 0; i < s->n && s->items != RS_ITEMS_APART; i++) {
			const int dtype = dtype_of(s->kinds[i]);
			if (first < 0 || dtype < 0 || dtype == first)
				continue;
			buf_printf(why, "the dtypes are rejected: %s is %s, but must be %s as %s", code->arguments[s->argument],
			    rs_dtype_name((rs_dtype)dtype), rs_dtype_name((rs_dtype)first), code->arguments[c->slots[s->class].argument]);
			return RULE_REJECTS;
		}
	}
	return RULE_ACCEPTS;
}

static rule_outcome check_pairs(const dtype_code *code, const dtype_case *c, rule_code *at, buf *why)
{
	rule_outcome worst = RULE_ACCEPTS;
	for (uint64_t n = code_u(at); n; n--) {
		const unsigned a = (unsigned)code_u(at), b = (unsigned)code_u(at);
		const uint64_t table = code_u(at);
		const int x = class_kind(c, a), y = class_kind(c, b);
		const uint8_t cell = x < 0 || y < 0 ? RS_CELL_UNKNOWN : read_cell(code->whole, table, x, y);
		if (cell == RS_CELL_REJECTED && worst != RULE_REJECTS) {
			worst = RULE_REJECTS;
			buf_printf(why, "the dtypes are rejected: %s with %s", code->arguments[c->slots[a].argument], code->arguments[c->slots[b].argument]);
			buf_puts(why, ": ");
			put_kind(why, x);
			buf_puts(why, " with ");
			put_kind(why, y);
		} else if (cell == RS_CELL_UNKNOWN && worst == RULE_ACCEPTS) {
			worst = RULE_SILENT;
		}
	}
	return worst;
}

/* The promotion of all items of some slots. */
static int fold(const dtype_code *code, const dtype_case *c, uint64_t slots, uint64_t table)
{
	int kind = KIND_NONE;
	bool any = false;
	for (unsigned k = 0; k < c->nslots; k++)
		for (unsigned i = 0; i < c->slots[k].n && slots >> k & 1; i++) {
			const int next = c->slots[k].kinds[i];
			if (!any) {
				kind = next;
				any = true;
				continue;
			}
			const int rank = kind / DTYPES < next / DTYPES ? kind / DTYPES : next / DTYPES;
			if (rank == 2) {
				kind = kind > next ? kind : next;
				continue;
			}
			const uint8_t cell = read_cell(code->whole, table, kind, next);
			if (cell >= DTYPES)
				return KIND_NONE;
			kind = rank * DTYPES + cell;
		}
	return kind < 0 ? KIND_NONE : dtype_of(kind);
}

static int read_output(const dtype_code *code, const dtype_case *c, rule_code *at)
{
	const enum rs_api_dtype kind = (enum rs_api_dtype)code_u(at);
	const uint64_t a = code_u(at), b = kind == RS_DTYPE_TABLE ? code_u(at) : 0, table = kind >= RS_DTYPE_MAP ? code_u(at) : 0;
	if (kind == RS_DTYPE_CONSTANT)
		return (int)a;
	if (kind == RS_DTYPE_FOLD)
		return fold(code, c, a, table);
	const int x = class_kind(c, (unsigned)a), y = kind == RS_DTYPE_TABLE ? class_kind(c, (unsigned)b) : 0;
	if (x < 0 || y < 0)
		return KIND_NONE;
	if (kind == RS_DTYPE_SAME)
		return dtype_of(x);
	const uint8_t cell = read_cell(code->whole, table, x, y);
	return cell < DTYPES ? cell : KIND_NONE;
}

static void evaluate_case(const dtype_code *code, const dtype_case *c, dtype_answer *out, buf *why)
{
	rule_code at = c->rest;
	out->outcome = check_kinds(code, c, why);
	if (out->outcome != RULE_REJECTS && check_ties(code, c, why) == RULE_REJECTS)
		out->outcome = RULE_REJECTS;
	if (out->outcome == RULE_REJECTS)
		return;
	const rule_outcome pairs = check_pairs(code, c, &at, why);
	out->outcome = pairs == RULE_ACCEPTS ? out->outcome : pairs;
	if (out->outcome != RULE_ACCEPTS)
		return;
	out->nout = (unsigned)code_u(&at);
	for (unsigned k = 0; k < out->nout; k++) {
		const int dtype = read_output(code, c, &at);
		if (dtype < 0)
			out->outcome = RULE_SILENT;
		out->out[k] = (uint8_t)dtype;
	}
}

/* ---- all cases */

static bool is_said(const dtype_case *c)
{
	for (unsigned k = 0; k < c->nslots; k++)
		for (unsigned i = 0; i < c->slots[k].n; i++)
			if (c->slots[k].kinds[i] == KIND_NOT_SAID)
				return false;
	return true;
}

/* Whether the ranks of a call's tensors are as in the records of the rule. Other ranks may mean another kind of call, such as
 * targets that are class indices. Tensors that accept the same dtypes and may differ in rank may also have the same rank. */
static bool has_ranks(const dtype_code *code, const rule_call *call, const dtype_case *c)
{
	const call_value *first = first_tensor(code, call);
	const slot *leader = NULL;
	for (unsigned k = 0; k < c->nslots; k++) {
		const slot *s = &c->slots[k];
		const call_value *v = call->arguments[s->argument];
		v = is_list(v) && v->n ? &v->items[0] : v;
		if (!s->n || v->kind != CALL_TENSOR)
			continue;
		leader = leader ? leader : s;
		const unsigned rank = v->n > first->n ? RS_RANK_MORE : v->n < first->n ? RS_RANK_LESS : RS_RANK_EQUAL;
		const bool alike = rank == RS_RANK_EQUAL && s->accepted == leader->accepted;
		if (!(s->ranks & rank) && !alike)
			return false;
	}
	return true;
}

static bool same_answer(const dtype_answer *a, const dtype_answer *b)
{
	return a->outcome == b->outcome && (a->outcome != RULE_ACCEPTS || (a->nout == b->nout && memcmp(a->out, b->out, a->nout) == 0));
}

/* How well a case fits a call: first the number of arguments that the call lacks, then a value of the deciding argument. 0: not
 * at all. */
static unsigned fitness(const dtype_case *c)
{
	return c->covers && is_said(c) ? 1 + 2 * (SLOTS - c->missing) + c->named : 0;
}

void dtype_evaluate(const dtype_code *code, const rule_call *call, bool others, dtype_answer *out, buf *why)
{
	*out = (dtype_answer){.outcome = RULE_SILENT};
	rule_code at = code->cases;
	unsigned best = 0;
	bool agree = true;
	for (uint64_t n = others ? 0 : code_u(&at); n; n--) {
		dtype_case c;
		dtype_answer now = {.outcome = RULE_SILENT};
		buf text = {0};
		read_case(code, call, &at, &c);
		const unsigned fit = fitness(&c);
		if (fit >= best && fit)
			evaluate_case(code, &c, &now, &text);
		if (now.outcome == RULE_REJECTS && !has_ranks(code, call, &c))
			now.outcome = RULE_SILENT;
		if (fit > best || (fit && fit == best && out->outcome == RULE_SILENT)) {
			agree = true;
			*out = now;
			buf_clear(why);
			buf_puts(why, buf_text(&text));
		} else if (fit && fit == best && now.outcome != RULE_SILENT) {
			agree = agree && same_answer(&now, out);
		}
		best = fit > best ? fit : best;
		buf_free(&text);
	}
	if (!agree)
		out->outcome = RULE_SILENT;
}
