#include "api_html.h"

#include <stdlib.h>
#include <string.h>

#include "form_text.h"
#include "changes.h"
#include "dtype_rows.h"
#include "escape.h"
#include "framework.h"
#include "highlight.h"
#include "page_html.h"
#include "region.h"
#include "site_frame.h"

static const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

static void put_wrapped(buf *out, const char *before, const char *text, const char *behind)
{
	buf_puts(out, before);
	escape_markup(out, text);
	buf_puts(out, behind);
}

/* ---- the head */

static const struct documentation {
	const char *framework, *prefix, *before, *behind;
	enum { WHOLE, INSIDE, SLASHES } name;
} DOCUMENTATION[] = {
#define DOCUMENTED(framework, prefix, before, behind, name) {framework, prefix, before, behind, name},
#include "api_html.def"
#undef DOCUMENTED
};

/* The framework's own page of the API, if its address is certain. */
static const struct documentation *documentation_of(const site_api *api)
{
	const char *inside = strstr(api->name, "._"); /* not public */
	for (size_t i = 0; !inside && i < sizeof DOCUMENTATION / sizeof *DOCUMENTATION; i++) {
		const struct documentation *d = &DOCUMENTATION[i];
		if (strcmp(d->framework, api->framework) == 0 && strncmp(d->prefix, api->name, strlen(d->prefix)) == 0)
			return *d->before ? d : NULL;
	}
	return NULL;
}

static void put_documentation(const site_api *api, buf *out)
{
	const struct documentation *d = documentation_of(api);
	if (!d)
		return;
	const char *name = d->name == INSIDE ? api->name + strlen(d->prefix) : api->name;
	buf address = {0};
	buf_puts(&address, d->before);
	for (size_t i = 0, n = framework_unversioned(api->framework, name); i < n; i++)
		buf_putc(&address, d->name == SLASHES && name[i] == '.' ? '/' : name[i]);
	buf_puts(&address, d->behind);
	put_wrapped(out, " · <a rel=\"external\" href=\"", buf_text(&address), "\">");
	put_wrapped(out, "", api->framework, " documentation</a>");
	buf_end(out, &address);
}

static void put_head(const site_api *api, buf *out)
{
	int solved = 0, passed = 0, failed = 0;
	for (size_t i = 0; i < api->nops; i++) {
		solved += api->ops[i].out != NULL;
		passed += api->ops[i].passed;
		failed += api->ops[i].failed;
	}
	site_frame_begin(out, "../", api->name);
	put_wrapped(out, "<header><nav aria-label=\"Site\"><a href=\"../index.html\">Rules</a> / <a href=\"../index.html#", api->framework, "\">");
	put_wrapped(out, "", api->framework, "</a></nav>\n<h1>");
	put_wrapped(out, "", api->name, "</h1>\n<p class=\"soft\">");
	put_wrapped(out, "", api->framework, " ");
	put_wrapped(out, "", api->version, ". ");
	buf_printf(out, "%zu signature%s, %d with a rule; %d rule%s. Recorded calls: %d accepted, %d rejected; the rules reproduce each.", api->nops,
	    plural((int)api->nops), solved, api->rules, plural(api->rules), passed, failed);
	buf_puts(out, " <a href=\"../legend.html\">Notation</a>");
	put_documentation(api, out);
	buf_puts(out, "</p></header>\n<main>\n");
}

static const char *proof_words(const char *proof)
{
	static const char *const WORDS[][2] = {{"none", "not needed"}, {"proved", "proved"}, {"checked", "checked on small integers"}, {"unknown", "unknown"}};
	for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
		if (strcmp(WORDS[i][0], proof) == 0)
			return WORDS[i][1];
	return "";
}

/* ---- the picture */

/* The text at line i of names. */
static buf line_at(const char *names, int i)
{
	buf line = {0};
	for (; i > 0 && *names; i--)
		names += strcspn(names, "\n") + 1;
	buf_add(&line, names, strcspn(names, "\n"));
	return line;
}

