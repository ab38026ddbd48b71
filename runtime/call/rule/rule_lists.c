#include "rule_lists.h"


/* `count` numbers of the frame, or NULL. */
static int64_t *take(rule_frame *f, size_t count)
{
	if (count > sizeof f->room / sizeof *f->room - f->used)
		return NULL;
	f->used += (unsigned)count;
	return &f->room[f->used - count];
}

static rule_numbers integers_of(rule_frame *f, const call_value *v, bool items)
{
	if (!call_is_integers(v))
		return (rule_numbers){0};
	int64_t *room = take(f, v->n + 1);
	for (size_t i = 0; room && i < v->n; i++)
		room[i] = v->items[i].integer;
	return (rule_numbers){room, room ? (int64_t)v->n : 0, items};
}

static rule_numbers dims_of(rule_frame *f, const call_value *v)
{
	if (v && v->kind == CALL_TENSOR)
		return (rule_numbers){v->dims, (int64_t)v->n, false};
	return v && v->kind == CALL_TUPLE ? integers_of(f, v, false) : (rule_numbers){0};
}

static rule_numbers one_item(rule_frame *f, int64_t item)
{
	int64_t *room = take(f, 1);
	if (room)
		*room = item;
	return (rule_numbers){room, room != NULL, true};
}

static rule_numbers items_of(rule_frame *f, const call_value *v)
{
	if (v->kind == CALL_ELEMENTS)
		v = &v->items[0];
	return v->kind == CALL_INT ? one_item(f, v->integer) : integers_of(f, v, true);
}

rule_numbers rule_items(rule_frame *f, unsigned argument)
{
	for (unsigned step = 0; step <= RULE_DEFAULTS_MOST; step++) {
		const call_value *v = f->arguments[argument];
		if (v && v->kind != CALL_STRING) /* a text such as 'valid' counts as the default */
			return items_of(f, v);
		if (!v && f->fallbacks[argument])
			return items_of(f, f->fallbacks[argument]);
		rule_code at = f->defaults;
		bool found = false;
		for (uint64_t n = code_u(&at); n && !found; n--) {
			found = code_u(&at) == argument;
			const bool other = code_u(&at);
			const int64_t value = other ? (int64_t)code_u(&at) : code_s(&at);
			if (found && !other)
				return one_item(f, value);
			if (found)
				argument = (unsigned)value;
		}
		if (!found)
			break;
	}
	return (rule_numbers){0};
}

static rule_numbers bounds_of(rule_frame *f, const call_value *v)
{
	int64_t *room = take(f, 2);
	if (!room || !v)
		return (rule_numbers){0};
	room[0] = v->kind == CALL_TENSOR && v->bounded ? v->low : 0;
	room[1] = v->kind == CALL_TENSOR && v->bounded ? v->high : 0;
	return (rule_numbers){room, 2, false};
}

static rule_numbers output_of(const rule_frame *f, uint64_t output)
{
	const int64_t *dims = f->dims;
	if (output >= f->nout)
		return (rule_numbers){0};
	for (uint64_t k = 0; k < output; k++)
		dims += f->ranks[k];
	return (rule_numbers){dims, f->ranks[output], false};
}

rule_numbers rule_read_list(rule_frame *f, rule_code *at)
{
	const uint64_t head = code_u(at);
	const enum rs_api_list kind = head & 7;
	if (kind == RS_LIST_OUT)
		return output_of(f, code_u(at));
	const call_value *v = rule_argument(f, (unsigned)(head / 8));
	if ((kind == RS_LIST_DIMS || kind == RS_LIST_ITEMS) && v && v->kind == CALL_LIST && v->n && v->items[0].kind == CALL_TENSOR)
		return one_item(f, (int64_t)v->n); /* the number of tensors */
	switch (kind) {
	case RS_LIST_DIMS: return dims_of(f, v);
	case RS_LIST_ITEMS: return rule_items(f, (unsigned)(head / 8));
	case RS_LIST_BOUNDS: return bounds_of(f, v);
	default: break;
	}
	const uint64_t k = code_u(at);
	return dims_of(f, v && call_is_sequence(v) && k < v->n ? &v->items[k] : NULL);
}

unsigned rule_read_tensors(rule_frame *f, rule_code *at, rule_numbers *out, unsigned most)
{
	rule_code copy = *at;
	const call_value *v = f->arguments[code_u(&copy) / 8];
	unsigned n = 0;
	for (size_t i = 0; v && call_is_sequence(v) && i < v->n && n < most; i++) {
		out[n] = dims_of(f, &v->items[i]);
		if (!out[n].at && v->items[i].kind != CALL_TENSOR)
			return 0;
		n++;
	}
	skip_list(at);
	return v && v->n == n ? n : 0;
}
