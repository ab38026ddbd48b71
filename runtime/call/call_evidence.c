#include "call_evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call_kinds.h"
#include "call_numbers.h"
#include "rulesmith.h"

/* ---- reproduced records */

static bool same_outputs(const rs_op *op, const int64_t *dims, const rule_result *found)
{
	if (found->outcome != RULE_ACCEPTS || found->nout != op->nout)
		return false;
	for (unsigned i = 0; i < op->nout; i++)
		if (found->ranks[i] != op->out_ranks[i])
			return false;
	return memcmp(found->dims, dims, op->nodim * sizeof *dims) == 0;
}

/* Whether a case has the same results as a row on all of the row's records. Leaves its scratch in the arena. */
static bool reproduces_all(const covering *c, rule_case which, size_t r, arena *memory)
{
	const recorded *row = &c->rows[r];
	const rs_op *op = row->op;
	rule_call call;
	if (!op->valid)
		return false;
	int64_t *dims = ARENA_ARRAY(memory, int64_t, op->nodim + 1u);
	int64_t *symbols = ARENA_ARRAY(memory, int64_t, rs_record_width(op) + 1u);
	rule_result *found = arena_alloc(memory, sizeof *found); /* large: not cleared, since each evaluation fills it */
	bool all = dims && symbols && found && op->nrecords > 0;
	for (unsigned i = 0; i < op->nrecords && all; i++) {
		binding b;
		rs_record(op, i, symbols);
		if (!rs_eval(op, symbols, dims))
			continue; /* an outlier that the row's own rule does not reproduce either */
		if (!recorded_instance(row, symbols, memory, &b))
			return false;
		evidence_call(c->api, c->rows, c->nrows, &b, false, &call);
		if (!api_rule_may(c->api, &call, which, op - c->table->ops))
			return false;
		api_rule_evaluate(c->api, &call, which, found);
		all = same_outputs(op, dims, found);
	}
	return all;
}

static bool reproduces(const covering *c, rule_case which, size_t r, arena *memory)
{
	const arena_mark mark = arena_save(memory);
	const bool all = reproduces_all(c, which, r, memory);
	arena_release(memory, mark);
	return all;
}

/* Whether a row follows the clauses of the case but other outputs, or its outputs but other clauses. */
static bool reproduces_half(const covering *c, enum evidence_half half, size_t r, arena *memory)
{
	enum { CASES = 32 };
	for (unsigned k = 0; k < CASES; k++) {
		const rule_case other_shapes = {c->which.rule, c->which.accept, k}, other_accept = {c->which.rule, k, c->which.shapes};
		if (reproduces(c, half == EVIDENCE_CLAUSES ? other_shapes : other_accept, r, memory))
			return true;
	}
	return false;
}

bool evidence_split(covering *out, arena *memory)
{
	out->extended = true;
	for (unsigned half = 0; half < EVIDENCE_HALVES; half++) {
		out->halves[half] = ARENA_ARRAY(memory, bool, out->nrows + 1);
		if (!out->halves[half])
			return false;
		for (size_t r = 0; r < out->nrows; r++) {
			out->halves[half][r] = reproduces_half(out, half, r, memory);
			out->reproduced[r] = out->reproduced[r] || out->halves[half][r];
		}
	}
	return true;
}

bool evidence_gather(const api_rules *api, rule_case which, const rs_table *table, const recorded *rows, size_t nrows, arena *memory,
    covering *out)
{
	*out = (covering){.api = api, .which = which, .table = table, .rows = rows, .nrows = nrows, .half = EVIDENCE_HALVES};
	out->reproduced = ARENA_ARRAY(memory, bool, nrows + 1);
	bool any = false;
	for (size_t r = 0; out->reproduced && r < nrows; r++) {
		out->reproduced[r] = reproduces(out, which, r, memory);
		any = any || out->reproduced[r];
	}
	return out->reproduced && (any || evidence_split(out, memory));
}

/* ---- the arguments that a rule sees */

/* Whether records name a parameter as it is. Then another name for it comes from calls by position. */
static bool has_own_name(const recorded *rows, size_t nrows, const char *name)
{
	for (size_t r = 0; r < nrows; r++)
		for (size_t i = 0; i < rows[r].bound.to->n; i++)
			if (rows[r].names[i] && strcmp(rows[r].names[i], name) == 0 && strcmp(rows[r].bound.to->parameters[i].name, name) == 0)
				return true;
	return false;
}

/* Whether a recorded name stands for a row's parameter. */
static bool stands_for(const recorded *rows, size_t nrows, size_t r, size_t i, const char *recorded_name)
{
	const char *name = rows[r].bound.to->parameters[i].name;
	return rows[r].names[i] && strcmp(rows[r].names[i], recorded_name) == 0
		&& (strcmp(name, recorded_name) == 0 || !has_own_name(rows, nrows, name));
}

/* The parameter of a call that a recorded argument stands for; if there are several, one that the call gives. -1: none. any: also
 * under another name than its own. */
static int parameter_of(const recorded *rows, size_t nrows, const binding *b, const char *recorded_name, bool any)
{
	int found = -1;
	for (size_t r = 0; r < nrows; r++)
		for (size_t i = 0; i < rows[r].bound.to->n; i++) {
			if (any ? !rows[r].names[i] || strcmp(rows[r].names[i], recorded_name) != 0 : !stands_for(rows, nrows, r, i, recorded_name))
				continue;
			const int at = parameter_find(b->to, rows[r].bound.to->parameters[i].name);
			if (at >= 0 && (found < 0 || b->values[at]))
				found = at;
			if (at >= 0 && b->values[at])
				return at;
		}
	return found;
}