static void put_others(const region *r, const char *names, const int64_t *base, buf *out)
{
	enum { MOST = 40 };
	const char *before = "; fixed: ";
	for (int i = 0; i < r->op->nsym && i < MOST; i++, names += strcspn(names, "\n") + (*names != 0)) {
		if (i == r->x || i == r->y)
			continue;
		buf name = line_at(names, 0);
		put_wrapped(out, before, buf_text(&name), " = ");
		buf_int(out, base[i]);
		before = ", ";
		buf_end(out, &name);
	}
}

static int accepted_cells(const region *r)
{
	int n = 0;
	for (int j = 0; j < REGION_SIDE; j++)
		for (int i = 0; i < REGION_SIDE; i++)
			n += r->cells[j][i] != REGION_REFUSED;
	return n;
}

static void put_figure(const region *r, const int64_t *base, buf *out)
{
	buf names = {0};
	form_text_names(&names, r->op);
	buf x = line_at(buf_text(&names), r->x), y = line_at(buf_text(&names), r->y);
	buf_puts(out, "<section><h2>Accepted region</h2>\n<div id=\"choices\" class=\"choices\" hidden><label>Signature <select id=\"form\"></select></label> "
		      "<label>across <select id=\"x\"></select></label> <label>up <select id=\"y\"></select></label></div>\n");
	put_wrapped(out, "<figure id=\"region\" data-form=\"", site_op_number(r->op), "\"");
	buf_printf(out, " data-x=\"%d\" data-y=\"%d\">", r->x, r->y);
	region_svg(out, r, base, buf_text(&x), buf_text(&y));
	put_wrapped(out, "<figcaption><p id=\"caption\">Signature ", site_op_number(r->op), ": ");
	buf_printf(out, "%d of %d calls are accepted; axes: ", accepted_cells(r), REGION_SIDE * REGION_SIDE);
	put_wrapped(out, "", buf_text(&x), " and ");
	escape_markup(out, buf_text(&y));
	put_others(r, buf_text(&names), base, out);
	buf_puts(out, ".</p>\n<p class=\"legend\"><span><i class=\"in\"></i>accepted</span> <span><i class=\"empty\"></i>accepted, with an empty result</span> "
		      "<span><i class=\"ground\"></i>rejected</span> <span><i class=\"base\"></i>recorded call</span></p>\n<p id=\"told\" role=\"status\" hidden></p></figcaption></figure></section>\n");
	buf_end(out, &x);
	buf_end(out, &y);
	buf_end(out, &names);
}

static bool put_region(const api_html *h, const region *r, buf *out)
{
	if (!r->op)
		return true;
	const rs_op *row = region_row(h->lib, r->op);
	int64_t *base = calloc((size_t)row->nsym + row->nodim + 1, sizeof *base);
	bool ok = base && region_base(row, r->op, r->record, base);
	if (ok)
		put_figure(r, base, out);
	free(base);
	return ok;
}

/* ---- signatures */

/* The data for site.js: a recorded call, the names and kinds of its numbers, and the ranks of the outputs. */
static void put_data(const api_html *h, const site_op *op, const region *r, buf *out)
{
	const rs_op *row = region_row(h->lib, op);
	if (!row)
		return;
	int64_t *base = calloc((size_t)row->nsym + row->nodim + 1, sizeof *base);
	out->failed |= !base;
	int record = !base ? -1 : r->op == op ? r->record : region_first(row, op, base);
	if (record >= 0 && op->nsym && region_base(row, op, record, base)) {
		buf names = {0}, kinds = {0};
		form_text_names(&names, op);
		form_text_kinds(&kinds, op);
		buf_puts(out, " data-base=\"");
		for (int i = 0; i < op->nsym; i++) {
			buf_puts(out, i ? " " : "");
			buf_int(out, base[i]);
		}
		put_wrapped(out, "\" data-names=\"", buf_text(&names), "\" data-kinds=\"");
		put_wrapped(out, "", buf_text(&kinds), "\" data-ranks=\"");
		const cJSON *output;
		cJSON_ArrayForEach(output, op->outputs)
			buf_printf(out, output->prev->next ? " %d" : "%d", cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(output, "tensor")));
		buf_putc(out, '"');
		buf_end(out, &names);
		buf_end(out, &kinds);
	}
	free(base);
}

