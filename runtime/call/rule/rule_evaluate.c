#include "rule_evaluate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "call_reader.h"
#include "rule_expression.h"
#include "rule_shapes.h"

/* ---- finding */

bool api_rule_find(const rs_api_rules *rules, const char *api, arena *memory, api_rules *out)
{
	for (uint32_t low = 0, high = rules ? rules->n : 0; low < high;) {
		const uint32_t middle = low + (high - low) / 2;
		rule_code at = rules->code + rules->starts[middle];
		const int order = strcmp(code_text(&at), api);
		if (order == 0) {
			out->nargs = (unsigned)code_u(&at);
			assert(out->nargs <= RULE_ARGUMENTS);
			for (unsigned i = 0; i < out->nargs; i++)
				out->arguments[i] = code_text(&at);
			out->nrules = (unsigned)code_u(&at);
			out->code = at;
			out->memory = memory;
			return true;
		}
		low = order < 0 ? middle + 1 : low;
		high = order < 0 ? high : middle;
	}
	return false;
}

static rule_code rule_number(const api_rules *api, unsigned rule)
{
	rule_code at = api->code;
	while (rule--)
		skip_rule(&at);
	return at;
}

/* ---- guards */

/* How a guard is read: as the call is spelled, or with an omitted argument replaced by its default in the framework. */
typedef enum reading { AS_SPELLED, BY_MEANING } reading;

/* Whether an argument is the constant that a literal writes; "": omitted or None. */
static bool is_constant(const call_value *v, const call_value *fallback, const char *literal, reading how, arena *memory)
{
	if (!*literal)
		return !v || (how == BY_MEANING && fallback && call_equal(v, fallback));
	v = v || how == AS_SPELLED ? v : fallback;
	const arena_mark mark = arena_save(memory);
	call_value constant;
	const bool is = v && call_parse_value(literal, memory, &constant, NULL) && constant.kind == v->kind && call_equal(&constant, v);
	arena_release(memory, mark);
	return is;
}

static bool is_kind(const call_value *v, const char *kind)
{
	const bool list = v && (v->kind == CALL_LIST || (v->kind == CALL_TUPLE && !call_is_integers(v))), tuple = v && v->kind == CALL_TUPLE;
	if (strcmp(kind, "a list") == 0)
		return list || tuple;
	if (strcmp(kind, "a number") == 0)
		return v && (v->kind == CALL_INT || v->kind == CALL_FLOAT);
	return v && (v->kind == CALL_TENSOR || tuple);
}

/* Whether a term of a guard holds. */
static bool term_holds(const rule_frame *f, rule_code *at, reading how)
{
	const unsigned argument = (unsigned)code_u(at);
	const call_value *v = rule_argument(f, argument);
	const uint64_t head = code_u(at);
	const char *value = code_text(at);
	bool holds = false;
	switch ((enum rs_api_aspect)(head / 2)) {
	case RS_ASPECT_CONSTANT: holds = is_constant(f->arguments[argument], f->fallbacks[argument], value, how, f->memory); break;
	case RS_ASPECT_KIND: holds = is_kind(v, value); break;
	case RS_ASPECT_RANK: {
		char rank[24];
		snprintf(rank, sizeof rank, "%zu", v ? v->n : 0);
		holds = v && (v->kind == CALL_TENSOR || v->kind == CALL_TUPLE) && strcmp(rank, value) == 0;
		break;
	}
	}
	return holds != (head & 1);
}

typedef enum holding { HOLDS_NOT, HOLDS, MAY_HOLD } holding;

/* Reads a guard. MAY_HOLD: it only lists recorded signatures, and the call is not recorded (row: -1). */
static holding guard_holds(const rule_frame *f, rule_code *at, reading how, int64_t row)
{
	const uint64_t kind = code_u(at);
	bool holds = true, is_named = false;
	for (uint64_t n = kind ? code_u(at) : 0; n; n--) {
		if (kind == RS_FOR_GUARDED)
			holds = term_holds(f, at, how) && holds;
		else
			is_named = (int64_t)code_u(at) == row || is_named;
	}
	if (kind == RS_FOR_SIGNATURES)
		return row < 0 ? MAY_HOLD : is_named ? HOLDS : HOLDS_NOT;
	return holds ? HOLDS : HOLDS_NOT;
}

