#include "index_html.h"

#include <stdio.h>
#include <string.h>

#include "changes.h"
#include "escape.h"
#include "framework.h"
#include "site_frame.h"

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void put_escaped(buf *out, const char *before, const char *text, const char *behind)
{
	buf_puts(out, before);
	escape_markup(out, text);
	buf_puts(out, behind);
}

static void put_link(const site_api *api, const char *anchor, buf *out)
{
	put_escaped(out, "<a href=\"", api->framework, "/");
	put_escaped(out, "", api->file, ".html");
	put_escaped(out, anchor, "", "\">");
}

/* ---- the list */

static size_t end_of_framework(const site_rules *rules, size_t from)
{
	size_t to = from;
	while (to < rules->napis && strcmp(rules->apis[to].framework, rules->apis[from].framework) == 0)
		to++;
	return to;
}

static void put_api(const site_api *api, buf *out)
{
	buf_printf(out, "<li data-about=\"%zu signature%s, %d rule%s\">", api->nops, plural(api->nops), api->rules, plural((size_t)api->rules));
	put_escaped(out, "<a href=\"", api->framework, "/");
	put_escaped(out, "", api->file, ".html\">");
	put_escaped(out, "", api->name, "</a></li>\n");
}

/* Whether the API is an earlier version of another one. */
static bool is_superseded(const site_rules *rules, const site_api *api)
{
	const size_t n = framework_unversioned(api->framework, api->name);
	char name[256];
	snprintf(name, sizeof name, "%.*s", (int)n, api->name);
	return api->name[n] && n < sizeof name && site_rules_find(rules, api->framework, name);
}

/* Lists the current versions, or the superseded ones; returns their number. */
static size_t put_list(const site_rules *rules, size_t from, size_t to, bool superseded, buf *out)
{
	size_t n = 0;
	for (size_t i = from; i < to; i++) {
		if (is_superseded(rules, &rules->apis[i]) != superseded)
			continue;
		if (!n++)
			buf_puts(out, superseded ? "<h3>Superseded versions</h3>\n<ul class=\"apis\">\n" : "<ul class=\"apis\">\n");
		put_api(&rules->apis[i], out);
	}
	buf_puts(out, n ? "</ul>" : "");
	return n;
}

static void put_framework(const site_rules *rules, size_t from, size_t to, buf *out)
{
	const site_api *first = &rules->apis[from];
	size_t forms = 0;
	for (size_t i = from; i < to; i++)
		forms += rules->apis[i].nops;
	put_escaped(out, "<section id=\"", first->framework, "\"");
	put_escaped(out, " data-name=\"", first->framework, "\">");
	put_escaped(out, "<h2>", first->framework, " ");
	put_escaped(out, "<span class=\"soft\">", first->version, "</span></h2>\n");
	buf_printf(out, "<p class=\"soft\">%zu API%s, %zu signature%s</p>\n", to - from, plural(to - from), forms, plural(forms));
	put_list(rules, from, to, false, out);
	put_list(rules, from, to, true, out);
	buf_puts(out, "</section>\n");
}

/* The index of the first API of the k-th framework, in the order of frameworks.def and then that of the rules; napis beyond the
 * last. */
static size_t start_of(const site_rules *rules, size_t k)
{
	const char *name;
	for (size_t i = 0; (name = framework_at(i)); i++)
		for (size_t at = 0; at < rules->napis; at = end_of_framework(rules, at))
			if (strcmp(rules->apis[at].framework, name) == 0 && k-- == 0)
				return at;
	for (size_t at = 0; at < rules->napis; at = end_of_framework(rules, at)) {
		bool known = false;
		for (size_t i = 0; (name = framework_at(i)); i++)
			known |= strcmp(rules->apis[at].framework, name) == 0;
		if (!known && k-- == 0)
			return at;
	}
	return rules->napis;
}

