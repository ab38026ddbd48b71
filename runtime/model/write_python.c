#include "write_python.h"

#include <string.h>

#include "literal.h"

/* How a framework's scripts differ from another's. `elements` begins a script: a file of the package rulefuzz. */
typedef struct dialect {
	const char *framework, *module;
	const char *elements, *imports;
	const char *copy, *copied; /* around a tensor */
	const char *constant;	   /* makes a tensor of a list */
	const char *run;	   /* around the call of the model */
} dialect;

static const dialect DIALECTS[] = {
    {"torch", "torch",
#include "torch_elements.py.h"
	,
	"\nimport sys\n", "", ".clone(memory_format=torch.contiguous_format)", "torch.tensor",
	"    with torch.no_grad():\n        outputs = model(*inputs())\n"},
    {"tensorflow", "tf",
#include "elements.py.h"
	,
	"\nimport os\n"
	"import sys\n"
	"\n"
	"os.environ.setdefault(\"TF_CPP_MIN_LOG_LEVEL\", \"3\")\n"
	"os.environ.setdefault(\"TF_ENABLE_ONEDNN_OPTS\", \"0\")  # as the rules were learned\n"
	"import tensorflow as tf\n"
	"\n"
	"\n"
	"def make_input(shape, dtype, seed, kind=\"small\", span=None):\n"
	"    \"\"\"A tensor of these elements.\"\"\"\n"
	"    array = elements(shape, dtype, seed, kind, span)\n"
	"    return tf.constant(array.astype(tf.as_dtype(dtype).as_numpy_dtype))\n",
	"tf.raw_ops.DeepCopy(x=", ")", "tf.constant", "    outputs = model(*inputs())\n"}};

static const dialect *find_dialect(const char *framework)
{
	for (size_t i = 0; i < sizeof DIALECTS / sizeof *DIALECTS; i++)
		if (strcmp(DIALECTS[i].framework, framework) == 0)
			return &DIALECTS[i];
	return NULL;
}

bool graph_has_python(const char *framework)
{
	return find_dialect(framework);
}

/* The walk over one node's values, in preorder. */
typedef struct walk {
	const dialect *dialect;
	const graph *g;
	const graph_node *node;
	buf *out;
	unsigned value, input, constant; /* the next of each */
} walk;

static void write_name(const graph_tensor *t, buf *out)
{
	buf_putc(out, 't');
	buf_int(out, t->number);
}

static void write_tensor(walk *w)
{
	bool copied = rs_writes(w->node->op, w->input);
	buf_puts(w->out, copied ? w->dialect->copy : "");
	write_name(&w->g->tensors[graph_node_input(w->g, w->node, w->input++)], w->out);
	buf_puts(w->out, copied ? w->dialect->copied : "");
}

static void write_value(walk *w)
{
	const rs_value *v = &w->node->op->values[w->value++];
	switch (v->kind) {
	case RS_TENSOR:
	case RS_RANGED:
		write_tensor(w);
		break;
	case RS_INT:
		buf_int(w->out, w->node->symbols[v->first]);
		break;
	case RS_CONST:
		literal_python(w->node->consts ? w->node->consts[w->constant] : v->text, w->out);
		w->constant++;
		break;
	case RS_ELEMENTS:
		buf_printf(w->out, "%s(", w->dialect->constant);
		write_value(w);
		buf_printf(w->out, ", dtype=%s.%s)", w->dialect->module, rs_dtype_name(v->dtype));
		break;
	default:
		buf_putc(w->out, '[');
		for (unsigned i = 0; i < v->count; i++) {
			if (i)
				buf_puts(w->out, ", ");
			write_value(w);
		}
		buf_putc(w->out, ']');
	}
}

static bool is_keyword(const char *name)
{
	static const char *const words[] = {"False", "None", "True", "and", "as", "assert", "async",
	    "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
	    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
	    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], name) == 0)
			return true;
	return false;
}

/* One argument; a name that is a word of Python's own goes through a dictionary. */
static void write_arg(walk *w, const rs_arg *a)
{
	bool quoted = !a->by_position && is_keyword(a->name);
	if (quoted)
		buf_printf(w->out, "**{\"%s\": ", a->name);
	else if (!a->by_position)
		buf_printf(w->out, "%s=", a->name);
	write_value(w);
	if (quoted)
		buf_putc(w->out, '}');
}

/* The part of an API's name behind "torch.Tensor.", where the call can be a method call. */
static const char *method_name(const rs_op *op)
{
	static const char prefix[] = "torch.Tensor.";
	if (strncmp(op->api, prefix, sizeof prefix - 1) != 0 || !op->nargs
	    || !op->args[0].by_position || !rs_is_tensor(op->values[0].kind))
		return NULL;
	const char *name = op->api + sizeof prefix - 1;
	return strchr(name, '.') ? NULL : name;
}

static void write_call(const dialect *d, const graph *g, const graph_node *n, buf *out)
{
	walk w = {.dialect = d, .g = g, .node = n, .out = out};
	const char *method = method_name(n->op);
	if (method)
		write_value(&w);
	buf_printf(out, "%s%s(", method ? "." : "", method ? method : n->op->api);
	for (unsigned i = method ? 1 : 0; i < n->op->nargs; i++) {
		if (i > (method ? 1 : 0))
			buf_puts(out, ", ");
		write_arg(&w, &n->op->args[i]);
	}
	buf_putc(out, ')');
}

/* "[t2, t3] = flat(torch.max(t0, dim=0))" */
static void write_node(const dialect *d, const graph *g, const graph_node *n, buf *out)
{
	buf_puts(out, "    [");
	for (unsigned i = 0; i < n->op->nout; i++) {
		if (i)
			buf_puts(out, ", ");
		write_name(&g->tensors[n->outputs + i], out);
	}
	buf_puts(out, "] = flat(");
	write_call(d, g, n, out);
	buf_puts(out, ")\n");
}