void evidence_call(const api_rules *api, const recorded *rows, size_t nrows, const binding *b, bool any, rule_call *out)
{
	for (unsigned a = 0; a < api->nargs; a++) {
		out->arguments[a] = out->fallbacks[a] = NULL;
		const int at = parameter_of(rows, nrows, b, api->arguments[a], any);
		if (at < 0)
			continue;
		const call_value *v = b->values[at], *otherwise = &b->to->parameters[at].value;
		out->arguments[a] = v && v->kind != CALL_NONE ? v : NULL;
		const bool empty = call_is_sequence(otherwise) && otherwise->n == 0;
		if (b->to->parameters[at].has_default && otherwise->kind != CALL_NONE && !empty)
			out->fallbacks[a] = otherwise;
	}
}

/* Whether two overloads have the same required parameters: torch.max(input) is another function than torch.max(input, dim). */
static bool same_required(const overload *a, const overload *b)
{
	for (size_t i = 0; a != b && i < a->n; i++) {
		const int at = a->parameters[i].has_default ? 0 : parameter_find(b, a->parameters[i].name);
		if (at < 0 || (!a->parameters[i].has_default && b->parameters[at].has_default))
			return false;
	}
	return true;
}

/* ---- axes */

static bool is_tensor(const call_value *v)
{
	return v && (v->kind == CALL_TENSOR || v->kind == CALL_TUPLE);
}

static const call_value *first_tensor(const binding *b)
{
	for (size_t i = 0; i < b->to->n; i++) {
		const call_value *v = bound_value(b, (int)i);
		if (v && call_is_sequence(v) && v->n && is_tensor(&v->items[0]))
			v = &v->items[0];
		if (is_tensor(v))
			return v;
	}
	return NULL;
}

/* The integer or list of a tensor whose elements are known; other values as they are. */
static const call_value *known_elements(const call_value *v)
{
	return v && v->kind == CALL_ELEMENTS ? &v->items[0] : v;
}

static bool inside_rank(const call_value *v, int64_t rank)
{
	if (v->kind == CALL_INT)
		return v->integer >= -rank && v->integer < rank;
	for (size_t i = 0; i < v->n; i++)
		if (!inside_rank(&v->items[i], rank))
			return false;
	return true;
}

static bool inside(const call_value *v, const call_value *tensor)
{
	return inside_rank(v, tensor->n ? (int64_t)tensor->n : 1);
}

/* Whether an integer parameter is an axis: a constant in all records, always within the rank, and below 0 in some. */
static bool is_axis(const recorded *rows, size_t nrows, const char *name)
{
	bool negative = false;
	for (size_t r = 0; r < nrows; r++) {
		const call_value *v = known_elements(bound_named(&rows[r].bound, name)), *tensor = first_tensor(&rows[r].bound);
		if (tensor && rows[r].op->nout && rows[r].op->out_ranks[0] > tensor->n)
			return false; /* the call adds dimensions, and an axis may be one of them */
		if (!v)
			continue;
		if (!tensor || (v->kind != CALL_INT && !call_is_integers(v)) || !inside(v, tensor))
			return false;
		const call_value *item = v->kind == CALL_INT ? v : v->items;
		for (size_t i = 0; i < (v->kind == CALL_INT ? 1 : v->n); i++) {
			if (item[i].node && item[i].node->kind == RS_INT)
				return false;
			negative = negative || item[i].integer < 0;
		}
	}
	return negative;
}

/* Whether the tensors, also those in lists, and the lists of integers of two calls have the same ranks and lengths. */
static bool call_sizes_agree(const binding *a, const binding *b)
{
	for (size_t i = 0; i < a->to->n; i++) {
		const call_value *x = known_elements(bound_value(a, (int)i));
		const call_value *y = known_elements(bound_named(b, a->to->parameters[i].name));
		if (x && y && call_is_integers(x) != call_is_integers(y))
			return false;
		if (x && y && (call_is_integers(x) || x->kind == CALL_TENSOR) && x->n != y->n)
			return false;
		for (size_t k = 0; x && y && call_is_sequence(x) && call_is_sequence(y) && k < x->n && k < y->n; k++)
			if (x->items[k].kind == CALL_TENSOR && x->items[k].n != y->items[k].n)
				return false;
	}
	return true;
}

/* Whether two rows have the same arguments except for numbers and ranks. */
static bool same_pattern(const recorded *a, const recorded *b)
{
	if (!same_required(a->bound.to, b->bound.to) || !same_required(b->bound.to, a->bound.to))
		return false;
	for (size_t i = 0; i < a->bound.to->n; i++) {
		const call_value *x = bound_value(&a->bound, (int)i), *y = bound_named(&b->bound, a->bound.to->parameters[i].name);
		const bool numbers = x && y && (x->kind == CALL_INT || call_is_integers(x)) && (y->kind == CALL_INT || call_is_integers(y));
		if (!x != !y || (x && !numbers && x->kind != y->kind) || (x && x->kind <= CALL_BOOL && !call_equal(x, y)))
			return false;
		if (x && x->kind == CALL_STRING && strcmp(x->text, y->text) != 0)
			return false;
	}
	return true;
}

/* Whether a row has lists of integers as long as those of a call. */
static bool has_lengths(const recorded *row, const binding *call)
{
	for (size_t i = 0; i < call->to->n; i++) {
		const call_value *x = known_elements(bound_value(call, (int)i));
		const call_value *y = known_elements(bound_named(&row->bound, call->to->parameters[i].name));
		const bool here = x && call_is_integers(x), there = y && call_is_integers(y);
		if (here != there || (here && x->n != y->n))
			return false;
	}
	return true;
}

