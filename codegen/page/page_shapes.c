#include "page_shapes.h"

#include <string.h>

#include "name.h"
#include "need.h"
#include "page_own.h"
#include "page_outputs.h"
#include "text.h"

static void put_row(buf *out, int width, const char *name, const char *text)
{
	buf lead = {0};
	buf_printf(&lead, " *   %-*s  ", width, name);
	text_prose(out, need_text(&lead), " *       ", text);
	buf_free(&lead);
}

/* "(N?, C, H, W)" */
static void put_tuple(buf *to, page_dims *d, const view_argument *a, const char *others)
{
	bool any = false;
	buf_putc(to, '(');
	for (int k = 0; k < a->left + a->right; k++) {
		if (k == a->left && a->varies) {
			buf_printf(to, any ? ", %s" : "%s", others);
			any = true;
		}
		buf_puts(to, any ? ", " : "");
		page_words_slot(to, d, a->slot + k);
		buf_puts(to, k == 0 && a->leads ? "?" : "");
		any = true;
	}
	if (!a->right && a->varies)
		buf_printf(to, any ? ", %s" : "%s", others);
	buf_putc(to, ')');
}

/* Whether other tensors of the page have names. */
static bool has_names(const api_view *v)
{
	for (int k = 0; k < v->narguments + v->nout; k++)
		if (v->arguments[k].left + v->arguments[k].right > 0)
			return true;
	return false;
}

/* Of a fixed rank, without names: "()" or "(_, _)". False: it is another. */
static bool put_nameless(buf *to, const api_view *v, const view_argument *a)
{
	if (!a->tensor || a->tensors || a->left + a->right > 0 || a->least != a->most || (a->most && !has_names(v)))
		return false;
	for (int k = 0; k < a->most; k++)
		buf_puts(to, k ? ", _" : "(_");
	buf_puts(to, a->most ? ")" : "()");
	return true;
}

static void put_input(buf *out, page_dims *d, const view_argument *a, int width)
{
	buf line = {0};
	if (a->tensors)
		buf_puts(&line, "list of ");
	if (!put_nameless(&line, d->view, a))
		put_tuple(&line, d, a, "...");
	if (a->tensor && (a->number || a->list))
		buf_puts(&line, a->list ? " or a list" : " or a number");
	if (a->missing)
		buf_puts(&line, "  optional");
	put_row(out, width, a->name, need_text(&line));
	buf_free(&line);
}

/* ---- outputs */

static bool only_whole(const api_view *v, int t)
{
	for (int k = 0; k < v->nlines; k++)
		if (v->lines[k].chosen && v->lines[k].output == t && (!v->lines[k].is_whole || v->lines[k].whole.cut))
			return false;
	return true;
}

/* The shape that a line of a whole one gives: that of the input, if it has names. */
static void put_whole_line(buf *to, page_dims *d, const view_line *l)
{
	const view_argument *a = view_list_of(d->view, l->whole.lists[0]);
	if (l->whole.kind == WHOLE_SAME && l->whole.lists[0].kind == LIST_DIMS && l->whole.lists[0].item < 0 && a && a->left + a->right > 0 && !a->varies)
		put_tuple(to, d, a, "...");
	else
		page_words_whole(to, d->view, l);
	page_words_condition(to, d->view, l);
}

/* Signatures in which an output has no dimension and no line says so. */
static bool find_scalars(const api_view *v, int t, view_line *to)
{
	bool any = false, all = true;
	bool *in = NEED_ARRAY(v->memory, bool, v->n);
	for (int i = 0; i < v->n; i++) {
		const call *c = v->rows[i].op->call;
		bool said = false;
		if (t >= c->nout)
			continue;
		for (int k = 0; k < v->nlines; k++)
			said |= v->lines[k].chosen && v->lines[k].output == t && v->lines[k].is_whole && v->lines[k].state[i] == STATES_PART;
		in[i] = c->outputs[t].rank == 0 && !said;
		any |= in[i];
		all &= in[i];
	}
	*to = (view_line){.output = t, .state = NEED_ARRAY(v->memory, uint8_t, v->n)};
	for (int i = 0; i < v->n; i++)
		to->state[i] = in[i] ? STATES_PART : STATES_OTHER;
	to->kind = all ? FOR_EACH_CALL : any && view_find_guard(v, to, in, NULL) ? FOR_GUARD : FOR_LISTED;
	return any;
}

static void put_scalars(buf *lines, const api_view *v, int t)
{
	view_line l;
	if (!find_scalars(v, t, &l))
		return;
	buf_puts(lines, "()");
	page_words_condition(lines, v, &l);
	buf_putc(lines, '\n');
}

