#include "api_html.h"

#include <stdlib.h>
#include <string.h>

#include "form_text.h"
#include "changes.h"
#include "dtype_rows.h"
#include "escape.h"
#include "formula.h"
#include "framework.h"
#include "highlight.h"
#include "json.h"
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

/* ---- rules */

/* The call; one argument per line if it is long. */
static void put_signature(const site_op *leader, buf *out)
{
	const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(leader->page, "arguments"), *argument;
	const char *dot = strrchr(leader->api, '.');
	size_t length = 0;
	cJSON_ArrayForEach(argument, arguments)
		length += cJSON_IsString(argument) ? strlen(argument->valuestring) + 2 : 0;
	bool long_one = length > 90;
	put_wrapped(out, "<pre class=\"signature\"><b>", dot ? dot + 1 : leader->api, "</b>(");
	for (int i = 0; i < cJSON_GetArraySize(arguments); i++) {
		const char *text = site_text(arguments, i);
		size_t name = strcspn(text, "[?= ");
		buf piece = {0};
		buf_add(&piece, text, name);
		buf_puts(out, long_one ? i ? ",\n    " : "\n    " : i ? ", " : "");
		put_wrapped(out, "<var>", buf_text(&piece), "</var>");
		escape_markup(out, text + name);
		buf_end(out, &piece);
	}
	buf_puts(out, long_one ? "\n)</pre>\n" : ")</pre>\n");
}

static bool is_scalar(const cJSON *output)
{
	return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(output, "tensor")) == 0;
}

static void put_outputs(const site_op *leader, buf *out)
{
	const cJSON *outputs = cJSON_GetObjectItemCaseSensitive(leader->page, "outputs");
	int n = cJSON_GetArraySize(leader->outputs);
	buf_puts(out, "<h3>Shape of the result</h3>\n<ul class=\"formulas\">");
	for (int i = 0; i < cJSON_GetArraySize(outputs); i++) {
		buf_puts(out, "<li>");
		formula_put(out, site_text(outputs, i));
		buf_puts(out, "</li>\n");
	}
	for (int i = 0; i < n; i++)
		if (is_scalar(cJSON_GetArrayItem(leader->outputs, i)))
			buf_printf(out, n > 1 ? "<li>out%d is a scalar</li>\n" : "<li>out is a scalar</li>\n", i);
	buf_puts(out, "</ul>\n");
}

enum part { RULE, EMPTY, FITTED, PARTS };

static enum part part_of(const cJSON *clause)
{
	if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(clause, "fitted")))
		return FITTED;
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(clause, "empty")) ? EMPTY : RULE;
}

/* label: the heading of the column, for screens that are too narrow for a table. */
static void put_count(const cJSON *clause, const char *key, const char *label, buf *out)
{
	int64_t n;
	buf_printf(out, "<td data-label=\"%s\">", label);
	if (json_int64(cJSON_GetObjectItemCaseSensitive(clause, key), &n) == JSON_INT && n >= 0)
		buf_int(out, n);
	buf_puts(out, "</td>");
}

static void put_clause(const api_html *h, const cJSON *clause, buf *out)
{
	const char *text = json_text(clause, "text");
	buf_puts(out, "<tr><th scope=\"row\">");
	formula_put(out, text);
	buf_puts(out, "</th>");
	put_count(clause, "refused", "rejects", out);
	put_count(clause, "alone", "uniquely", out);
	buf_printf(out, "<td data-label=\"APIs\">%d</td></tr>\n", common_words_apis(h->said, text));
}

static void put_part(const api_html *h, const cJSON *clauses, enum part part, buf *out)
{
	static const char *const TITLES[] = {[RULE] = "Accepted when", [EMPTY] = "With empty tensors", [FITTED] = "Low support"};
	static const char *const SAID[] = {[RULE] = "", [EMPTY] = "<p class=\"soft\">Evidence for these clauses comes only from calls with empty tensors.</p>",
	    [FITTED] = "<p class=\"soft\">These clauses are long and rest on few calls; they may be overfitted.</p>"};
	const cJSON *clause;
	bool any = false;
	cJSON_ArrayForEach(clause, clauses) {
		if (part_of(clause) != part)
			continue;
		if (!any)
			buf_printf(out, "<h3>%s</h3>%s\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Clauses\"><table class=\"clauses\"><thead><tr><th scope=\"col\">clause</th>"
					"<th scope=\"col\">recorded calls<br>it rejects</th><th scope=\"col\">rejected by<br>no other clause</th>"
					"<th scope=\"col\">APIs with<br>this clause</th></tr></thead><tbody>\n", TITLES[part], SAID[part]);
		any = true;
		put_clause(h, clause, out);
	}
	buf_puts(out, any ? "</tbody></table></div>\n" : "");
}

static const char *proof_words(const char *proof)
{
	static const char *const WORDS[][2] = {{"none", "not needed"}, {"proved", "proved"}, {"checked", "checked on small integers"}, {"unknown", "unknown"}};
	for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
		if (strcmp(WORDS[i][0], proof) == 0)
			return WORDS[i][1];
	return "";
}