bool evidence_outputs_vary(const recorded *rows, size_t nrows, const binding *call)
{
	bool any = false;
	for (size_t i = 0; i < nrows; i++)
		any = any || has_lengths(&rows[i], call);
	for (size_t i = 1; i < nrows; i++)
		for (size_t k = 0; k < i; k++) {
			const rs_op *a = rows[i].op, *b = rows[k].op;
			if (!same_pattern(&rows[i], &rows[k]))
				continue;
			const bool like = !any || has_lengths(&rows[i], call);
			if (a->nout != b->nout || (like && call_sizes_agree(&rows[i].bound, &rows[k].bound) && memcmp(a->out_ranks, b->out_ranks, a->nout) != 0))
				return true;
		}
	return false;
}

/* Whether a list has tensors of different ranks: an axis may be one of any of them. */
static bool has_mixed_ranks(const binding *b)
{
	for (size_t i = 0; i < b->to->n; i++) {
		const call_value *v = bound_value(b, (int)i);
		for (size_t k = 1; v && call_is_sequence(v) && k < v->n; k++)
			if (is_tensor(&v->items[k]) && v->items[k].n != v->items[0].n)
				return true;
	}
	return false;
}

/* Whether a parameter is the axis of a new dimension: one constant in all records, always within the rank of the outputs, and below
 * 0 in some. *added: how many dimensions all outputs have beyond the first tensor. */
static bool is_new_axis(const recorded *rows, size_t nrows, const char *name, int64_t *added)
{
	bool negative = false, any = false;
	for (size_t r = 0; r < nrows; r++) {
		const call_value *v = known_elements(bound_named(&rows[r].bound, name)), *tensor = first_tensor(&rows[r].bound);
		if (!tensor || !rows[r].op->nout)
			return false;
		const int64_t rank = rows[r].op->out_ranks[0], more = rank - (int64_t)tensor->n;
		if (more <= 0 || (any && more != *added))
			return false;
		*added = more;
		any = true;
		v = v && call_is_integers(v) && v->n == 1 ? &v->items[0] : v;
		if (!v)
			continue;
		if (v->kind != CALL_INT || (v->node && v->node->kind == RS_INT) || !inside_rank(v, rank))
			return false;
		negative = negative || v->integer < 0;
	}
	return negative;
}

int evidence_no_axis(const recorded *rows, size_t nrows, const binding *b)
{
	const call_value *tensor = has_mixed_ranks(b) ? NULL : first_tensor(b);
	for (size_t i = 0; tensor && i < b->to->n; i++) {
		const call_value *v = known_elements(bound_value(b, (int)i));
		const char *name = b->to->parameters[i].name;
		int64_t added = 0;
		if (!v || (v->kind != CALL_INT && !call_is_integers(v)) || is_tensor(v) || inside(v, tensor))
			continue;
		if (is_axis(rows, nrows, name))
			return (int)i;
		if (is_new_axis(rows, nrows, name, &added) && !inside_rank(v, (int64_t)tensor->n + added))
			return (int)i;
	}
	return -1;
}

/* ---- covered calls */

typedef struct observed { /* of one argument, over all rows that count */
	bool alike;
	unsigned ranks; /* bit r: rank or length r */
	unsigned item_ranks, lengths; /* of the tensors in lists, and of these lists */
	bool integers; /* any integer, as a symbol */
	int64_t constants[2]; /* of integers that are constants: two different ones */
	unsigned nconstants;
} observed;

static bool has_size(unsigned sizes, size_t n)
{
	return n < 32 && sizes >> n & 1;
}

static void observe_size(observed *o, size_t n)
{
	o->ranks |= n < 32 ? 1u << n : 0;
}

static void observe_integer(observed *o, const call_value *row)
{
	const bool symbol = row->node && row->node->kind == RS_INT;
	o->integers = o->integers || symbol;
	if (symbol)
		o->nconstants = 2;
	else if (o->nconstants == 0 || (o->nconstants == 1 && o->constants[0] != row->integer))
		o->constants[o->nconstants++] = row->integer;
}

/* Whether a rule treats a float as one that was recorded: within the sampled ones. */
static bool within_samples(const rs_op *op, const call_value *row, double number)
{
	if (!row->node || row->node->kind != RS_CONST || !row->node->count)
		return row->kind == CALL_FLOAT && row->number == number;
	double low = row->number, high = low;
	for (unsigned i = 0; i < row->node->count; i++) {
		const double sample = strtod(op->floats[row->node->first + i], NULL);
		low = sample < low ? sample : low;
		high = sample > high ? sample : high;
	}
	return number <= high && (number >= low || (low > 0 && number > 0)); /* small positive numbers count as one */
}

static bool all_tensors(const call_value *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].kind != CALL_TENSOR)
			return false;
	return list->n > 0;
}

static bool same_ranks(const call_value *list)
{
	for (size_t i = 1; i < list->n; i++)
		if (list->items[i].n != list->items[0].n)
			return false;
	return true;
}

/* Notes a row's list of tensors. The number of tensors and their ranks are observed separately, since a rule treats all items
 * alike. A call with different ranks in one list needs a row with different ranks. */
static bool observe_tensors(const call_value *row, const call_value *v, observed *o)
{
	if (!all_tensors(row) || !all_tensors(v))
		return false;
	const bool same = same_ranks(row);
	if (same == same_ranks(v))
		for (size_t i = 0; i < row->n; i++)
			o->item_ranks |= row->items[i].n < 32 ? 1u << row->items[i].n : 0;
	o->lengths |= row->n < 32 ? 1u << row->n : 0;
	return has_size(o->lengths, v->n) && o->item_ranks;
}