/* ---- quantified lines */

typedef struct positions { /* a range of i */
	int64_t from, to;
	bool once, placed; /* without a range; `over` is known */
	rule_numbers but;
	int64_t n;
} positions;

/* Reads a range. rank: of the output, or -1. */
static positions read_range(rule_frame *f, rule_code *at, int64_t rank)
{
	const uint64_t direction = code_u(at);
	if (!direction)
		return (positions){.to = 1, .once = true, .placed = true};
	const int64_t only = (int64_t)code_u(at), head = (int64_t)code_u(at), tail = (int64_t)code_u(at);
	positions p = {.placed = true};
	int64_t n = rank;
	if (code_u(at))
		n = rule_read_list(f, at).n;
	if (code_u(at))
		p.but = rule_read_list(f, at);
	p.placed = n >= 0;
	p.n = n;
	p.from = direction == RS_RANGE_RIGHT ? (only ? -only : head - n) : head;
	p.to = direction == RS_RANGE_RIGHT ? -tail : only ? only : n - tail;
	return p;
}

static bool is_left_out(const positions *p, int64_t i)
{
	for (int64_t k = 0; k < p->but.n; k++)
		if ((p->but.at[k] < 0 ? p->but.at[k] + p->n : p->but.at[k]) == (i < 0 ? i + p->n : i))
			return true;
	return false;
}

/* ---- clauses */

/* out->violated stays the first clause that rejects. */
static rule_outcome check_clause(rule_frame *f, rule_code *at, rule_result *out)
{
	const rule_code clause = *at;
	const unsigned used = f->used;
	const positions p = read_range(f, at, out->nout ? (int64_t)out->ranks[0] : -1);
	const rule_code expression = *at;
	skip_expression(at);
	if (!p.placed)
		return RULE_SILENT;
	for (int64_t i = p.from; i < p.to; i++) {
		rule_code code = expression;
		if (is_left_out(&p, i))
			continue;
		const rule_value v = rule_express(f, &code, i);
		if (v.state == RULE_ABSENT)
			return RULE_SILENT;
		if (v.state == RULE_UNDEFINED || (v.state == RULE_VALUE && !v.value)) {
			if (!out->violated) {
				out->violated = clause;
				out->index = p.once ? 0 : i;
			}
			return RULE_REJECTS;
		}
	}
	f->used = used;
	return RULE_ACCEPTS;
}

static rule_outcome check_clauses(rule_frame *f, rule_code *at, rule_result *out)
{
	rule_outcome worst = RULE_ACCEPTS;
	for (uint64_t n = code_u(at); n; n--) {
		const rule_outcome now = check_clause(f, at, out);
		worst = now == RULE_SILENT ? RULE_SILENT : worst == RULE_ACCEPTS ? now : worst;
	}
	return worst;
}

/* ---- outputs */

/* The rank of an output that is given by dimension; -1: not known for this call. */
static int64_t read_rank(rule_frame *f, rule_code *at)
{
	if (!code_u(at))
		return -1;
	int64_t rank = code_s(at);
	for (uint64_t n = code_u(at); n; n--)
		rank += rule_read_list(f, at).n;
	return rank;
}

static rule_outcome fill_line(rule_frame *f, rule_code *at, int64_t rank, int64_t *dims)
{
	const positions p = read_range(f, at, rank);
	const rule_code expression = *at;
	skip_expression(at);
	for (int64_t i = p.from; p.placed && i < p.to; i++) {
		const int64_t place = i < 0 ? i + rank : i;
		rule_code code = expression;
		if (is_left_out(&p, i) || place < 0 || place >= rank)
			continue;
		const rule_value v = rule_express(f, &code, i);
		if (v.state == RULE_ABSENT || v.state == RULE_SKIPPED)
			return RULE_SILENT;
		dims[place] = v.state == RULE_VALUE && v.value >= 0 && v.value <= INT64_MAX ? (int64_t)v.value : -1;
	}
	return p.placed ? RULE_ACCEPTS : RULE_SILENT;
}

