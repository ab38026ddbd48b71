#include "api_functions.h"

#include "lines.h"
#include "need.h"

struct api_functions {
	const api_cases *cases;
	const char *name;
	parameters accept, shape;
};

/* ---- parameters */

/* The k-th list of a whole shape: a shape, axes, a number, all tensors of a list or how many these are. */
static void add_list(parameters *p, const whole_shape *w, int k)
{
	const bool is_number = whole_shape_is_number(w, k);
	if ((k == 0 && whole_shape_is_of_tensors(w)) || (is_number && whole_shape_counts(w)))
		parameters_add_tensors(p, w->lists[k]);
	else if (is_number)
		parameters_add_number(p, w->lists[k]);
	else
		parameters_add_list(p, w->lists[k]);
}

static void add_output(parameters *p, const case_output *x)
{
	for (int k = 0; x->is_whole && k < x->whole.of; k++)
		add_list(p, &x->whole, k);
	if (x->is_whole)
		return;
	parameters_add_template(p, &x->line.t);
	parameters_add_range(p, &x->line.where);
}

static void add_outputs(parameters *p)
{
	for (int k = 0; k < p->cases->noutputs; k++)
		add_output(p, &p->cases->outputs[k]);
}

static void add_clauses(parameters *p)
{
	for (int k = 0; k < p->cases->nclauses; k++) {
		parameters_add_template(p, &p->cases->clauses[k].c.t);
		parameters_add_range(p, &p->cases->clauses[k].c.where);
	}
}

static parameters *new_parameters(const api_cases *c)
{
	parameters *p = NEED_ARRAY(c->memory, parameters, 1);
	p->cases = c;
	return p;
}

/* A parameter is a list in both functions if it is one in either. False: there are too many. */
static bool make_parameters(api_functions *f)
{
	parameters *all = new_parameters(f->cases);
	add_clauses(all);
	add_outputs(all);
	if (all->full)
		return false;
	parameters_name(all);
	f->accept.cases = f->shape.cases = f->cases;
	add_clauses(&f->accept);
	if (f->cases->calls_shape)
		add_outputs(&f->accept);
	add_outputs(&f->shape);
	parameters_name_as(&f->accept, all);
	parameters_name_as(&f->shape, all);
	return true;
}

api_functions *api_functions_of(const rule_set *rules, const api_rule *const *list, int n, const char *name)
{
	const api_cases *c = api_cases_of(rules->memory, list, n);
	api_functions *f = NEED_ARRAY(rules->memory, api_functions, 1);
	*f = (api_functions){.cases = c, .name = name};
	return c && make_parameters(f) ? f : NULL;
}

/* ---- signatures */

static const case_signature *signature_of(const api_functions *f, const rule_op *op)
{
	for (int i = 0; i < f->cases->nsignatures; i++)
		if (f->cases->signatures[i].call->of.call == op->call)
			return &f->cases->signatures[i];
	return NULL;
}

bool api_functions_have(const api_functions *f, const rule_op *op, bool shape)
{
	const case_signature *s = f ? signature_of(f, op) : NULL;
	return s && (shape ? s->shape : s->accept) >= 0;
}

bool api_functions_call_shape(const api_functions *f)
{
	return f->cases->calls_shape != 0;
}

/* ---- functions */

/* "out0, out1", each behind `before`. */
static void put_outputs(buf *to, const api_functions *f, const char *before)
{
	for (unsigned t = 0; t < f->cases->ntensors; t++)
		if (lines_has_tensor(f->cases, t))
			buf_printf(to, "%s%s", before, parameter_output(&f->shape, (int)t));
}

static const char *shape_name(const api_functions *f)
{
	return need(arena_printf(f->cases->memory, "%s_shape", f->name), 1);
}

/* Whether the lines of a function are not the same in all of its cases. */
static bool shapes_differ(const api_cases *c)
{
	for (int k = 0; k < c->noutputs; k++)
		if (c->outputs[k].of != c->shape)
			return true;
	return false;
}