static void put_codes(const char *class, const cJSON *list, const char *none, buf *out)
{
	buf_printf(out, "<td class=\"%s\">", class);
	for (int i = 0; i < cJSON_GetArraySize(list); i++) {
		put_wrapped(out, i ? " " : "", "", "<code>");
		put_wrapped(out, "", site_text(list, i), "</code>");
	}
	buf_printf(out, "%s</td>", cJSON_GetArraySize(list) ? "" : none);
}

static void put_form(const api_html *h, const site_op *op, const region *r, buf *out)
{
	buf call = {0};
	form_text_put(&call, op);
	put_wrapped(out, "<tr data-form=\"", site_op_number(op), "\"");
	put_data(h, op, r, out);
	put_wrapped(out, "><th scope=\"row\">", site_op_number(op), "</th><td class=\"call\">");
	put_wrapped(out, "", buf_text(&call), "</td>");
	if (op->out) {
		put_codes("valid", op->valid, "always", out);
		put_codes("out", op->out, "scalars", out);
		buf_printf(out, "<td>%d accepted, %d rejected%s</td><td>%s</td>", op->passed, op->failed, op->thin ? "; low support" : "", proof_words(op->proof));
	} else {
		put_wrapped(out, "<td colspan=\"4\" class=\"soft\">no rule: ", op->why, "</td>");
	}
	dtype_rows rows = {0};
	dtype_rows_add(&rows, op);
	buf_puts(out, "<td class=\"dtypes\">");
	dtype_rows_put(out, &rows, 12);
	buf_puts(out, "</td></tr>\n");
	dtype_rows_free(out, &rows);
	buf_end(out, &call);
}

static void put_forms(const api_html *h, const site_api *api, const region *r, buf *out)
{
	buf_puts(out, "<section><h2>Signatures</h2>\n<p class=\"soft\">A signature fixes everything but integers: argument kinds, ranks and constants. Each has its own rule in its symbols.</p>\n<div class=\"scroll\" tabindex=\"0\" "
		      "role=\"region\" aria-label=\"Signatures\"><table class=\"forms\"><thead><tr><th scope=\"col\">number</th><th scope=\"col\">call</th>"
		      "<th scope=\"col\">accepted when</th><th scope=\"col\">output dimensions</th><th scope=\"col\">recorded calls</th><th scope=\"col\">proof</th>"
		      "<th scope=\"col\">dtypes</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < api->nops; i++)
		put_form(h, &api->ops[i], r, out);
	buf_puts(out, "</tbody></table></div></section>\n");
}

static void put_code(const api_html *h, buf *out)
{
	if (!h->code || !*highlight_body(h->code))
		return;
	buf_puts(out, "<section><h2>C code</h2>\n<pre class=\"c\" tabindex=\"0\">");
	highlight_put(out, highlight_body(h->code));
	buf_puts(out, "</pre></section>\n");
}

static void put_changes(const api_html *h, const site_api *api, buf *out)
{
	changes c = changes_of(h->old, api);
	if (!h->since || !changes_any(&c))
		return;
	buf_puts(out, "<section id=\"changes\"><h2>Since the last version</h2>\n<p>");
	changes_summary(out, &c);
	buf_puts(out, "</p>\n");
	if (h->old)
		changes_put(out, h->old, api);
	buf_puts(out, "</section>\n");
}

bool api_html_print(const api_html *h, const site_api *api, buf *out)
{
	region r;
	if (!region_of(h->lib, api, &r))
		return false;
	put_head(api, out);
	page_html_put(out, h->code);
	if (!put_region(h, &r, out))
		return false;
	put_changes(h, api, out);
	put_forms(h, api, &r, out);
	put_code(h, out);
	buf_puts(out, "</main>\n");
	site_frame_end(out, "../");
	return !out->failed;
}