/* The number of signatures that share a rule. */
static int leads(const site_api *api, const site_op *leader)
{
	int n = 0;
	for (size_t i = 0; i < api->nops; i++)
		n += api->ops[i].out && strcmp(api->ops[i].family, leader->name) == 0;
	return n;
}

/* The signatures of a rule, their recorded calls and proofs. */
static void put_evidence(const site_api *api, const site_op *leader, buf *out)
{
	static const char *const PROOFS[] = {"proved", "checked", "unknown", "none"};
	int forms = 0, passed = 0, failed = 0, proofs[4] = {0};
	buf list = {0};
	for (size_t i = 0; i < api->nops; i++) {
		const site_op *op = &api->ops[i];
		if (!op->out || strcmp(op->family, leader->name) != 0)
			continue;
		buf_printf(&list, forms++ ? ", " : "");
		buf_puts(&list, site_op_number(op));
		passed += op->passed;
		failed += op->failed;
		for (int k = 0; k < 4; k++)
			proofs[k] += strcmp(op->proof, PROOFS[k]) == 0;
	}
	buf_printf(out, "<dl><dt>recorded calls</dt><dd>%d accepted, %d rejected in %d signature%s: ", passed, failed, forms, plural(forms));
	escape_markup_cut(out, buf_text(&list), 400);
	buf_puts(out, "</dd><dt>proof</dt><dd>");
	for (int k = 0, any = 0; k < 4; k++) {
		if (!proofs[k])
			continue;
		buf_printf(out, "%s%s", any++ ? ", " : "", proof_words(PROOFS[k]));
		if (proofs[k] != forms)
			buf_printf(out, " in %d", proofs[k]);
	}
	buf_puts(out, "</dd></dl>\n");
	buf_end(out, &list);
}

/* The text of a constant argument; NULL if the argument is missing or not constant. */
static const char *constant_of(const site_op *op, const char *name)
{
	const cJSON *arg;
	cJSON_ArrayForEach(arg, op->args)
		if (strcmp(json_text(arg, "name"), name) == 0)
			return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(arg, "value"), "const"));
	return NULL;
}

/* Whether all signatures of the rule, and no other signature, have this constant. */
static bool tells_apart(const site_api *api, const site_op *leader, const char *name, const char *text)
{
	bool others = false;
	for (size_t i = 0; i < api->nops; i++) {
		const site_op *op = &api->ops[i];
		const char *constant = constant_of(op, name);
		bool same = constant && strcmp(constant, text) == 0, member = strcmp(op->family, leader->name) == 0;
		if (op->out && same != member)
			return false;
		others |= op->out && !member;
	}
	return others;
}

static void put_constants(const site_api *api, const site_op *leader, buf *out)
{
	const cJSON *arg;
	cJSON_ArrayForEach(arg, leader->args) {
		const char *name = json_text(arg, "name"), *text = constant_of(leader, name);
		if (!text || !tells_apart(api, leader, name, text))
			continue;
		put_wrapped(out, "<p>if <code>", name, " = ");
		put_wrapped(out, "", text, "</code></p>\n");
	}
}

static void put_dtypes(const site_api *api, const site_op *leader, buf *out)
{
	dtype_rows rows = {0};
	for (size_t i = 0; i < api->nops; i++)
		if (api->ops[i].out && strcmp(api->ops[i].family, leader->name) == 0)
			dtype_rows_add(&rows, &api->ops[i]);
	if (rows.n) {
		buf_puts(out, "<p class=\"dtypes\"><b>dtypes:</b> ");
		dtype_rows_put(out, &rows, 24);
		buf_puts(out, "</p>\n");
	}
	dtype_rows_free(out, &rows);
}

static void put_rule(const api_html *h, const site_api *api, const site_op *leader, buf *out)
{
	const cJSON *clauses = cJSON_GetObjectItemCaseSensitive(leader->page, "clauses");
	put_wrapped(out, "<section class=\"rule\"><h2>Rule", api->rules > 1 ? " of signature " : "", "");
	put_wrapped(out, "", api->rules > 1 ? site_op_number(leader) : "", "");
	buf_puts(out, leads(api, leader) > 1 && api->rules > 1 ? " and others</h2>\n" : "</h2>\n");
	put_signature(leader, out);
	put_constants(api, leader, out);
	put_dtypes(api, leader, out);
	put_outputs(leader, out);
	for (int part = 0; part < PARTS; part++)
		put_part(h, clauses, (enum part)part, out);
	if (!cJSON_GetArraySize(clauses))
		buf_puts(out, "<p>Accepted for all dimensions.</p>\n");
	put_evidence(api, leader, out);
	buf_puts(out, "</section>\n");
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
	for (size_t i = 0; i < api->nops; i++)
		if (api->ops[i].page)
			put_rule(h, api, &api->ops[i], out);
	if (!put_region(h, &r, out))
		return false;
	put_changes(h, api, out);
	put_forms(h, api, &r, out);
	put_code(h, out);
	buf_puts(out, "</main>\n");
	site_frame_end(out, "../");
	return !out->failed;
}
