#include "function_text.h"

#include <string.h>

#include "need.h"
#include "text.h"

function_text function_text_begin(const parameters *p, uint64_t all)
{
	return (function_text){.memory = p->cases->memory, .p = p, .all = all, .indent = "\t"};
}

const char *function_text_bare(arena *a, const char *line)
{
	size_t n = strlen(line);
	int depth = 0;
	for (size_t k = 0; k < n; k++) {
		depth += (line[k] == '(') - (line[k] == ')');
		if (depth == 0 && k + 1 < n)
			return line;
	}
	return n > 2 && line[0] == '(' ? need(arena_strndup(a, line + 1, n - 2), n) : line;
}

/* ---- lines */

void function_text_require(function_text *f, const char *condition)
{
	const char *lead = need(arena_printf(f->memory, "%srequire(", f->indent), 1);
	text_code_behind(&f->lines, lead, need(arena_printf(f->memory, "%s\t", f->indent), 1), function_text_bare(f->memory, condition));
	buf_puts(&f->lines, ");\n");
	text_code(&f->alone, f->alone.length ? "\n\t    && " : "", condition);
}

/* ---- cases */

static bool is_one(uint64_t set)
{
	return set && !(set & (set - 1));
}

static int first_of(uint64_t set)
{
	return __builtin_ctzll(set);
}

static void put_cases(buf *to, uint64_t of, uint64_t all)
{
	uint64_t others = all & ~of;
	if (is_one(others) && !is_one(of)) {
		buf_printf(to, "rule != %d", first_of(others));
		return;
	}
	for (const char *or = ""; of; of &= of - 1, or = " || ")
		buf_printf(to, "%srule == %d", or, first_of(of));
}

void function_text_if(function_text *f, uint64_t of, const char *about)
{
	if ((of & f->all) == f->all)
		return;
	buf condition = {0};
	put_cases(&condition, of & f->all, f->all);
	text_code_behind(&f->lines, "\tif (", "\t\t", need_text(&condition));
	buf_printf(&f->lines, about ? ") { /* %s */\n" : ") {\n", about);
	buf_free(&condition);
	f->loops = f->by_case = true;
	f->indent = "\t\t";
}

void function_text_end_if(function_text *f, uint64_t of)
{
	if ((of & f->all) == f->all)
		return;
	buf_puts(&f->lines, "\t}\n");
	f->indent = "\t";
}

/* ---- positions */

/* The only position of a range, as a number; NULL: there may be several. */
static const char *only_position(const function_text *f, const index_range *x)
{
	if (x->way == RANGE_NONE)
		return "0";
	if (x->way == RANGE_RIGHT && x->only == x->tail + 1)
		return need(arena_printf(f->memory, "%d", -x->only), 1);
	return x->way == RANGE_LEFT && x->only == x->head + 1 ? need(arena_printf(f->memory, "%d", x->head), 1) : NULL;
}

const char *function_text_position(const function_text *f, const index_range *x)
{
	const char *only = only_position(f, x);
	return only ? only : "i";
}

/* "for (int i = -2; i < 0; i++)"; n: the length that it goes over. */
static const char *loop(const function_text *f, const index_range *x, const char *n)
{
	arena *a = f->memory;
	if (x->way == RANGE_LEFT && x->only)
		return need(arena_printf(a, "for (int i = %d; i < %d; i++)", x->head, x->only), 1);
	if (x->way == RANGE_LEFT && x->tail)
		return need(arena_printf(a, "for (int i = %d; i < %s - %d; i++)", x->head, n, x->tail), 1);
	if (x->way == RANGE_LEFT)
		return need(arena_printf(a, "for (int i = %d; i < %s; i++)", x->head, n), 1);
	if (x->only)
		return need(arena_printf(a, "for (int i = -%d; i < %d; i++)", x->only, -x->tail), 1);
	if (x->head)
		return need(arena_printf(a, "for (int i = %d - %s; i < %d; i++)", x->head, n, -x->tail), 1);
	return need(arena_printf(a, "for (int i = -%s; i < %d; i++)", n, -x->tail), 1);
}

void function_text_for(function_text *f, const index_range *x, const char *over, bool several)
{
	if (only_position(f, x))
		return;
	const char *n = need(arena_printf(f->memory, "%s.n", x->over.argument ? parameter_name(f->p, x->over) : over), 1);
	f->loops = true;
	buf_printf(&f->lines, "%s%s%s\n", f->indent, loop(f, x, n), several || x->but.argument ? " {" : "");
	f->indent = need(arena_printf(f->memory, "%s\t", f->indent), 1);
	if (x->but.argument)
		buf_printf(&f->lines, "%sif (names(%s, i, %s))\n%s\tcontinue;\n", f->indent, parameter_name(f->p, x->but), n, f->indent);
}

void function_text_end_for(function_text *f, const index_range *x, bool several)
{
	if (only_position(f, x))
		return;
	f->indent++;
	if (several || x->but.argument)
		buf_printf(&f->lines, "%s}\n", f->indent);
}

/* ---- the function */

static void put_head(buf *to, const function_text *f, const char *name, const char *outputs)
{
	buf head = {0}, parameters = {0};
	buf_puts(&parameters, f->by_case ? ", int rule" : "");
	buf_puts(&parameters, f->p->n ? ", " : "");
	parameters_put(&parameters, f->p);
	buf_puts(&parameters, outputs);
	const char *list = need_text(&parameters);
	buf_printf(&head, "static inline bool %s(%s)", name, !*list ? "void" : list + (*list == ',' ? 2 : 0));
	text_code(to, "\n", need_text(&head));
	buf_free(&parameters);
	buf_free(&head);
}

static void put_temps(buf *to, const function_text *f)
{
	buf temps = {0};
	for (unsigned k = 0; k < f->temps; k++)
		buf_printf(&temps, "%st%u = 0%s", k ? ", " : "wide ", k, k + 1 == f->temps ? ";" : "");
	if (temps.length) {
		text_code(to, "\t", need_text(&temps));
		buf_putc(to, '\n');
	}
	buf_free(&temps);
}

void function_text_put(buf *to, function_text *f, const char *name, const char *outputs)
{
	put_head(to, f, name, outputs);
	buf_puts(to, "\n{\n");
	put_temps(to, f);
	if (f->loops)
		buf_printf(to, "%s\treturn true;\n}\n", need_text(&f->lines));
	else
		buf_printf(to, "\treturn %s;\n}\n", f->alone.length ? need_text(&f->alone) : "true");
	buf_free(&f->lines);
	buf_free(&f->alone);
}
