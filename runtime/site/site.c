#include "site.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api_html.h"
#include "file.h"
#include "index_html.h"
#include "region.h"
#include "site_frame.h"

typedef struct site {
	const site_options *o;
	site_rules rules, old;
	site_counts *counts;
} site;

static bool write_page(site *s, const char *folder, const char *name, const char *ending, const buf *page, diag *d)
{
	char path[PATH_MAX];
	if (page->failed)
		return diag_set(d, "out of memory");
	if (snprintf(path, sizeof path, "%s%s%s/%s%s", s->o->out, *folder ? "/" : "", folder, name, ending) >= (int)sizeof path)
		return diag_set(d, "%.200s: the name is too long", name);
	s->counts->files++;
	s->counts->bytes += page->length;
	return file_update(path, buf_text(page), page->length, d);
}

static bool write_text(site *s, const char *name, const char *text, diag *d)
{
	buf page = {0};
	buf_puts(&page, text);
	bool ok = write_page(s, "", name, "", &page, d);
	buf_free(&page);
	return ok;
}

/* The C code of the API, to free; NULL: there is none. */
static char *code_of(const site *s, const site_api *api)
{
	char path[PATH_MAX];
	size_t length;
	if (!s->o->generated || snprintf(path, sizeof path, "%s/%s/%s.c", s->o->generated, api->framework, api->file) >= (int)sizeof path
	    || access(path, R_OK) != 0)
		return NULL;
	return file_read(path, &length, NULL);
}

static bool write_api(site *s, const site_api *api, diag *d)
{
	buf page = {0};
	char *code = code_of(s, api);
	const api_html h = {.lib = s->o->lib, .code = code, .since = s->o->since != NULL,
	    .old = s->o->since ? site_rules_find(&s->old, api->framework, api->name) : NULL};
	bool ok = diag_memory(d, api_html_print(&h, api, &page));
	s->counts->pictures += ok && strstr(page.text, "<svg id=\"picture\"") != NULL;
	for (size_t i = 0; i < api->nops; i++)
		s->counts->strange += api->ops[i].out && !region_row(s->o->lib, &api->ops[i]);
	ok = ok && write_page(s, api->framework, api->file, ".html", &page, d);
	free(code);
	buf_free(&page);
	return ok;
}

static bool write_apis(site *s, diag *d)
{
	char path[PATH_MAX];
	for (size_t i = 0; i < s->rules.napis; i++) {
		const site_api *api = &s->rules.apis[i];
		bool first = !i || strcmp(api->framework, api[-1].framework) != 0;
		snprintf(path, sizeof path, "%s/%s", s->o->out, api->framework);
		if ((first && !make_directories(path, d)) || !write_api(s, api, d))
			return false;
	}
	return true;
}

static bool write_index(site *s, diag *d)
{
	buf page = {0};
	const site_rules *old = s->o->since ? &s->old : NULL;
	index_html_print(&s->rules, old, &page);
	bool ok = write_page(s, "", "index", ".html", &page, d);
	buf_clear(&page);
	index_html_legend(&page);
	ok = ok && write_page(s, "", "legend", ".html", &page, d);
	buf_clear(&page);
	if (ok && old) {
		index_html_changes(&s->rules, old, &page);
		ok = write_page(s, "", "changes", ".html", &page, d);
	}
	buf_free(&page);
	return ok && write_text(s, "site.css", SITE_STYLE, d) && write_text(s, "site.js", SITE_SCRIPT, d);
}

bool site_write(const site_options *o, site_counts *counts, diag *d)
{
	site s = {.o = o, .counts = counts};
	*counts = (site_counts){0};
	bool ok = site_rules_read(&s.rules, o->rules, d) && (!o->since || site_rules_read(&s.old, o->since, d));
	ok = ok && make_directories(o->out, d) && write_apis(&s, d) && write_index(&s, d);
	counts->apis = s.rules.napis;
	counts->forms = s.rules.nops;
	site_rules_free(&s.rules);
	site_rules_free(&s.old);
	return ok;
}
