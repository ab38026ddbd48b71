#include "outline.h"

#include <inttypes.h>
#include <string.h>

/* ---- the listing */

void outline_type(const outline_tensor *t, buf *out)
{
	buf_printf(out, "%s[%s]", t->dtype, t->shape);
}

static void put_tensor(const outline_tensor *t, const outline_style *s, buf *out)
{
	buf type = {0};
	outline_type(t, &type);
	buf_printf(out, "t%" PRId64 ": %s", t->id, s->type[0]);
	s->text(out, buf_text(&type));
	buf_puts(out, s->type[1]);
	s->text(out, t->filled);
	if (t->constant)
		buf_printf(out, ", %sconstant%s", s->word[0], s->word[1]);
	buf_end(out, &type);
}

static void indent(int depth, buf *out)
{
	while (depth-- > 0)
		buf_puts(out, "  ");
}

static void put_call(const outline *o, const outline_node *n, const outline_style *s, buf *out)
{
	buf_puts(out, "  ");
	for (int32_t i = 0; i < n->noutputs; i++) {
		buf_puts(out, i ? ", " : "");
		put_tensor(&o->tensors[n->first + i], s, out);
	}
	buf_printf(out, " = %s%s", n->random ? "random " : "", s->call[0]);
	s->text(out, n->api);
	buf_printf(out, "%s(", s->call[1]);
	s->text(out, n->arguments);
	buf_puts(out, ")\n");
}

/* Prints the headings of the bodies that begin with a call; returns how many bodies are open, with their last calls in ends[]. */
static int open_bodies(const outline *o, int32_t call, int32_t *next, int32_t *ends, int depth, const outline_style *s, buf *out)
{
	while (depth && ends[depth - 1] < call)
		depth--;
	for (; *next < o->nbodies && o->bodies[*next].first == call; ++*next) {
		indent(depth + 1, out);
		buf_puts(out, s->word[0]);
		s->text(out, o->bodies[*next].heading);
		buf_printf(out, "%s\n", s->word[1]);
		ends[depth++] = o->bodies[*next].last;
	}
	return depth;
}

static void put_results(const outline *o, const outline_style *s, buf *out)
{
	const char *comma = " ";
	buf_printf(out, "  %sreturn%s", s->word[0], s->word[1]);
	for (int32_t i = 0; i < o->ntensors; i++)
		if (o->tensors[i].result) {
			buf_printf(out, "%st%" PRId64, comma, o->tensors[i].id);
			comma = ", ";
		}
	buf_putc(out, '\n');
}

void outline_print(const outline *o, const outline_style *s, buf *out)
{
	int32_t ends[OUTLINE_BODIES], next = 0;
	int depth = 0;
	buf_printf(out, "%smodel%s(", s->word[0], s->word[1]);
	for (int32_t i = 0; i < o->ninputs; i++) {
		buf_puts(out, i ? ",\n      " : "");
		put_tensor(&o->tensors[i], s, out);
	}
	buf_puts(out, "):\n");
	for (int32_t i = 0; i < o->nnotes; i++) {
		buf_printf(out, "  %s# ", s->word[0]);
		s->text(out, o->notes[i]);
		buf_printf(out, "%s\n", s->word[1]);
	}
	for (int32_t i = 0; i < o->nnodes; i++) {
		depth = open_bodies(o, i, &next, ends, depth, s, out);
		indent(depth, out);
		put_call(o, &o->nodes[i], s, out);
	}
	put_results(o, s, out);
}

/* ---- the legend */

void outline_legend(const outline *o, buf *out)
{
	bool elements = false, copies = false, random = false, strides = false;
	for (int32_t i = 0; i < o->ninputs; i++) {
		elements |= strchr(o->tensors[i].filled, '=') != NULL;
		strides |= strstr(o->tensors[i].filled, "strides") != NULL;
	}
	for (int32_t i = 0; i < o->nnodes; i++) {
		copies |= strstr(o->nodes[i].arguments, "copy(t") != NULL;
		random |= o->nodes[i].random;
	}
	if (elements)
		buf_puts(out, "  t0: int64[2] = 1 to 5   an input, with the range of its elements\n");
	if (strides)
		buf_puts(out, "  strides, offset         the layout of the input in memory, in elements\n");
	if (copies)
		buf_puts(out, "  copy(t0)                a contiguous copy of t0, which the call may write to\n");
	if (random)
		buf_puts(out, "  random                  draws random numbers: only shape and dtype are compared\n");
}
