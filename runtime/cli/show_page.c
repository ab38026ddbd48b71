#include "show_page.h"

#include <inttypes.h>
#include <time.h>

#include "escape.h"
#include "explain.h"
#include "outline.h"
#include "repro_script.h"

static void row(buf *out, const terminal *t, const char *name, const char *text)
{
	if (!*text)
		return;
	buf_printf(out, "  %s%-10s%s ", terminal_style(t, STYLE_DIM), name, terminal_style(t, STYLE_NONE));
	escape_terminal(out, text, false);
	buf_putc(out, '\n');
}

static void put_number_rows(const finding *f, const terminal *t, buf *out)
{
	buf line = {0};
	escape_terminal(&line, f->apis, false);
	buf_printf(&line, " (%" PRId64 " nodes)", f->nodes);
	row(out, t, "APIs", buf_text(&line));
	buf_clear(&line);
	buf_printf(&line, "%" PRId64 " times, first %s, ", f->count, f->found);
	explain_age(f->found, (long long)time(NULL), &line);
	row(out, t, "met", buf_text(&line));
	row(out, t, "versions", f->versions);
	row(out, t, "pass", f->pass);
	row(out, t, "checked", f->checked);
	row(out, t, "fixed in", f->fixed_in);
	buf_clear(&line);
	buf_printf(&line, "seed %" PRIu64 ", index %" PRIu64, f->seed, f->index);
	row(out, t, "model", buf_text(&line));
	buf_free(&line);
}

static void put_text(buf *out, const char *text)
{
	escape_terminal(out, text, false);
}

static void put_model(const finding *f, const terminal *t, buf *out)
{
	outline o;
	arena *a = arena_new();
	const char *end = terminal_style(t, STYLE_NONE);
	const outline_style style = {.call = {terminal_style(t, STYLE_BOLD), end},
	    .type = {terminal_style(t, STYLE_CYAN), end},
	    .word = {terminal_style(t, STYLE_DIM), end},
	    .text = put_text};
	if (a && outline_read(&o, f->model, a, NULL)) {
		buf_putc(out, '\n');
		outline_print(&o, &style, out);
	}
	if (a)
		arena_free(a);
}

void show_page(const finding *f, const terminal *t, buf *out)
{
	buf script = {0};
	buf_printf(out, "%sfinding %" PRId64 "%s (%s, %s, %s): ", terminal_style(t, STYLE_BOLD), f->id,
	    terminal_style(t, STYLE_NONE), f->kind, f->class, f->status);
	escape_terminal(out, f->title, false);
	buf_putc(out, '\n');
	row(out, t, "reason", f->reason);
	row(out, t, "bucket", f->bucket);
	put_number_rows(f, t, out);
	row(out, t, "answer", *f->detail ? f->detail : "(none: the worker ended)");
	put_model(f, t, out);
	buf_printf(out, "\nrepro script (`rulefuzz show %" PRId64 " --script`):\n\n", f->id);
	if (*f->script)
		escape_terminal(out, repro_script(f, false, &script), true);
	else
		buf_puts(out, "(the backend writes none)\n");
	buf_free(&script);
}