static void write_shape(const graph_tensor *t, buf *out)
{
	buf_putc(out, '(');
	for (unsigned i = 0; i < t->rank; i++) {
		if (i)
			buf_puts(out, ", ");
		buf_int(out, t->shape[i]);
	}
	buf_puts(out, t->rank == 1 ? ",)" : ")");
}

static bool is_input(const graph_tensor *t)
{
	return t->live && t->producer == GRAPH_NONE;
}

/* As rulefuzz/elements.py seeds each input, so that a script repeats a worker's run. */
static uint64_t input_seed(const graph *g, const graph_tensor *t)
{
	return (g->values * 1000003 + t->number) & INT64_MAX;
}

/* What the elements are, where they are not the usual. */
static void write_elements(const graph_tensor *t, buf *out)
{
	uint8_t widest = t->values < RS_VALUES_LARGE ? t->values : RS_VALUES_LARGE;
	if (t->low || t->high)
		buf_printf(out, ", span=(%lld, %lld)", (long long)t->low, (long long)t->high);
	else if (t->values != RS_VALUES_SMALL)
		buf_printf(out, ", kind=\"%s\"", rs_values_name(widest));
}

static void write_inputs(const graph *g, buf *out)
{
	buf_puts(out, "\n\ndef inputs():\n    return [\n");
	for (uint32_t i = 0; i < g->ntensors; i++) {
		const graph_tensor *t = &g->tensors[i];
		if (!is_input(t))
			continue;
		buf_puts(out, "        make_input(");
		write_shape(t, out);
		buf_printf(out, ", \"%s\", %llu", rs_dtype_name(t->dtype), (unsigned long long)input_seed(g, t));
		write_elements(t, out);
		buf_puts(out, "),  # ");
		write_name(t, out);
		buf_putc(out, '\n');
	}
	buf_puts(out, "    ]\n");
}

static void write_parameters(const graph *g, buf *out)
{
	const char *comma = "";
	for (uint32_t i = 0; i < g->ntensors; i++)
		if (is_input(&g->tensors[i])) {
			buf_puts(out, comma);
			write_name(&g->tensors[i], out);
			comma = ", ";
		}
}

/* The model's outputs, each through `each`. */
static void write_outputs(const graph *g, buf *out, void (*each)(const graph_tensor *, buf *))
{
	const char *comma = "";
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		for (unsigned k = 0; k < g->nodes[i].op->nout; k++) {
			const graph_tensor *t = &g->tensors[g->nodes[i].outputs + k];
			if (!t->kept)
				continue;
			buf_puts(out, comma);
			each(t, out);
			comma = ", ";
		}
}

static void write_expected(const graph_tensor *t, buf *out)
{
	buf_puts(out, "(\"");
	write_name(t, out);
	buf_puts(out, "\", ");
	write_shape(t, out);
	buf_putc(out, ')');
}

static void write_model(const dialect *d, const graph *g, buf *out)
{
	buf_puts(out, "\n\ndef model(");
	write_parameters(g, out);
	buf_puts(out, "):\n");
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		write_node(d, g, &g->nodes[i], out);
	buf_puts(out, "    return [");
	write_outputs(g, out, write_name);
	buf_puts(out, "]\n");
}

/* What takes a result apart, and the check of the outputs. */
static void write_flat(const dialect *d, buf *out)
{
	buf_printf(out,
	    "\n\ndef flat(result):\n"
	    "    \"\"\"The tensors that a call returned, tuples and lists flattened.\"\"\"\n"
	    "    if isinstance(result, (list, tuple)):\n"
	    "        return [tensor for item in result for tensor in flat(item)]\n"
	    "    return [result] if isinstance(result, %s.Tensor) else []\n",
	    d->module);
}

static void write_main(const dialect *d, buf *out)
{
	buf_printf(out,
	    "\n\ndef main():\n"
	    "%s"
	    "    wrong = 0\n"
	    "    for (name, shape), output in zip(EXPECTED, outputs):\n"
	    "        print(name, tuple(output.shape), output.dtype)\n"
	    "        if tuple(output.shape) != shape:\n"
	    "            print(f\"{name}: predicted {shape}, got {tuple(output.shape)}\", file=sys.stderr)\n"
	    "            wrong = 1\n"
	    "    return wrong\n"
	    "\n\n"
	    "if __name__ == \"__main__\":\n"
	    "    sys.exit(main())\n",
	    d->run);
}

void graph_write_python(const graph *g, buf *out)
{
	const dialect *d = find_dialect(g->framework);
	if (!d)
		return;
	buf_printf(out,
	    "\"\"\"A model of %u operator calls by rulefuzz %s (%s, seed %llu, index %llu).\n\n"
	    "Runs it eagerly, prints the outputs' shapes, and ends with 1 when one is not as "
	    "predicted.\n"
	    "\"\"\"\n\n",
	    g->live_nodes, RS_VERSION, g->framework, (unsigned long long)g->seed,
	    (unsigned long long)g->index);
	buf_puts(out, d->elements);
	buf_puts(out, d->imports);
	write_flat(d, out);
	write_inputs(g, out);
	write_model(d, g, out);
	buf_puts(out, "\n\nEXPECTED = [");
	write_outputs(g, out, write_expected);
	buf_puts(out, "]\n");
	write_main(d, out);
}

char *rs_graph_python(const rs_graph *g)
{
	buf b = {0};
	graph_write_python(g, &b);
	return buf_take(&b);
}