/* One output; its dimensions are appended at dims. -1: a dimension without a value. */
static rule_outcome fill_output(rule_frame *f, rule_code *at, int64_t *dims, unsigned *rank)
{
	enum { UNSET = -2 };
	const uint64_t whole = code_u(at);
	rule_outcome worst = RULE_ACCEPTS;
	bool lines = true;
	int64_t n;
	if (whole) {
		unsigned cut;
		n = rule_whole_shape(f, at, (enum rs_api_shape)(whole - 1), dims, RULE_RANK, &cut);
		lines = cut;
		for (unsigned i = 0; n >= 0 && i < cut && n < RULE_RANK; i++)
			dims[n++] = UNSET;
	} else {
		n = read_rank(f, at);
		for (int64_t i = 0; i < n && n <= RULE_RANK; i++)
			dims[i] = UNSET;
	}
	worst = n < 0 || n > RULE_RANK ? RULE_SILENT : RULE_ACCEPTS;
	*rank = worst == RULE_SILENT ? 0 : (unsigned)n;
	for (uint64_t left = lines ? code_u(at) : 0; left; left--)
		if (fill_line(f, at, *rank, dims) == RULE_SILENT)
			worst = RULE_SILENT;
	for (unsigned i = 0; i < *rank; i++)
		worst = dims[i] == UNSET ? RULE_SILENT : worst;
	return worst;
}

static rule_outcome fill_outputs(rule_frame *f, rule_code *at, rule_result *out)
{
	rule_outcome worst = RULE_ACCEPTS;
	int64_t *next = out->dims;
	out->nout = (unsigned)code_u(at);
	assert(out->nout <= RULE_OUTPUTS);
	for (unsigned k = 0; k < out->nout; k++) {
		const unsigned used = f->used;
		const rule_outcome now = fill_output(f, at, next, &out->ranks[k]);
		worst = now == RULE_SILENT ? RULE_SILENT : worst;
		for (unsigned i = 0; i < out->ranks[k] && worst == RULE_ACCEPTS; i++)
			worst = next[i] < 0 ? RULE_REJECTS : worst;
		next += out->ranks[k];
		f->used = used;
		f->nout = k + 1; /* later outputs may be given by this one */
	}
	return worst;
}

/* ---- rules */

static void skip_outputs(rule_code *at)
{
	for (uint64_t n = code_u(at); n; n--)
		skip_output(at);
}

/* The cases of one kind that a call may follow in a reading, as bits. Moves *at behind all of them. */
static uint64_t possible_as(const rule_frame *f, rule_code *at, void skip(rule_code *), reading how, int64_t row)
{
	uint64_t found = 0;
	bool settled = false;
	const uint64_t n = code_u(at);
	for (uint64_t k = 0; k < n; k++) {
		const holding now = guard_holds(f, at, how, row);
		if (now != HOLDS_NOT && !settled && k < 64)
			found |= (uint64_t)1 << k;
		settled = settled || now == HOLDS;
		skip(at);
	}
	return found;
}

/* The same for the call as spelled, or, if there are none, with defaults filled in. */
static uint64_t possible(const rule_frame *f, rule_code *at, void skip(rule_code *), int64_t row)
{
	rule_code copy = *at;
	const uint64_t found = possible_as(f, at, skip, AS_SPELLED, row);
	return found ? found : possible_as(f, &copy, skip, BY_MEANING, row);
}

/* Reads both kinds of cases of a rule. */
static void possible_both(const api_rules *api, const rule_call *call, unsigned rule, int64_t row, uint64_t *accept, uint64_t *shapes)
{
	rule_code at = rule_number(api, rule);
	const rule_frame f = {.arguments = call->arguments, .fallbacks = call->fallbacks, .defaults = at, .memory = api->memory};
	skip_defaults(&at);
	*accept = possible(&f, &at, skip_lines, row);
	*shapes = possible(&f, &at, skip_outputs, row);
}

unsigned api_rule_cases(const api_rules *api, const rule_call *call, rule_case *out, unsigned most)
{
	unsigned n = 0;
	for (unsigned rule = 0; rule < api->nrules; rule++) {
		uint64_t accept, shapes;
		possible_both(api, call, rule, -1, &accept, &shapes);
		for (unsigned a = 0; a < 64; a++)
			for (unsigned s = 0; s < 64; s++)
				if (accept >> a & 1 && shapes >> s & 1 && n < most)
					out[n++] = (rule_case){rule, a, s};
	}
	return n;
}

