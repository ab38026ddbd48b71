#include "write_json.h"

/* The walk over one node's values, in preorder. */
typedef struct walk {
	const graph *g;
	const graph_node *node;
	buf *out;
	unsigned value, input, constant; /* the next of each */
} walk;

static void write_value(walk *w)
{
	const rs_value *v = &w->node->op->values[w->value++];
	switch (v->kind) {
	case RS_TENSOR:
	case RS_RANGED:
		buf_puts(w->out, "{\"ref\":");
		buf_int(w->out, w->g->tensors[graph_node_input(w->g, w->node, w->input)].number);
		buf_puts(w->out, rs_writes(w->node->op, w->input) ? ",\"copy\":true}" : "}");
		w->input++;
		break;
	case RS_INT:
		buf_int(w->out, w->node->symbols[v->first]);
		break;
	case RS_CONST:
		buf_puts(w->out, "{\"const\":");
		buf_json(w->out, w->node->consts ? w->node->consts[w->constant] : v->text);
		buf_putc(w->out, '}');
		w->constant++;
		break;
	case RS_ELEMENTS:
		buf_puts(w->out, "{\"elements\":");
		write_value(w);
		buf_puts(w->out, ",\"dtype\":");
		buf_json(w->out, rs_dtype_name(v->dtype));
		buf_putc(w->out, '}');
		break;
	default:
		buf_putc(w->out, '[');
		for (unsigned i = 0; i < v->count; i++) {
			if (i)
				buf_putc(w->out, ',');
			write_value(w);
		}
		buf_putc(w->out, ']');
	}
}

static void write_args(const graph *g, const graph_node *n, buf *out)
{
	walk w = {.g = g, .node = n, .out = out};
	for (unsigned i = 0; i < n->op->nargs; i++) {
		const rs_arg *a = &n->op->args[i];
		buf_puts(out, i ? ",{\"name\":" : "{\"name\":");
		buf_json(out, a->name);
		buf_puts(
		    out, a->by_position ? ",\"pos\":true,\"value\":" : ",\"pos\":false,\"value\":");
		write_value(&w);
		buf_putc(out, '}');
	}
}

static void write_tensor(const graph_tensor *t, buf *out)
{
	buf_puts(out, "{\"id\":");
	buf_int(out, t->number);
	buf_puts(out, ",\"shape\":[");
	for (unsigned i = 0; i < t->rank; i++) {
		if (i)
			buf_putc(out, ',');
		buf_int(out, t->shape[i]);
	}
	buf_puts(out, "],\"dtype\":");
	buf_json(out, rs_dtype_name(t->dtype));
}

/* What a model's input is filled with, where it is not the usual. */
static void write_elements(const graph_tensor *t, buf *out)
{
	if (t->values != RS_VALUES_SMALL) {
		buf_puts(out, ",\"values\":");
		buf_json(out, rs_values_name(t->values));
	}
	if (t->low || t->high)
		buf_printf(out, ",\"range\":[%lld,%lld]", (long long)t->low, (long long)t->high);
}

static void write_node(const graph *g, const graph_node *n, buf *out)
{
	buf_puts(out, "{\"op\":");
	buf_json(out, n->op->name);
	buf_puts(out, ",\"api\":");
	buf_json(out, n->op->api);
	buf_puts(out, ",\"args\":[");
	write_args(g, n, out);
	buf_puts(out, "],\"outputs\":[");
	for (unsigned i = 0; i < n->op->nout; i++) {
		if (i)
			buf_putc(out, ',');
		write_tensor(&g->tensors[n->outputs + i], out);
		buf_putc(out, '}');
	}
	buf_puts(out, "]}");
}

static void write_inputs(const graph *g, buf *out)
{
	const char *comma = "";
	for (uint32_t i = 0; i < g->ntensors; i++) {
		const graph_tensor *t = &g->tensors[i];
		if (!t->live || t->producer != GRAPH_NONE)
			continue;
		buf_puts(out, comma);
		write_tensor(t, out);
		write_elements(t, out);
		buf_putc(out, '}');
		comma = ",";
	}
}

static void write_outputs(const graph *g, buf *out)
{
	const char *comma = "";
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		for (unsigned k = 0; k < g->nodes[i].op->nout; k++) {
			const graph_tensor *t = &g->tensors[g->nodes[i].outputs + k];
			if (!t->kept)
				continue;
			buf_puts(out, comma);
			buf_int(out, t->number);
			comma = ",";
		}
}

void graph_write_json(const graph *g, buf *out)
{
	buf_puts(out, "{\"model\":1,\"framework\":");
	buf_json(out, g->framework);
	buf_printf(out, ",\"seed\":%llu,\"index\":%llu,\"values\":%llu,\"inputs\":[",
	    (unsigned long long)g->seed, (unsigned long long)g->index,
	    (unsigned long long)g->values);
	write_inputs(g, out);
	buf_puts(out, "],\"nodes\":[");
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		if (i != g->first)
			buf_putc(out, ',');
		write_node(g, &g->nodes[i], out);
	}
	buf_puts(out, "],\"outputs\":[");
	write_outputs(g, out);
	buf_puts(out, "]}");
}

char *rs_graph_json(const rs_graph *g)
{
	buf b = {0};
	graph_write_json(g, &b);
	return buf_take(&b);
}