static void observe_list(const call_value *row, const call_value *v, observed *o)
{
	const bool row_list = call_is_sequence(row);
	if (row_list)
		observe_size(o, row->n);
	const bool integers = (call_is_integers(v) || v->kind == CALL_INT) && (row->kind == CALL_INT || call_is_integers(row));
	if (integers) {
		o->alike = true;
		if (!row_list)
			observe_size(o, 1);
		for (size_t i = 0; i < (row_list ? row->n : 1); i++)
			observe_integer(o, row_list ? &row->items[i] : row);
		return;
	}
	if (row_list && call_is_sequence(v) && (observe_tensors(row, v, o) || call_equal(row, v)))
		o->alike = true;
}

/* Notes a row's value in the place of the call's. */
static void observe(const rs_op *op, const parameter *p, const call_value *row, const call_value *v, observed *o)
{
	const bool shape = v->kind == CALL_TUPLE && row->kind == CALL_TENSOR;
	if (p->tensor_too && (v->kind == CALL_INT || v->kind == CALL_FLOAT) && (row->kind == CALL_INT || row->kind == CALL_FLOAT)) {
		o->alike = true;
		o->nconstants = 2;
	} else if (row->kind == CALL_TENSOR && (v->kind == CALL_TENSOR || shape)) {
		o->alike = true;
		observe_size(o, row->n);
	} else if (row->kind == CALL_ELEMENTS) {
		if (v->kind == CALL_ELEMENTS || v->kind == CALL_INT || call_is_integers(v))
			observe_list(&row->items[0], v->kind == CALL_ELEMENTS ? &v->items[0] : v, o);
	} else if (v->kind == CALL_FLOAT || (v->kind == CALL_INT && row->kind == CALL_FLOAT)) {
		const bool any = row->kind == CALL_INT && row->node && row->node->kind == RS_INT && isfinite(v->number);
		o->alike = o->alike || any || within_samples(op, row, v->kind == CALL_FLOAT ? v->number : (double)v->integer);
	} else if (v->kind == CALL_INT || call_is_sequence(v)) {
		observe_list(row, v, o);
	} else {
		o->alike = o->alike || call_equal(row, v);
	}
}

/* Whether a rank or length lies between observed ones. */
static bool is_between(unsigned sizes, size_t n)
{
	const unsigned high = 31 - (unsigned)__builtin_clz(sizes | 1), low = (unsigned)__builtin_ctz(sizes | 1u << 31);
	return n > low && n < high;
}

static unsigned tensors_of(const binding *b)
{
	unsigned n = 0;
	for (size_t i = 0; i < b->to->n; i++) {
		const call_value *v = bound_value(b, (int)i);
		n += is_tensor(v) ? 1 : v && call_is_sequence(v) && v->n && is_tensor(&v->items[0]) ? 2 : 0;
	}
	return n;
}

/* The number of the rules' argument that a parameter is; nargs: none. */
static unsigned argument_of(const covering *c, const parameter *p)
{
	for (unsigned a = 0; a < c->api->nargs; a++)
		for (size_t r = 0; r < c->nrows; r++)
			for (size_t i = 0; i < c->rows[r].bound.to->n; i++)
				if (strcmp(c->rows[r].bound.to->parameters[i].name, p->name) == 0
				    && stands_for(c->rows, c->nrows, r, i, c->api->arguments[a]))
					return a;
	return c->api->nargs;
}

/* The sizes of a parameter in all rows of the API. */
static unsigned all_sizes(const covering *c, const parameter *p)
{
	observed o = {0};
	for (size_t r = 0; r < c->nrows; r++) {
		const call_value *row = bound_named(&c->rows[r].bound, p->name);
		if (row && (row->kind == CALL_TENSOR || row->kind == CALL_LIST))
			observe_size(&o, row->n);
	}
	return o.ranks;
}

/* Whether a size is covered although no such row follows this case: the case does not depend on the size, and several sizes are
 * accepted. */
static bool is_any_size(const covering *c, const binding *b, const parameter *p, const call_value *v, size_t n)
{
	const unsigned argument = argument_of(c, p);
	rule_mention clauses, shapes;
	if (argument == c->api->nargs)
		return false;
	api_rule_mentions(c->api, c->which, argument, &clauses, &shapes);
	if (clauses.fixed || shapes.fixed || !(clauses.mentioned || shapes.mentioned || tensors_of(b) == 1) || n == 0)
		return bound_number(v) && !clauses.fixed && !shapes.fixed && (clauses.mentioned || shapes.mentioned);
	if (v->kind != CALL_TENSOR && is_axis(c->rows, c->nrows, p->name))
		return n > 0;
	const unsigned sizes = all_sizes(c, p), several = (unsigned)__builtin_popcount(sizes) > 1;
	if (!several)
		return false;
	const size_t high = 31 - (unsigned)__builtin_clz(sizes), low = (size_t)__builtin_ctz(sizes);
	if (v->kind != CALL_TENSOR)
		return n > 0;
	const bool fewer = __builtin_popcount(sizes) > 2 && n > 1 && n < low; /* vectors are often rejected where matrices are not */
	return bound_number(v) || fewer || (n >= low && n <= high) || (n > high && call_accepts_rank(c->rows->op->api, b, n));
}

/* Whether integers other than the recorded constants are covered. They are if the outputs refer to the argument, or to no fixed
 * positions: these might be positions of the recorded axes. */
static bool may_differ(const covering *c, const parameter *p)
{
	const unsigned argument = argument_of(c, p);
	rule_mention clauses, shapes, all_clauses, all_shapes;
	api_rule_mentions(c->api, c->which, argument, &clauses, &shapes);
	api_rule_mentions(c->api, c->which, RULE_ARGUMENTS, &all_clauses, &all_shapes);
	return shapes.mentioned || (!all_shapes.fixed && !all_clauses.fixed);
}

