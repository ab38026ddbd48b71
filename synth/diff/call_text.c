#include "call_text.h"

static void put_value(buf *to, const call_value *v, const int64_t *x);

static void put_tensor(buf *to, const call_value *v, const int64_t *x)
{
	buf_printf(to, "%s%s[", v->held ? "held " : "", v->text);
	for (int k = 0; k < v->count; k++) {
		buf_puts(to, k ? ", " : "");
		buf_int(to, x[v->first + k]);
	}
	buf_putc(to, ']');
	if (v->ranged)
		buf_printf(to, " in %lld..%lld", (long long)x[v->first + v->count], (long long)x[v->first + v->count + 1]);
}

static void put_list(buf *to, const call_value *v, const int64_t *x)
{
	buf_putc(to, '[');
	for (int k = 0; k < v->count; k++) {
		buf_puts(to, k ? ", " : "");
		put_value(to, &v->items[k], x);
	}
	buf_putc(to, ']');
}

static void put_value(buf *to, const call_value *v, const int64_t *x)
{
	switch ((enum call_kind)v->kind) {
	case CALL_INT:
		buf_int(to, x[v->first]);
		return;
	case CALL_TENSOR:
		put_tensor(to, v, x);
		return;
	case CALL_LIST:
		put_list(to, v, x);
		return;
	case CALL_ELEMENTS:
		buf_printf(to, "%s(", v->text);
		put_value(to, v->items, x);
		buf_putc(to, ')');
		return;
	case CALL_CONST:
		buf_puts(to, v->text);
		return;
	}
}

void call_text_put(buf *to, const operator *op, const int64_t *x)
{
	const call *c = op->call;
	buf_printf(to, "%s(", op->api);
	for (int i = 0; i < c->nargs; i++) {
		buf_puts(to, i ? ", " : "");
		if (!c->args[i].by_position)
			buf_printf(to, "%s=", c->args[i].name);
		put_value(to, &c->args[i].value, x);
	}
	buf_putc(to, ')');
}