static bool is_by_case(const api_cases *c, bool shape)
{
	if (shape)
		return shapes_differ(c);
	for (int k = 0; k < c->nclauses; k++)
		if (c->clauses[k].of != c->accept)
			return true;
	return c->calls_shape && (c->calls_shape != c->accept || shapes_differ(c));
}

/* "torch_conv2d_shape(input, weight, stride, out)" */
static const char *shape_call(const api_functions *f)
{
	buf text = {0};
	const char *before = "";
	buf_printf(&text, "%s(", shape_name(f));
	if (shapes_differ(f->cases)) {
		buf_puts(&text, "rule");
		before = ", ";
	}
	for (int k = 0; k < f->shape.n; k++, before = ", ")
		buf_printf(&text, "%s%s", before, f->shape.list[k].name);
	for (unsigned t = 0; t < f->cases->ntensors; t++)
		if (lines_has_tensor(f->cases, t)) {
			buf_printf(&text, "%s%s", before, parameter_output(&f->shape, (int)t));
			before = ", ";
		}
	buf_putc(&text, ')');
	const char *kept = keep(f->cases->memory, &text);
	buf_free(&text);
	return kept;
}

static void put_accept(buf *to, const api_functions *f)
{
	const api_cases *c = f->cases;
	buf outputs = {0};
	function_text t = function_text_begin(&f->accept, c->accept);
	t.by_case = is_by_case(c, false);
	lines_put_clauses(&t, false);
	if (c->calls_shape) {
		function_text_if(&t, c->calls_shape, NULL);
		function_text_require(&t, shape_call(f));
		function_text_end_if(&t, c->calls_shape);
		lines_put_clauses(&t, true);
		put_outputs(&outputs, f, ", sizes ");
	}
	function_text_put(to, &t, f->name, need_text(&outputs));
	buf_free(&outputs);
}

void api_functions_put(buf *to, const api_functions *f, bool shape)
{
	if (!shape) {
		put_accept(to, f);
		return;
	}
	buf outputs = {0};
	function_text t = function_text_begin(&f->shape, f->cases->shape);
	t.by_case = is_by_case(f->cases, true);
	lines_put_outputs(&t);
	put_outputs(&outputs, f, ", sizes ");
	function_text_put(to, &t, shape_name(f), need_text(&outputs));
	buf_free(&outputs);
}

/* ---- lines of signatures */

static void put_rooms(buf *to, const api_functions *f, const case_signature *s, const char *before, bool shape)
{
	const call *c = s->call->of.call;
	bool needed = shape || (f->cases->calls_shape >> s->accept & 1);
	int first = 0;
	for (int t = 0; t < (int)f->cases->ntensors; t++) {
		int rank = t < c->nout && needed ? c->outputs[t].rank : 0;
		if (lines_has_tensor(f->cases, (unsigned)t)) {
			if (!rank)
				buf_printf(to, "%sUNUSED", before);
			else if (shape)
				buf_printf(to, "%sTO(%d, %d)", before, first, rank);
			else
				buf_printf(to, "%sROOM(%d)", before, rank);
			before = ", ";
		}
		first += rank;
	}
}

void api_functions_put_line(buf *to, const api_functions *f, const rule_op *op, const char *name, bool shape)
{
	const case_signature *s = signature_of(f, op);
	const parameters *p = shape ? &f->shape : &f->accept;
	const char *before = "";
	if (shape)
		buf_printf(to, "SHAPE(%s, %s(", name, shape_name(f));
	else
		buf_printf(to, "VALID(%s, %s(", name, f->name);
	if (is_by_case(f->cases, shape)) {
		buf_printf(to, "%d", shape ? s->shape : s->accept);
		before = ", ";
	}
	buf_puts(to, p->n ? before : "");
	parameters_put_call(to, p, s);
	before = p->n ? ", " : before;
	if (shape || f->cases->calls_shape)
		put_rooms(to, f, s, before, shape);
	buf_puts(to, "))");
}