/* Whether two integers, or lists of them, are the same axes of a tensor. */
static bool same_axes(const call_value *x, const call_value *y, int64_t rank)
{
	if (x->kind == CALL_INT && y->kind == CALL_INT)
		return (x->integer - y->integer) % (rank ? rank : 1) == 0;
	bool same = call_is_integers(x) && call_is_integers(y) && x->n == y->n;
	for (size_t i = 0; same && i < x->n; i++)
		same = same_axes(&x->items[i], &y->items[i], rank);
	return same;
}

/* Whether integers are recorded constants of a call with the same rank. */
static bool is_recorded_constant(const covering *c, const binding *b, const parameter *p, const call_value *v)
{
	const call_value *tensor = first_tensor(b), *list = known_elements(v);
	const bool axis = tensor && inside(list, tensor) && is_axis(c->rows, c->nrows, p->name);
	for (size_t r = 0; r < c->nrows; r++) {
		const call_value *row = c->reproduced[r] ? bound_named(&c->rows[r].bound, p->name) : NULL, *other = first_tensor(&c->rows[r].bound);
		const bool symbol = row && row->node && row->node->kind == RS_INT;
		const bool alike = !tensor == !other && (!tensor || tensor->n == other->n);
		if (row && alike && (symbol || call_equal(known_elements(row), list) || (axis && same_axes(known_elements(row), list, (int64_t)tensor->n))))
			return true;
	}
	return false;
}

static bool covers_integers(const observed *o, const call_value *v)
{
	const size_t n = call_is_sequence(v) ? v->n : 1;
	for (size_t i = 0; i < n; i++) {
		const int64_t value = call_is_sequence(v) ? v->items[i].integer : v->integer;
		if (o->nconstants < 2 && !(o->nconstants == 1 && o->constants[0] == value))
			return false;
	}
	return true;
}

static void put_missing(buf *missing, const parameter *p, const call_value *v, const char *what)
{
	buf_printf(missing, "%s%s", p->name, v ? " = " : "");
	if (v)
		call_print(missing, v);
	buf_puts(missing, what);
}

/* Whether a row is evidence for a call: it follows the case, and is of the same function. Scalars follow too many cases to be
 * evidence for other ranks. */
static bool counts(const covering *c, size_t row, const binding *b)
{
	const overload *o = c->rows[row].bound.to;
	const call_value *tensor = first_tensor(b), *other = first_tensor(&c->rows[row].bound);
	const bool plain = tensor && tensor->n && other && !other->n && !c->rows[row].op->nsym;
	return c->reproduced[row] && !plain && same_required(o, b->to) && same_required(b->to, o);
}

/* The minimum number of dimensions that outputs have beyond the first tensor, over the rows that follow the case. */
static int64_t added_dimensions(const covering *c)
{
	int64_t least = INT64_MAX;
	for (size_t r = 0; r < c->nrows; r++) {
		const call_value *tensor = first_tensor(&c->rows[r].bound);
		const int64_t added = tensor && c->rows[r].op->nout ? (int64_t)c->rows[r].op->out_ranks[0] - (int64_t)tensor->n : 0;
		if (c->reproduced[r])
			least = added < least ? added : least;
	}
	return least > 0 && least < INT64_MAX ? least : 0;
}

/* Whether an integer lies outside the rank, although all recorded ones lie within, as axes do. */
static bool is_outside(const covering *c, const binding *b, const parameter *p, const call_value *v)
{
	const call_value *tensor = first_tensor(b);
	if (!tensor || inside_rank(v, tensor->n + added_dimensions(c) > 0 ? (int64_t)tensor->n + added_dimensions(c) : 1))
		return false;
	for (size_t r = 0; r < c->nrows; r++) {
		const call_value *row = known_elements(bound_named(&c->rows[r].bound, p->name)), *other = first_tensor(&c->rows[r].bound);
		const bool symbol = row && row->node && (row->node->kind == RS_INT || (row->n && row->items && row->items[0].node && row->items[0].node->kind == RS_INT));
		if (symbol || (row && other && (row->kind == CALL_INT || call_is_integers(row)) && !inside(row, other)))
			return false;
	}
	return true;
}

/* Whether outputs alone are considered, and none depends on a parameter. */
static bool is_unnamed(const covering *c, const parameter *p)
{
	const unsigned argument = c->half == EVIDENCE_OUTPUTS ? argument_of(c, p) : c->api->nargs;
	return argument != c->api->nargs && !api_rule_names(c->api, argument, true);
}

/* Whether a record has the same combination of optional tensors and numbers. */
static bool given_together(const covering *c, const binding *b)
{
	for (size_t r = 0; r < c->nrows; r++) {
		bool same = counts(c, r, b);
		for (size_t i = 0; i < b->to->n && same; i++) {
			const parameter *p = &b->to->parameters[i];
			if (p->optional && (p->type == PARAMETER_TENSOR || p->tensor_too) && !is_unnamed(c, p))
				same = !bound_value(b, (int)i) == !bound_named(&c->rows[r].bound, p->name);
		}
		if (same)
			return true;
	}
	return false;
}

/* Whether a row that follows the case has this value. */
static bool is_of_case(const covering *c, const parameter *p, const call_value *v)
{
	for (size_t r = 0; r < c->nrows; r++) {
		const call_value *row = c->reproduced[r] ? bound_named(&c->rows[r].bound, p->name) : NULL;
		if (row && call_equal(row, v))
			return true;
	}
	return false;
}

/* Whether one case is followed by rows with this value and by rows with a value of this case. Then the case does not depend on
 * it. */
