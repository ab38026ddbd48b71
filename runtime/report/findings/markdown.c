#include "markdown.h"

#include <inttypes.h>
#include <string.h>

#include "documented.h"
#include "escape.h"
#include "outline_read.h"

enum { TITLE = 300, SCRIPT = 6000 };

static void print_head(const digest *g, buf *out)
{
	buf_puts(out, "# rulefuzz: ");
	if (g->job)
		digest_changes(g, out);
	else
		status_counts(g->statuses, out);
	buf_puts(out, "\n\n");
	if (*g->trouble) {
		buf_puts(out, "**The job failed:** ");
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
			buf_puts(out, "| backend | models | valid | accepted | new | duplicates | seconds | versions |\n"
				      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
		any = true;
		buf_puts(out, "| ");
		escape_markdown(out, r->backend, TITLE);
		buf_printf(out, " | %" PRId64 " | %.1f %% | %.1f %% | %" PRId64 " | %" PRId64 " | %.0f | ", r->models,
		    r->models ? 100.0 * (double)r->valid / (double)r->models : 0.0,
		    r->valid ? 100.0 * (double)(r->valid - r->unsupported) / (double)r->valid : 0.0, r->fresh, r->duplicates,
		    r->seconds);
		escape_markdown(out, r->versions, TITLE);
		buf_puts(out, " |\n");
	}
	buf_puts(out, any ? "\n" : "");
}

static void put_text(buf *out, const char *text)
{
	buf_puts(out, text); /* escape_fenced cleans the whole */
}

/* The model and the short script. */
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

/* Lines of the item. */
static void print_documented(const digest *g, int entry, buf *out)
{
	result_fact pages[DOCUMENTED_MOST];
	finding f;
	diag d;
	arena *a = arena_new();
	int n = a && digest_whole(g, entry, &f, a, &d) ? documented_facts(&f, a, pages) : 0;
	for (int i = 0; i < n; i++) {
		buf_printf(out, "  - %s: ", pages[i].name);
		escape_markdown(out, pages[i].text, TITLE);
		buf_putc(out, '\n');
	}
	if (a)
		arena_free(a);
}

static void print_item(const digest *g, int entry, buf *out)
{
	const finding *f = &g->entries[entry].f;
	buf path = {0};
	digest_script_path(g, f, &path);
	buf_printf(out, "- **%" PRId64 "** ", f->id);
	escape_markdown(out, f->title, TITLE);
	buf_printf(out, " (%s, seen ", f->status);
	buf_puts(out, f->count == 1 ? "once" : "");
	if (f->count != 1)
		buf_printf(out, "%" PRId64 " times", f->count);
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
	print_documented(g, entry, out);
	buf_end(out, &path);
}

typedef struct section {
	const char *heading;
	enum change change;
	enum status status; /* STATUS_NONE: any status */
	bool whole;	    /* with models and scripts */
} section;

static bool belongs(const section *s, const digest_entry *e)
{
	return e->change == s->change && (s->status == STATUS_NONE || status_parse(e->f.status) == s->status);
}

static int count(const digest *g, const section *s)
{
	int n = 0;
	for (int i = 0; i < g->nentries; i++)
		n += belongs(s, &g->entries[i]);
	return n;
}

static bool print_section(const digest *g, const section *s, buf *out, diag *d)
{
	int printed = 0, all = count(g, s);
	if (all)
		buf_printf(out, "## %s (%d)\n\n", s->heading, all);
	for (int i = 0; i < g->nentries && all; i++) {
		if (!belongs(s, &g->entries[i]))
			continue;
		if (out->length > MARKDOWN_BYTES - 2 * SCRIPT) {
			buf_printf(out, "\n… and %d more.\n", all - printed);
			break;
		}
		print_item(g, i, out);
		if (s->whole && printed < MARKDOWN_WHOLE) {
			buf_putc(out, '\n');
			size_t before = out->length;
			if (!print_whole(g, i, out, d))
				return false;
			if (out->length > MARKDOWN_BYTES - SCRIPT) /* the model is too large for the summary */
				out->text[out->length = before] = '\0';
		}
		printed++;
	}
	buf_puts(out, all ? "\n" : "");
	return true;
}

bool markdown_print(const digest *g, buf *out, diag *d)
{
	static const section JOB[] = {{"New", CHANGE_NEW, STATUS_NONE, true}, {"Regressed", CHANGE_REGRESSED, STATUS_NONE, true},
	    {"Fixed", CHANGE_FIXED, STATUS_NONE, false}, {"Unchanged", CHANGE_UNCHANGED, STATUS_NONE, false}};
	static const section ALONE[] = {{"Open", CHANGE_UNCHANGED, STATUS_OPEN, true},
	    {"Known", CHANGE_UNCHANGED, STATUS_KNOWN, false}, {"Flaky", CHANGE_UNCHANGED, STATUS_FLAKY, false}};
	const section *sections = g->job ? JOB : ALONE;
	size_t n = g->job ? sizeof JOB / sizeof *JOB : sizeof ALONE / sizeof *ALONE;
	bool ok = true;
	print_head(g, out);
	print_runs(g, out);
	for (size_t i = 0; ok && i < n; i++)
		ok = print_section(g, &sections[i], out, d);
	return ok;
}