bool api_rule_may(const api_rules *api, const rule_call *call, rule_case which, int64_t row)
{
	uint64_t accept, shapes;
	possible_both(api, call, which.rule, row, &accept, &shapes);
	return accept >> which.accept & 1 && shapes >> which.shapes & 1;
}

/* Moves to a case, behind its guard. */
static void go_to_case(rule_code *at, unsigned which, void skip(rule_code *))
{
	code_u(at);
	for (skip_guard(at); which; which--) {
		skip(at);
		skip_guard(at);
	}
}

void api_rule_evaluate(const api_rules *api, const rule_call *call, rule_case which, rule_result *out)
{
	rule_code at = rule_number(api, which.rule);
	rule_frame f = {.arguments = call->arguments, .fallbacks = call->fallbacks, .defaults = at, .ranks = out->ranks, .dims = out->dims};
	out->violated = NULL;
	out->nout = 0;
	skip_defaults(&at);
	rule_code accept = at, shapes = at;
	go_to_case(&accept, which.accept, skip_lines);
	for (uint64_t n = code_u(&shapes); n; n--) {
		skip_guard(&shapes);
		skip_lines(&shapes);
	}
	go_to_case(&shapes, which.shapes, skip_outputs);
	const rule_outcome sizes = fill_outputs(&f, &shapes, out);
	const rule_outcome clauses = check_clauses(&f, &accept, out);
	const bool silent = clauses == RULE_SILENT || sizes == RULE_SILENT;
	out->outcome = silent ? RULE_SILENT : clauses == RULE_REJECTS ? RULE_REJECTS : sizes;
}

/* ---- dependencies of a case */

bool api_rule_has_default(const api_rules *api, unsigned rule, unsigned argument)
{
	rule_code at = rule_number(api, rule);
	bool found = false;
	for (uint64_t n = code_u(&at); n; n--) {
		found = code_u(&at) == argument || found;
		if (code_u(&at))
			code_u(&at);
		else
			code_s(&at);
	}
	return found;
}

enum { ANY_ARGUMENT = RULE_ARGUMENTS };

/* Whether code refers to an argument, and whether at fixed positions. `all`: the range has no fixed number of positions. */
static void look_at(rule_code at, unsigned argument, bool all, rule_mention *m)
{
	for (uint64_t op; (op = code_u(&at)) != RS_API_END;) {
		if (op == RS_API_CONST)
			code_s(&at);
		if (op != RS_API_REF)
			continue;
		rule_code reference = at;
		const uint64_t base = code_u(&reference) & RS_REF_BASE, list = code_u(&reference), kind = list & 7;
		const bool mine = (argument == ANY_ARGUMENT || list / 8 == argument) && kind != RS_LIST_OUT && kind != RS_LIST_BOUNDS;
		if (kind == RS_LIST_TENSOR_DIMS || kind == RS_LIST_OUT)
			code_u(&reference);
		m->mentioned = m->mentioned || mine || (base == RS_BASE_AXIS && code_u(&reference) == argument);
		if (mine && (base == RS_BASE_NUMBER || (base == RS_BASE_INDEX && (!all || code_s(&reference) != 0))))
			m->fixed = true;
		skip_ref(&at);
	}
}

static void look_at_lists(rule_code at, unsigned argument, rule_mention *m)
{
	for (uint64_t n = code_u(&at); n; n--) {
		rule_code list = at;
		m->mentioned = m->mentioned || code_u(&list) / 8 == argument;
		skip_list(&at);
	}
}

/* Whether lines do. A clause whose range leaves out the first or last positions counts as fixed: for few dimensions it is
 * empty. */
static void look_at_lines(rule_code *at, unsigned argument, bool clauses, rule_mention *m)
{
	for (uint64_t n = code_u(at); n; n--) {
		rule_code range = *at;
		const bool all = code_u(&range) && !code_u(&range) && (!clauses || (!code_u(&range) && !code_u(&range)));
		skip_range(at);
		look_at(*at, argument, all, m);
		skip_expression(at);
	}
}