static bool is_either(const covering *c, const binding *b, rule_case which, const parameter *p, const call_value *v)
{
	const call_value *tensor = first_tensor(b);
	bool with = false, without = false;
	for (size_t r = 0; r < c->nrows && !(with && without); r++) {
		const call_value *row = bound_named(&c->rows[r].bound, p->name), *other = first_tensor(&c->rows[r].bound);
		bool *found = !row ? NULL : call_equal(row, v) ? &with : is_of_case(c, p, row) ? &without : NULL;
		if (v->kind == CALL_NAME && found == &with && tensor && other && tensor->n != other->n)
			continue; /* such as a memory format, which is one of some ranks */
		if (found && !*found)
			*found = reproduces(c, which, r, c->api->memory);
	}
	return with && without;
}

/* Whether another case shows that a constant has no effect: no case depends on the argument, and one case has rows of both
 * values. */
static bool is_idle(const covering *c, const binding *b, const parameter *p, const call_value *v)
{
	enum { CASES = 8 };
	const unsigned argument = argument_of(c, p);
	rule_mention clauses, shapes;
	if (argument == c->api->nargs || api_rule_guards(c->api, argument))
		return false;
	api_rule_mentions(c->api, c->which, argument, &clauses, &shapes);
	for (unsigned k = 0; k < CASES * CASES && !clauses.mentioned && !shapes.mentioned; k++)
		if (is_either(c, b, (rule_case){c->which.rule, k / CASES, k % CASES}, p, v))
			return true;
	return false;
}

/* Whether a value only names a dtype, which the dtype rule accepts, and all that was recorded are such names. */
static bool is_accepted_dtype(const covering *c, const parameter *p, const call_value *v)
{
	const unsigned argument = argument_of(c, p);
	rule_mention clauses, shapes;
	bool slot = false, names = v->kind == CALL_NAME && argument != c->api->nargs && !api_rule_guards(c->api, argument);
	for (unsigned k = 0; c->dtypes && names && k < c->dtypes->nslots; k++)
		slot = slot || strcmp(c->dtypes->arguments[k], c->api->arguments[argument]) == 0;
	for (size_t r = 0; slot && r < c->nrows; r++) {
		const call_value *row = bound_named(&c->rows[r].bound, p->name);
		names = names && (!row || row->kind == CALL_NAME);
	}
	if (!slot || !names)
		return false;
	api_rule_mentions(c->api, c->which, argument, &clauses, &shapes);
	return !clauses.mentioned && !shapes.mentioned;
}

/* Whether a row has a number for a parameter, or numbers on both sides of it. */
static void observe_number(const recorded *row, const call_value *v, double number, bool *above, bool *below)
{
	const bool symbol = v->node && v->node->kind == RS_INT;
	const unsigned samples = v->node && v->node->kind == RS_CONST ? v->node->count : 0;
	*above = *above || symbol || (v->kind == CALL_FLOAT && v->number >= number);
	*below = *below || symbol || (v->kind == CALL_FLOAT && v->number <= number);
	for (unsigned i = 0; i < samples; i++) {
		const double sample = strtod(row->op->floats[v->node->first + i], NULL);
		*above = *above || sample >= number;
		*below = *below || sample <= number;
	}
}

/* Whether a float that no case depends on lies among those of all rows. */
static bool is_idle_number(const covering *c, const parameter *p, double number)
{
	const unsigned argument = argument_of(c, p);
	rule_mention clauses, shapes;
	bool above = false, below = false;
	if (argument == c->api->nargs || api_rule_guards(c->api, argument) || !isfinite(number))
		return false;
	api_rule_mentions(c->api, c->which, argument, &clauses, &shapes);
	for (size_t r = 0; r < c->nrows && !clauses.mentioned && !shapes.mentioned; r++) {
		const call_value *row = bound_named(&c->rows[r].bound, p->name);
		if (row && c->rows[r].op->valid)
			observe_number(&c->rows[r], row, number, &above, &below);
	}
	return above && below;
}

/* Notes the values of a parameter. any: of all rows that follow the case, in any overload. */
static void observe_rows(const covering *c, const binding *b, const parameter *p, const call_value *v, bool any, observed *o)
{
	for (size_t r = 0; r < c->nrows; r++) {
		if (any ? !c->reproduced[r] : !counts(c, r, b))
			continue;
		const call_value *row = bound_named(&c->rows[r].bound, p->name);
		if (!v || !row)
			o->alike = o->alike || v == row;
		else
			observe(c->rows[r].op, p, row, v, o);
	}
}

static bool is_number_or_tensor(const call_value *v)
{
	return v->kind == CALL_INT || v->kind == CALL_TENSOR || v->kind == CALL_ELEMENTS || call_is_sequence(v);
}

/* Whether a size was observed, or lies between observed ones. For lists, the latter counts only if the outputs name no fixed
 * items, which might be all items of a recorded length. */
static bool covers_size(const covering *c, const parameter *p, const call_value *v, unsigned sizes, size_t n)
{
	rule_mention clauses, shapes;
	if (has_size(sizes, n) || !is_between(sizes, n) || v->kind == CALL_TENSOR || v->kind == CALL_INT)
		return has_size(sizes, n) || is_between(sizes, n);
	api_rule_mentions(c->api, c->which, argument_of(c, p), &clauses, &shapes);
	return !shapes.fixed;
}

/* The observed values of an argument. Axes, and arguments that no case depends on, have the same meaning in all overloads. */
static observed observe_argument(const covering *c, const binding *b, const parameter *p, const call_value *v)
{
	observed o = {0}, any = {0};
	observe_rows(c, b, p, v, false, &o);
	if (v && v->kind == CALL_INT && o.alike && o.nconstants < 2 && is_axis(c->rows, c->nrows, p->name)) {
		observe_rows(c, b, p, v, true, &any);
		o.nconstants = any.nconstants;
		memcpy(o.constants, any.constants, sizeof o.constants);
	} else if (v && !o.alike && !is_number_or_tensor(v)) {
		o.alike = v->kind == CALL_FLOAT ? is_idle_number(c, p, v->number) : is_idle(c, b, p, v) || is_accepted_dtype(c, p, v);
	}
	return o;
}