/* Lines of one output: its shape, and how its dimensions are computed. */
static void put_output(buf *lines, page_dims *d, int t)
{
	const api_view *v = d->view;
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < v->nlines; k++) {
			const view_line *l = &v->lines[k];
			if (l->chosen && l->output == t && l->is_whole && !l->whole.cut && view_is_always(l) != pass) {
				put_whole_line(lines, d, l);
				buf_putc(lines, '\n');
			}
		}
	for (int k = 0; k < v->ncases[t]; k++) {
		page_outputs_case(lines, d, &v->cases[t][k]);
		buf_putc(lines, '\n');
	}
	if (v->ncases[t] || only_whole(v, t)) {
		put_scalars(lines, v, t);
		return;
	}
	const view_argument *a = &v->arguments[v->narguments + t];
	buf others = {0};
	for (int k = 0; k < v->nlines && !others.length; k++)
		if (v->lines[k].chosen && v->lines[k].output == t)
			page_outputs_lead(&others, d, &v->lines[k]);
	const bool beside = lines->length > 0;
	put_tuple(lines, d, a, others.length ? need_text(&others) : "...");
	buf_puts(lines, beside ? "  otherwise\n" : "\n");
	put_scalars(lines, v, t);
	buf_free(&others);
}

static int width_of(const api_view *v)
{
	int width = 3 + (v->nout > 1);
	for (int k = 0; k < v->narguments; k++) {
		const view_argument *a = &v->arguments[k];
		int length = (int)strlen(a->name);
		if ((a->tensor || a->tensors) && length > width && length <= 24)
			width = length;
	}
	return width;
}

static void put_outputs(buf *out, page_dims *d, int width)
{
	const api_view *v = d->view;
	buf last = {0}, names = {0};
	for (int t = 0; t <= v->nout; t++) {
		buf lines = {0};
		if (t < v->nout)
			put_output(&lines, d, t);
		if (t == v->nout || strcmp(need_text(&lines), need_text(&last)) != 0) {
			for (char *line = last.length ? last.text : NULL, *next; line && *line; line = next) {
				next = strchr(line, '\n');
				*next++ = '\0';
				put_row(out, width, need_text(&names), line);
			}
			buf_clear(&names);
			buf_clear(&last);
			buf_puts(&last, need_text(&lines));
		}
		if (t < v->nout) {
			buf_puts(&names, names.length ? ", " : "");
			page_words_output(&names, v, t);
		}
		buf_free(&lines);
	}
	buf_free(&names);
	buf_free(&last);
}

/* Whether an earlier rule has the same default. */
static bool is_known_default(const api_view *v, int row, const char *argument)
{
	for (int i = 0; i < row; i++)
		for (int k = 0; v->rows[i].rule && k < v->rows[i].rule->calls.ndefaults; k++)
			if (strcmp(v->rows[i].rule->calls.defaults[k].argument, argument) == 0)
				return true;
	return false;
}

/* Whether the page's heading has the argument's default. A number of the rules adds nothing there, or is true of some ranks only:
 * without dim=[], amin reduces all dimensions, which for vectors is dim = 0. */
static bool is_in_heading(const api_view *v, const default_of *x)
{
	for (int k = 0; k < v->ndefaults; k++)
		if (strcmp(v->defaults[k].argument, x->argument) == 0)
			return !x->instead;
	return false;
}

/* "defaults  stride = kernel_size": what the rules know of omitted arguments. */
static void put_defaults(buf *out, const api_view *v)
{
	buf line = {0};
	for (int i = 0; i < v->n; i++)
		for (int k = 0; v->rows[i].rule && k < v->rows[i].rule->calls.ndefaults; k++) {
			const default_of *x = &v->rows[i].rule->calls.defaults[k];
			if (is_known_default(v, i, x->argument) || is_in_heading(v, x))
				continue;
			buf_puts(&line, line.length ? ", " : "");
			name_comment(&line, x->argument);
			buf_puts(&line, " = ");
			if (x->instead)
				name_comment(&line, x->instead);
			else
				buf_int(&line, x->number);
		}
	if (line.length)
		text_prose(out, " *   defaults   ", " *       ", need_text(&line));
	buf_free(&line);
}

/* Outputs of one signature, if no signature has its outputs on the page. */
static void put_own(buf *out, const api_view *v)
{
	const page_own own = page_own_outputs(v);
	for (int k = 0; k < own.n; k++)
		text_prose(out, " *     ", " *         ", own.list[k]);
}

void page_shapes_put(buf *out, page_dims *d)
{
	const api_view *v = d->view;
	int width = width_of(v);
	for (int k = 0; k < v->narguments; k++)
		if (v->arguments[k].tensor || v->arguments[k].tensors)
			put_input(out, d, &v->arguments[k], width);
	buf formulas = {0};
	page_outputs_name(&formulas, d);
	put_outputs(out, d, width);
	buf_puts(out, need_text(&formulas));
	buf_free(&formulas);
	put_own(out, v);
	put_defaults(out, v);
}
