/* Reports without memory: what is printed is correct, files are complete, or the failure is reported. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "digest.h"
#include "explain.h"
#include "file.h"
#include "findings_html.h"
#include "junit.h"
#include "markdown.h"
#include "no_memory.h"
#include "report_files.h"
#include "sarif.h"
#include "../../small_model.h"

typedef struct printed {
	char folder[64], db[80], out[80];
	buf text; /* everything, with memory */
} printed;

static void add(store *s, const char *signature, const char *kind, const char *status)
{
	diag d = {""};
	bool added;
	finding f = {.bucket = signature, .kind = kind, .backend = "fake", .status = status, .title = "a <title> & more",
	    .apis = "t.a + t.b", .model = SMALL_MODEL, .original = SMALL_MODEL, .script = "print(1)\nprint(2)\n", .short_script = "print(3)\n",
	    .versions = "{\"fake\":\"1.0\"}", .log = "a line\nanother\n", .seed = 3, .index = 7, .nodes = 4,
	    .detail = "{\"verdict\":\"inconsistency\",\"why\":\"3 of 4 elements\",\"error\":{\"type\":\"E\",\"message\":\"m\"}}"};
	if (!store_add(s, &f, signature, &added, &d) || !store_set_status(s, f.id, status, "because", &d))
		fail_msg("%s", d.text);
}

static int set_up(void **state)
{
	printed *p = calloc(1, sizeof *p);
	diag d = {""};
	strcpy(p->folder, "/tmp/rulefuzz-report-XXXXXX");
	assert_non_null(mkdtemp(p->folder));
	snprintf(p->db, sizeof p->db, "%s/t.db", p->folder), snprintf(p->out, sizeof p->out, "%s/out", p->folder);
	store *s = store_open(p->db, true, &d);
	assert_non_null(s);
	add(s, "one", "inconsistency", "open"), add(s, "two", "error", "open"), add(s, "three", "crash", "fixed");
	add(s, "four", "hang", "flaky"), add(s, "five", "error", "unsupported");
	run_row run = {.backend = "fake", .framework = "t", .versions = "{\"fake\":\"1.0\"}", .models = 9, .valid = 8};
	assert_true(runs_begin(s, &run, &d) && runs_update(s, &run, &d));
	store_close(s);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	printed *p = *state;
	char command[128];
	snprintf(command, sizeof command, "rm -r '%s'", p->folder);
	int failed = system(command);
	buf_free(&p->text);
	free(p);
	return failed;
}

/* All formats, one after another. */
static bool print(const digest *g, buf *out, diag *d)
{
	sarif_print(g, SARIF_BYTES, out);
	return junit_print(g, out, d) && markdown_print(g, out, d) && findings_html_print(g, out, d);
}

static bool explain(const digest *g, arena *a, buf *out, diag *d)
{
	bool ok = true;
	for (int i = 0; ok && i < g->nentries; i++) {
		finding f;
		ok = digest_whole(g, i, &f, a, d);
		if (ok && !explain_finding(&f, a, out))
			ok = diag_set(d, "out of memory");
	}
	return ok;
}

/* Without memory, a report may omit the model and the target's answer; tensors that it prints are correct. */
static void is_of(char *text, const char *whole)
{
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (strstr(line, "float32") && !strstr(whole, line))
			fail_msg("not as with memory: %s", line);
}

static bool reports(void *context)
{
	printed *p = context;
	diag d = {""};
	store *s = store_open(p->db, false, &d);
	arena *a = s ? arena_new() : NULL;
	digest g = {0};
	digest_mark m;
	buf out = {0};
	bool ok = a && digest_take(&m, s, a, &d) && digest_make(&g, s, &m, a, &d);
	g.db = "t.db", g.backends = "fake", g.trouble = "", g.scripts = "scripts", g.written = "2026-11-25T00:00:00Z";
	ok = ok && print(&g, &out, &d) && explain(&g, a, &out, &d) && diag_memory(&d, !out.failed);
	if (ok && !p->text.length)
		buf_puts(&p->text, out.text);
	else if (ok)
		is_of(out.text, p->text.text);
	else if (!s || a)
		assert_true(*d.text);
	buf_free(&out);
	arena_free(a);
	store_close(s);
	return ok;
}

static void are_true(void **state)
{
	printed *p = *state;
	assert_true(reports(p));
	assert_non_null(strstr(p->text.text, "a &lt;title&gt; &amp; more"));
	lack_memory(reports, p);
}

/* HTML within Markdown ends at an empty line; without one, the next lines would belong to it. */
static void html_ends_in_markdown(void **state)
{
	printed *p = *state;
	diag d = {""};
	store *s = store_open(p->db, false, &d);
	arena *a = arena_new();
	digest g;
	buf out = {0};
	int scripts = 0;
	assert_true(digest_make(&g, s, &(digest_mark){0}, a, &d)); /* all are new */
	assert_true(markdown_print(&g, &out, &d));
	static const char END[] = "\n</details>\n", OPENING[] = "\n\n<details>";
	for (const char *c = out.text; (c = strstr(c, END)); scripts++)
		assert_int_equal((c += strlen(END))[0], '\n');
	assert_true(scripts > 1);
	for (const char *c = out.text; (c = strstr(c, OPENING)); c++)
		scripts--;
	assert_int_equal(scripts, 0);
	assert_non_null(strstr(out.text, ")\n\n```text\n")); /* and a model does not belong to the item above */
	buf_free(&out);
	arena_free(a);
	store_close(s);
}

/* Each file is complete: a new report replaces the old one, which stays if memory runs out. */
static bool writes(void *context)
{
	printed *p = context;
	diag d = {""};
	char path[128];
	store *s = store_open(p->db, false, &d);
	arena *a = s ? arena_new() : NULL;
	digest g = {.db = "t.db", .backends = "fake", .trouble = ""};
	bool ok = a && digest_make(&g, s, NULL, a, &d) && report_files_write(&g, p->out, a, &d);
	assert_true(ok || (s && !a) || *d.text);
	arena_free(a);
	store_close(s);
	memory.at = 0;
	static const char *const FILES[][2] = {{"rulefuzz.sarif", "}\n"}, {"junit.xml", "</testsuites>\n"}, {"report.html", "</html>\n"}, {"scripts/1.py", "print(3)\n"}};
	for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
		char *text = NULL;
		size_t n = 0, end = strlen(FILES[i][1]);
		snprintf(path, sizeof path, "%s/%s", p->out, FILES[i][0]);
		if (access(path, R_OK) != 0)
			continue;
		text = file_read(path, &n, &d);
		if (!text || n < end || strcmp(text + n - end, FILES[i][1]) != 0)
			fail_msg("%s is not whole: …%s", path, text && n > 20 ? text + n - 20 : "");
		free(text);
	}
	return ok;
}

static void files_are_whole(void **state)
{
	lack_memory(writes, *state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(are_true, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(html_ends_in_markdown, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(files_are_whole, set_up, tear_down)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