/* Whether the ranks of all tensors of a list were observed. */
static bool covers_items(const covering *c, const parameter *p, const call_value *v, unsigned ranks)
{
	for (size_t i = 0; i < v->n; i++)
		if (!covers_size(c, p, &v->items[i], ranks, v->items[i].n))
			return false;
	return true;
}

/* Whether no case depends on an argument, and the framework accepts the number. */
static bool is_accepted_number(const covering *c, const binding *b, const parameter *p)
{
	const unsigned argument = argument_of(c, p);
	rule_mention clauses = {0}, shapes = {0};
	if (p->type != PARAMETER_NUMBER || p->list)
		return false;
	if (argument != c->api->nargs && api_rule_guards(c->api, argument))
		return false;
	if (argument != c->api->nargs)
		api_rule_mentions(c->api, c->which, argument, &clauses, &shapes);
	return !clauses.mentioned && !shapes.mentioned
		&& call_number(c->rows->op->api, b, (size_t)(p - b->to->parameters), NULL) == NUMBER_ACCEPTED;
}

/* Whether the rows of the evidence have an argument like this one. */
static bool covers(covering *c, const binding *b, const parameter *p, const call_value *v, buf *missing)
{
	const observed o = observe_argument(c, b, p, v);
	const call_value *list = v && v->kind == CALL_ELEMENTS ? &v->items[0] : v;
	const size_t size = v ? (v->kind == CALL_TENSOR || call_is_sequence(list) ? list->n : 1) : 0;
	const bool sized = v && (v->kind == CALL_TENSOR || call_is_sequence(list) || (v->kind == CALL_INT && !p->count));
	if (is_accepted_number(c, b, p))
		return true;
	if (v && call_is_sequence(v) && v->n == 0 && !is_recorded_constant(c, b, p, v)) {
		put_missing(missing, p, v, " was never observed");
		return false;
	}
	if (!v && !o.alike && (api_rule_has_default(c->api, c->which.rule, argument_of(c, p)) || (p->type == PARAMETER_OTHER && p->has_default)))
		return true;
	if (v && call_is_sequence(v) && o.item_ranks && all_tensors(v) && !covers_items(c, p, v, o.item_ranks))
		put_missing(missing, p, v, ": tensors of this rank were never observed");
	else if (!o.alike)
		put_missing(missing, p, v, v ? " was never observed" : ": no recorded call omits it");
	else if (sized && o.ranks && !covers_size(c, p, v, o.ranks, size)
		 && !(is_any_size(c, b, p, v, size) && (c->extended = true)))
		put_missing(missing, p, v, v->kind == CALL_TENSOR ? ": this rank was never observed" : ": this length was never observed");
	else if (v && (list->kind == CALL_INT || call_is_integers(list)) && !is_recorded_constant(c, b, p, v)
		 && !((list != v || covers_integers(&o, list)) && (o.integers || may_differ(c, p)) && !is_outside(c, b, p, list)))
		put_missing(missing, p, v, " was never observed");
	else
		return true;
	return false;
}

/* Whether a row's argument has the ranks, the length and the axis of a call's. Axes are integers that records have as
 * constants. */
static bool has_same_places(const call_value *row, const call_value *v)
{
	if (!v || !row)
		return !is_tensor(v);
	if (is_tensor(v))
		return row->n == v->n;
	if (v->kind == CALL_INT && row->kind == CALL_INT && !(row->node && row->node->kind == RS_INT))
		return call_equal(row, v);
	if (!call_is_sequence(v))
		return true;
	if (!call_is_sequence(row) || row->n != v->n)
		return false;
	for (size_t i = 0; i < v->n; i++)
		if (is_tensor(&v->items[i]) && row->items[i].n != v->items[i].n)
			return false;
	return true;
}

bool evidence_has_places(const covering *c, const binding *b, bool lengths)
{
	for (size_t r = 0; r < c->nrows; r++) {
		bool same = counts(c, r, b);
		for (size_t i = 0; i < b->to->n && same; i++) {
			const call_value *v = bound_value(b, (int)i), *row = bound_named(&c->rows[r].bound, b->to->parameters[i].name);
			if (!lengths || (v && call_is_integers(v)))
				same = has_same_places(row, v);
		}
		if (same)
			return true;
	}
	return false;
}

static bool decides_outputs(const covering *c, const binding *b, size_t parameter)
{
	rule_mention clauses, shapes;
	api_rule_mentions(c->api, c->which, argument_of(c, &b->to->parameters[parameter]), &clauses, &shapes);
	return shapes.mentioned;
}

/* The rank of a tensor or the length of a list. An integer may stand for a list of one, as the signature has it. */
static bool size_of(const parameter *p, const call_value *v, int64_t *n)
{
	v = known_elements(v);
	if (v && v->kind == CALL_INT && p->list && p->count == 1)
		return *n = 1, true;
	*n = v ? (int64_t)v->n : 0;
	return v && (v->kind == CALL_TENSOR || call_is_sequence(v));
}

/* Whether the sizes of two arguments differ as in all rows of the evidence, such as a list with one item for each dimension. If
 * one tensor never has a higher rank than the other, as a mask that expands to a tensor, the call's must not either, unless the
 * outputs depend on both. */
