#include "show_page.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "documented.h"
#include "escape.h"
#include "explain.h"
#include "outline_read.h"
#include "repro_script.h"
#include "results.h"

static void row(buf *out, const terminal *t, const char *name, const char *text)
{
	if (!*text)
		return;
	buf_printf(out, "  %s%-19s%s ", terminal_style(t, STYLE_DIM), name, terminal_style(t, STYLE_NONE));
	escape_terminal(out, text, false);
	buf_putc(out, '\n');
}

static void put_facts(const finding *f, const terminal *t, buf *out)
{
	result_fact facts[RESULTS_MOST];
	arena *a = arena_new();
	int n = a ? results_of(f, a, facts) : 0;
	out->failed |= !a;
	for (int i = 0; i < n; i++)
		row(out, t, facts[i].name, facts[i].text);
	result_fact pages[DOCUMENTED_MOST];
	n = a ? documented_facts(f, a, pages) : 0;
	for (int i = 0; i < n; i++)
		row(out, t, pages[i].name, pages[i].text);
	if (a)
		arena_free(a);
}

static void put_number_rows(const finding *f, const terminal *t, buf *out)
{
	buf line = {0};
	buf_printf(&line, "%s (%" PRId64 " %s)", f->apis, f->nodes, f->nodes == 1 ? "node" : "nodes");
	row(out, t, "APIs", buf_text(&line));
	row(out, t, "same cause", strcmp(f->also, f->apis) == 0 ? "" : f->also);
	buf_clear(&line);
	explain_seen(f, &line);
	buf_puts(&line, ", ");
	explain_age(f->found, (long long)time(NULL), &line);
	row(out, t, "seen", buf_text(&line));
	row(out, t, "versions", f->versions);
	row(out, t, "pass", f->pass);
	row(out, t, "rechecked", f->checked);
	row(out, t, "fixed in", f->fixed_in);
	buf_clear(&line);
	buf_printf(&line, "seed %" PRIu64 ", index %" PRIu64, f->seed, f->index);
	row(out, t, "model", buf_text(&line));
	row(out, t, "bucket", f->bucket);
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
		buf legend = {0};
		buf_putc(out, '\n');
		outline_print(&o, &style, out);
		outline_legend(&o, &legend);
		if (legend.length)
			buf_printf(out, "\n%sNotation%s\n%s", style.word[0], end, legend.text);
		buf_end(out, &legend);
	}
	if (a)
		arena_free(a);
}

static int count_lines(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void put_script(const finding *f, buf *out)
{
	enum { MOST = 40 }; /* lines; a longer script hides the rest on a terminal */
	buf room = {0};
	const char *script = repro_script(f, false, &room);
	int lines = count_lines(script);
	if (!*script)
		buf_puts(out, "\nscript: none, this backend writes none\n");
	else if (lines > MOST)
		buf_printf(out, "\nscript: %d lines; `rulefuzz show %" PRId64 " --script` prints it\n", lines, f->id);
	else
		buf_printf(out, "\nscript (`rulefuzz show %" PRId64 " --script`):\n\n", f->id);
	if (*script && lines <= MOST)
		escape_terminal(out, script, true);
	out->failed |= room.failed;
	buf_free(&room);
}

void show_page(const finding *f, const terminal *t, buf *out)
{
	buf_printf(out, "%sfinding %" PRId64 "%s: ", terminal_style(t, STYLE_BOLD), f->id, terminal_style(t, STYLE_NONE));
	escape_terminal(out, f->title, false);
	buf_putc(out, '\n');
	row(out, t, "status", f->status);
	row(out, t, "reason", f->reason);
	row(out, t, "kind", f->kind);
	put_facts(f, t, out);
	put_number_rows(f, t, out);
	put_model(f, t, out);
	put_script(f, out);
}
