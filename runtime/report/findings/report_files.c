#include "report_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "file.h"
#include "findings_html.h"
#include "junit.h"
#include "markdown.h"
#include "repro_script.h"
#include "sarif.h"

static bool write_file(const char *folder, const char *name, buf *text, arena *a, diag *d)
{
	const char *path = arena_printf(a, "%s/%s", folder, name);
	bool ok = path && !text->failed ? file_write(path, buf_text(text), text->length, d)
					: diag_set(d, "out of memory for %s", name);
	buf_clear(text);
	return ok;
}

static bool write_script(const digest *g, int entry, const char *folder, diag *d)
{
	finding f;
	buf room = {0}, text = {0};
	char name[40];
	arena *a = arena_new();
	bool ok = a ? digest_whole(g, entry, &f, a, d) : diag_set(d, "out of memory");
	if (ok) {
		buf_puts(&text, repro_script(&f, false, &room));
		snprintf(name, sizeof name, "%" PRId64 ".py", f.id);
		ok = !text.length || write_file(folder, name, &text, a, d);
	}
	buf_free(&text);
	buf_free(&room);
	if (a)
		arena_free(a);
	return ok;
}

static bool write_scripts(const digest *g, const char *folder, diag *d)
{
	bool ok = make_directories(folder, d);
	for (int i = 0; ok && i < g->nentries; i++)
		if (g->entries[i].change != CHANGE_CLOSED)
			ok = write_script(g, i, folder, d);
	return ok;
}

/* Appends, since other steps of the job write to the same file. */
static bool add_summary(const buf *text, diag *d)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	if (!path || !*path || !text->length)
		return true;
	FILE *file = fopen(path, "a");
	bool ok = file && fwrite(text->text, 1, text->length, file) == text->length;
	if (file && fclose(file) != 0)
		ok = false;
	return ok || diag_at(d, path, 0, "cannot add the summary: %s", strerror(errno));
}

static bool write_all(const digest *g, const char *folder, arena *a, diag *d)
{
	buf text = {0};
	sarif_print(g, SARIF_BYTES, &text);
	bool ok = write_file(folder, "rulefuzz.sarif", &text, a, d);
	ok = ok && junit_print(g, &text, d) && write_file(folder, "junit.xml", &text, a, d);
	ok = ok && findings_html_print(g, &text, d) && write_file(folder, "report.html", &text, a, d);
	ok = ok && markdown_print(g, &text, d) && add_summary(&text, d) && write_file(folder, "summary.md", &text, a, d);
	buf_free(&text);
	return ok;
}

bool report_files_write(digest *g, const char *folder, arena *a, diag *d)
{
	time_t now = time(NULL);
	struct tm t;
	char written[40];
	strftime(written, sizeof written, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &t));
	g->written = arena_strdup(a, written);
	g->scripts = "scripts"; /* relative: the folder may be moved, for instance as an artifact */
	const char *scripts = arena_printf(a, "%s/%s", folder, g->scripts);
	if (!g->written || !scripts)
		return diag_set(d, "out of memory");
	return make_directories(folder, d) && write_scripts(g, scripts, d) && write_all(g, folder, a, d);
}