static void look_at_output(rule_code *at, unsigned argument, rule_mention *m)
{
	bool lines = true;
	if (code_u(at)) {
		code_u(at);
		lines = code_u(at);
		look_at_lists(*at, argument, m);
		skip_lists(at);
	} else if (code_u(at)) {
		code_s(at);
		look_at_lists(*at, argument, m);
		skip_lists(at);
	}
	if (lines)
		look_at_lines(at, argument, false, m);
}

void api_rule_mentions(const api_rules *api, rule_case which, unsigned argument, rule_mention *clauses, rule_mention *shapes_of)
{
	rule_code at = rule_number(api, which.rule);
	skip_defaults(&at);
	rule_code accept = at, shapes = at;
	go_to_case(&accept, which.accept, skip_lines);
	for (uint64_t n = code_u(&shapes); n; n--) {
		skip_guard(&shapes);
		skip_lines(&shapes);
	}
	go_to_case(&shapes, which.shapes, skip_outputs);
	*clauses = *shapes_of = (rule_mention){0};
	look_at_lines(&accept, argument, true, clauses);
	for (uint64_t n = code_u(&shapes); n; n--)
		look_at_output(&shapes, argument, shapes_of);
}

/* Reads a guard: whether it depends on an argument. signatures: a guard that only lists signatures may depend on any. */
static bool depends(rule_code *at, unsigned argument, bool signatures)
{
	const uint64_t kind = code_u(at);
	bool found = signatures && kind == RS_FOR_SIGNATURES;
	for (uint64_t n = kind ? code_u(at) : 0; n; n--) {
		const uint64_t term = code_u(at);
		found = found || (kind == RS_FOR_GUARDED && term == argument);
		if (kind == RS_FOR_GUARDED) {
			code_u(at);
			code_text(at);
		}
	}
	return found;
}

bool api_rule_guards(const api_rules *api, unsigned argument)
{
	bool found = false;
	for (unsigned rule = 0; rule < api->nrules; rule++) {
		rule_code at = rule_number(api, rule);
		skip_defaults(&at);
		for (uint64_t n = code_u(&at); n; n--) {
			found = depends(&at, argument, true) || found;
			skip_lines(&at);
		}
		for (uint64_t n = code_u(&at); n; n--) {
			found = depends(&at, argument, true) || found;
			skip_outputs(&at);
		}
	}
	return found;
}

bool api_rule_names(const api_rules *api, unsigned argument, bool outputs)
{
	rule_mention clauses = {0}, shapes = {0};
	bool accept_guards = false, shape_guards = false;
	for (unsigned rule = 0; rule < api->nrules; rule++) {
		rule_code at = rule_number(api, rule);
		skip_defaults(&at);
		for (uint64_t n = code_u(&at); n; n--) {
			accept_guards = depends(&at, argument, false) || accept_guards;
			look_at_lines(&at, argument, true, &clauses);
		}
		for (uint64_t n = code_u(&at); n; n--) {
			shape_guards = depends(&at, argument, false) || shape_guards;
			for (uint64_t k = code_u(&at); k; k--)
				look_at_output(&at, argument, &shapes);
		}
	}
	return outputs ? shape_guards || shapes.mentioned : accept_guards || clauses.mentioned;
}

bool api_rule_is_free_clause(const rule_result *result)
{
	rule_mention m = {0};
	rule_code at = result->violated;
	if (!at)
		return true;
	rule_code range = at;
	const bool all = code_u(&range) && !code_u(&range) && !code_u(&range) && !code_u(&range);
	skip_range(&at);
	look_at(at, ANY_ARGUMENT, all, &m);
	return !m.fixed;
}

bool rule_results_equal(const rule_result *a, const rule_result *b)
{
	size_t n = 0;
	if (a->outcome != b->outcome || (a->outcome == RULE_ACCEPTS && a->nout != b->nout))
		return false;
	for (unsigned i = 0; a->outcome == RULE_ACCEPTS && i < a->nout; n += a->ranks[i++])
		if (a->ranks[i] != b->ranks[i])
			return false;
	return memcmp(a->dims, b->dims, n * sizeof *a->dims) == 0;
}
