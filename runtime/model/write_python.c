#include "write_python.h"

#include <string.h>

#include "elements.h"
#include "framework.h"
#include "layout.h"
#include "python_literal.h"

/* The differences between the scripts of frameworks. `elements` begins a script: a file of the package rulefuzz. */
typedef struct dialect {
	const char *name;    /* the last column of frameworks.def */
	const char *methods;       /* prefix of APIs that are written as methods of their first argument; "": none */
	const char *elements, *imports;
	const char *tensor; /* the type of tensors */
	const char *dtypes; /* the module whose members are the dtypes */
	const char *copy, *copied; /* around a tensor */
	const char *constant;	   /* makes a tensor of a list */
	const char *run;	   /* around the call of the model */
	const char *layouts;	   /* a file of the package for inputs that are not contiguous; NULL: none */
	bool tuples;		   /* whether lists without tensors are written as tuples */
} dialect;

static const dialect DIALECTS[] = {
#include "dialects.def"
};

static const dialect *find_dialect(const char *framework)
{
	const char *name = framework_dialect(framework);
	for (size_t i = 0; i < sizeof DIALECTS / sizeof *DIALECTS; i++)
		if (strcmp(DIALECTS[i].name, name) == 0)
			return &DIALECTS[i];
	return NULL;
}

bool graph_has_python(const char *framework)
{
	return find_dialect(framework);
}

bool graph_has_strides(const char *framework)
{
	const dialect *d = find_dialect(framework_dialect(framework));
	return d && d->layouts;
}

size_t python_method_prefix(const char *api)
{
	for (size_t i = 0; i < sizeof DIALECTS / sizeof *DIALECTS; i++) {
		size_t n = strlen(DIALECTS[i].methods);
		if (n && strncmp(DIALECTS[i].methods, api, n) == 0)
			return n;
	}
	return 0;
}

/* The script being written. */
typedef struct script {
	const dialect *dialect;
	const graph *g;
	buf *out;
} script;

static void write_name(const graph_tensor *t, buf *out)
{
	buf_putc(out, 't');
	buf_int(out, t->number);
}

static void write_value(const script *s, rs_walk *w);

/* Whether there is a tensor among the next items, or the items of these. */
static bool has_tensors(rs_walk w, unsigned count)
{
	rs_item v;
	for (; count && rs_walk_next(&w, &v); count--) {
		if (v.kind == RS_TENSOR)
			return true;
		count += v.kind == RS_ELEMENTS ? 1 : v.kind == RS_LIST ? v.count : 0;
	}
	return false;
}

static void write_items(const script *s, rs_walk *w, unsigned count)
{
	bool tuple = s->dialect->tuples && !has_tensors(*w, count);
	buf_putc(s->out, tuple ? '(' : '[');
	for (unsigned i = 0; i < count; i++) {
		if (i)
			buf_puts(s->out, ", ");
		write_value(s, w);
	}
	buf_puts(s->out, !tuple ? "]" : count == 1 ? ",)" : ")");
}