static void put_header(const site_rules *rules, const site_rules *old, buf *out)
{
	size_t solved = 0;
	for (size_t i = 0; i < rules->nops; i++)
		solved += rules->ops[i].out != NULL;
	site_frame_begin(out, "", "Operator rules");
	buf_printf(out, "<header><h1>Operator rules</h1>\n<p>Which calls %zu APIs accept, and the shapes of the results. Learned from recorded calls: "
			"%zu of %zu signatures have a rule. <a href=\"legend.html\">Notation</a></p>\n", rules->napis, solved, rules->nops);
	if (old)
		buf_puts(out, "<p><a href=\"changes.html\">Changes since the last version</a></p>\n");
	buf_puts(out, "<div id=\"bar\" role=\"search\" hidden><label for=\"search\">Search</label><input id=\"search\" type=\"search\" role=\"combobox\" "
		      "autocomplete=\"off\" spellcheck=\"false\" aria-controls=\"results\" aria-expanded=\"false\" aria-autocomplete=\"list\" "
		      "aria-describedby=\"keys\"><span id=\"count\" role=\"status\">");
	buf_printf(out, "%zu API%s</span>", rules->napis, plural(rules->napis));
	buf_puts(out, "<span id=\"keys\" class=\"soft\"><kbd>/</kbd> search, <kbd>↓</kbd> <kbd>↑</kbd> select, <kbd>Enter</kbd> open</span></div></header>\n"
		      "<main>\n<ul id=\"results\" role=\"listbox\" aria-label=\"APIs found\" hidden></ul>\n<div id=\"index\">\n<nav aria-label=\"Frameworks\">");
	for (size_t k = 0, i; (i = start_of(rules, k)) < rules->napis; k++) {
		put_escaped(out, k ? " <a href=\"#" : "<a href=\"#", rules->apis[i].framework, "\">");
		put_escaped(out, "", rules->apis[i].framework, "</a>");
	}
	buf_puts(out, "</nav>\n");
}

void index_html_legend(buf *out)
{
	site_frame_begin(out, "", "Notation");
	buf_puts(out, "<header><nav aria-label=\"Site\"><a href=\"index.html\">Rules</a></nav>\n<h1>Notation</h1></header>\n<main>\n");
	buf_puts(out, SITE_LEGEND);
	buf_puts(out, "</main>\n");
	site_frame_end(out, "");
}

void index_html_print(const site_rules *rules, const site_rules *old, buf *out)
{
	put_header(rules, old, out);
	for (size_t k = 0, i; (i = start_of(rules, k)) < rules->napis; k++)
		put_framework(rules, i, end_of_framework(rules, i), out);
	buf_puts(out, "</div></main>\n");
	site_frame_end(out, "");
}

/* ---- changes */

static void put_changed(const site_api *old, const site_api *now, buf *out)
{
	changes c = changes_of(old, now);
	const site_api *api = now ? now : old;
	if (!changes_any(&c))
		return;
	buf_puts(out, "<li>");
	if (now)
		put_link(now, "#changes", out);
	escape_markup(out, api->name);
	buf_puts(out, now ? "</a>: " : ": ");
	changes_summary(out, &c);
	buf_puts(out, "</li>\n");
}

void index_html_changes(const site_rules *rules, const site_rules *old, buf *out)
{
	size_t start, i = 0, j = 0;
	site_frame_begin(out, "", "Changes");
	buf_puts(out, "<header><nav aria-label=\"Site\"><a href=\"index.html\">Rules</a></nav>\n<h1>Changes</h1>\n<p class=\"soft\">Signatures are "
		      "compared by name. A rule changed if its clauses or outputs differ.</p></header>\n<main><ul>\n");
	start = out->length;
	while (i < rules->napis || j < old->napis) {
		const site_api *now = i < rules->napis ? &rules->apis[i] : NULL, *was = j < old->napis ? &old->apis[j] : NULL;
		if (now && was) {
			int order = strcmp(now->framework, was->framework);
			order = order ? order : strcmp(now->name, was->name);
			now = order <= 0 ? now : NULL;
			was = order >= 0 ? was : NULL;
		}
		put_changed(was, now, out);
		i += now != NULL;
		j += was != NULL;
	}
	buf_puts(out, out->length == start ? "<li>No changes.</li>\n</ul></main>\n" : "</ul></main>\n");
	site_frame_end(out, "");
}
