#include "rule_expression.h"

#include <assert.h>

/* One item of a product or sum. */
static bool count_item(rule_numbers list, rule_numbers from, enum rs_api_each each, int64_t k, wide *out)
{
	*out = list.at[k];
	switch (each) {
	case RS_EACH_SIZE: return true;
	case RS_EACH_POSITIVE: *out = wide_max(*out, 1); return true;
	case RS_EACH_COPIED: *out = *out == 0 && k < from.n ? from.at[k] : *out; return true;
	case RS_EACH_NONZERO: *out = *out != 0; return true;
	case RS_EACH_DISTINCT:
		for (int64_t later = k + 1; later < list.n; later++)
			if (list.at[later] == list.at[k])
				return *out = 0, true;
		*out = 1;
		return true;
	}
	return false;
}

/* All items but the one at `but` (-1: none). op: * + min max, as in the code. */
static rule_value fold(rule_numbers list, rule_numbers from, enum rs_api_fold op, enum rs_api_each each, int64_t but)
{
	wide value = op == RS_FOLD_MUL;
	bool any = op == RS_FOLD_MUL || each == RS_EACH_NONZERO || each == RS_EACH_DISTINCT, ok = true;
	for (int64_t k = 0; k < list.n && ok; k++) {
		wide item;
		if (k == but || !count_item(list, from, each, k, &item))
			continue;
		if (op == RS_FOLD_MUL)
			ok = checked_mul(value, item, &value);
		else if (!any || op == RS_FOLD_ADD)
			ok = checked_add(any ? value : 0, item, &value);
		else
			value = op == RS_FOLD_MIN ? wide_min(value, item) : wide_max(value, item);
		any = true;
	}
	return (rule_value){ok && any ? RULE_VALUE : RULE_UNDEFINED, value};
}

/* Reads the position of a reference. False: there is none, for example because an axis is omitted. *several: there are several
 * axes. */
static bool read_position(rule_frame *f, rule_code *at, enum rs_api_base base, int64_t i, int64_t *position, bool *several)
{
	*position = 0;
	if (base == RS_BASE_AXIS) {
		const rule_numbers axis = rule_items(f, (unsigned)code_u(at));
		const int64_t offset = code_s(at);
		*several = axis.n > 1;
		*position = axis.n == 1 ? axis.at[0] + offset : 0;
		return axis.n == 1 && (axis.at[0] < 0) == (*position < 0);
	}
	const int64_t offset = code_s(at);
	*position = base == RS_BASE_INDEX ? i + offset : offset;
	return base == RS_BASE_NUMBER || (i < 0) == (*position < 0);
}

rule_value rule_refer(rule_frame *f, rule_code *at, int64_t i)
{
	const uint64_t flags = code_u(at);
	const enum rs_api_base base = flags & RS_REF_BASE;
	const rule_value absent = {flags & RS_REF_OPTIONAL ? RULE_SKIPPED : RULE_ABSENT, 0};
	const rule_numbers list = rule_read_list(f, at);
	int64_t position = -1;
	bool several = false;
	const bool placed = base == RS_BASE_FOLD || read_position(f, at, base, i, &position, &several);
	if (base != RS_BASE_FOLD && !(flags & RS_REF_BUT)) {
		const int64_t *item = placed ? rule_item(list, position) : NULL;
		return item ? (rule_value){RULE_VALUE, *item} : several ? (rule_value){RULE_ABSENT, 0} : absent;
	}
	const enum rs_api_fold op = code_u(at);
	const enum rs_api_each each = code_u(at);
	const rule_numbers from = each == RS_EACH_COPIED ? rule_read_list(f, at) : (rule_numbers){0};
	if (base == RS_BASE_FOLD)
		return list.at || list.n == 0 ? fold(list, from, op, each, -1) : absent;
	const int64_t but = position < 0 ? list.n + position : position;
	if (list.n == 1) /* a list of one has no others */
		return fold((rule_numbers){list.at, 0, false}, from, op, each, -1);
	return placed && but >= 0 && but < list.n ? fold(list, from, op, each, but) : absent;
}

static bool compare(enum rs_api_op op, wide a, wide b)
{
	switch (op) {
	case RS_API_EQ: return a == b;
	case RS_API_NE: return a != b;
	case RS_API_LT: return a < b;
	case RS_API_LE: return a <= b;
	case RS_API_GT: return a > b;
	default: return a >= b;
	}
}

rule_value rule_operate(enum rs_api_op op, rule_value a, rule_value b)
{
	const bool logic = op == RS_API_AND || op == RS_API_OR, compares = op >= RS_API_EQ && op <= RS_API_GE;
	if (logic) { /* one side may suffice */
		for (int side = 0; side < 2; side++) {
			const rule_value x = side ? b : a;
			if (x.state == RULE_VALUE && !x.value == (op == RS_API_AND))
				return (rule_value){RULE_VALUE, op == RS_API_OR};
		}
	}
	const rule_state worst = a.state > b.state ? a.state : b.state;
	if (worst == RULE_UNDEFINED && compares)
		return (rule_value){RULE_VALUE, 0};
	if (worst != RULE_VALUE)
		return (rule_value){worst, 0};
	if (compares)
		return (rule_value){RULE_VALUE, compare(op, a.value, b.value)};
	wide value = 0;
	bool ok = true;
	switch (op) {
	case RS_API_ADD: ok = checked_add(a.value, b.value, &value); break;
	case RS_API_SUB: ok = checked_sub(a.value, b.value, &value); break;
	case RS_API_MUL: ok = checked_mul(a.value, b.value, &value); break;
	case RS_API_DIV: ok = checked_div(a.value, b.value, &value); break;
	case RS_API_MOD: ok = checked_mod(a.value, b.value, &value); break;
	case RS_API_MIN: ok = checked_min(a.value, b.value, &value); break;
	case RS_API_MAX: ok = checked_max(a.value, b.value, &value); break;
	case RS_API_AND: value = a.value && b.value; break;
	case RS_API_OR: value = a.value || b.value; break;
	default: assert(!"an operation of two values"); ok = false;
	}
	return (rule_value){ok ? RULE_VALUE : RULE_UNDEFINED, value};
}

rule_value rule_express(rule_frame *f, rule_code *at, int64_t i)
{
	rule_value stack[RULE_STACK];
	unsigned n = 0;
	const unsigned used = f->used;
	for (uint64_t op; (op = code_u(at)) != RS_API_END;) {
		assert(n < RULE_STACK);
		if (op == RS_API_CONST) {
			stack[n++] = (rule_value){RULE_VALUE, code_s(at)};
		} else if (op == RS_API_REF) {
			stack[n++] = rule_refer(f, at, i);
		} else if (op == RS_API_IF) {
			assert(n >= 3);
			const rule_value c = stack[n - 3];
			stack[n - 3] = c.state != RULE_VALUE ? c : stack[c.value ? n - 2 : n - 1];
			n -= 2;
		} else {
			assert(n >= 2);
			stack[n - 2] = rule_operate((enum rs_api_op)op, stack[n - 2], stack[n - 1]);
			n--;
		}
	}
	assert(n == 1);
	f->used = used;
	return stack[0];
}