/* The next value of the walk, with its items. */
static void write_value(const script *s, rs_walk *w)
{
	rs_item v;
	if (!rs_walk_next(w, &v))
		return;
	switch (v.kind) {
	case RS_TENSOR:
		buf_puts(s->out, v.copy ? s->dialect->copy : "");
		write_name(&s->g->tensors[v.tensor], s->out);
		buf_puts(s->out, v.copy ? s->dialect->copied : "");
		break;
	case RS_INT:
		buf_int(s->out, v.number);
		break;
	case RS_CONST:
		literal_python(v.text, s->out);
		break;
	case RS_ELEMENTS:
		buf_printf(s->out, "%s(", s->dialect->constant);
		write_value(s, w);
		buf_printf(s->out, ", dtype=%s.%s)", s->dialect->dtypes, rs_dtype_name((rs_dtype)v.dtype));
		break;
	default:
		write_items(s, w, v.count);
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

/* One argument; a name that is a Python keyword is passed through a dictionary. */
static void write_arg(const script *s, rs_walk *w, const rs_arg *a)
{
	bool quoted = !a->by_position && is_keyword(a->name);
	if (quoted)
		buf_printf(s->out, "**{\"%s\": ", a->name);
	else if (!a->by_position)
		buf_printf(s->out, "%s=", a->name);
	write_value(s, w);
	if (quoted)
		buf_putc(s->out, '}');
}

/* The method name of an API, if the dialect writes it as a method call. */
static const char *method_name(const dialect *d, const rs_op *op)
{
	size_t n = strlen(d->methods);
	if (!n || strncmp(op->api, d->methods, n) != 0 || !op->nargs || !op->args[0].by_position
	    || !rs_is_tensor(op->values[0].kind))
		return NULL;
	const char *name = op->api + n;
	return strchr(name, '.') ? NULL : name;
}

static void write_call(const script *s, uint32_t node)
{
	rs_walk w = rs_graph_walk(s->g, node);
	const rs_op *op = s->g->nodes[node].op;
	const char *method = method_name(s->dialect, op);
	if (method)
		write_value(s, &w);
	buf_printf(s->out, "%s%s(", method ? "." : "", method ? method : op->api);
	for (unsigned i = method ? 1 : 0; i < op->nargs; i++) {
		if (i > (method ? 1 : 0))
			buf_puts(s->out, ", ");
		write_arg(s, &w, &op->args[i]);
	}
	buf_putc(s->out, ')');
}

/* "[t2, t3] = flat(torch.max(t0, dim=0))" */
static void write_node(const script *s, uint32_t node)
{
	const graph_node *n = &s->g->nodes[node];
	buf_puts(s->out, "    [");
	for (unsigned i = 0; i < n->op->nout; i++) {
		if (i)
			buf_puts(s->out, ", ");
		write_name(&s->g->tensors[n->outputs + i], s->out);
	}
	buf_puts(s->out, "] = flat(");
	write_call(s, node);
	buf_puts(s->out, ")\n");
}

static void write_numbers(unsigned n, const int64_t *numbers, buf *out)
{
	buf_putc(out, '(');
	for (unsigned i = 0; i < n; i++) {
		if (i)
			buf_puts(out, ", ");
		buf_int(out, numbers[i]);
	}
	buf_puts(out, n == 1 ? ",)" : ")");
}

static void write_shape(const graph_tensor *t, buf *out)
{
	write_numbers(t->rank, t->shape, out);
}

/* The elements of an input, if they are not the default. */
static void write_elements(const graph_tensor *t, buf *out)
{
	uint8_t widest = t->values == RS_VALUES_FINITE ? RS_VALUES_LARGE : t->values;
	if (t->low || t->high)
		buf_printf(out, t->divisor ? ", span=(%lld, %lld, %u)" : ", span=(%lld, %lld)", (long long)t->low, (long long)t->high,
		    t->divisor);
	else if (t->values != RS_VALUES_SMALL)
		buf_printf(out, ", kind=\"%s\"", rs_values_name(widest));
}

static void write_making(const graph *g, const graph_tensor *t, buf *out)
{
	int64_t stored[GRAPH_RANK_MAX];
	const graph_layout *l = t->layout;
	if (l && l->same != GRAPH_NONE) {
		buf_puts(out, "None");
		return;
	}
	if (l)
		layout_stored(t, stored);
	buf_puts(out, l ? "laid_out(make_input(" : "make_input(");
	write_numbers(t->rank, l ? stored : t->shape, out);
	buf_printf(out, ", \"%s\", %llu", rs_dtype_name(t->dtype), (unsigned long long)elements_seed(g, t));
	write_elements(t, out);
	buf_putc(out, ')');
	if (!l)
		return;
	buf_puts(out, ", ");
	write_shape(t, out);
	buf_puts(out, ", ");
	write_numbers(t->rank, l->strides, out);
	buf_printf(out, ", %lld)", (long long)l->offset);
}

/* The next input that is fed, or the next constant. */
static uint32_t next_fed(const rs_graph *g, uint32_t i)
{
	while ((i = rs_graph_next_input(g, i)) != RS_NONE && g->tensors[i].constant)
		;
	return i;
}

static uint32_t next_constant(const rs_graph *g, uint32_t i)
{
	while ((i = rs_graph_next_input(g, i)) != RS_NONE && !g->tensors[i].constant)
		;
	return i;
}

static bool is_shared(const graph_tensor *t)
{
	return t->layout && t->layout->same != GRAPH_NONE;
}

/* Whether an input is an alias of another one. */
static bool shares(const graph *g)
{
	bool found = false;
	for (uint32_t i = RS_NONE; (i = next_fed(g, i)) != RS_NONE;)
		found |= is_shared(&g->tensors[i]);
	return found;
}

/* The index of an input among those that are fed. */
static unsigned place_of(const graph *g, uint32_t tensor)
{
	unsigned place = 0;
	for (uint32_t i = RS_NONE; (i = next_fed(g, i)) != RS_NONE && i != tensor;)
		place++;
	return place;
}

static void write_shared(const graph *g, buf *out)
{
	for (uint32_t i = RS_NONE; (i = next_fed(g, i)) != RS_NONE;)
		if (is_shared(&g->tensors[i]))
			buf_printf(out, "    found[%u] = found[%u]\n", place_of(g, i), place_of(g, g->tensors[i].layout->same));
	buf_puts(out, "    return found\n");
}

static void write_inputs(const graph *g, buf *out)
{
	bool share = shares(g);
	buf_puts(out, share ? "\n\ndef inputs():\n    found = [\n" : "\n\ndef inputs():\n    return [\n");
	for (uint32_t i = RS_NONE; (i = next_fed(g, i)) != RS_NONE;) {
		buf_puts(out, "        ");
		write_making(g, &g->tensors[i], out);
		buf_puts(out, ",  # ");
		write_name(&g->tensors[i], out);
		buf_putc(out, '\n');
	}
	buf_puts(out, "    ]\n");
	if (share)
		write_shared(g, out);
}

static void write_constants(const graph *g, buf *out)
{
	const char *before = "\n\n";
	for (uint32_t i = RS_NONE; (i = next_constant(g, i)) != RS_NONE; before = "") {
		buf_puts(out, before);
		write_name(&g->tensors[i], out);
		buf_puts(out, " = ");
		write_making(g, &g->tensors[i], out);
		buf_putc(out, '\n');
	}
}

/* The inputs or results of a model, enumerated by `next`, each written by `each`. */
static void write_tensors(const graph *g, uint32_t (*next)(const rs_graph *, uint32_t),
    void (*each)(const graph_tensor *, buf *), buf *out)
{
	const char *comma = "";
	for (uint32_t i = RS_NONE; (i = next(g, i)) != RS_NONE; comma = ", ") {
		buf_puts(out, comma);
		each(&g->tensors[i], out);
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

static void write_model(const script *s)
{
	buf_puts(s->out, "\n\ndef model(");
	write_tensors(s->g, next_fed, write_name, s->out);
	buf_puts(s->out, "):\n");
	for (uint32_t i = s->g->first; i != GRAPH_NONE; i = s->g->nodes[i].next)
		write_node(s, i);
	buf_puts(s->out, "    return [");
	write_tensors(s->g, rs_graph_next_result, write_name, s->out);
	buf_puts(s->out, "]\n");
}

/* Unpacking of results, and the check of the outputs. */
static void write_flat(const dialect *d, buf *out)
{
	buf_printf(out,
	    "\n\ndef flat(result):\n"
	    "    \"\"\"The tensors that a call returned, tuples and lists flattened.\"\"\"\n"
	    "    if isinstance(result, (list, tuple)):\n"
	    "        return [tensor for item in result for tensor in flat(item)]\n"
	    "    return [result] if isinstance(result, %s) else []\n",
	    d->tensor);
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

static bool has_layouts(const graph *g)
{
	for (uint32_t i = RS_NONE; (i = rs_graph_next_input(g, i)) != RS_NONE;)
		if (g->tensors[i].layout)
			return true;
	return false;
}

/* Imports of user-defined functions: their names do not begin with the framework's module. */
static void write_own_imports(const graph *g, buf *out)
{
	const char *last = "";
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		const char *api = g->nodes[i].op->api, *dot = strrchr(api, '.');
		if (!dot || strcmp(api, last) == 0 || framework_inside(g->framework, api))
			continue;
		last = api;
		buf_printf(out, "import %.*s\n", (int)(dot - api), api);
	}
}

void graph_write_python(const graph *g, buf *out)
{
	const dialect *d = find_dialect(g->framework);
	if (!d)
		return;
	buf_printf(out,
	    "\"\"\"A model of %u operator calls by rulefuzz %s (%s, seed %llu, index %llu).\n\n"
	    "Runs it eagerly, prints the outputs' shapes, and exits with 1 if one is not as "
	    "predicted.\n"
	    "\"\"\"\n\n",
	    g->live_nodes, RS_VERSION, g->framework, (unsigned long long)g->seed,
	    (unsigned long long)g->index);
	buf_puts(out, d->elements);
	if (d->layouts && has_layouts(g))
		buf_printf(out, "\n\n%s", strstr(d->layouts, "def ")); /* imported already */
	buf_puts(out, d->imports);
	write_own_imports(g, out);
	write_flat(d, out);
	write_inputs(g, out);
	write_constants(g, out);
	write_model(&(script){d, g, out});
	buf_puts(out, "\n\nEXPECTED = [");
	write_tensors(g, rs_graph_next_result, write_expected, out);
	buf_puts(out, "]\n");
	write_main(d, out);
}

char *rs_graph_python(const rs_graph *g)
{
	buf b = {0};
	graph_write_python(g, &b);
	return buf_take(&b);
}
