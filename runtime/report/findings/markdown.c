#include "markdown.h"

#include <inttypes.h>
#include <string.h>

#include "escape.h"
#include "outline.h"

enum { TITLE = 300, SCRIPT = 6000 };

static void put_count(buf *out, int n, const char *what)
{
	buf_printf(out, "%s%d %s", out->length && out->text[out->length - 1] != ' ' ? ", " : "", n, what);
}

static void print_head(const digest *g, buf *out)
{
	int fresh = g->counts[CHANGE_NEW], back = g->counts[CHANGE_REGRESSED];
	buf_puts(out, "# rulefuzz: ");
	put_count(out, fresh, fresh == 1 ? "new finding" : "new findings");
	if (back)
		put_count(out, back, "back again");
	if (g->counts[CHANGE_FIXED])
		put_count(out, g->counts[CHANGE_FIXED], "fixed");
	put_count(out, g->counts[CHANGE_UNCHANGED], "known");
	buf_puts(out, "\n\n");
	if (*g->trouble) {
		buf_puts(out, "**The job could not do its work:** ");
		escape_markdown(out, g->trouble, TITLE);
		buf_puts(out, "\n\n");
	}
}

static void print_runs(const digest *g, buf *out)
{
	bool any = false;
	for (int i = 0; i < g->nruns; i++) {
		const digest_run *r = &g->runs[i];
		if (!r->now)
			continue;
		if (!any)
			buf_puts(out, "| backend | models | valid | accepted | new | met again | seconds | versions |\n"
				      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
		any = true;
		buf_puts(out, "| ");
		escape_markdown(out, r->backend, TITLE);
		buf_printf(out, " | %" PRId64 " | %.1f %% | %.1f %% | %" PRId64 " | %" PRId64 " | %.0f | ", r->models,
		    r->models ? 100.0 * (double)r->valid / (double)r->models : 0.0,
		    r->valid ? 100.0 * (double)(r->valid - r->unsupported) / (double)r->valid : 0.0, r->fresh, r->again,
		    r->seconds);
		escape_markdown(out, r->versions, TITLE);
		buf_puts(out, " |\n");
	}
	buf_puts(out, any ? "\n" : "");
}

static void put_text(buf *out, const char *text)
{
	buf_puts(out, text); /* the whole is fenced, which takes out what a fence does not */
}

/* Model and script. */
static bool print_whole(const digest *g, int entry, buf *out, diag *d)
{
	static const outline_style PLAIN = {.call = {"", ""}, .type = {"", ""}, .word = {"", ""}, .text = put_text};
	finding f;
	outline o;
	arena *a = arena_new();
	bool ok = a ? digest_whole(g, entry, &f, a, d) : diag_set(d, "out of memory");
	buf model = {0};
	if (ok && outline_read(&o, f.model, a, NULL))
		outline_print(&o, &PLAIN, &model);
	if (model.length)
		escape_fenced(out, "text", model.text);
	if (ok && *f.short_script && strlen(f.short_script) < SCRIPT) {
		buf_puts(out, "\n<details><summary>The script that shows it</summary>\n\n");
		escape_fenced(out, "python", f.short_script);
		buf_puts(out, "\n</details>\n");
	}
	buf_putc(out, '\n');
	buf_free(&model);
	if (a)
		arena_free(a);
	return ok;
}

static void print_item(const digest *g, const finding *f, buf *out)
{
	buf path = {0};
	digest_script_path(g, f, &path);
	buf_printf(out, "- **%" PRId64 "** ", f->id);
	escape_markdown(out, f->title, TITLE);
	buf_printf(out, " (%" PRId64 " times", f->count);
	if (*f->reason) {
		buf_puts(out, "; ");
		escape_markdown(out, f->reason, TITLE);
	}
	buf_puts(out, ")");
	if (path.length) {
		buf_puts(out, ", ");
		escape_markdown(out, path.text, TITLE);
	}
	buf_puts(out, "\n");
	buf_free(&path);
}

static bool print_list(const digest *g, enum change change, const char *heading, bool whole, buf *out, diag *d)
{
	int printed = 0;
	if (!g->counts[change])
		return true;
	buf_printf(out, "## %s (%d)\n\n", heading, g->counts[change]);
	for (int i = 0; i < g->nentries; i++) {
		if (g->entries[i].change != change)
			continue;
		if (out->length > MARKDOWN_BYTES - 2 * SCRIPT) {
			buf_printf(out, "\n… and %d more.\n", g->counts[change] - printed);
			break;
		}
		print_item(g, &g->entries[i].f, out);
		if (whole && printed < MARKDOWN_WHOLE) {
			buf_putc(out, '\n');
			size_t before = out->length;
			if (!print_whole(g, i, out, d))
				return false;
			if (out->length > MARKDOWN_BYTES - SCRIPT) /* a model that is larger than all else */
				out->text[out->length = before] = '\0';
		}
		printed++;
	}
	buf_putc(out, '\n');
	return true;
}

bool markdown_print(const digest *g, buf *out, diag *d)
{
	print_head(g, out);
	print_runs(g, out);
	return print_list(g, CHANGE_NEW, "New", true, out, d) && print_list(g, CHANGE_REGRESSED, "Back again", true, out, d)
	       && print_list(g, CHANGE_FIXED, "Fixed", false, out, d) && print_list(g, CHANGE_UNCHANGED, "Known", false, out, d);
}
