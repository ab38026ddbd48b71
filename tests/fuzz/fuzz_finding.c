/* A finding with untrusted texts, separated by bytes 30: its outline, drawing, title and explanation. */
#include <string.h>

#include "drawing.h"
#include "explain.h"
#include "input.h"
#include "outline_read.h"
#include "show_page.h"
#include "stored.h"
#include "terminal.h"

static void show(const finding *f, arena *a)
{
	static const outline_style PLAIN = {{"", ""}, {"", ""}, {"", ""}, buf_puts};
	buf out = {0};
	outline o;
	diag d;
	if (outline_read(&o, f->model, a, &d)) {
		outline_print(&o, &PLAIN, &out);
		drawing_print(&o, a, &out);
	}
	explain_finding(f, a, &out);
	explain_age(f->found, 1800000000, &out);
	free(stored_key(f));
	show_page(f, &(terminal){.columns = 80}, &out);
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	finding f = {.id = 1, .nodes = 1, .count = 1};
	const char **const parts[] = {&f.model, &f.detail, &f.bucket, &f.log, &f.title, &f.kind, &f.status, &f.versions, &f.found,
	    &f.backend, &f.apis, &f.original, &f.script, &f.class, &f.reason, &f.short_script, &f.pass, &f.smaller, &f.checked, &f.fixed_in,
	    &f.also};
	char *text = malloc(size + 1), *rest = text;
	arena *a = arena_new();
	if (!text || !a)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *part = strsep(&rest, "\x1e");
		*parts[i] = part ? part : "";
	}
	show(&f, a);
	arena_free(a);
	free(text);
	return 0;
}
