#include "call_value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "rulesmith.h"

bool call_is_integers(const call_value *v)
{
	if (!call_is_sequence(v))
		return false;
	for (size_t i = 0; i < v->n; i++)
		if (v->items[i].kind != CALL_INT)
			return false;
	return true;
}

static bool is_number(const call_value *v)
{
	return v->kind == CALL_INT || v->kind == CALL_FLOAT;
}

static double number_of(const call_value *v)
{
	return v->kind == CALL_INT ? (double)v->integer : v->number;
}

bool call_equal(const call_value *a, const call_value *b)
{
	if (is_number(a) && is_number(b)) {
		const double x = number_of(a), y = number_of(b);
		return a->kind == CALL_INT && b->kind == CALL_INT ? a->integer == b->integer : x == y || (isnan(x) && isnan(y));
	}
	if (call_is_sequence(a) && call_is_sequence(b)) {
		bool equal = a->n == b->n;
		for (size_t i = 0; equal && i < a->n; i++)
			equal = call_equal(&a->items[i], &b->items[i]);
		return equal;
	}
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case CALL_NONE: return true;
	case CALL_BOOL: return a->integer == b->integer;
	case CALL_STRING:
	case CALL_NAME: return strcmp(a->text, b->text) == 0;
	default: return false;
	}
}

static void print_items(buf *to, const call_value *v)
{
	for (size_t i = 0; i < v->n; i++) {
		buf_puts(to, i ? ", " : "");
		call_print(to, &v->items[i]);
	}
}

static void print_tensor(buf *to, const call_value *v)
{
	buf_puts(to, v->dtype == RS_OTHER ? "" : rs_dtype_name((rs_dtype)v->dtype));
	buf_putc(to, '[');
	for (size_t i = 0; i < v->n; i++)
		buf_printf(to, "%s%" PRId64, i ? ", " : "", v->dims[i]);
	buf_putc(to, ']');
	if (v->bounded)
		buf_printf(to, " in %" PRId64 "..%" PRId64, v->low, v->high - 1);
}

void call_print(buf *to, const call_value *v)
{
	switch (v->kind) {
	case CALL_NONE: buf_puts(to, "None"); return;
	case CALL_BOOL: buf_puts(to, v->integer ? "True" : "False"); return;
	case CALL_INT: buf_int(to, v->integer); return;
	case CALL_FLOAT:
	case CALL_NAME: buf_puts(to, v->text); return;
	case CALL_STRING: buf_printf(to, "'%s'", v->text); return;
	case CALL_TENSOR: print_tensor(to, v); return;
	case CALL_LIST:
	case CALL_TUPLE:
		buf_putc(to, v->kind == CALL_LIST ? '[' : '(');
		print_items(to, v);
		buf_puts(to, v->kind == CALL_LIST ? "]" : v->n == 1 ? ",)" : ")");
		return;
	case CALL_ELEMENTS:
		buf_printf(to, "%s(", rs_dtype_name((rs_dtype)v->dtype));
		print_items(to, v);
		buf_putc(to, ')');
	}
}
