#include "junit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "explain.h"

enum { TEXT = 4000 }; /* bytes of an explanation, and of a script */

typedef struct totals {
	int tests, failures, skipped, errors;
	double seconds;
} totals;

static void attribute(buf *out, const char *name, const char *text, size_t limit)
{
	buf_printf(out, " %s=\"", name);
	escape_markup_cut(out, text, limit);
	buf_putc(out, '"');
}

/* The explanation of a finding, and its short script. */
static bool print_failure(const digest *g, int entry, buf *out, diag *d)
{
	finding f;
	buf why = {0}, message = {0};
	arena *a = arena_new();
	bool ok = a ? digest_whole(g, entry, &f, a, d) : diag_set(d, "out of memory");
	ok = ok && diag_memory(d, explain_finding(&f, a, &why));
	if (ok) {
		buf_puts(out, "<failure");
		attribute(out, "type", f.kind, 80);
		buf_printf(&message, "%s: %s", change_name(g->entries[entry].change), f.title);
		attribute(out, "message", buf_text(&message), 1000);
		buf_putc(out, '>');
		escape_markup_cut(out, why.text, TEXT);
		if (*f.short_script) {
			buf_puts(out, "\n\nThe script\n");
			escape_markup_cut(out, f.short_script, TEXT);
		}
		buf_puts(out, "</failure>");
	}
	buf_free(&why);
	buf_end(out, &message);
	if (a)
		arena_free(a);
	return ok;
}

static void property(buf *out, const char *name, const char *value)
{
	buf_puts(out, "<property");
	attribute(out, "name", name, 40);
	attribute(out, "value", value, 40);
	buf_puts(out, "/>");
}

/* Status and change, as in all reports. */
static void print_properties(const digest *g, const digest_entry *e, buf *out)
{
	buf_puts(out, "<properties>");
	char id[24];
	snprintf(id, sizeof id, "%" PRId64, e->f.id);
	property(out, "id", id);
	property(out, "status", e->f.status);
	if (g->job)
		property(out, "change", change_name(e->change));
	buf_puts(out, "</properties>");
}

static void print_skipped(const digest *g, const digest_entry *e, buf *out)
{
	buf reason = {0};
	buf_printf(&reason, "%s%s%s%s%.900s", g->job ? change_name(e->change) : "", g->job ? ", " : "", e->f.status,
	    *e->f.reason ? ": " : "", e->f.reason);
	buf_puts(out, "<skipped");
	attribute(out, "message", buf_text(&reason), 1000);
	buf_puts(out, "/>");
	buf_end(out, &reason);
}

static bool print_case(const digest *g, int entry, buf *out, diag *d)
{
	const digest_entry *e = &g->entries[entry];
	char name[17], class[200];
	digest_fingerprint(&e->f, name);
	snprintf(class, sizeof class, "rulefuzz.%.100s.%.60s", e->f.backend, e->f.kind);
	buf_puts(out, "<testcase");
	attribute(out, "classname", class, sizeof class);
	buf title = {0};
	buf_printf(&title, "%s [%s]", e->f.title, name);
	attribute(out, "name", buf_text(&title), 1000);
	buf_end(out, &title);
	buf_puts(out, " time=\"0\">");
	print_properties(g, e, out);
	bool ok = true;
	if (e->change == CHANGE_NEW || e->change == CHANGE_REGRESSED)
		ok = print_failure(g, entry, out, d);
	else if (e->change == CHANGE_UNCHANGED)
		print_skipped(g, e, out);
	else
		buf_puts(out, "<system-out>fixed: it does not fail any more</system-out>");
	buf_puts(out, "</testcase>\n");
	return ok;
}

/* The test case of the job itself. */
static void print_job(const digest *g, buf *out, totals *t)
{
	for (int i = 0; i < g->nruns; i++)
		t->seconds += g->runs[i].now ? g->runs[i].seconds : 0;
	t->tests++;
	buf_puts(out, "<testcase classname=\"rulefuzz\" name=\"the job");
	buf_printf(out, "\" time=\"%.3f\">", t->seconds);
	if (*g->trouble) {
		t->errors++;
		buf_puts(out, "<error");
		attribute(out, "message", g->trouble, 1000);
		buf_puts(out, "/>");
	}
	buf_puts(out, "</testcase>\n");
}

bool junit_print(const digest *g, buf *out, diag *d)
{
	totals t = {0};
	buf cases = {0};
	bool ok = true;
	print_job(g, &cases, &t);
	for (int i = 0; ok && i < g->nentries && cases.length < JUNIT_BYTES - 20000; i++) {
		enum change change = g->entries[i].change;
		if (change == CHANGE_CLOSED)
			continue;
		t.tests++;
		t.failures += change == CHANGE_NEW || change == CHANGE_REGRESSED;
		t.skipped += change == CHANGE_UNCHANGED;
		ok = print_case(g, i, &cases, d);
	}
	for (int suite = 0; suite < 2; suite++) {
		buf_puts(out, suite ? "<testsuite" : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
		attribute(out, "name", suite ? *g->backends ? g->backends : "findings" : "rulefuzz", 400);
		buf_printf(out, " tests=\"%d\" failures=\"%d\" errors=\"%d\"", t.tests, t.failures, t.errors);
		if (suite) {
			buf_printf(out, " skipped=\"%d\"", t.skipped);
			attribute(out, "timestamp", g->written, 40);
		}
		buf_printf(out, " time=\"%.3f\">\n", t.seconds);
	}
	buf_puts(out, buf_text(&cases));
	buf_puts(out, "</testsuite>\n</testsuites>\n");
	buf_end(out, &cases);
	return ok;
}