static bool keeps_difference(const covering *c, const binding *b, size_t x, size_t y)
{
	const parameter *const one = &b->to->parameters[x], *const other = &b->to->parameters[y];
	int64_t m, n, difference = 0, first = 0, least = INT64_MAX, most = INT64_MIN;
	unsigned rows = 0;
	bool constant = true, vary = false;
	if (!size_of(one, bound_value(b, (int)x), &m) || !size_of(other, bound_value(b, (int)y), &n))
		return true;
	if (is_unnamed(c, one) || is_unnamed(c, other))
		return true;
	for (size_t r = 0; r < c->nrows; r++) {
		int64_t i, k;
		if (!counts(c, r, b) || !size_of(one, bound_named(&c->rows[r].bound, one->name), &i) || !size_of(other, bound_named(&c->rows[r].bound, other->name), &k))
			continue;
		constant = constant && (!rows || i - k == difference);
		vary = vary || (rows && i != first);
		difference = rows ? difference : i - k;
		first = rows ? first : i;
		least = i - k < least ? i - k : least;
		most = i - k > most ? i - k : most;
		rows++;
	}
	if (constant && vary)
		return m - n == difference;
	if (!rows || !is_tensor(bound_value(b, (int)x)) || !is_tensor(bound_value(b, (int)y)))
		return true;
	return ((m >= n || least < 0) && (m <= n || most > 0)) || (decides_outputs(c, b, x) && decides_outputs(c, b, y));
}

/* Whether the rows of the evidence cover a call. */
static bool rows_cover(covering *c, const binding *b, buf *missing)
{
	bool any = false;
	for (size_t r = 0; r < c->nrows; r++)
		any = any || counts(c, r, b);
	if (!any) {
		buf_puts(missing, "no recorded signature follows this case of the rule");
		return false;
	}
	for (size_t i = 0; i < b->to->n; i++)
		if (!is_unnamed(c, &b->to->parameters[i]) && !covers(c, b, &b->to->parameters[i], bound_value(b, (int)i), missing))
			return false;
	if (!given_together(c, b)) {
		buf_puts(missing, "these optional arguments were never given together");
		return false;
	}
	for (size_t i = 0; i < b->to->n; i++)
		for (size_t k = 0; k < i; k++)
			if (!keeps_difference(c, b, k, i)) {
				buf_printf(missing, "sizes of %s and %s that differ like this were never observed", b->to->parameters[k].name,
				    b->to->parameters[i].name);
				return false;
			}
	return true;
}

/* Whether a row has an argument as a call: a flag or a string with that value, others in any way. */
static bool has_alike(const call_value *row, const call_value *v)
{
	if (!row || !v)
		return row == v;
	if (v->kind == CALL_STRING || v->kind == CALL_BOOL || v->kind == CALL_NAME || (v->kind == CALL_INT && !(row->node && row->node->kind == RS_INT)))
		return call_equal(row, v) || call_is_sequence(row);
	return true;
}

/* Whether a half names two arguments. */
static bool names_both(const covering *c, const parameter *p, const parameter *q, bool outputs)
{
	const unsigned one = argument_of(c, p), other = argument_of(c, q);
	return one != c->api->nargs && other != c->api->nargs && api_rule_names(c->api, one, outputs) && api_rule_names(c->api, other, outputs);
}

/* Whether a row has two arguments as a call does: one that follows the half which names both. */
static bool have_pair(const covering *c, const binding *b, size_t x, size_t y, enum evidence_half half)
{
	const parameter *p = &b->to->parameters[x], *q = &b->to->parameters[y];
	for (size_t r = 0; r < c->nrows; r++)
		if (c->halves[half][r] && has_alike(bound_named(&c->rows[r].bound, p->name), bound_value(b, (int)x))
		    && has_alike(bound_named(&c->rows[r].bound, q->name), bound_value(b, (int)y)))
			return true;
	return !names_both(c, p, q, half == EVIDENCE_OUTPUTS);
}

/* Whether each two optional arguments that are given were recorded together. */
static bool have_pairs(const covering *c, const binding *b, buf *missing)
{
	for (size_t y = 0; y < b->to->n; y++)
		for (size_t x = 0; x < y; x++) {
			const parameter *p = &b->to->parameters[x], *q = &b->to->parameters[y];
			if (!p->has_default || !q->has_default || !bound_value(b, (int)x) || !bound_value(b, (int)y)
			    || (have_pair(c, b, x, y, EVIDENCE_CLAUSES) && have_pair(c, b, x, y, EVIDENCE_OUTPUTS)))
				continue;
			buf_printf(missing, "%s and %s like this were never observed together", p->name, q->name);
			return false;
		}
	return true;
}

bool evidence_of(covering *c, const binding *b, buf *missing)
{
	if (!c->halves[0])
		return rows_cover(c, b, missing);
	/* An argument that only the rows of one half have may decide the result of the other half, unless no output depends on it. */
	bool *both = c->reproduced, covered = have_pairs(c, b, missing);
	for (c->half = 0; c->half < EVIDENCE_HALVES && covered; c->half++) {
		c->reproduced = c->halves[c->half];
		covered = rows_cover(c, b, missing);
	}
	c->half = EVIDENCE_HALVES;
	c->reproduced = both;
	return covered;
}

const recorded *evidence_like(const covering *c, const binding *b)
{
	for (size_t r = 0; r < c->nrows; r++) {
		const recorded *row = &c->rows[r];
		bool like = counts(c, r, b);
		for (size_t i = 0; i < row->bound.to->n && like; i++) {
			const call_value *here = bound_value(&row->bound, (int)i), *there = bound_named(b, row->bound.to->parameters[i].name);
			const bool tensor = here && here->kind == CALL_TENSOR;
			like = tensor == (is_tensor(there) && (tensor || there->kind == CALL_TENSOR));
			if (like && here && call_is_sequence(here) && here->n && here->items[0].kind == CALL_TENSOR)
				like = there && call_is_sequence(there) && there->n == here->n;
		}
		if (like)
			return row;
	}
	return NULL;
}
