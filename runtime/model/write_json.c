#include "write_json.h"

#include "assignments.h"
#include "bodies.h"
#include "layout.h"
#include "sessions.h"
#include "settings.h"

static void write_value(const graph *g, rs_walk *w, buf *out);

static void write_items(const graph *g, rs_walk *w, unsigned count, buf *out)
{
	buf_putc(out, '[');
	for (unsigned i = 0; i < count; i++) {
		if (i)
			buf_putc(out, ',');
		write_value(g, w, out);
	}
	buf_putc(out, ']');
}

/* The next value of the walk, with its items. */
static void write_value(const graph *g, rs_walk *w, buf *out)
{
	rs_item v;
	if (!rs_walk_next(w, &v))
		return;
	switch (v.kind) {
	case RS_TENSOR:
		buf_puts(out, "{\"ref\":");
		buf_int(out, g->tensors[v.tensor].number);
		buf_puts(out, v.copy ? ",\"copy\":true}" : "}");
		break;
	case RS_INT:
		buf_int(out, v.number);
		break;
	case RS_CONST:
		buf_puts(out, "{\"const\":");
		buf_json(out, v.text);
		buf_putc(out, '}');
		break;
	case RS_ELEMENTS:
		buf_puts(out, "{\"elements\":");
		write_value(g, w, out);
		buf_puts(out, ",\"dtype\":");
		buf_json(out, rs_dtype_name((rs_dtype)v.dtype));
		buf_putc(out, '}');
		break;
	default:
		write_items(g, w, v.count, out);
	}
}

static void write_args(const graph *g, uint32_t node, buf *out)
{
	rs_walk w = rs_graph_walk(g, node);
	const rs_op *op = g->nodes[node].op;
	for (unsigned i = 0; i < op->nargs; i++) {
		const rs_arg *a = &op->args[i];
		buf_puts(out, i ? ",{\"name\":" : "{\"name\":");
		buf_json(out, a->name);
		buf_puts(out, a->by_position ? ",\"pos\":true,\"value\":" : ",\"pos\":false,\"value\":");
		write_value(g, &w, out);
		buf_putc(out, '}');
	}
}

static void write_tensor(const graph_tensor *t, buf *out)
{
	buf_puts(out, "{\"id\":");
	buf_int(out, t->number);
	buf_puts(out, ",\"shape\":");
	buf_ints(out, t->shape, t->rank);
	buf_puts(out, ",\"dtype\":");
	buf_json(out, rs_dtype_name(t->dtype));
}

/* The elements of an input, if they are not the default. */
static void write_elements(const graph_tensor *t, buf *out)
{
	if (t->values != RS_VALUES_SMALL) {
		buf_puts(out, ",\"values\":");
		buf_json(out, rs_values_name(t->values));
	}
	if (t->low || t->high)
		buf_printf(out, ",\"range\":[%lld,%lld", (long long)t->low, (long long)t->high);
	if (t->divisor)
		buf_printf(out, ",%u", t->divisor);
	if (t->low || t->high)
		buf_putc(out, ']');
	if (t->constant)
		buf_puts(out, ",\"constant\":true");
}

/* The memory layout of an input, if it is not contiguous. */
static void write_layout(const graph *g, const graph_tensor *t, buf *out)
{
	const graph_layout *l = t->layout;
	if (!l)
		return;
	if (l->same != GRAPH_NONE) {
		buf_printf(out, ",\"same\":%u", g->tensors[l->same].number);
		return;
	}
	buf_puts(out, ",\"strides\":");
	buf_ints(out, l->strides, t->rank);
	if (l->offset)
		buf_printf(out, ",\"offset\":%lld", (long long)l->offset);
}

static void write_node(const graph *g, uint32_t node, buf *out)
{
	const graph_node *n = &g->nodes[node];
	buf_puts(out, "{\"op\":");
	buf_json(out, n->op->name);
	buf_puts(out, ",\"api\":");
	buf_json(out, n->op->api);
	buf_puts(out, n->random ? ",\"random\":true,\"args\":[" : ",\"args\":[");
	write_args(g, node, out);
	buf_puts(out, "],\"outputs\":[");
	for (unsigned i = 0; i < n->op->nout; i++) {
		if (i)
			buf_putc(out, ',');
		write_tensor(&g->tensors[n->outputs + i], out);
		assignments_write_tensor(g, n->outputs + i, out);
		buf_putc(out, '}');
	}
	buf_puts(out, "]}");
}

static void write_inputs(const graph *g, buf *out)
{
	const char *comma = "";
	for (uint32_t i = RS_NONE; (i = rs_graph_next_input(g, i)) != RS_NONE; comma = ",") {
		buf_puts(out, comma);
		write_tensor(&g->tensors[i], out);
		write_elements(&g->tensors[i], out);
		assignments_write_tensor(g, i, out);
		write_layout(g, &g->tensors[i], out);
		buf_putc(out, '}');
	}
}

static void write_outputs(const graph *g, buf *out)
{
	const char *comma = "";
	for (uint32_t i = RS_NONE; (i = rs_graph_next_result(g, i)) != RS_NONE; comma = ",") {
		buf_puts(out, comma);
		buf_int(out, g->tensors[i].number);
	}
}

static void write_change(const graph_change *c, buf *out)
{
	if (c->kind == CHANGE_NONE)
		return;
	buf_puts(out, ",\"change\":{\"argument\":");
	buf_json(out, c->argument);
	buf_printf(out, ",\"item\":%u,\"kind\":", c->item);
	buf_json(out, graph_change_name(c->kind));
	buf_puts(out, ",\"to\":");
	buf_json(out, c->to);
	buf_putc(out, '}');
}

void graph_write_json(const graph *g, buf *out)
{
	buf_puts(out, "{\"model\":1,\"framework\":");
	buf_json(out, g->framework);
	buf_printf(out, ",\"seed\":%llu,\"index\":%llu,\"values\":%llu%s",
	    (unsigned long long)g->seed, (unsigned long long)g->index,
	    (unsigned long long)g->values, g->near_miss ? ",\"near_miss\":true" : "");
	write_change(&g->change, out);
	if (g->opset)
		buf_printf(out, ",\"opset\":%u", g->opset);
	buf_puts(out, ",\"inputs\":[");
	write_inputs(g, out);
	buf_puts(out, "],\"nodes\":[");
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		if (i != g->first)
			buf_putc(out, ',');
		write_node(g, i, out);
	}
	buf_puts(out, "],\"outputs\":[");
	write_outputs(g, out);
	buf_puts(out, g->gradients ? "],\"gradients\":true" : "]");
	buf_puts(out, g->module ? ",\"module\":true" : "");
	assignments_write(g, out);
	bodies_write(g, out);
	settings_write(g, out);
	session_write(g, out);
	buf_putc(out, '}');
}

char *rs_graph_json(const rs_graph *g)
{
	buf b = {0};
	graph_write_json(g, &b);
	return buf_take(&b);
}
